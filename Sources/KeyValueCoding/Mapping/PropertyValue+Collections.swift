extension Array: PropertyValue where Element: PropertyValue {
    /// Makes an array of the elements of one; bytes from data alone.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        try self.init(coercing: value, options: MappingOptions(coercion: policy))
    }

    /// Makes an array of the elements of one; bytes from data alone.
    ///
    /// - Throws: for an element that does not fit, with its position.
    public init(coercing value: Value, options: MappingOptions) throws(CoercionError) {
        let isData = Element.self == UInt8.self
        switch value {
        case .data(let bytes) where isData:
            guard let elements = bytes as? [Element] else { throw CoercionError(.typeMismatch, expected: "data") }
            self = elements
        case .array(let values) where !isData:
            self = []
            reserveCapacity(values.count)
            for value in values {
                do throws(CoercionError) {
                    append(try Element(coercing: value, options: options))
                } catch {
                    throw error.of(value, at: "[\(count)]")
                }
            }
        case .null: throw CoercionError(.nullValue, expected: isData ? "data" : "an array")
        default: throw CoercionError(.typeMismatch, expected: isData ? "data" : "an array")
        }
    }

    /// The bytes as data, other elements as an array.
    public var propertyValue: Value {
        // An empty array of any type would pass for bytes.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
        return .array(map(\.propertyValue))
    }
}

extension Dictionary: PropertyValue where Key == String, Value: PropertyValue {
    /// Makes a dictionary of the values of one.
    public init(coercing value: KeyValueCoding.Value, policy: CoercionPolicy) throws(CoercionError) {
        try self.init(coercing: value, options: MappingOptions(coercion: policy))
    }

    /// Makes a dictionary of the values of one.
    ///
    /// - Throws: for a value that does not fit, with its key.
    public init(coercing value: KeyValueCoding.Value, options: MappingOptions) throws(CoercionError) {
        switch value {
        case .dictionary(let entries):
            self.init(minimumCapacity: entries.count)
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                do throws(CoercionError) {
                    self[key] = try Value(coercing: value, options: options)
                } catch {
                    throw error.of(value, at: "." + Redaction.name(key))
                }
            }
        case .null: throw CoercionError(.nullValue, expected: "a dictionary with text for keys")
        default: throw CoercionError(.typeMismatch, expected: "a dictionary with text for keys")
        }
    }

    /// The values by key.
    public var propertyValue: KeyValueCoding.Value { .dictionary(mapValues(\.propertyValue)) }
}

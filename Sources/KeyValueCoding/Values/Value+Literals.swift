extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A real.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension Value: ExpressibleByIntegerLiteral {
    /// An integer of up to 128 bits.
    public init(integerLiteral value: Int128) { self.init(value) }
}

extension Value: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension Value: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
}

extension Value: ExpressibleByDictionaryLiteral {
    /// A dictionary. Of a key that is written twice, the later value counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

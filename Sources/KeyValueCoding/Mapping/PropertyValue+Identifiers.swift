public import FoundationEssentials

extension UUID: PropertyValue {
    /// Makes a UUID of an archived `NSUUID`, of 16 bytes of data, or of its text.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        switch value {
        case .object(let object) where object.className == "NSUUID":
            try self.init(coercing: object.fields["NS.uuidbytes"] ?? .null, policy: policy)
        case .data(let bytes) where bytes.count == 16:
            self.init(uuid: unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: uuid_t.self) })
        case .text(let text):
            guard let uuid = UUID(uuidString: text) else { throw CoercionError(.typeMismatch, expected: "a UUID") }
            self = uuid
        case .null: throw CoercionError(.nullValue, expected: "a UUID")
        default: throw CoercionError(.typeMismatch, expected: "a UUID")
        }
    }

    /// The UUID as an archived `NSUUID`.
    public var propertyValue: Value {
        let bytes = unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) }
        return .object(
            Value.ObjectValue(
                className: "NSUUID",
                classes: ["NSUUID", "NSObject"],
                fields: ["NS.uuidbytes": .data(bytes)]
            )
        )
    }
}

extension URL: PropertyValue {
    /// Makes a URL of an archived `NSURL`, or of its text.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        switch value {
        case .object(let object) where object.className == "NSURL":
            let base = try URL?(coercing: object.fields["NS.base"] ?? .null, policy: policy)
            guard case .text(let text) = object.fields["NS.relative"], let url = URL(string: text, relativeTo: base)
            else {
                throw CoercionError(.typeMismatch, expected: "a URL")
            }
            self = url
        case .text(let text):
            guard let url = URL(string: text) else { throw CoercionError(.typeMismatch, expected: "a URL") }
            self = url
        case .null: throw CoercionError(.nullValue, expected: "a URL")
        default: throw CoercionError(.typeMismatch, expected: "a URL")
        }
    }

    /// The URL as an archived `NSURL`.
    public var propertyValue: Value {
        .object(
            Value.ObjectValue(
                className: "NSURL",
                classes: ["NSURL", "NSObject"],
                fields: ["NS.base": baseURL.propertyValue, "NS.relative": .text(relativeString)]
            )
        )
    }
}

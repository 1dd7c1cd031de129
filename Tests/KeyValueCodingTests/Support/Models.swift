import FoundationEssentials
import KeyValueCoding

/// The legacy model.
struct Account: KeyValueCodable, Equatable {
    var accessToken: String?
    var expiresIn: Int64 = 0
    var remindIn: Int64 = 0
    var uid: Int64 = 0
    var obtainedAt: Date?
    var extras: [String: Value] = [:]

    static let properties = PropertyTable<Account>(
        Property("access_token", \.accessToken, secret: true),
        Property("expires_in", \.expiresIn),
        Property("remind_in", \.remindIn, .defaulted(0)),
        Property("uid", \.uid),
        Property("obtained_at", \.obtainedAt, .optional),
        extras: \.extras
    )
}

/// A model of another app, with every kind of property and no place for unknown keys.
struct Device: KeyValueCodable, Equatable {
    enum Platform: String, PropertyValue {
        case phone, tablet
    }

    /// A type of the app's own.
    struct Serial: PropertyValue, Equatable {
        var number: UInt64 = 0

        init() {}

        init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
            number = try UInt64(coercing: value, policy: policy)
        }

        var propertyValue: Value { number.propertyValue }
    }

    var id: Int64 = 0
    var name = ""
    var nickname: String?
    var seen: Date?
    var made = Date(timeIntervalSinceReferenceDate: 0)
    var count = 0
    var level: Int8 = 0
    var port: UInt16 = 0
    var ratio = 0.0
    var isActive = false
    var mask: UInt64 = 0
    var key: [UInt8] = []
    var note: Value = .null
    var optionalCount: Int?
    var optionalRatio: Double?
    var optionalFlag: Bool?
    var optionalKey: [UInt8]?
    var platform = Platform.phone
    var serial = Serial()
    var wide: Int128 = 0

    static let properties = PropertyTable<Device>([
        Property("id", \.id),
        Property("name", \.name),
        Property("nickname", \.nickname, .optional),
        Property("seen", \.seen, .optional),
        Property("made", \.made, .optional),
        Property("count", \.count, .optional),
        Property("level", \.level, .optional),
        Property("port", \.port, .defaulted(443)),
        Property("ratio", \.ratio, .optional),
        Property("isActive", \.isActive, .optional),
        Property("mask", \.mask, .optional),
        Property("key", \.key, .optional, secret: true),
        Property("note", \.note, .optional),
        Property("optionalCount", \.optionalCount, .optional),
        Property("optionalRatio", \.optionalRatio, .optional),
        Property("optionalFlag", \.optionalFlag, .optional),
        Property("optionalKey", \.optionalKey, .optional),
        Property("platform", \.platform, .optional),
        Property("serial", \.serial, .optional),
        Property("wide", \.wide, .optional),
    ])
}

/// What an expression throws, as a value to compare; nil if it throws nothing.
func failure<T>(_ body: () throws(MappingError) -> T) -> MappingError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

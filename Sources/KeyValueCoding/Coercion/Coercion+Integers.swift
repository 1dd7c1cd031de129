/// The coercion table's entries for those who have no ``Value`` and need none: decoders of rows and archives.
public enum Coercion {
    /// An integer of any width.
    ///
    /// - Throws: `outOfRange`.
    @inlinable
    public static func integer<T: FixedWidthInteger>(
        from integer: Int128,
        as type: T.Type = T.self,
        policy: CoercionPolicy = .strict
    ) throws(CoercionError) -> T {
        if let exact = T(exactly: integer) { return exact }
        guard policy == .objectiveC else { throw outOfRange(T.self) }
        return T(truncatingIfNeeded: integer)
    }

    /// A floating-point number that is an integer.
    ///
    /// - Throws: `notIntegral` for fractions, nan and infinity; `outOfRange`.
    @inlinable
    public static func integer<T: FixedWidthInteger>(
        from real: Double,
        as type: T.Type = T.self,
        policy: CoercionPolicy = .strict
    ) throws(CoercionError) -> T {
        if let exact = T(exactly: real) { return exact }
        if policy == .objectiveC {
            guard !real.isNaN else { return 0 }
            return T(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
        }
        guard real.isFinite, real == real.rounded(.towardZero) else { throw notIntegral }
        throw outOfRange(T.self)
    }

    /// Text that is an integer, in UTF-8.
    ///
    /// - Throws: `typeMismatch` if the text as a whole is not `[+-]?[0-9]+`; `outOfRange`.
    @inlinable
    public static func integer<T: FixedWidthInteger>(
        fromText utf8: Span<UInt8>,
        as type: T.Type = T.self,
        policy: CoercionPolicy = .strict
    ) throws(CoercionError) -> T {
        switch IntegerText.parse(utf8) {
        case .value(let wide):
            if let exact = T(exactly: wide) { return exact }
            guard policy == .objectiveC else { throw outOfRange(T.self) }
            return T(clamping: wide)
        case .outOfRange where policy == .strict: throw outOfRange(T.self)
        case .notAnInteger where policy == .strict: throw notAnInteger
        default:
            var bytes: [UInt8] = []
            for index in utf8.indices { bytes.append(utf8[index]) }
            return T(clamping: IntegerText.scan(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// A value of any kind as an integer.
    ///
    /// - Throws: as ``CoercionPolicy`` says.
    @inlinable
    public static func integer<T: FixedWidthInteger>(
        from value: Value,
        as type: T.Type = T.self,
        policy: CoercionPolicy = .strict
    ) throws(CoercionError) -> T {
        switch value {
        case .integer(let narrow): return try integer(from: Int128(narrow), policy: policy)
        case .wideInteger(let wide): return try integer(from: wide, policy: policy)
        case .real(let real): return try integer(from: real, policy: policy)
        case .decimal(let literal): return try integer(fromDecimal: literal, policy: policy)
        case .text(let text): return try integer(fromText: text.utf8.span, policy: policy)
        case .bool(let bool) where policy == .objectiveC: return bool ? 1 : 0
        case .null: throw CoercionError(.nullValue, expected: "an integer")
        case .bool, .date, .data, .array, .dictionary, .pairs, .object, .reference: throw notAnInteger
        }
    }

    @inlinable
    static func integer<T: FixedWidthInteger>(
        fromDecimal literal: String,
        policy: CoercionPolicy
    ) throws(CoercionError) -> T {
        guard let number = DecimalNumber(literal) else { throw notAnInteger }
        if policy == .objectiveC {
            return number.truncated.map { T(clamping: $0) } ?? (number.isNegative ? .min : .max)
        }
        switch number.integer {
        case .exact(let wide): return try integer(from: wide, policy: policy)
        case .notIntegral: throw notIntegral
        case .outOfRange: throw outOfRange(T.self)
        }
    }

    @usableFromInline
    static var notAnInteger: CoercionError {
        CoercionError(.typeMismatch, expected: "an integer, or text of digits alone")
    }

    @usableFromInline
    static var notIntegral: CoercionError {
        CoercionError(.notIntegral, expected: "an integer")
    }

    @inlinable
    static func outOfRange<T: FixedWidthInteger>(_ type: T.Type) -> CoercionError {
        CoercionError(.outOfRange, expected: "an integer from \(T.min) to \(T.max)")
    }
}

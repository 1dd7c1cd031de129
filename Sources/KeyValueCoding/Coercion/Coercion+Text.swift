extension Coercion {
    /// A value of any kind as text.
    ///
    /// - Throws: as ``CoercionPolicy`` says.
    public static func text(from value: Value, policy: CoercionPolicy = .strict) throws(CoercionError) -> String {
        switch (value, policy) {
        case (.text(let text), _): return text
        case (.null, _): throw CoercionError(.nullValue, expected: "text")
        case (.integer(let integer), .objectiveC): return String(integer)
        case (.wideInteger(let integer), .objectiveC): return String(integer)
        case (.decimal(let literal), .objectiveC): return literal
        case (.bool(let bool), .objectiveC): return bool ? "1" : "0"
        case (.real(let real), .objectiveC):
            let digits = real.description
            return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
        default: throw CoercionError(.typeMismatch, expected: "text")
        }
    }
}

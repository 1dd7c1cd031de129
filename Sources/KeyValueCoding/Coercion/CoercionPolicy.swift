/// How a value becomes the type that a property has.
///
/// ## Strict
///
/// Nothing is guessed and nothing is lost; digits never pass through a `Double`.
///
/// | from ↓ to → | integers of any width | `String`, `String?` | `Date`, `Date?` |
/// |---|---|---|---|
/// | integer of any width | value, or `outOfRange` | `typeMismatch` | `typeMismatch` |
/// | text | the whole text is `[+-]?[0-9]+` in ASCII: value, or `outOfRange`; else `typeMismatch` | value | `typeMismatch` |
/// | real, decimal | integral: value, or `outOfRange`; else (fractions, nan, infinity) `notIntegral` | `typeMismatch` | `typeMismatch` |
/// | bool, data, array, dictionary, object | `typeMismatch` | `typeMismatch` | `typeMismatch` |
/// | null | `nullValue`; nil if optional | `nullValue`; nil if optional | `nullValue`; nil if optional |
/// | date | `typeMismatch` | `typeMismatch` | value |
///
/// | from ↓ to → | `Double` | `Bool` | `[UInt8]` |
/// |---|---|---|---|
/// | integer of any width | value if a `Double` holds it exactly, else `outOfRange` | `typeMismatch` | `typeMismatch` |
/// | text | the whole text is a number: as that number; else `typeMismatch` | `typeMismatch` | `typeMismatch` |
/// | real | value | `typeMismatch` | `typeMismatch` |
/// | decimal | with a fraction: the nearest `Double`; integral: as an integer; beyond `Double`: `outOfRange` | `typeMismatch` | `typeMismatch` |
/// | bool | `typeMismatch` | value | `typeMismatch` |
/// | data | `typeMismatch` | `typeMismatch` | value |
/// | null | `nullValue`; nil if optional | `nullValue`; nil if optional | `nullValue`; nil if optional |
/// | anything else | `typeMismatch` | `typeMismatch` | `typeMismatch` |
///
/// ## Objective-C
///
/// What `setValue:forKey:` does on iOS, for those who have to get the same result. It loses data silently.
///
/// | from ↓ to → | integers of any width | `String` | `Double` | `Bool` |
/// |---|---|---|---|---|
/// | integer of any width | its low bits, as a C conversion does (`-[NSNumber longLongValue]`) | its digits | nearest | not 0 |
/// | text | `-[NSString longLongValue]`: white space is skipped, then a sign and digits up to the first other character; saturates; 0 if there are none | value | `-[NSString doubleValue]`: the number at its start, else 0 | `-[NSString boolValue]`: after white space, a sign and zeros comes one of `YyTt1…9` |
/// | real, decimal | cut towards zero; saturates, as on arm64; nan is 0 | `-[NSNumber stringValue]`: its shortest digits, `1` for 1.0 | nearest | not 0 |
/// | bool | 0 or 1 | `0` or `1` | 0 or 1 | value |
/// | null | `nullValue`, since `setNilValueForKey:` raises | nil if optional, else `nullValue` | `nullValue` | `nullValue` |
///
/// Everything else is as under the strict policy: iOS raises there, or stores an object of the wrong class
/// in the property (a number in a text property too; here its `stringValue` is the text).
public enum CoercionPolicy: Sendable, Hashable {
    /// Exact or an error. The default everywhere.
    case strict
    /// As key-value coding on iOS does.
    case objectiveC
}

/// Why a value cannot become what a property needs; says nothing about the value itself, which may be secret.
public struct CoercionError: Error, Sendable, Equatable {
    /// The kind of failure.
    public var code: MappingError.Code
    /// What would have been accepted.
    public var expected: String
    /// What was found, where that is not the value itself but something in it; shows no secret.
    public var found: String?
    /// Where in the value that is, as text that can follow a key: `.devices[0].name`; empty for the value itself.
    public var path: String

    /// Makes an error.
    public init(_ code: MappingError.Code, expected: String, found: String? = nil, path: String = "") {
        self.code = code
        self.expected = expected
        self.found = found
        self.path = path
    }

    /// The error for an element of a collection, from that of a value.
    func of(_ value: Value, at step: String) -> CoercionError {
        CoercionError(code, expected: expected, found: found ?? value.summary, path: step + path)
    }
}

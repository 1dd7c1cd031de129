import FoundationEssentials
import KeyValueCoding
import TestSupport

extension SeededGenerator {
    mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    /// A value of any kind, containers up to a depth.
    mutating func value(depth: Int) -> Value {
        let kind = Int.random(in: 0..<(depth > 0 ? 15 : 11), using: &self)
        switch kind {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .integer(Int64(bitPattern: next()) >> pick([0, 1, 20, 50, 63]))
        case 3: return Value(Int128(Int64(bitPattern: next())) << pick([0, 1, 7, 63]) | Int128(next() >> 8))
        case 4: return .real(real())
        case 5: return .decimal(decimal())
        case 6, 7: return .text(text())
        case 8: return .date(Date(timeIntervalSinceReferenceDate: seconds()))
        case 9: return .data((0..<pick([0, 1, 2, 3, 50])).map { _ in UInt8.random(in: 0...255, using: &self) })
        case 10: return .reference(Int.random(in: -3...1_000_000, using: &self))
        case 11: return .array(elements(depth))
        case 12: return .dictionary(fields(depth))
        case 13: return .pairs(elements(depth).map { Value.Pair(key: value(depth: depth - 1), value: $0) })
        default:
            let classes = pick([[], ["A"], ["$B", "NSObject"]])
            return .object(.init(className: text(), classes: classes, fields: fields(depth)))
        }
    }

    private mutating func elements(_ depth: Int) -> [Value] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in value(depth: depth - 1) }
    }

    private mutating func fields(_ depth: Int) -> [String: Value] {
        let keys = (0..<Int.random(in: 0...3, using: &self)).map { _ in
            pick(["$date", "$$", "$", "$class", "$classes", "$$ref", "uid", ""]) + pick(["", "", text()])
        }
        return Dictionary(keys.map { ($0, value(depth: depth - 1)) }) { $1 }
    }

    private mutating func real() -> Double {
        pick([
            0.0, -0.0, 1.0, 0.1, 1e22, 1e23, .leastNonzeroMagnitude, .nan, .infinity, -.infinity,
            .greatestFiniteMagnitude,
            9007199254740992, Double(bitPattern: next()), Double(Int64(bitPattern: next()) >> 20) / 1_000,
        ])
    }

    private mutating func seconds() -> Double {
        pick([
            real(), Double.random(in: -63_113_904_000...252_423_993_600, using: &self), -63_113_904_000,
            -63_113_904_000.00001, 252_423_993_599.99997, 252_423_993_600, -0.25, -1e-9, 1e-9,
            Double(Int.random(in: -978_307_200...1_000_000_000, using: &self)),
        ])
    }

    private mutating func decimal() -> String {
        pick([
            "1.00000000000000000001", "-1e400", "1E-400", "9007199254740993.0", "1.0", "12", "twelve", "", "01.5", "-0",
            "1" + String(repeating: "0", count: 45), "0.\(next())\(next())",
        ])
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\0", "\u{1F}", "\u{7F}", "é", "\u{301}", "\u{2028}", "\u{FFFF}",
            "\u{1F600}", "\u{10FFFF}", "$", "\n", "\r", "\t", "\u{8}", "\u{C}", "中",
        ]
        var text = ""
        for _ in 0..<pick([0, 1, 3, 8, 9, 30]) { text.unicodeScalars.append(pick(scalars)) }
        return text
    }
}

/// Whether two values are the same to the last bit, nan being the same as nan.
func identical(_ left: Value, _ right: Value) -> Bool {
    func identical(_ left: Double, _ right: Double) -> Bool {
        left.bitPattern == right.bitPattern
    }
    func identicalFields(_ left: [String: Value], _ right: [String: Value]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in right[key].map { KeyValueCodingTests.identical(value, $0) } ?? false }
    }
    func identicalAll(_ left: [Value], _ right: [Value]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { KeyValueCodingTests.identical($0, $1) }
    }
    switch (left, right) {
    case (.real(let left), .real(let right)): return identical(left, right)
    case (.date(let left), .date(let right)):
        return identical(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.text(let left), .text(let right)): return Array(left.utf8) == Array(right.utf8)
    case (.array(let left), .array(let right)): return identicalAll(left, right)
    case (.dictionary(let left), .dictionary(let right)): return identicalFields(left, right)
    case (.pairs(let left), .pairs(let right)):
        return identicalAll(left.map(\.key), right.map(\.key)) && identicalAll(left.map(\.value), right.map(\.value))
    case (.object(let left), .object(let right)):
        return left.className == right.className && left.classes == right.classes
            && identicalFields(left.fields, right.fields)
    default: return left == right
    }
}

internal import FoundationEssentials

extension Value {
    /// Whether two values are the same to the bit.
    ///
    /// `==` follows the types inside: it takes texts for equal that are canonically equivalent, 0 and −0 for equal, and
    /// nan for different from itself.
    public func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)), (.decimal(let left), .decimal(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.real(let left), .real(let right)):
            left.bitPattern == right.bitPattern
        case (.date(let left), .date(let right)):
            left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
        case (.array(let left), .array(let right)):
            left.elementsEqual(right) { $0.isIdentical(to: $1) }
        case (.dictionary(let left), .dictionary(let right)):
            Value.areIdentical(left, right)
        case (.pairs(let left), .pairs(let right)):
            left.elementsEqual(right) { $0.key.isIdentical(to: $1.key) && $0.value.isIdentical(to: $1.value) }
        case (.object(let left), .object(let right)):
            left.className.utf8.elementsEqual(right.className.utf8)
                && left.classes.elementsEqual(right.classes) { $0.utf8.elementsEqual($1.utf8) }
                && Value.areIdentical(left.fields, right.fields)
        default:
            self == other
        }
    }

    /// Whether two dictionaries have the same keys and values, to the bit.
    public static func areIdentical(_ left: [String: Value], _ right: [String: Value]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                guard let index = right.index(forKey: key) else { return false }
                return right.keys[index].utf8.elementsEqual(key.utf8) && right.values[index].isIdentical(to: value)
            }
    }
}

internal import KeyValueCoding

/// A step from a value to one inside it.
public enum PathStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// To the field of an object, or the value of a dictionary, under a key.
    case key(String)
    /// To an element of an array or a set, or to the value of a dictionary's entry, by its position in the file.
    case index(Int)

    /// A key.
    public init(stringLiteral key: String) { self = .key(key) }

    /// A position.
    public init(integerLiteral position: Int) { self = .index(position) }
}

/// The way from an object, or from the root of an archive, to a value in it.
///
/// As text it is keys joined by dots, and positions in brackets: `user.devices[0].name`. A key with a dot or a bracket in it
/// is given as a step of its own: `["NS.objects", 0]`.
public struct ArchivePath: Sendable, Hashable {
    /// The steps in order; none for the place itself.
    public var steps: [PathStep]
    /// What is wrong with the text that the path was read from; nil if nothing is.
    var fault: String?

    /// Makes a path of steps.
    public init(_ steps: [PathStep] = []) {
        self.steps = steps
    }

    /// Reads a path from its text. What is in brackets and is no number is part of the key.
    ///
    /// Whoever follows a path throws an error for a text that is none: one in which a bracket has no other, a key between dots is
    /// missing, or a position is too large.
    public init(_ text: String) {
        fault = Self.fault(in: text)
        steps = text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false).flatMap(Self.steps)
    }

    /// The path with a step more.
    public func appending(_ step: PathStep) -> ArchivePath {
        var path = self
        path.steps.append(step)
        return path
    }

    private static func fault(in text: String) -> String? {
        guard !text.isEmpty else { return nil }
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            if part.isEmpty { return "a dot without a key on both sides" }
            let opened = part.split(separator: "[", omittingEmptySubsequences: false).dropFirst()
            guard part.count(where: { $0 == "]" }) == opened.count, opened.allSatisfy({ $0.contains("]") }) else {
                return "a bracket without its other one"
            }
            for position in opened.map({ $0.prefix { $0 != "]" } })
            where !position.isEmpty && position.utf8.allSatisfy({ (0x30...0x39).contains($0) }) && Int(position) == nil
            {
                return "a position that is too large"
            }
        }
        return nil
    }

    /// The steps of a key and the positions behind it.
    private static func steps(of part: Substring) -> [PathStep] {
        var key = part
        var positions: [PathStep] = []
        while key.hasSuffix("]"), let open = key.lastIndex(of: "["),
            let position = Int(key[key.index(after: open)...].dropLast())
        {
            positions.append(.index(position))
            key = key[..<open]
        }
        return (key.isEmpty && !positions.isEmpty ? [] : [.key(String(key))]) + positions.reversed()
    }
}

extension ArchivePath: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
    /// A path from its text.
    public init(stringLiteral text: String) { self.init(text) }

    /// A path of steps.
    public init(arrayLiteral steps: PathStep...) { self.init(steps) }
}

extension ArchivePath: ContentFree {
    /// The path as text on one line, without what may be a secret in a key.
    public var description: String {
        var text = ""
        for (position, step) in steps.prefix(Self.mostSteps).enumerated() {
            switch step {
            case .key(let key): text += (position == 0 ? "" : ".") + Redaction.name(key)
            case .index(let index): text += "[\(index)]"
            }
        }
        return steps.count > Self.mostSteps ? text + "…" : text
    }

    private static let mostSteps = 16
}

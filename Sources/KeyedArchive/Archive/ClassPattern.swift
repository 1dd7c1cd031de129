/// Which classes an archived object may be of.
///
/// A pattern is the name of a class, `*` in it standing for any text. A name without a dot also means the Swift
/// class of that name in any module, in both spellings that Swift has had: `App.Account`, `_TtC3App7Account`.
public struct ClassPattern: Sendable, Hashable {
    /// The pattern as it was given.
    public let text: String
    private let pieces: [[UInt8]]

    /// Makes a pattern from a name, in which `*` stands for any text.
    public init(_ text: String) {
        self.text = text
        pieces = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether a class, by its name or by one of its superclasses' names, is meant.
    public func matches(_ description: ArchivedClass) -> Bool {
        matches(name: description.name) || description.chain.contains { matches(name: $0) }
    }

    /// Whether the name of a class is meant.
    public func matches(name: String) -> Bool {
        if matchesWhole(Array(name.utf8)) { return true }
        guard let swiftName = SwiftClassName(name) else { return false }
        if matchesWhole(Array("\(swiftName.module).\(swiftName.name)".utf8)) { return true }
        return !text.contains(".") && matchesWhole(Array(swiftName.name.utf8))
    }

    /// Matches from the left: the text between two stars goes to its first occurrence, which is never wrong.
    private func matchesWhole(_ name: [UInt8]) -> Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return name == pieces.first }
        guard name.count >= first.count + last.count, name.starts(with: first), name.suffix(last.count) == last[...]
        else { return false }
        var rest = name[first.count..<(name.count - last.count)]
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = ClassPattern.firstOccurrence(of: piece, in: rest) else { return false }
            rest = rest[(found + piece.count)...]
        }
        return true
    }

    private static func firstOccurrence(of piece: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= piece.count else { return nil }
        return (text.startIndex...(text.endIndex - piece.count)).first { text[$0...].starts(with: piece) }
    }
}

extension ClassPattern: ExpressibleByStringLiteral {
    /// A pattern from a name, in which `*` stands for any text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// The module and the name in the runtime name of a Swift class.
struct SwiftClassName: Equatable {
    var module: String
    var name: String

    /// Takes `Module.Name` and `_TtC6Module4Name` apart; the lengths in the latter count UTF-8 bytes.
    init?(_ runtimeName: String) {
        let bytes = Array(runtimeName.utf8)
        if bytes.starts(with: "_TtC".utf8) {
            var rest = bytes.dropFirst(4)
            guard let module = SwiftClassName.counted(&rest), let name = SwiftClassName.counted(&rest), rest.isEmpty
            else { return nil }
            self.init(module: module, name: name)
        } else {
            guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < bytes.count else { return nil }
            self.init(
                module: String(decoding: bytes[..<dot], as: UTF8.self),
                name: String(decoding: bytes[(dot + 1)...], as: UTF8.self)
            )
        }
    }

    init(module: String, name: String) {
        self.module = module
        self.name = name
    }

    private static func counted(_ bytes: inout ArraySlice<UInt8>) -> String? {
        let digits = bytes.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard let count = Int(String(decoding: digits, as: UTF8.self)), count > 0 else { return nil }
        bytes = bytes.dropFirst(digits.count)
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return String(validating: bytes.prefix(count), as: UTF8.self)
    }
}

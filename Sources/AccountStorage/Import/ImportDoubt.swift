/// Why files that an option would have imported are probably damaged, so that whoever gives the option should look at them before.
public enum ImportDoubt: Sendable, Hashable {
    /// Parts of the files do not agree (``ImportRemedy/allowGaps``).
    case gaps
    /// A name is that of many files but for one letter, as it becomes when a bit of a file is flipped.
    case misspelling(String, of: String)
}

/// The names that many archives have, of which a name with one other letter is probably a damaged one.
struct CommonNames {
    /// Damage hardly ever makes the same name of many.
    private static let mostDamagedFiles = 3

    private var names: [String]

    init(_ names: some Sequence<String>) {
        self.names = Array(names)
    }

    /// Why so many files that need some remedies are probably damaged; nil if they are not.
    func doubt(ofFiles count: Int, needing remedies: [ImportRemedy]) -> ImportDoubt? {
        if remedies.contains(.allowGaps) { return .gaps }
        if count > Self.mostDamagedFiles { return nil }
        let misspellings = remedies.lazy.compactMap(\.name).compactMap { name in
            original(of: name).map { ImportDoubt.misspelling(name, of: $0) }
        }
        return misspellings.first
    }

    /// Takes the names of remedies for one of many files.
    mutating func add(_ remedies: [ImportRemedy]) { names += remedies.compactMap(\.name) }

    /// The name that another one is but for one letter; nil if there is none, and for one of the names.
    func original(of name: String) -> String? {
        if names.contains(name) { return nil }
        return names.first { Self.isOneByteApart($0.utf8, name.utf8) }
    }

    private static func isOneByteApart(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
        // Names of fewer letters are alike by chance.
        guard left.count == right.count, left.count >= 4 else { return false }
        var differences = 0
        for (left, right) in zip(left, right) where left != right {
            differences += 1
            if differences > 1 || isOtherName(left, right) { return false }
        }
        return differences == 1
    }

    /// Whether letters make another name, as those of the prefixes that apps give their classes do, and as numbers do.
    private static func isOtherName(_ left: UInt8, _ right: UInt8) -> Bool {
        [UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9")]
            .contains { $0.contains(left) && $0.contains(right) }
    }
}

extension ImportRemedy {
    /// The name that a file has, and that the remedy accepts.
    fileprivate var name: String? {
        switch self {
        case .acceptClass(let name): name
        case .readKey(let key, as: _): key
        case .supply, .allowGaps, .keepUnknownKeys: nil
        }
    }
}

/// Why files that an option would have imported are probably damaged, so that whoever gives the option should look at them before.
public enum ImportDoubt: Sendable, Hashable {
    /// Parts of the files do not agree (``ImportRemedy/allowGaps``).
    case gaps
    /// A name is that of many files but for one letter, as it becomes when a bit of a file is flipped.
    case misspelling(String, of: String)
}

/// The names that many archives have, of which a name with one other letter is probably a damaged one.
struct CommonNames {
    private var names: [String]

    init(_ names: some Sequence<String>) {
        self.names = Array(names)
    }

    /// Why files that need some remedies are probably damaged; nil if they are not.
    func doubt(of remedies: [ImportRemedy]) -> ImportDoubt? {
        if remedies.contains(.allowGaps) { return .gaps }
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
            if differences > 1 { return false }
        }
        return differences == 1
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

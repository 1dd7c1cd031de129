/// The options that are known at one point of a command line, found by name.
struct OptionTable {
    /// What a long name stands for.
    enum Match {
        case option(OptionSpecification)
        case ambiguous([String])
        case unknown
    }

    private var byName: [String: OptionSpecification] = [:]
    private var byShort: [Character: OptionSpecification] = [:]
    /// All long names, in the order of declaration.
    private(set) var names: [String] = []

    init(_ options: [OptionSpecification]) {
        for option in options where byName[option.name] == nil {
            byName[option.name] = option
            names.append(option.name)
            if let short = option.short, byShort[short] == nil {
                byShort[short] = option
            }
        }
    }

    /// The option of this name, or the only one whose name begins so.
    func find(long name: String) -> Match {
        if let option = byName[name] { return .option(option) }
        guard !name.isEmpty else { return .unknown }
        let candidates = names.filter { $0.hasPrefix(name) }
        if candidates.count > 1 { return .ambiguous(candidates) }
        return candidates.first.flatMap { byName[$0] }.map(Match.option) ?? .unknown
    }

    /// The option of this one-letter name.
    func find(short name: Character) -> OptionSpecification? {
        byShort[name]
    }

    /// Whether there is an option of exactly this long name.
    func contains(_ name: String) -> Bool {
        byName[name] != nil
    }
}

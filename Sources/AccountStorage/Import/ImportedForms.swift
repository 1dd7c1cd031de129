public import KeyedArchive

/// What has become of the accounts of an import, by the form of their archives.
public struct ImportedForms: Sendable {
    private static let mostForms = 1_000

    private var counts: [SaveCounts] = []
    private var list: [ArchiveForm] = []
    private var indices: [ArchiveForm: Int] = [:]
    /// The accounts of forms that are not counted by themselves, since there were too many already.
    public private(set) var others = SaveCounts()

    init() {}

    /// The forms with what has become of their accounts, those of the most accounts first.
    public var mostFrequentFirst: [(form: ArchiveForm, counts: SaveCounts)] {
        counts.indices.sorted { counts[$0].total != counts[$1].total ? counts[$0].total > counts[$1].total : $0 < $1 }
            .map { (list[$0], counts[$0]) }
    }

    mutating func add(_ outcome: SaveOutcome, of form: ArchiveForm) {
        guard let index = index(of: form) else { return others.add(outcome) }
        counts[index].add(outcome)
    }

    mutating func add(_ other: ImportedForms) {
        for (form, added) in zip(other.list, other.counts) {
            if let index = index(of: form) { counts[index].add(added) } else { others.add(added) }
        }
        others.add(other.others)
    }

    private mutating func index(of form: ArchiveForm) -> Int? {
        if let index = indices[form] { return index }
        guard list.count < Self.mostForms else { return nil }
        indices[form] = list.count
        list.append(form)
        counts.append(SaveCounts())
        return list.count - 1
    }
}

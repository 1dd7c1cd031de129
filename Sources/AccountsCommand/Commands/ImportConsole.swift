internal import AccountStorage

/// What `import` tells while it runs: each refused file, with `--verbose` each file, and how far it has come.
final class ImportConsole: Sendable {
    private let context: Context
    private let isVerbose: Bool
    private let progress: ProgressDisplay
    /// The refused files for `--json`.
    let failures = FailureList()

    init(_ context: Context, isVerbose: Bool) {
        self.context = context
        self.isVerbose = isVerbose
        progress = ProgressDisplay(context, unit: "file")
    }

    /// Whether the number of files is wanted, which takes a walk of its own.
    var wantsTotal: Bool { progress.isBar }

    /// Tells how many files there are.
    func setTotal(_ count: Int) { progress.setTotal(count) }

    /// Takes an event of the import.
    func take(_ event: ImportEvent) {
        switch event {
        case .progress(let state):
            progress.show(state.files, rejected: state.rejected, place: DisplayText.path(state.path))
        case .refused(let failure):
            if context.isJSON { failures.append(ImportText.json(failure)) }
            progress.write { context.report(ImportText.line(failure)) }
        case .imported(let path, let outcomes) where isVerbose:
            let words = outcomes.map(\.rawValue).joined(separator: ", ")
            note("\(words.isEmpty ? "empty" : words) \(DisplayText.path(path))")
        case .skipped(let path) where isVerbose: note("skipped \(DisplayText.path(path))")
        case .passedOver(let file) where isVerbose:
            note("passed over \(DisplayText.path(file.path)): \(DisplayText.line(file.message))")
        case .imported, .skipped, .passedOver, .conflict: break
        }
    }

    /// Takes the bar away.
    func end() { progress.end() }

    private func note(_ line: String) {
        progress.write { context.note(line) }
    }
}

internal import AccountStorage
internal import Synchronization

/// What `export` tells while it runs: accounts that are refused, with `--verbose` each file, and how far it has come.
final class ExportConsole: Sendable {
    /// How many failures of a kind are told of one by one.
    private static let toldFailures = 20
    /// Failures may be of more kinds than are worth telling apart.
    private static let mostKinds = 100

    let folder: FilePath
    private let context: Context
    private let isVerbose: Bool
    private let progress: ProgressDisplay
    /// How many failures of each kind there were.
    private let kinds = Mutex<[String: Int]>([:])
    /// The refused accounts for `--json`.
    let failures = FailureList()

    init(_ context: Context, to folder: FilePath, isVerbose: Bool) {
        self.folder = folder
        self.context = context
        self.isVerbose = isVerbose
        progress = ProgressDisplay(context, unit: "account")
    }

    /// Tells how many accounts there are.
    func setTotal(_ count: Int) { progress.setTotal(count) }

    /// Takes an event of the export.
    func take(_ event: ExportEvent) {
        switch event {
        case .progress(let state): progress.show(state.accounts, rejected: state.rejected)
        case .refused(let failure):
            if context.isJSON { failures.append(ExportText.json(failure)) }
            if isTold(failure) {
                progress.write { context.report("uid \(failure.uid): \(ExportText.message(failure))") }
            }
        case .exported(_, let path) where isVerbose:
            progress.write { context.note(ExportText.line(.exported, path)) }
        case .unchanged(_, let path) where isVerbose:
            progress.write { context.note(ExportText.line(.unchanged, path)) }
        case .exported, .unchanged: break
        }
    }

    /// Takes the bar away, and tells how many failures were not told of one by one.
    func end() {
        progress.end()
        let untold = kinds.withLock { $0.values.reduce(0) { $0 + max(0, $1 - Self.toldFailures) } }
        if untold > 0 { context.report("\(untold) more could not be written for such reasons; --json lists them all") }
    }

    /// Whether a failure is among the first of its kind, which it is counted with.
    private func isTold(_ failure: ExportFailure) -> Bool {
        // Those of a kind say the same after the path, which has the uid in it.
        let path = folder.appending(String(failure.uid)).description
        let rest = failure.message.dropFirst(failure.message.hasPrefix(path) ? path.count : 0)
        let kind = String(rest).replacing("uid \(failure.uid)", with: "uid")
        return kinds.withLock { kinds in
            let key = kinds[kind] == nil && kinds.count >= Self.mostKinds ? "others" : kind
            kinds[key, default: 0] += 1
            return kinds[key, default: 0] <= Self.toldFailures
        }
    }
}

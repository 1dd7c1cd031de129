internal import AccountStorage
internal import KeyValueCoding
internal import Synchronization

/// What `import` tells while it runs: each refused file, with `--verbose` each file, and how far it has come.
final class ImportConsole: Sendable {
    private struct State {
        var failureCount = 0
        /// When progress was told last.
        var told: ContinuousClock.Instant?
    }

    private let context: Context
    private let isVerbose: Bool
    private let progress: ProgressLine?
    private let begin = ContinuousClock.now
    private let state = Mutex(State())
    /// The refused files for `--json`, with commas between them.
    private let failures = SpooledBytes()
    /// How many files there are, once that is known.
    private let total = Mutex<Int?>(nil)

    init(_ context: Context, isVerbose: Bool) {
        self.context = context
        self.isVerbose = isVerbose
        progress = context.showsProgress ? ProgressLine(context.error) : nil
    }

    /// Whether the number of files is wanted, which takes a walk of its own.
    var wantsTotal: Bool { progress != nil }

    /// Tells how many files there are.
    func setTotal(_ count: Int) { total.withLock { $0 = count } }

    /// Takes an event of the import.
    func take(_ event: ImportEvent) {
        switch event {
        case .progress(let state): show(state)
        case .refused(let failure):
            keep(failure)
            write { context.report(ImportText.line(failure)) }
        case .imported(let path, let outcomes) where isVerbose:
            let words = outcomes.map(\.rawValue).joined(separator: ", ")
            write { context.note("\(words.isEmpty ? "empty" : words) \(DisplayText.path(path))") }
        case .skipped(let path) where isVerbose: write { context.note("skipped \(DisplayText.path(path))") }
        case .passedOver(let file) where isVerbose:
            write { context.note("passed over \(DisplayText.path(file.path)): \(DisplayText.line(file.message))") }
        case .imported, .skipped, .passedOver, .conflict: break
        }
    }

    /// Takes the bar away.
    func end() { progress?.clear() }

    /// Writes the refused files as the elements of a JSON array.
    func writeFailures(_ body: ([UInt8]) throws -> Void) throws {
        try failures.forEachPiece(body)
    }

    private func keep(_ failure: ImportFailure) {
        guard context.isJSON else { return }
        state.withLock { state in
            var bytes: [UInt8] = state.failureCount == 0 ? [] : [UInt8(ascii: ",")]
            ImportText.json(failure).appendJSON(to: &bytes, dialect: .tagged)
            failures.append(bytes)
            state.failureCount += 1
        }
    }

    /// Writes a line where the bar is, which comes back with the next progress.
    private func write(_ body: () -> Void) {
        progress?.clear()
        body()
    }

    // MARK: Progress

    /// A terminal is slower than the disk; a log wants a line now and then.
    private static let barInterval = Duration.milliseconds(100)
    private static let lineInterval = Duration.seconds(10)
    /// A log needs no line about a few files, even if they take long.
    private static let filesForLine = 1_000

    private func isDue(_ now: ContinuousClock.Instant, files: Int) -> Bool {
        if progress == nil, files < Self.filesForLine { return false }
        return state.withLock { state in
            guard let told = state.told ?? (progress == nil ? begin : nil) else {
                state.told = now
                return true
            }
            guard now - told >= (progress == nil ? Self.lineInterval : Self.barInterval) else { return false }
            state.told = now
            return true
        }
    }

    private func show(_ progress: ImportProgress) {
        let now = ContinuousClock.now
        guard isDue(now, files: progress.files) else { return }
        let text = ProgressText(
            files: progress.files,
            rejected: progress.rejected,
            total: total.withLock { $0 },
            elapsed: now - begin
        )
        if let line = self.progress {
            line.show(text.bar + "  " + DisplayText.path(progress.path))
        } else {
            context.note(text.line)
        }
    }
}

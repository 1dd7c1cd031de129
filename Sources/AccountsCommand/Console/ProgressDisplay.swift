internal import Synchronization

/// How far work on many things has come: a bar on a terminal, and elsewhere a line now and then.
final class ProgressDisplay: Sendable {
    private let context: Context
    private let unit: String
    private let bar: ProgressLine?
    private let begin = ContinuousClock.now
    /// When it was told last.
    private let told = Mutex<ContinuousClock.Instant?>(nil)
    private let total = Mutex<Int?>(nil)

    /// - Parameter unit: what one of the things is called, as `file`.
    init(_ context: Context, unit: String) {
        self.context = context
        self.unit = unit
        bar = context.showsProgress ? ProgressLine(context.error) : nil
    }

    /// Whether there is a bar.
    var isBar: Bool { bar != nil }

    /// Tells how many things there are.
    func setTotal(_ count: Int) { total.withLock { $0 = count } }

    /// Shows how far it has come, if enough time has passed since the last time.
    ///
    /// - Parameters:
    ///   - count: how many things are done.
    ///   - rejected: how many of them were refused.
    ///   - place: what was done last; nil to show none.
    func show(_ count: Int, rejected: Int, place: String? = nil) {
        let now = ContinuousClock.now
        guard isDue(now, count) else { return }
        let text = ProgressText(
            unit: unit,
            count: count,
            rejected: rejected,
            total: total.withLock { $0 },
            elapsed: now - begin
        )
        if let bar { bar.show(text.bar + (place.map { "  " + $0 } ?? "")) } else { context.note(text.line) }
    }

    /// Writes a line where the bar is, which comes back with the next progress.
    func write(_ body: () -> Void) {
        bar?.clear()
        body()
    }

    /// Takes the bar away.
    func end() { bar?.clear() }

    // MARK: Times

    /// A terminal is slower than the disk; a log wants a line now and then.
    private static let barInterval = Duration.milliseconds(100)
    private static let lineInterval = Duration.seconds(10)
    /// A log needs no line about a few things, even if they take long.
    private static let countForLine = 1_000

    private func isDue(_ now: ContinuousClock.Instant, _ count: Int) -> Bool {
        if !isBar, count < Self.countForLine { return false }
        return self.told.withLock { told in
            if let last = told ?? (isBar ? nil : begin) {
                guard now - last >= (isBar ? Self.barInterval : Self.lineInterval) else { return false }
            }
            told = now
            return true
        }
    }
}

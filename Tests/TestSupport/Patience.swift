/// Returns whether a condition holds in time.
///
/// Of the time only that counts in which the waiting task has its turns: a machine that runs many tests at once may leave a task without
/// one for minutes, and what it waits for may have to wait just as long.
///
/// - Parameters:
///   - patience: how long it is waited for.
///   - condition: is asked again and again.
public func happens(within patience: Duration = .seconds(300), _ condition: () -> Bool) async throws -> Bool {
    var waited = Duration.zero
    while !condition() {
        if waited >= patience { return false }
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(1))
        waited += min(start.duration(to: .now), .milliseconds(20))
    }
    return true
}

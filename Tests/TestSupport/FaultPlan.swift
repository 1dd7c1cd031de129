/// Which calls of files fail, and why.
package struct FaultPlan: Sendable, CustomStringConvertible {
    /// The kinds of calls.
    package let calls: FaultyFiles.Calls
    /// Why they fail.
    package let cause: FaultyFiles.Cause
    /// Whether all later calls fail too.
    package let stays: Bool

    /// All plans; those that differ most, if not the whole is wanted.
    package static let all: [FaultPlan] = (Effort.isBrief ? [true] : [true, false]).flatMap { stays in
        let device = Effort.isWhole ? FaultyFiles.Calls.allCases : [.all, .sync]
        return device.map { FaultPlan(calls: $0, cause: .device, stays: stays) } + [
            FaultPlan(calls: .all, cause: .fullDisk, stays: stays),
            FaultPlan(calls: .all, cause: .memory, stays: stays),
        ]
    }

    package var description: String {
        let kinds =
            calls == .all ? "any call" : FaultyFiles.Calls.names.filter { calls.contains($0.calls) }.map(\.name)[0]
        return "\(cause), \(kinds)\(stays ? ", from then on" : "")"
    }

    /// Calls a closure with the number of the call that is to fail, from the first to the last one.
    ///
    /// - Parameters:
    ///   - part: how many of them to try, about.
    ///   - whole: the same for a run of the whole.
    ///   - body: returns how many have failed, and how many could have.
    package func forEachCall(
        part: Int = 4,
        whole: Int = .max,
        _ body: (Int) async throws -> (failures: Int, calls: Int)
    ) async throws {
        // First without a fault, which counts the calls.
        let calls = try await body(Int.max).calls
        let tries = Effort.isWhole ? whole : max(2, Effort.tries(part))
        let step = max(1, calls / tries) * (Effort.isWhole ? Effort.faultStep : 1)
        // Threads that do their work in another order make some calls more, or less.
        for nth in stride(from: 1, to: calls + 50, by: step) where try await body(nth).failures == 0 { break }
    }
}

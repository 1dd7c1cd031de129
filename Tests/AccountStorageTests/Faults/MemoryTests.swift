import TestSupport
import Testing

@Suite("A store while there is no memory")
struct MemoryTests {
    @Test("says so, keeps what it has, gives no wrong account, and goes on when there is some")
    func allocations() async throws {
        let folder = try TemporaryDirectory()
        let step = Effort.isWhole ? Effort.faultStep : Effort.isBrief ? 40 : 10
        let outcome = try await WorkerProcess(["starve", folder.path(of: "accounts.sqlite"), "\(step)"]).outcome()
        #expect(outcome.status == 0)
        let wrong = outcome.lines.filter { !$0.hasPrefix("did ") }
        #expect(wrong == [])
        let counts = outcome.lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts.count == 16)
        #expect(counts.reduce(0, +) > 2 * counts.count)
    }
}

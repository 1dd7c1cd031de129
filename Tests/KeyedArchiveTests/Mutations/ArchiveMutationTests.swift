import TestSupport
import Testing

@testable import KeyedArchive

/// Damage of every kind to good archives: each outcome is an error, the same value, or one that differs in what the
/// changed bytes spell, and it is there in time.
@Suite("Mutations of archives")
struct ArchiveMutationTests {
    /// Archives in which every object but keys and classes is referred to once: what is read is never another.
    static let accounts = [
        "expected/minmax.apple64-old.data", "expected/minmax.apple64-new.data", "expected/cjk.apple64-new.data",
        "variants/07_HWAccount_min.data", "variants/13_Swift_WDK.data", "shapes/account_xml.data",
        "bad/xml_entities_std.data", "shapes/many.data",
    ]
    /// Archives with shared objects: equal numbers, as `expires_in` and `remind_in` are in most accounts, or whole graphs.
    static let graphs = [
        "expected/normal.apple64-old.data", "expected/nil.apple64-new.data", "variants/05_WeiBoOAuth_logState.data",
        "shapes/everything.data", "bad/root_array_of_accounts.data",
    ]

    /// The outcomes of a part.
    private struct Tally {
        var refused = 0
        var same = 0
        var spelled = 0
        var shared = 0
        var exchanged = 0
        var slowest = Duration.zero
    }

    /// Reads each mutation and holds what comes of it against the oracle.
    private func run(_ plan: MutationPlan) throws -> Tally {
        let original = try Fixtures.bytes(plan.file)
        let oracle = try MutationOracle(original)
        var tally = Tally()
        let clock = ContinuousClock()
        plan.forEach(of: original) { mutated, what in
            let start = clock.now
            let archive: Archive?
            do throws(ArchiveError) {
                archive = try Archive(reading: mutated.bytes)
                _ = try archive?.topValues()
            } catch {
                if error.reason.isEmpty { Issue.record("no reason: \(plan), \(what())") }
                tally.refused += 1
                tally.slowest = max(tally.slowest, clock.now - start)
                return
            }
            tally.slowest = max(tally.slowest, clock.now - start)
            guard let archive else { return }
            switch oracle.verdict(on: mutated, read: archive.list) {
            case .same: tally.same += 1
            case .spelled: tally.spelled += 1
            case .shared: tally.shared += 1
            case .exchanged: tally.exchanged += 1
            case .wrong(let fault): Issue.record("\(plan), \(what()): \(fault)")
            }
        }
        // Generous, since the machine does other things too; a hang or a blow-up takes minutes.
        #expect(tally.slowest < .seconds(10), "\(plan)")
        // Where each UID is still somewhere, an archiver could have written it there: an object may encode its fields in
        // any order. It takes a run that is exchanged with another, to the byte.
        #expect(tally.exchanged * 1_000 < tally.refused)
        #expect(tally.refused > 0 && tally.same > 0 && tally.spelled > 0)
        plan.report("\(tally)")
        return tally
    }

    @Test("an archive becomes no other archive", arguments: MutationPlan.all(of: accounts))
    func becomesNoOther(plan: MutationPlan) throws {
        #expect(try run(plan).shared == 0)
    }

    /// That a reference leads to one shared object instead of another is to be seen by nothing: the file is the one that is
    /// written for the other graph.
    @Test(
        "a graph becomes no other, but for references between objects that are shared",
        arguments: MutationPlan.all(of: graphs)
    )
    func graphBecomesNoOther(plan: MutationPlan) throws {
        let tally = try run(plan)
        #expect(tally.shared * 100 < tally.refused)
    }
}

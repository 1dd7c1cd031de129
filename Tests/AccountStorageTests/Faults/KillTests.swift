import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// How many times to kill.
private let kills = ProcessInfo.processInfo.environment["ACCOUNTS_KILLS"].flatMap { Int($0) } ?? 0

/// `Scripts/check-kills` runs it; beside other tests it would leave nothing for those, and not begin within a second.
@Suite(
    "A process that is killed, again and again",
    .enabled(if: kills > 0, "ACCOUNTS_KILLS in the environment says how many times")
)
struct KillTests {
    @Test("has lost nothing that was acknowledged, and left no batch in part")
    func losesNothing() async throws {
        let folder = try TemporaryDirectory()
        var store = KilledStore(path: folder.path(of: "accounts.sqlite"))
        var migrations = KilledMigrations(path: folder.path(of: "migrations.sqlite"))
        var creations = KilledCreations(folder: folder.path)
        for kill in 0..<kills {
            switch kill % 4 {
            case 0: try await store.kill(Self.single, after: .milliseconds(60))
            case 1: try await store.kill(Self.many, after: .milliseconds(100))
            case 2: try await store.kill(Self.bulk, after: .milliseconds(500))
            default: try await store.kill(Self.single + Self.many + Self.bulk, after: .milliseconds(300))
            }
            // Beside the one store, a database that is migrated and stores that are made.
            if kill % 4 == 1 { try await migrations.kill(after: .milliseconds(150)) }
            if kill % 4 == 3 { try await creations.kill(after: .milliseconds(80)) }
        }
        #expect(store.saves > kills)
        #expect(migrations.version > 0)
        #expect(creations.stores > 0)
        let slowest = store.starts.max() ?? 0
        print(
            "\(kills) kills: \(store.saves) saves acknowledged; \(migrations.version) migrations; "
                + "\(creations.stores) stores made; slowest start \(slowest) ms"
        )
        #expect(slowest < 1_000, "milliseconds until a store can be used after a kill")
    }

    /// One task that saves one account at a time.
    private static let single = ["1:1"]
    /// Tasks whose saves share transactions.
    private static let many = (10..<30).map { "\($0):1" } + ["100:3"]
    /// A save of some, and one of so many that the indexes are built anew.
    private static let bulk = ["1000:500", "100000:\(50_000)"]
}

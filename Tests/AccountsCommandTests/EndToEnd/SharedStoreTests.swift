import AccountStorage
import Foundation
import SQLiteBinding
import TestSupport
import Testing

/// Something that has happened or not.
private final class Flag: Sendable {
    private let flag = Monitor(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() { flag.withLock { $0 = true } }
}

@Suite("The program beside a server")
struct SharedStoreTests {
    private static let archives = 300

    @Test("an import and a server that saves all the time both finish, and nothing of either is lost")
    func importing() async throws {
        let accounts = try Program()
        let writer = AccountArchiveWriter()
        for uid in 1...Self.archives {
            var bytes: [UInt8] = []
            try writer.append(Account(uid: Int64(uid), accessToken: "2.00token", expiresIn: 5), to: &bytes)
            try accounts.folder.write(bytes, to: "legacy/\(uid).data")
        }
        let server = try await AccountStore(path: accounts.folder.path(of: "accounts.sqlite"))
        let saved = try await withThrowingTaskGroup(of: Int.self) { group in
            let isOver = Flag()
            let importing = Task {
                defer { isOver.set() }
                return try await accounts("import", accounts.folder.path(of: "legacy"))
            }
            for task in 1...8 {
                group.addTask {
                    var saved = 0
                    // The import may be done before this begins.
                    while !isOver.isSet || saved < 20 {
                        saved += 1
                        let uid = -Int64(task * 1_000_000 + saved)
                        let outcome = try await server.save(Account(uid: uid, accessToken: "t", expiresIn: 5))
                        #expect(outcome == .inserted)
                    }
                    return saved
                }
            }
            let run = try await importing.value
            #expect(run.status == 0, "\(run.errors)")
            return try await group.reduce(0, +)
        }
        #expect(try await server.count() == saved + Self.archives)
        let imported = try await server.accounts(uids: (1...Self.archives).map { Int64($0) })
        #expect(imported.count == Self.archives && imported.allSatisfy { $0.accessToken == "2.00token" })
        #expect(try await server.check().isHealthy)
        try await server.close()
        #expect(try await accounts("check").status == 0)
    }
}

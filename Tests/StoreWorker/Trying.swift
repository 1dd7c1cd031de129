import AccountStorage
import FoundationEssentials

/// Tries what can be done with a store, each thing by itself, and says `done WHAT` or `failed WHAT CODE MESSAGE`.
enum Trying {
    static func run(path: String) async throws {
        await attempt("open") { try await AccountStore(path: path).close() }
        await attempt("save") {
            let store = try await AccountStore(path: path)
            try await store.save(Account(uid: 77, accessToken: "2.00token", expiresIn: 1))
            try await store.close()
        }
        var options = AccountStoreOptions()
        options.mode = .readOnly
        await attempt("read") { [options] in
            let store = try await AccountStore(path: path, options: options)
            _ = try await store.account(uid: 1)
            try await store.close()
        }
        await attempt("backup") { [options] in
            let store = try await AccountStore(path: path, options: options)
            try await store.backup(to: path + ".copy")
        }
    }

    private static func attempt(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            StoreWorker.say("done \(name)")
        } catch {
            StoreWorker.say("failed \(name) \(StoreWorker.code(of: error)) \(error)")
        }
    }
}

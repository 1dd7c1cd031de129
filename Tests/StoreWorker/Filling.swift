import AccountStorage
import Glibc

/// Room for a store that ends, and can be made more.
protocol Room {
    /// Makes the room end soon.
    func take() throws
    /// Makes more of it.
    func free() throws
}

/// A limit on the size of files, which the process of an app may run under.
struct FileSizeLimit: Room {
    var bytes: UInt

    func take() throws {
        // Without this the signal ends the process.
        signal(SIGXFSZ, SIG_IGN)
        try set(rlim_t(bytes))
    }

    func free() throws { try set(.max) }

    private func set(_ bytes: rlim_t) throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw SystemFailure() }
        limit.rlim_cur = min(bytes, limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw SystemFailure() }
    }
}

/// A file on a small disk that can go.
struct Ballast: Room {
    var path: String

    func take() throws {}

    func free() throws {
        guard unlink(path) == 0 else { throw SystemFailure() }
    }
}

struct SystemFailure: Error {
    var errorNumber = errno
}

/// Saves until there is no room, then makes more, and goes on with the same store.
///
/// It says `saved NUMBER` after each of the saves, which hold 100 accounts of that number, `failed CODE MESSAGE` of those that
/// fail, and `read COUNT` of what is there then.
enum Filling {
    static func run(path: String, room: some Room) async throws {
        let store = try await AccountStore(path: path)
        try room.take()
        var number: Int64 = 0
        var failures = 0
        while failures < 3 {
            if await save(number, to: store) { number += 1 } else { failures += 1 }
        }
        StoreWorker.say("read \(try await store.count())")
        try room.free()
        for _ in 0..<3 where await save(number, to: store) { number += 1 }
        StoreWorker.say("read \(try await store.count())")
        try await store.close()
        StoreWorker.say("closed")
    }

    private static func save(_ number: Int64, to store: AccountStore) async -> Bool {
        guard let range = UIDRange("\(number * 100):100") else { return false }
        do {
            try await store.save(range.accounts(number))
            StoreWorker.say("saved \(number)")
            return true
        } catch {
            StoreWorker.say("failed \(StoreWorker.code(of: error)) \(error)")
            return false
        }
    }
}

import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// A store whose files fail at will.
struct FaultyStore {
    let folder: StoreFolder
    let files: FaultyFiles

    /// Makes a store with the accounts that ``FaultedOperation/before`` has.
    init(files: FaultyFiles, bytes: [UInt8]? = nil) throws {
        self.files = files
        folder = try StoreFolder()
        if let bytes { try folder.directory.write(bytes, to: "accounts.sqlite") }
    }

    /// The bytes of such a store.
    static func bytes() async throws -> [UInt8] {
        let folder = try StoreFolder()
        let store = try await folder.open()
        try await store.save(FaultedOperation.before)
        try await store.close()
        return try [UInt8](folder.bytes())
    }

    func open() async throws -> AccountStore {
        try await folder.open {
            $0.vfs = files.vfs
            $0.readers = 2
        }
    }

    /// What the file holds, as a process sees it that has nothing to do with the fault.
    func contents() async throws -> FaultedOperation.Contents {
        let store = try await folder.open()
        let contents = try await store.contents()
        #expect(try await store.check().problems.isEmpty)
        try await store.close()
        return contents
    }
}

extension AccountStore {
    /// All accounts by their uids.
    func contents() async throws -> FaultedOperation.Contents {
        Dictionary(uniqueKeysWithValues: try await accounts().collected().map { ($0.uid, $0) })
    }
}

extension FaultPlan {
    /// What a store calls a failure for the cause.
    var code: StoreError.Code {
        switch cause {
        case .device: .unreadable
        case .fullDisk: .diskFull
        case .memory: .outOfMemory
        }
    }
}

/// Holds an error to what it has to say of a fault: the fault itself, not what followed from it.
func expect(
    _ error: any Error,
    isOf plan: FaultPlan,
    in path: String,
    _ sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let error = error as? StoreError else {
        Issue.record("not a StoreError: \(error)", sourceLocation: sourceLocation)
        return
    }
    #expect(error.code == plan.code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message.contains(path), "\(error)", sourceLocation: sourceLocation)
    if plan.cause == .device {
        #expect(error.message.contains("Input/output error"), "\(error)", sourceLocation: sourceLocation)
    }
    let consequences = ["no transaction", "SQLITE_ABORT", "SQLITE_MISUSE", "COMMIT", "ROLLBACK", "[SQL"]
    for text in consequences {
        #expect(!error.message.contains(text), "\(error)", sourceLocation: sourceLocation)
    }
}

internal import CFaultyFiles
internal import Foundation

/// Files for SQLite of which the n-th call of a kind fails.
///
/// It is a VFS of its own, which passes on to SQLite's default one what does not fail.
package final class FaultyFiles: Sendable {
    /// Kinds of calls.
    package struct Calls: OptionSet, Sendable, CaseIterable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        private init(_ kind: Int) {
            rawValue = UInt32(kind)
        }

        package static let open = Calls(FAULTY_OPEN)
        package static let delete = Calls(FAULTY_DELETE)
        package static let access = Calls(FAULTY_ACCESS)
        package static let read = Calls(FAULTY_READ)
        /// Half of what was to be written arrives.
        package static let write = Calls(FAULTY_WRITE)
        package static let truncate = Calls(FAULTY_TRUNCATE)
        package static let sync = Calls(FAULTY_SYNC)
        package static let size = Calls(FAULTY_SIZE)
        package static let lock = Calls(FAULTY_LOCK)
        package static let shmMap = Calls(FAULTY_SHM_MAP)
        package static let shmLock = Calls(FAULTY_SHM_LOCK)

        /// The kinds by their names.
        static let names: [(name: String, calls: Calls)] = [
            ("open", open), ("delete", delete), ("access", access), ("read", read), ("write", write),
            ("truncate", truncate), ("sync", sync), ("size", size), ("lock", lock), ("shmMap", shmMap),
            ("shmLock", shmLock),
        ]

        /// The kinds, one each.
        package static let allCases = names.map(\.calls)
        /// All kinds.
        package static let all = Calls(allCases)
    }

    /// Why calls fail, which decides what they report and which of them can fail for it.
    package enum Cause: Sendable, CaseIterable {
        /// The device does not do what it should.
        case device
        /// There is no room: what makes a file, or makes one longer, fails.
        case fullDisk
        /// There is no memory.
        case memory
    }

    /// The name under which SQLite knows the files.
    package let vfs: String
    nonisolated(unsafe) private let files: OpaquePointer

    struct NotRegistered: Error {}

    /// Registers files that do not fail yet. The registration stays for as long as the process.
    package init() throws {
        vfs = "faulty-\(UUID().uuidString)"
        guard let files = faulty_files_register(vfs) else { throw NotRegistered() }
        self.files = files
    }

    /// Makes the n-th of some calls fail that come from now on, counted from 1, and if the fault stays, each one after it too.
    package func arm(_ calls: Calls, _ cause: Cause, nth: Int, stays: Bool) {
        let reason =
            switch cause {
            case .device: FAULTY_DEVICE
            case .fullDisk: FAULTY_FULL_DISK
            case .memory: FAULTY_MEMORY
            }
        faulty_files_arm(files, calls.rawValue, reason, nth, stays)
    }

    /// Lets every call do its work again, and says how many have failed.
    @discardableResult
    package func disarm() -> Int { faulty_files_disarm(files) }

    /// How many calls there have been that could have failed since the files were armed.
    package var calls: Int { faulty_files_calls(files) }
}

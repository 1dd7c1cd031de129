import AccountStorage
import CStoreBaselines
import Foundation
import SQLiteBinding

/// The baseline in C: a connection to a store's file, with the settings of the library's own connections.
final class CStore {
    private let pointer: OpaquePointer

    /// Opens a store's file to write to it.
    static func writer(_ path: String) throws -> CStore { try CStore(path, cacheBytes: 16 << 20) }

    /// Opens a store's file to read it.
    static func reader(_ path: String) throws -> CStore { try CStore(path, cacheBytes: nil) }

    /// - Parameter cacheBytes: as the store has it for connections of the kind, which `StoreFile` says.
    private init(_ path: String, cacheBytes: Int?) throws {
        var settings = Self.settings(ConnectionPool.Options(), cacheBytes: cacheBytes)
        guard let opened = cs_open(path, &settings) else { throw BenchmarkError("C has no memory") }
        pointer = opened
        try check(cs_error(pointer).pointee == 0, "C cannot open \(path): \(error)")
    }

    deinit { cs_close(pointer) }

    private var error: String { String(cString: cs_error(pointer)) }

    private static func settings(_ options: ConnectionPool.Options, cacheBytes: Int?) -> cs_settings {
        let connection = options.connection
        // A frame of the log is a page and its header.
        let pages = options.checkpoints.map { Int32($0.logBytes / (4_096 + 24)) }
        return cs_settings(
            busy_timeout_ms: Int32(connection.busyTimeout / .milliseconds(1)),
            wal_autocheckpoint: pages ?? Int32(connection.walAutocheckpoint),
            cache_kib: Int32((cacheBytes ?? 0) / 1_024),
            is_full_sync: connection.synchronous == .full,
            checks_cells: connection.checksCells,
            enforces_foreign_keys: connection.foreignKeys
        )
    }

    /// Writes rows in one transaction.
    func save(_ rows: CRows) throws -> SaveCounts {
        try counted { cs_upsert_all(pointer, rows.start, rows.count, &$0) }
    }

    /// Writes rows, each in a transaction of its own.
    func saveEach(_ rows: CRows) throws -> SaveCounts {
        try counted { cs_save_each(pointer, rows.start, rows.count, &$0) }
    }

    private func counted(_ body: (inout cs_counts) -> Bool) throws -> SaveCounts {
        var counts = cs_counts()
        try check(body(&counts), "C cannot write: \(error)")
        var result = SaveCounts()
        (result.inserted, result.updated) = (counts.inserted, counts.updated)
        result.unchanged = counts.unchanged
        return result
    }

    /// Reads accounts by their uids, one after the other, and gives the sum of their digests.
    func readPoints(_ uids: [Int64], inOneTransaction: Bool) throws -> UInt64 {
        try summed { cs_read_points(pointer, uids, uids.count, inOneTransaction, &$0) }
    }

    /// Reads all accounts into memory, and gives the sum of their digests.
    func scan() throws -> UInt64 { try summed { cs_scan(pointer, &$0) } }

    /// Reads all accounts, one at a time, and gives the sum of their digests.
    func stream() throws -> UInt64 { try summed { cs_stream(pointer, &$0) } }

    /// Writes all accounts as archives into a folder that is there and empty, and gives their number.
    func exportAll(to folder: String) throws -> Int {
        var count = 0
        try check(cs_export_all(pointer, folder, &count), "C cannot export: \(error)")
        return count
    }

    /// A checksum of all that is in the accounts, their index and their schema.
    func checksum() throws -> UInt64 { try summed { cs_checksum(pointer, &$0) } }

    /// Imports the archives of a folder.
    func importFolder(_ path: String, _ decoder: CDecoder) throws -> cs_import_counts {
        var counts = cs_import_counts()
        try check(cs_import_folder(pointer, path, decoder.options, &counts), "C cannot import: \(error)")
        return counts
    }

    /// A checksum of what an import has made.
    func importChecksum() throws -> UInt64 { try summed { cs_import_checksum(pointer, &$0) } }

    /// Writes rows in transactions of so many, while each of the readers reads accounts on a thread of its own. Gives the time that
    /// the writing took, and how many accounts were read meanwhile.
    func write(
        _ rows: CRows,
        batch: Int,
        while readers: [CStore],
        read uids: [Int64]
    ) throws -> (seconds: Double, reads: Int) {
        var (seconds, reads) = (0.0, 0)
        let isDone = uids.withUnsafeBufferPointer { uids in
            var work = cs_mixed_work(
                rows: rows.start,
                row_count: rows.count,
                batch: batch,
                uids: uids.baseAddress,
                uid_count: uids.count
            )
            return cs_read_under_write(
                pointer,
                readers.map { Optional($0.pointer) },
                readers.count,
                &work,
                &seconds,
                &reads
            )
        }
        let errors = ([self] + readers).map(\.error).joined(separator: " ")
        try check(isDone, "C cannot read while it writes: \(errors)")
        return (seconds, reads)
    }

    private func summed(_ body: (inout UInt64) -> Bool) throws -> UInt64 {
        var sum: UInt64 = 0
        try check(body(&sum), "C cannot read: \(error)")
        return sum
    }
}

/// Accounts as the baseline in C binds them.
final class CRows {
    private let rows: UnsafeMutableBufferPointer<cs_row>
    private let texts: UnsafeMutableRawPointer
    private static let noExtras = Array("{}".utf8)

    /// Copies the accounts, which must have no extras.
    init(_ accounts: [Account]) throws {
        try check(accounts.allSatisfy { $0.extras.isEmpty }, "the baseline in C has no JSON for extras")
        let size = accounts.reduce(Self.noExtras.count) { $0 + ($1.accessToken?.utf8.count ?? 0) }
        texts = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
        texts.copyMemory(from: Self.noExtras, byteCount: Self.noExtras.count)
        rows = UnsafeMutableBufferPointer.allocate(capacity: accounts.count)
        var end = texts + Self.noExtras.count
        for (index, account) in accounts.enumerated() {
            var row = cs_row()
            row.uid = account.uid
            row.expires_in = account.expiresIn
            row.remind_in = account.remindIn
            row.extras = UnsafePointer(texts.assumingMemoryBound(to: CChar.self))
            row.extras_size = Self.noExtras.count
            if let obtained = account.obtainedAt, let expires = account.expiresAt {
                row.has_times = true
                row.obtained_at = Int64(obtained.timeIntervalSince1970)
                row.expires_at = Int64(expires.timeIntervalSince1970)
            }
            if let token = account.accessToken {
                let bytes = Array(token.utf8)
                end.copyMemory(from: bytes, byteCount: bytes.count)
                row.token = UnsafePointer(end.assumingMemoryBound(to: CChar.self))
                row.token_size = bytes.count
                end += bytes.count
            }
            rows.initializeElement(at: index, to: row)
        }
    }

    deinit {
        rows.deallocate()
        texts.deallocate()
    }

    var start: UnsafePointer<cs_row>? { UnsafePointer(rows.baseAddress) }
    var count: Int { rows.count }
}

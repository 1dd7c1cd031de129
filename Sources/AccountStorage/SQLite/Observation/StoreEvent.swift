/// Something that happened in a store and that whoever runs it may want to know.
///
/// No event has a token in it, nor anything else of an account.
public enum StoreEvent: Sendable, Hashable {
    /// What was done with the store.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Something was read.
        case read
        /// Something was written.
        case write
    }

    /// How much it matters.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// It is as it should be.
        case debug
        /// It does not happen every day.
        case info
        /// Somebody should know.
        case warning
        /// Somebody should do something.
        case error
    }

    /// A statement took longer than ``StoreObserver/slowStatement``. The SQL has `?` for each value.
    case slowStatement(sql: String, duration: Duration)
    /// Something that was done in one transaction took longer than ``StoreObserver/slowTransaction``.
    case slowTransaction(Access, duration: Duration)
    /// A read or a write waited longer for its turn than ``StoreObserver/longWait``.
    case longWait(Access, duration: Duration)
    /// Writes found the file locked by another process, so many times, and waited so long in all.
    case lockWait(count: Int, duration: Duration)
    /// The write-ahead log grows, since somebody has been reading for so long.
    ///
    /// - Parameters:
    ///   - bytes: how long the log is. It is told from 64 MiB on, and again whenever it has doubled.
    ///   - oldestReader: how long the read of this store takes already that began first; nil if there is none, and another
    ///     process is in the way.
    case logGrowth(bytes: Int64, oldestReader: Duration?)
    /// A log of so many bytes was copied into the file: all of it, or what those who read did not need.
    case checkpoint(logBytes: Int64, duration: Duration, isComplete: Bool)
    /// The log could not be copied, of a full disk for example. What is in it is safe there, and it is tried again.
    case checkpointFailed(StoreError)
    /// The file is damaged.
    case corruption(StoreError)
    /// A connection had become unusable and was opened again.
    case reopened(Access)
    /// A step of the schema was applied.
    case migrated(SchemaPlan.Step)
}

extension StoreEvent {
    /// How much it matters.
    public var level: Level {
        switch self {
        case .checkpoint: .debug
        case .lockWait, .migrated: .info
        case .slowStatement, .slowTransaction, .longWait, .logGrowth, .reopened: .warning
        case .checkpointFailed, .corruption: .error
        }
    }
}

extension StoreEvent: CustomStringConvertible {
    /// What happened, on one line.
    public var description: String {
        switch self {
        case .slowStatement(let sql, let duration):
            "a statement took \(duration): \(sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
        case .slowTransaction(let access, let duration): "a \(access) took \(duration)"
        case .longWait(let access, let duration): "a \(access) waited \(duration) for its turn"
        case .lockWait(let count, let duration):
            "the file was locked by another process \(count == 1 ? "once" : "\(count) times"), for \(duration) in all"
        case .logGrowth(let bytes, let oldestReader):
            "the write-ahead log has \(bytes) bytes and cannot begin anew: "
                + (oldestReader.map { "a read has been going on for \($0)" } ?? "another process reads")
        case .checkpoint(let logBytes, let duration, let isComplete):
            "\(isComplete ? "all" : "a part") of \(logBytes) bytes of log was copied in \(duration)"
        case .checkpointFailed(let error): "the write-ahead log could not be copied: \(error)"
        case .corruption(let error): "\(error)"
        case .reopened(let access): "the connection for a \(access) was unusable and has been opened again"
        case .migrated(let step): "step \(step.version) of the schema, \(step.name), was applied"
        }
    }
}

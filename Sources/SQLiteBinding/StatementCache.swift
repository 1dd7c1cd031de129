/// Compiled statements by their SQL, at most as many as its capacity; the one that was used longest ago goes first.
package final class StatementCache {
    /// A statement of the cache, or one that is compiled for a single use because the cache's own is lent out.
    package final class Entry {
        let sql: String
        package let statement: Statement
        fileprivate var isLent = true
        fileprivate var lastUse = 0

        fileprivate init(sql: String, statement: Statement) {
            self.sql = sql
            self.statement = statement
        }
    }

    let capacity: Int
    private(set) var hits = 0
    private(set) var misses = 0
    private let handle: DatabaseHandle
    private var entries: [String: Entry] = [:]
    /// The entry that was lent last, which is found without hashing.
    private var latest: Entry?
    private var clock = 0

    init(handle: DatabaseHandle, capacity: Int) {
        self.handle = handle
        self.capacity = max(0, capacity)
    }

    var count: Int { entries.count }

    /// Lends the statement for `sql`; every loan ends with ``giveBack(_:)``.
    func borrow(_ sql: String) throws(SQLiteError) -> Entry {
        clock &+= 1
        if let entry = find(sql), !entry.isLent {
            hits &+= 1
            entry.isLent = true
            entry.lastUse = clock
            latest = entry
            return entry
        }
        misses &+= 1
        let entry = Entry(sql: sql, statement: try Statement(sql: sql, handle: handle))
        entry.lastUse = clock
        if capacity > 0, entries[sql] == nil {
            entries[sql] = entry
            latest = entry
        }
        return entry
    }

    /// Takes a statement back, without the bindings and the position that its user left.
    func giveBack(_ entry: Entry) {
        entry.statement.restore()
        entry.isLent = false
        if entries.count > capacity { evict() }
    }

    /// Lets go of every statement that is not lent; the others go when they are given back.
    func removeAll() {
        entries.removeAll()
        latest = nil
    }

    private func find(_ sql: String) -> Entry? {
        if let latest, latest.sql == sql { return latest }
        return entries[sql]
    }

    private func evict() {
        while entries.count > capacity,
            let oldest = entries.values.lazy.filter({ !$0.isLent }).min(by: { $0.lastUse < $1.lastUse })
        {
            entries[oldest.sql] = nil
            if latest === oldest { latest = nil }
        }
    }
}

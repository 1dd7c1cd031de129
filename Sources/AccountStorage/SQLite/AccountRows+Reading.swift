internal import SQLiteBinding

extension AccountRows {
    /// The account of a user, or nil, through the statement ``selectOne``, which is reset then.
    static func account(uid: Int64, _ statement: Statement) throws -> Account? {
        try statement.bind(uid, at: 1)
        defer { statement.reset() }
        return try statement.step() ? try decoder.decode(statement.row) : nil
    }

    /// The account of a user, or nil.
    static func account(uid: Int64, _ connection: Connection) throws -> Account? {
        let entry = try connection.borrow(selectOne)
        defer { connection.giveBack(entry) }
        return try account(uid: uid, entry.statement)
    }

    /// Calls a closure with each account, in ascending order of the uids.
    static func forEach(_ connection: Connection, _ body: (Account) throws -> Void) throws {
        let decoder = decoder
        try connection.visit(visitAll) { row in
            try body(try decoder.decode(row))
            return true
        }
    }

    /// All accounts, in ascending order of their uids.
    static func accounts(_ connection: Connection) throws -> [Account] {
        var accounts: [Account] = []
        accounts.reserveCapacity(try estimatedCount(connection))
        let decoder = decoder
        try connection.visit(visitAll) { row in
            accounts.append(try decoder.decode(row))
            return true
        }
        return accounts
    }

    /// How many accounts there are.
    static func count(_ connection: Connection) throws -> Int {
        try connection.withStatement("SELECT count(*) FROM accounts") { statement in
            try statement.step() ? Int(clamping: statement.int64(at: 0)) : 0
        }
    }

    /// About how many accounts there are, from the size of the database; to make room, without counting them.
    private static func estimatedCount(_ connection: Connection) throws -> Int {
        try connection.withStatement(
            "SELECT page_count * page_size / 96 FROM pragma_page_count, pragma_page_size"
        ) { statement in
            try statement.step() ? Int(clamping: statement.int64(at: 0)) : 0
        }
    }
}

/// A failure that SQLite reported, or a use of this library that SQLite would not survive.
///
/// Values that were bound to a statement are never part of it.
public struct SQLiteError: Error, Sendable, Hashable {
    /// What kind of failure it is; an extended code where SQLite has one.
    public var code: ResultCode
    /// What SQLite says about it.
    public var message: String
    /// The statement that failed, if one did.
    public var sql: String?
    /// Where in ``sql`` the fault is, in bytes of UTF-8 from its start, if SQLite can tell.
    public var offset: Int?
    /// The database's path; empty for one that is not in a file.
    public var path: String
    /// What can be done about it, or why it happened.
    public var hint: String?
    /// How long the connection waited for a lock before it gave up.
    public var waited: Duration?
    /// Which statement of a script failed.
    public var position: ScriptPosition?

    /// Makes an error.
    public init(
        code: ResultCode,
        message: String,
        sql: String? = nil,
        offset: Int? = nil,
        path: String = "",
        hint: String? = nil,
        waited: Duration? = nil,
        position: ScriptPosition? = nil
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.offset = offset
        self.path = path
        self.hint = hint
        self.waited = waited
        self.position = position
    }
}

extension SQLiteError: CustomStringConvertible {
    /// One line: what happened, in which database and statement, and what can be done.
    public var description: String {
        var text = "\(message) (\(code.name))"
        if !path.isEmpty { text += " in \(path.oneLine(limit: 1_000))" }
        if let position { text += ", statement \(position.statement) at line \(position.line)" }
        if let hint { text += ": \(hint)" }
        if let sql {
            text += " [SQL: \(sql.oneLine(limit: 300))]"
            if let offset { text += " at byte \(offset) of it" }
        }
        return text
    }
}

extension String {
    /// The text with every run of white space made one space, cut after `limit` characters.
    func oneLine(limit: Int) -> String {
        var line = ""
        var count = 0
        var gap = false
        for character in self {
            if character.isWhitespace || character == "\0" {
                gap = !line.isEmpty
                continue
            }
            if count >= limit { return line + "…" }
            if gap { line.append(" ") }
            gap = false
            line.append(character)
            count += 1
        }
        return line
    }
}

extension Duration {
    /// The duration in seconds with up to three decimals, such as `0.25 s`.
    var inSeconds: String {
        let milliseconds = self / .milliseconds(1)
        let rounded = (milliseconds.isFinite ? milliseconds : 0).rounded() / 1_000
        return rounded == rounded.rounded() ? "\(Int64(clamping: components.seconds)) s" : "\(rounded) s"
    }
}

/// Where a statement of a script stands.
public struct ScriptPosition: Sendable, Hashable {
    /// Which statement it is, from 1.
    public var statement: Int
    /// The line that it begins on, from 1; for a fault inside of it that SQLite can place, the fault's line.
    public var line: Int
    /// How many bytes of UTF-8 precede that place.
    public var byteOffset: Int

    /// Makes a position.
    public init(statement: Int, line: Int, byteOffset: Int) {
        self.statement = statement
        self.line = line
        self.byteOffset = byteOffset
    }
}

/// The statements of a script, compiled one after the other, so that each can use what those before it have made.
///
/// ```swift
/// var script = connection.statements(of: text)
/// while let (statement, position) = try script.next() {
///     try statement.run()
/// }
/// ```
public struct ScriptStatements {
    private let handle: DatabaseHandle
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var number = 0

    init(script: String, handle: DatabaseHandle) {
        self.handle = handle
        // SQLite copies a text that does not end in NUL, all the rest of it for each statement.
        bytes = Array(script.utf8) + [0]
    }

    private var end: Int { bytes.count - 1 }

    /// Compiles the next statement.
    ///
    /// - Returns: The statement and where it begins; nil after the last one.
    /// - Throws: An error with its ``SQLiteError/position`` if the SQL is wrong or incomplete. Statements that came
    ///   before have been compiled, and run if the caller ran them.
    public mutating func next() throws(SQLiteError) -> (statement: Statement, position: ScriptPosition)? {
        let start = try skipToStatement()
        guard start < end else { return nil }
        number += 1
        let position = ScriptPosition(statement: number, line: line, byteOffset: start)
        let compiled: (statement: Statement?, consumed: Int)
        do throws(SQLiteError) {
            compiled = try Statement.compile(bytes[start...], handle: handle, flags: 0)
        } catch {
            throw place(error, in: position)
        }
        guard let statement = compiled.statement, compiled.consumed > 0 else {
            throw fault("there is no statement here", at: position)
        }
        advance(to: start + compiled.consumed)
        return (statement, position)
    }

    /// An error that running a statement gave, with the statement's position, on the line of the fault if that is known.
    public func place(_ error: SQLiteError, in position: ScriptPosition) -> SQLiteError {
        var placed = error
        var position = position
        if let offset = error.offset, offset > 0, offset < end - position.byteOffset {
            let place = position.byteOffset + offset
            position.line += bytes[position.byteOffset..<place].count { $0 == UInt8(ascii: "\n") }
            position.byteOffset = place
        }
        placed.position = position
        return placed
    }

    private mutating func skipToStatement() throws(SQLiteError) -> Int {
        let blank = SQLText.skipBlank(bytes[..<end], from: offset)
        advance(to: blank.end)
        if let comment = blank.unclosedComment {
            let position = ScriptPosition(
                statement: number + 1,
                line: line - bytes[comment..<blank.end].count { $0 == UInt8(ascii: "\n") },
                byteOffset: comment
            )
            throw fault("the comment that begins here is never closed", at: position)
        }
        if offset < end, bytes[offset] == 0 {
            throw fault(
                "the script has a NUL character here",
                at: ScriptPosition(statement: number + 1, line: line, byteOffset: offset)
            )
        }
        return offset
    }

    private mutating func advance(to place: Int) {
        line += bytes[offset..<place].count { $0 == UInt8(ascii: "\n") }
        offset = place
    }

    private func fault(_ message: String, at position: ScriptPosition) -> SQLiteError {
        SQLiteError(code: .error, message: message, path: handle.path, position: position)
    }
}

@available(*, unavailable)
extension ScriptStatements: Sendable {}

extension Connection {
    /// The statements of a script, to be compiled and run one by one.
    public func statements(of script: String) -> ScriptStatements {
        ScriptStatements(script: script, handle: handle)
    }

    /// Runs the statements of a script in order, passing over any rows that they give.
    ///
    /// - Throws: An error whose ``SQLiteError/position`` tells which statement failed. Those before it have run; call
    ///   this in a ``transaction(_:_:)`` to have all or nothing.
    public func execute(_ script: String) throws(SQLiteError) {
        var statements = statements(of: script)
        while let (statement, position) = try statements.next() {
            do throws(SQLiteError) {
                try statement.run()
            } catch {
                throw statements.place(error, in: position)
            }
        }
    }
}

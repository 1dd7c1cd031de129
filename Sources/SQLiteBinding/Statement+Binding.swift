internal import CSystemSQLite

// Text and blobs are copied by SQLite, so that they may change or go right after a call. A statement that has been
// stepped has to be reset before it takes other values.
extension Statement {
    /// How many parameters the statement has: the highest index that may be bound.
    public var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(pointer)) }

    /// Binds an integer to the parameter at `index`, which counts from 1.
    public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
        let code = unsafe sqlite3_bind_int64(pointer, Int32(clamping: index), value)
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds an integer to the parameter at `index`, which counts from 1.
    public func bind(_ value: Int, at index: Int) throws(SQLiteError) {
        try bind(Int64(value), at: index)
    }

    /// Binds an integer that has to fit `Int64`, which is all that SQLite stores.
    public func bind(_ value: UInt64, at index: Int) throws(SQLiteError) {
        guard let value = Int64(exactly: value) else {
            throw SQLiteError(
                code: .mismatch,
                message: "the unsigned integer for \(parameterDescription(index)) is above \(Int64.max), "
                    + "the largest that SQLite stores",
                sql: sql,
                path: handle.path,
                hint: "store it as text if its whole range is needed"
            )
        }
        try bind(value, at: index)
    }

    /// Binds a floating-point number to the parameter at `index`; not a number becomes NULL, as SQLite has it.
    public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
        let code = unsafe sqlite3_bind_double(pointer, Int32(clamping: index), value)
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds all of a text to the parameter at `index`, a NUL inside of it too.
    public func bind(_ value: String, at index: Int) throws(SQLiteError) {
        var value = value
        let code = value.withUTF8 { bytes in
            unsafe csystemsqlite_bind_text(
                pointer,
                Int32(clamping: index),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds bytes as text to the parameter at `index`. They have to be UTF-8, which is not checked.
    public func bind(utf8 bytes: RawSpan, at index: Int) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csystemsqlite_bind_text(
                pointer,
                Int32(clamping: index),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds a blob to the parameter at `index`; an empty one is neither NULL nor an empty text.
    public func bind(_ value: [UInt8], at index: Int) throws(SQLiteError) {
        try unsafe bind(blob: value.span.bytes, at: index)
    }

    /// Binds bytes as a blob to the parameter at `index`; no bytes are an empty blob, not NULL.
    public func bind(blob bytes: RawSpan, at index: Int) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csystemsqlite_bind_blob(
                pointer,
                Int32(clamping: index),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds NULL to the parameter at `index`.
    public func bindNull(at index: Int) throws(SQLiteError) {
        let code = unsafe sqlite3_bind_null(pointer, Int32(clamping: index))
        if code != SQLITE_OK { throw failedBind(code, index) }
    }

    /// Binds an integer, or NULL for nil, to the parameter at `index`.
    public func bind(_ value: Int64?, at index: Int) throws(SQLiteError) {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    /// Binds a floating-point number, or NULL for nil, to the parameter at `index`.
    public func bind(_ value: Double?, at index: Int) throws(SQLiteError) {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    /// Binds a text, or NULL for nil, to the parameter at `index`.
    public func bind(_ value: String?, at index: Int) throws(SQLiteError) {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    /// Binds a blob, or NULL for nil, to the parameter at `index`.
    public func bind(_ value: [UInt8]?, at index: Int) throws(SQLiteError) {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    /// Binds a value of any type to the parameter at `index`.
    public func bind(_ value: SQLValue, at index: Int) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try bind(value, at: index)
        case .text(let value): try bind(value, at: index)
        case .blob(let value): try bind(value, at: index)
        }
    }

    /// Binds all parameters in order.
    ///
    /// - Throws: If there are more or fewer values than parameters.
    public func bind(_ values: [SQLValue]) throws(SQLiteError) {
        guard values.count == parameterCount else {
            throw SQLiteError(
                code: .range,
                message: "the statement has \(parameterCount) parameters but \(values.count) values were given",
                sql: sql,
                path: handle.path
            )
        }
        for (position, value) in values.enumerated() { try bind(value, at: position + 1) }
    }
}

extension Statement {
    /// The index of a named parameter, for binding to it many times.
    ///
    /// - Parameter name: The name as the SQL has it, such as `:uid`, or without its first character.
    /// - Throws: If there is no such parameter.
    public func parameterIndex(named name: String) throws(SQLiteError) -> Int {
        if !name.utf8.contains(0) {
            for prefix in ["", ":", "@", "$"] {
                let index = unsafe sqlite3_bind_parameter_index(pointer, prefix + name)
                if index > 0 { return Int(index) }
            }
        }
        let names = (0..<parameterCount).compactMap { parameterName(at: $0 + 1) }
        throw SQLiteError(
            code: .range,
            message: "the statement has no parameter named \(name)",
            sql: sql,
            path: handle.path,
            hint: names.isEmpty ? "its parameters have no names" : "it has \(names.joined(separator: ", "))"
        )
    }

    /// The name of the parameter at `index` with its first character, such as `:uid`; nil if it has none.
    public func parameterName(at index: Int) -> String? {
        guard let name = unsafe sqlite3_bind_parameter_name(pointer, Int32(clamping: index)) else { return nil }
        return unsafe String(cString: name)
    }

    /// Binds a value to a named parameter.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name as the SQL has it, such as `:uid`, or without its first character.
    public func bind(_ value: SQLValue, named name: String) throws(SQLiteError) {
        try bind(value, at: try parameterIndex(named: name))
    }

    private func parameterDescription(_ index: Int) -> String {
        guard let name = parameterName(at: index) else { return "parameter \(index)" }
        return "parameter \(index) (\(name))"
    }

    @inline(never)
    private func failedBind(_ code: Int32, _ index: Int) -> SQLiteError {
        var error = failure(code)
        switch error.code.primary {
        case .range:
            error.message = "the statement has no parameter \(index); it has \(parameterCount), counted from 1"
        case .misuse:
            error.message = "a value cannot be bound to \(parameterDescription(index)) while the statement runs"
            error.hint = "reset it first"
        case .tooBig:
            error.message = "the value for \(parameterDescription(index)) is longer than SQLite allows"
        default: break
        }
        return error
    }
}

internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

/// Makes models from the rows of one kind of statement, whose columns it has found once.
///
/// Where each property is in a model's memory was found once too, so that a million rows are read without a call for each property.
struct RowDecoder<Model: KeyValueCodable>: Sendable {
    /// What is done with a column.
    private struct Field: Sendable {
        /// What the property is, if it is stored in the model.
        enum Kind: Sendable { case integer, text, optionalText, optionalDate, other }

        var column: Int
        var kind: Kind
        /// Where the property is in the model's memory, in bytes.
        var offset: Int
        var property: Property<Model>

        init(_ property: Property<Model>, column: Int) {
            self.column = column
            self.property = property
            offset = property.offset ?? 0
            kind =
                switch property.accessor {
                case _ where property.offset == nil: .other
                case .integer: .integer
                case .text: .text
                case .optionalText: .optionalText
                case .optionalDate: .optionalDate
                case .value: .other
                }
        }
    }

    private let table: String
    private let fields: [Field]
    private let extras: (column: Int, table: PropertyTable<Model>.Extras)?
    private let keyColumn: Int?

    /// Finds the columns.
    ///
    /// - Parameter columns: the names of the statement's columns, in order.
    /// - Throws: if the statement lacks a column of the model's.
    init(_ mapping: RowMapping<Model>, columns: [String]) throws(RowError) {
        table = mapping.table
        var fields: [Field] = []
        for property in Model.properties.properties {
            guard let column = columns.firstIndex(of: property.key) else {
                throw RowError(table: mapping.table, key: nil, column: property.key, reason: "it is not selected")
            }
            fields.append(Field(property, column: column))
        }
        self.fields = fields
        keyColumn = columns.firstIndex(of: mapping.key)
        guard let table = Model.properties.extras, let name = mapping.extrasColumn else {
            extras = nil
            return
        }
        guard let column = columns.firstIndex(of: name) else {
            throw RowError(table: mapping.table, key: nil, column: name, reason: "it is not selected")
        }
        extras = (column, table)
    }

    /// The decoder for the columns that a mapping itself lists, which are all there.
    init(_ mapping: RowMapping<Model>) {
        table = mapping.table
        fields = Model.properties.properties.enumerated().map { Field($1, column: $0) }
        keyColumn = mapping.columns.firstIndex(of: mapping.key)
        if let table = Model.properties.extras { extras = (mapping.columns.count - 1, table) } else { extras = nil }
    }

    /// Makes a model from the row that a statement is on.
    ///
    /// - Throws: if a column holds what its property cannot be; the error shows nothing of the value.
    func decode(_ statement: Statement) throws(RowError) -> Model {
        var model = Model()
        try unsafe withUnsafeMutablePointer(to: &model) { (model) throws(RowError) in
            for index in fields.indices { try unsafe set(index, in: model, from: statement) }
        }
        if let extras { try set(extras.table, at: extras.column, in: &model, from: statement) }
        return model
    }

    private func set(
        _ index: Int,
        in model: UnsafeMutablePointer<Model>,
        from statement: Statement
    ) throws(RowError) {
        let (kind, column) = (fields[index].kind, fields[index].column)
        let place = unsafe UnsafeMutableRawPointer(model) + fields[index].offset
        switch kind {
        case .integer where statement.type(at: column) == .integer:
            unsafe place.assumingMemoryBound(to: Int64.self).pointee = statement.int64(at: column)
        case .text:
            unsafe place.assumingMemoryBound(to: String.self).pointee = try text(index, statement)
        case .optionalText:
            let text = statement.isNull(at: column) ? nil : try text(index, statement)
            unsafe place.assumingMemoryBound(to: String?.self).pointee = text
        case .optionalDate:
            let date = try date(index, statement)
            unsafe place.assumingMemoryBound(to: Date?.self).pointee = date
        case .integer, .other:
            try unsafe setConverted(fields[index], in: &model.pointee, from: statement)
        }
    }

    private func date(_ index: Int, _ statement: Statement) throws(RowError) -> Date? {
        let column = fields[index].column
        switch statement.type(at: column) {
        case .null: return nil
        case .integer: return Timestamp.date(unixSeconds: statement.int64(at: column))
        default: throw failure(fields[index], statement, expected: "whole Unix seconds or NULL")
        }
    }

    private func text(_ index: Int, _ statement: Statement) throws(RowError) -> String {
        if let text = statement.ascii(at: fields[index].column) { return text }
        return try text(fields[index], statement)
    }

    private func text(_ field: Field, _ statement: Statement) throws(RowError) -> String {
        do throws(ColumnError) {
            return try statement.read(String.self, at: field.column)
        } catch {
            let isDamaged = error.reason == .invalidUTF8
            throw failure(field, statement, expected: "text", found: isDamaged ? "bytes that are not UTF-8" : nil)
        }
    }

    /// Sets a property of a type that has no storage class of its own, or an integer that is kept as text.
    private func setConverted(_ field: Field, in model: inout Model, from statement: Statement) throws(RowError) {
        let value: Value
        switch statement.type(at: field.column) {
        case .null: value = .null
        case .integer: value = .integer(statement.int64(at: field.column))
        case .real: value = .real(statement.double(at: field.column))
        case .text: value = .text(try text(field, statement))
        case .blob: value = .data(statement.blob(at: field.column) ?? [])
        }
        do throws(MappingError) {
            try field.property.set(value, in: &model)
        } catch {
            // SQLite has neither truth values nor times, and a property says only by refusing that it is one of these.
            if case .integer(let integer) = value {
                if integer == 0 || integer == 1,
                    (try? field.property.set(.bool(integer == 1), in: &model)) != nil
                {
                    return
                }
                let date = Timestamp.date(unixSeconds: integer)
                if error.code == .typeMismatch, (try? field.property.set(.date(date), in: &model)) != nil { return }
            }
            throw failure(field, statement, expected: error.expected)
        }
    }

    private func set(
        _ extras: PropertyTable<Model>.Extras,
        at column: Int,
        in model: inout Model,
        from statement: Statement
    ) throws(RowError) {
        let result = statement.withBytes(at: column) { bytes -> Result<Value, JSONError>? in
            unsafe bytes.withUnsafeBytes { bytes in
                if bytes.count == 2, unsafe bytes[0] == UInt8(ascii: "{"), unsafe bytes[1] == UInt8(ascii: "}") {
                    return nil
                }
                return Result { () throws(JSONError) in
                    unsafe try Value(json: bytes, dialect: .tagged, limits: RowLimits.json)
                }
            }
        }
        switch result {
        case nil: return
        case .success(.dictionary(let values))?: extras.set(&model, values)
        case .success(let value)?: throw failure(column, statement, "expected a JSON object, found \(value.kind)")
        case .failure(let error)?: throw failure(column, statement, "expected a JSON object: \(error)")
        }
    }

    private func failure(
        _ field: Field,
        _ statement: Statement,
        expected: String,
        found: String? = nil
    ) -> RowError {
        let type = statement.type(at: field.column)
        let found = found ?? (type == .null ? "NULL" : type.rawValue)
        return failure(field.column, statement, "expected \(expected), found \(found)")
    }

    private func failure(_ column: Int, _ statement: Statement, _ reason: String) -> RowError {
        var key: Int64?
        if let keyColumn, statement.type(at: keyColumn) == .integer { key = statement.int64(at: keyColumn) }
        return RowError(table: table, key: key, column: statement.columnName(at: column) ?? "?", reason: reason)
    }
}

internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

/// Makes models from the rows of one kind of statement, whose columns it has found once.
///
/// Where each property is in a model's memory was found once too, so that a million rows are read without a call for each property.
struct RowDecoder<Model: KeyValueCodable>: Sendable {
    /// What is done with a column.
    private struct Field: BitwiseCopyable, Sendable {
        /// What the property is, if it is stored in the model.
        enum Kind: Sendable { case integer, text, optionalText, optionalDate, other }

        var column: Int
        var kind: Kind
        /// Where the property is in the model's memory, in bytes.
        var offset: Int
        /// Which of the model's properties it is.
        var index: Int

        init(_ index: Int, column: Int) {
            let property = Model.properties[index]
            self.column = column
            self.index = index
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
    /// What every model begins as.
    private let blank = Model()
    private let fields: [Field]
    /// Where the column for the keys that the model lacks is; nil for a model that has no place for them.
    private let extrasColumn: Int?
    private let keyColumn: Int?
    private let columnNames: [String]

    /// Finds the columns.
    ///
    /// - Parameter columns: the names of the statement's columns, in order.
    /// - Throws: if the statement lacks a column of the model's.
    init(_ mapping: RowMapping<Model>, columns: [String]) throws(RowError) {
        table = mapping.table
        var fields: [Field] = []
        for (index, property) in Model.properties.properties.enumerated() {
            guard let column = columns.firstIndex(of: property.key) else {
                throw RowError(table: mapping.table, key: nil, column: property.key, reason: "it is not selected")
            }
            fields.append(Field(index, column: column))
        }
        self.fields = fields
        keyColumn = columns.firstIndex(of: mapping.key)
        columnNames = columns
        guard let name = mapping.extrasColumn else {
            extrasColumn = nil
            return
        }
        guard let column = columns.firstIndex(of: name) else {
            throw RowError(table: mapping.table, key: nil, column: name, reason: "it is not selected")
        }
        extrasColumn = column
    }

    /// The decoder for the columns that a mapping lists to be read, which are all there.
    init(_ mapping: RowMapping<Model>) {
        table = mapping.table
        fields = Model.properties.properties.indices.map { Field($0, column: $0) }
        keyColumn = mapping.readColumns.firstIndex(of: mapping.key)
        columnNames = mapping.readColumns
        extrasColumn = mapping.extrasColumn == nil ? nil : mapping.readColumns.count - 1
    }

    /// Makes a model from a row.
    ///
    /// - Throws: if a column holds what its property cannot be; the error shows nothing of the value.
    @inline(__always)
    func decode(_ row: Row) throws(RowError) -> Model {
        // In memory of its own, out of which it is moved: a variable would be copied and released again.
        try unsafe withUnsafeTemporaryAllocation(of: Model.self, capacity: 1) { (memory) throws(RowError) in
            let model = unsafe memory.baseAddress.unsafelyUnwrapped
            unsafe model.initialize(to: blank)
            do throws(RowError) {
                for field in fields { try unsafe set(field, in: model, from: row) }
                if let extrasColumn { try unsafe setExtras(at: extrasColumn, in: model, from: row) }
            } catch {
                unsafe model.deinitialize(count: 1)
                throw error
            }
            return unsafe model.move()
        }
    }

    @inline(__always)
    private func set(
        _ field: Field,
        in model: UnsafeMutablePointer<Model>,
        from row: Row
    ) throws(RowError) {
        let place = unsafe UnsafeMutableRawPointer(model) + field.offset
        switch field.kind {
        case .integer:
            guard let integer = row.integer(at: field.column) else { fallthrough }
            unsafe place.assumingMemoryBound(to: Int64.self).pointee = integer
        case .other:
            try unsafe setConverted(field, in: &model.pointee, from: row)
        case .text:
            unsafe place.assumingMemoryBound(to: String.self).pointee = try text(field, row)
        case .optionalText:
            unsafe place.assumingMemoryBound(to: String?.self).pointee = try optionalText(field, row)
        case .optionalDate:
            unsafe place.assumingMemoryBound(to: Date?.self).pointee = try date(field, row)
        }
    }

    private func date(_ field: Field, _ row: Row) throws(RowError) -> Date? {
        if let seconds = row.integer(at: field.column) { return Timestamp.date(unixSeconds: seconds) }
        if row.isNull(at: field.column) { return nil }
        throw failure(field, row, expected: "whole Unix seconds or NULL")
    }

    @inline(__always)
    private func text(_ field: Field, _ row: Row) throws(RowError) -> String {
        if let text = row.ascii(at: field.column) { return text }
        return try anyText(field, row)
    }

    @inline(__always)
    private func optionalText(_ field: Field, _ row: Row) throws(RowError) -> String? {
        if let text = row.ascii(at: field.column) { return text }
        return row.isNull(at: field.column) ? nil : try anyText(field, row)
    }

    @inline(never)
    private func anyText(_ field: Field, _ row: Row) throws(RowError) -> String {
        guard row.type(at: field.column) == .text else { throw failure(field, row, expected: "text") }
        let text = row.withBytes(at: field.column) { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        }
        if let text { return text }
        throw failure(field, row, expected: "text", found: "bytes that are not UTF-8")
    }

    /// Sets a property of a type that has no storage class of its own, or an integer that is kept as text.
    @inline(never)
    private func setConverted(_ field: Field, in model: inout Model, from row: Row) throws(RowError) {
        let value: Value
        switch row.type(at: field.column) {
        case .null: value = .null
        case .integer: value = .integer(row.integer(at: field.column) ?? 0)
        case .real: value = .real(row.real(at: field.column) ?? 0)
        case .text: value = .text(try anyText(field, row))
        case .blob:
            value = .data(
                row.withBytes(at: field.column) { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
            )
        }
        let property = Model.properties[field.index]
        do throws(MappingError) {
            try property.set(value, in: &model)
        } catch {
            // SQLite has neither truth values nor times, and a property says only by refusing that it is one of these.
            if case .integer(let integer) = value {
                if integer == 0 || integer == 1,
                    (try? property.set(.bool(integer == 1), in: &model)) != nil
                {
                    return
                }
                let date = Timestamp.date(unixSeconds: integer)
                if error.code == .typeMismatch, (try? property.set(.date(date), in: &model)) != nil { return }
            }
            throw failure(field, row, expected: error.expected)
        }
    }

    @inline(__always)
    private func setExtras(at column: Int, in model: UnsafeMutablePointer<Model>, from row: Row) throws(RowError) {
        let isEmpty = row.withBytes(at: column) { bytes in
            guard bytes.byteCount == 2 else { return false }
            return unsafe bytes.unsafeLoadUnaligned(as: UInt16.self).littleEndian == 0x7D7B  // "{}"
        }
        if !isEmpty { try unsafe setExtras(at: column, in: &model.pointee, from: row) }
    }

    @inline(never)
    private func setExtras(at column: Int, in model: inout Model, from row: Row) throws(RowError) {
        let result = row.withBytes(at: column) { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                Result { () throws(JSONError) in
                    unsafe try Value(json: bytes, dialect: .tagged, limits: RowLimits.json)
                }
            }
        }
        switch result {
        case .success(.dictionary(let values)): Model.properties.extras?.set(&model, values)
        case .success(let value): throw failure(column, row, "expected a JSON object, found \(value.kind)")
        case .failure(let error): throw failure(column, row, "expected a JSON object: \(error)")
        }
    }

    private func failure(
        _ field: Field,
        _ row: Row,
        expected: String,
        found: String? = nil
    ) -> RowError {
        let type = row.type(at: field.column)
        let found = found ?? (type == .null ? "NULL" : type.rawValue)
        return failure(field.column, row, "expected \(expected), found \(found)")
    }

    private func failure(_ column: Int, _ row: Row, _ reason: String) -> RowError {
        let key = keyColumn.flatMap { row.integer(at: $0) }
        return RowError(table: table, key: key, column: columnNames[column], reason: reason)
    }
}

internal import KeyValueCoding
internal import SQLiteBinding

/// How the models of a type are kept as the rows of a table: through the same table of properties that fills them from
/// dictionaries and archives.
///
/// | property | column |
/// |---|---|
/// | integer | INTEGER; one above `Int64.max` is refused |
/// | text | TEXT |
/// | date | INTEGER, whole Unix seconds, rounded down |
/// | truth value | INTEGER, 0 or 1 |
/// | real | REAL; nan is refused, since SQLite would store NULL |
/// | bytes | BLOB |
/// | nil | NULL |
/// | keys that the model lacks | TEXT, a JSON object |
struct RowMapping<Model: KeyValueCodable>: Sendable {
    /// A column that is made from the model when it is written, and not read back.
    struct DerivedColumn: Sendable {
        var name: String
        var value: @Sendable (Model) -> Int64?
    }

    /// The table's name.
    let table: String
    /// The name of the column that is the row's key.
    let key: String
    /// The columns in the order in which ``bind(_:to:from:)`` binds them: the properties, the derived ones, the extras.
    let columns: [String]
    /// Those of the columns that a model is made from.
    let readColumns: [String]
    /// The column for the keys that the model lacks; nil for a model without a place for them.
    let extrasColumn: String?
    /// Columns that keep integers as text, so that those of 64 bits without a sign fit.
    let textColumns: Set<String>
    let derivedColumns: [DerivedColumn]

    init(
        table: String,
        key: String,
        extrasColumn: String = "extras",
        textColumns: Set<String> = [],
        derivedColumns: [DerivedColumn] = []
    ) {
        let properties = Model.properties
        self.table = table
        self.key = key
        self.extrasColumn = properties.extras == nil ? nil : extrasColumn
        self.textColumns = textColumns
        self.derivedColumns = derivedColumns
        let extras = properties.extras == nil ? [] : [extrasColumn]
        columns = properties.keys.map { $0 } + derivedColumns.map(\.name) + extras
        readColumns = properties.keys.map { $0 } + extras
    }

    /// The columns for SQL, each after a prefix such as `excluded.`.
    func columnList(prefix: String = "") -> String { Self.list(columns, prefix: prefix) }

    /// The columns to read for SQL, each after a prefix.
    func readColumnList(prefix: String = "") -> String { Self.list(readColumns, prefix: prefix) }

    private static func list(_ columns: [String], prefix: String) -> String {
        columns.map { prefix + quoted($0) }.joined(separator: ", ")
    }

    /// Numbered parameters for SQL, one for each column.
    var parameterList: String { columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") }

    /// The parameter that ``bind(_:to:from:)`` binds the key to, if the first is 1.
    var keyParameter: String { "?\((columns.firstIndex(of: key) ?? 0) + 1)" }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension RowMapping {
    /// Binds a model to as many parameters as there are columns.
    ///
    /// - Parameter first: the first of the parameters, which count from 1.
    /// - Throws: `RowError` for a value that no column can hold; `SQLiteError`.
    func bind(_ model: Model, to statement: Statement, from first: Int = 1) throws {
        var parameter = first
        for property in Model.properties.properties {
            switch property.accessor {
            case .integer(let get, _):
                if textColumns.contains(property.key) {
                    try statement.bind(String(get(model)), at: parameter)
                } else {
                    try statement.bind(get(model), at: parameter)
                }
            case .text(let get, _):
                let text = get(model)
                try checkText(text, of: property, in: model)
                try statement.bind(text, at: parameter)
            case .optionalText(let get, _):
                let text = get(model)
                try checkText(text, of: property, in: model)
                try statement.bind(text, at: parameter)
            case .optionalDate(let get, _):
                try statement.bind(get(model).flatMap(Timestamp.unixSeconds), at: parameter)
            case .value(let get, _):
                try statement.bind(try columnValue(get(model), of: property, in: model), at: parameter)
            }
            parameter += 1
        }
        for column in derivedColumns {
            try statement.bind(column.value(model), at: parameter)
            parameter += 1
        }
        if let extras = Model.properties.extras {
            try checkSize(model)
            try Self.bind(extras: extras.get(model), to: statement, at: parameter)
        }
    }

    /// Refuses a model with a text that is longer than a row keeps.
    func checkTexts(_ model: Model) throws(RowError) {
        for property in Model.properties.properties {
            switch property.accessor {
            case .text(let get, _): try checkText(get(model), of: property, in: model)
            case .optionalText(let get, _): try checkText(get(model), of: property, in: model)
            default: break
            }
        }
    }

    /// Refuses a text that is longer than a row keeps.
    @inline(__always)
    func checkText(_ text: String?, of property: Property<Model>, in model: Model) throws(RowError) {
        guard let reason = RowLimits.reasonToRefuse(text) else { return }
        throw RowError(table: table, key: keyValue(of: model), column: property.key, reason: reason, isTooLarge: true)
    }

    /// Refuses a model whose extras could not be read again.
    ///
    /// It comes before anything that goes through all of a value, and so would take a thread's stack for a deep one.
    func checkSize(_ model: Model) throws(RowError) {
        guard let extras = Model.properties.extras, let column = extrasColumn else { return }
        let values = extras.get(model)
        guard !values.isEmpty, let reason = RowLimits.reasonToRefuse(.dictionary(values)) else { return }
        throw RowError(table: table, key: keyValue(of: model), column: column, reason: reason, isTooLarge: true)
    }

    private static func bind(extras: [String: Value], to statement: Statement, at parameter: Int) throws {
        if extras.isEmpty { return try statement.bind("{}", at: parameter) }
        var bytes: [UInt8] = []
        Value.dictionary(extras).appendJSON(to: &bytes, dialect: .tagged)
        try unsafe statement.bind(utf8: bytes.span.bytes, at: parameter)
    }

    func columnValue(
        _ value: Value,
        of property: Property<Model>,
        in model: Model
    ) throws(RowError) -> SQLValue {
        switch value {
        case .null: return .null
        case .bool(let bool): return .integer(bool ? 1 : 0)
        case .integer(let integer) where textColumns.contains(property.key): return .text(String(integer))
        case .integer(let integer): return .integer(integer)
        case .wideInteger(let integer) where textColumns.contains(property.key): return .text(String(integer))
        case .real(let real) where !real.isNaN: return .real(real)
        case .text(let text):
            try checkText(text, of: property, in: model)
            return .text(text)
        case .date(let date):
            if let seconds = Timestamp.unixSeconds(date) { return .integer(seconds) }
        case .data(let bytes): return .blob(bytes)
        case .real, .wideInteger, .decimal, .array, .dictionary, .pairs, .object, .reference: break
        }
        let found = property.isSecret ? value.kind : value.summary
        throw RowError(
            table: table,
            key: keyValue(of: model),
            column: property.key,
            reason: "a column can hold an integer of 64 bits with a sign, a real, a text or bytes, not \(found)"
        )
    }

    private func keyValue(of model: Model) -> Int64? {
        guard case .integer(let key)? = Model.properties[key]?.value(in: model) else { return nil }
        return key
    }
}

import Foundation
import KeyValueCoding
import SQLiteBinding
import Schema
import Testing

@testable import AccountStorage

/// A model that has nothing to do with accounts.
private struct Reading: KeyValueCodable, Equatable {
    enum Quality: String, PropertyValue { case good, bad }

    var id: UInt64 = 0
    var sensor = ""
    var note: String?
    var level: Double = 0
    var limit: Double?
    var isValid = false
    var wasSent: Bool?
    var taken = Date(timeIntervalSince1970: 0)
    var ended: Date?
    var sample: [UInt8] = []
    var count: Int?
    var small: Int8 = 0
    var quality = Quality.good
    var secret = ""
    var others: [String: Value] = [:]

    static let properties = PropertyTable<Reading>(
        Property("id", \.id),
        Property("sensor", \.sensor),
        Property("note", \.note),
        Property("level", \.level),
        Property("limit", \.limit),
        Property("is \"valid\"", \.isValid),
        Property("was_sent", \.wasSent),
        Property("taken", \.taken),
        Property("ended", \.ended),
        Property("sample", \.sample),
        Property("count", \.count),
        Property("small", \.small),
        Property("quality", \.quality),
        Property("secret", \.secret, secret: true),
        extras: \.others
    )
}

/// A model of one value that can be of any kind.
private struct Cell: KeyValueCodable {
    var id: Int64 = 0
    var secret: Value = .null

    static let properties = PropertyTable<Cell>(Property("id", \.id), Property("secret", \.secret, secret: true))
}

@Suite("Rows of any model")
struct RowMappingTests {
    private static let mapping = RowMapping<Reading>(table: "readings", key: "id", extrasColumn: "others")

    private func table<Model>(_ mapping: RowMapping<Model>, types: String = "") throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE \(mapping.table) (\(mapping.columnList()))")
        return connection
    }

    private func insert<Model>(_ model: Model, _ mapping: RowMapping<Model>, _ connection: Connection) throws {
        let sql = "INSERT INTO \(mapping.table) (\(mapping.columnList())) VALUES (\(mapping.parameterList))"
        try connection.withStatement(sql) { statement in
            try mapping.bind(model, to: statement)
            try statement.run()
        }
    }

    private func select<Model>(_ mapping: RowMapping<Model>, _ connection: Connection) throws -> Model? {
        let statement = try connection.prepare("SELECT \(mapping.columnList()) FROM \(mapping.table)")
        return try statement.step() ? try RowDecoder(mapping).decode(statement.row) : nil
    }

    private func rowError(_ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws -> RowError {
        try #require(#expect(throws: RowError.self, sourceLocation: location) { try body() }, sourceLocation: location)
    }

    @Test("every kind of property comes back from its column")
    func roundTrip() throws {
        var reading = Reading()
        reading.id = 9_223_372_036_854_775_807
        reading.sensor = "a\0b 温度"
        reading.note = ""
        reading.level = -0.25
        reading.limit = .infinity
        reading.isValid = true
        reading.wasSent = true
        reading.taken = Date(timeIntervalSince1970: 1_440_308_000)
        reading.ended = Date(timeIntervalSince1970: -1)
        reading.sample = [0, 255]
        reading.count = 7
        reading.small = -128
        reading.quality = .bad
        reading.secret = "s"
        reading.others = ["when": .date(Date(timeIntervalSince1970: 0.125)), "$x": [1, .null]]
        let connection = try table(Self.mapping)
        try insert(reading, Self.mapping, connection)
        #expect(try select(Self.mapping, connection) == reading)
        let types = try connection.rows(
            "SELECT typeof(id), typeof(sensor), typeof(level), typeof(\"is \"\"valid\"\"\"), typeof(taken), typeof(sample) FROM readings"
        )
        #expect(types == [["integer", "text", "real", "integer", "integer", "blob"]])
    }

    @Test("nothing comes back as nothing")
    func empty() throws {
        let connection = try table(Self.mapping)
        try insert(Reading(), Self.mapping, connection)
        #expect(try select(Self.mapping, connection) == Reading())
        #expect(try connection.value("SELECT others FROM readings") == "{}")
        #expect(try connection.value("SELECT note IS NULL AND \"limit\" IS NULL AND ended IS NULL FROM readings") == 1)
    }

    @Test("a date is stored in whole seconds, rounded down")
    func datesAreRoundedDown() throws {
        var reading = Reading()
        reading.taken = Date(timeIntervalSince1970: -0.5)
        let connection = try table(Self.mapping)
        try insert(reading, Self.mapping, connection)
        #expect(try connection.value("SELECT taken FROM readings") == -1)
    }

    @Test("columns are found by name, in whatever order they come")
    func columnOrder() throws {
        let connection = try table(Self.mapping)
        var reading = Reading()
        reading.id = 5
        reading.sensor = "s"
        reading.others = ["x": 1]
        try insert(reading, Self.mapping, connection)
        let names = Self.mapping.columns.reversed().map { RowMapping<Reading>.quoted($0) }.joined(separator: ", ")
        let statement = try connection.prepare("SELECT 0 AS other, \(names) FROM readings")
        let decoder = try RowDecoder(Self.mapping, columns: statement.columnNames)
        #expect(try statement.step())
        #expect(try decoder.decode(statement.row) == reading)
    }

    @Test("a statement that lacks a column is refused by the column's name", arguments: ["sensor", "others"])
    func missingColumn(name: String) throws {
        let columns = Self.mapping.columns.filter { $0 != name }
        let error = try rowError { _ = try RowDecoder(Self.mapping, columns: columns) }
        #expect(error.column == name)
        #expect(error.table == "readings")
    }

    @Test("an unsigned integer above what SQLite stores is refused, not wrapped (A1)")
    func unsignedOverflow() throws {
        let connection = try table(Self.mapping)
        var reading = Reading()
        for id in [9_223_372_036_854_775_808, UInt64.max] {
            reading.id = id
            let error = try rowError { try insert(reading, Self.mapping, connection) }
            #expect(error.table == "readings")
            #expect(error.column == "id")
            #expect(error.reason.contains("\(id)"))
        }
        #expect(try connection.value("SELECT count(*) FROM readings") == 0)
        reading.id = 9_223_372_036_854_775_807
        try insert(reading, Self.mapping, connection)
        #expect(try connection.value("SELECT id FROM readings") == 9_223_372_036_854_775_807)
    }

    @Test("a column of text keeps unsigned integers exactly (A1)", arguments: [0, 5, UInt64.max])
    func unsignedAsText(id: UInt64) throws {
        let mapping = RowMapping<Reading>(table: "readings", key: "id", extrasColumn: "others", textColumns: ["id"])
        let connection = try table(mapping)
        var reading = Reading()
        reading.id = id
        try insert(reading, mapping, connection)
        #expect(try connection.value("SELECT id FROM readings") == .text("\(id)"))
        #expect(try select(mapping, connection) == reading)
    }

    @Test("not a number is refused, since SQLite would store NULL")
    func nan() throws {
        var reading = Reading()
        reading.level = .nan
        let connection = try table(Self.mapping)
        #expect(try rowError { try insert(reading, Self.mapping, connection) }.column == "level")
    }

    @Test(
        "a value that no column can hold is refused without being shown, if it is secret",
        arguments: [["hush"], ["hush": 1], .wideInteger(1 << 70), .decimal("1e999"), .reference(3)] as [Value]
    )
    func unfitValues(value: Value) throws {
        let mapping = RowMapping<Cell>(table: "cells", key: "id")
        let connection = try table(mapping)
        let error = try rowError { try insert(Cell(id: 3, secret: value), mapping, connection) }
        #expect(error.key == 3)
        #expect(error.column == "secret")
        #expect(!error.description.contains("hush"))
    }

    @Test(
        "a column that is not what its property can be tells column, row and reason, and no value (A2)",
        arguments: [
            ("sensor", "NULL", "expected text, found NULL"),
            ("sensor", "7", "expected text, found integer"),
            ("secret", "x'68757368'", "expected text, found blob"),
            ("sensor", "CAST(x'ff' AS TEXT)", "found bytes that are not UTF-8"),
            ("note", "1.5", "expected text, found real"),
            ("id", "NULL", "found NULL"),
            ("id", "-1", "found integer"),
            ("id", "'hush'", "found text"),
            ("id", "1.5", "found real"),
            ("is \"valid\"", "2", "found integer"),
            ("taken", "'2015-01-01'", "found text"),
            ("ended", "1.5", "expected whole Unix seconds or NULL, found real"),
            ("small", "128", "found integer"),
            ("quality", "'hush'", "found text"),
            ("others", "'[1]'", "expected a JSON object, found an array"),
            ("others", "'{\"a\":'", "expected a JSON object: line 1"),
            ("others", "NULL", "expected a JSON object"),
            ("others", "'{\"hush\": hush}'", "expected a JSON object: line 1"),
        ]
    )
    func unfitColumns(column: String, value: String, reason: String) throws {
        let connection = try table(Self.mapping)
        var reading = Reading()
        reading.id = 12
        try insert(reading, Self.mapping, connection)
        try connection.execute("UPDATE readings SET \(RowMapping<Reading>.quoted(column)) = \(value)")
        let error = try rowError { _ = try select(Self.mapping, connection) }
        #expect(error.column == column)
        #expect(error.reason.contains(reason))
        #expect(!error.description.contains("hush"))
        if column != "id" { #expect(error.description.hasPrefix("row 12 of readings, column ")) }
    }

    @Test("the table of the accounts has the columns that are mapped, and those about archives")
    func accountColumns() throws {
        let connection = try Connection.inMemory()
        try StoreFile.runner.apply(to: connection)
        let columns = try connection.rows("SELECT name FROM pragma_table_info('accounts')").compactMap(\.first)
        #expect(
            Set(columns.map { "\($0)" })
                == Set((AccountRows.mapping.columns + AccountRows.archiveColumns).map { "\(SQLValue.text($0))" })
        )
    }
}

import Foundation
import SQLiteBinding
import Schema
import Testing

@Suite("Embedded migrations")
struct EmbeddedMigrationTests {
    private static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Migrations/SQLite")
    }

    @Test("the list has each file of the folder, with its text")
    func listMatchesFolder() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(MigrationFolder.sqlite.migrations.map(\.fileName) == files)
        for migration in MigrationFolder.sqlite.migrations {
            let file = Self.folder.appendingPathComponent(migration.fileName)
            #expect(try String(contentsOf: file, encoding: .utf8) == migration.sql)
        }
    }

    @Test("versions begin at 1 and have no gap")
    func versionsAreDense() {
        let versions = MigrationFolder.sqlite.migrations.map(\.version)
        #expect(versions == Array(1...versions.count))
    }

    @Test("they make a database that is sound, and as they describe it")
    func apply() throws {
        let connection = try Connection.inMemory()
        let runner = MigrationRunner(folder: .sqlite, applicationID: 5)
        let applied = try runner.apply(to: connection)
        #expect(applied == MigrationFolder.sqlite.migrations)
        #expect(try connection.integrityCheck().isEmpty)
        #expect(try runner.drift(of: connection).isEmpty)
        #expect(try runner.plan(connection).isUpToDate)
    }

    @Test(
        "a file's name gives version and name, or nothing",
        arguments: [
            ("V0001__accounts.sql", 1), ("V0012__more_columns.sql", 12), ("V10000__x.sql", 10_000),
            ("V1__x.sql", nil), ("V0000__x.sql", nil), ("0001__x.sql", nil), ("V0001_x.sql", nil), ("V0001__.sql", nil),
            ("V0001__x.txt", nil), ("V99999999999999999999__x.sql", nil), ("V٠٠٠١__x.sql", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func fileNames(name: String, version: Int?) {
        let migration = Migration(fileName: name, sql: "")
        #expect(migration?.version == version)
        if let migration { #expect(migration.fileName == name) }
    }

    @Test("line ends are made those of Unix")
    func lineEnds() {
        #expect(Migration(version: 1, name: "x", sql: "a\r\nb\rc\n\r\n\rd").sql == "a\nb\nc\n\n\nd")
    }
}

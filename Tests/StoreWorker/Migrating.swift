import SQLiteBinding
import Schema

/// Applies migrations, ten more than the database has, each of which writes every row anew.
///
/// It says `begins VERSION` before each, by which the ones before it are done.
enum Migrating {
    static func run(path: String) throws {
        let connection = try Connection(path: path)
        let done = try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'") == 1
        let version = done ? try connection.rows("SELECT version FROM schema_migrations").count : 0
        let folder = MigrationFolder(name: "Test", migrations: (1...version + 10).map(migration))
        var begun = 0
        try MigrationRunner(folder: folder, applicationID: 77).apply(to: connection) { migration, _ in
            if migration.version == begun { return }
            begun = migration.version
            StoreWorker.say("begins \(begun)")
        }
    }

    private static func migration(version: Int) -> Migration {
        let rows =
            version == 1
            ? "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i, 1 FROM n"
            : "SELECT id, version + 1 FROM t"
        let script = """
            CREATE TABLE new (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
            INSERT INTO new (id, version) \(rows);
            DROP TABLE IF EXISTS t;
            ALTER TABLE new RENAME TO t;
            CREATE INDEX t_version ON t (version);
            """
        return Migration(version: version, name: "step\(version)", sql: script)
    }
}

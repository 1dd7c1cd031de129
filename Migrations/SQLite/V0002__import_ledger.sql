-- The archives that were imported, so that an unchanged one is not read again.
CREATE TABLE import_ledger (
    id INTEGER PRIMARY KEY,
    -- The absolute path, as the bytes that the file system has.
    path BLOB NOT NULL UNIQUE,
    -- Bytes.
    size INTEGER NOT NULL,
    -- Nanoseconds since 1970-01-01 UTC.
    modified_at INTEGER NOT NULL,
    -- How many accounts the file held.
    accounts INTEGER NOT NULL,
    -- What became of its account: inserted, updated, unchanged or kept (it gave way). NULL where there were several, or where
    -- that was not written down.
    outcome TEXT,
    -- Whose account it was; NULL where there were several, or where that was not written down.
    uid INTEGER,
    -- Unix seconds.
    imported_at INTEGER NOT NULL
) STRICT;

INSERT INTO import_ledger (path, size, modified_at, accounts, imported_at)
SELECT path, size, modified_at, accounts, imported_at FROM imported_files ORDER BY path;

DROP TABLE imported_files;
ALTER TABLE import_ledger RENAME TO imported_files;

-- The file that the account came from, a row of imported_files; NULL where an app saved it since, or it came from none. No foreign
-- key, which would be looked up for each row of an import: a file may be forgotten, and the account stays.
ALTER TABLE accounts ADD COLUMN file_id INTEGER;

-- How archives were written, apart from the values in them. Archives of one app have few forms between them.
CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    -- JSON: the file with holes where the account's values were.
    content TEXT NOT NULL UNIQUE
) STRICT;

-- The accounts. Times are whole Unix seconds in UTC, rounded down.
CREATE TABLE accounts (
    uid INTEGER PRIMARY KEY,
    -- NULL where the app had no token; an empty token is another thing.
    access_token TEXT,
    -- Seconds.
    expires_in INTEGER NOT NULL,
    -- Seconds.
    remind_in INTEGER NOT NULL,
    -- When the token was issued; NULL where that is not known.
    obtained_at INTEGER,
    -- obtained_at + expires_in, saturating; NULL where obtained_at is.
    expires_at INTEGER,
    -- JSON object: keys that the model has no column for, with their values.
    extras TEXT NOT NULL DEFAULT '{}',
    -- The form of the archive that the account came in; NULL where it came in none.
    form_id INTEGER REFERENCES forms (id),
    -- JSON object: spellings of that one archive which form and columns do not give again; NULL where there are none.
    form_details TEXT
) STRICT;

CREATE INDEX accounts_expires_at ON accounts (expires_at) WHERE expires_at IS NOT NULL;

-- The archives that were imported, so that an unchanged one is not read again.
CREATE TABLE imported_files (
    -- The absolute path, as the bytes that the file system has.
    path BLOB PRIMARY KEY,
    -- Bytes.
    size INTEGER NOT NULL,
    -- Nanoseconds since 1970-01-01 UTC.
    modified_at INTEGER NOT NULL,
    -- How many accounts the file held.
    accounts INTEGER NOT NULL,
    -- Unix seconds.
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

#include "store.h"

static uint64_t mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 29;
}

// Adds the value of a column: its type, and every byte of it.
static uint64_t add_value(uint64_t sum, sqlite3_stmt *statement, int column) {
    int type = sqlite3_column_type(statement, column);
    sum = mix(sum, (uint64_t)type);
    if (type == SQLITE_INTEGER) return mix(sum, (uint64_t)sqlite3_column_int64(statement, column));
    const unsigned char *bytes = sqlite3_column_blob(statement, column);
    int size = sqlite3_column_bytes(statement, column);
    sum = mix(sum, (uint64_t)size);
    for (int index = 0; index < size; index++) sum = mix(sum, bytes[index]);
    return sum;
}

static bool add_rows(cs_store *store, const char *sql, uint64_t *sum) {
    sqlite3_stmt *statement = NULL;
    if (!cs_prepare(store, sql, &statement)) return false;
    int columns = sqlite3_column_count(statement);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < columns; column++) *sum = add_value(*sum, statement, column);
    }
    bool is_read = code == SQLITE_DONE || cs_fail(store);
    sqlite3_finalize(statement);
    return is_read;
}

bool cs_checksum(cs_store *store, uint64_t *sum) {
    *sum = 0;
    return add_rows(store, "SELECT * FROM accounts ORDER BY uid", sum) &&
           // What is in the index, in its order; an error if there is none.
           add_rows(store,
                    "SELECT expires_at, uid FROM accounts INDEXED BY accounts_expires_at "
                    "WHERE expires_at IS NOT NULL ORDER BY expires_at, uid",
                    sum) &&
           add_rows(store, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", sum);
}

bool cs_import_checksum(cs_store *store, uint64_t *sum) {
    *sum = 0;
    return add_rows(store,
                    "SELECT accounts.uid, access_token, expires_in, remind_in, obtained_at, expires_at, path "
                    "FROM accounts LEFT JOIN imported_files ON imported_files.id = file_id ORDER BY accounts.uid",
                    sum) &&
           add_rows(store,
                    "SELECT expires_at, uid FROM accounts INDEXED BY accounts_expires_at "
                    "WHERE expires_at IS NOT NULL ORDER BY expires_at, uid",
                    sum) &&
           add_rows(store, "SELECT path, size, modified_at, accounts, outcome, uid FROM imported_files ORDER BY path",
                    sum) &&
           add_rows(store, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", sum);
}

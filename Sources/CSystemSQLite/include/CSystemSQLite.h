#ifndef CSYSTEMSQLITE_H
#define CSYSTEMSQLITE_H

#include <sqlite3.h>

// What Swift cannot import: SQLITE_TRANSIENT is a macro with a cast to a function pointer, and
// sqlite3_db_config takes a variable number of arguments.

/// Binds `count` bytes of UTF-8, which SQLite copies. A null pointer is an empty text, never NULL.
static inline int csystemsqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds `count` bytes as a blob, which SQLite copies. A null pointer is an empty blob, never NULL.
static inline int csystemsqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Gives `count` bytes of UTF-8, which stay where they are while the statement runs, as the value of a column.
static inline void csystemsqlite_result_text(sqlite3_context *context, const void *bytes, int count) {
    sqlite3_result_text64(context, (const char *)bytes, (sqlite3_uint64)count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Gives `count` bytes, which stay where they are while the statement runs, as the value of a column.
static inline void csystemsqlite_result_blob(sqlite3_context *context, const void *bytes, int count) {
    sqlite3_result_blob(context, bytes, count, SQLITE_STATIC);
}

/// Sets one of the switches of `sqlite3_db_config` that take an `int`.
static inline int csystemsqlite_db_config(sqlite3 *database, int option, int value) {
    int now = 0;
    return sqlite3_db_config(database, option, value, &now);
}

#endif

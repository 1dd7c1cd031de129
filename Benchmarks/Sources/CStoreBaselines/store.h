// What the files of the baselines share.
#ifndef CS_STORE_H
#define CS_STORE_H

#include "CStoreBaselines.h"
#include <sqlite3.h>

struct cs_store {
    sqlite3 *database;
    sqlite3_stmt *begin_read;
    sqlite3_stmt *begin_write;
    sqlite3_stmt *commit;
    sqlite3_stmt *rollback;
    sqlite3_stmt *upsert;
    sqlite3_stmt *select_one;
    sqlite3_stmt *select_all;
    cs_counts written;
    char error[256];
};

// The columns, in the order in which the statements bind and give them.
#define CS_COLUMNS "access_token, expires_in, remind_in, uid, obtained_at, expires_at, extras"
enum { CS_TOKEN, CS_EXPIRES_IN, CS_REMIND_IN, CS_UID, CS_OBTAINED_AT, CS_EXPIRES_AT, CS_EXTRAS };

// Keeps what SQLite says of its last failure; gives false.
bool cs_fail(cs_store *store);
// Runs a statement that gives no rows, and makes it ready to run again.
bool cs_run(cs_store *store, sqlite3_stmt *statement);
// Compiles a statement that is used again and again.
bool cs_prepare(cs_store *store, const char *sql, sqlite3_stmt **statement);

#endif

#include "store.h"
#include <stdio.h>
#include <stdlib.h>

bool cs_fail(cs_store *store) {
    snprintf(store->error, sizeof store->error, "%s", sqlite3_errmsg(store->database));
    return false;
}

const char *cs_error(const cs_store *store) { return store->error; }

bool cs_run(cs_store *store, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    // A reset gives the error of the step again.
    return (sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE) || cs_fail(store);
}

bool cs_prepare(cs_store *store, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK ||
           cs_fail(store);
}

static bool execute(cs_store *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || cs_fail(store);
}

static bool set_up(cs_store *store, const cs_settings *settings) {
    sqlite3 *database = store->database;
    char pragmas[256];
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA cell_size_check = %d; PRAGMA foreign_keys = %d; PRAGMA synchronous = %s; PRAGMA journal_mode = WAL;",
             settings->checks_cells, settings->enforces_foreign_keys, settings->is_full_sync ? "FULL" : "NORMAL");
    char cache[64];
    snprintf(cache, sizeof cache, "PRAGMA cache_size = -%d", settings->cache_kib);
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
           sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) == SQLITE_OK &&
           sqlite3_busy_timeout(database, settings->busy_timeout_ms) == SQLITE_OK &&
           sqlite3_wal_autocheckpoint(database, settings->wal_autocheckpoint) == SQLITE_OK &&
           execute(store, pragmas) && (settings->cache_kib == 0 || execute(store, cache));
}

// Tells an insert from an update, which costs next to nothing.
static void count_written(void *context, int operation, const char *database, const char *table, sqlite3_int64 uid) {
    (void)database, (void)table, (void)uid;
    cs_counts *written = context;
    if (operation == SQLITE_INSERT) written->inserted++;
    if (operation == SQLITE_UPDATE) written->updated++;
}

static bool prepare_all(cs_store *store) {
    return cs_prepare(store, "BEGIN", &store->begin_read) &&
           cs_prepare(store, "BEGIN IMMEDIATE", &store->begin_write) &&
           cs_prepare(store, "COMMIT", &store->commit) && cs_prepare(store, "ROLLBACK", &store->rollback) &&
           cs_prepare(store,
                      "INSERT INTO accounts (" CS_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
                      "ON CONFLICT (uid) DO UPDATE SET access_token = excluded.access_token, "
                      "expires_in = excluded.expires_in, remind_in = excluded.remind_in, "
                      "obtained_at = excluded.obtained_at, expires_at = excluded.expires_at, extras = excluded.extras "
                      "WHERE (excluded.access_token, excluded.expires_in, excluded.remind_in, excluded.obtained_at, "
                      "excluded.expires_at, excluded.extras) IS NOT (accounts.access_token, accounts.expires_in, "
                      "accounts.remind_in, accounts.obtained_at, accounts.expires_at, accounts.extras)",
                      &store->upsert) &&
           cs_prepare(store, "SELECT " CS_COLUMNS " FROM accounts WHERE uid = ?1", &store->select_one) &&
           cs_prepare(store, "SELECT " CS_COLUMNS " FROM accounts ORDER BY uid", &store->select_all);
}

cs_store *cs_open(const char *path, const cs_settings *settings) {
    cs_store *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    // A connection is used by one thread at a time, so that it needs no lock of its own.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->database, flags, NULL) != SQLITE_OK) {
        cs_fail(store);
        return store;
    }
    if (set_up(store, settings) && prepare_all(store)) {
        sqlite3_update_hook(store->database, count_written, &store->written);
    }
    return store;
}

void cs_close(cs_store *store) {
    sqlite3_finalize(store->begin_read);
    sqlite3_finalize(store->begin_write);
    sqlite3_finalize(store->commit);
    sqlite3_finalize(store->rollback);
    sqlite3_finalize(store->upsert);
    sqlite3_finalize(store->select_one);
    sqlite3_finalize(store->select_all);
    sqlite3_close(store->database);
    free(store);
}

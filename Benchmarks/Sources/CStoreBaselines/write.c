#include "store.h"

// Writes one row.
static bool upsert(cs_store *store, const cs_row *row) {
    sqlite3_stmt *statement = store->upsert;
    int failures = sqlite3_bind_text(statement, CS_TOKEN + 1, row->token, (int)row->token_size, SQLITE_STATIC) |
                   sqlite3_bind_int64(statement, CS_EXPIRES_IN + 1, row->expires_in) |
                   sqlite3_bind_int64(statement, CS_REMIND_IN + 1, row->remind_in) |
                   sqlite3_bind_int64(statement, CS_UID + 1, row->uid) |
                   sqlite3_bind_text(statement, CS_EXTRAS + 1, row->extras, (int)row->extras_size, SQLITE_STATIC);
    if (row->has_times) {
        failures |= sqlite3_bind_int64(statement, CS_OBTAINED_AT + 1, row->obtained_at) |
                    sqlite3_bind_int64(statement, CS_EXPIRES_AT + 1, row->expires_at);
    } else {
        failures |= sqlite3_bind_null(statement, CS_OBTAINED_AT + 1) | sqlite3_bind_null(statement, CS_EXPIRES_AT + 1);
    }
    if (failures != SQLITE_OK) return cs_fail(store);
    return cs_run(store, statement);
}

static cs_counts counts_of(const cs_store *store, size_t count) {
    cs_counts counts = store->written;
    counts.unchanged = count - counts.inserted - counts.updated;
    return counts;
}

static bool upsert_each(cs_store *store, const cs_row *rows, size_t count) {
    for (size_t index = 0; index < count; index++) {
        if (!upsert(store, &rows[index])) return false;
    }
    return true;
}

bool cs_upsert_all(cs_store *store, const cs_row *rows, size_t count, cs_counts *counts) {
    store->written = (cs_counts){0};
    if (!cs_run(store, store->begin_write)) return false;
    if (!upsert_each(store, rows, count) || !cs_run(store, store->commit)) {
        // It fails if SQLite has rolled the transaction back by itself; the first error is the one to tell.
        sqlite3_step(store->rollback);
        sqlite3_reset(store->rollback);
        return false;
    }
    *counts = counts_of(store, count);
    return true;
}

bool cs_save_each(cs_store *store, const cs_row *rows, size_t count, cs_counts *counts) {
    store->written = (cs_counts){0};
    if (!upsert_each(store, rows, count)) return false;
    *counts = counts_of(store, count);
    return true;
}

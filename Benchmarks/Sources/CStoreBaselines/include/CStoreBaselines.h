// The baselines of the store: what an expert in SQLite's C API writes for the same work, on a file that the library has
// made, with the settings that its connections have. Statements are compiled once, and values bound without being copied.
#ifndef C_STORE_BASELINES_H
#define C_STORE_BASELINES_H

#include <CBaselines.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A connection with its statements.
typedef struct cs_store cs_store;

typedef struct {
    int busy_timeout_ms;
    int wal_autocheckpoint;
    // For pages in memory; 0 for SQLite's own choice.
    int cache_kib;
    bool is_full_sync;
    bool checks_cells;
    bool enforces_foreign_keys;
} cs_settings;

// A row to be written. The token is UTF-8, and NULL for none. It and the extras stay where they are.
typedef struct {
    const char *token;
    size_t token_size;
    const char *extras;
    size_t extras_size;
    int64_t uid;
    int64_t expires_in;
    int64_t remind_in;
    int64_t obtained_at;
    int64_t expires_at;
    bool has_times;
} cs_row;

// How many rows came out in each way.
typedef struct {
    size_t inserted;
    size_t updated;
    size_t unchanged;
} cs_counts;

// Opens a file that is there; NULL if memory is out. Whether it is open, cs_error says.
cs_store *cs_open(const char *path, const cs_settings *settings);
void cs_close(cs_store *store);
// Why the last call has failed; empty if none has.
const char *cs_error(const cs_store *store);

// Writes rows in one transaction, each in the place of the one with its uid unless that is the very same.
bool cs_upsert_all(cs_store *store, const cs_row *rows, size_t count, cs_counts *counts);
// Writes rows, each in a transaction of its own.
bool cs_save_each(cs_store *store, const cs_row *rows, size_t count, cs_counts *counts);

// Reads accounts one by one, and adds up what was read; one that is missing adds nothing.
bool cs_read_points(cs_store *store, const int64_t *uids, size_t count, bool in_one_transaction, uint64_t *sum);
// Reads all accounts in the order of their uids into memory, adds them up, and frees them.
bool cs_scan(cs_store *store, uint64_t *sum);
// Reads all accounts in the order of their uids, one at a time.
bool cs_stream(cs_store *store, uint64_t *sum);

// Writes all accounts, which must have tokens and no extras, as the archives <uid>/account.data that the legacy app wrote, into a
// folder that is there and empty. Each file gets its name when it is whole, and the time of issue for its time of last change.
// Nothing is synced.
bool cs_export_all(cs_store *store, const char *folder, size_t *count);

// A writer and readers at the same time.
typedef struct {
    // Written in transactions of so many rows.
    const cs_row *rows;
    size_t row_count;
    size_t batch;
    // Accounts that are there, which the readers read one by one, over and over, until the writer is done.
    const int64_t *uids;
    size_t uid_count;
} cs_mixed_work;

// Writes on this thread, while each of the other connections reads on a thread of its own. Says how long the writer took,
// and how much was read meanwhile. False if something failed or was not found.
bool cs_read_under_write(cs_store *writer, cs_store *const *readers, size_t count, const cs_mixed_work *work,
                         double *seconds, size_t *reads);

// What has become of the files of a folder.
typedef struct {
    size_t inserted;
    size_t updated;
    // Files whose account gave way to the one that was there.
    size_t kept;
    // Files that were imported before and have not changed since.
    size_t skipped;
} cs_import_counts;

// Imports the archives of a folder, whose path is absolute, in one transaction, in the order of their names, together with
// the ledger of the files. Of several accounts of one user the newest stays.
bool cs_import_folder(cs_store *store, const char *folder, const cb_options *options, cs_import_counts *counts);

// A checksum of all that is in the accounts, their index and their schema; false for one that has damage.
bool cs_checksum(cs_store *store, uint64_t *sum);
// A checksum of what an import has made: the accounts, with the file of each, without the fields that the decoder drops and
// without forms; and the ledger, without the times of the import.
bool cs_import_checksum(cs_store *store, uint64_t *sum);

// What is added up of an account: enough that nothing of it can be left out.
static inline uint64_t cs_digest(int64_t uid, int64_t expires_in, int64_t remind_in, int64_t obtained_at,
                                 uint64_t token_size, uint64_t first_byte) {
    return (uint64_t)uid + (uint64_t)expires_in * 3 + (uint64_t)remind_in * 5 + (uint64_t)obtained_at * 7 +
           token_size * 11 + first_byte * 13;
}

#endif

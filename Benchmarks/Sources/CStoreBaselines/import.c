#define _GNU_SOURCE
#include "store.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

// The names of a folder's files, one after the other in memory that grows, and where each begins.
typedef struct {
    char *bytes;
    size_t size, capacity;
    const char **names;
    size_t count;
} name_list;

// An import under way.
typedef struct {
    cs_store *store;
    const cb_options *options;
    cs_import_counts *counts;
    sqlite3_stmt *find_file;
    sqlite3_stmt *remember_file;
    sqlite3_stmt *upsert;
    int folder;
    // The absolute path of the file that is looked at: that of the folder, and the name from the end of that on.
    char path[LONGEST_PATH];
    size_t folder_size;
    size_t path_size;
    uint8_t *buffer;
    size_t capacity;
    int64_t form;
    int64_t next_file;
    int64_t now;
    bool has_ledger;
} import;

static bool fail(import *import, const char *what) {
    snprintf(import->store->error, sizeof import->store->error, "%s %s: %s", what, import->path, strerror(errno));
    return false;
}

// MARK: Listing

static bool add_name(name_list *list, const char *name) {
    size_t size = strlen(name) + 1;
    if (list->size + size > list->capacity) {
        size_t capacity = 2 * (list->capacity + size);
        char *grown = realloc(list->bytes, capacity);
        if (!grown) return false;
        list->bytes = grown;
        list->capacity = capacity;
    }
    memcpy(list->bytes + list->size, name, size);
    list->size += size;
    list->count++;
    return true;
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool list_files(import *import, name_list *list) {
    DIR *folder = fdopendir(dup(import->folder));
    if (!folder) return fail(import, "cannot list");
    struct dirent *entry;
    bool is_listed = true;
    while (is_listed && (entry = readdir(folder)) != NULL)
        if (entry->d_type == DT_REG) is_listed = add_name(list, entry->d_name);
    closedir(folder);
    list->names = malloc((list->count + 1) * sizeof *list->names);
    if (!is_listed || !list->names) return fail(import, "no memory for");
    const char *name = list->bytes;
    for (size_t index = 0; index < list->count; index++, name += strlen(name) + 1) list->names[index] = name;
    qsort(list->names, list->count, sizeof *list->names, compare_names);
    return true;
}

// MARK: A file

static bool read_file(import *import, const char *name, struct stat *status) {
    int file = openat(import->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return fail(import, "cannot open");
    bool is_read = fstat(file, status) == 0 && S_ISREG(status->st_mode);
    size_t size = (size_t)status->st_size;
    if (is_read && size > import->capacity) {
        free(import->buffer);
        import->capacity = 2 * size;
        import->buffer = malloc(import->capacity);
        is_read = import->buffer != NULL;
    }
    if (is_read) is_read = read(file, import->buffer, size) == (ssize_t)size;
    close(file);
    return is_read || fail(import, "cannot read");
}

static int64_t nanoseconds(const struct stat *status) {
    return status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

// Says whether the ledger has the file as it is now.
static bool is_unchanged(import *import, const char *name, bool *is_unchanged) {
    struct stat status;
    if (fstatat(import->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return fail(import, "cannot find");
    sqlite3_stmt *statement = import->find_file;
    if (sqlite3_bind_blob(statement, 1, import->path, (int)import->path_size, SQLITE_STATIC) != SQLITE_OK)
        return cs_fail(import->store);
    int code = sqlite3_step(statement);
    *is_unchanged = code == SQLITE_ROW && sqlite3_column_int64(statement, 0) == status.st_size &&
                    sqlite3_column_int64(statement, 1) == nanoseconds(&status);
    return (sqlite3_reset(statement) == SQLITE_OK && (code == SQLITE_ROW || code == SQLITE_DONE)) ||
           cs_fail(import->store);
}

static bool upsert(import *import, const cb_account *account, int64_t obtained_at) {
    sqlite3_stmt *statement = import->upsert;
    int64_t expires_at;
    if (__builtin_add_overflow(obtained_at, account->expires_in, &expires_at))
        expires_at = account->expires_in < 0 ? INT64_MIN : INT64_MAX;
    int failures = sqlite3_bind_text(statement, CS_TOKEN + 1, account->token, (int)account->token_size, SQLITE_STATIC) |
                   sqlite3_bind_int64(statement, CS_EXPIRES_IN + 1, account->expires_in) |
                   sqlite3_bind_int64(statement, CS_REMIND_IN + 1, account->remind_in) |
                   sqlite3_bind_int64(statement, CS_UID + 1, account->uid) |
                   sqlite3_bind_int64(statement, CS_OBTAINED_AT + 1, obtained_at) |
                   sqlite3_bind_int64(statement, CS_EXPIRES_AT + 1, expires_at) |
                   sqlite3_bind_text(statement, CS_EXTRAS + 1, "{}", 2, SQLITE_STATIC) |
                   sqlite3_bind_int64(statement, CS_EXTRAS + 2, import->form) |
                   sqlite3_bind_int64(statement, CS_EXTRAS + 3, import->next_file);
    return (failures == SQLITE_OK || cs_fail(import->store)) && cs_run(import->store, statement);
}

static bool remember(import *import, const struct stat *status, int64_t uid, const char *outcome) {
    sqlite3_stmt *statement = import->remember_file;
    int failures = sqlite3_bind_int64(statement, 1, import->next_file++) |
                   sqlite3_bind_blob(statement, 2, import->path, (int)import->path_size, SQLITE_STATIC) |
                   sqlite3_bind_int64(statement, 3, status->st_size) |
                   sqlite3_bind_int64(statement, 4, nanoseconds(status)) |
                   sqlite3_bind_text(statement, 5, outcome, -1, SQLITE_STATIC) |
                   sqlite3_bind_int64(statement, 6, uid) | sqlite3_bind_int64(statement, 7, import->now);
    return (failures == SQLITE_OK || cs_fail(import->store)) && cs_run(import->store, statement);
}

static bool save(import *import, const cb_account *account, const struct stat *status) {
    cs_counts *written = &import->store->written;
    *written = (cs_counts){0};
    if (!upsert(import, account, status->st_mtim.tv_sec)) return false;
    const char *outcome = "kept";
    if (written->inserted) outcome = "inserted";
    if (written->updated) outcome = "updated";
    import->counts->inserted += written->inserted;
    import->counts->updated += written->updated;
    import->counts->kept += !written->inserted && !written->updated;
    *written = (cs_counts){0};
    return remember(import, status, account->uid, outcome);
}

static bool import_file(import *import, const char *name) {
    size_t size = strlen(name);
    if (import->folder_size + size >= LONGEST_PATH) return fail(import, "too long a name in");
    memcpy(import->path + import->folder_size, name, size + 1);
    import->path_size = import->folder_size + size;
    if (import->has_ledger) {
        bool is_known;
        if (!is_unchanged(import, name, &is_known)) return false;
        if (is_known) return ++import->counts->skipped;
    }
    struct stat status;
    cb_account account;
    if (!read_file(import, name, &status)) return false;
    errno = EINVAL;
    if (!cb_decode(import->buffer, (size_t)status.st_size, import->options, &account))
        return fail(import, "cannot decode");
    bool is_saved = save(import, &account, &status);
    free(account.token);
    return is_saved;
}

// MARK: All files

static bool number(cs_store *store, const char *sql, int64_t *value) {
    sqlite3_stmt *statement = NULL;
    if (!cs_prepare(store, sql, &statement)) return false;
    bool is_read = sqlite3_step(statement) == SQLITE_ROW || cs_fail(store);
    *value = is_read ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return is_read;
}

#define RANK(row)                                                                                                       \
    "(" row ".obtained_at IS NOT NULL, ifnull(" row ".obtained_at, 0), " row ".expires_in, " row ".remind_in, "         \
    row ".access_token IS NOT NULL, ifnull(" row ".access_token, ''), " row ".extras)"

static bool prepare(import *import) {
    cs_store *store = import->store;
    return cs_prepare(store, "SELECT size, modified_at FROM imported_files WHERE path = ?1", &import->find_file) &&
           cs_prepare(store,
                      "INSERT INTO imported_files (id, path, size, modified_at, accounts, outcome, uid, imported_at) "
                      "VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7) ON CONFLICT (path) DO UPDATE SET size = excluded.size, "
                      "modified_at = excluded.modified_at, accounts = 1, outcome = excluded.outcome, "
                      "uid = excluded.uid, imported_at = excluded.imported_at",
                      &import->remember_file) &&
           cs_prepare(store,
                      "INSERT INTO accounts (" CS_COLUMNS ", form_id, file_id) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
                      "ON CONFLICT (uid) DO UPDATE SET access_token = excluded.access_token, "
                      "expires_in = excluded.expires_in, remind_in = excluded.remind_in, "
                      "obtained_at = excluded.obtained_at, expires_at = excluded.expires_at, extras = excluded.extras, "
                      "form_id = excluded.form_id, file_id = excluded.file_id "
                      "WHERE " RANK("excluded") " > " RANK("accounts"),
                      &import->upsert);
}

static bool begin(import *import) {
    cs_store *store = import->store;
    int64_t files;
    if (!cs_run(store, store->begin_write) ||
        sqlite3_exec(store->database, "INSERT OR IGNORE INTO forms (content) VALUES ('{}')", NULL, NULL, NULL) ||
        !number(store, "SELECT id FROM forms WHERE content = '{}'", &import->form) ||
        !number(store, "SELECT ifnull(max(id), 0) FROM imported_files", &files))
        return false;
    import->has_ledger = files > 0;
    import->next_file = files + 1;
    import->now = time(NULL);
    return true;
}

static bool import_all(import *import) {
    name_list list = {0};
    bool is_done = list_files(import, &list) && begin(import);
    for (size_t index = 0; index < list.count && is_done; index++) is_done = import_file(import, list.names[index]);
    is_done = is_done && cs_run(import->store, import->store->commit);
    if (!is_done) {
        sqlite3_step(import->store->rollback);
        sqlite3_reset(import->store->rollback);
    }
    free(list.names);
    free(list.bytes);
    return is_done;
}

bool cs_import_folder(cs_store *store, const char *folder, const cb_options *options, cs_import_counts *counts) {
    import import = {.store = store, .options = options, .counts = counts};
    *counts = (cs_import_counts){0};
    import.folder_size = (size_t)snprintf(import.path, sizeof import.path, "%s/", folder);
    import.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (import.folder < 0) return fail(&import, "cannot open");
    bool is_done = prepare(&import) && import_all(&import);
    sqlite3_finalize(import.find_file);
    sqlite3_finalize(import.remember_file);
    sqlite3_finalize(import.upsert);
    free(import.buffer);
    close(import.folder);
    return is_done;
}

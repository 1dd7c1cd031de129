#include "store.h"
#include <stdlib.h>
#include <string.h>

// An account out of a row. The texts are copies, since SQLite's own are gone with the next step.
typedef struct {
    char *token;
    char *extras;
    size_t token_size;
    size_t extras_size;
    int64_t uid;
    int64_t expires_in;
    int64_t remind_in;
    int64_t obtained_at;
    bool has_obtained_at;
} account;

static bool copy_text(sqlite3_stmt *statement, int column, char **copy, size_t *size) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    *copy = NULL;
    *size = (size_t)sqlite3_column_bytes(statement, column);
    if (!text) return sqlite3_column_type(statement, column) == SQLITE_NULL;
    *copy = malloc(*size + 1);
    if (!*copy) return false;
    memcpy(*copy, text, *size);
    (*copy)[*size] = 0;
    return true;
}

// Extras that have nothing in them are none, and need no copy.
static bool copy_extras(sqlite3_stmt *statement, account *account) {
    const unsigned char *text = sqlite3_column_text(statement, CS_EXTRAS);
    account->extras = NULL;
    account->extras_size = 0;
    if (text && sqlite3_column_bytes(statement, CS_EXTRAS) == 2 && text[0] == '{' && text[1] == '}') return true;
    return copy_text(statement, CS_EXTRAS, &account->extras, &account->extras_size);
}

static bool read_account(cs_store *store, sqlite3_stmt *statement, account *account) {
    account->uid = sqlite3_column_int64(statement, CS_UID);
    account->expires_in = sqlite3_column_int64(statement, CS_EXPIRES_IN);
    account->remind_in = sqlite3_column_int64(statement, CS_REMIND_IN);
    account->has_obtained_at = sqlite3_column_type(statement, CS_OBTAINED_AT) != SQLITE_NULL;
    account->obtained_at = account->has_obtained_at ? sqlite3_column_int64(statement, CS_OBTAINED_AT) : 0;
    if (!copy_text(statement, CS_TOKEN, &account->token, &account->token_size)) return cs_fail(store);
    if (copy_extras(statement, account)) return true;
    free(account->token);
    return cs_fail(store);
}

static uint64_t digest(const account *account) {
    uint64_t first = account->token_size ? (unsigned char)account->token[0] : 0;
    return cs_digest(account->uid, account->expires_in, account->remind_in, account->obtained_at, account->token_size,
                     first);
}

static void free_texts(account *account) {
    free(account->token);
    free(account->extras);
}

static bool read_point(cs_store *store, int64_t uid, uint64_t *sum) {
    sqlite3_stmt *statement = store->select_one;
    if (sqlite3_bind_int64(statement, 1, uid) != SQLITE_OK) return cs_fail(store);
    int code = sqlite3_step(statement);
    account found;
    bool is_read = code == SQLITE_DONE;
    if (code == SQLITE_ROW && read_account(store, statement, &found)) {
        *sum += digest(&found);
        free_texts(&found);
        is_read = true;
    }
    return (sqlite3_reset(statement) == SQLITE_OK && is_read) || cs_fail(store);
}

bool cs_read_points(cs_store *store, const int64_t *uids, size_t count, bool in_one_transaction, uint64_t *sum) {
    if (in_one_transaction && !cs_run(store, store->begin_read)) return false;
    bool is_read = true;
    *sum = 0;
    for (size_t index = 0; index < count && is_read; index++) is_read = read_point(store, uids[index], sum);
    return (!in_one_transaction || cs_run(store, store->commit)) && is_read;
}

bool cs_stream(cs_store *store, uint64_t *sum) {
    sqlite3_stmt *statement = store->select_all;
    account found;
    int code;
    *sum = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && read_account(store, statement, &found)) {
        *sum += digest(&found);
        free_texts(&found);
    }
    return (sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE) || cs_fail(store);
}

// All accounts, in memory that grows as they come.
typedef struct {
    account *accounts;
    size_t count;
    size_t capacity;
} account_list;

static account *next_place(account_list *list) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 1024;
        account *grown = realloc(list->accounts, capacity * sizeof *grown);
        if (!grown) return NULL;
        list->accounts = grown;
        list->capacity = capacity;
    }
    return &list->accounts[list->count];
}

bool cs_scan(cs_store *store, uint64_t *sum) {
    sqlite3_stmt *statement = store->select_all;
    account_list list = {0};
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        account *place = next_place(&list);
        if (!place || !read_account(store, statement, place)) break;
        list.count++;
    }
    bool is_read = (sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE) || cs_fail(store);
    *sum = 0;
    for (size_t index = 0; index < list.count; index++) {
        *sum += digest(&list.accounts[index]);
        free_texts(&list.accounts[index]);
    }
    free(list.accounts);
    return is_read;
}

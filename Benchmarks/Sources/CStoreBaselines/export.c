#define _GNU_SOURCE
#include "CBaselines.h"
#include "store.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

// Writes a file under another name, and renames it when it is whole. What is left of one that fails is for the next export.
static bool write_file(int folder, int64_t uid, const uint8_t *bytes, size_t size, const int64_t *modified_at) {
    char name[32], part[64], place[64];
    snprintf(name, sizeof name, "%" PRId64, uid);
    snprintf(part, sizeof part, "%" PRId64 "/.account.data.part", uid);
    snprintf(place, sizeof place, "%" PRId64 "/account.data", uid);
    if (mkdirat(folder, name, 0700) != 0) return false;
    int file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return false;
    bool is_written = write_all(file, bytes, size);
    if (modified_at) {
        struct timespec time = {.tv_sec = *modified_at};
        futimens(file, (struct timespec[]){time, time});
    }
    return close(file) == 0 && is_written && renameat(folder, part, folder, place) == 0;
}

static bool export_row(cs_store *store, sqlite3_stmt *statement, int folder) {
    uint8_t buffer[4096];
    const unsigned char *token = sqlite3_column_text(statement, CS_TOKEN);
    cb_input account = {
        .token = (const char *)token,
        .token_size = (size_t)sqlite3_column_bytes(statement, CS_TOKEN),
        .expires_in = sqlite3_column_int64(statement, CS_EXPIRES_IN),
        .remind_in = sqlite3_column_int64(statement, CS_REMIND_IN),
        .uid = sqlite3_column_int64(statement, CS_UID),
    };
    bool has_time = sqlite3_column_type(statement, CS_OBTAINED_AT) != SQLITE_NULL;
    int64_t obtained_at = sqlite3_column_int64(statement, CS_OBTAINED_AT);
    size_t size = token ? cb_encode(&account, buffer, sizeof buffer) : 0;
    if (size == 0) {
        snprintf(store->error, sizeof store->error, "an account cannot be encoded");
        return false;
    }
    if (write_file(folder, account.uid, buffer, size, has_time ? &obtained_at : NULL)) return true;
    snprintf(store->error, sizeof store->error, "a file cannot be written: %s", strerror(errno));
    return false;
}

bool cs_export_all(cs_store *store, const char *path, size_t *count) {
    *count = 0;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        snprintf(store->error, sizeof store->error, "%s: %s", path, strerror(errno));
        return false;
    }
    sqlite3_stmt *statement = store->select_all;
    bool is_written = true;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && (is_written = export_row(store, statement, folder))) ++*count;
    close(folder);
    return (sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE) || (is_written && cs_fail(store));
}

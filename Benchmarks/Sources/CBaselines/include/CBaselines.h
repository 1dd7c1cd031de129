// The baselines in C: what a C programmer would write for the same work, with the same checks.
#ifndef C_BASELINES_H
#define C_BASELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *start;
    size_t size;
} cb_bytes;

// An account out of an archive. The token is UTF-8, ends with a NUL that token_size does not count, and is the caller's
// to free; it is NULL where the archive has nil.
typedef struct {
    char *token;
    size_t token_size;
    int64_t expires_in;
    int64_t remind_in;
    int64_t uid;
} cb_account;

typedef enum { CB_TOKEN, CB_EXPIRES_IN, CB_REMIND_IN, CB_UID, CB_PROPERTIES } cb_property;

// An archived key and the property that it is read as.
typedef struct {
    const char *key;
    cb_property property;
} cb_key;

// Which classes are accounts, and which keys are their properties.
typedef struct {
    const char *const *classes;
    size_t class_count;
    const cb_key *keys;
    size_t key_count;
    // Whether an account without remind_in has 0 there; otherwise it is refused.
    bool remind_in_may_be_missing;
} cb_options;

// Reads the account that is the root of a binary keyed archive. False for a file that is damaged or holds no account.
bool cb_decode(const uint8_t *file, size_t size, const cb_options *options, cb_account *account);

// Decodes all files, one after the other, and adds what was read up. False as soon as one is refused.
bool cb_decode_all(const cb_bytes *files, size_t count, const cb_options *options, uint64_t *sum);

// What is added up of an account: enough that nothing of it can be left out.
static inline uint64_t cb_digest(uint64_t uid, uint64_t expires_in, uint64_t remind_in, uint64_t token_size,
                                 uint64_t first_byte) {
    return uid + expires_in * 3 + remind_in * 5 + token_size * 7 + first_byte * 11;
}

// What is to be archived. The token is UTF-8.
typedef struct {
    const char *token;
    size_t token_size;
    int64_t expires_in;
    int64_t remind_in;
    int64_t uid;
} cb_input;

// Writes an account as the legacy app does on iOS 13: the same bytes as Apple's archiver. Gives their number, or 0 if the
// buffer is too small or the token is not UTF-8.
size_t cb_encode(const cb_input *account, uint8_t *buffer, size_t capacity);

// Encodes all accounts into one buffer, each over the one before, and adds checksums of the bytes up.
bool cb_encode_all(const cb_input *accounts, size_t count, uint8_t *buffer, size_t capacity, uint64_t *sum);

// A checksum of bytes: every one of them counts, and so does its place.
static inline uint64_t cb_checksum(const uint8_t *bytes, size_t size) {
    uint64_t sum = size, word;
    size_t offset = 0;
    for (; size - offset >= 8; offset += 8) {
        __builtin_memcpy(&word, bytes + offset, 8);
        sum = (sum << 7 | sum >> 57) + word;
    }
    for (; offset < size; offset++) sum = (sum << 7 | sum >> 57) + bytes[offset];
    return sum;
}

#endif

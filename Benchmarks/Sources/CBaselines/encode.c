#include "CBaselines.h"

#include "text.h"

#include <string.h>

// The file as it grows, and where its objects begin.
typedef struct {
    uint8_t *file;
    uint8_t *end;
    uint32_t offsets[32];
    uint32_t count;
} writer;

static inline void begin(writer *writer) { writer->offsets[writer->count++] = (uint32_t)(writer->end - writer->file); }

static inline void put(writer *writer, const void *bytes, size_t size) {
    memcpy(writer->end, bytes, size);
    writer->end += size;
}

static inline void put_big_endian(writer *writer, uint64_t number, unsigned width) {
    uint64_t swapped = __builtin_bswap64(number << (64 - 8 * width));
    memcpy(writer->end, &swapped, 8);
    writer->end += width;
}

// A text of up to 14 ASCII characters.
#define PUT_TEXT(writer, literal)                                                                                      \
    do {                                                                                                               \
        begin(writer);                                                                                                 \
        *(writer)->end++ = 0x50 | (sizeof(literal) - 1);                                                               \
        put(writer, literal, sizeof(literal) - 1);                                                                     \
    } while (0)

// A container of up to 14 elements: its marker, and the references.
#define PUT_CONTAINER(writer, ...)                                                                                     \
    do {                                                                                                               \
        const uint8_t bytes[] = {__VA_ARGS__};                                                                         \
        begin(writer);                                                                                                 \
        put(writer, bytes, sizeof bytes);                                                                              \
    } while (0)

static inline void put_uid(writer *writer, uint8_t index) {
    begin(writer);
    *writer->end++ = 0x80;
    *writer->end++ = index;
}

static inline void put_integer(writer *writer, int64_t number) {
    begin(writer);
    if (number < 0 || number > UINT32_MAX) {
        *writer->end++ = 0x13;
        put_big_endian(writer, (uint64_t)number, 8);
    } else if (number > UINT16_MAX) {
        *writer->end++ = 0x12;
        put_big_endian(writer, (uint64_t)number, 4);
    } else if (number > UINT8_MAX) {
        *writer->end++ = 0x11;
        put_big_endian(writer, (uint64_t)number, 2);
    } else {
        *writer->end++ = 0x10;
        *writer->end++ = (uint8_t)number;
    }
}

static inline void put_length(writer *writer, uint8_t marker, size_t length) {
    if (length < 15) {
        *writer->end++ = marker | (uint8_t)length;
        return;
    }
    *writer->end++ = marker | 0x0F;
    unsigned power = length <= UINT8_MAX ? 0 : length <= UINT16_MAX ? 1 : 2;
    *writer->end++ = 0x10 | (uint8_t)power;
    put_big_endian(writer, length, 1u << power);
}

// The next character of UTF-8 text; -1 if it is none.
static int64_t next_scalar(const uint8_t **position, const uint8_t *end) {
    const uint8_t *p = *position;
    uint32_t lead = *p++, length = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || (size_t)(end - p) < length) return -1;
    uint32_t scalar = length == 0 ? lead : lead & (0x3Fu >> length);
    for (uint32_t i = 0; i < length; i++) {
        if ((*p & 0xC0) != 0x80) return -1;
        scalar = scalar << 6 | (*p++ & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (scalar < least[length] || scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000)) return -1;
    *position = p;
    return scalar;
}

static bool put_utf16(writer *writer, const char *text, size_t size) {
    const uint8_t *position = (const uint8_t *)text, *end = position + size;
    size_t units = 0;
    while (position < end) {
        int64_t scalar = next_scalar(&position, end);
        if (scalar < 0) return false;
        units += scalar > 0xFFFF ? 2 : 1;
    }
    put_length(writer, 0x60, units);
    for (position = (const uint8_t *)text; position < end;) {
        uint32_t scalar = (uint32_t)next_scalar(&position, end);
        if (scalar > 0xFFFF) {
            put_big_endian(writer, 0xD800 + ((scalar - 0x10000) >> 10), 2);
            put_big_endian(writer, 0xDC00 + ((scalar - 0x10000) & 0x3FF), 2);
        } else {
            put_big_endian(writer, scalar, 2);
        }
    }
    return true;
}

static inline bool put_token(writer *writer, const cb_input *account) {
    begin(writer);
    if (!is_ascii((const uint8_t *)account->token, account->token_size)) return put_utf16(writer, account->token, account->token_size);
    put_length(writer, 0x50, account->token_size);
    put(writer, account->token, account->token_size);
    return true;
}

static void put_table_and_trailer(writer *writer) {
    uint32_t table = (uint32_t)(writer->end - writer->file);
    unsigned width = table <= UINT8_MAX ? 1 : table <= UINT16_MAX ? 2 : 4;
    if (width == 1) {
        for (uint32_t i = 0; i < writer->count; i++) *writer->end++ = (uint8_t)writer->offsets[i];
    } else {
        for (uint32_t i = 0; i < writer->count; i++) put_big_endian(writer, writer->offsets[i], width);
    }
    const uint8_t head[] = {0, 0, 0, 0, 0, 0, (uint8_t)width, 1};
    put(writer, head, sizeof head);
    put_big_endian(writer, writer->count, 8);
    put_big_endian(writer, 0, 8);
    put_big_endian(writer, table, 8);
}

// Integers within 56 bits share one object per value, which is the first that was written.
static inline bool is_shared(int64_t number, int64_t earlier) {
    return number == earlier && number >= -((int64_t)1 << 55) && number < ((int64_t)1 << 55);
}

size_t cb_encode(const cb_input *account, uint8_t *buffer, size_t capacity) {
    if (account->token_size > UINT32_MAX / 4 || capacity < 512 + 2 * account->token_size) return 0;
    // The references of the account's values. Each that is shared moves those that follow.
    const uint8_t version = 5;
    uint8_t next = 19;
    uint8_t uid = is_shared(account->uid, 100000) ? version : next++;
    uint8_t expires = is_shared(account->expires_in, 100000)         ? version
                      : is_shared(account->expires_in, account->uid) ? uid
                                                                     : next++;
    uint8_t token = next++;
    uint8_t remind = is_shared(account->remind_in, 100000)                ? version
                     : is_shared(account->remind_in, account->uid)        ? uid
                     : is_shared(account->remind_in, account->expires_in) ? expires
                                                                          : next++;
    uint8_t text = next, class = next + 1;

    writer writer = {.file = buffer, .end = buffer, .count = 0};
    put(&writer, "bplist00", 8);
    PUT_CONTAINER(&writer, 0xD4, 1, 2, 3, 4, version, 6, 7, 10);
    PUT_TEXT(&writer, "$version");
    PUT_TEXT(&writer, "$archiver");
    PUT_TEXT(&writer, "$top");
    PUT_TEXT(&writer, "$objects");
    put_integer(&writer, 100000);
    begin(&writer);
    put(&writer, "\x5F\x10\x0FNSKeyedArchiver", 18);
    PUT_CONTAINER(&writer, 0xD1, 8, 9);
    PUT_TEXT(&writer, "root");
    put_uid(&writer, 1);
    PUT_CONTAINER(&writer, 0xA4, 11, 12, text, class);
    PUT_TEXT(&writer, "$null");
    PUT_CONTAINER(&writer, 0xD5, 13, 14, 15, 16, 17, 18, uid, expires, token, remind);
    PUT_TEXT(&writer, "$class");
    PUT_TEXT(&writer, "uid");
    PUT_TEXT(&writer, "expires_in");
    PUT_TEXT(&writer, "access_token");
    PUT_TEXT(&writer, "remind_in");
    put_uid(&writer, 3);
    if (uid == 19) put_integer(&writer, account->uid);
    if (expires == writer.count) put_integer(&writer, account->expires_in);
    put_uid(&writer, 2);
    if (remind == writer.count) put_integer(&writer, account->remind_in);
    if (!put_token(&writer, account)) return 0;
    PUT_CONTAINER(&writer, 0xD2, class + 1, class + 2, class + 3, class + 4);
    PUT_TEXT(&writer, "$classname");
    PUT_TEXT(&writer, "$classes");
    PUT_TEXT(&writer, "Account");
    PUT_CONTAINER(&writer, 0xA2, class + 3, class + 5);
    PUT_TEXT(&writer, "NSObject");
    put_table_and_trailer(&writer);
    return (size_t)(writer.end - writer.file);
}

bool cb_encode_all(const cb_input *accounts, size_t count, uint8_t *buffer, size_t capacity, uint64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = cb_encode(&accounts[i], buffer, capacity);
        if (size == 0) return false;
        *sum += cb_checksum(buffer, size);
    }
    return true;
}

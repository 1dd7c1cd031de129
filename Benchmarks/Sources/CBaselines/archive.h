// A binary property list as a table of objects on the stack, checked as it is filled.
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_OBJECTS = 512 };

typedef enum { BOOL, INTEGER, REAL, DATE, DATA, ASCII, UTF16, UID, ARRAY, SET, DICTIONARY } kind;

// An object. `content` is where its bytes or references begin, `count` how many units of them there are.
typedef struct {
    uint32_t start;
    uint32_t end;
    uint32_t content;
    uint32_t count;
    uint8_t kind;
} object;

typedef struct {
    const uint8_t *file;
    size_t table;
    uint32_t count;
    uint32_t top;
    uint8_t offset_size;
    uint8_t reference_size;
    object objects[MOST_OBJECTS];
} plist;

static inline uint64_t big_endian(const uint8_t *bytes, unsigned width) {
    uint16_t two;
    uint32_t four;
    uint64_t value = 0;
    switch (width) {
    case 1: return bytes[0];
    case 2: __builtin_memcpy(&two, bytes, 2); return __builtin_bswap16(two);
    case 4: __builtin_memcpy(&four, bytes, 4); return __builtin_bswap32(four);
    case 8: __builtin_memcpy(&value, bytes, 8); return __builtin_bswap64(value);
    default:
        for (unsigned i = 0; i < width; i++) value = value << 8 | bytes[i];
        return value;
    }
}

// The n-th reference of a container, which is in range.
static inline uint32_t reference(const plist *list, const object *container, uint32_t n) {
    return (uint32_t)big_endian(list->file + container->content + (size_t)n * list->reference_size,
                                list->reference_size);
}

// Reads and checks all objects; false if the file is damaged.
bool read_plist(plist *list, const uint8_t *file, size_t size);

#endif

// What reading and writing archives ask of text.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool is_ascii(const uint8_t *bytes, size_t size) {
    uint64_t word, seen = 0;
    size_t offset = 0;
    for (; size - offset >= 8; offset += 8) {
        memcpy(&word, bytes + offset, 8);
        seen |= word;
    }
    for (; offset < size; offset++) seen |= bytes[offset];
    return (seen & 0x8080808080808080) == 0;
}

#endif

#include "archive.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static bool read_trailer(plist *list, size_t size) {
    if (size < 8 + 32 || memcmp(list->file, "bplist00", 8) != 0) return false;
    const uint8_t *trailer = list->file + size - 32;
    list->offset_size = trailer[6];
    list->reference_size = trailer[7];
    uint64_t count = big_endian(trailer + 8, 8), top = big_endian(trailer + 16, 8), table = big_endian(trailer + 24, 8);
    if (list->offset_size < 1 || list->offset_size > 8 || list->reference_size < 1 || list->reference_size > 8)
        return false;
    if (size > UINT32_MAX || table <= 8 || table >= size - 32 || count < 1 || count > MOST_OBJECTS || top >= count)
        return false;
    if (count * list->offset_size != size - 32 - table) return false;
    list->count = (uint32_t)count;
    list->top = (uint32_t)top;
    list->table = table;
    return true;
}

// Whether each surrogate has its other half.
static bool is_utf16(const uint8_t *bytes, size_t units) {
    for (size_t i = 0; i < units; i++) {
        unsigned unit = (unsigned)big_endian(bytes + 2 * i, 2);
        if (unit < 0xD800 || unit > 0xDFFF) continue;
        if (unit > 0xDBFF || i + 1 == units) return false;
        unsigned low = (unsigned)big_endian(bytes + 2 * ++i, 2);
        if (low < 0xDC00 || low > 0xDFFF) return false;
    }
    return true;
}

// The length of an object, in the marker or after it; moves the position to the content.
static bool read_length(const plist *list, size_t *position, uint64_t *length) {
    *length = list->file[*position] & 0x0F;
    *position += 1;
    if (*length < 15) return true;
    if (*position >= list->table) return false;
    uint8_t marker = list->file[*position];
    if (marker < 0x10 || marker > 0x13) return false;
    unsigned width = 1u << (marker & 0x0F);
    *position += 1;
    if (list->table - *position < width) return false;
    *length = big_endian(list->file + *position, width);
    *position += width;
    return true;
}

static bool references_are_in_range(const plist *list, const object *container, uint64_t count) {
    const uint8_t *position = list->file + container->content;
    if (list->reference_size == 1) {
        for (uint64_t i = 0; i < count; i++)
            if (position[i] >= list->count) return false;
        return true;
    }
    for (uint64_t i = 0; i < count; i++, position += list->reference_size)
        if (big_endian(position, list->reference_size) >= list->count) return false;
    return true;
}

static bool read_object(const plist *list, object *object) {
    const uint8_t *file = list->file;
    size_t position = object->start;
    uint8_t marker = file[position];
    uint64_t length, size;
    switch (marker >> 4) {
    case 0x0:
        if (marker != 0x08 && marker != 0x09) return false;
        object->kind = BOOL;
        position += 1;
        size = length = 0;
        break;
    case 0x1:
        if (marker > 0x14) return false;
        object->kind = INTEGER;
        position += 1;
        size = length = 1u << (marker & 0x0F);
        break;
    case 0x2:
        if (marker != 0x22 && marker != 0x23) return false;
        object->kind = REAL;
        position += 1;
        size = length = 1u << (marker & 0x0F);
        break;
    case 0x3:
        if (marker != 0x33) return false;
        object->kind = DATE;
        position += 1;
        size = length = 8;
        break;
    case 0x8:
        object->kind = UID;
        position += 1;
        size = length = (marker & 0x0F) + 1u;
        break;
    case 0x4:
    case 0x5:
        object->kind = marker < 0x50 ? DATA : ASCII;
        if (!read_length(list, &position, &length)) return false;
        size = length;
        break;
    case 0x6:
        object->kind = UTF16;
        if (!read_length(list, &position, &length) || length > UINT32_MAX) return false;
        size = 2 * length;
        break;
    case 0xA:
    case 0xC:
        object->kind = marker < 0xC0 ? ARRAY : SET;
        if (!read_length(list, &position, &length) || length > UINT32_MAX) return false;
        size = length * list->reference_size;
        break;
    case 0xD:
        object->kind = DICTIONARY;
        if (!read_length(list, &position, &length) || length > UINT32_MAX) return false;
        size = 2 * length * list->reference_size;
        break;
    default:
        return false;
    }
    if (size > list->table - position) return false;
    object->content = (uint32_t)position;
    object->count = (uint32_t)length;
    object->end = (uint32_t)(position + size);
    switch (object->kind) {
    case ASCII: return is_ascii(file + position, size);
    case UTF16: return is_utf16(file + position, length);
    case ARRAY:
    case SET: return references_are_in_range(list, object, length);
    case DICTIONARY: return references_are_in_range(list, object, 2 * length);
    default: return true;
    }
}

static int by_start(const void *left, const void *right) {
    uint32_t a = (*(const object *const *)left)->start, b = (*(const object *const *)right)->start;
    return a < b ? -1 : a > b;
}

// Whether objects that are not in the order of the table fill the file without a gap or an overlap.
static bool fill_the_file(const plist *list) {
    const object *order[MOST_OBJECTS];
    for (uint32_t i = 0; i < list->count; i++) order[i] = &list->objects[i];
    qsort(order, list->count, sizeof order[0], by_start);
    size_t end = 8;
    for (uint32_t i = 0; i < list->count; i++) {
        if (order[i]->start != end) return false;
        end = order[i]->end;
    }
    return end == list->table;
}

// Whether all keys are texts and none is there twice.
static bool keys_are_sound(const plist *list, const object *dictionary) {
    for (uint32_t i = 0; i < dictionary->count; i++) {
        uint32_t index = reference(list, dictionary, i);
        const object *key = &list->objects[index];
        if (key->kind != ASCII && key->kind != UTF16) return false;
        for (uint32_t j = 0; j < i; j++) {
            const object *other = &list->objects[reference(list, dictionary, j)];
            if (other->count == key->count && other->kind == key->kind &&
                memcmp(list->file + other->content, list->file + key->content, key->end - key->content) == 0)
                return false;
        }
    }
    return true;
}

bool read_plist(plist *list, const uint8_t *file, size_t size) {
    list->file = file;
    if (!read_trailer(list, size)) return false;
    size_t expected = 8;
    bool in_order = true;
    const uint8_t *entry = file + list->table;
    for (uint32_t i = 0; i < list->count; i++, entry += list->offset_size) {
        uint64_t start = big_endian(entry, list->offset_size);
        if (start < 8 || start >= list->table) return false;
        list->objects[i].start = (uint32_t)start;
        if (!read_object(list, &list->objects[i])) return false;
        in_order &= start == expected;
        expected = list->objects[i].end;
    }
    if (!(in_order && expected == list->table) && !fill_the_file(list)) return false;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->objects[i].kind == DICTIONARY && !keys_are_sound(list, &list->objects[i])) return false;
    return true;
}

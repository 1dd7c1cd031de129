#include "CBaselines.h"
#include "archive.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    plist list;
    const object *elements;
} archive;

static bool is_text(const plist *list, const object *object, const char *text, size_t size) {
    return object->kind == ASCII && object->count == size && memcmp(list->file + object->content, text, size) == 0;
}

#define IS_TEXT(list, object, literal) is_text(list, object, literal, sizeof(literal) - 1)

// The value under a key of a dictionary, or NULL.
static const object *value(const plist *list, const object *dictionary, const char *key, size_t size) {
    for (uint32_t i = 0; i < dictionary->count; i++)
        if (is_text(list, &list->objects[reference(list, dictionary, i)], key, size))
            return &list->objects[reference(list, dictionary, dictionary->count + i)];
    return NULL;
}

#define VALUE(list, dictionary, literal) value(list, dictionary, literal, sizeof(literal) - 1)

static bool small_unsigned(const plist *list, const object *object, uint64_t *number) {
    const uint8_t *bytes = list->file + object->content;
    uint32_t width = object->count;
    for (; width > 8; width--)
        if (*bytes++ != 0) return false;
    *number = big_endian(bytes, width);
    return true;
}

static bool signed_integer(const plist *list, const object *object, int64_t *number) {
    const uint8_t *bytes = list->file + object->content;
    if (object->count < 8) {
        *number = (int64_t)big_endian(bytes, object->count);
        return true;
    }
    if (object->count == 8) {
        *number = (int64_t)big_endian(bytes, 8);
        return true;
    }
    int64_t high = (int64_t)big_endian(bytes, 8);
    *number = (int64_t)big_endian(bytes + 8, 8);
    return high == (*number < 0 ? -1 : 0);
}

// The element of $objects that a UID, which is in range, refers to; NULL for nil.
static const object *element(const archive *archive, const object *uid) {
    uint64_t index = 0;
    if (!small_unsigned(&archive->list, uid, &index) || index == 0) return NULL;
    return &archive->list.objects[reference(&archive->list, archive->elements, (uint32_t)index)];
}

static bool uids_are_in_range(const archive *archive) {
    for (uint32_t i = 0; i < archive->list.count; i++) {
        const object *object = &archive->list.objects[i];
        uint64_t index;
        if (object->kind == UID &&
            (!small_unsigned(&archive->list, object, &index) || index >= archive->elements->count))
            return false;
    }
    return true;
}

// Checks the top dictionary and gives the root object.
static const object *read_root(archive *archive) {
    const plist *list = &archive->list;
    const object *top = &list->objects[list->top];
    if (top->kind != DICTIONARY) return NULL;
    const object *archiver = VALUE(list, top, "$archiver"), *version = VALUE(list, top, "$version");
    const object *names = VALUE(list, top, "$top"), *objects = VALUE(list, top, "$objects");
    if (!archiver || !version || !names || !objects) return NULL;
    int64_t number;
    if (!IS_TEXT(list, archiver, "NSKeyedArchiver")) return NULL;
    if (version->kind != INTEGER || !signed_integer(list, version, &number) || number != 100000) return NULL;
    if (names->kind != DICTIONARY || objects->kind != ARRAY || objects->count == 0) return NULL;
    if (!IS_TEXT(list, &list->objects[reference(list, objects, 0)], "$null")) return NULL;
    archive->elements = objects;
    if (!uids_are_in_range(archive)) return NULL;
    const object *root = VALUE(list, names, "root");
    if (!root && names->count == 1) root = &list->objects[reference(list, names, 1)];
    return root && root->kind == UID ? element(archive, root) : NULL;
}

static bool class_matches(const plist *list, const object *name, const char *wanted) {
    size_t size = strlen(wanted);
    if (is_text(list, name, wanted, size)) return true;
    // The Swift class of that name, in any module.
    if (name->kind != ASCII || name->count < size + 2 || strchr(wanted, '.')) return false;
    const uint8_t *end = list->file + name->end;
    return end[-(ptrdiff_t)size - 1] == '.' && memcmp(end - size, wanted, size) == 0;
}

// Whether an object is of an accepted class, by its own name or a superclass's.
static bool class_is_accepted(const archive *archive, const object *instance, const cb_options *options) {
    const plist *list = &archive->list;
    const object *uid = VALUE(list, instance, "$class");
    if (!uid || uid->kind != UID) return false;
    const object *description = element(archive, uid);
    if (!description || description->kind != DICTIONARY) return false;
    const object *name = VALUE(list, description, "$classname"), *chain = VALUE(list, description, "$classes");
    if (!name || (name->kind != ASCII && name->kind != UTF16) || (chain && chain->kind != ARRAY)) return false;
    bool accepted = false;
    for (size_t i = 0; i < options->class_count && !accepted; i++)
        accepted = class_matches(list, name, options->classes[i]);
    for (uint32_t n = 0; chain && n < chain->count; n++) {
        const object *ancestor = &list->objects[reference(list, chain, n)];
        if (ancestor->kind != ASCII && ancestor->kind != UTF16) return false;
        for (size_t i = 0; i < options->class_count && !accepted; i++)
            accepted = class_matches(list, ancestor, options->classes[i]);
    }
    return accepted;
}

static bool digits(const uint8_t *text, size_t size, int64_t *number) {
    bool negative = size > 0 && text[0] == '-';
    size_t i = size > 0 && (text[0] == '-' || text[0] == '+');
    if (i == size) return false;
    int64_t value = 0;
    for (; i < size; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9) return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (negative ? __builtin_sub_overflow(value, digit, &value) : __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *number = value;
    return true;
}

static bool integral(const plist *list, const object *real, int64_t *number) {
    uint64_t bits = big_endian(list->file + real->content, real->count);
    double value;
    if (real->count == 4) {
        uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, 4);
        value = single;
    } else {
        memcpy(&value, &bits, 8);
    }
    if (!(value >= -0x1p63 && value < 0x1p63) || value != (double)(int64_t)value) return false;
    *number = (int64_t)value;
    return true;
}

// An integer that stands in the object's own dictionary, or is an NSNumber or a text with digits.
static bool read_integer(const archive *archive, const object *object, int64_t *number) {
    if (object->kind == UID && !(object = element(archive, object))) return false;
    switch (object->kind) {
    case INTEGER: return signed_integer(&archive->list, object, number);
    case REAL: return integral(&archive->list, object, number);
    case ASCII: return digits(archive->list.file + object->content, object->count, number);
    default: return false;
    }
}

static char *put_utf8(char *end, uint32_t scalar) {
    if (scalar < 0x80) {
        *end++ = (char)scalar;
    } else if (scalar < 0x800) {
        *end++ = (char)(0xC0 | scalar >> 6);
        *end++ = (char)(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        *end++ = (char)(0xE0 | scalar >> 12);
        *end++ = (char)(0x80 | (scalar >> 6 & 0x3F));
        *end++ = (char)(0x80 | (scalar & 0x3F));
    } else {
        *end++ = (char)(0xF0 | scalar >> 18);
        *end++ = (char)(0x80 | (scalar >> 12 & 0x3F));
        *end++ = (char)(0x80 | (scalar >> 6 & 0x3F));
        *end++ = (char)(0x80 | (scalar & 0x3F));
    }
    return end;
}

static bool copy_text(const plist *list, const object *text, cb_account *account) {
    const uint8_t *bytes = list->file + text->content;
    if (text->kind == ASCII) {
        account->token = malloc((size_t)text->count + 1);
        if (!account->token) return false;
        memcpy(account->token, bytes, text->count);
        account->token_size = text->count;
    } else {
        account->token = malloc(3 * (size_t)text->count + 1);
        if (!account->token) return false;
        char *end = account->token;
        for (uint32_t i = 0; i < text->count; i++) {
            uint32_t scalar = (uint32_t)big_endian(bytes + 2 * (size_t)i, 2);
            if (scalar >= 0xD800 && scalar < 0xDC00)
                scalar = 0x10000 + ((scalar - 0xD800) << 10) + (uint32_t)big_endian(bytes + 2 * (size_t)++i, 2) - 0xDC00;
            end = put_utf8(end, scalar);
        }
        account->token_size = (size_t)(end - account->token);
    }
    account->token[account->token_size] = 0;
    return true;
}

static bool read_token(const archive *archive, const object *object, cb_account *account) {
    if (object->kind == UID && !(object = element(archive, object))) return true;
    // An NSMutableString is an object with its text in a field.
    if (object->kind == DICTIONARY && !(object = VALUE(&archive->list, object, "NS.string"))) return false;
    if (object->kind == UID && !(object = element(archive, object))) return false;
    return (object->kind == ASCII || object->kind == UTF16) && copy_text(&archive->list, object, account);
}

static bool read_field(const archive *archive, const object *object, cb_property property, cb_account *account) {
    switch (property) {
    case CB_TOKEN: return read_token(archive, object, account);
    case CB_EXPIRES_IN: return read_integer(archive, object, &account->expires_in);
    case CB_REMIND_IN: return read_integer(archive, object, &account->remind_in);
    case CB_UID: return read_integer(archive, object, &account->uid);
    default: return false;
    }
}

static bool read_fields(const archive *archive, const object *root, const cb_options *options, cb_account *account) {
    const plist *list = &archive->list;
    unsigned seen = options->remind_in_may_be_missing ? 1u << CB_REMIND_IN : 0;
    unsigned found = 0;
    for (uint32_t i = 0; i < root->count; i++) {
        const object *key = &list->objects[reference(list, root, i)];
        for (size_t k = 0; k < options->key_count; k++) {
            if (!is_text(list, key, options->keys[k].key, strlen(options->keys[k].key))) continue;
            cb_property property = options->keys[k].property;
            if (found & 1u << property) return false;
            found |= 1u << property;
            const object *content = &list->objects[reference(list, root, root->count + i)];
            if (!read_field(archive, content, property, account)) return false;
            break;
        }
    }
    return (seen | found) == (1u << CB_PROPERTIES) - 1;
}

bool cb_decode(const uint8_t *file, size_t size, const cb_options *options, cb_account *account) {
    archive archive;
    memset(account, 0, sizeof *account);
    if (!read_plist(&archive.list, file, size)) return false;
    const object *root = read_root(&archive);
    if (!root || root->kind != DICTIONARY || !class_is_accepted(&archive, root, options)) return false;
    if (read_fields(&archive, root, options, account)) return true;
    free(account->token);
    account->token = NULL;
    return false;
}

bool cb_decode_all(const cb_bytes *files, size_t count, const cb_options *options, uint64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        cb_account account;
        if (!cb_decode(files[i].start, files[i].size, options, &account)) return false;
        *sum += cb_digest((uint64_t)account.uid, (uint64_t)account.expires_in, (uint64_t)account.remind_in,
                          account.token_size, account.token_size > 0 ? (uint8_t)account.token[0] : 0);
        free(account.token);
    }
    return true;
}

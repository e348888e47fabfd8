/* Inputs that are edits of something valid. */
#include "edits.h"

#include "check.h"

#include <math.h>

enum { WORD = 8 };

static uint64_t often_wrong(uint8_t which)
{
    static const double reals[] = {NAN, INFINITY, -INFINITY, -1, 1e308, 5e-324, -0.0, 0.5};
    static const uint64_t wholes[] = {0,          1,         2,          UINT64_MAX, UINT64_MAX - 1,
                                      1ull << 63, INT64_MAX, UINT32_MAX, 1ull << 32, 1ull << 62,
                                      8192,       255};
    const size_t count = sizeof wholes / sizeof *wholes, real = which % 20;
    uint64_t bits;
    if (real < count)
        return wholes[real];
    memcpy(&bits, &reals[real - count], sizeof bits);
    return bits;
}

/* Replace `out` bytes at a place by `in` bytes, which the caller fills. */
static void splice(spn_bytes_edited *b, size_t at, size_t out, size_t in)
{
    const size_t rest = b->size - at - out, size = at + in + rest;
    uint8_t *made = malloc(size ? size : 1);
    require(made != NULL);
    memcpy(made, b->data, at);
    memset(made + at, 0, in);
    memcpy(made + at + in, b->data + at + out, rest);
    free(b->data);
    *b = (spn_bytes_edited){made, size};
}

static void set_word(spn_bytes_edited *b, size_t at, uint64_t value)
{
    at -= at % WORD;
    if (b->size >= WORD && at <= b->size - WORD)
        memcpy(b->data + at, &value, WORD);
}

static uint64_t get_word(const spn_bytes_edited *b, size_t at)
{
    uint64_t value = 0;
    at -= at % WORD;
    if (b->size >= WORD && at <= b->size - WORD)
        memcpy(&value, b->data + at, WORD);
    return value;
}

/* Returns how many bytes of the edit were used behind operation and place. */
static size_t apply(spn_bytes_edited *b, uint8_t operation, size_t at, const uint8_t *more)
{
    uint64_t word;
    memcpy(&word, more, WORD);
    switch (operation % 8) {
    case 0:
        b->data[at] = more[0];
        return 1;
    case 1:
        set_word(b, at, word);
        return WORD;
    case 2:
        set_word(b, at, often_wrong(more[0]));
        return 1;
    case 3:
        b->data[at] ^= more[0];
        return 1;
    case 4:
        splice(b, at, b->size - at, 0);
        return 0;
    case 5:
        splice(b, at, b->size - at < WORD ? b->size - at : WORD, 0);
        return 0;
    case 6:
        splice(b, at, 0, WORD);
        memcpy(b->data + at, &word, WORD);
        return WORD;
    default:
        set_word(b, at, get_word(b, at) + (uint64_t)(int64_t)(int8_t)more[0]);
        return 1;
    }
}

void apply_edits(spn_bytes_edited *bytes, const uint8_t *edits, size_t size)
{
    enum { MOST = 64, HEAD = 3 };
    for (size_t count = 0; size > HEAD && bytes->size > 0 && count < MOST; count++) {
        uint8_t more[WORD] = {0};
        const size_t left = size - HEAD;
        memcpy(more, edits + HEAD, left < WORD ? left : WORD);
        const size_t at = (edits[1] | (size_t)edits[2] << 8) % bytes->size;
        const size_t used = HEAD + apply(bytes, edits[0], at, more);
        edits += used < size ? used : size;
        size -= used < size ? used : size;
    }
}

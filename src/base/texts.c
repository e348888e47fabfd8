#include "base/texts.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LONGEST = 255 };

const char *spn_text_fault(spn_span text)
{
    if (text.size == 0)
        return "is empty";
    if (text.size > LONGEST)
        return "is longer than 255 bytes";
    for (size_t k = 0; k < text.size; k++)
        if ((unsigned char)text.text[k] < 0x20 || text.text[k] == 0x7f)
            return "holds a control character";
    return NULL;
}

void spn_texts_free(spn_texts *texts)
{
    spn_list_free(texts->texts, texts->count);
    free(texts->table);
    *texts = (spn_texts){0};
}

/* The slot of a text, or the free one for it. */
static size_t find_slot(const spn_texts *texts, spn_span text)
{
    size_t mask = texts->slots - 1;
    size_t slot = (size_t)XXH3_64bits_withSeed(text.text, text.size, texts->seed) & mask;
    while (texts->table[slot] && !spn_span_is(text, texts->texts[texts->table[slot] - 1]))
        slot = (slot + 1) & mask;
    return slot;
}

uint32_t spn_texts_find(const spn_texts *texts, spn_span text)
{
    if (texts->slots == 0)
        return SPN_NO_TEXT;
    const uint32_t entry = texts->table[find_slot(texts, text)];
    return entry ? entry - 1 : SPN_NO_TEXT;
}

static void enter_all(spn_texts *texts)
{
    memset(texts->table, 0, texts->slots * sizeof *texts->table);
    for (uint32_t k = 0; k < texts->count; k++)
        texts->table[find_slot(texts, (spn_span){texts->texts[k], strlen(texts->texts[k])})] =
            k + 1;
}

static bool enlarge_table(spn_texts *texts)
{
    const size_t slots = texts->slots ? texts->slots * 2 : 16;
    uint32_t *larger = spn_alloc(slots, sizeof *larger);
    if (!larger)
        return false;
    free(texts->table);
    if (texts->slots == 0)
        texts->seed = spn_hash_seed();
    texts->table = larger;
    texts->slots = slots;
    enter_all(texts);
    return true;
}

/* At most half of the slots are in use. */
bool spn_texts_add(uint32_t *out, spn_texts *texts, spn_span text)
{
    assert(!memchr(text.text, 0, text.size) && texts->count < UINT32_MAX / 2);
    *out = spn_texts_find(texts, text);
    if (*out != SPN_NO_TEXT)
        return true;
    if (texts->count >= texts->slots / 2 && !enlarge_table(texts))
        return false;
    if (!spn_grow(&texts->texts, &texts->capacity, texts->count + 1, sizeof *texts->texts))
        return false;
    char *copy = strndup(text.text, text.size);
    if (!copy)
        return false;
    texts->table[find_slot(texts, text)] = texts->count + 1;
    texts->texts[texts->count] = copy;
    *out = texts->count++;
    return true;
}

void spn_texts_cut(spn_texts *texts, uint32_t count)
{
    while (texts->count > count)
        free(texts->texts[--texts->count]);
    if (texts->slots > 0)
        enter_all(texts);
}

typedef struct ranked {
    char *text;
    long long value;
    uint32_t old;
} ranked;

static int compare_texts(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    return strcmp(left->text, right->text);
}

static int compare_values(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return strcmp(left->text, right->text);
}

/* Sign and digits that fit 64 bits; strtoll alone would accept blanks. */
static bool is_integer(const char *text, long long *out)
{
    size_t sign = *text == '-' || *text == '+';
    size_t digits = strspn(text + sign, "0123456789");
    if (digits == 0 || digits > 18 || text[sign + digits] != '\0')
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

bool spn_texts_sort(spn_texts *texts, uint32_t *new_numbers)
{
    if (texts->count == 0)
        return true;
    ranked *order = spn_alloc(texts->count, sizeof *order);
    if (!order)
        return false;
    bool integers = true;
    for (uint32_t k = 0; k < texts->count; k++) {
        order[k] = (ranked){.text = texts->texts[k], .old = k};
        integers = integers && is_integer(texts->texts[k], &order[k].value);
    }
    qsort(order, texts->count, sizeof *order, integers ? compare_values : compare_texts);
    for (uint32_t k = 0; k < texts->count; k++) {
        texts->texts[k] = order[k].text;
        if (new_numbers)
            new_numbers[order[k].old] = k;
    }
    free(order);
    enter_all(texts);
    return true;
}

/* Lists of distinct texts, found by their hash. */
#ifndef SPN_BASE_TEXTS_H
#define SPN_BASE_TEXTS_H

#include "base/text.h"

typedef struct spn_texts {
    char **texts; /* text k has the number k */
    size_t capacity;
    uint32_t count;
    uint32_t *table; /* number + 1; 0: free */
    size_t slots;    /* a power of two, or 0 */
    uint64_t seed;   /* of the hashes */
} spn_texts;

#define SPN_NO_TEXT UINT32_MAX

/* Number of a text; SPN_NO_TEXT if it is not in the list. */
uint32_t spn_texts_find(const spn_texts *texts, spn_span text);

/* The same; adds a new text. False without memory. The text has no NUL, and the list is not full
   (below 2^31). */
bool spn_texts_add(uint32_t *out, spn_texts *texts, spn_span text);

/* Drop the texts from number `count` on. */
void spn_texts_cut(spn_texts *texts, uint32_t count);

/* Sort: by value if all are integers of at most 18 digits, else by bytes. new_numbers: the new
   number of each old one; NULL if not wanted. False without memory; the list is then unchanged. */
bool spn_texts_sort(spn_texts *texts, uint32_t *new_numbers);

/* Why a text cannot be a class or category, in words that follow it; NULL: it can. */
const char *spn_text_fault(spn_span text);

void spn_texts_free(spn_texts *texts);

#endif

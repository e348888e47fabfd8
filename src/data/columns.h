/* Columns, as they are made while a file is read. */
#ifndef SPN_DATA_COLUMNS_H
#define SPN_DATA_COLUMNS_H

#include "base/text.h"

#include <spinney/columns.h>

/* ---- lists of distinct texts ---- */

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

typedef struct spn_column {
    spn_column_kind kind;
    char *name;           /* NULL: no header */
    spn_texts categories; /* of a CATEGORY; at least one */
    size_t feature;       /* the first feature of a NUMBER or CATEGORY */
} spn_column;

struct spn_columns {
    size_t count;
    spn_column *list;
    size_t features;
    char **feature_names; /* NULL: a number without a name */
    double *fills;        /* one for each feature, or NULL */
    spn_missing missing;
    bool header;          /* all columns have names, some perhaps empty; else none has */
    unsigned first_index; /* in svmlight, index of the first feature: 0 or 1 */
};

/* `count` columns of numbers without names; call spn_columns_finish later. NULL without memory. */
spn_columns *spn_columns_alloc(size_t count);

/* Number and name the features, once kinds, names and categories are known. False without
   memory. */
bool spn_columns_finish(spn_columns *columns);

/* `count` columns of numbers without names, for a file of features only. */
spn_status spn_columns_plain(spn_columns **out, size_t count, spn_missing missing, spn_error *err);

/* fills: `features` finite numbers, copied; NULL: those of the columns. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_columns_copy(spn_columns **out, const spn_columns *columns, const double *fills,
                            spn_error *err);

bool spn_is_missing(spn_span cell);

#endif

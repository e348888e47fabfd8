/* Columns, as they are made while a file is read. */
#ifndef SPN_DATA_COLUMNS_H
#define SPN_DATA_COLUMNS_H

#include "base/texts.h"

#include <spinney/columns.h>

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

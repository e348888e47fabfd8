/* Columns from inside: how they are made while a file is read. */
#ifndef SPN_DATA_COLUMNS_H
#define SPN_DATA_COLUMNS_H

#include "data/texts.h"

#include <spinney/columns.h>

typedef struct spn_column {
    spn_column_kind kind;
    char *name;           /* NULL without a header */
    spn_texts categories; /* of a CATEGORY, at least one */
    size_t feature;       /* the first that a NUMBER or CATEGORY makes */
} spn_column;

struct spn_columns {
    size_t count;
    spn_column *list;
    size_t features;
    char **feature_names; /* NULL for a number without a name */
    double *fills;        /* one for each feature, or NULL */
    spn_missing missing;
    bool header;          /* all columns have names, some perhaps empty; otherwise none has */
    unsigned first_index; /* in svmlight, the index of the first feature: 0 or 1 */
};

/* `count` columns of numbers, without names; call spn_columns_finish later. NULL without memory. */
spn_columns *spn_columns_alloc(size_t count);

/* Number the features and name them, once kinds, names and categories are known. False without
   memory. */
bool spn_columns_finish(spn_columns *columns);

/* The columns of a file of features only: `count` numbers without names. */
spn_status spn_columns_plain(spn_columns **out, size_t count, spn_missing missing, spn_error *err);

/* A copy; and one with these fills, `features` finite numbers, copied. Errors: ARGUMENT, MEMORY. */
spn_status spn_columns_copy(spn_columns **out, const spn_columns *columns, spn_error *err);
spn_status spn_columns_with_fills(spn_columns **out, const spn_columns *columns,
                                  const double *fills, spn_error *err);

/* Whether a cell has no value. */
bool spn_is_missing(spn_span cell);

#endif

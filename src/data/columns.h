/* Columns from inside: how they are made while a file is read. */
#ifndef SPN_DATA_COLUMNS_H
#define SPN_DATA_COLUMNS_H

#include "data/texts.h"

#include <spinney/columns.h>

typedef struct spn_column {
    spn_column_kind kind;
    char *name;           /* NULL where there was no header */
    spn_texts categories; /* of a CATEGORY, at least one */
    size_t feature;       /* its first, of NUMBER and CATEGORY */
} spn_column;

struct spn_columns {
    size_t count;
    spn_column *list;
    size_t features;
    char **feature_names; /* NULL for a number without a name */
    double *fills;        /* one for each feature, or NULL */
    spn_missing missing;
    bool header;          /* every column has a name, perhaps an empty one; else none has */
    unsigned first_index; /* of svmlight: the index of the first feature, 0 or 1 */
};

/* So many columns, all of numbers, without names; spn_columns_finish is still to come. NULL when
   there is no memory. */
spn_columns *spn_columns_alloc(size_t count);

/* Number the features and name them, once kinds, names and categories are known. False when there
   is no memory. */
bool spn_columns_finish(spn_columns *columns);

/* Columns of a file that is nothing but features: count numbers without names. */
spn_status spn_columns_plain(spn_columns **out, size_t count, spn_missing missing, spn_error *err);

/* Whether a cell is one without a value. */
bool spn_is_missing(spn_span cell);

#endif

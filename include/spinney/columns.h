/* Columns: how the columns of a table became the features of a dataset, so that another file, for a
   test or for predictions, can be read in the same way: which column is the label, which were
   dropped, the categories of those that hold texts, and what replaces missing values. */
#ifndef SPINNEY_COLUMNS_H
#define SPINNEY_COLUMNS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_columns spn_columns;

/* What a column of the table is. A column of numbers is one feature. A column of categories has one
   feature for each category, even if there are only two: 1 if the cell holds it, otherwise 0. */
typedef enum spn_column_kind {
    SPN_COLUMN_NUMBER = 0,
    SPN_COLUMN_CATEGORY,
    SPN_COLUMN_LABEL,
    SPN_COLUMN_DROPPED
} spn_column_kind;

/* What to do with cells without a value: empty ones, and NA, N/A, NaN, null (in any case), ? and a
   point alone. A
   missing category is 0 in all of its features. */
typedef enum spn_missing {
    SPN_MISSING_REFUSE = 0, /* an error, with their number and the first place */
    SPN_MISSING_MEAN,       /* the mean of the column over the training samples */
    SPN_MISSING_ZERO        /* the number 0 */
} spn_missing;

/* The name of a feature, such as "age" or "colour=red", or "3=red" if column 3 has no name; NULL
   for a number without a name. */
SPN_API const char *spn_columns_feature_name(const spn_columns *columns, size_t feature);

/* The text form, which model files hold: the kind, name and categories of every column, and what
   replaces missing values; docs/file-formats.md describes it. out: free it with free(). name: what
   errors call it. Errors: MEMORY; reading also INPUT, naming the line. */
SPN_API spn_status spn_columns_to_text(char **out, const spn_columns *columns, spn_error *err);
SPN_API spn_status spn_columns_from_text(spn_columns **out, const char *text, size_t size,
                                         const char *name, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_columns_free(spn_columns *columns);

SPN_NAMES(spn_column_kind) /* "number", "category", "label", "dropped" */
SPN_NAMES(spn_missing)     /* "refuse", "mean", "zero" */

SPN_END_C
#endif

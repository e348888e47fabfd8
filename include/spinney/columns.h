/* Columns: how the columns of a table became the features of a dataset, so that a further file, for
   a test or for predictions, can be read in the same way: which column is the label, which were
   dropped, the categories of those that hold texts, what stands in for missing values. */
#ifndef SPINNEY_COLUMNS_H
#define SPINNEY_COLUMNS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_columns spn_columns;

/* What a column of the table is. A column of numbers is one feature. A column of categories is one
   feature for each of them, also where there are two, in their order: 1 where the cell holds that
   category and 0 elsewhere. */
typedef enum spn_column_kind {
    SPN_COLUMN_NUMBER = 0,
    SPN_COLUMN_CATEGORY,
    SPN_COLUMN_LABEL,
    SPN_COLUMN_DROPPED
} spn_column_kind;

/* What is done about cells without a value: empty ones, and NA, NaN, null (in any case) and ?. A
   missing category is 0 in all of its features. */
typedef enum spn_missing {
    SPN_MISSING_REFUSE = 0, /* an error, with their number and the first place */
    SPN_MISSING_MEAN,       /* the mean of the column over the samples that are trained on */
    SPN_MISSING_ZERO        /* the number 0 */
} spn_missing;

/* The columns of the table that was read, in its order; texts belong to the object. All O(1).
   column: below spn_columns_count. */
SPN_API size_t spn_columns_count(const spn_columns *columns);
SPN_API spn_column_kind spn_columns_kind(const spn_columns *columns, size_t column);
/* As the header has it; NULL where there was none. */
SPN_API const char *spn_columns_name(const spn_columns *columns, size_t column);
/* Sorted, by value if all are integers and by bytes otherwise; NULL and 0 for other kinds. */
SPN_API const char *const *spn_columns_categories(size_t *count, const spn_columns *columns,
                                                  size_t column);

/* The features that they make, and their names: that of the column, or COLUMN=CATEGORY, with the
   column's number from 1 where it has no name; NULL for a number without a name. */
SPN_API size_t spn_columns_features(const spn_columns *columns);
SPN_API const char *spn_columns_feature_name(const spn_columns *columns, size_t feature);

/* What is done about missing values, and the numbers that stand in for them, one for each feature;
   NULL as long as they are not known: the means are those of what is trained on. */
SPN_API spn_missing spn_columns_missing(const spn_columns *columns);
SPN_API const double *spn_columns_fills(const spn_columns *columns);

/* A copy, and one that knows these fills, `features` finite numbers, copied. Errors: ARGUMENT,
   MEMORY. */
SPN_API spn_status spn_columns_copy(spn_columns **out, const spn_columns *columns, spn_error *err);
SPN_API spn_status spn_columns_with_fills(spn_columns **out, const spn_columns *columns,
                                          const double *fills, spn_error *err);

/* The text form, which model files hold; docs/file-formats.md describes it. out: to be freed with
   free(). Errors: MEMORY; when it is read back INPUT, naming the line. name: how errors call it. */
SPN_API spn_status spn_columns_to_text(char **out, const spn_columns *columns, spn_error *err);
SPN_API spn_status spn_columns_from_text(spn_columns **out, const char *text, size_t size,
                                         const char *name, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_columns_free(spn_columns *columns);

/* The names of kinds ("number", "category", "label", "dropped") and of what is done about missing
   values ("refuse", "mean", "zero"), NULL past the last; and back. Errors: ARGUMENT, with the
   nearest name. */
SPN_NAMES(spn_column_kind)
SPN_NAMES(spn_missing)

#ifdef __cplusplus
}
#endif
#endif

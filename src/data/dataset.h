/* Datasets and scalings from inside. */
#ifndef SPN_DATA_DATASET_H
#define SPN_DATA_DATASET_H

#include "data/columns.h"

#include <spinney/dataset.h>
#include <spinney/preprocess.h>

/* Exactly one of bytes and values is not NULL; sample n starts at n * features, or where features
   are copies at n * spn_dataset_stored. */
struct spn_dataset {
    size_t samples;
    size_t features;
    uint8_t *bytes;
    double *values;
    uint32_t *labels;   /* samples class numbers 0..classes-1; NULL for data without labels */
    uint32_t classes;   /* K; 0 without labels */
    char **class_names; /* K texts */
    size_t width;       /* of an image, if it is known to be one; else 0 */
    size_t height;
    spn_columns *columns; /* NULL: plain numbers, without names */
    size_t missing;       /* values that are NaN, to be filled in before they are used */
    double *weights;      /* of the samples, positive; NULL: all 1 */
    bool borrowed;        /* bytes and values are the caller's, and never changed */
    /* 0; or every column is stored once and is so many features, one after the other. Such data
       come from encodings alone; what is made of them by other functions is stored whole. */
    size_t copies;
    _Atomic(void *) whole; /* with copies: what callers see as bytes or values, once they ask */
};

/* How many numbers are stored of a sample. */
static inline size_t spn_dataset_stored(const spn_dataset *dataset)
{
    return dataset->copies ? dataset->features / dataset->copies : dataset->features;
}

/* The column of feature i. */
static inline size_t spn_dataset_stored_at(const spn_dataset *dataset, size_t i)
{
    return dataset->copies ? i / dataset->copies : i;
}

/* All features of sample n, copies included: to bytes of data that have bytes, to values of others.
 */
void spn_dataset_row_bytes(uint8_t *out, const spn_dataset *dataset, size_t n);
void spn_dataset_row_values(double *out, const spn_dataset *dataset, size_t n);

struct spn_scaling {
    size_t features;
    double *shift;
    double *scale; /* never 0 */
};

/* Copy the names of classes, each different and not empty; names may be NULL: "0", "1", ...
   Errors: ARGUMENT, MEMORY; *out is NULL then. Freed with spn_class_names_free, which accepts NULL.
 */
spn_status spn_class_names_copy(char ***out, const char *const *names, size_t classes,
                                spn_error *err);
void spn_class_names_free(char **names, size_t classes);

/* Count the values that are NaN. */
size_t spn_dataset_count_missing(const spn_dataset *dataset);

/* Errors: INPUT, with the remedy, for data with missing values. */
spn_status spn_dataset_check_filled(const spn_dataset *dataset, spn_error *err);

/* The weight of a sample times that of its class, of which class_weights has one for each (NULL:
   1), over a power of 2 that is the same for all samples and leaves the heaviest between 1 and 2,
   so that sums of losses stay far from overflow. The data have weights and labels. */
double spn_dataset_scaled_weight(const spn_dataset *dataset, size_t n, const double *class_weights,
                                 int power);
int spn_dataset_weight_power(const spn_dataset *dataset, const double *class_weights);

/* What all samples weigh together: their number, where they have no weights. */
double spn_dataset_total_weight(const spn_dataset *dataset);

/* Feature i of sample n, for loops. */
static inline double spn_dataset_cell(const spn_dataset *dataset, size_t n, size_t i)
{
    const size_t cell = n * spn_dataset_stored(dataset) + spn_dataset_stored_at(dataset, i);
    return dataset->bytes ? (double)dataset->bytes[cell] : dataset->values[cell];
}

#endif

/* Datasets from inside. */
#ifndef SPN_DATA_DATASET_H
#define SPN_DATA_DATASET_H

#include "data/columns.h"

#include <spinney/dataset.h>
#include <spinney/preprocess.h>

/* Either bytes or values is NULL; sample n starts at n * spn_dataset_stored. */
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
    size_t missing;       /* values that are NaN; fill them in before use */
    double *weights;      /* of the samples, positive; NULL: all 1 */
    bool borrowed;        /* bytes and values are the caller's, and never changed */
    /* If not 0, each stored column stands for this many features in a row. Only encodings make such
       data; other functions store what they make of it whole. */
    size_t copies;
    _Atomic(void *) whole; /* with copies: the bytes or values that callers asked for */
};

/* How many numbers are stored for a sample. */
static inline size_t spn_dataset_stored(const spn_dataset *dataset)
{
    return dataset->copies ? dataset->features / dataset->copies : dataset->features;
}

/* The column of feature i. */
static inline size_t spn_dataset_stored_at(const spn_dataset *dataset, size_t i)
{
    return dataset->copies ? i / dataset->copies : i;
}

/* All features of sample n, copies included: the first for data with bytes, the other for values.
 */
void spn_dataset_row_bytes(uint8_t *out, const spn_dataset *dataset, size_t n);
void spn_dataset_row_values(double *out, const spn_dataset *dataset, size_t n);

/* Copy the names of classes, each different and not empty. names: NULL for "0", "1", ... Errors:
   ARGUMENT, MEMORY; *out is then NULL. Free them with spn_list_free. */
spn_status spn_class_names_copy(char ***out, const char *const *names, size_t classes,
                                spn_error *err);

/* A scaling of zeros, to be filled; NULL without memory. */
spn_scaling *spn_scaling_alloc(size_t features);

/* The bytes of data/digits.csv.gz; the build makes them into a C file (cmake/embed.cmake). */
extern const uint8_t spn_digits_data[];
extern const size_t spn_digits_size;

/* The folder of fetched data (spn_dataset_open); free it with free(). Errors: IO, MEMORY. */
spn_status spn_data_folder(char **out, spn_error *err);

/* The mean of each feature over the samples in which it is not missing. out: `features` numbers.
   Errors: INPUT, naming a feature that is missing in all of them. O(samples * features). */
spn_status spn_dataset_means(double *out, const spn_dataset *dataset, spn_error *err);

/* A copy in which missing values are replaced by these, one for each feature. Errors: ARGUMENT for
   one that is not finite; MEMORY. */
spn_status spn_dataset_fill(spn_dataset **out, const spn_dataset *dataset, const double *fills,
                            spn_error *err);

/* Count the values that are NaN. */
size_t spn_dataset_count_missing(const spn_dataset *dataset);

/* Errors: INPUT, with the remedy, for data with missing values. */
spn_status spn_dataset_check_filled(const spn_dataset *dataset, spn_error *err);

/* The weight of a sample times that of its class (class_weights; NULL: 1), divided by a power of 2
   that leaves the heaviest sample between 1 and 2, so that sums of losses stay far from overflow.
   The data has weights and labels. */
double spn_dataset_scaled_weight(const spn_dataset *dataset, size_t n, const double *class_weights,
                                 int power);
int spn_dataset_weight_power(const spn_dataset *dataset, const double *class_weights);

/* The sum of all weights: the number of samples if they have none. */
double spn_dataset_total_weight(const spn_dataset *dataset);

/* Feature i of sample n, for loops. */
static inline double spn_dataset_cell(const spn_dataset *dataset, size_t n, size_t i)
{
    const size_t cell = n * spn_dataset_stored(dataset) + spn_dataset_stored_at(dataset, i);
    return dataset->bytes ? (double)dataset->bytes[cell] : dataset->values[cell];
}

#endif

/* The content of a dataset, and helpers for readers and energies. */
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
    uint32_t *labels;   /* class numbers 0..classes-1; NULL: no labels */
    uint32_t classes;   /* K; 0 without labels */
    char **class_names; /* K texts */
    size_t width;       /* of an image; else 0 */
    size_t height;
    spn_columns *columns; /* NULL: plain numbers, without names */
    size_t missing;       /* values that are NaN; fill them before use */
    char *note;           /* what the reader left out; NULL: nothing */
    double *weights;      /* of the samples, positive; NULL: all 1 */
    bool borrowed;        /* the caller owns bytes and values; they never change */
    /* If not 0, each stored column stands for this many features in a row. Only encodings make
       such data; other functions store their results whole. */
    size_t copies;
    spn_columns *copied;   /* with copies: their original columns, for errors; NULL: unknown */
    _Atomic(void *) whole; /* with copies: bytes or values made for callers */
};

/* Numbers stored for a sample. */
static inline size_t spn_dataset_stored(const spn_dataset *dataset)
{
    return dataset->copies ? dataset->features / dataset->copies : dataset->features;
}

static inline size_t spn_dataset_stored_at(const spn_dataset *dataset, size_t i)
{
    return dataset->copies ? i / dataset->copies : i;
}

/* All features of sample n, including copies: as bytes, for data with bytes; as values. */
void spn_dataset_row_bytes(uint8_t *out, const spn_dataset *dataset, size_t n);
void spn_dataset_row_values(double *out, const spn_dataset *dataset, size_t n);

/* What errors call feature i, copy or not: "feature 2 ('income')", counted from 1. */
enum { SPN_FEATURE_SHOWN = 96 };
const char *spn_dataset_feature_shown(char out[SPN_FEATURE_SHOWN], const spn_dataset *dataset,
                                      size_t i);

/* Copy class names, which are distinct and not empty. names NULL: "0", "1", ... Free them with
   spn_list_free. Errors, with *out NULL: ARGUMENT, MEMORY. */
spn_status spn_class_names_copy(char ***out, const char *const *names, size_t classes,
                                spn_error *err);

/* A scaling of zeros; NULL without memory. */
spn_scaling *spn_scaling_alloc(size_t features);

/* Bytes of data/digits.csv.gz; the build turns them into a C file (cmake/embed.cmake). */
extern const uint8_t spn_digits_data[];
extern const size_t spn_digits_size;

/* Folder of fetched data (spn_dataset_open); free it. Errors: IO, MEMORY. */
spn_status spn_data_folder(char **out, spn_error *err);

/* Mean of each feature over the samples that have it. out: `features` numbers. Errors: INPUT,
   naming a feature that all samples lack. O(samples * features). */
spn_status spn_dataset_means(double *out, const spn_dataset *dataset, spn_error *err);

/* A copy with missing values replaced by these, one for each feature. Errors: ARGUMENT (not
   finite), MEMORY. */
spn_status spn_dataset_fill(spn_dataset **out, const spn_dataset *dataset, const double *fills,
                            spn_error *err);

size_t spn_dataset_count_missing(const spn_dataset *dataset);

/* Errors: INPUT, with the remedy, if values are missing. */
spn_status spn_dataset_check_filled(const spn_dataset *dataset, spn_error *err);

/* Weight of a sample times that of its class (class_weights; NULL: 1), divided by a power of 2
   that leaves the heaviest sample between 1 and 2, so that sums of losses do not overflow. The
   data has weights and labels. */
double spn_dataset_scaled_weight(const spn_dataset *dataset, size_t n, const double *class_weights,
                                 int power);
int spn_dataset_weight_power(const spn_dataset *dataset, const double *class_weights);

/* Sum of all weights; the number of samples if there are none. */
double spn_dataset_total_weight(const spn_dataset *dataset);

/* Feature i of sample n, for loops. */
static inline double spn_dataset_cell(const spn_dataset *dataset, size_t n, size_t i)
{
    const size_t cell = n * spn_dataset_stored(dataset) + spn_dataset_stored_at(dataset, i);
    return dataset->bytes ? (double)dataset->bytes[cell] : dataset->values[cell];
}

#endif

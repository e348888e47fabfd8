/* What a parser fills while it reads a dataset: features, labels, and missing values. */
#ifndef SPN_DATA_READ_CELLS_H
#define SPN_DATA_READ_CELLS_H

#include "base/try.h"
#include "data/dataset.h"
#include "data/texts.h"

/* ---- features ---- */

/* Bytes as long as every value is an integer 0..255, doubles from the first that is not. */
typedef struct spn_cells {
    uint8_t *bytes;
    double *values;
    size_t count;
    size_t max_bytes;
    const char *name;
} spn_cells;

/* samples * features zeros. Errors: INPUT if they would take more than max_bytes; MEMORY. */
spn_status spn_cells_begin(spn_cells *out, const char *name, size_t samples, size_t features,
                           size_t max_bytes, spn_error *err);

/* Turn bytes into doubles, which needs more memory. */
spn_status spn_cells_widen(spn_cells *cells, spn_error *err);

/* Store a finite value. */
static inline spn_status spn_cells_put(spn_cells *cells, size_t index, double value, spn_error *err)
{
    if (cells->bytes) {
        if (value >= 0 && value <= 255 && value == (double)(uint8_t)value) {
            cells->bytes[index] = (uint8_t)value;
            return SPN_OK;
        }
        SPN_TRY(spn_cells_widen(cells, err));
    }
    cells->values[index] = value;
    return SPN_OK;
}

/* Hand the features over to a dataset. */
void spn_cells_finish(spn_cells *cells, spn_dataset *dataset);

void spn_cells_free(spn_cells *cells);

/* ---- labels: texts in, class numbers out ---- */

typedef struct spn_labels {
    const char *name; /* of the file, for errors */
    uint32_t *numbers;
    size_t samples;
    size_t used;
    spn_texts classes; /* in the order of the file */
} spn_labels;

/* Room for the labels of samples. */
spn_status spn_labels_begin(spn_labels *out, const char *name, size_t samples, spn_error *err);

/* Append the label of the next sample. place, such as "line 3", is for errors. Errors: INPUT for a
   label that is empty, too long or not printable, or one class too many; MEMORY. */
spn_status spn_labels_add(spn_labels *labels, spn_span text, const char *place, spn_error *err);

/* The same for a label that is an integer. */
spn_status spn_labels_add_integer(spn_labels *labels, int64_t value, const char *place,
                                  spn_error *err);

/* Sort the classes and hand everything over to a dataset. */
spn_status spn_labels_finish(spn_labels *labels, spn_dataset *dataset, spn_error *err);

void spn_labels_free(spn_labels *labels);

/* ---- missing values ---- */

typedef struct spn_gaps {
    spn_missing how;
    const double *fills; /* one for each feature; NULL: not known */
    size_t missing;      /* how many */
    size_t nan;          /* how many of these are NaN, for want of fills */
    size_t first_sample, first_feature;
} spn_gaps;

/* From the options, or the recipe in them. */
spn_gaps spn_gaps_of(const spn_read_options *options, size_t features);

/* Count a missing value, and return what replaces it: NaN if that is not known yet. */
double spn_gaps_value(spn_gaps *gaps, size_t sample, size_t feature);

/* Whether values are missing and none may be. */
bool spn_gaps_refused(const spn_gaps *gaps);

/* What to do about them, for an error. */
const char *spn_gaps_remedy(char *out, size_t size, const spn_gaps *gaps);

#endif

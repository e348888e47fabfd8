/* What a parser fills while it reads a dataset: features, labels, and missing values. */
#ifndef SPN_DATA_READ_CELLS_H
#define SPN_DATA_READ_CELLS_H

#include "base/source.h"
#include "base/try.h"
#include "data/columns.h"
#include "data/dataset.h"

enum { SPN_PLACE = 120 }; /* a place in a file, for errors */

typedef struct spn_cells {
    spn_dataset *dataset; /* all zeros at first; features and labels are written into it */
    const char *name;     /* of the file, for errors */
    size_t max_bytes;
    /* labels */
    spn_texts classes; /* in the order of the file */
    size_t labels;     /* added so far */
    size_t unlabelled; /* of these, without a value */
    char first_unlabelled[SPN_PLACE];
    size_t skipped; /* lines that start with # and look like samples */
    /* missing values */
    spn_missing how;
    const double *fills; /* one for each feature; NULL: not known */
    size_t missing;      /* how many */
    size_t first_row, first_column;
} spn_cells;

/* Zeros for the samples and features that the dataset says, as bytes. options: NULL for values that
   cannot be missing, and any amount of them. Errors: INPUT if they would take more than max_bytes;
   MEMORY. */
spn_status spn_cells_begin(spn_cells *cells, const char *name, const spn_read_options *options,
                           spn_error *err);

/* Turn bytes into doubles, which needs more memory. */
spn_status spn_cells_widen(spn_cells *cells, spn_error *err);

/* Store a value: as a byte as long as every value is an integer 0..255. */
static inline spn_status spn_cells_put(spn_cells *cells, size_t index, double value, spn_error *err)
{
    spn_dataset *dataset = cells->dataset;
    if (dataset->bytes) {
        if (value >= 0 && value <= 255 && value == (double)(uint8_t)value) {
            dataset->bytes[index] = (uint8_t)value;
            return SPN_OK;
        }
        SPN_TRY(spn_cells_widen(cells, err));
    }
    dataset->values[index] = value;
    return SPN_OK;
}

/* Room for the labels of all samples. name: of the file that holds them. */
spn_status spn_labels_begin(spn_cells *cells, const char *name, spn_error *err);

/* Append the label of the next sample; it may be missing. place, such as "line 3", is for errors.
   Errors: INPUT for a label that is too long or not printable, or one class too many; MEMORY. */
spn_status spn_labels_add(spn_cells *cells, spn_span text, const char *place, spn_error *err);

/* Sort the classes, and hand them over to the dataset. Samples without a label are left out: *out
   is then another dataset. Errors: INPUT if missing values are refused; MEMORY. */
spn_status spn_labels_finish(spn_dataset **out, spn_cells *cells, const spn_read_options *options,
                             spn_error *err);

/* Errors: INPUT for labels that look like the target of a regression, with the remedy. */
spn_status spn_labels_check(const spn_dataset *dataset, const char *name, spn_error *err);

/* Count a missing value. row, column: where it is, for an error. */
void spn_gaps_add(spn_cells *cells, size_t row, size_t column);

/* What replaces a missing number of a feature: NaN, which is counted, if that is not known yet. */
double spn_gaps_value(spn_cells *cells, size_t feature);

/* Whether values are missing and none may be. */
bool spn_gaps_refused(const spn_cells *cells);

/* What to do about them, for an error. */
enum { SPN_REMEDY = 160 };
const char *spn_gaps_remedy(char out[SPN_REMEDY], const spn_cells *cells);

/* ---- parsers, one for each format: from memory to a dataset ---- */

/* What spn_read_options leaves open when max_bytes is 0. */
#define SPN_DEFAULT_MAX_BYTES ((size_t)4 << 30)

/* A parser of a format: fills a dataset, which the caller finishes, and frees also after a failure.
   labels is the second file, or NULL; options is not NULL, and its max_bytes not 0. */
typedef spn_status spn_parser(spn_cells *out, const spn_source *source, const spn_source *labels,
                              const spn_read_options *options, spn_error *err);
spn_parser spn_parse_idx, spn_parse_csv, spn_parse_npy, spn_parse_svmlight, spn_parse_npz;

/* Whether a file is NPZ and holds a test part beside a training part. */
bool spn_npz_has_test(const spn_source *source);

/* Any format. options may be NULL; out is NULL on failure. */
spn_status spn_dataset_parse(spn_dataset **out, const spn_source *source, const spn_source *labels,
                             const spn_read_options *options, spn_error *err);

/* Whether the second file of a format that needs one may be missing. */
bool spn_labels_not_needed(const spn_read_options *options);

#endif

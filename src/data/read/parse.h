/* The parsers: one per format, each from memory to a dataset. spn_dataset_parse chooses one and
   checks what all have in common. */
#ifndef SPN_DATA_READ_PARSE_H
#define SPN_DATA_READ_PARSE_H

#include "data/read/cells.h"

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

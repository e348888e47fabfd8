/* Arrays as datasets: what NPY and NPZ have in common. */
#ifndef SPN_DATA_READ_PARSE_NPY_H
#define SPN_DATA_READ_PARSE_NPY_H

#include "data/dataset.h"
#include "data/read/npy_header.h"

/* Whether an array can be the samples, or the labels of so many samples. */
bool spn_npy_is_samples(const spn_npy *npy);
bool spn_npy_is_labels(const spn_npy *npy, size_t samples);

/* Fill a dataset that is all zeros. Errors: INPUT, naming the array. */
spn_status spn_npy_take_samples(spn_dataset *dataset, const spn_npy *npy,
                                const spn_read_options *options, spn_error *err);
spn_status spn_npy_take_labels(spn_dataset *dataset, const spn_npy *npy, spn_error *err);

#endif

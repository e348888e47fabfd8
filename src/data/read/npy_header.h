/* An NPY file: element type, order, shape, and its elements as numbers or texts. */
#ifndef SPN_DATA_READ_NPY_HEADER_H
#define SPN_DATA_READ_NPY_HEADER_H

#include "data/read/cells.h"

enum { SPN_NPY_RANK = 4, SPN_NPY_DESCR = 16 };

typedef struct spn_npy {
    const spn_source *source; /* borrowed, as are the cells */
    char kind;                /* b: bool, u, i: integers, f: floats, U: UCS-4, S: bytes of text */
    bool big_endian, fortran_order;
    char descr[SPN_NPY_DESCR]; /* "<f8" and so on, for errors */
    size_t item;               /* bytes of an element */
    size_t rank;               /* 1 to 4 */
    size_t shape[SPN_NPY_RANK];
    const uint8_t *cells; /* the array, whose size is that of the shape */
} spn_npy;

/* Read the header of versions 1.0 to 3.0 and check it against the real size. Errors: INPUT for
   another version, an unknown type, a rank above 4, a dimension of 0, or another size. */
spn_status spn_npy_read(spn_npy *out, const spn_source *source, spn_error *err);

/* The bytes of an array; room + 1 if they are more than room. */
size_t spn_npy_bytes(const spn_npy *npy, size_t room);

/* The elements of a sample, all dimensions but the first. */
size_t spn_npy_features(const spn_npy *npy);

/* Where feature i of sample n is, counted in elements from the start of the cells. */
size_t spn_npy_place(const spn_npy *npy, size_t n, size_t i);

/* An element that is a number. place: as above. */
double spn_npy_number(const spn_npy *npy, size_t place);

/* Element n of a 1-D array as a label: integers, floats that are integers, True and False, texts in
   UTF-8. out: the text; size: its bytes. Errors: INPUT, naming the element, for another float or a
   text that is too long. */
enum { SPN_NPY_LABEL = 1024 };
spn_status spn_npy_label(char out[SPN_NPY_LABEL], size_t *size, const spn_npy *npy, size_t n,
                         spn_error *err);

/* ---- arrays as datasets ---- */

/* Whether an array can be the samples, or the labels of this many samples. */
bool spn_npy_is_samples(const spn_npy *npy);
bool spn_npy_is_labels(const spn_npy *npy, size_t samples);

/* Fill a dataset. Errors: INPUT, naming the array. */
spn_status spn_npy_take_samples(spn_cells *out, const spn_npy *npy, const spn_read_options *options,
                                spn_error *err);
spn_status spn_npy_take_labels(spn_cells *out, const spn_npy *npy, spn_error *err);

/* The labels of a file of their own. */
spn_status spn_npy_read_labels(spn_cells *out, const spn_source *source, spn_error *err);

#endif

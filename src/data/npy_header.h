/* The header of an NPY file: element type, order, shape. */
#ifndef SPN_DATA_NPY_HEADER_H
#define SPN_DATA_NPY_HEADER_H

#include "base/source.h"

typedef enum spn_npy_type {
    SPN_NPY_U1,
    SPN_NPY_I1,
    SPN_NPY_I4,
    SPN_NPY_I8,
    SPN_NPY_F4,
    SPN_NPY_F8
} spn_npy_type;

enum { SPN_NPY_RANK = 3 };

typedef struct spn_npy {
    spn_npy_type type;
    const char *descr; /* "|u1" and so on */
    size_t item;       /* bytes of an element */
    size_t rank;       /* 1 to 3 */
    size_t shape[SPN_NPY_RANK];
    const uint8_t *cells; /* the array, whose size is that of the shape; borrowed */
} spn_npy;

/* Read the header of versions 1.0 and 2.0 and hold it against the real size. Errors: another
   version, an unknown type, Fortran order, a rank above 3, a dimension of 0, a size that is not
   that of the file. */
spn_status spn_npy_read(spn_npy *out, const spn_source *source, spn_error *err);

#endif

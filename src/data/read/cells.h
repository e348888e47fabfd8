/* The features of a dataset while it is read: bytes for as long as every value is an integer
   0..255, doubles from the first that is not. */
#ifndef SPN_DATA_READ_CELLS_H
#define SPN_DATA_READ_CELLS_H

#include "data/dataset.h"

typedef struct spn_cells {
    uint8_t *bytes;
    double *values;
    size_t count;
    size_t max_bytes;
    const char *name;
} spn_cells;

/* samples * features zeros. SPN_ERROR_INPUT where they would take more than max_bytes. */
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
        spn_status status = spn_cells_widen(cells, err);
        if (status != SPN_OK)
            return status;
    }
    cells->values[index] = value;
    return SPN_OK;
}

/* Hand the features over to a dataset. */
void spn_cells_finish(spn_cells *cells, spn_dataset *dataset);

void spn_cells_free(spn_cells *cells);

#endif

/* The features of a dataset while it is read. */
#include "data/read/cells.h"

#include "base/memory.h"

#include <stdlib.h>

static spn_status too_large(const char *name, size_t samples, size_t features, size_t max_bytes,
                            spn_error *err)
{
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: %zu samples of %zu features need more than the %zu bytes allowed; raise the "
        "limit or take a part of the data",
        name, samples, features, max_bytes);
}

spn_status spn_cells_begin(spn_cells *out, const char *name, size_t samples, size_t features,
                           size_t max_bytes, spn_error *err)
{
    *out = (spn_cells){.name = name, .max_bytes = max_bytes};
    if (features == 0 || samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: holds no %s; an empty data set is of no use",
                        name, samples == 0 ? "samples" : "features");
    if (samples > max_bytes / features)
        return too_large(name, samples, features, max_bytes, err);
    out->count = samples * features;
    out->bytes = spn_alloc(out->count, 1);
    if (!out->bytes)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory for %zu features", name,
                        out->count);
    return SPN_OK;
}

spn_status spn_cells_widen(spn_cells *cells, spn_error *err)
{
    if (cells->count > cells->max_bytes / sizeof *cells->values)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: %zu numbers of 8 bytes need more than the %zu bytes allowed; raise the "
            "limit or take a part of the data",
            cells->name, cells->count, cells->max_bytes);
    cells->values = spn_alloc(cells->count, sizeof *cells->values);
    if (!cells->values)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory for %zu features", cells->name,
                        cells->count);
    for (size_t k = 0; k < cells->count; k++)
        cells->values[k] = cells->bytes[k];
    free(cells->bytes);
    cells->bytes = NULL;
    return SPN_OK;
}

void spn_cells_finish(spn_cells *cells, spn_dataset *dataset)
{
    dataset->bytes = cells->bytes;
    dataset->values = cells->values;
    *cells = (spn_cells){0};
}

void spn_cells_free(spn_cells *cells)
{
    free(cells->bytes);
    free(cells->values);
    *cells = (spn_cells){0};
}

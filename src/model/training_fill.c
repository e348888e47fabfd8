/* Missing values of the sets of a training: the means that stand in for them are of the samples
   that are trained on, so that nothing of a test or validation set leaks into a model. */
#include "model/training.h"

#include "base/memory.h"

#include <stdlib.h>

/* Replace a set by a filled copy of it. */
static spn_status fill_set(spn_training_sets *sets, const spn_dataset **set, const double *fills,
                           spn_error *err)
{
    spn_dataset *filled;
    if (!*set || (*set)->missing == 0)
        return SPN_OK;
    const spn_status status = spn_dataset_fill(&filled, *set, fills, err);
    if (status)
        return status;
    spn_training_sets_replace(sets, set, filled);
    return SPN_OK;
}

spn_status spn_training_sets_fill(spn_training_sets *sets, spn_error *err)
{
    const spn_columns *columns = sets->train->columns;
    const bool mean = columns && columns->missing == SPN_MISSING_MEAN && !columns->fills;
    const bool gaps = sets->train->missing || (sets->validation && sets->validation->missing) ||
                      (sets->test && sets->test->missing);
    if (!mean && !gaps)
        return columns ? spn_columns_copy(&sets->columns, columns, err) : SPN_OK;
    double *fills = spn_alloc(sets->train->features, sizeof *fills);
    spn_status status = fills ? spn_dataset_means(fills, sets->train, err)
                              : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu means",
                                         sets->train->features);
    if (!status && columns)
        status = spn_columns_with_fills(&sets->columns, columns, fills, err);
    if (!status)
        status = fill_set(sets, &sets->train, fills, err);
    if (!status)
        status = fill_set(sets, &sets->validation, fills, err);
    if (!status)
        status = fill_set(sets, &sets->test, fills, err);
    free(fills);
    return status;
}

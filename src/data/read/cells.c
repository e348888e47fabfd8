/* What a parser fills: features, labels, and missing values. */
#include "data/read/cells.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- features ---- */

/* From the options, or the recipe in them. */
static void find_fills(spn_cells *cells, const spn_read_options *options)
{
    const spn_columns *recipe = options->columns;
    cells->how = options->missing;
    if (recipe && cells->how == SPN_MISSING_REFUSE)
        cells->how = recipe->missing;
    if (recipe && recipe->features == cells->dataset->features && cells->how == SPN_MISSING_MEAN)
        cells->fills = recipe->fills;
}

spn_status spn_cells_begin(spn_cells *cells, const char *name, const spn_read_options *options,
                           spn_error *err)
{
    const size_t samples = cells->dataset->samples, features = cells->dataset->features;
    cells->name = name;
    cells->max_bytes = options ? options->max_bytes : SIZE_MAX;
    if (options)
        find_fills(cells, options);
    if (features == 0 || samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: holds no %s; a data set needs at least one",
                        name, samples == 0 ? "samples" : "features");
    if (samples > cells->max_bytes / features)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu samples of %zu features need more than the %zu bytes allowed; "
                        "raise the limit or take a part of the data",
                        name, samples, features, cells->max_bytes);
    cells->dataset->bytes = spn_alloc(samples * features, 1);
    if (!cells->dataset->bytes)
        return spn_no_memory(err, "the %zu features of %s", samples * features, name);
    return SPN_OK;
}

spn_status spn_cells_widen(spn_cells *cells, spn_error *err)
{
    spn_dataset *dataset = cells->dataset;
    const size_t count = dataset->samples * dataset->features;
    if (count > cells->max_bytes / sizeof *dataset->values)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu numbers of 8 bytes need more than the %zu bytes allowed; raise "
                        "the limit or take a part of the data",
                        cells->name, count, cells->max_bytes);
    dataset->values = spn_alloc(count, sizeof *dataset->values);
    if (!dataset->values)
        return spn_no_memory(err, "the %zu features of %s", count, cells->name);
    for (size_t k = 0; k < count; k++)
        dataset->values[k] = dataset->bytes[k];
    free(dataset->bytes);
    dataset->bytes = NULL;
    return SPN_OK;
}

/* ---- missing values ---- */

void spn_gaps_add(spn_cells *cells, size_t row, size_t column)
{
    if (cells->missing++ == 0) {
        cells->first_row = row;
        cells->first_column = column;
    }
}

double spn_gaps_value(spn_cells *cells, size_t feature)
{
    if (cells->how != SPN_MISSING_MEAN)
        return 0;
    cells->dataset->missing += cells->fills == NULL;
    return cells->fills ? cells->fills[feature] : (double)NAN;
}

bool spn_gaps_refused(const spn_cells *cells)
{
    return cells->missing > 0 && cells->how == SPN_MISSING_REFUSE;
}

const char *spn_gaps_remedy(char out[SPN_REMEDY], const spn_cells *cells)
{
    snprintf(
        out, SPN_REMEDY,
        "%zu missing value%s: fill in or remove them, or give `missing mean` or `missing zero`",
        cells->missing, cells->missing == 1 ? "" : "s");
    return out;
}

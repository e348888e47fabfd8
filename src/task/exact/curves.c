/* The curves of the task exact. */
#include "task/exact/curves.h"
#include "record/record.h"

#include "base/memory.h"

#include <math.h>
#include <spinney/density.h>
#include <stdio.h>
#include <stdlib.h>

/* More minima than these are counted, not listed. */
enum { MINIMA_MOST = 65536 };

spn_status spn_exact_add_rows(spn_record *out, const char *name, size_t columns,
                              const char *const *names, size_t rows, double *values, spn_error *err)
{
    const double **starts = spn_alloc(columns, sizeof *starts);
    double *turned = spn_alloc(columns * rows, sizeof *turned);
    spn_status status;
    if (values && starts && turned) {
        for (size_t k = 0; k < columns * rows; k++)
            turned[k % columns * rows + k / columns] = values[k];
        for (size_t c = 0; c < columns; c++)
            starts[c] = turned + c * rows;
        status = spn_record_add_curve(out, name, columns, names, rows, starts, err);
    } else {
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the curve %s", name);
    }
    free(starts);
    free(turned);
    free(values);
    return status;
}

spn_status spn_exact_add_states(spn_record *out, const spn_landscape *landscape, const spn_law *law,
                                spn_error *err)
{
    static const char *const names[] = {"state", "energy", "phi", "P"};
    const size_t states = landscape->states;
    double *values = spn_alloc(4 * states, sizeof *values), *next = values;
    for (size_t k = 0; values && k < states; k++) {
        *next++ = (double)k;
        *next++ = landscape->energy[k];
        *next++ = law->phi[k];
        *next++ = law->centre[k];
    }
    return spn_exact_add_rows(out, "states", 4, names, states, values, err);
}

/* ---- minima near minima ---- */

/* The mean and the extremes over all minima, for every radius. */
static spn_status add_radii(spn_record *out, const spn_density *d, spn_error *err)
{
    static const char *const names[] = {"radius", "isolated", "fewest", "mean", "most"};
    const size_t rows = d->sites + 1;
    double *values = spn_alloc(5 * rows, sizeof *values), *next = values;
    for (size_t radius = 0; values && radius < rows; radius++) {
        double isolated = 0, fewest = INFINITY, sum = 0, most = 0;
        for (size_t j = 0; j < d->count; j++) {
            const double within = d->within[j * rows + radius];
            isolated += spn_density_isolated(d, j, radius);
            fewest = fmin(fewest, within);
            most = fmax(most, within);
            sum += within;
        }
        *next++ = (double)radius;
        *next++ = isolated;
        *next++ = fewest;
        *next++ = sum / (double)d->count;
        *next++ = most;
    }
    return spn_exact_add_rows(out, "density", 5, names, rows, values, err);
}

/* For every radius the minima whose ball holds k minima, for the k that occur. */
static spn_status add_balls(spn_record *out, const spn_density *d, spn_error *err)
{
    static const char *const names[] = {"radius", "k", "exactly", "at_least"};
    double *values = spn_alloc(4 * (d->sites + 1) * d->count, sizeof *values), *next = values;
    for (size_t radius = 0; values && radius <= d->sites; radius++)
        for (size_t k = 1, left = d->count; left > 0; k++) {
            size_t exactly, at_least;
            spn_density_balls(d, radius, k, &exactly, &at_least);
            left -= exactly;
            if (exactly == 0)
                continue;
            *next++ = (double)radius;
            *next++ = (double)k;
            *next++ = (double)exactly;
            *next++ = (double)at_least;
        }
    const size_t rows = values ? (size_t)(next - values) / 4 : 0;
    return spn_exact_add_rows(out, "balls", 4, names, rows, values, err);
}

/* Row j, column R: the minima within R of minimum j. */
static spn_status add_within(spn_record *out, const spn_density *d, spn_error *err)
{
    char texts[SPN_EXACT_SITES + 1][24];
    const char *names[SPN_EXACT_SITES + 1];
    const size_t columns = d->sites + 1;
    double *values = spn_alloc(columns * d->count, sizeof *values);
    for (size_t c = 0; c < columns; c++) {
        snprintf(texts[c], sizeof texts[c], "%zu", c);
        names[c] = texts[c];
    }
    for (size_t k = 0; values && k < columns * d->count; k++)
        values[k] = d->within[k];
    return spn_exact_add_rows(out, "within", columns, names, d->count, values, err);
}

/* The minima, and with a density how far the nearest other one is. */
static spn_status add_list(spn_record *out, const spn_landscape *landscape, const spn_density *d,
                           spn_error *err)
{
    static const char *const names[] = {"state", "nearest"};
    const size_t rows = landscape->minima_count, columns = d ? 2 : 1;
    if (rows > MINIMA_MOST)
        return SPN_OK;
    double *values = spn_alloc(columns * rows, sizeof *values);
    for (size_t j = 0; values && j < rows; j++) {
        values[columns * j] = landscape->minima[j];
        if (d)
            values[columns * j + 1] = d->nearest[j];
    }
    return spn_exact_add_rows(out, "minima", columns, names, rows, values, err);
}

spn_status spn_exact_add_minima(spn_record *out, const spn_landscape *landscape, bool density,
                                bool details, spn_error *err)
{
    spn_density *d = NULL;
    spn_status status = density ? spn_density_create(&d, landscape, err) : SPN_OK;
    if (status)
        return status;
    if (d && (status = add_radii(out, d, err)))
        goto cleanup;
    if (!details)
        goto cleanup;
    if (d && ((status = add_balls(out, d, err)) || (status = add_within(out, d, err))))
        goto cleanup;
    status = add_list(out, landscape, d, err);
cleanup:
    spn_density_free(d);
    return status;
}

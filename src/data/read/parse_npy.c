/* NPY, the format of numpy.save: a magic text, a version, a header that is a Python dictionary, and
   the raw array. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "data/read/npy_header.h"

#include "data/read/cells.h"
#include "data/read/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const spn_npy *npy)
{
    return npy->kind == 'U' || npy->kind == 'S';
}

bool spn_npy_is_samples(const spn_npy *npy)
{
    return npy->rank >= 2 && !is_text(npy);
}

/* A single column is as good as a row. */
bool spn_npy_is_labels(const spn_npy *npy, size_t samples)
{
    return npy->shape[0] == samples && (npy->rank == 1 || (npy->rank == 2 && npy->shape[1] == 1));
}

/* ---- samples ---- */

static spn_status not_finite(const spn_npy *npy, size_t n, size_t i, const char *what,
                             spn_error *err)
{
    const size_t place = spn_npy_place(npy, n, i);
    const size_t byte = (size_t)(npy->cells - npy->source->data) + place * npy->item;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: byte %zu: feature %zu of sample %zu is not finite; %s", npy->source->name,
                    byte, i, n, what);
}

static spn_status copy_sample(spn_cells *cells, spn_gaps *gaps, const spn_npy *npy, size_t n,
                              spn_error *err)
{
    const size_t features = spn_npy_features(npy);
    spn_status status = SPN_OK;
    for (size_t i = 0; i < features && status == SPN_OK; i++) {
        double value = spn_npy_number(npy, spn_npy_place(npy, n, i));
        if (isinf(value))
            return not_finite(npy, n, i, "correct or remove such values", err);
        if (isnan(value))
            value = spn_gaps_value(gaps, n, i);
        status = spn_cells_put(cells, n * features + i, value, err);
    }
    return status;
}

static spn_status copy_samples(spn_cells *cells, spn_gaps *gaps, const spn_npy *npy, spn_error *err)
{
    spn_status status = SPN_OK;
    char what[160];
    if (npy->kind == 'u' && npy->item == 1 && !npy->fortran_order) {
        memcpy(cells->bytes, npy->cells, cells->count);
        return SPN_OK;
    }
    for (size_t n = 0; n < npy->shape[0] && status == SPN_OK; n++)
        status = copy_sample(cells, gaps, npy, n, err);
    if (status == SPN_OK && spn_gaps_refused(gaps))
        return not_finite(npy, gaps->first_sample, gaps->first_feature,
                          spn_gaps_remedy(what, sizeof what, gaps), err);
    return status;
}

/* Images have two dimensions, or a third of channels, first or last. */
static void take_shape(spn_dataset *dataset, const spn_npy *npy)
{
    const size_t *shape = npy->shape;
    dataset->samples = shape[0];
    dataset->features = spn_npy_features(npy);
    if (npy->rank == 3) {
        dataset->height = shape[1];
        dataset->width = shape[2];
    } else if (npy->rank == 4) {
        const bool channels_first = shape[1] <= 4 && shape[3] > 4;
        dataset->height = channels_first ? shape[1] * shape[2] : shape[1];
        dataset->width = dataset->features / dataset->height;
    }
}

spn_status spn_npy_take_samples(spn_dataset *dataset, const spn_npy *npy,
                                const spn_read_options *options, spn_error *err)
{
    spn_cells cells = {0};
    if (!spn_npy_is_samples(npy))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: header: samples are a 2-D to 4-D array of numbers, this is %zu-D of "
                        "%s; convert it with astype or reshape",
                        npy->source->name, npy->rank, npy->descr);
    take_shape(dataset, npy);
    spn_gaps gaps = spn_gaps_of(options, dataset->features);
    spn_status status = spn_cells_begin(&cells, npy->source->name, dataset->samples,
                                        dataset->features, options->max_bytes, err);
    if (status == SPN_OK)
        status = copy_samples(&cells, &gaps, npy, err);
    if (status == SPN_OK) {
        spn_cells_finish(&cells, dataset);
        dataset->missing = gaps.nan;
    }
    spn_cells_free(&cells);
    return status;
}

/* ---- labels ---- */

static spn_status add_labels(spn_labels *labels, const spn_npy *npy, spn_error *err)
{
    char text[SPN_NPY_LABEL], place[40];
    size_t size;
    for (size_t n = 0; n < npy->shape[0]; n++) {
        snprintf(place, sizeof place, "element %zu", n);
        spn_status status = spn_npy_label(text, &size, npy, n, err);
        if (status == SPN_OK)
            status = spn_labels_add(labels, (spn_span){text, size}, place, err);
        if (status != SPN_OK)
            return status;
    }
    return SPN_OK;
}

spn_status spn_npy_take_labels(spn_dataset *dataset, const spn_npy *npy, spn_error *err)
{
    spn_labels labels;
    if (!spn_npy_is_labels(npy, npy->shape[0]))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: header: labels are a 1-D array, this is %zu-D of %s; convert it with "
                        "ravel, or argmax(axis=1) where it is one-hot",
                        npy->source->name, npy->rank, npy->descr);
    if (npy->shape[0] != dataset->samples)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: header: %zu labels for %zu samples; the two files do not belong "
                        "together",
                        npy->source->name, npy->shape[0], dataset->samples);
    spn_status status = spn_labels_begin(&labels, npy->source->name, dataset->samples, err);
    if (status == SPN_OK)
        status = add_labels(&labels, npy, err);
    if (status == SPN_OK)
        status = spn_labels_finish(&labels, dataset, err);
    spn_labels_free(&labels);
    return status;
}

spn_status spn_parse_npy(spn_dataset *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_npy npy;
    spn_status status = spn_npy_read(&npy, source, err);
    if (status == SPN_OK)
        status = spn_npy_take_samples(out, &npy, options, err);
    if (status != SPN_OK || !labels)
        return status;
    status = spn_npy_read(&npy, labels, err);
    return status == SPN_OK ? spn_npy_take_labels(out, &npy, err) : status;
}

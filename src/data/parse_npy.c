/* NPY, the format of numpy.save: a magic text, a version, a header that is a Python dictionary, and
   the raw array. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "data/cells.h"
#include "data/labels.h"
#include "data/npy_header.h"
#include "data/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the array ---- */

static uint64_t little_endian(const uint8_t *at, size_t size)
{
    uint64_t word = 0;
    for (size_t k = size; k-- > 0;)
        word = word << 8 | at[k];
    return word;
}

static double read_feature(const spn_npy *npy, size_t index)
{
    const uint8_t *at = npy->cells + index * npy->item;
    if (npy->type == SPN_NPY_U1)
        return at[0];
    if (npy->type == SPN_NPY_I1)
        return (int8_t)at[0];
    uint64_t word = little_endian(at, npy->item);
    if (npy->type == SPN_NPY_F8) {
        double value;
        memcpy(&value, &word, sizeof value);
        return value;
    }
    uint32_t half = (uint32_t)word;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
}

static int64_t read_label(const spn_npy *npy, size_t index)
{
    const uint8_t *at = npy->cells + index * npy->item;
    uint64_t word = little_endian(at, npy->item);
    if (npy->type == SPN_NPY_U1)
        return (int64_t)word;
    if (npy->type == SPN_NPY_I1)
        return (int8_t)word;
    if (npy->type == SPN_NPY_I4)
        return (int32_t)word;
    return (int64_t)word;
}

static spn_status copy_features(spn_cells *cells, const spn_npy *npy, const spn_source *source,
                                spn_error *err)
{
    spn_status status = SPN_OK;
    if (npy->type == SPN_NPY_U1) {
        memcpy(cells->bytes, npy->cells, cells->count);
        return SPN_OK;
    }
    for (size_t k = 0; k < cells->count && status == SPN_OK; k++) {
        double value = read_feature(npy, k);
        if (!isfinite(value))
            return spn_fail(
                err, SPN_ERROR_INPUT,
                "%s: byte %zu: element %zu is not finite; fill in or remove such values",
                source->name, (size_t)(npy->cells - source->data) + k * npy->item, k);
        status = spn_cells_put(cells, k, value, err);
    }
    return status;
}

static spn_status parse_features(spn_dataset *dataset, const spn_source *source,
                                 const spn_read_options *options, spn_error *err)
{
    spn_npy npy;
    spn_cells cells = {0};
    spn_status status = spn_npy_read(&npy, source, err);
    if (status != SPN_OK)
        return status;
    if (npy.rank < 2 || npy.type == SPN_NPY_I4 || npy.type == SPN_NPY_I8)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: header: samples are a 2-D or 3-D array of |u1, |i1, <f4 or <f8, this is "
            "%zu-D of %s; convert it with astype or reshape",
            source->name, npy.rank, npy.descr);
    dataset->samples = npy.shape[0];
    dataset->features = npy.shape[1];
    if (npy.rank == 3) {
        dataset->features *= npy.shape[2];
        dataset->height = npy.shape[1];
        dataset->width = npy.shape[2];
    }
    status = spn_cells_begin(&cells, source->name, dataset->samples, dataset->features,
                             options->max_bytes, err);
    if (status == SPN_OK)
        status = copy_features(&cells, &npy, source, err);
    if (status == SPN_OK)
        spn_cells_finish(&cells, dataset);
    spn_cells_free(&cells);
    return status;
}

static spn_status parse_labels(spn_dataset *dataset, const spn_source *source, spn_error *err)
{
    spn_npy npy;
    spn_status status = spn_npy_read(&npy, source, err);
    if (status != SPN_OK)
        return status;
    if (npy.rank != 1 || npy.type == SPN_NPY_F4 || npy.type == SPN_NPY_F8)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: header: labels are a 1-D array of |u1, |i1, <i4 or <i8, this is %zu-D "
                        "of %s; convert it with astype or ravel",
                        source->name, npy.rank, npy.descr);
    if (npy.shape[0] != dataset->samples)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: header: %zu labels for %zu samples; the two files do not belong "
                        "together",
                        source->name, npy.shape[0], dataset->samples);
    spn_labels labels;
    status = spn_labels_begin(&labels, source->name, dataset->samples, err);
    for (size_t n = 0; n < dataset->samples && status == SPN_OK; n++) {
        char place[40];
        snprintf(place, sizeof place, "element %zu", n);
        status = spn_labels_add_integer(&labels, read_label(&npy, n), place, err);
    }
    if (status == SPN_OK)
        status = spn_labels_finish(&labels, dataset, err);
    spn_labels_free(&labels);
    return status;
}

spn_status spn_parse_npy(spn_dataset *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_status status = parse_features(out, source, options, err);
    return status == SPN_OK && labels ? parse_labels(out, labels, err) : status;
}

/* NPY, the format of numpy.save: a magic text, a version, a header that is a Python dictionary, and
   the raw array. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "data/read/npy_header.h"

#include "data/read/cells.h"

#include <math.h>
#include <stdio.h>
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
    return spn_source_fail(npy->source, err,
                           "byte %zu: feature %zu of sample %zu is not finite; %s", byte, i, n,
                           what);
}

static spn_status copy_sample(spn_cells *out, const spn_npy *npy, size_t n, spn_error *err)
{
    const size_t features = out->dataset->features;
    for (size_t i = 0; i < features; i++) {
        double value = spn_npy_number(npy, spn_npy_place(npy, n, i));
        if (isinf(value))
            return not_finite(npy, n, i, "correct or remove such values", err);
        if (isnan(value)) {
            spn_gaps_add(out, n, i);
            value = spn_gaps_value(out, i);
        }
        SPN_TRY(spn_cells_put(out, n * features + i, value, err));
    }
    return SPN_OK;
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
        dataset->width = dataset->height ? dataset->features / dataset->height : 0;
    }
}

spn_status spn_npy_take_samples(spn_cells *out, const spn_npy *npy, const spn_read_options *options,
                                spn_error *err)
{
    if (!spn_npy_is_samples(npy))
        return spn_source_fail(npy->source, err,
                               "header: samples are a 2-D to 4-D array of numbers, this is %zu-D "
                               "of %s; convert it with astype or reshape",
                               npy->rank, npy->descr);
    take_shape(out->dataset, npy);
    SPN_TRY(spn_cells_begin(out, npy->source->name, options, err));
    char remedy[SPN_REMEDY];
    if (npy->kind == 'u' && npy->item == 1 && !npy->fortran_order) {
        memcpy(out->dataset->bytes, npy->cells, out->dataset->samples * out->dataset->features);
        return SPN_OK;
    }
    for (size_t n = 0; n < npy->shape[0]; n++)
        SPN_TRY(copy_sample(out, npy, n, err));
    return spn_gaps_refused(out) ? not_finite(npy, out->first_row, out->first_column,
                                              spn_gaps_remedy(remedy, out), err)
                                 : SPN_OK;
}

/* ---- labels ---- */

spn_status spn_npy_take_labels(spn_cells *out, const spn_npy *npy, spn_error *err)
{
    char text[SPN_NPY_LABEL], place[40];
    size_t size;
    if (!spn_npy_is_labels(npy, npy->shape[0]))
        return spn_source_fail(npy->source, err,
                               "header: labels are a 1-D array, this is %zu-D of %s; convert it "
                               "with ravel, or argmax(axis=1) where it is one-hot",
                               npy->rank, npy->descr);
    if (npy->shape[0] != out->dataset->samples)
        return spn_source_fail(npy->source, err,
                               "header: %zu labels for %zu samples; the two files do not belong "
                               "together",
                               npy->shape[0], out->dataset->samples);
    SPN_TRY(spn_labels_begin(out, npy->source->name, err));
    for (size_t n = 0; n < npy->shape[0]; n++) {
        snprintf(place, sizeof place, "element %zu", n);
        SPN_TRY(spn_npy_label(text, &size, npy, n, err));
        SPN_TRY(spn_labels_add(out, (spn_span){text, size}, place, err));
    }
    return SPN_OK;
}

spn_status spn_npy_read_labels(spn_cells *out, const spn_source *source, spn_error *err)
{
    spn_npy npy;
    SPN_TRY(spn_npy_read(&npy, source, err));
    return spn_npy_take_labels(out, &npy, err);
}

spn_status spn_parse_npy(spn_cells *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_npy npy;
    SPN_TRY(spn_npy_read(&npy, source, err));
    SPN_TRY(spn_npy_take_samples(out, &npy, options, err));
    return labels ? spn_npy_read_labels(out, labels, err) : SPN_OK;
}

/* ---- IDX, the format of MNIST: a magic number with type and rank, big-endian sizes, bytes. It is
   read as the NPY array that it could be ---- */

enum { TYPE_UBYTE = 8, MAX_RANK = 3 };

static spn_status check_magic(const spn_source *source, spn_error *err)
{
    const uint8_t *data = source->data;
    if (source->size < 4 || data[0] != 0 || data[1] != 0)
        return spn_source_fail(
            source, err, "byte 0: not an IDX file, which starts with two zeros; check the format");
    if (data[2] != TYPE_UBYTE)
        return spn_source_fail(
            source, err, "byte 2: IDX type 0x%02x; only unsigned bytes (0x08) are read", data[2]);
    if (data[3] < 1 || data[3] > MAX_RANK)
        return spn_source_fail(source, err, "byte 3: IDX data of %u dimensions; expected 1 to 3",
                               data[3]);
    if (source->size < 4 + 4 * (size_t)data[3])
        return spn_source_fail(source, err,
                               "byte %zu: the IDX header is cut short; fetch the file again",
                               source->size);
    return SPN_OK;
}

static spn_status read_header(spn_npy *out, const spn_source *source, spn_error *err)
{
    SPN_TRY(check_magic(source, err));
    const unsigned rank = source->data[3];
    const size_t header = 4 + 4 * (size_t)rank, room = source->size - header;
    *out = (spn_npy){
        .source = source, .kind = 'u', .item = 1, .rank = rank, .cells = source->data + header};
    for (unsigned k = 0; k < rank; k++) {
        const uint8_t *at = source->data + 4 + (size_t)4 * k;
        out->shape[k] = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
        if (out->shape[k] == 0)
            return spn_source_fail(source, err,
                                   "byte %u: dimension %u is 0; an empty data set is of no use",
                                   4 + 4 * k, k + 1);
    }
    const size_t bytes = spn_npy_bytes(out, room);
    if (bytes == room)
        return SPN_OK;
    return spn_source_fail(source, err,
                           "byte %zu: the file ends %s the header says; fetch the file again",
                           source->size, bytes > room ? "before" : "after");
}

static spn_status parse_labels(spn_cells *out, const spn_source *source, spn_error *err)
{
    spn_npy file;
    SPN_TRY(read_header(&file, source, err));
    if (file.rank != 1)
        return spn_source_fail(
            source, err,
            "byte 3: labels have 1 dimension, this file has %zu; are the two files swapped?",
            file.rank);
    if (file.shape[0] != out->dataset->samples)
        return spn_source_fail(
            source, err, "byte 4: %zu labels for %zu samples; the two files do not belong together",
            file.shape[0], out->dataset->samples);
    return spn_npy_take_labels(out, &file, err);
}

spn_status spn_parse_idx(spn_cells *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_npy file;
    SPN_TRY(read_header(&file, source, err));
    if (file.rank < 2)
        return spn_source_fail(source, err,
                               "byte 3: samples need 2 or 3 dimensions, this file has 1; is it the "
                               "file of labels?");
    SPN_TRY(spn_npy_take_samples(out, &file, options, err));
    return labels ? parse_labels(out, labels, err) : SPN_OK;
}

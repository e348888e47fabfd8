/* NPY, the format of numpy.save: a magic text, a version, a header that is a Python dictionary, and
   the raw array. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "data/read/npy_header.h"

#include "data/read/cells.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- elements ---- */

/* ---- places ---- */

size_t spn_npy_features(const spn_npy *npy)
{
    size_t features = 1;
    for (size_t k = 1; k < npy->rank; k++)
        features *= npy->shape[k];
    return features;
}

/* Features count their dimensions the last fastest; Fortran's arrays the first. */
size_t spn_npy_place(const spn_npy *npy, size_t n, size_t i)
{
    size_t index[SPN_NPY_RANK] = {n}, place = 0;
    if (!npy->fortran_order)
        return n * spn_npy_features(npy) + i;
    for (size_t k = npy->rank; k-- > 1;) {
        index[k] = i % npy->shape[k];
        i /= npy->shape[k];
    }
    for (size_t k = npy->rank; k-- > 0;)
        place = place * npy->shape[k] + index[k];
    return place;
}

/* ---- numbers ---- */

static uint64_t word_at(const spn_npy *npy, size_t place)
{
    const uint8_t *at = npy->cells + place * npy->item;
    uint64_t word = 0;
    for (size_t k = 0; k < npy->item; k++)
        word = word << 8 | at[npy->big_endian ? k : npy->item - 1 - k];
    return word;
}

static int64_t signed_at(const spn_npy *npy, size_t place)
{
    assert(npy->item >= 1 && npy->item <= 8); /* as the header was checked */
    const unsigned unused = 64 - 8 * (unsigned)npy->item;
    return (int64_t)(word_at(npy, place) << unused) >> unused;
}

/* IEEE binary16: 1 bit of sign, 5 of exponent, 10 of fraction. */
static double half(uint64_t word)
{
    const int exponent = (int)(word >> 10 & 31);
    const double fraction = (double)(word & 1023);
    double size;
    if (exponent == 31)
        size = word & 1023 ? (double)NAN : (double)INFINITY;
    else
        size = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    return word & 0x8000 ? -size : size;
}

static double float_at(const spn_npy *npy, size_t place)
{
    const uint64_t word = word_at(npy, place);
    const uint32_t low = (uint32_t)word;
    double value;
    float single;
    if (npy->item == 2)
        return half(word);
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &word, sizeof value);
    return npy->item == 4 ? (double)single : value;
}

double spn_npy_number(const spn_npy *npy, size_t place)
{
    switch (npy->kind) {
    case 'f':
        return float_at(npy, place);
    case 'i':
        return (double)signed_at(npy, place);
    case 'b':
        return npy->cells[place] != 0;
    default:
        return (double)word_at(npy, place);
    }
}

/* ---- labels ---- */

/* A character in UTF-8; false if there is no room, or it is not a character. */
static bool put_utf8(char out[SPN_NPY_LABEL], size_t *size, uint32_t c)
{
    const size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    if (c > 0x10ffff || *size + more + 1 > SPN_NPY_LABEL)
        return false;
    out[(*size)++] = (char)(first[more] | c >> 6 * more);
    for (size_t k = more; k-- > 0;)
        out[(*size)++] = (char)(0x80 | (c >> 6 * k & 0x3f));
    return true;
}

static uint32_t character(const spn_npy *npy, size_t n, size_t k)
{
    const uint8_t *at = npy->cells + n * npy->item + 4 * k;
    uint32_t c = 0;
    for (size_t j = 0; j < 4; j++)
        c = c << 8 | at[npy->big_endian ? j : 3 - j];
    return c;
}

/* NULs at the end are no part of it. */
static bool text_label(char out[SPN_NPY_LABEL], size_t *size, const spn_npy *npy, size_t n)
{
    const size_t step = npy->kind == 'U' ? 4 : 1, length = npy->item / step;
    const uint8_t *bytes = npy->cells + n * npy->item;
    size_t end = npy->item;
    while (end > 0 && bytes[end - 1] == 0)
        end--;
    /* of UCS-4, little-endian characters end in zeros of their own */
    size_t used = npy->kind == 'S' ? end : (end + 3) / 4;
    while (npy->kind == 'U' && used > 0 && character(npy, n, used - 1) == 0)
        used--;
    for (size_t k = 0; k < used && k < length; k++) {
        if (npy->kind == 'U' && !put_utf8(out, size, character(npy, n, k)))
            return false;
        if (npy->kind == 'S' && *size == SPN_NPY_LABEL)
            return false;
        if (npy->kind == 'S')
            out[(*size)++] = (char)bytes[k];
    }
    return true;
}

static bool float_label(char out[SPN_NPY_LABEL], size_t *size, double value)
{
    const bool whole = value == rint(value) && fabs(value) <= 1e15;
    if (whole)
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRId64, (int64_t)value);
    return whole;
}

spn_status spn_npy_label(char out[SPN_NPY_LABEL], size_t *size, const spn_npy *npy, size_t n,
                         spn_error *err)
{
    const bool text = npy->kind == 'U' || npy->kind == 'S';
    bool good = true;
    *size = 0;
    if (text)
        good = text_label(out, size, npy, n);
    else if (npy->kind == 'f')
        good = float_label(out, size, float_at(npy, n));
    else if (npy->kind == 'b')
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%s", npy->cells[n] ? "True" : "False");
    else if (npy->kind == 'u')
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRIu64, word_at(npy, n));
    else
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRId64, signed_at(npy, n));
    if (good)
        return SPN_OK;
    return spn_source_fail(npy->source, err, "element %zu: %s", n,
                           text ? "the label is too long, or not a text"
                                : "the label is not a whole number; convert the labels with "
                                  "astype(int) or astype(str)");
}

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

/* IDX, the format of MNIST: a magic number that holds type and rank, big-endian sizes, bytes. Read
   as the NPY array that it could be. */
#include "data/read/npy_header.h"
#include "data/read/parse.h"

#include <string.h>

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

/* IDX, the format of MNIST: a magic number that holds type and rank, big-endian sizes, bytes. */
#include "data/read/cells.h"

#include "base/try.h"
#include "data/read/parse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_UBYTE = 8, MAX_RANK = 3 };

typedef struct idx {
    unsigned rank;
    size_t size[MAX_RANK];
    const uint8_t *cells;
} idx;

static size_t big_endian(const uint8_t *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static spn_status read_magic(idx *out, const spn_source *source, spn_error *err)
{
    const uint8_t *data = source->data;
    if (source->size < 4 || data[0] != 0 || data[1] != 0)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: byte 0: not an IDX file, which starts with two zeros; check the format",
            source->name);
    if (data[2] != TYPE_UBYTE)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte 2: IDX type 0x%02x; only unsigned bytes (0x08) are read",
                        source->name, data[2]);
    if (data[3] < 1 || data[3] > MAX_RANK)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte 3: IDX data of %u dimensions; expected 1 to 3", source->name,
                        data[3]);
    out->rank = data[3];
    return SPN_OK;
}

/* The sizes of the header against the real size: the product is compared by division, so it cannot
   overflow. */
static spn_status read_header(idx *out, const spn_source *source, spn_error *err)
{
    SPN_TRY(read_magic(out, source, err));
    size_t header = 4 + 4 * (size_t)out->rank;
    if (source->size < header)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte %zu: the IDX header is cut short; fetch the file again",
                        source->name, source->size);
    size_t room = source->size - header, product = 1;
    for (unsigned k = 0; k < out->rank; k++) {
        out->size[k] = big_endian(source->data + 4 + (size_t)4 * k);
        if (out->size[k] == 0)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: byte %u: dimension %u is 0; an empty data set is of no use",
                            source->name, 4 + 4 * k, k + 1);
        if (product <= room)
            product = out->size[k] > room / product ? room + 1 : product * out->size[k];
    }
    if (product != room)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte %zu: the file ends %s the header says; fetch the file again",
                        source->name, source->size, product > room ? "before" : "after");
    out->cells = source->data + header;
    return SPN_OK;
}

static spn_status parse_labels(spn_dataset *dataset, const spn_source *source, spn_error *err)
{
    idx file = {0};
    SPN_TRY(read_header(&file, source, err));
    if (file.rank != 1)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte 3: labels have 1 dimension, this file has %u; are the two files "
                        "swapped?",
                        source->name, file.rank);
    if (file.size[0] != dataset->samples)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte 4: %zu labels for %zu samples; the two files do not belong "
                        "together",
                        source->name, file.size[0], dataset->samples);
    assert(file.cells);
    spn_labels labels;
    spn_status status = spn_labels_begin(&labels, source->name, dataset->samples, err);
    for (size_t n = 0; n < dataset->samples && status == SPN_OK; n++)
        status = spn_labels_add_integer(&labels, file.cells[n], "data", err);
    if (status == SPN_OK)
        status = spn_labels_finish(&labels, dataset, err);
    spn_labels_free(&labels);
    return status;
}

static spn_status parse_images(spn_dataset *dataset, const spn_source *source,
                               const spn_read_options *options, spn_error *err)
{
    idx file = {0};
    SPN_TRY(read_header(&file, source, err));
    if (file.rank < 2)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: byte 3: samples need 2 or 3 dimensions, this file has 1; is it the file "
            "of labels?",
            source->name);
    dataset->samples = file.size[0];
    dataset->features = file.size[1];
    if (file.rank == 3) {
        dataset->features *= file.size[2];
        dataset->height = file.size[1];
        dataset->width = file.size[2];
    }
    spn_cells cells;
    SPN_TRY(spn_cells_begin(&cells, source->name, dataset->samples, dataset->features,
                            options->max_bytes, err));
    assert(file.cells);
    memcpy(cells.bytes, file.cells, cells.count);
    spn_cells_finish(&cells, dataset);
    return SPN_OK;
}

spn_status spn_parse_idx(spn_dataset *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_status status = parse_images(out, source, options, err);
    return status == SPN_OK && labels ? parse_labels(out, labels, err) : status;
}

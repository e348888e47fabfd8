/* Data sets: one function per format. */
#include "check.h"
#include "targets.h"

#include "data/read/cells.h"

#include <math.h>
#include <stdio.h>
#include <zlib.h>

static void check_dataset(const spn_dataset *d)
{
    require(d->samples > 0 && d->features > 0);
    require((d->bytes != NULL) != (d->values != NULL));
    require((d->labels != NULL) == (d->classes > 0));
    for (size_t n = 0; d->labels && n < d->samples; n++)
        require(d->labels[n] < d->classes);
    for (uint32_t k = 0; k < d->classes; k++)
        require(d->class_names[k][0] != '\0');
    size_t missing = 0;
    for (size_t n = 0; n < d->samples; n++)
        for (size_t i = 0; i < d->features; i++) {
            const double value = spn_dataset_value(d, n, i);
            require(isfinite(value) || isnan(value));
            missing += isnan(value) != 0;
        }
    require(missing == d->missing);
    require(!d->columns || d->columns->features == d->features);
    (void)spn_dataset_checksum(d);
}

/* A line of svmlight asks for as many cells as its largest index says, and time goes into zeros. */
static size_t most_bytes(spn_format format)
{
    return format == SPN_FORMAT_SVMLIGHT ? MAX_BYTES / 32 : MAX_BYTES;
}

static spn_read_options options_of(spn_format format, uint8_t bits)
{
    return (spn_read_options){.size = sizeof(spn_read_options),
                              .format = format,
                              .labels = (spn_label_place)(bits % 3),
                              .header = (spn_header)(bits / 4 % 3),
                              .labels_optional = bits & 16,
                              .single_class = bits & 32,
                              .features = bits & 64 ? 3 : 0,
                              .max_bytes = most_bytes(format)};
}

/* What there is beyond the first byte's choices. */
static void choose_more(spn_read_options *options, uint8_t bits)
{
    options->separator = (spn_separator)(bits % 4);
    options->missing = (spn_missing)(bits / 4 % 3);
    options->drop = bits & 16 ? "1,x" : NULL;
    options->categories = bits & 32 ? "-2" : NULL;
    options->label_column = bits & 64 ? "y" : NULL;
    options->most_categories = bits & 128 ? 3 : 0;
    options->decimal = (spn_decimal)(bits % 3);
    options->label_kind = (spn_label_kind)(bits / 2 % 2);
}

/* A file read by its own recipe is the same. */
static void read_again(const spn_dataset *d, const spn_source *source, const spn_source *labels,
                       const spn_read_options *options)
{
    spn_error err = {0};
    spn_dataset *same;
    spn_read_options how = *options;
    spn_columns *columns = copy_columns(d->columns);
    how.columns = columns;
    how.features = d->features;
    how.header = columns->header ? SPN_HEADER_YES : SPN_HEADER_NO;
    how.label_column = how.drop = how.categories = NULL;
    how.labels = d->labels ? SPN_LABELS_LAST : SPN_LABELS_NONE;
    const spn_status status = spn_dataset_parse(&same, source, labels, &how, &err);
    require(status == SPN_OK && spn_dataset_checksum(same) == spn_dataset_checksum(d));
    spn_dataset_free(same);
    spn_columns_free(columns);
}

static void parse(spn_source *source, spn_source *labels, const spn_read_options *options)
{
    spn_dataset *d;
    spn_error err = {0};
    spn_status status = spn_dataset_parse(&d, source, labels, options, &err);
    require((status == SPN_OK) == (d != NULL));
    if (status == SPN_OK)
        check_dataset(d);
    check_error(status, &err, INPUT);
    if (status == SPN_OK && d->columns)
        read_again(d, source, labels, options);
    spn_dataset_free(d);
}

static void fuzz_one_file(spn_format format, const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_read_options options = options_of(format, data[0]);
    const size_t more = data[0] & 128 && size > 1;
    if (more)
        choose_more(&options, data[1]);
    spn_source source = copy_of(data + 1 + more, size - 1 - more);
    parse(&source, NULL, &options);
    spn_source_unload(&source);
}

static void fuzz_two_files(spn_format format, const uint8_t *data, size_t size)
{
    if (size < 3)
        return;
    spn_read_options options = options_of(format, data[0]);
    options.missing = (spn_missing)options.header;
    size_t split = (size_t)data[1] | (size_t)data[2] << 8;
    if (split > size - 3)
        split = size - 3;
    spn_source labels = copy_of(data + 3, split);
    spn_source source = copy_of(data + 3 + split, size - 3 - split);
    parse(&source, data[0] & 128 ? NULL : &labels, &options);
    spn_source_unload(&labels);
    spn_source_unload(&source);
}

void spn_fuzz_csv(const uint8_t *data, size_t size)
{
    fuzz_one_file(SPN_FORMAT_CSV, data, size);
}

void spn_fuzz_svmlight(const uint8_t *data, size_t size)
{
    fuzz_one_file(SPN_FORMAT_SVMLIGHT, data, size);
}

void spn_fuzz_idx(const uint8_t *data, size_t size)
{
    fuzz_two_files(SPN_FORMAT_IDX, data, size);
}

void spn_fuzz_npy(const uint8_t *data, size_t size)
{
    fuzz_two_files(SPN_FORMAT_NPY, data, size);
}

static uint32_t get_u32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int b = 0; b < 4; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

/* Put the right checksums into the list of a ZIP file's stored members. */
static void seal_zip(const spn_source *file)
{
    for (size_t at = 0; at + 46 <= file->size; at++) {
        uint8_t *entry = file->owned + at;
        if (memcmp(entry, "PK\1\2", 4) != 0 || entry[10] != 0)
            continue;
        const size_t size = get_u32(entry + 20), head = get_u32(entry + 42);
        if (head + 30 > file->size)
            continue;
        const size_t names =
            (size_t)entry[28] + (size_t)(file->owned[head + 28] | file->owned[head + 29] << 8);
        const size_t start = head + 30 + names;
        if (start <= file->size && size <= file->size - start)
            put_u32(entry + 16, (uint32_t)crc32(0, file->owned + start, (uInt)size));
    }
}

void spn_fuzz_npz(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_read_options options = options_of(SPN_FORMAT_NPZ, data[0]);
    options.missing = (spn_missing)options.header;
    options.part = data[0] & 128 ? SPN_DATA_TEST : SPN_DATA_TRAIN;
    spn_source source = copy_of(data + 1, size - 1);
    (void)spn_npz_has_test(&source);
    parse(&source, NULL, &options);
    seal_zip(&source);
    parse(&source, NULL, &options);
    spn_source_unload(&source);
}

/* The first lines are the texts that choose columns; an empty one is not given. */
void spn_fuzz_choice(const uint8_t *data, size_t size)
{
    const char *given[3];
    spn_read_options options = options_of(SPN_FORMAT_CSV, 0);
    const size_t lines = sizeof given / sizeof *given;
    const uint8_t *at = data, *end = data + size;
    char *texts[3] = {NULL};
    for (size_t k = 0; k < lines; k++) {
        const uint8_t *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        texts[k] = text_of(at, (size_t)((stop ? stop : end) - at));
        given[k] = *texts[k] ? texts[k] : NULL;
        at = stop ? stop + 1 : end;
    }
    options.label_column = given[0];
    options.drop = given[1];
    options.categories = given[2];
    spn_source source = copy_of(at, (size_t)(end - at));
    parse(&source, NULL, &options);
    spn_source_unload(&source);
    for (size_t k = 0; k < lines; k++)
        free(texts[k]);
}

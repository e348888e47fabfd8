/* Parts of a dataset: chosen rows, the first, random ones, splits; and shifted copies of images. */
#include "data/dataset.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_memory(spn_dataset *out, const spn_dataset *dataset)
{
    /* count * features may exceed the dataset's, because rows may repeat */
    if (out->samples > SIZE_MAX / out->features)
        return false;
    size_t cells = out->samples * out->features;
    if (dataset->bytes)
        out->bytes = spn_alloc(cells, sizeof *out->bytes);
    else
        out->values = spn_alloc(cells, sizeof *out->values);
    if (!out->bytes && !out->values)
        return false;
    if (dataset->weights && !(out->weights = spn_alloc(out->samples, sizeof *out->weights)))
        return false;
    if (!dataset->labels)
        return true;
    out->labels = spn_alloc(out->samples, sizeof *out->labels);
    out->class_names = spn_list_copy((const char *const *)dataset->class_names, dataset->classes);
    out->classes = out->class_names ? dataset->classes : 0;
    return out->labels && out->class_names;
}

static void copy_row(spn_dataset *out, size_t to, const spn_dataset *dataset, size_t from)
{
    const size_t size = dataset->features;
    if (dataset->bytes)
        spn_dataset_row_bytes(out->bytes + to * size, dataset, from);
    else
        spn_dataset_row_values(out->values + to * size, dataset, from);
    if (dataset->labels)
        out->labels[to] = dataset->labels[from];
    if (dataset->weights)
        out->weights[to] = dataset->weights[from];
}

spn_status spn_dataset_select(spn_dataset **out, const spn_dataset *dataset, const size_t *rows,
                              size_t count, spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(count == 0, err, "a part of a data set needs at least one sample");
    for (size_t k = 0; k < count; k++)
        SPN_REFUSE_IF(rows[k] >= dataset->samples, err, "row %zu is beyond the %zu samples",
                      rows[k], dataset->samples);
    spn_dataset *part = calloc(1, sizeof *part);
    if (part)
        *part = (spn_dataset){.samples = count,
                              .features = dataset->features,
                              .width = dataset->width,
                              .height = dataset->height};
    if (!part || !take_memory(part, dataset) ||
        (dataset->columns && spn_columns_copy(&part->columns, dataset->columns, NULL, NULL))) {
        spn_dataset_free(part);
        return spn_no_memory(err, "%zu samples", count);
    }
    for (size_t k = 0; k < count; k++)
        copy_row(part, k, dataset, rows[k]);
    if (dataset->missing)
        part->missing = spn_dataset_count_missing(part);
    *out = part;
    return SPN_OK;
}

static spn_status check_count(const spn_dataset *dataset, size_t count, spn_error *err)
{
    if (count >= 1 && count <= dataset->samples)
        return SPN_OK;
    return spn_refuse(err, "%zu samples are asked for; the data set has %zu, take 1 to that many",
                      count, dataset->samples);
}

/* `count` rows: all in turn, then from the first again. */
static spn_status repeat(spn_dataset **out, const spn_dataset *dataset, size_t count,
                         spn_error *err)
{
    size_t *rows = spn_alloc(count, sizeof *rows);
    SPN_NEED(rows, err, "%zu samples", count);
    for (size_t k = 0; k < count; k++)
        rows[k] = k % dataset->samples;
    const spn_status status = spn_dataset_select(out, dataset, rows, count, err);
    free(rows);
    return status;
}

spn_status spn_dataset_first(spn_dataset **out, const spn_dataset *dataset, size_t count,
                             spn_error *err)
{
    *out = NULL;
    SPN_TRY(check_count(dataset, count, err));
    return repeat(out, dataset, count, err);
}

/* This layer has no random streams; a hash of (seed, index) is enough. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

typedef struct keyed {
    uint32_t group;
    uint64_t key;
    size_t row;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *left = a, *right = b;
    if (left->group != right->group)
        return left->group < right->group ? -1 : 1;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

/* All samples in random order; if stratified, class by class. */
static keyed *shuffle(const spn_dataset *dataset, uint64_t seed, bool stratified)
{
    keyed *order = spn_alloc(dataset->samples, sizeof *order);
    if (!order)
        return NULL;
    uint64_t start = mix(seed);
    for (size_t n = 0; n < dataset->samples; n++)
        order[n] = (keyed){stratified ? dataset->labels[n] : 0, mix(start + n), n};
    qsort(order, dataset->samples, sizeof *order, compare_keyed);
    return order;
}

/* Write the rows with this mark, in ascending order. Returns their number. */
static size_t collect(size_t *rows, const bool *marked, size_t samples, bool which)
{
    size_t count = 0;
    for (size_t n = 0; n < samples; n++)
        if (marked[n] == which)
            rows[count++] = n;
    return count;
}

/* Mark round(fraction * size) rows of every group. */
static void mark_fraction(bool *marked, const keyed *order, size_t samples, double fraction)
{
    for (size_t start = 0, end; start < samples; start = end) {
        for (end = start; end < samples && order[end].group == order[start].group; end++)
            ;
        size_t take = (size_t)floor(fraction * (double)(end - start) + 0.5);
        for (size_t k = start; k < start + take && k < end; k++)
            marked[order[k].row] = true;
    }
}

/* Both parts of a marked dataset; out_rest may be NULL. */
static spn_status select_both(spn_dataset **out_rest, spn_dataset **out_part,
                              const spn_dataset *dataset, const bool *marked, size_t *rows,
                              spn_error *err)
{
    const size_t part = collect(rows, marked, dataset->samples, true);
    SPN_REFUSE_IF(out_rest && (part == 0 || part == dataset->samples), err,
                  "the split leaves no sample on one side; change the fraction or take "
                  "more than %zu samples",
                  dataset->samples);
    SPN_TRY(spn_dataset_select(out_part, dataset, rows, part, err));
    if (!out_rest)
        return SPN_OK;
    const size_t rest = collect(rows, marked, dataset->samples, false);
    const spn_status status = spn_dataset_select(out_rest, dataset, rows, rest, err);
    if (status) {
        spn_dataset_free(*out_part);
        *out_part = NULL;
    }
    return status;
}

/* `count` samples at random; or, if 0, a fraction of every group; or, if folds is not 0, every
   folds-th in random order. */
typedef struct choice {
    size_t count;
    double fraction;
    size_t folds, fold;
    bool stratified;
} choice;

static void mark(bool *marked, const keyed *order, size_t samples, const choice *how)
{
    for (size_t k = 0; k < how->count; k++)
        marked[order[k].row] = true;
    for (size_t k = how->fold; how->folds && k < samples; k += how->folds)
        marked[order[k].row] = true;
    if (how->count == 0 && how->folds == 0)
        mark_fraction(marked, order, samples, how->fraction);
}

static spn_status choose(spn_dataset **out_rest, spn_dataset **out_part, const spn_dataset *dataset,
                         const choice *how, uint64_t seed, spn_error *err)
{
    keyed *order = shuffle(dataset, seed, how->stratified);
    bool *marked = spn_alloc(dataset->samples, sizeof *marked);
    size_t *rows = spn_alloc(dataset->samples, sizeof *rows);
    spn_status status;
    SPN_NEED_OR(cleanup, order && marked && rows, err, "%zu samples", dataset->samples);
    mark(marked, order, dataset->samples, how);
    status = select_both(out_rest, out_part, dataset, marked, rows, err);
cleanup:
    SPN_FREE_ALL(order, marked, rows);
    return status;
}

spn_status spn_dataset_sample(spn_dataset **out, const spn_dataset *dataset, size_t count,
                              uint64_t seed, spn_error *err)
{
    *out = NULL;
    SPN_TRY(check_count(dataset, count, err));
    return choose(NULL, out, dataset, &(choice){.count = count}, seed, err);
}

spn_status spn_dataset_fold(spn_dataset **out_rest, spn_dataset **out_part,
                            const spn_dataset *dataset, size_t folds, size_t fold, uint64_t seed,
                            spn_error *err)
{
    *out_rest = *out_part = NULL;
    if (folds < 2 || folds > dataset->samples || fold >= folds)
        return spn_refuse(err, "fold %zu of %zu from %zu samples", fold, folds, dataset->samples);
    const choice how = {.folds = folds, .fold = fold, .stratified = dataset->labels != NULL};
    return choose(out_rest, out_part, dataset, &how, seed, err);
}

spn_status spn_dataset_split(spn_dataset **out_rest, spn_dataset **out_part,
                             const spn_dataset *dataset, double fraction, uint64_t seed,
                             bool stratified, spn_error *err)
{
    *out_rest = *out_part = NULL;
    SPN_REFUSE_IF(!(fraction > 0 && fraction < 1), err,
                  "a split by the fraction %g; expected more than 0 and less than 1", fraction);
    SPN_REFUSE_IF(stratified && !dataset->labels, err,
                  "a stratified split needs labels; split without classes instead");
    const choice how = {.fraction = fraction, .stratified = stratified};
    return choose(out_rest, out_part, dataset, &how, seed, err);
}

/* Displacement of a copy. */
static const struct {
    int right, down;
} moves[SPN_MOST_SHIFTS] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

static spn_status check(const spn_dataset *images, size_t shifts, spn_error *err)
{
    SPN_REFUSE_IF(shifts != 4 && shifts != SPN_MOST_SHIFTS, err,
                  "images are shifted in 4 or %d directions, not %zu", SPN_MOST_SHIFTS, shifts);
    SPN_REFUSE_IF(images->width == 0 || images->width * images->height != images->features, err,
                  "these samples are not known to be images, whose width and height "
                  "their file says (idx, or npy of 3 dimensions)");
    if (images->samples > SIZE_MAX / (shifts + 1))
        return spn_no_memory(err, "%zu shifts of %zu images", shifts, images->samples);
    return SPN_OK;
}

/* Move an image of cells of `size` bytes; cells of zero bytes are 0. */
static void move_image(unsigned char *out, const unsigned char *image, const spn_dataset *images,
                       size_t size, size_t move)
{
    const int right = moves[move].right, down = moves[move].down;
    const size_t width = images->width, height = images->height, left = width - 1;
    memset(out, 0, width * height * size);
    for (size_t y = 0; y < height; y++) {
        if ((down < 0 && y == 0) || (down > 0 && y + 1 == height))
            continue;
        const unsigned char *from = image + y * width * size + (right < 0 ? size : 0);
        unsigned char *to =
            out + (size_t)((ptrdiff_t)y + down) * width * size + (right > 0 ? size : 0);
        memcpy(to, from, (right ? left : width) * size);
    }
}

spn_status spn_dataset_shifted(spn_dataset **out, const spn_dataset *images, size_t shifts,
                               spn_error *err)
{
    *out = NULL;
    SPN_TRY(check(images, shifts, err));
    SPN_TRY(repeat(out, images, images->samples * (shifts + 1), err));
    assert(*out && !images->copies); /* data with copies are no images */
    const size_t size = images->bytes ? 1 : sizeof *images->values;
    const size_t whole = images->features * size, all = images->samples * whole;
    const unsigned char *from =
        images->bytes ? images->bytes : (const unsigned char *)images->values;
    unsigned char *to = (*out)->bytes ? (*out)->bytes : (unsigned char *)(*out)->values;
    for (size_t s = 0; s < shifts; s++)
        for (size_t n = 0; n < images->samples; n++)
            move_image(to + (s + 1) * all + n * whole, from + n * whole, images, size, s);
    return SPN_OK;
}

/* Datasets: their content, from arrays in memory, renamed classes, and checksums. */
#include "data/dataset.h"

#include "base/memory.h"
#include "data/read/cells.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL /* a state on the stack, so a checksum never lacks memory */
#include <xxhash.h>

void spn_dataset_describe(spn_dataset_arrays *out, const spn_dataset *dataset)
{
    const spn_dataset_arrays own = {.size = out->size,
                                    .samples = dataset->samples,
                                    .features = dataset->features,
                                    .labels = dataset->labels,
                                    .classes = dataset->classes,
                                    .class_names = (const char *const *)dataset->class_names,
                                    .width = dataset->width,
                                    .height = dataset->height,
                                    .weights = dataset->weights};
    spn_sized_give(out, out->size, &own, sizeof own);
}

void spn_dataset_row_bytes(uint8_t *out, const spn_dataset *dataset, size_t n)
{
    const size_t columns = spn_dataset_stored(dataset);
    const uint8_t *row = dataset->bytes + n * columns;
    if (!dataset->copies)
        memcpy(out, row, columns);
    for (size_t c = 0; dataset->copies && c < columns; c++)
        memset(out + c * dataset->copies, row[c], dataset->copies);
}

void spn_dataset_row_values(double *out, const spn_dataset *dataset, size_t n)
{
    for (size_t i = 0; i < dataset->features; i++)
        out[i] = spn_dataset_cell(dataset, n, i);
}

/* Data with copies stored whole, made on first use. NULL: no memory. */
static const void *whole_of(const spn_dataset *dataset)
{
    spn_dataset *own = (spn_dataset *)(uintptr_t)dataset; /* callers see no change */
    const size_t features = dataset->features;
    const size_t size = dataset->bytes ? sizeof(uint8_t) : sizeof(double);
    void *none = NULL, *made = atomic_load(&own->whole);
    if (made || dataset->samples > SIZE_MAX / features)
        return made;
    made = spn_alloc(dataset->samples * features, size);
    for (size_t n = 0; made && n < dataset->samples; n++)
        if (dataset->bytes)
            spn_dataset_row_bytes((uint8_t *)made + n * features, dataset, n);
        else
            spn_dataset_row_values((double *)made + n * features, dataset, n);
    if (atomic_compare_exchange_strong(&own->whole, &none, made))
        return made;
    free(made);
    return none;
}

const uint8_t *spn_dataset_bytes(const spn_dataset *dataset)
{
    return dataset->copies && dataset->bytes ? whole_of(dataset) : dataset->bytes;
}

const double *spn_dataset_values(const spn_dataset *dataset)
{
    return dataset->copies && dataset->values ? whole_of(dataset) : dataset->values;
}

double spn_dataset_value(const spn_dataset *dataset, size_t n, size_t i)
{
    return spn_dataset_cell(dataset, n, i);
}

double spn_dataset_total_weight(const spn_dataset *dataset)
{
    double total = 0;
    for (size_t n = 0; dataset->weights && n < dataset->samples; n++)
        total += dataset->weights[n];
    return dataset->weights ? total : (double)dataset->samples;
}

/* The product of two weights may overflow, so each is scaled on its own. */
double spn_dataset_scaled_weight(const spn_dataset *dataset, size_t n, const double *class_weights,
                                 int power)
{
    const double of_class = class_weights ? class_weights[dataset->labels[n]] : 1;
    int own, class;
    const double product = frexp(dataset->weights[n], &own) * frexp(of_class, &class);
    return ldexp(product, own + class - power);
}

int spn_dataset_weight_power(const spn_dataset *dataset, const double *class_weights)
{
    int most = INT_MIN;
    for (size_t n = 0; n < dataset->samples; n++) {
        const double of_class = class_weights ? class_weights[dataset->labels[n]] : 1;
        int own, class, both;
        const double product = frexp(dataset->weights[n], &own) * frexp(of_class, &class);
        (void)frexp(product, &both);
        most = own + class + both > most ? own + class + both : most;
    }
    return most - 1;
}

const spn_columns *spn_dataset_columns(const spn_dataset *dataset)
{
    return dataset->columns;
}

size_t spn_dataset_missing(const spn_dataset *dataset)
{
    return dataset->missing;
}

const char *spn_dataset_note(const spn_dataset *dataset)
{
    return dataset->note;
}

const char *spn_dataset_feature_shown(char out[SPN_FEATURE_SHOWN], const spn_dataset *dataset,
                                      size_t i)
{
    char shown[SPN_SHOWN];
    const spn_columns *columns = dataset->copies ? dataset->copied : dataset->columns;
    const size_t own = spn_dataset_stored_at(dataset, i);
    const char *name = columns ? spn_columns_feature_name(columns, own) : NULL;
    if (name && *name)
        snprintf(out, SPN_FEATURE_SHOWN, "feature %zu ('%s')", own + 1,
                 spn_show(shown, (spn_span){name, strlen(name)}));
    else
        snprintf(out, SPN_FEATURE_SHOWN, "feature %zu", own + 1);
    return out;
}

void spn_dataset_free(spn_dataset *dataset)
{
    if (!dataset)
        return;
    spn_list_free(dataset->class_names, dataset->classes);
    spn_columns_free(dataset->columns);
    spn_columns_free(dataset->copied);
    SPN_FREE_ALL(dataset->labels, dataset->note, dataset->weights);
    if (!dataset->borrowed)
        SPN_FREE_ALL(dataset->values, dataset->bytes);
    SPN_FREE_ALL(dataset->whole, dataset);
}

/* ---- from arrays ---- */

static spn_status check_name(const char *const *names, size_t k, spn_error *err)
{
    SPN_REFUSE_IF(!names[k] || !names[k][0], err, "class %zu has no name", k);
    for (size_t j = 0; j < k; j++)
        SPN_REFUSE_IF(strcmp(names[j], names[k]) == 0, err,
                      "classes %zu and %zu have the same name, '%s'", j, k, names[k]);
    return SPN_OK;
}

spn_status spn_class_names_copy(char ***out, const char *const *names, size_t classes,
                                spn_error *err)
{
    char **copy = spn_alloc(classes, sizeof *copy);
    spn_status status = copy ? SPN_OK : spn_no_memory(err, "%zu classes", classes);
    for (size_t k = 0; k < classes && !status; k++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", k);
        status = names ? check_name(names, k, err) : SPN_OK;
        if (!status && !(copy[k] = strdup(names ? names[k] : number)))
            status = spn_no_memory(err, "%zu classes", classes);
    }
    if (status)
        spn_list_free(copy, classes);
    *out = status ? NULL : copy;
    return status;
}

static spn_status check_shape(const spn_dataset_arrays *a, spn_error *err)
{
    SPN_REFUSE_IF(a->samples == 0 || a->features == 0 || a->samples > SIZE_MAX / 8 / a->features,
                  err, "a data set has at least one sample and one feature, not %zu by %zu",
                  a->samples, a->features);
    SPN_REFUSE_IF(!a->bytes == !a->values, err,
                  "the features of a data set are either bytes or values");
    SPN_REFUSE_IF(!a->labels && (a->classes || a->class_names), err,
                  "a data set without labels has no classes");
    SPN_REFUSE_IF(a->labels && (a->classes < 1 || a->classes > SPN_MAX_CLASSES), err,
                  "labels have 1 to %d classes, not %zu", SPN_MAX_CLASSES, a->classes);
    const bool image = a->width || a->height;
    SPN_REFUSE_IF(
        image && (a->width == 0 || a->features % a->width || a->features / a->width != a->height),
        err, "%zu features are not an image of %zu by %zu", a->features, a->width, a->height);
    return SPN_OK;
}

/* The readers' cells keep small integers as bytes. */
static spn_status copy_values(spn_dataset *dataset, const double *values, spn_error *err)
{
    spn_cells cells = {.dataset = dataset};
    SPN_TRY(spn_cells_begin(&cells, "the arrays", NULL, err));
    for (size_t k = 0; k < dataset->samples * dataset->features; k++) {
        SPN_REFUSE_IF(!isfinite(values[k]), err, "feature %zu of sample %zu is not finite",
                      k % dataset->features, k / dataset->features);
        SPN_TRY(spn_cells_put(&cells, k, values[k], err));
    }
    return SPN_OK;
}

/* Whether values are kept as they are: all are finite, and at least one is not a byte. */
static bool are_kept(const double *values, size_t count)
{
    bool bytes = true;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            return false; /* copying names the place */
        bytes = bytes && values[k] >= 0 && values[k] <= 255 && values[k] == floor(values[k]);
    }
    return !bytes;
}

static spn_status take_features(spn_dataset *dataset, const spn_dataset_arrays *a, spn_error *err)
{
    if (a->borrow && (a->bytes || are_kept(a->values, a->samples * a->features))) {
        dataset->borrowed = true; /* never written to */
        dataset->bytes = (uint8_t *)(uintptr_t)a->bytes;
        dataset->values = (double *)(uintptr_t)a->values;
        return SPN_OK;
    }
    if (a->values)
        return copy_values(dataset, a->values, err);
    assert(a->bytes);
    dataset->bytes = spn_alloc(a->samples * a->features, 1);
    SPN_NEED(dataset->bytes, err, "%zu samples", a->samples);
    memcpy(dataset->bytes, a->bytes, a->samples * a->features);
    return SPN_OK;
}

static spn_status copy_labels(spn_dataset *dataset, const spn_dataset_arrays *a, spn_error *err)
{
    if (!a->labels)
        return SPN_OK;
    for (size_t n = 0; n < a->samples; n++)
        SPN_REFUSE_IF(a->labels[n] >= a->classes, err,
                      "the label of sample %zu is %u, of %zu classes", n, (unsigned)a->labels[n],
                      a->classes);
    dataset->labels = spn_alloc(a->samples, sizeof *dataset->labels);
    SPN_NEED(dataset->labels, err, "%zu labels", a->samples);
    memcpy(dataset->labels, a->labels, a->samples * sizeof *a->labels);
    spn_status status =
        spn_class_names_copy(&dataset->class_names, a->class_names, a->classes, err);
    dataset->classes = status ? 0 : (uint32_t)a->classes;
    return status;
}

/* Drop weights that are all 1, because computations without weights are faster. */
static spn_status copy_weights(spn_dataset *dataset, const spn_dataset_arrays *a, spn_error *err)
{
    bool needed = false;
    double total = 0;
    for (size_t n = 0; a->weights && n < a->samples; n++) {
        SPN_REFUSE_IF(!(a->weights[n] > 0) || !isfinite(a->weights[n]), err,
                      "sample %zu has weight %g, expected a positive number", n, a->weights[n]);
        needed |= a->weights[n] != 1;
        total += a->weights[n];
    }
    SPN_REFUSE_IF(!isfinite(total), err, "the weights of the samples add up to infinity");
    if (!needed)
        return SPN_OK;
    dataset->weights = spn_alloc(a->samples, sizeof *dataset->weights);
    SPN_NEED(dataset->weights, err, "%zu weights", a->samples);
    memcpy(dataset->weights, a->weights, a->samples * sizeof *a->weights);
    return SPN_OK;
}

spn_status spn_dataset_create(spn_dataset **out, const spn_dataset_arrays *arrays, spn_error *err)
{
    spn_dataset_arrays a = spn_dataset_arrays_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&a, sizeof a, arrays, "spn_dataset_arrays_defaults", err));
    SPN_TRY(check_shape(&a, err));
    spn_dataset *dataset = spn_alloc(1, sizeof *dataset);
    SPN_NEED(dataset, err, "a data set");
    *dataset = (spn_dataset){
        .samples = a.samples, .features = a.features, .width = a.width, .height = a.height};
    spn_status status;
    SPN_TRY_OR(cleanup, take_features(dataset, &a, err));
    SPN_TRY_OR(cleanup, copy_labels(dataset, &a, err));
    SPN_TRY_OR(cleanup, copy_weights(dataset, &a, err));
    *out = dataset;
    dataset = NULL;
cleanup:
    spn_dataset_free(dataset);
    return status;
}

/* ---- other numbers of classes ---- */

/* Number of each class in the list, or UINT32_MAX. */
static void match_names(uint32_t *out, const spn_dataset *dataset, const char *const *class_names,
                        uint32_t classes)
{
    for (uint32_t k = 0; k < dataset->classes; k++) {
        out[k] = UINT32_MAX;
        for (uint32_t j = 0; j < classes && out[k] == UINT32_MAX; j++)
            if (strcmp(dataset->class_names[k], class_names[j]) == 0)
                out[k] = j;
    }
}

static spn_status check_known(const spn_dataset *dataset, const uint32_t *match,
                              const char *const *class_names, uint32_t classes, const char *name,
                              spn_error *err)
{
    char unknown[SPN_SHOWN], first[SPN_SHOWN], last[SPN_SHOWN];
    for (size_t n = 0; n < dataset->samples; n++) {
        if (match[dataset->labels[n]] != UINT32_MAX)
            continue;
        const char *text = dataset->class_names[dataset->labels[n]];
        const char *final = class_names[classes - 1];
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: sample %zu: the label '%s' is none of the %u known classes ('%s' to '%s')", name,
            n + 1, spn_show(unknown, (spn_span){text, strlen(text)}), classes,
            spn_show(first, (spn_span){class_names[0], strlen(class_names[0])}),
            spn_show(last, (spn_span){final, strlen(final)}));
    }
    return SPN_OK;
}

spn_status spn_dataset_relabel(spn_dataset *dataset, const char *const *class_names,
                               uint32_t classes, const char *name, spn_error *err)
{
    SPN_REFUSE_IF(!dataset->labels || classes == 0, err, "%s: %s to rename", name,
                  dataset->labels ? "no class names are given" : "there are no labels");
    char **names = spn_list_copy(class_names, classes);
    uint32_t *match = spn_alloc(dataset->classes, sizeof *match);
    spn_status status = names && match ? SPN_OK : spn_no_memory(err, "the labels of %s", name);
    if (status)
        goto cleanup;
    match_names(match, dataset, class_names, classes);
    SPN_TRY_OR(cleanup, check_known(dataset, match, class_names, classes, name, err));
    for (size_t n = 0; n < dataset->samples; n++)
        dataset->labels[n] = match[dataset->labels[n]];
    spn_list_free(dataset->class_names, dataset->classes);
    dataset->class_names = names;
    dataset->classes = classes;
    names = NULL;
cleanup:
    spn_list_free(names, classes);
    free(match);
    return status;
}

/* ---- checksum ---- */

enum { IS_LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, BLOCK = 4096 };

/* The bytes of a number, the lowest first: checksums are the same on all machines. */
static void put_number(unsigned char *out, const unsigned char *number, size_t size)
{
    for (size_t b = 0; b < size; b++)
        out[b] = number[IS_LITTLE ? b : size - 1 - b];
}

static uint64_t hash_numbers(const void *numbers, size_t count, size_t size, uint64_t seed)
{
    if (IS_LITTLE || size == 1)
        return XXH3_64bits_withSeed(numbers, count * size, seed);
    unsigned char block[BLOCK];
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (size_t k = 0; k < count;) {
        size_t used = 0;
        for (; k < count && used < sizeof block; k++, used += size)
            put_number(block + used, (const unsigned char *)numbers + k * size, size);
        XXH3_64bits_update(&state, block, used);
    }
    return XXH3_64bits_digest(&state);
}

static uint64_t add_weights(const spn_dataset *dataset, uint64_t hash)
{
    return dataset->weights
               ? hash_numbers(dataset->weights, dataset->samples, sizeof *dataset->weights, hash)
               : hash;
}

/* Hash of whole rows, for data with copies. */
static uint64_t hash_copies(const spn_dataset *dataset, uint64_t seed)
{
    const size_t stored = dataset->samples * spn_dataset_stored(dataset);
    const size_t size = dataset->bytes ? sizeof *dataset->bytes : sizeof *dataset->values;
    const unsigned char *cells =
        dataset->bytes ? dataset->bytes : (const unsigned char *)dataset->values;
    unsigned char block[BLOCK]; /* a multiple of both sizes */
    size_t used = 0;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (size_t k = 0; k < stored; k++)
        for (size_t left = dataset->copies; left > 0;) {
            const size_t room = (sizeof block - used) / size, some = left < room ? left : room;
            for (size_t j = 0; j < some; j++, used += size)
                put_number(block + used, cells + k * size, size);
            left -= some;
            if (used == sizeof block) {
                XXH3_64bits_update(&state, block, used);
                used = 0;
            }
        }
    XXH3_64bits_update(&state, block, used);
    return XXH3_64bits_digest(&state);
}

uint64_t spn_dataset_checksum(const spn_dataset *dataset)
{
    size_t cells = dataset->samples * dataset->features;
    const uint64_t shape[] = {dataset->samples, dataset->features, dataset->classes,
                              dataset->bytes != NULL};
    /* each hash is the seed of the next */
    uint64_t hash = hash_numbers(shape, sizeof shape / sizeof *shape, sizeof *shape, 0);
    if (dataset->copies)
        hash = hash_copies(dataset, hash);
    else if (dataset->bytes)
        hash = XXH3_64bits_withSeed(dataset->bytes, cells, hash);
    else
        hash = hash_numbers(dataset->values, cells, sizeof *dataset->values, hash);
    if (!dataset->labels)
        return add_weights(dataset, hash);
    hash = hash_numbers(dataset->labels, dataset->samples, sizeof *dataset->labels, hash);
    for (uint32_t k = 0; k < dataset->classes; k++)
        hash = XXH3_64bits_withSeed(dataset->class_names[k], strlen(dataset->class_names[k]), hash);
    return add_weights(dataset, hash);
}

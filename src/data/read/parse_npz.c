/* NPZ, the format of numpy.savez: NPY arrays in a ZIP file. Their names, or else their shapes, tell
   which are the samples and which the labels. */
#include "data/read/cells.h"

#include "base/number.h"
#include "base/try.h"
#include "data/read/npy_header.h"
#include "data/read/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names of arrays, in any case, in the order in which they are looked for. */
static const struct {
    const char *samples, *labels, *test_samples, *test_labels;
} known[] = {{"x_train", "y_train", "x_test", "y_test"},
             {"train_images", "train_labels", "test_images", "test_labels"},
             {"x", "y", NULL, NULL},
             {"data", "target", NULL, NULL},
             {"images", "labels", NULL, NULL},
             {"features", "labels", NULL, NULL},
             {"data", "labels", NULL, NULL}};

enum { KNOWN = sizeof known / sizeof *known };

/* The array of that name, or NULL. */
static const spn_zip_member *find(const spn_zip *zip, const char *name)
{
    const size_t size = strlen(name);
    for (size_t k = 0; k < zip->count; k++)
        if (strncasecmp(zip->members[k].name, name, size) == 0 &&
            strcmp(zip->members[k].name + size, ".npy") == 0)
            return &zip->members[k];
    return NULL;
}

/* ---- an array ---- */

typedef struct array {
    char *name; /* for errors: FILE: NAME */
    spn_source source;
    spn_npy npy;
} array;

static void close_array(array *a)
{
    spn_source_unload(&a->source);
    free(a->name);
    *a = (array){0};
}

static spn_status open_array(array *out, const spn_zip *zip, const spn_zip_member *member,
                             size_t max_bytes, spn_error *err)
{
    *out = (array){0};
    if (asprintf(&out->name, "%s: %s", zip->source->name, member->name) < 0) {
        out->name = NULL;
        return spn_no_memory(err, "%s", zip->source->name);
    }
    SPN_TRY(spn_zip_load(&out->source, zip, member, out->name, max_bytes, err));
    return spn_npy_read(&out->npy, &out->source, err);
}

/* ---- which arrays ---- */

/* Where the samples and the labels of a part are; labels may be NULL. */
enum { SAMPLES, LABELS, CHOSEN };

static bool choose_by_name(const spn_zip_member *out[CHOSEN], const spn_zip *zip, bool test)
{
    for (size_t k = 0; k < KNOWN; k++) {
        const bool parts = known[k].test_samples != NULL;
        out[SAMPLES] = find(zip, known[k].samples);
        out[LABELS] = find(zip, known[k].labels);
        /* "data" alone may go with any name of labels */
        if (!out[SAMPLES] || (!out[LABELS] && !parts && zip->count > 1))
            continue;
        if (test && parts && find(zip, known[k].test_samples)) {
            out[SAMPLES] = find(zip, known[k].test_samples);
            out[LABELS] = find(zip, known[k].test_labels);
        }
        return true;
    }
    return false;
}

/* A single array, or the two of which one can be the labels of the other. */
static spn_status choose_by_shape(const spn_zip_member *out[CHOSEN], const spn_zip *zip,
                                  size_t max_bytes, spn_error *err)
{
    array arrays[2] = {{0}};
    spn_status status = SPN_OK;
    out[SAMPLES] = out[LABELS] = NULL;
    for (size_t k = 0; k < zip->count && k < 2 && status == SPN_OK; k++)
        status = open_array(&arrays[k], zip, &zip->members[k], max_bytes, err);
    if (status == SPN_OK && zip->count == 1)
        out[SAMPLES] = &zip->members[0];
    for (size_t k = 0; k < 2 && status == SPN_OK && zip->count == 2 && !out[SAMPLES]; k++)
        if (spn_npy_is_samples(&arrays[k].npy) &&
            spn_npy_is_labels(&arrays[1 - k].npy, arrays[k].npy.shape[0])) {
            out[SAMPLES] = &zip->members[k];
            out[LABELS] = &zip->members[1 - k];
        }
    for (size_t k = 0; k < 2; k++)
        close_array(&arrays[k]);
    return status;
}

static spn_status nothing_found(const spn_zip *zip, spn_error *err)
{
    char names[160] = "";
    for (size_t k = 0; k < zip->count; k++)
        spn_print_more(names, sizeof names, "%s%s", k ? ", " : "", zip->members[k].name);
    for (char *c = names; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    return spn_source_fail(zip->source, err,
                           "holds %s; expected x_train and y_train, X and y, data and target, "
                           "images and labels, or two arrays of which one has a label for each "
                           "sample",
                           zip->count ? names : "no arrays");
}

bool spn_npz_has_test(const spn_source *source)
{
    spn_zip zip;
    const spn_zip_member *train[CHOSEN], *test[CHOSEN];
    if (source->size < 4 || memcmp(source->data, "PK\3\4", 4) != 0)
        return false;
    const bool has = spn_zip_open(&zip, source, NULL) == SPN_OK &&
                     choose_by_name(train, &zip, false) && choose_by_name(test, &zip, true) &&
                     test[SAMPLES] != train[SAMPLES];
    spn_zip_free(&zip);
    return has;
}

/* ---- the dataset ---- */

static spn_status read_array(spn_cells *out, const spn_zip *zip, const spn_zip_member *member,
                             bool labels, const spn_read_options *options, spn_error *err)
{
    array a;
    spn_status status;
    SPN_TRY_OR(cleanup, open_array(&a, zip, member, options->max_bytes, err));
    status = labels ? spn_npy_take_labels(out, &a.npy, err)
                    : spn_npy_take_samples(out, &a.npy, options, err);
    out->name = zip->source->name; /* that of the array goes away */
cleanup:
    close_array(&a);
    return status;
}

static spn_status read_all(spn_cells *out, const spn_zip *zip, const spn_source *labels,
                           const spn_read_options *options, spn_error *err)
{
    const spn_zip_member *arrays[CHOSEN];
    if (!choose_by_name(arrays, zip, options->part == SPN_DATA_TEST))
        SPN_TRY(choose_by_shape(arrays, zip, options->max_bytes, err));
    if (!arrays[SAMPLES])
        return nothing_found(zip, err);
    SPN_TRY(read_array(out, zip, arrays[SAMPLES], false, options, err));
    if (options->labels == SPN_LABELS_NONE)
        return SPN_OK;
    if (labels)
        return spn_npy_read_labels(out, labels, err);
    if (arrays[LABELS])
        return read_array(out, zip, arrays[LABELS], true, options, err);
    if (spn_labels_not_needed(options))
        return SPN_OK;
    return spn_source_fail(zip->source, err,
                           "no array holds the labels of %s; add one, such as y beside X, or give "
                           "a file of them (labels)",
                           arrays[SAMPLES]->name);
}

spn_status spn_parse_npz(spn_cells *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    spn_zip zip;
    spn_status status = spn_zip_open(&zip, source, err);
    if (status == SPN_OK)
        status = read_all(out, &zip, labels, options, err);
    spn_zip_free(&zip);
    return status;
}

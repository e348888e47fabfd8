/* Data sets known by name. */

#include "base/memory.h"
#include "data/read/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"digits", "mnist", "fashion", NULL};

const char *const *spn_dataset_names(void)
{
    return names;
}

spn_status spn_data_folder(char **out, spn_error *err)
{
    const char *own = getenv("SPINNEY_DATA"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int size;
    *out = NULL;
    if (own && *own)
        size = asprintf(out, "%s", own);
    else if (cache && *cache)
        size = asprintf(out, "%s/spinney", cache);
    else if (home && *home)
        size = asprintf(out, "%s/.cache/spinney", home);
    else
        return spn_fail(err, SPN_ERROR_IO,
                        "the folder of fetched data is not known: set SPINNEY_DATA to it");
    if (size >= 0)
        return SPN_OK;
    *out = NULL;
    return spn_no_memory(err, "the name of a folder");
}

static spn_status open_digits(spn_dataset **out_train, spn_dataset **out_test, spn_error *err)
{
    spn_source source;
    spn_dataset *all = NULL;
    const spn_read_options options = {
        .size = sizeof options, .format = SPN_FORMAT_CSV, .header = SPN_HEADER_NO};
    SPN_TRY(spn_source_wrap(&source, "digits", spn_digits_data, spn_digits_size,
                            SPN_DEFAULT_MAX_BYTES, err));
    spn_status status = spn_dataset_parse(&all, &source, NULL, &options, err);
    spn_source_unload(&source);
    if (status)
        return status;
    all->width = all->height = 8;
    status = spn_dataset_split(out_train, out_test, all, 0.25, SPN_DIGITS_SEED, true, err);
    spn_dataset_free(all);
    return status;
}

/* Path of a file in a folder, gzipped or not; *out is NULL if there is neither. */
static spn_status find_file(char **out, const char *folder, const char *name, const char *file,
                            spn_error *err)
{
    static const char *const endings[] = {"", ".gz"};
    for (size_t k = 0; k < 2; k++) {
        if (asprintf(out, "%s/%s/%s%s", folder, name, file, endings[k]) < 0) {
            *out = NULL;
            return spn_no_memory(err, "the name of a file");
        }
        if (access(*out, R_OK) == 0)
            return SPN_OK;
        free(*out);
        *out = NULL;
    }
    return spn_fail(err, SPN_ERROR_IO,
                    "%s/%s/%s: not there; run scripts/fetch-data %s, or put the four IDX files of "
                    "%s into that folder",
                    folder, name, file, name, name);
}

static spn_status open_part(spn_dataset **out, const char *folder, const char *name,
                            const char *part, spn_error *err)
{
    char images[40], labels[40], *images_path = NULL, *labels_path = NULL;
    const spn_read_options options = {
        .size = sizeof options, .format = SPN_FORMAT_IDX, .features = 784};
    snprintf(images, sizeof images, "%s-images-idx3-ubyte", part);
    snprintf(labels, sizeof labels, "%s-labels-idx1-ubyte", part);
    spn_status status;
    SPN_TRY_OR(cleanup, find_file(&images_path, folder, name, images, err));
    SPN_TRY_OR(cleanup, find_file(&labels_path, folder, name, labels, err));
    status = spn_dataset_read(out, images_path, labels_path, &options, err);
cleanup:
    SPN_FREE_ALL(images_path, labels_path);
    return status;
}

/* The test part takes its classes from the training part. */
static spn_status open_fetched(spn_dataset **out_train, spn_dataset **out_test, const char *name,
                               spn_error *err)
{
    char *folder = NULL;
    SPN_TRY(spn_data_folder(&folder, err));
    spn_status status;
    SPN_TRY_OR(cleanup, open_part(out_train, folder, name, "train", err));
    if (!out_test)
        goto cleanup;
    SPN_TRY_OR(cleanup, open_part(out_test, folder, name, "t10k", err));
    status = spn_dataset_relabel(*out_test, (const char *const *)(*out_train)->class_names,
                                 (*out_train)->classes, name, err);
cleanup:
    free(folder);
    return status;
}

spn_status spn_dataset_open(spn_dataset **out_train, spn_dataset **out_test, const char *name,
                            spn_error *err)
{
    spn_dataset *train = NULL, *test = NULL;
    spn_status status;
    if (strcmp(name, "digits") == 0)
        status = open_digits(&train, &test, err);
    else if (strcmp(name, "mnist") == 0 || strcmp(name, "fashion") == 0)
        status = open_fetched(&train, out_test ? &test : NULL, name, err);
    else
        status =
            spn_refuse(err, "no data set is called '%s'; expected digits, mnist or fashion", name);
    *out_train = status ? NULL : train;
    if (out_test)
        *out_test = status ? NULL : test;
    if (status)
        spn_dataset_free(train);
    if (status || !out_test)
        spn_dataset_free(test);
    return status;
}

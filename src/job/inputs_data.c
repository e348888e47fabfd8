#include "base/memory.h"
#include "base/number.h"
#include "job/inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

static uint64_t data_checksum(const spn_dataset *train, const spn_dataset *test)
{
    const uint64_t sums[] = {spn_dataset_checksum(train), test ? spn_dataset_checksum(test) : 0};
    return XXH3_64bits(sums, sizeof sums);
}

static spn_status open_known(spn_shared *out, const spn_inputs *inputs, const spn_data_files *files,
                             const spn_read_options *how, spn_error *err)
{
    const char *name = files->data;
    const struct {
        const char *setting, *text;
    } others[] = {{"labels", files->labels},
                  {"test", files->test},
                  {"test-labels", files->test_labels},
                  {"label-column", how->label_column},
                  {"drop", how->drop},
                  {"categories", how->categories}};
    spn_error why = {0};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].text)
            return spn_setting_fail(others[k].setting, err,
                                    "needs a file; the data set %s is known whole", name);
    if (spn_dataset_open(&out->train, &out->test, name, &why))
        return spn_setting_blame("data", &why, err);
    return spn_inputs_compare(inputs, data_checksum(out->train, out->test), "data", name, err);
}

static spn_status no_such_data(const char *name, spn_error *err)
{
    const char *nearest = spn_nearest_of(name, spn_dataset_names());
    char list[256] = "";
    if (nearest)
        return spn_setting_fail(
            "data", err, "'%s' is neither a file nor a data set; did you mean %s?", name, nearest);
    for (const char *const *known = spn_dataset_names(); *known; known++)
        spn_print_more(list, sizeof list, "%s%s", *list ? ", " : "", *known);
    return spn_setting_fail("data", err, "'%s' is neither a file nor a data set (%s)", name, list);
}

/* Settings for samples, and for their labels. */
static const char *const SAMPLES[] = {"data", "test"}, *const LABELS[] = {"labels", "test-labels"};

/* An error about the labels file names its setting, not that of the samples. */
static void blame_labels(bool test, const char *path, spn_error *err)
{
    const size_t before = strlen(SAMPLES[test]) + strlen(": ");
    if (!path || !err || strncmp(err->text + before, path, strlen(path)) != 0)
        return;
    const spn_error why = *err;
    spn_fail(err, why.status, "%s: %s", LABELS[test], why.text + before);
}

/* Errors of the library say (labels); name the right setting. */
static void name_labels(bool test, spn_error *err)
{
    static const char asked[] = "(labels)";
    const char *found = err ? strstr(err->text, asked) : NULL;
    if (!found)
        return;
    const spn_error why = *err;
    const int before = (int)(found - err->text);
    spn_fail(err, why.status, "%.*s(%s)%s", before, why.text, LABELS[test],
             why.text + before + strlen(asked));
}

/* An error about an option that names columns names its setting. */
static void blame_columns(bool test, spn_error *err)
{
    static const char *const settings[] = {"label-column", "drop", "categories"};
    const size_t before = strlen(SAMPLES[test]) + strlen(": ");
    for (size_t k = 0; err && k < sizeof settings / sizeof *settings; k++) {
        char mark[32];
        snprintf(mark, sizeof mark, ": %s: ", settings[k]);
        const char *found = strstr(err->text, mark);
        if (!found)
            continue;
        const spn_error why = *err;
        const int size = (int)(found - err->text - (ptrdiff_t)before);
        spn_fail(err, why.status, "%s: %.*s: %s", settings[k], size, why.text + before,
                 why.text + before + (size_t)size + strlen(mark));
        return;
    }
}

/* Read samples and their labels. part: receives the test part of the file; NULL: do not split. */
static spn_status read_samples(spn_dataset **out, spn_dataset **part, spn_inputs *inputs,
                               const spn_data_files *files, bool test, const spn_read_options *how,
                               spn_error *err)
{
    const char *name = test ? files->test : files->data;
    const char *labels = test ? files->test_labels : files->labels;
    char *path, *labels_path = NULL;
    spn_error why = {0};
    if (how->labels == SPN_LABELS_NONE)
        return spn_setting_fail("label-column", err, "none: labels are needed here");
    SPN_TRY(spn_inputs_open(&path, inputs, SAMPLES[test], name, err));
    if (labels && !(labels_path = spn_inputs_path(inputs, labels)))
        spn_no_memory(&why, "the inputs");
    else if (part)
        spn_dataset_read_parts(out, part, path, labels_path, how, &why);
    else
        spn_dataset_read(out, path, labels_path, how, &why);
    spn_status status = spn_inputs_close(path, inputs, SAMPLES[test], name, &why, err);
    if (status) {
        blame_labels(test, labels_path, err);
        blame_columns(test, err);
        name_labels(test, err);
    }
    if (!status && labels)
        status = spn_inputs_check(inputs, LABELS[test], labels, err);
    free(labels_path);
    return status;
}

static bool is_there(const spn_inputs *inputs, const char *name)
{
    char *path = spn_inputs_path(inputs, name);
    const bool there =
        strcmp(name, "-") == 0 || strchr(name, '/') || (path && access(path, F_OK) == 0);
    free(path);
    return there;
}

/* The test file takes columns, width and classes from the training file. */
static spn_read_options how_to_test(const spn_dataset *train, const spn_read_options *how)
{
    spn_read_options test = *how;
    test.single_class = true;
    test.features = spn_dataset_features(train);
    test.class_names = spn_dataset_class_names(train);
    test.classes = spn_dataset_classes(train);
    test.columns = spn_dataset_columns(train);
    test.part = SPN_DATA_TEST;
    if (test.columns) { /* the columns say the rest */
        test.labels = SPN_LABELS_LAST;
        test.label_column = test.drop = test.categories = NULL;
    }
    return test;
}

static spn_status read_files(spn_shared *out, spn_inputs *inputs, const spn_data_files *files,
                             const spn_read_options *how, spn_error *err)
{
    if (!is_there(inputs, files->data))
        return no_such_data(files->data, err);
    if (!files->test && files->test_labels)
        return spn_setting_fail("test-labels", err, "needs `test`");
    SPN_TRY(
        read_samples(&out->train, files->test ? NULL : &out->test, inputs, files, false, how, err));
    if (!files->test)
        return SPN_OK;
    const spn_read_options test = how_to_test(out->train, how);
    return read_samples(&out->test, NULL, inputs, files, true, &test, err);
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

/* Identifies a way of reading; the caller frees it. NULL without memory. */
static char *how_key(const spn_read_options *how)
{
    char *columns = NULL;
    if (how->columns && spn_columns_to_text(&columns, how->columns, NULL))
        return NULL;
    const uint64_t recipe = columns ? XXH3_64bits(columns, strlen(columns)) : 0;
    free(columns);
    return spn_text_new("%d %d %d %d %d %d %d %d %016" PRIx64 "\n%s\n%s\n%s", (int)how->format,
                        (int)how->labels, (int)how->header, (int)how->separator, (int)how->decimal,
                        (int)how->label_kind, (int)how->missing, (int)how->part, recipe,
                        or_nothing(how->label_column), or_nothing(how->drop),
                        or_nothing(how->categories));
}

/* Check the features and the order of the classes of given samples. class_names NULL: any. */
static spn_status check_shape(const char *setting, const spn_dataset *samples, size_t features,
                              const char *const *class_names, uint32_t classes, spn_error *err)
{
    if (features && spn_dataset_features(samples) != features)
        return spn_setting_fail(setting, err, "has %zu features, and %zu are needed",
                                spn_dataset_features(samples), features);
    if (class_names && spn_dataset_classes(samples) != classes)
        return spn_setting_fail(setting, err, "has %u classes, and %u are needed",
                                (unsigned)spn_dataset_classes(samples), (unsigned)classes);
    for (uint32_t k = 0; class_names && k < classes; k++)
        if (strcmp(spn_dataset_class_names(samples)[k], class_names[k]) != 0)
            return spn_setting_fail(setting, err, "its class %u is '%s', and '%s' is needed",
                                    (unsigned)k, spn_dataset_class_names(samples)[k],
                                    class_names[k]);
    return SPN_OK;
}

/* Given data sets; *train is NULL if there are none. */
static spn_status find_data(const spn_dataset **train, const spn_dataset **test, spn_inputs *inputs,
                            const spn_data_files *files, spn_error *err)
{
    const void *first, *second = NULL;
    spn_status status =
        spn_inputs_find_given(&first, inputs, SPN_OBJECT_DATASET, "data", files->data, err);
    if (!status && files->test)
        status =
            spn_inputs_find_given(&second, inputs, SPN_OBJECT_DATASET, "test", files->test, err);
    *train = first;
    *test = second;
    if (status || !first)
        return status;
    if (files->labels || files->test_labels)
        return spn_setting_fail(files->labels ? "labels" : "test-labels", err, "needs a file");
    if (!spn_dataset_labels(first))
        return spn_setting_fail("data", err, "has no labels; give them with it");
    if (spn_dataset_classes(first) < 2)
        return spn_setting_fail("data", err, "has labels of one class only");
    if (files->test && !second)
        return spn_setting_fail("test", err, "is a file, but data is an object; give both as one");
    return second ? check_shape("test", second, spn_dataset_features(first),
                                spn_dataset_class_names(first), spn_dataset_classes(first), err)
                  : SPN_OK;
}

spn_status spn_inputs_data(const spn_dataset **train, const spn_dataset **test, spn_inputs *inputs,
                           const spn_data_files *files, const spn_read_options *how, spn_error *err)
{
    const spn_status found = find_data(train, test, inputs, files, err);
    if (found || *train)
        return found;
    spn_shared *shared;
    bool first;
    char *key = how_key(how);
    SPN_NEED(key, err, "the inputs");
    const spn_status status = spn_inputs_seek(
        &shared, &first, inputs, err, "data\n%s\n%s\n%s\n%s\n%s", files->data,
        or_nothing(files->labels), or_nothing(files->test), or_nothing(files->test_labels), key);
    free(key);
    SPN_TRY(status);
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, spn_data_is_known(files->data)
                                            ? open_known(shared, inputs, files, how, err)
                                            : read_files(shared, inputs, files, how, err)));
    *train = shared->train;
    *test = shared->test;
    return SPN_OK;
}

static uint64_t names_checksum(const spn_read_options *how)
{
    uint64_t sum = how->classes;
    for (uint32_t k = 0; how->class_names && k < how->classes; k++)
        sum = XXH3_64bits_withSeed(how->class_names[k], strlen(how->class_names[k]) + 1, sum);
    return sum;
}

spn_status spn_inputs_samples(const spn_dataset **out, spn_inputs *inputs,
                              const spn_data_files *files, bool test, const spn_read_options *how,
                              spn_error *err)
{
    const char *name = test ? files->test : files->data;
    const char *labels = test ? files->test_labels : files->labels;
    const void *object;
    spn_shared *shared;
    bool first;
    SPN_TRY(spn_inputs_find_given(&object, inputs, SPN_OBJECT_DATASET, SAMPLES[test], name, err));
    if ((*out = object))
        return check_shape(SAMPLES[test], *out, how->features, how->class_names, how->classes, err);
    char *key = how_key(how);
    SPN_NEED(key, err, "the inputs");
    const spn_status status =
        spn_inputs_seek(&shared, &first, inputs, err, "samples\n%s\n%s\n%zu %016" PRIx64 "\n%s",
                        name, or_nothing(labels), how->features, names_checksum(how), key);
    free(key);
    SPN_TRY(status);
    if (first)
        SPN_TRY(spn_inputs_keep(
            inputs, test || is_there(inputs, name)
                        ? read_samples(&shared->train, NULL, inputs, files, test, how, err)
                        : no_such_data(name, err)));
    *out = shared->train;
    return SPN_OK;
}

spn_status spn_inputs_known_checksum(uint64_t *out, spn_inputs *inputs, const char *name,
                                     spn_error *err)
{
    const spn_data_files files = {.data = name};
    const spn_read_options how = spn_read_defaults();
    const spn_dataset *train = NULL, *test = NULL;
    const spn_status status = spn_inputs_data(&train, &test, inputs, &files, &how, err);
    if (!status)
        *out = data_checksum(train, test);
    return status;
}

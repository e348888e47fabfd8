/* Inputs that are labelled data: data sets known by name, and files. */
#include "job/inputs.h"

#include <inttypes.h>
#include <spinney/words.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* What labelled data are read of, and what came of it. */
typedef struct data_request {
    spn_inputs *inputs;
    const spn_data_files *files;
    const spn_read_options *how;
} data_request;

typedef struct data_parts {
    spn_dataset *train, *test;
} data_parts;

static void release_data(void *object)
{
    data_parts *parts = object;
    spn_dataset_free(parts->train);
    spn_dataset_free(parts->test);
    free(parts);
}

static uint64_t data_checksum(const spn_dataset *train, const spn_dataset *test)
{
    const uint64_t sums[] = {spn_dataset_checksum(train), test ? spn_dataset_checksum(test) : 0};
    return XXH3_64bits(sums, sizeof sums);
}

static spn_status open_known(data_parts *out, const data_request *r, spn_error *err)
{
    const char *name = r->files->data;
    const struct {
        const char *setting, *text;
    } others[] = {{"labels", r->files->labels},
                  {"test", r->files->test},
                  {"test-labels", r->files->test_labels},
                  {"label-column", r->how->label_column},
                  {"drop", r->how->drop},
                  {"categories", r->how->categories}};
    spn_error why = {0};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].text)
            return spn_setting_fail(others[k].setting, err,
                                    "needs a file; the data set %s is known whole", name);
    if (spn_dataset_open(&out->train, &out->test, name, &why))
        return spn_setting_blame("data", &why, err);
    return spn_inputs_compare(r->inputs, data_checksum(out->train, out->test), "data", name, err);
}

/* A word that is neither a file nor the name of a data set. */
static spn_status no_such_data(const char *name, spn_error *err)
{
    const char *nearest = spn_nearest_of(name, spn_dataset_names());
    char list[256] = "";
    if (nearest)
        return spn_setting_fail(
            "data", err, "'%s' is neither a file nor a data set; did you mean %s?", name, nearest);
    for (const char *const *known = spn_dataset_names(); *known; known++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *known);
    }
    return spn_setting_fail("data", err, "'%s' is neither a file nor a data set (%s)", name, list);
}

typedef struct labels_request {
    const char *labels; /* path; may be NULL */
    const spn_read_options *how;
} labels_request;

static spn_status samples_reader(void *out, const char *path, const void *context, spn_error *err)
{
    const labels_request *r = context;
    return spn_dataset_read(out, path, r->labels, r->how, err);
}

/* An error about the file of the labels is their setting's, not that of the samples. */
static void blame_labels(const spn_sample_files *files, const char *path, spn_error *err)
{
    const size_t before = strlen(files->setting) + strlen(": ");
    if (!path || !err || strncmp(err->text + before, path, strlen(path)) != 0)
        return;
    const spn_error why = *err;
    spn_fail(err, why.status, "%s: %s", files->labels_setting, why.text + before);
}

/* Where the library asks for --labels, it may be the labels of another file. */
static void name_labels(const spn_sample_files *files, spn_error *err)
{
    static const char asked[] = "(labels)";
    const char *found = err ? strstr(err->text, asked) : NULL;
    if (!found)
        return;
    const spn_error why = *err;
    const int before = (int)(found - err->text);
    spn_fail(err, why.status, "%.*s(%s)%s", before, why.text, files->labels_setting,
             why.text + before + strlen(asked));
}

/* An error about an option that names columns is its setting's. */
static void blame_columns(const spn_sample_files *files, spn_error *err)
{
    static const char *const settings[] = {"label-column", "drop", "categories"};
    const size_t before = strlen(files->setting) + strlen(": ");
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

/* The same of a file that may have a test part of its own. */
static spn_status parts_reader(void *out, const char *path, const void *context, spn_error *err)
{
    const labels_request *r = context;
    data_parts *parts = out;
    return spn_dataset_read_parts(&parts->train, &parts->test, path, r->labels, r->how, err);
}

/* Samples, and their labels in a second file; out: what `read` fills. */
static spn_status read_samples(void *out, spn_inputs *inputs, const spn_sample_files *files,
                               spn_file_reader *read, const spn_read_options *how, spn_error *err)
{
    const char *labels = files->labels;
    char *path = labels ? spn_inputs_path(inputs, labels) : NULL;
    const labels_request request = {path, how};
    if (how->labels == SPN_LABELS_NONE)
        return spn_setting_fail("label-column", err, "none: labels are needed here");
    if (labels && !path)
        return spn_inputs_no_memory(err);
    spn_status status =
        spn_inputs_read(out, inputs, files->setting, files->name, read, &request, err);
    if (status) {
        blame_labels(files, path, err);
        blame_columns(files, err);
        name_labels(files, err);
    }
    if (!status && labels)
        status = spn_inputs_check(inputs, files->labels_setting, labels, err);
    free(path);
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
    if (test.columns) { /* which tells the rest */
        test.labels = SPN_LABELS_LAST;
        test.label_column = test.drop = test.categories = NULL;
    }
    return test;
}

static spn_status read_files(data_parts *out, const data_request *r, spn_error *err)
{
    const spn_data_files *files = r->files;
    const spn_sample_files train = {"data", files->data, "labels", files->labels};
    const spn_sample_files test = {"test", files->test, "test-labels", files->test_labels};
    if (!is_there(r->inputs, files->data))
        return no_such_data(files->data, err);
    if (!files->test && files->test_labels)
        return spn_setting_fail("test-labels", err, "needs `test`");
    if (!files->test)
        return read_samples(out, r->inputs, &train, parts_reader, r->how, err);
    const spn_status status =
        read_samples(&out->train, r->inputs, &train, samples_reader, r->how, err);
    if (status)
        return status;
    const spn_read_options how = how_to_test(out->train, r->how);
    return read_samples(&out->test, r->inputs, &test, samples_reader, &how, err);
}

static spn_status make_data(void **out, const void *context, spn_error *err)
{
    const data_request *r = context;
    data_parts *parts = *out = calloc(1, sizeof *parts);
    if (!parts)
        return spn_inputs_no_memory(err);
    return spn_data_is_known(r->files->data) ? open_known(parts, r, err)
                                             : read_files(parts, r, err);
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

/* What tells ways of reading apart; to be freed, NULL when there is no memory. */
static char *how_key(const spn_read_options *how)
{
    char *key = NULL, *columns = NULL;
    if (how->columns && spn_columns_to_text(&columns, how->columns, NULL))
        return NULL;
    const uint64_t recipe = columns ? XXH3_64bits(columns, strlen(columns)) : 0;
    free(columns);
    const int size = asprintf(
        &key, "%d %d %d %d %d %d %016" PRIx64 "\n%s\n%s\n%s", (int)how->format, (int)how->labels,
        (int)how->header, (int)how->separator, (int)how->missing, (int)how->part, recipe,
        or_nothing(how->label_column), or_nothing(how->drop), or_nothing(how->categories));
    return size < 0 ? NULL : key;
}

/* What is read, and how, as a key; to be freed, NULL when there is no memory. */
__attribute__((format(printf, 2, 3))) static char *key_of(const spn_read_options *how,
                                                          const char *format, ...)
{
    char *what = NULL, *key = NULL, *reading = how_key(how);
    va_list args;
    va_start(args, format);
    if (reading && vasprintf(&what, format, args) >= 0 &&
        asprintf(&key, "%s\n%s", what, reading) < 0)
        key = NULL;
    va_end(args);
    free(reading);
    free(what);
    return key;
}

/* Whether samples of the caller's have the features, and the classes in the order, that are needed;
   class_names: NULL for any. */
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

/* Data sets of the caller's; *train is NULL where there are none. */
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
    const data_request request = {inputs, files, how};
    const void *object = NULL;
    char *key = key_of(how, "data\n%s\n%s\n%s\n%s", files->data, or_nothing(files->labels),
                       or_nothing(files->test), or_nothing(files->test_labels));
    if (!key)
        return spn_inputs_no_memory(err);
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_data, release_data, &request, err);
    const data_parts *parts = object;
    *train = parts ? parts->train : NULL;
    *test = parts ? parts->test : NULL;
    free(key);
    return status;
}

/* ---- samples for a model ---- */

typedef struct samples_request {
    spn_inputs *inputs;
    const spn_sample_files *files;
    const spn_read_options *how;
} samples_request;

static void release_samples(void *samples)
{
    spn_dataset_free(samples);
}

static spn_status make_samples(void **out, const void *context, spn_error *err)
{
    const samples_request *r = context;
    spn_dataset *samples = NULL;
    const bool plain =
        strcmp(r->files->setting, "data") != 0 || is_there(r->inputs, r->files->name);
    const spn_status status =
        plain ? read_samples(&samples, r->inputs, r->files, samples_reader, r->how, err)
              : no_such_data(r->files->name, err);
    *out = samples;
    return status;
}

/* The names of classes, in their order. */
static uint64_t names_checksum(const spn_read_options *how)
{
    uint64_t sum = how->classes;
    for (uint32_t k = 0; how->class_names && k < how->classes; k++)
        sum = XXH3_64bits_withSeed(how->class_names[k], strlen(how->class_names[k]) + 1, sum);
    return sum;
}

/* Samples of the caller's, or NULL; they have the features and classes that how asks for. */
static spn_status find_samples(const spn_dataset **out, spn_inputs *inputs,
                               const spn_sample_files *files, const spn_read_options *how,
                               spn_error *err)
{
    const void *object;
    const spn_status status = spn_inputs_find_given(&object, inputs, SPN_OBJECT_DATASET,
                                                    files->setting, files->name, err);
    const spn_dataset *samples = *out = object;
    if (status || !samples)
        return status;
    return check_shape(files->setting, samples, how->features, how->class_names, how->classes, err);
}

spn_status spn_inputs_samples(const spn_dataset **out, spn_inputs *inputs,
                              const spn_sample_files *files, const spn_read_options *how,
                              spn_error *err)
{
    const spn_status found = find_samples(out, inputs, files, how, err);
    if (found || *out)
        return found;
    const samples_request request = {inputs, files, how};
    const void *object = NULL;
    char *key = key_of(how, "samples\n%s\n%s\n%zu %016" PRIx64, files->name,
                       or_nothing(files->labels), how->features, names_checksum(how));
    if (!key)
        return spn_inputs_no_memory(err);
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_samples, release_samples, &request, err);
    *out = object;
    free(key);
    return status;
}

/* ---- checksums ---- */

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

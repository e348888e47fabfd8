/* Inputs: files, data sets and problems, read once and shared. */
#include "job/inputs.h"

#include "base/number.h"
#include "base/source.h"

#include <inttypes.h>
#include <pthread.h>
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Something that was made; the next in the list. */
typedef struct entry {
    struct entry *next;
    char *key;
    void *object;
    void (*release)(void *);
} entry;

struct spn_inputs {
    char *folder;  /* with a slash at its end, or "" */
    bool of_sweep; /* there are many runs: the standard input is none of their files */
    const spn_input_sum *sums;
    size_t sum_count;
    pthread_mutex_t mutex; /* of the list; held while something is made, so that it is made once */
    entry *entries;
};

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the inputs");
}

spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err)
{
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    spn_inputs *inputs = *out = calloc(1, sizeof *inputs);
    if (!inputs)
        return no_memory(err);
    inputs->of_sweep = beside != NULL;
    inputs->folder = slash ? strndup(beside, (size_t)(slash - beside) + 1) : strdup("");
    if (inputs->folder && pthread_mutex_init(&inputs->mutex, NULL) == 0)
        return SPN_OK;
    free(inputs->folder);
    free(inputs);
    *out = NULL;
    return no_memory(err);
}

static void entry_free(entry *e)
{
    if (e->object)
        e->release(e->object);
    free(e->key);
    free(e);
}

void spn_inputs_free(spn_inputs *inputs)
{
    if (!inputs)
        return;
    while (inputs->entries) {
        entry *next = inputs->entries->next;
        entry_free(inputs->entries);
        inputs->entries = next;
    }
    pthread_mutex_destroy(&inputs->mutex);
    free(inputs->folder);
    free(inputs);
}

char *spn_inputs_path(const spn_inputs *inputs, const char *name)
{
    char *path = NULL;
    const bool plain = name[0] == '/' || strcmp(name, "-") == 0;
    return asprintf(&path, "%s%s", plain ? "" : inputs->folder, name) < 0 ? NULL : path;
}

/* ---- sharing ---- */

static spn_status add_entry(spn_inputs *inputs, const char *key, spn_input_maker *make,
                            void (*release)(void *), const void *context, spn_error *err)
{
    entry *e = calloc(1, sizeof *e);
    if (!e || !(e->key = strdup(key))) {
        free(e);
        return no_memory(err);
    }
    e->release = release;
    spn_status status = make(&e->object, context, err);
    if (status) {
        entry_free(e);
        return status;
    }
    e->next = inputs->entries;
    inputs->entries = e;
    return SPN_OK;
}

spn_status spn_inputs_share(const void **out, spn_inputs *inputs, const char *key,
                            spn_input_maker *make, void (*release)(void *), const void *context,
                            spn_error *err)
{
    spn_status status = SPN_OK;
    pthread_mutex_lock(&inputs->mutex);
    entry *e = inputs->entries;
    while (e && strcmp(e->key, key) != 0)
        e = e->next;
    if (!e) {
        status = add_entry(inputs, key, make, release, context, err);
        e = status ? NULL : inputs->entries;
    }
    pthread_mutex_unlock(&inputs->mutex);
    *out = e ? e->object : NULL;
    return status;
}

/* ---- content ---- */

bool spn_data_is_known(const char *name)
{
    for (const char *const *known = spn_dataset_names(); *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

/* Whether its words are names of data sets. */
static bool takes_data(const spn_setting *setting)
{
    const char *first = spn_setting_word(setting, 0);
    return first && spn_data_is_known(first);
}

bool spn_input_is_read(const spn_setting *setting, const char *name)
{
    return setting->kind == SPN_SETTING_FILE &&
           (takes_data(setting) ||
            !(spn_setting_is_word(setting, name) || spn_setting_is_count(setting, name)));
}

void spn_inputs_expect(spn_inputs *inputs, const spn_input_sum *sums, size_t count)
{
    inputs->sums = sums;
    inputs->sum_count = count;
}

/* What a setting should have the content of, or NULL. */
static const spn_input_sum *expected(const spn_inputs *inputs, const char *setting,
                                     const char *name)
{
    for (size_t k = 0; k < inputs->sum_count; k++)
        if (strcmp(inputs->sums[k].setting, setting) == 0 &&
            strcmp(inputs->sums[k].name, name) == 0)
            return &inputs->sums[k];
    return NULL;
}

static spn_status compare(const spn_inputs *inputs, uint64_t sum, const char *setting,
                          const char *name, spn_error *err)
{
    const spn_input_sum *should = expected(inputs, setting, name);
    if (!should || should->checksum == sum)
        return SPN_OK;
    return spn_setting_fail(setting, err,
                            "%s has another content than when the sweep was started; put it back, "
                            "or give another --out",
                            name);
}

static spn_status read_sum(void *out, const char *path, const void *context, spn_error *err)
{
    spn_source source = {0};
    (void)context;
    spn_status status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *(uint64_t *)out = XXH3_64bits(source.data, source.size);
    spn_source_unload(&source);
    return status;
}

/* Read a file, whatever its content. */
static spn_status read_file(void *out, const spn_inputs *inputs, const char *setting,
                            const char *name, spn_file_reader *read, const void *context,
                            spn_error *err)
{
    spn_error why = {0};
    if (inputs->of_sweep && strcmp(name, "-") == 0)
        return spn_setting_fail(setting, err,
                                "the standard input cannot be read for every run; give a file");
    char *path = spn_inputs_path(inputs, name);
    if (!path)
        return no_memory(err);
    const spn_status status = read(out, path, context, &why);
    free(path);
    return status ? spn_setting_blame(setting, &why, err) : SPN_OK;
}

spn_status spn_inputs_read(void *out, const spn_inputs *inputs, const char *setting,
                           const char *name, spn_file_reader *read, const void *context,
                           spn_error *err)
{
    uint64_t sum = 0;
    spn_status status = read_file(out, inputs, setting, name, read, context, err);
    if (status || !expected(inputs, setting, name))
        return status;
    status = read_file(&sum, inputs, setting, name, read_sum, NULL, err);
    return status ? status : compare(inputs, sum, setting, name, err);
}

/* ---- problems ---- */

/* What a problem is read of. */
typedef struct problem_request {
    const spn_inputs *inputs;
    spn_problem_kind kind;
    const char *setting, *name;
    spn_problem_options options;
} problem_request;

static spn_status problem_reader(void *out, const char *path, const void *context, spn_error *err)
{
    const problem_request *r = context;
    return spn_problem_read_as(out, r->kind, path, &r->options, err);
}

static void release_problem(void *problem)
{
    spn_problem_free(problem);
}

static spn_status make_problem(void **out, const void *context, spn_error *err)
{
    const problem_request *r = context;
    spn_problem *problem = NULL;
    const spn_status status =
        spn_inputs_read(&problem, r->inputs, r->setting, r->name, problem_reader, r, err);
    *out = problem;
    return status;
}

spn_status spn_inputs_problem_as(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                                 const char *setting, const char *name,
                                 const spn_problem_options *options, spn_error *err)
{
    const problem_request request = {inputs, kind, setting, name,
                                     options ? *options : spn_problem_options_defaults()};
    const void *problem = NULL;
    char *key = NULL, offset[SPN_NUMBER_TEXT];
    spn_number_text(offset, request.options.offset);
    if (asprintf(&key, "problem\n%d %d %s\n%s\n%s", (int)kind, (int)request.options.format, offset,
                 setting, name) < 0)
        return no_memory(err);
    const spn_status status =
        spn_inputs_share(&problem, inputs, key, make_problem, release_problem, &request, err);
    *out = problem;
    free(key);
    return status;
}

spn_status spn_inputs_problem(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                              const char *setting, const char *name, spn_error *err)
{
    return spn_inputs_problem_as(out, inputs, kind, setting, name, NULL, err);
}

/* ---- data ---- */

/* What labelled data are read of, and what came of it. */
typedef struct data_request {
    const spn_inputs *inputs;
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
                                    "goes with a file; the data set %s is known whole", name);
    if (spn_dataset_open(&out->train, &out->test, name, &why))
        return spn_setting_blame("data", &why, err);
    if (!expected(r->inputs, "data", name))
        return SPN_OK;
    return compare(r->inputs, data_checksum(out->train, out->test), "data", name, err);
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
    static const char asked[] = "(--labels FILE)";
    const char *found = err ? strstr(err->text, asked) : NULL;
    if (!found)
        return;
    const spn_error why = *err;
    const int before = (int)(found - err->text);
    spn_fail(err, why.status, "%.*s(--%s FILE)%s", before, why.text, files->labels_setting,
             why.text + before + strlen(asked));
}

/* An error about an option that names columns is its setting's. */
static void blame_columns(const spn_sample_files *files, spn_error *err)
{
    static const char *const settings[] = {"label-column", "drop", "categories"};
    const size_t before = strlen(files->setting) + strlen(": ");
    for (size_t k = 0; err && k < sizeof settings / sizeof *settings; k++) {
        char mark[32];
        snprintf(mark, sizeof mark, ": --%s: ", settings[k]);
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
static spn_status read_samples(void *out, const spn_inputs *inputs, const spn_sample_files *files,
                               spn_file_reader *read, const spn_read_options *how, spn_error *err)
{
    uint64_t sum;
    const char *labels = files->labels;
    char *path = labels ? spn_inputs_path(inputs, labels) : NULL;
    const labels_request request = {path, how};
    if (how->labels == SPN_LABELS_NONE)
        return spn_setting_fail("label-column", err, "none: labels are needed here");
    if (labels && !path)
        return no_memory(err);
    spn_status status =
        spn_inputs_read(out, inputs, files->setting, files->name, read, &request, err);
    if (status) {
        blame_labels(files, path, err);
        blame_columns(files, err);
        name_labels(files, err);
    }
    if (!status && labels && expected(inputs, files->labels_setting, labels))
        status = spn_inputs_read(&sum, inputs, files->labels_setting, labels, read_sum, NULL, err);
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
        return spn_setting_fail("test-labels", err, "goes with test");
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
        return no_memory(err);
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

spn_status spn_inputs_data(const spn_dataset **train, const spn_dataset **test, spn_inputs *inputs,
                           const spn_data_files *files, const spn_read_options *how, spn_error *err)
{
    const data_request request = {inputs, files, how};
    const void *object = NULL;
    char *key = NULL, *reading = how_key(how);
    const int size =
        asprintf(&key, "data\n%s\n%s\n%s\n%s\n%s", files->data, or_nothing(files->labels),
                 or_nothing(files->test), or_nothing(files->test_labels), or_nothing(reading));
    const bool memory = reading && size >= 0;
    free(reading);
    if (!memory) {
        free(size < 0 ? NULL : key);
        return no_memory(err);
    }
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
    const spn_inputs *inputs;
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

spn_status spn_inputs_samples(const spn_dataset **out, spn_inputs *inputs,
                              const spn_sample_files *files, const spn_read_options *how,
                              spn_error *err)
{
    const samples_request request = {inputs, files, how};
    const void *object = NULL;
    char *key = NULL, *reading = how_key(how);
    const int size = asprintf(&key, "samples\n%s\n%s\n%zu %016" PRIx64 "\n%s", files->name,
                              or_nothing(files->labels), how->features, names_checksum(how),
                              or_nothing(reading));
    const bool memory = reading && size >= 0;
    free(reading);
    if (!memory) {
        free(size < 0 ? NULL : key);
        return no_memory(err);
    }
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_samples, release_samples, &request, err);
    *out = object;
    free(key);
    return status;
}

/* ---- checksums ---- */

spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err)
{
    if (!takes_data(setting) || !spn_data_is_known(name))
        return read_file(out, inputs, setting->name, name, read_sum, NULL, err);
    const spn_data_files files = {.data = name};
    const spn_read_options how = spn_read_defaults();
    const spn_dataset *train = NULL, *test = NULL;
    spn_status status = spn_inputs_data(&train, &test, inputs, &files, &how, err);
    if (!status)
        *out = data_checksum(train, test);
    return status;
}

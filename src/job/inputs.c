/* Inputs: files and problems, read once and shared. */
#include "job/inputs.h"

#include "base/number.h"
#include "base/source.h"
#include "base/try.h"

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

/* The content of a file that was read; the next in the list. */
typedef struct file_sum {
    struct file_sum *next;
    char *path;
    uint64_t sum;
} file_sum;

/* An object of the caller's; the next in the list. */
typedef struct given {
    struct given *next;
    char *name;
    spn_object_kind kind;
    const void *object;
} given;

struct spn_inputs {
    char *folder;  /* with a slash at its end, or "" */
    bool of_sweep; /* there are many runs: the standard input is none of their files */
    const spn_input_sum *sums;
    size_t sum_count;
    pthread_mutex_t mutex; /* of the list; held while something is made, so that it is made once */
    entry *entries;
    given *given;
    pthread_mutex_t summing; /* of the list of: */
    file_sum *files;
};

spn_status spn_inputs_no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the inputs");
}

spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err)
{
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    spn_inputs *inputs = *out = calloc(1, sizeof *inputs);
    if (!inputs)
        return spn_inputs_no_memory(err);
    inputs->of_sweep = beside != NULL;
    inputs->folder = slash ? strndup(beside, (size_t)(slash - beside) + 1) : strdup("");
    pthread_mutex_init(&inputs->summing, NULL);
    if (inputs->folder && pthread_mutex_init(&inputs->mutex, NULL) == 0)
        return SPN_OK;
    free(inputs->folder);
    free(inputs);
    *out = NULL;
    return spn_inputs_no_memory(err);
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
    while (inputs->given) {
        given *next = inputs->given->next;
        free(inputs->given->name);
        free(inputs->given);
        inputs->given = next;
    }
    while (inputs->files) {
        file_sum *next = inputs->files->next;
        free(inputs->files->path);
        free(inputs->files);
        inputs->files = next;
    }
    pthread_mutex_destroy(&inputs->mutex);
    pthread_mutex_destroy(&inputs->summing);
    free(inputs->folder);
    free(inputs);
}

char *spn_inputs_path(const spn_inputs *inputs, const char *name)
{
    char *path = NULL;
    const bool plain = name[0] == '/' || strcmp(name, "-") == 0;
    return asprintf(&path, "%s%s", plain ? "" : inputs->folder, name) < 0 ? NULL : path;
}

/* ---- objects in place of files ---- */

static const given *given_as(const spn_inputs *inputs, const char *name)
{
    for (const given *g = inputs->given; g; g = g->next)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

spn_status spn_inputs_give(spn_inputs *inputs, const char *name, spn_object_kind kind,
                           const void *object, spn_error *err)
{
    if (!*name || given_as(inputs, name))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the name '%s' of an object is %s", name,
                        *name ? "taken" : "empty");
    given *g = calloc(1, sizeof *g);
    if (!g || !(g->name = strdup(name))) {
        free(g);
        return spn_inputs_no_memory(err);
    }
    g->kind = kind;
    g->object = object;
    g->next = inputs->given;
    inputs->given = g;
    return SPN_OK;
}

spn_status spn_inputs_find_given(const void **out, const spn_inputs *inputs, spn_object_kind kind,
                                 const char *setting, const char *text, spn_error *err)
{
    static const char *const words[] = {"a problem", "a data set", "an energy", "a model"};
    *out = NULL;
    if (!inputs->given || text[0] != '@')
        return SPN_OK;
    const given *g = given_as(inputs, text + 1);
    if (!g)
        return spn_setting_fail(setting, err, "no object was given as '%s'", text + 1);
    if (g->kind != kind)
        return spn_setting_fail(setting, err, "'%s' is %s, not %s", text + 1, words[g->kind],
                                words[kind]);
    *out = g->object;
    return SPN_OK;
}

/* ---- sharing ---- */

static spn_status add_entry(spn_inputs *inputs, const char *key, spn_input_maker *make,
                            void (*release)(void *), const void *context, spn_error *err)
{
    entry *e = calloc(1, sizeof *e);
    if (!e || !(e->key = strdup(key))) {
        free(e);
        return spn_inputs_no_memory(err);
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

spn_status spn_inputs_compare(const spn_inputs *inputs, uint64_t sum, const char *setting,
                              const char *name, spn_error *err)
{
    const spn_input_sum *should = expected(inputs, setting, name);
    if (!should || should->checksum == sum)
        return SPN_OK;
    return spn_setting_fail(setting, err,
                            "%s has another content than when the sweep was started; put it back, "
                            "or start another folder",
                            name);
}

/* Keep the checksum of what was loaded. Without memory it is read again when it is asked for. */
static void keep_sum(void *context, const char *path, const spn_source *source)
{
    spn_inputs *inputs = context;
    file_sum *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return;
    }
    file->sum = XXH3_64bits(source->data, source->size);
    pthread_mutex_lock(&inputs->summing);
    file->next = inputs->files;
    inputs->files = file;
    pthread_mutex_unlock(&inputs->summing);
}

/* Whether a file was read, and the checksum of its content then. */
static bool known_sum(uint64_t *out, spn_inputs *inputs, const char *path)
{
    pthread_mutex_lock(&inputs->summing);
    const file_sum *file = inputs->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    if (file)
        *out = file->sum;
    pthread_mutex_unlock(&inputs->summing);
    return file;
}

static spn_status read_sum(void *out, const char *path, const void *context, spn_error *err)
{
    spn_source source = {0};
    if (known_sum(out, (spn_inputs *)context, path))
        return SPN_OK;
    const spn_status status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *(uint64_t *)out = XXH3_64bits(source.data, source.size);
    spn_source_unload(&source);
    return status;
}

/* Read a file, whatever its content, and keep its checksum. */
static spn_status read_file(void *out, spn_inputs *inputs, const char *setting, const char *name,
                            spn_file_reader *read, const void *context, spn_error *err)
{
    spn_error why = {0};
    if (inputs->of_sweep && strcmp(name, "-") == 0)
        return spn_setting_fail(setting, err,
                                "the standard input cannot be read for every run; give a file");
    char *path = spn_inputs_path(inputs, name);
    if (!path)
        return spn_inputs_no_memory(err);
    const spn_source_listener before =
        spn_source_listen((spn_source_listener){inputs->of_sweep ? keep_sum : NULL, inputs});
    const spn_status status = read(out, path, context, &why);
    spn_source_listen(before);
    free(path);
    return status ? spn_setting_blame(setting, &why, err) : SPN_OK;
}

spn_status spn_inputs_check(spn_inputs *inputs, const char *setting, const char *name,
                            spn_error *err)
{
    uint64_t sum = 0;
    if (!expected(inputs, setting, name))
        return SPN_OK;
    SPN_TRY(read_file(&sum, inputs, setting, name, read_sum, inputs, err));
    return spn_inputs_compare(inputs, sum, setting, name, err);
}

spn_status spn_inputs_read(void *out, spn_inputs *inputs, const char *setting, const char *name,
                           spn_file_reader *read, const void *context, spn_error *err)
{
    SPN_TRY(read_file(out, inputs, setting, name, read, context, err));
    return spn_inputs_check(inputs, setting, name, err);
}

/* ---- problems ---- */

/* What a problem is read of. */
typedef struct problem_request {
    spn_inputs *inputs;
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

/* The weights of a model's replicas as states. */
static spn_status make_weights(void **out, const void *context, spn_error *err)
{
    const spn_model *model = context;
    spn_problem *states = NULL;
    const spn_status status = spn_problem_states_create(
        &states, spn_model_sites(model), spn_model_replicas(model), spn_model_weights(model), err);
    *out = states;
    return status;
}

/* The same, of a model of the caller's that is given in place of a file of states; NULL where there
   is none. */
static spn_status find_weights(const spn_problem **out, spn_inputs *inputs, const char *name,
                               spn_error *err)
{
    const given *g = name[0] == '@' ? given_as(inputs, name + 1) : NULL;
    const void *states = NULL;
    char *key = NULL;
    *out = NULL;
    if (!g || g->kind != SPN_OBJECT_MODEL)
        return SPN_OK;
    if (asprintf(&key, "weights\n%s", name) < 0)
        return spn_inputs_no_memory(err);
    const spn_status status =
        spn_inputs_share(&states, inputs, key, make_weights, release_problem, g->object, err);
    *out = states;
    free(key);
    return status;
}

/* A problem of the caller's, or NULL. */
static spn_status find_problem(const spn_problem **out, const problem_request *r, spn_error *err)
{
    const void *object;
    spn_status status =
        spn_inputs_find_given(&object, r->inputs, SPN_OBJECT_PROBLEM, r->setting, r->name, err);
    const spn_problem *problem = object;
    *out = NULL;
    if (status || !problem)
        return status;
    if (problem->kind != r->kind)
        return spn_setting_fail(r->setting, err, "'%s' is a problem of %s, not of %s", r->name + 1,
                                spn_problem_kind_name(problem->kind),
                                spn_problem_kind_name(r->kind));
    if (r->options.offset != 0)
        return spn_setting_fail("offset", err, "needs a file: '%s' has its own", r->name + 1);
    *out = problem;
    return SPN_OK;
}

spn_status spn_inputs_problem_as(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                                 const char *setting, const char *name,
                                 const spn_problem_options *options, spn_error *err)
{
    const problem_request request = {inputs, kind, setting, name,
                                     options ? *options : spn_problem_options_defaults()};
    const void *problem = NULL;
    char *key = NULL, offset[SPN_NUMBER_TEXT];
    *out = NULL;
    spn_status found = SPN_OK;
    if (kind == SPN_PROBLEM_STATES)
        found = find_weights(out, inputs, name, err);
    if (!found && !*out)
        found = find_problem(out, &request, err);
    if (found || *out)
        return found;
    spn_number_text(offset, request.options.offset);
    if (asprintf(&key, "problem\n%d %d %s\n%s\n%s", (int)kind, (int)request.options.format, offset,
                 setting, name) < 0)
        return spn_inputs_no_memory(err);
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

/* ---- checksums ---- */

spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err)
{
    if (!takes_data(setting) || !spn_data_is_known(name))
        return read_file(out, inputs, setting->name, name, read_sum, inputs, err);
    return spn_inputs_known_checksum(out, inputs, name, err);
}

#include "job/inputs.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct entry {
    struct entry *next;
    char *name;
    const void *given; /* by the caller, */
    spn_object_kind kind;
    spn_shared shared; /* or made here; of a file its checksum */
} entry;

struct spn_inputs {
    char *folder;  /* with a slash at its end, or "" */
    bool of_sweep; /* of many runs, which cannot share the standard input */
    const spn_input_sum *sums;
    size_t sum_count;
    pthread_mutex_t mutex; /* for `made`; held while an object is made, so that it is made once */
    entry *made;
    entry *given;
    pthread_mutex_t summing; /* for `files` */
    entry *files;            /* files that were read */
};

/* ---- lists ---- */

static entry *find(entry *list, const char *name)
{
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

/* Prepend an entry, which takes the name; NULL if there is no memory or no name. */
static entry *add(entry **list, char *name)
{
    entry *e = name ? calloc(1, sizeof *e) : NULL;
    if (!e) {
        free(name);
        return NULL;
    }
    e->name = name;
    e->next = *list;
    return *list = e;
}

static void drop_first(entry **list)
{
    entry *first = *list;
    const spn_shared *s = &first->shared;
    *list = first->next;
    spn_problem_free(s->problem);
    spn_program_free(s->program);
    spn_model_free(s->model);
    spn_dataset_free(s->train);
    spn_dataset_free(s->test);
    spn_planted_free(s->planted);
    spn_energy_free(s->energy);
    SPN_FREE_ALL(first->name, first);
}

spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err)
{
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    spn_inputs *inputs = *out = calloc(1, sizeof *inputs);
    SPN_NEED(inputs, err, "the inputs");
    inputs->of_sweep = beside != NULL;
    pthread_mutex_init(&inputs->mutex, NULL);
    pthread_mutex_init(&inputs->summing, NULL);
    inputs->folder = slash ? strndup(beside, (size_t)(slash - beside) + 1) : strdup("");
    if (inputs->folder)
        return SPN_OK;
    spn_inputs_free(inputs);
    *out = NULL;
    return spn_no_memory(err, "the inputs");
}

void spn_inputs_free(spn_inputs *inputs)
{
    if (!inputs)
        return;
    entry **const lists[] = {&inputs->made, &inputs->given, &inputs->files};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        while (*lists[k])
            drop_first(lists[k]);
    pthread_mutex_destroy(&inputs->mutex);
    pthread_mutex_destroy(&inputs->summing);
    SPN_FREE_ALL(inputs->folder, inputs);
}

char *spn_inputs_path(const spn_inputs *inputs, const char *name)
{
    const bool plain = name[0] == '/' || strcmp(name, "-") == 0;
    return spn_text_new("%s%s", plain ? "" : inputs->folder, name);
}

spn_status spn_inputs_give(spn_inputs *inputs, const char *name, spn_object_kind kind,
                           const void *object, spn_error *err)
{
    if (!*name || find(inputs->given, name))
        return spn_refuse(err, "the name '%s' of an object is %s", name, *name ? "taken" : "empty");
    entry *given = add(&inputs->given, strdup(name));
    SPN_NEED(given, err, "the inputs");
    given->kind = kind;
    given->given = object;
    return SPN_OK;
}

spn_status spn_inputs_find_given(const void **out, const spn_inputs *inputs, spn_object_kind kind,
                                 const char *setting, const char *text, spn_error *err)
{
    static const char *const words[] = {"a problem", "a data set", "an energy", "a model",
                                        "a problem with constraints"};
    *out = NULL;
    if (!inputs->given || text[0] != '@')
        return SPN_OK;
    const entry *given = find(inputs->given, text + 1);
    if (!given)
        return spn_setting_fail(setting, err, "no object was given as '%s'", text + 1);
    if (given->kind != kind)
        return spn_setting_fail(setting, err, "'%s' is %s, not %s", text + 1, words[given->kind],
                                words[kind]);
    *out = given->given;
    return SPN_OK;
}

spn_status spn_inputs_seek(spn_shared **out, bool *first, spn_inputs *inputs, spn_error *err,
                           const char *format, ...)
{
    char *key = NULL;
    va_list args;
    *out = NULL;
    va_start(args, format);
    const int size = vasprintf(&key, format, args);
    va_end(args);
    if (size < 0)
        return spn_no_memory(err, "the inputs");
    pthread_mutex_lock(&inputs->mutex);
    entry *found = find(inputs->made, key), *made = found ? NULL : add(&inputs->made, key);
    if (!made) /* else locked until spn_inputs_keep */
        pthread_mutex_unlock(&inputs->mutex);
    SPN_NEED(found || made, err, "the inputs");
    if (found)
        free(key);
    *first = made;
    *out = found ? &found->shared : &made->shared;
    return SPN_OK;
}

spn_status spn_inputs_keep(spn_inputs *inputs, spn_status status)
{
    if (status)
        drop_first(&inputs->made);
    pthread_mutex_unlock(&inputs->mutex);
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

/* Keep the checksum of a loaded file. Without memory the file is read again when needed. */
static void keep_sum(void *context, const char *path, const spn_source *source)
{
    spn_inputs *inputs = context;
    const uint64_t sum = XXH3_64bits(source->data, source->size);
    pthread_mutex_lock(&inputs->summing);
    entry *file = add(&inputs->files, strdup(path));
    if (file)
        file->shared.sum = sum;
    pthread_mutex_unlock(&inputs->summing);
}

/* Checksum of a file when it was read; false if it was not. */
static bool known_sum(uint64_t *out, spn_inputs *inputs, const char *path)
{
    pthread_mutex_lock(&inputs->summing);
    const entry *file = find(inputs->files, path);
    if (file)
        *out = file->shared.sum;
    pthread_mutex_unlock(&inputs->summing);
    return file;
}

spn_status spn_inputs_open(char **path, spn_inputs *inputs, const char *setting, const char *name,
                           spn_error *err)
{
    *path = NULL;
    if (inputs->of_sweep && strcmp(name, "-") == 0)
        return spn_setting_fail(setting, err,
                                "the standard input cannot be read for every run; give a file");
    SPN_NEED(*path = spn_inputs_path(inputs, name), err, "the inputs");
    if (inputs->of_sweep)
        spn_source_listen((spn_source_listener){keep_sum, inputs});
    return SPN_OK;
}

/* Also used without a check of the content. */
static spn_status close_file(char *path, const char *setting, const spn_error *why, spn_error *err)
{
    spn_source_listen((spn_source_listener){0});
    free(path);
    return why->status ? spn_setting_blame(setting, why, err) : SPN_OK;
}

spn_status spn_inputs_close(char *path, spn_inputs *inputs, const char *setting, const char *name,
                            const spn_error *why, spn_error *err)
{
    SPN_TRY(close_file(path, setting, why, err));
    return spn_inputs_check(inputs, setting, name, err);
}

static spn_status sum_file(uint64_t *out, spn_inputs *inputs, const char *setting, const char *name,
                           spn_error *err)
{
    spn_source source = {0};
    spn_error why = {0};
    char *path;
    SPN_TRY(spn_inputs_open(&path, inputs, setting, name, err));
    assert(path);
    if (!known_sum(out, inputs, path) && !spn_source_load(&source, path, SIZE_MAX / 2, &why))
        *out = XXH3_64bits(source.data, source.size);
    spn_source_unload(&source);
    return close_file(path, setting, &why, err);
}

spn_status spn_inputs_check(spn_inputs *inputs, const char *setting, const char *name,
                            spn_error *err)
{
    uint64_t sum = 0;
    if (!expected(inputs, setting, name))
        return SPN_OK;
    SPN_TRY(sum_file(&sum, inputs, setting, name, err));
    return spn_inputs_compare(inputs, sum, setting, name, err);
}

/* ---- problems ---- */

static spn_status unpack(spn_problem **out, const spn_model *model, spn_error *err)
{
    const size_t sites = spn_model_sites(model), replicas = spn_model_replicas(model);
    int8_t *weights = spn_alloc(replicas, sites);
    SPN_NEED(weights, err, "the weights");
    spn_model_unpack(weights, model, 0, replicas);
    const spn_status status = spn_problem_states_create(out, sites, replicas, weights, err);
    free(weights);
    return status;
}

/* Weights of the replicas of a given model, as states; NULL: none. */
static spn_status find_weights(const void **out, spn_inputs *inputs, const char *name,
                               spn_error *err)
{
    const entry *given = name[0] == '@' ? find(inputs->given, name + 1) : NULL;
    spn_shared *shared;
    bool first;
    *out = NULL;
    if (!given || given->kind != SPN_OBJECT_MODEL)
        return SPN_OK;
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "weights\n%s", name));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, unpack(&shared->problem, given->given, err)));
    *out = shared->problem;
    return SPN_OK;
}

static spn_status find_problem(const void **out, const spn_inputs *inputs, spn_problem_kind kind,
                               const char *setting, const char *name, double offset, spn_error *err)
{
    SPN_TRY(spn_inputs_find_given(out, inputs, SPN_OBJECT_PROBLEM, setting, name, err));
    const spn_problem *problem = *out;
    if (!problem)
        return SPN_OK;
    if (problem->kind != kind)
        return spn_setting_fail(setting, err, "'%s' is a problem of %s, not of %s", name + 1,
                                spn_problem_kind_name(problem->kind), spn_problem_kind_name(kind));
    return offset == 0
               ? SPN_OK
               : spn_setting_fail("offset", err, "needs a file: '%s' has its own", name + 1);
}

static spn_status read_problem(spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                               const char *setting, const char *name,
                               const spn_problem_options *options, spn_error *err)
{
    spn_error why = {0};
    char *path;
    SPN_TRY(spn_inputs_open(&path, inputs, setting, name, err));
    spn_problem_read_as(out, kind, path, options, &why);
    return spn_inputs_close(path, inputs, setting, name, &why, err);
}

spn_status spn_inputs_problem(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                              const char *setting, const char *name,
                              const spn_problem_options *options, spn_error *err)
{
    const spn_problem_options how = options ? *options : spn_problem_options_defaults();
    const void *found = NULL;
    spn_shared *shared;
    bool first;
    char offset[SPN_NUMBER_TEXT];
    *out = NULL;
    if (kind == SPN_PROBLEM_STATES)
        SPN_TRY(find_weights(&found, inputs, name, err));
    if (!found)
        SPN_TRY(find_problem(&found, inputs, kind, setting, name, how.offset, err));
    if ((*out = found))
        return SPN_OK;
    spn_number_text(offset, how.offset);
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "problem\n%d %d %s\n%s\n%s", (int)kind,
                            (int)how.format, offset, setting, name));
    if (first)
        SPN_TRY(spn_inputs_keep(
            inputs, read_problem(&shared->problem, inputs, kind, setting, name, &how, err)));
    *out = shared->problem;
    return SPN_OK;
}

spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err)
{
    if (!takes_data(setting) || !spn_data_is_known(name))
        return sum_file(out, inputs, setting->name, name, err);
    return spn_inputs_known_checksum(out, inputs, name, err);
}

/* sweep.json to the specification of a sweep. */
#include "base/source.h"
#include "record/sweep.h"

#include <jansson.h>
#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Most bytes of a sweep.json. */
#define MOST_BYTES ((size_t)1 << 30)

/* A file being read. The first thing that is wrong is kept; after it nothing is taken. */
typedef struct input {
    const char *name;
    spn_status status;
    spn_error *err;
    size_t figure; /* from 1; 0: not in a figure. For errors */
} input;

static void wrong(input *in, const char *key, const char *expected)
{
    if (in->status)
        return;
    char place[48] = "";
    if (in->figure > 0)
        snprintf(place, sizeof place, "figure %zu: ", in->figure);
    in->status = spn_fail(in->err, SPN_ERROR_INPUT,
                          "%s: %s'%s' is missing or is not %s; make the folder anew", in->name,
                          place, key, expected);
}

static void no_memory(input *in)
{
    if (!in->status)
        in->status = spn_fail(in->err, SPN_ERROR_MEMORY, "%s: out of memory", in->name);
}

/* ---- values ---- */

static char *copy_text(input *in, const json_t *value, const char *key)
{
    if (!json_is_string(value)) {
        wrong(in, key, "a text");
        return NULL;
    }
    char *copy = strdup(json_string_value(value));
    if (!copy)
        no_memory(in);
    return copy;
}

static char *take_text(input *in, const json_t *object, const char *key)
{
    return copy_text(in, json_object_get(object, key), key);
}

static char *take_optional(input *in, const json_t *object, const char *key)
{
    return json_object_get(object, key) ? take_text(in, object, key) : NULL;
}

static uint64_t take_whole(input *in, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        wrong(in, key, "a whole number");
    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
}

static double take_real(input *in, const json_t *value, const char *key)
{
    if (!json_is_number(value))
        wrong(in, key, "a number");
    return json_number_value(value);
}

static bool take_flag(input *in, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_boolean(value))
        wrong(in, key, "true or false");
    return json_is_true(value);
}

/* The size of a list, and zeroed memory for as many elements of a size. */
static size_t take_list(const json_t **list, void *memory, size_t size, input *in,
                        const json_t *object, const char *key)
{
    void **out = memory;
    *list = json_object_get(object, key);
    if (!json_is_array(*list)) {
        wrong(in, key, "a list");
        return 0;
    }
    if (!(*out = calloc(json_array_size(*list) + 1, size))) {
        no_memory(in);
        return 0;
    }
    return json_array_size(*list);
}

static void take_texts(input *in, const json_t *object, const char *key, char ***out, size_t *count)
{
    const json_t *list;
    const size_t size = take_list(&list, out, sizeof(char *), in, object, key);
    for (size_t k = 0; k < size && !in->status; k++)
        if (((*out)[*count] = copy_text(in, json_array_get(list, k), key)))
            ++*count;
}

/* ---- parts ---- */

static void take_fields(input *in, const json_t *root, const char *key, spn_field **out,
                        size_t *count)
{
    json_t *object = json_object_get(root, key), *value;
    const char *name;
    if (!json_is_object(object)) {
        wrong(in, key, "an object");
        return;
    }
    if (!(*out = calloc(json_object_size(object) + 1, sizeof **out))) {
        no_memory(in);
        return;
    }
    json_object_foreach(object, name, value)
    {
        if (in->status)
            return;
        spn_field *field = &(*out)[(*count)++];
        field->text = copy_text(in, value, name);
        if (!(field->name = strdup(name)))
            no_memory(in);
    }
}

static uint64_t take_checksum(input *in, const json_t *value)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        wrong(in, "files", "an object of checksums, 16 hexadecimal digits each");
    return strtoull(text, NULL, 16);
}

/* What one setting names. */
static void take_files_of(input *in, spn_sweep *sweep, const char *setting, json_t *object)
{
    json_t *value;
    const char *name;
    if (!json_is_object(object)) {
        wrong(in, "files", "an object of objects");
        return;
    }
    const size_t count = sweep->file_count + json_object_size(object);
    spn_sweep_file *grown = realloc(sweep->files, (count + 1) * sizeof *grown);
    if (!grown) {
        no_memory(in);
        return;
    }
    sweep->files = grown;
    json_object_foreach(object, name, value)
    {
        if (in->status)
            return;
        spn_sweep_file *file = &sweep->files[sweep->file_count++];
        *file = (spn_sweep_file){
            .setting = strdup(setting), .name = strdup(name), .checksum = take_checksum(in, value)};
        if (!file->setting || !file->name)
            no_memory(in);
    }
}

static void take_files(input *in, spn_sweep *sweep, const json_t *root)
{
    json_t *files = json_object_get(root, "files"), *object;
    const char *setting;
    if (files && !json_is_object(files))
        wrong(in, "files", "an object");
    json_object_foreach(files, setting, object)
    {
        if (in->status)
            return;
        take_files_of(in, sweep, setting, object);
    }
}

static void take_grid(input *in, spn_sweep *sweep, const json_t *root)
{
    const json_t *list;
    const size_t size = take_list(&list, &sweep->axes, sizeof *sweep->axes, in, root, "grid");
    for (size_t k = 0; k < size && !in->status; k++) {
        const json_t *object = json_array_get(list, k);
        spn_axis *axis = &sweep->axes[sweep->axis_count++];
        axis->setting = take_text(in, object, "setting");
        take_texts(in, object, "values", &axis->values, &axis->count);
        if (axis->count == 0)
            wrong(in, "values", "a list of texts, one or more");
    }
}

static void take_flips(input *in, spn_measures *out, const json_t *flips)
{
    const json_t *p;
    const size_t size = take_list(&p, &out->flips, sizeof *out->flips, in, flips, "p");
    for (size_t k = 0; k < size; k++)
        out->flips[out->flips_count++] = take_real(in, json_array_get(p, k), "p");
    out->flips_trials = take_whole(in, flips, "trials");
    out->flips_exact = take_flag(in, flips, "exact");
}

static void take_profile(input *in, spn_measures *out, const json_t *profile)
{
    out->profile_walks = take_whole(in, profile, "walks");
    out->profile_reach = take_real(in, json_object_get(profile, "reach"), "reach");
    out->profile_points = take_whole(in, profile, "points");
}

/* What is not measured may be left out. */
static void take_measures(input *in, spn_measures *out, const json_t *root)
{
    const json_t *measure = json_object_get(root, "measure");
    const json_t *flips = json_object_get(measure, "flips");
    const json_t *profile = json_object_get(measure, "profile");
    out->models = take_flag(in, measure, "models");
    out->traces = take_flag(in, measure, "traces");
    if (flips)
        take_flips(in, out, flips);
    if (profile)
        take_profile(in, out, profile);
}

static spn_best take_best(input *in, const json_t *object)
{
    const json_t *value = json_object_get(object, "best");
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    for (int k = SPN_BEST_NONE; k <= SPN_BEST_HIGHEST; k++)
        if (strcmp(text, spn_best_names[k]) == 0)
            return (spn_best)k;
    wrong(in, "best", "none, lowest or highest");
    return SPN_BEST_NONE;
}

static void take_figure(input *in, spn_sweep_figure *out, const json_t *object)
{
    out->name = take_text(in, object, "name");
    out->title = take_optional(in, object, "title");
    out->x = take_text(in, object, "x");
    out->by = take_optional(in, object, "by");
    out->value = take_text(in, object, "value");
    out->also = take_optional(in, object, "also");
    out->x_label = take_optional(in, object, "x_label");
    out->label = take_optional(in, object, "label");
    out->by_label = take_optional(in, object, "by_label");
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++)
        out->as[k] = take_flag(in, object, spn_figure_kind_at(k)->name);
    out->bands = take_flag(in, object, "bands");
    out->log_x = take_flag(in, object, "log_x");
    out->log_y = take_flag(in, object, "log_y");
    out->best = take_best(in, object);
    take_texts(in, object, "where", &out->where, &out->where_count);
    out->reference = take_optional(in, object, "reference");
    out->reference_name = take_optional(in, object, "reference_name");
}

static void take_figures(input *in, spn_sweep *sweep, const json_t *root)
{
    const json_t *list;
    const size_t size =
        take_list(&list, &sweep->figures, sizeof *sweep->figures, in, root, "figures");
    for (size_t k = 0; k < size && !in->status; k++) {
        in->figure = k + 1;
        take_figure(in, &sweep->figures[sweep->figure_count++], json_array_get(list, k));
    }
    in->figure = 0;
}

/* ---- the file ---- */

/* Before anything else: a later format may mean anything by the rest. */
static void check_format(input *in, const json_t *root)
{
    const json_t *format = json_object_get(root, "format");
    const char *version = json_string_value(json_object_get(root, "version"));
    if (!json_is_integer(format))
        wrong(in, "format", "a whole number");
    else if (json_integer_value(format) != SPN_SWEEP_FORMAT)
        in->status =
            spn_fail(in->err, SPN_ERROR_INPUT,
                     "%s: is of format %lld, written by spinney %s; this is spinney %s, "
                     "which reads format %d: use that version, or make the folder anew",
                     in->name, (long long)json_integer_value(format),
                     version ? version : "of an unknown version", SPN_VERSION, SPN_SWEEP_FORMAT);
}

static void take_sweep(input *in, spn_sweep *sweep, const json_t *root)
{
    check_format(in, root);
    if (in->status)
        return;
    sweep->version = take_text(in, root, "version");
    sweep->name = take_text(in, root, "name");
    sweep->title = take_optional(in, root, "title");
    sweep->about = take_optional(in, root, "about");
    sweep->task = take_text(in, root, "task");
    sweep->seed = take_whole(in, root, "seed");
    sweep->runs = take_whole(in, root, "runs");
    take_fields(in, root, "settings", &sweep->fixed, &sweep->fixed_count);
    if (json_object_get(root, "defaults"))
        take_fields(in, root, "defaults", &sweep->defaults, &sweep->default_count);
    take_grid(in, sweep, root);
    take_files(in, sweep, root);
    take_measures(in, &sweep->measures, root);
    take_figures(in, sweep, root);
}

spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err)
{
    *out = NULL;
    json_error_t fault;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    if (!root)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %d: is not JSON: %s; make the folder anew",
                        name, fault.line, fault.text);
    input in = {.name = name, .err = err};
    spn_sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep)
        take_sweep(&in, sweep, root);
    else
        no_memory(&in);
    json_decref(root);
    if (in.status)
        spn_sweep_free(sweep);
    else
        *out = sweep;
    return in.status;
}

static spn_status no_sweep(const char *folder, spn_error *err)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return spn_fail(err, SPN_ERROR_IO, "%s: there is no such folder", folder);
    if (!S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a file; give the folder of a sweep", folder);
    return spn_fail(err, SPN_ERROR_IO, "%s: is not the folder of a sweep: it has no sweep.json",
                    folder);
}

spn_status spn_sweep_read(spn_sweep **out, const char *folder, spn_error *err)
{
    *out = NULL;
    spn_source source = {0};
    struct stat info;
    char *path = spn_folder_path(folder, "sweep.json");
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    spn_status status = stat(path, &info) == 0 ? spn_source_load(&source, path, MOST_BYTES, err)
                                               : no_sweep(folder, err);
    if (!status)
        status = spn_sweep_from_text(out, (const char *)source.data, source.size, path, err);
    spn_source_unload(&source);
    free(path);
    return status;
}

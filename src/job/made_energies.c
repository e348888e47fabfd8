/* Energies that inputs make and share: planted landscapes, and those of shared objects. */
#include "job/made_energies.h"

#include "base/source.h"
#include "base/try.h"

#include <assert.h>
#include <spinney/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- planted: the settings code and ball ---- */

/* A planted landscape and its energy. */
typedef struct planted_energy {
    spn_planted *planted;
    spn_energy *energy;
} planted_energy;

typedef struct planted_request {
    const char *list; /* generators such as 0111100,1011010 */
    size_t radius;
} planted_request;

static void release_planted(void *object)
{
    planted_energy *p = object;
    spn_planted_free(p->planted);
    spn_energy_free(p->energy);
    free(p);
}

static spn_status plant(planted_energy *out, const planted_request *r, spn_error *err)
{
    char *list = strdup(r->list), *rest = list;
    const char **rows = calloc(strlen(r->list) + 1, sizeof *rows);
    size_t count = 0;
    for (char *row; rows && (row = strsep(&rest, ","));)
        rows[count++] = row;
    spn_status status = list && rows
                            ? spn_planted_create(&out->planted, rows, count, r->radius, err)
                            : spn_no_memory(err, "a code");
    free(rows);
    free(list);
    SPN_TRY(status);
    assert(out->planted);
    spn_problem *table = NULL;
    status = spn_problem_table_create(&table, out->planted->sites, out->planted->energy, err);
    if (!status)
        status = spn_energy_create(&out->energy, "table", table, err);
    spn_problem_free(table);
    return status;
}

static spn_status make_planted(void **out, const void *context, spn_error *err)
{
    planted_energy *p = *out = calloc(1, sizeof *p);
    return p ? plant(p, context, err) : spn_no_memory(err, "a code");
}

/* The states of a file as a list: + is 1, - is 0. */
static char *list_of(const spn_problem *states)
{
    const size_t width = states->sites + 1;
    char *list = malloc(states->count * width + 1);
    if (!list)
        return NULL;
    for (size_t m = 0; m < states->count; m++) {
        for (size_t i = 0; i < states->sites; i++)
            list[m * width + i] = states->rows[m * states->sites + i] > 0 ? '1' : '0';
        list[m * width + states->sites] = ',';
    }
    list[states->count * width - 1] = 0;
    return list;
}

/* The generators of a code, as a list to be freed. */
static spn_status read_code(char **out, const char *code, spn_inputs *inputs, spn_error *err)
{
    const spn_problem *states = NULL;
    *out = NULL;
    if (strspn(code, "0123456789,") == strlen(code)) {
        *out = strdup(code);
    } else {
        SPN_TRY(spn_inputs_problem(&states, inputs, SPN_PROBLEM_STATES, "code", code, err));
        *out = list_of(states);
    }
    return *out ? SPN_OK : spn_no_memory(err, "a code");
}

static spn_status share(const planted_energy **out, const char *list, size_t radius,
                        spn_inputs *inputs, spn_error *err)
{
    const planted_request request = {list, radius};
    const void *object = NULL;
    spn_error why = {0};
    char *key = NULL;
    if (asprintf(&key, "planted\n%zu\n%s", radius, list) < 0)
        return spn_no_memory(err, "a code");
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_planted, release_planted, &request, &why);
    free(key);
    *out = object;
    return status ? spn_setting_blame("code", &why, err) : SPN_OK;
}

spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err)
{
    const planted_energy *made = NULL;
    char *list = NULL;
    spn_status status = read_code(&list, code, inputs, err);
    if (!status)
        status = share(&made, list, radius, inputs, err);
    free(list);
    *planted = made ? made->planted : NULL;
    *energy = made ? made->energy : NULL;
    return status;
}

/* ---- shared objects: the settings energy, energy-options and energy-file ---- */

/* An energy of a shared object, and the content that it came from. */
typedef struct plugin_energy {
    spn_energy *energy;
    uint64_t sum;
    bool refused; /* it was loaded, and made nothing of what it was given */
} plugin_energy;

typedef struct plugin_request {
    spn_inputs *inputs;
    const char *name, *options, *file; /* the last two may be NULL */
    const char *path;                  /* of the file; NULL: not known yet, or none */
} plugin_request;

static void release_plugin(void *object)
{
    plugin_energy *p = object;
    spn_energy_free(p->energy);
    free(p);
}

/* A sum goes on from the one before it. */
static spn_status read_content(void *out, const char *path, const void *context, spn_error *err)
{
    uint64_t *sum = out;
    spn_source source = {0};
    (void)context;
    spn_status status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *sum = XXH3_64bits_withSeed(source.data, source.size, *sum);
    spn_source_unload(&source);
    return status;
}

static spn_status read_plugin(void *out, const char *path, const void *context, spn_error *err)
{
    const plugin_request *r = context;
    plugin_energy *p = out;
    SPN_TRY(read_content(&p->sum, path, NULL, err));
    const spn_status status = spn_energy_load(&p->energy, path, r->options, r->path, err);
    p->refused = status == SPN_ERROR_ARGUMENT;
    return status;
}

/* Where it made nothing of what it was given, that is at fault. */
static void blame_options(const plugin_request *r, spn_error *err)
{
    const char *fault = r->options ? "energy-options" : r->file ? "energy-file" : NULL;
    const size_t before = strlen("energy: ");
    if (!fault || !err || strncmp(err->text, "energy: ", before) != 0)
        return;
    const spn_error why = *err;
    spn_fail(err, why.status, "%s: %s", fault, why.text + before);
}

static spn_status make_plugin(void **out, const void *context, spn_error *err)
{
    plugin_request r = *(const plugin_request *)context;
    plugin_energy *p = *out = calloc(1, sizeof *p);
    char *path = r.file ? spn_inputs_path(r.inputs, r.file) : NULL;
    spn_status status = SPN_OK;
    r.path = path;
    if (!p || (r.file && !path))
        status = spn_no_memory(err, "an energy");
    if (!status && r.file)
        status = spn_inputs_read(&p->sum, r.inputs, "energy-file", r.file, read_content, NULL, err);
    if (!status)
        status = spn_inputs_read(p, r.inputs, "energy", r.name, read_plugin, &r, err);
    if (status && p && p->refused)
        blame_options(&r, err);
    free(path);
    return status;
}

spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_energy_settings *settings, spn_error *err)
{
    const plugin_request request = {inputs, settings->energy, settings->energy_options,
                                    settings->energy_file, NULL};
    const char *options = request.options ? request.options : "";
    const void *object = NULL;
    char *key = NULL;
    const spn_status found =
        spn_inputs_find_given(&object, inputs, SPN_OBJECT_ENERGY, "energy", request.name, err);
    *energy = object;
    *sum = 0;
    if (found || object)
        return found;
    if (request.file && strcmp(request.file, "-") == 0)
        return spn_setting_fail("energy-file", err, "cannot be the standard input; give a file");
    if (asprintf(&key, "plug-in\n%s\n%s\n%s", request.name, options,
                 request.file ? request.file : "") < 0)
        return spn_no_memory(err, "an energy");
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_plugin, release_plugin, &request, err);
    free(key);
    SPN_TRY(status);
    const plugin_energy *p = object;
    *energy = p->energy;
    *sum = XXH3_64bits_withSeed(options, strlen(options), p->sum);
    return SPN_OK;
}

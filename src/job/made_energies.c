/* Energies shared by jobs: planted landscapes, and those of shared objects. */
#include "base/source.h"
#include "base/try.h"
#include "job/energy_settings.h"

#include <assert.h>
#include <math.h>
#include <spinney/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* generators: such as 0111100,1011010; split in place. */
static spn_status plant(spn_shared *out, char *generators, size_t radius, spn_error *err)
{
    const char **rows = calloc(strlen(generators) + 1, sizeof *rows);
    size_t count = 0;
    for (char *row; rows && (row = strsep(&generators, ","));)
        rows[count++] = row;
    spn_status status = rows ? spn_planted_create(&out->planted, rows, count, radius, err)
                             : spn_no_memory(err, "a code");
    free(rows);
    SPN_TRY(status);
    assert(out->planted);
    spn_problem *table = NULL;
    status = spn_problem_table_create(&table, out->planted->sites, out->planted->energy, err);
    if (!status)
        status = spn_energy_create(&out->energy, "table", table, err);
    spn_problem_free(table);
    return status;
}

/* States of a file as a list: + is 1, - is 0. */
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

/* The caller frees the list. */
static spn_status read_code(char **out, const char *code, spn_inputs *inputs, spn_error *err)
{
    const spn_problem *states = NULL;
    *out = NULL;
    if (strspn(code, "0123456789,") == strlen(code)) {
        *out = strdup(code);
    } else {
        SPN_TRY(spn_inputs_problem(&states, inputs, SPN_PROBLEM_STATES, "code", code, NULL, err));
        *out = list_of(states);
    }
    return *out ? SPN_OK : spn_no_memory(err, "a code");
}

spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err)
{
    spn_shared *shared;
    bool first = false;
    spn_error why = {0};
    char *list = NULL;
    SPN_TRY(read_code(&list, code, inputs, err));
    spn_status status =
        spn_inputs_seek(&shared, &first, inputs, &why, "planted\n%zu\n%s", radius, list);
    if (first)
        status = spn_inputs_keep(inputs, plant(shared, list, radius, &why));
    free(list);
    if (status)
        return spn_setting_blame("code", &why, err);
    *planted = shared->planted;
    *energy = shared->energy;
    return SPN_OK;
}

/* Continues the previous checksum. */
static spn_status sum_content(uint64_t *sum, const char *path, spn_error *err)
{
    spn_source source = {0};
    spn_status status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *sum = XXH3_64bits_withSeed(source.data, source.size, *sum);
    spn_source_unload(&source);
    return status;
}

/* file: the path of energy-file, or NULL. If the object refused its options or file, the error
   names these. */
static spn_status load_plugin(spn_shared *p, spn_inputs *inputs, const spn_energy_settings *s,
                              const char *file, spn_error *err)
{
    spn_error why = {0};
    const char *fault = "energy";
    char *path;
    SPN_TRY(spn_inputs_open(&path, inputs, fault, s->energy, err));
    if (!sum_content(&p->sum, path, &why) &&
        spn_energy_load(&p->energy, path, s->energy_options, file, &why) == SPN_ERROR_ARGUMENT)
        fault = s->energy_options ? "energy-options" : file ? "energy-file" : fault;
    return spn_inputs_close(path, inputs, fault, s->energy, &why, err);
}

static spn_status make_plugin(spn_shared *p, spn_inputs *inputs, const spn_energy_settings *s,
                              spn_error *err)
{
    const char *file = s->energy_file;
    spn_error why = {0};
    char *path = NULL;
    if (!file)
        return load_plugin(p, inputs, s, NULL, err);
    SPN_TRY(spn_inputs_open(&path, inputs, "energy-file", file, err));
    sum_content(&p->sum, path, &why);
    SPN_TRY(spn_inputs_close(path, inputs, "energy-file", file, &why, err));
    SPN_NEED(path = spn_inputs_path(inputs, file), err, "an energy");
    const spn_status status = load_plugin(p, inputs, s, path, err);
    free(path);
    return status;
}

spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_energy_settings *settings, spn_error *err)
{
    const char *options = settings->energy_options ? settings->energy_options : "";
    const char *file = settings->energy_file ? settings->energy_file : "";
    const void *object = NULL;
    spn_shared *shared;
    bool first;
    *sum = 0;
    SPN_TRY(
        spn_inputs_find_given(&object, inputs, SPN_OBJECT_ENERGY, "energy", settings->energy, err));
    if ((*energy = object))
        return SPN_OK;
    if (strcmp(file, "-") == 0)
        return spn_setting_fail("energy-file", err, "cannot be the standard input; give a file");
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "plug-in\n%s\n%s\n%s", settings->energy,
                            options, file));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, make_plugin(shared, inputs, settings, err)));
    *energy = shared->energy;
    *sum = XXH3_64bits_withSeed(options, strlen(options), shared->sum);
    return SPN_OK;
}

/* Whether most units have a stability of 0 or more. */
static bool committee_is_right(const spn_instance *instance, const int8_t *weights,
                               const int8_t *row, int label)
{
    const size_t inputs = instance->sites / instance->units;
    size_t right = 0;
    for (size_t unit = 0; unit < instance->units; unit++) {
        const int8_t *own = row + (instance->tree ? unit * inputs : 0);
        int64_t sum = 0;
        for (size_t i = 0; i < inputs; i++)
            sum += own[i] * weights[unit * inputs + i];
        right += sum * label >= 0;
    }
    return 2 * right > instance->units;
}

static size_t committee_patterns_right(const spn_instance *instance, const int8_t *weights)
{
    const spn_problem *patterns = instance->problem;
    const size_t inputs = patterns->sites;
    size_t right = 0;
    for (size_t mu = 0; mu < patterns->count; mu++)
        right += committee_is_right(instance, weights, patterns->rows + mu * inputs,
                                    patterns->labels[mu]);
    return right;
}

size_t spn_patterns_right(const spn_instance *instance, const int8_t *weights)
{
    if (instance->units)
        return committee_patterns_right(instance, weights);
    const spn_problem *patterns = instance->problem;
    const size_t sites = patterns->sites, count = patterns->count;
    const int8_t *rows = patterns->rows, *labels = patterns->labels;
    const int16_t *values = patterns->values;
    const bool within = spn_instance_is_symmetric(instance);
    const double one = sqrt((double)sites) * (values ? SPN_VALUE_ONE : 1);
    size_t right = 0;
    for (size_t mu = 0; mu < count; mu++) {
        int32_t sum = 0;
        for (size_t i = 0; i < sites; i++)
            sum += (values ? values[mu * sites + i] : rows[mu * sites + i]) * weights[i];
        const double stability = (double)(sum * labels[mu]) / one;
        right += within ? fabs(stability) <= instance->kappa : stability >= instance->kappa;
    }
    return right;
}

/* ---- of problems with constraints ---- */

spn_status spn_inputs_program_energy(const spn_energy **energy, double *penalty, spn_inputs *inputs,
                                     const spn_program *program, spn_error *err)
{
    spn_shared *shared;
    bool first;
    spn_error why = {0};
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "energy of %p\n%a", (const void *)program,
                            *penalty));
    if (first)
        shared->penalty = *penalty;
    if (first && spn_inputs_keep(inputs, spn_program_energy_create(&shared->energy, program,
                                                                   &shared->penalty, &why)))
        return spn_setting_blame("problem", &why, err);
    *energy = shared->energy;
    *penalty = shared->penalty;
    return SPN_OK;
}

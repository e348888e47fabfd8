/* The energy that settings describe: one of the built-in ones, of a file or of random patterns. */
#include "old/instance.h"

#include <spinney/words.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *kind_name(const void *unused, size_t i)
{
    (void)unused;
    return spn_energy_kind_at(i) ? spn_energy_kind_at(i)->name : NULL;
}

/* The energy that is named, or NULL, with an error. */
static const spn_energy_kind *find_kind(xpn_values *values, spn_error *err)
{
    const char *name = xpn_values_text(values, "energy");
    const spn_energy_kind *kind = name ? spn_energy_find(name) : NULL;
    const char *nearest = name && !kind ? spn_nearest_word(name, kind_name, NULL) : NULL;
    if (!name)
        xpn_values_fail(values, "energy", err, "is needed: the name of an energy");
    else if (nearest)
        xpn_values_fail(values, "energy", err, "there is no '%s'; did you mean %s?", name, nearest);
    else if (!kind)
        xpn_values_fail(values, "energy", err, "there is no '%s'; see spinney anneal --help", name);
    return kind;
}

/* A setting that another kind of energy would need is a mistake, not something to pass over. */
static spn_status check_settings(const spn_energy_kind *kind, xpn_values *values, spn_error *err)
{
    static const char *const all[] = {"patterns", "random", "graph", "table", "minima", NULL};
    const char *file = spn_problem_file_name(kind->problem);
    const bool patterns = kind->problem == SPN_PROBLEM_PATTERNS;
    const bool random = xpn_values_given(values, "random");
    for (size_t k = 0; all[k]; k++)
        if (xpn_values_given(values, all[k]) && strcmp(all[k], file) != 0 &&
            !(patterns && strcmp(all[k], "random") == 0))
            return xpn_values_fail(values, all[k], err,
                                   "does not go with energy %s, which takes %s", kind->name, file);
    if (random && xpn_values_given(values, "patterns"))
        return xpn_values_fail(values, "random", err, "give this or patterns, not both");
    if (xpn_values_given(values, "teacher") && !random)
        return xpn_values_fail(values, "teacher", err, "goes with random");
    if (!random && !xpn_values_given(values, file))
        return xpn_values_fail(values, "energy", err, "%s needs %s%s", kind->name, file,
                               patterns ? ", a file, or random: N,P" : ", a file");
    return SPN_OK;
}

static spn_status read_random(spn_random_text *out, bool *teacher, xpn_values *values,
                              spn_error *err)
{
    spn_error why = {0};
    *teacher = false;
    if (spn_random_text_parse(out, xpn_values_text(values, "random"), &why))
        return xpn_values_blame(values, "random", &why, err);
    return xpn_values_flag(teacher, values, "teacher", err);
}

static spn_status make_random(xpn_instance *out, xpn_values *values, uint64_t seed, spn_error *err)
{
    spn_random_text random;
    bool teacher;
    spn_error why = {0};
    spn_status status = read_random(&random, &teacher, values, err);
    if (status)
        return status;
    if (spn_problem_random_patterns(&out->own_problem, random.sites, random.count,
                                    random.seeded ? random.seed : seed, teacher, &why) ||
        spn_energy_create(&out->own_energy, out->kind->name, out->own_problem, &why))
        return xpn_values_blame(values, "random", &why, err);
    out->problem = out->own_problem;
    out->energy = out->own_energy;
    out->seed = random.seeded ? 0 : seed;
    return SPN_OK;
}

static spn_status read_file(xpn_instance *out, xpn_values *values, xpn_task_store *store,
                            spn_error *err)
{
    return xpn_task_store_problem(&out->problem, &out->energy, store, values,
                                  spn_problem_file_name(out->kind->problem), out->kind, err);
}

spn_status xpn_instance_check(const spn_energy_kind **out, xpn_values *values,
                              xpn_task_store *store, spn_error *err)
{
    xpn_instance instance = {.kind = find_kind(values, err)};
    spn_random_text random;
    bool teacher;
    *out = instance.kind;
    if (!instance.kind)
        return SPN_ERROR_ARGUMENT;
    spn_status status = check_settings(instance.kind, values, err);
    if (status)
        return status;
    return xpn_values_given(values, "random") ? read_random(&random, &teacher, values, err)
                                              : read_file(&instance, values, store, err);
}

spn_status xpn_instance_make(xpn_instance *out, xpn_values *values, xpn_task_store *store,
                             uint64_t seed, spn_error *err)
{
    *out = (xpn_instance){.kind = find_kind(values, err)};
    if (!out->kind)
        return SPN_ERROR_ARGUMENT;
    spn_status status = check_settings(out->kind, values, err);
    if (status)
        return status;
    return xpn_values_given(values, "random") ? make_random(out, values, seed, err)
                                              : read_file(out, values, store, err);
}

void xpn_instance_clear(xpn_instance *instance)
{
    spn_energy_free(instance->own_energy);
    spn_problem_free(instance->own_problem);
    *instance = (xpn_instance){0};
}

void xpn_instance_size(const xpn_values *values, double *sites, double *patterns)
{
    const char *text = xpn_values_text(values, "random");
    spn_random_text random = {0};
    if (text)
        spn_random_text_parse(&random, text, NULL);
    *sites = (double)random.sites;
    *patterns = (double)random.count;
}

uint64_t xpn_instance_checksum(const xpn_instance *instance)
{
    const spn_problem *p = instance->problem;
    uint64_t sum =
        XXH3_64bits_withSeed(instance->kind->name, strlen(instance->kind->name), p->sites);
    if (p->rows)
        sum = XXH3_64bits_withSeed(p->rows, p->count * p->sites, sum);
    if (p->labels)
        sum = XXH3_64bits_withSeed(p->labels, p->count, sum);
    if (p->edges)
        sum = XXH3_64bits_withSeed(p->edges, p->count * sizeof *p->edges, sum);
    if (p->energies)
        sum = XXH3_64bits_withSeed(p->energies, p->count * sizeof *p->energies, sum);
    return sum;
}

size_t xpn_patterns_right(const spn_problem *patterns, const int8_t *weights)
{
    const size_t sites = patterns->sites;
    size_t right = 0;
    for (size_t mu = 0; mu < patterns->count; mu++) {
        const int8_t *row = patterns->rows + mu * sites;
        int32_t sum = 0;
        for (size_t i = 0; i < sites; i++)
            sum += row[i] * weights[i];
        right += sum * patterns->labels[mu] >= 0;
    }
    return right;
}

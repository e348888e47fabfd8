#include "job/solutions.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void spn_solutions_free(spn_solutions *solutions)
{
    if (!solutions)
        return;
    for (size_t i = 0; solutions->names && i < solutions->sites; i++)
        free(solutions->names[i]);
    SPN_FREE_ALL(solutions->names, solutions->ends, solutions->end_energies);
    spn_samples_free(solutions->samples);
    free(solutions);
}

static spn_status copy_names(spn_solutions *s, const spn_problem *problem, spn_error *err)
{
    if (!problem || !spn_problem_name(problem, 0))
        return SPN_OK;
    SPN_NEED(s->names = calloc(s->sites, sizeof *s->names), err, "the states that were found");
    for (size_t i = 0; i < s->sites; i++)
        SPN_NEED(s->names[i] = strdup(spn_problem_name(problem, i)), err,
                 "the states that were found");
    return SPN_OK;
}

/* Bits of a problem: a variable's name, of integers n.1, n.2 and so on. */
static spn_status name_bits(spn_solutions *s, const spn_instance *instance, spn_error *err)
{
    size_t last = SIZE_MAX, bit = 0;
    SPN_NEED(s->names = calloc(s->sites, sizeof *s->names), err, "the states that were found");
    s->binary = true;
    for (size_t i = 0; i < s->sites; i++) {
        int32_t weight;
        spn_variable v;
        const size_t at = spn_program_energy_variable(&weight, instance->energy, i);
        bit = at == last ? bit + 1 : 1;
        last = at;
        spn_program_variable(&v, instance->program, at);
        s->names[i] = weight > 0 ? spn_text_new("%s.%zu", v.name, bit) : strdup(v.name);
        SPN_NEED(s->names[i], err, "the states that were found");
        s->binary = s->binary && v.kind != SPN_VARIABLE_SPIN;
    }
    return SPN_OK;
}

spn_status spn_solutions_create(spn_solutions **out, const spn_instance *instance, spn_error *err)
{
    spn_solutions *s = *out = calloc(1, sizeof *s);
    SPN_NEED(s, err, "the states that were found");
    s->sites = instance->sites;
    s->binary = strcmp(instance->kind->name, "qubo") == 0;
    s->cuts = spn_instance_has_cuts(instance);
    s->offset = s->cuts ? spn_instance_cut(instance, 0) : 0;
    spn_status status = spn_samples_create(&s->samples, s->sites, err);
    if (!status)
        status =
            instance->program ? name_bits(s, instance, err) : copy_names(s, instance->problem, err);
    if (!status)
        return SPN_OK;
    spn_solutions_free(s);
    *out = NULL;
    return status;
}

spn_status spn_solutions_keep_ends(spn_solutions *solutions, const spn_snapshot *end,
                                   spn_error *err)
{
    const size_t replicas = end->replicas;
    solutions->ends = spn_alloc(replicas, solutions->sites);
    solutions->end_energies = spn_alloc(replicas, sizeof *solutions->end_energies);
    SPN_NEED(solutions->ends && solutions->end_energies, err, "the states that were found");
    memcpy(solutions->ends, end->spins, replicas * solutions->sites);
    memcpy(solutions->end_energies, end->energy, replicas * sizeof *end->energy);
    solutions->replicas = replicas;
    return SPN_OK;
}

enum { VARIABLE_NAME = 24 };

/* Name of variable i: its own, or x0 for qubo, v1 for maxcut, s0 for others. */
static const char *name_of(char out[VARIABLE_NAME], const spn_solutions *solutions, size_t i)
{
    if (solutions->names)
        return solutions->names[i];
    snprintf(out, VARIABLE_NAME, "%c%zu",
             solutions->binary ? 'x'
             : solutions->cuts ? 'v'
                               : 's',
             solutions->cuts ? i + 1 : i);
    return out;
}

int spn_solutions_value(const spn_solutions *solutions, int8_t spin)
{
    return solutions->binary ? spin > 0 : spin;
}

static void write_csv(FILE *stream, const spn_solutions *s, int8_t *spins)
{
    char name[VARIABLE_NAME], energy[SPN_NUMBER_TEXT];
    fputs("energy,count", stream);
    for (size_t i = 0; i < s->sites; i++) {
        fputc(',', stream);
        spn_csv_put(stream, name_of(name, s, i));
    }
    for (size_t k = 0; k < spn_samples_distinct(s->samples); k++) {
        spn_samples_spins(s->samples, k, spins);
        spn_real_text(energy, spn_samples_energy(s->samples, k));
        fprintf(stream, "\n%s,%" PRIu64, energy, spn_samples_count(s->samples, k));
        for (size_t i = 0; i < s->sites; i++)
            fprintf(stream, ",%d", spn_solutions_value(s, spins[i]));
    }
    fputc('\n', stream);
}

static void put_little_endian(FILE *stream, uint64_t word)
{
    for (int k = 0; k < 8; k++)
        fputc((int)(word >> 8 * k & 0xff), stream);
}

static void put_npy_header(FILE *stream, size_t sites, size_t count)
{
    enum { ALIGNMENT = 64, BEFORE = 10 };
    char text[192];
    const int length =
        snprintf(text, sizeof text,
                 "{'descr': [('energy', '<f8'), ('count', '<i8'), ('state', '|i1', (%zu,))], "
                 "'fortran_order': False, 'shape': (%zu,), }",
                 sites, count);
    const size_t used = BEFORE + (size_t)length + 1;
    const size_t padding = (ALIGNMENT - used % ALIGNMENT) % ALIGNMENT;
    const size_t header = (size_t)length + padding + 1;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc((int)(header & 0xff), stream);
    fputc((int)(header >> 8), stream);
    fputs(text, stream);
    fprintf(stream, "%*s\n", (int)padding, "");
}

static void write_npy(FILE *stream, const spn_solutions *s, int8_t *spins)
{
    put_npy_header(stream, s->sites, spn_samples_distinct(s->samples));
    for (size_t k = 0; k < spn_samples_distinct(s->samples); k++) {
        const double energy = spn_samples_energy(s->samples, k);
        uint64_t word;
        memcpy(&word, &energy, sizeof word);
        put_little_endian(stream, word);
        put_little_endian(stream, spn_samples_count(s->samples, k));
        spn_samples_spins(s->samples, k, spins);
        for (size_t i = 0; i < s->sites; i++)
            spins[i] = (int8_t)spn_solutions_value(s, spins[i]);
        fwrite(spins, 1, s->sites, stream);
    }
}

double spn_solutions_finder(const spn_solutions *s, size_t k)
{
    return spn_samples_count(s->samples, k) ? (double)spn_samples_first(s->samples, k) + 1 : NAN;
}

static void put_json_state(spn_json *json, const spn_solutions *s, size_t k, int8_t *spins)
{
    spn_json_open(json, NULL, '{');
    spn_json_real(json, "energy", spn_samples_energy(s->samples, k));
    if (s->cuts)
        spn_json_real(json, "cut", s->offset - spn_samples_energy(s->samples, k));
    spn_json_whole(json, "count", spn_samples_count(s->samples, k));
    spn_json_real(json, s->of_reads ? "read" : "replica", spn_solutions_finder(s, k));
    spn_json_open(json, "state", '[');
    spn_samples_spins(s->samples, k, spins);
    for (size_t i = 0; i < s->sites; i++)
        spn_json_real(json, NULL, spn_solutions_value(s, spins[i]));
    spn_json_close(json, ']');
    spn_json_close(json, '}');
}

static void put_json(spn_json *json, const spn_solutions *s, size_t most, int8_t *spins)
{
    const size_t distinct = spn_samples_distinct(s->samples);
    spn_json_whole(json, "distinct", distinct);
    spn_json_flag(json, "binary", s->binary);
    if (s->names) {
        spn_json_open(json, "variables", '[');
        for (size_t i = 0; i < s->sites; i++)
            spn_json_text(json, NULL, s->names[i]);
        spn_json_close(json, ']');
    }
    spn_json_open(json, "states", '[');
    for (size_t k = 0; k < distinct && k < most; k++)
        put_json_state(json, s, k, spins);
    spn_json_close(json, ']');
}

spn_status spn_solutions_json(spn_json *json, const spn_solutions *solutions, size_t most,
                              spn_error *err)
{
    int8_t *spins = malloc(solutions->sites);
    SPN_NEED(spins, err, "the states that were found");
    put_json(json, solutions, most, spins);
    free(spins);
    return SPN_OK;
}

static spn_status write_json(FILE *stream, const spn_solutions *s, int8_t *spins, spn_error *err)
{
    spn_json json = {.stream = stream, .broken = 2};
    spn_json_open(&json, NULL, '{');
    put_json(&json, s, SIZE_MAX, spins);
    spn_json_close(&json, '}');
    fputc('\n', stream);
    if (!json.bad)
        return SPN_OK;
    return spn_refuse(err, "%s is not UTF-8 text; JSON cannot hold it", json.bad);
}

void spn_solutions_print(FILE *stream, const spn_solutions *solutions, const int8_t *spins)
{
    const char up = solutions->binary ? '1' : '+', down = solutions->binary ? '0' : '-';
    for (size_t i = 0; i < solutions->sites; i++)
        fputc(spins[i] > 0 ? up : down, stream);
    fputc('\n', stream);
}

static void write_text(FILE *stream, const spn_solutions *s, int8_t *spins)
{
    for (size_t k = 0; k < spn_samples_distinct(s->samples); k++) {
        spn_samples_spins(s->samples, k, spins);
        spn_print(stream, "# energy %.17g, count %" PRIu64, spn_samples_energy(s->samples, k),
                  spn_samples_count(s->samples, k));
        if (isnan(spn_solutions_finder(s, k)))
            spn_print(stream, ", joined from all reads\n");
        else
            spn_print(stream, ", first found by %s %.0f\n", s->of_reads ? "read" : "replica",
                      spn_solutions_finder(s, k));
        spn_solutions_print(stream, s, spins);
    }
}

enum { CSV, NPY, JSON, TEXT };

static int format_of(const char *path)
{
    static const char *const endings[] = {[CSV] = ".csv", [NPY] = ".npy", [JSON] = ".json"};
    const char *dot = strrchr(path, '.');
    int format = CSV;
    while (format < TEXT && !(dot && strcmp(dot, endings[format]) == 0))
        format++;
    return format;
}

/* Users of these formats would not expect lines of text. */
spn_status spn_solutions_try(const char *path, spn_error *err)
{
    static const char *const others[] = {".npz", ".tsv", ".gz", ".jsonl", ".h5", ".parquet"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t k = 0; dot && k < sizeof others / sizeof *others; k++)
        if (strcmp(dot, others[k]) == 0)
            return spn_refuse(
                err,
                "%s: states are written as .csv, .npy or .json, and under other names "
                "as lines of signs, but not as %s",
                path, dot);
    return spn_file_try(path, err);
}

bool spn_solutions_is_text(const char *path)
{
    return format_of(path) == TEXT;
}

spn_status spn_solutions_write(const spn_solutions *solutions, const char *path, spn_error *err)
{
    spn_file *file = NULL;
    int8_t *spins = malloc(solutions->sites);
    SPN_NEED(spins, err, "the states that were found");
    spn_status status = spn_file_create(&file, path, err);
    FILE *stream = status ? NULL : spn_file_stream(file);
    const int format = format_of(path);
    if (!status && format == JSON)
        status = write_json(stream, solutions, spins, err);
    else if (!status)
        (format == CSV   ? write_csv
         : format == NPY ? write_npy
                         : write_text)(stream, solutions, spins);
    free(spins);
    return spn_file_end(file, status, err);
}

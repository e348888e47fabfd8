/* Readers of patterns with labels, CSV of +-1 values, and of tables of energies. */
#include "data/problem.h"

#include "base/memory.h"

#include <math.h>

/* ---- patterns ---- */

static size_t count_fields(spn_span line)
{
    size_t fields = 1;
    for (size_t k = 0; k < line.size; k++)
        fields += line.text[k] == ',';
    return fields;
}

static bool read_spin(int8_t *out, spn_span token)
{
    double value;
    if (spn_number_read(&value, token) != SPN_NUMBER_FINITE || (value != 1 && value != -1))
        return false;
    *out = value > 0 ? 1 : -1;
    return true;
}

static spn_status read_pattern(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    int8_t *row = problem->rows + problem->count * problem->sites;
    for (size_t field = 0; field <= problem->sites; field++) {
        char shown[SPN_SHOWN];
        spn_span token = {"", 0};
        int8_t *target = field < problem->sites ? &row[field] : &problem->labels[problem->count];
        if (!spn_walk_token(&token, walk) || !read_spin(target, token))
            return spn_walk_fail(walk, err, "field %zu, '%s', is not +1 or -1", field + 1,
                                 spn_show(shown, token));
    }
    if (walk->line.size > 0)
        return spn_walk_fail(walk, err, "fields are separated by commas");
    problem->count++;
    return SPN_OK;
}

spn_status spn_read_patterns(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    size_t labels_capacity = 0;
    while (spn_walk_line(walk, err)) {
        const size_t fields = count_fields(walk->line);
        if (problem->count == 0) {
            if (fields < 2)
                return spn_walk_fail(walk, err,
                                     "one field: a pattern needs at least one value and, last, its "
                                     "label, separated by commas");
            problem->sites = fields - 1;
        }
        if (fields != problem->sites + 1)
            return spn_walk_fail(walk, err, "%zu fields, but the lines before have %zu", fields,
                                 problem->sites + 1);
        if (!spn_grow(&problem->rows, &walk->capacity, (problem->count + 1) * problem->sites, 1) ||
            !spn_grow(&problem->labels, &labels_capacity, problem->count + 1, 1))
            return spn_walk_no_memory(walk, err);
        SPN_TRY(read_pattern(walk, err));
    }
    if (problem->count == 0)
        return spn_source_fail(walk->source, err,
                               "no patterns; expected lines of +1 and -1 with the label last");
    return SPN_OK;
}

/* ---- tables ---- */

static spn_status read_energy(spn_walk *walk, spn_span token, spn_error *err)
{
    spn_problem *problem = walk->problem;
    char shown[SPN_SHOWN];
    if (!spn_grow(&problem->energies, &walk->capacity, problem->count + 1, sizeof(double)))
        return spn_walk_no_memory(walk, err);
    double *energy = &problem->energies[problem->count++];
    if (spn_number_read(energy, token) != SPN_NUMBER_FINITE)
        return spn_walk_fail(walk, err, "'%s' is not a finite number", spn_show(shown, token));
    if (fabs(*energy) > SPN_MOST_ENERGY)
        return spn_walk_fail(walk, err, "'%s' is too large: energies are at most 1e300 in size",
                             spn_show(shown, token));
    return SPN_OK;
}

spn_status spn_read_table(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_span token;
    while (spn_walk_line(walk, err))
        while (spn_walk_token(&token, walk))
            SPN_TRY(read_energy(walk, token, err));
    while (((size_t)1 << problem->sites) < problem->count)
        problem->sites++;
    if (problem->sites == 0 || (size_t)1 << problem->sites != problem->count)
        return spn_source_fail(walk->source, err,
                               "%zu energies; a table of N spins has 2^N of them, 2, 4, 8, ...",
                               problem->count);
    return SPN_OK;
}

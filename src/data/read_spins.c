/* Readers of +-1 rows: patterns with labels (CSV) and states (strings of + and -). */
#include "data/problem.h"

#include "base/memory.h"
#include <string.h>

static spn_status out_of_memory(const spn_lines *lines, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", spn_lines_path(lines));
}

static size_t count_fields(const char *line)
{
    size_t fields = 1;
    for (; *line; line++)
        fields += *line == ',';
    return fields;
}

/* One field of a CSV line: +1, 1 or -1, blanks around it. Moves *text behind the comma. */
static bool read_spin(int8_t *out, char **text)
{
    double value;
    while (**text == ' ' || **text == '\t')
        ++*text;
    if (!spn_read_real(&value, text) || (value != 1 && value != -1) || (**text && **text != ','))
        return false;
    *out = value > 0 ? 1 : -1;
    if (**text == ',')
        ++*text;
    return true;
}

static spn_status read_pattern(spn_problem *problem, const spn_lines *lines, char *line,
                               spn_error *err)
{
    int8_t *row = problem->rows + problem->count * problem->sites;
    for (size_t field = 0; field <= problem->sites; field++) {
        char *start = line;
        int8_t *target = field < problem->sites ? &row[field] : &problem->labels[problem->count];
        if (!read_spin(target, &line))
            return spn_lines_fail(lines, err, "field %zu, '%.*s', is not +1 or -1", field + 1,
                                  (int)(strcspn(start, ",") > 40 ? 40 : strcspn(start, ",")),
                                  start);
    }
    problem->count++;
    return SPN_OK;
}

spn_status spn_read_patterns(spn_problem *problem, spn_lines *lines, spn_error *err)
{
    char *line;
    size_t rows_capacity = 0, labels_capacity = 0;
    spn_status status;
    while (!(status = spn_lines_next(&line, lines, err)) && line) {
        size_t fields = count_fields(line);
        if (problem->count == 0) {
            if (fields < 2)
                return spn_lines_fail(
                    lines, err,
                    "one field: a pattern needs at least one value and, last, its "
                    "label, separated by commas");
            problem->sites = fields - 1;
        }
        if (fields != problem->sites + 1)
            return spn_lines_fail(lines, err, "%zu fields, but the lines before have %zu", fields,
                                  problem->sites + 1);
        if (!spn_grow(&problem->rows, &rows_capacity, (problem->count + 1) * problem->sites, 1) ||
            !spn_grow(&problem->labels, &labels_capacity, problem->count + 1, 1))
            return out_of_memory(lines, err);
        if ((status = read_pattern(problem, lines, line, err)))
            return status;
    }
    if (!status && problem->count == 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: no patterns; expected lines of +1 and -1 with the label last",
                        spn_lines_path(lines));
    return status;
}

spn_status spn_read_states(spn_problem *problem, spn_lines *lines, spn_error *err)
{
    char *line;
    size_t capacity = 0;
    spn_status status;
    while (!(status = spn_lines_next(&line, lines, err)) && line) {
        size_t length = strlen(line), good = strspn(line, "+-");
        if (good != length)
            return spn_lines_fail(lines, err,
                                  "'%c' at column %zu; a state is a string of + and -, first spin "
                                  "first",
                                  line[good], good + 1);
        if (problem->count > 0 && length != problem->sites)
            return spn_lines_fail(lines, err, "%zu spins, but the states before have %zu", length,
                                  problem->sites);
        problem->sites = length;
        if (!spn_grow(&problem->rows, &capacity, (problem->count + 1) * length, 1))
            return out_of_memory(lines, err);
        for (size_t i = 0; i < length; i++)
            problem->rows[problem->count * length + i] = line[i] == '+' ? 1 : -1;
        problem->count++;
    }
    if (!status && problem->count == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: no states; expected lines of + and -",
                        spn_lines_path(lines));
    return status;
}

/* Problems with constraints that jobs name, with the variables that they fix. */
#include "base/number.h"
#include "base/try.h"
#include "job/inputs.h"

#include <string.h>
#include <xxhash.h>

static const char PROBLEM[] = "problem";

static const char *variable_name(const void *program, size_t i)
{
    spn_variable variable;
    if (i >= spn_program_variables(program))
        return NULL;
    spn_program_variable(&variable, program, i);
    return variable.name;
}

static spn_status find_variable(size_t *out, const spn_program *program, const char *name,
                                spn_error *err)
{
    *out = spn_program_find(program, name);
    if (*out != SPN_NO_VARIABLE)
        return SPN_OK;
    const char *nearest = spn_nearest_word(name, variable_name, program);
    return spn_setting_fail("fix", err, "the problem has no variable %s%s%s%s", name,
                            nearest ? "; did you mean " : "", nearest ? nearest : "",
                            nearest ? "?" : "");
}

static bool read_value(int32_t *out, const char *text, size_t size)
{
    double value;
    if (!spn_number_parse_part(&value, text, size) || value != (double)(int32_t)value)
        return false;
    *out = (int32_t)value;
    return true;
}

/* NAME=VALUE: the last = separates, as names may have some. */
static spn_status fix_one(spn_program *program, const char *text, size_t size, spn_error *err)
{
    char name[256];
    spn_error why = {0};
    size_t equal = size, at;
    int32_t value = 0;
    while (equal > 0 && text[equal - 1] != '=')
        equal--;
    if (equal < 2 || equal > sizeof name || !read_value(&value, text + equal, size - equal))
        return spn_setting_fail("fix", err, "'%.*s' is not NAME=VALUE with a whole number",
                                (int)(size < 60 ? size : 60), text);
    memcpy(name, text, equal - 1);
    name[equal - 1] = 0;
    SPN_TRY(find_variable(&at, program, name, err));
    return spn_program_fix(program, at, value, &why) ? spn_setting_blame("fix", &why, err) : SPN_OK;
}

spn_status spn_program_fix_texts(spn_program *program, const char *texts, spn_error *err)
{
    while (texts && *texts) {
        const size_t size = strcspn(texts, ",");
        SPN_TRY(fix_one(program, texts, size, err));
        texts += size + (texts[size] == ',');
    }
    return SPN_OK;
}

static spn_status read_program(spn_program **out, spn_inputs *inputs, const char *name,
                               spn_program_format format, const char *fix, spn_error *err)
{
    spn_program_files options = spn_program_files_defaults();
    spn_error why = {0};
    char *path;
    options.format = format;
    SPN_TRY(spn_inputs_open(&path, inputs, PROBLEM, name, err));
    spn_program_read(out, path, &options, &why);
    SPN_TRY(spn_inputs_close(path, inputs, PROBLEM, name, &why, err));
    return spn_program_fix_texts(*out, fix, err);
}

spn_status spn_inputs_program(const spn_program **out, spn_inputs *inputs, const char *name,
                              spn_program_format format, const char *fix, spn_error *err)
{
    const void *found = NULL;
    spn_shared *shared;
    bool first;
    *out = NULL;
    SPN_TRY(spn_inputs_find_given(&found, inputs, SPN_OBJECT_PROGRAM, PROBLEM, name, err));
    if (found && fix)
        return spn_setting_fail("fix", err, "is for files; fix the variables of the problem given");
    if ((*out = found))
        return SPN_OK;
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "program\n%d %s\n%s", (int)format,
                            fix ? fix : "", name));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs,
                                read_program(&shared->program, inputs, name, format, fix, err)));
    *out = shared->program;
    return SPN_OK;
}

/* ---- checksums ---- */

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
    return XXH3_64bits_withSeed(bytes, size, sum);
}

static uint64_t add_terms(uint64_t sum, const spn_terms *terms)
{
    const size_t first = terms->starts[0], count = terms->starts[terms->count] - first;
    sum = add_bytes(sum, terms->coefficients, terms->count * sizeof *terms->coefficients);
    for (size_t t = 0; t < terms->count; t++) {
        const uint64_t degree = terms->starts[t + 1] - terms->starts[t];
        sum = add_bytes(sum, &degree, sizeof degree);
    }
    return add_bytes(sum, terms->variables + first, count * sizeof *terms->variables);
}

static uint64_t add_variables(uint64_t sum, const spn_program *program)
{
    for (size_t i = 0; i < spn_program_variables(program); i++) {
        spn_variable v;
        spn_program_variable(&v, program, i);
        const int32_t fields[] = {(int32_t)v.kind, v.low, v.high, v.is_fixed, v.value};
        sum = add_bytes(add_bytes(sum, v.name, strlen(v.name)), fields, sizeof fields);
    }
    return sum;
}

uint64_t spn_program_checksum(const spn_program *program)
{
    spn_terms terms;
    double constant;
    const bool maximises = spn_program_maximises(program);
    uint64_t sum = add_variables(maximises, program);
    spn_program_objective(&terms, &constant, program);
    sum = add_terms(add_bytes(sum, &constant, sizeof constant), &terms);
    for (size_t k = 0; k < spn_program_constraints(program); k++) {
        spn_constraint c;
        spn_program_constraint(&c, program, k);
        const double fields[] = {c.sense, c.right, c.weight};
        sum = add_bytes(add_terms(sum, &c.terms), fields, sizeof fields);
    }
    return sum;
}

/* Read problems: recognise the format, and make the program of what a reader found. */
#include "problem/read/reading.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GIGABYTES = 16, MOST_SIZE = 1 << 30 /* of an integer's value */ };

const spn_names spn_program_format_names =
    SPN_NAME_LIST("format of problems", [SPN_PROGRAM_AUTO] = "auto", [SPN_PROGRAM_LP] = "lp",
                  [SPN_PROGRAM_QPLIB] = "qplib", [SPN_PROGRAM_COO] = "coo",
                  [SPN_PROGRAM_CNF] = "cnf", [SPN_PROGRAM_WCNF] = "wcnf");

/* ---- recognition ---- */

spn_program_format spn_program_format_of_name(const char *path)
{
    spn_span name = {path, strlen(path)};
    if (spn_span_ends(name, ".gz"))
        name.size -= strlen(".gz");
    for (int k = SPN_PROGRAM_LP; k <= SPN_PROGRAM_WCNF; k++) {
        char ending[16];
        spn_print_text(ending, sizeof ending, ".%s",
                       spn_program_format_name((spn_program_format)k));
        if (spn_span_ends(name, ending))
            return (spn_program_format)k;
    }
    return SPN_PROGRAM_AUTO;
}

static bool is_one_of(spn_span word, const char *const *words)
{
    for (; *words; words++)
        if (spn_span_is_word(word, *words))
            return true;
    return false;
}

/* Whether a word is the type of a QPLIB file, such as QBL. */
static bool is_type(spn_span word)
{
    return word.size == 3 && strchr("LDCQ", word.text[0]) && strchr("CBMIG", word.text[1]) &&
           strchr("NBLDCQ", word.text[2]);
}

/* The first word of each of the first lines that are no comments in any format. */
enum { TOLD = 3 };

static void first_words(spn_span words[TOLD], spn_span *second, spn_reading reading)
{
    static const char comments[] = "\\#!%";
    spn_span line;
    size_t count = 0;
    *second = (spn_span){"", 0};
    for (size_t k = 0; k < TOLD; k++)
        words[k] = (spn_span){"", 0};
    while (count < TOLD && spn_reading_line(&line, &reading)) {
        if (strchr(comments, line.text[0]))
            continue;
        spn_reading_word(&words[count], &line);
        if (count == 0 && spn_span_is(words[0], "c")) /* perhaps a comment before `p cnf` */
            continue;
        if (count == 0)
            spn_reading_word(second, &line);
        count++;
    }
}

static spn_program_format recognise(const spn_reading *reading)
{
    static const char *const starts[] = {"minimize", "minimise", "minimum", "min", "maximize",
                                         "maximise", "maximum",  "max",     NULL},
                             *const senses[] = {"minimize", "maximize", NULL};
    spn_span words[TOLD], second;
    first_words(words, &second, *reading);
    const spn_program_format named = spn_program_format_of_name(reading->source->name);
    if (spn_span_is(words[0], "p") && spn_span_is(second, "cnf"))
        return SPN_PROGRAM_CNF;
    if (spn_span_is(words[0], "p") && spn_span_is(second, "wcnf"))
        return SPN_PROGRAM_WCNF;
    if (is_type(words[1]) && is_one_of(words[2], senses))
        return SPN_PROGRAM_QPLIB;
    if (named != SPN_PROGRAM_AUTO)
        return named;
    if (is_one_of(words[0], starts))
        return SPN_PROGRAM_LP;
    return spn_span_is(words[0], "h") ? SPN_PROGRAM_WCNF : SPN_PROGRAM_COO;
}

/* ---- the program ---- */

/* What the library refuses is a fault of the file. */
static spn_status of_file(const spn_reading *reading, spn_status status, spn_error *err)
{
    if (!err || status != SPN_ERROR_ARGUMENT)
        return status == SPN_ERROR_ARGUMENT ? SPN_ERROR_INPUT : status;
    const spn_error why = *err;
    return spn_fail(err, SPN_ERROR_INPUT, "%s: %s", reading->source->name, why.text);
}

/* The range of a variable that is not a spin, within which some number lies. */
static spn_status range_of(double range[2], const spn_reading *reading, size_t i, spn_error *err)
{
    const spn_read_variable *v = &reading->variables[i];
    const char *name = reading->names.texts[i];
    const bool binary = v->kind == SPN_VARIABLE_BINARY;
    if (!v->is_known)
        return spn_reading_fail(reading, v->place, err,
                                "%s is continuous; spinney finds values of binary and integer "
                                "variables: declare it as one of them, with bounds",
                                name);
    range[0] = ceil(binary ? fmax(v->low, 0) : v->low);
    range[1] = floor(binary ? fmin(v->high, 1) : v->high);
    if (range[0] > range[1])
        return spn_reading_fail(reading, v->place, err, "%s has no value within its bounds", name);
    if (range[0] < -MOST_SIZE || range[1] > MOST_SIZE)
        return spn_reading_fail(reading, v->place, err,
                                "the integer %s needs a lower and an upper bound, of at most %d in "
                                "size",
                                name, MOST_SIZE);
    return SPN_OK;
}

static spn_status add_variable(spn_program *p, const spn_reading *reading, size_t i, spn_error *err)
{
    const spn_read_variable *v = &reading->variables[i];
    const char *const name = reading->names.texts[i];
    double range[2] = {-1, 1};
    spn_variable_kind kind = v->kind;
    if (!v->is_known || kind != SPN_VARIABLE_SPIN)
        SPN_TRY(range_of(range, reading, i, err));
    if (kind == SPN_VARIABLE_INTEGER && range[0] >= 0 && range[1] <= 1)
        kind = SPN_VARIABLE_BINARY;
    SPN_TRY(spn_program_add_variables(p, NULL, 1, &name, kind, (int32_t)range[0], (int32_t)range[1],
                                      err));
    return range[0] == range[1] ? spn_program_fix(p, i, (int32_t)range[0], err) : SPN_OK;
}

static spn_terms terms_of(const spn_sum *sum)
{
    spn_terms terms = spn_terms_defaults();
    terms.count = sum->count;
    terms.coefficients = sum->coefficients;
    terms.starts = sum->starts;
    terms.variables = sum->variables;
    return terms;
}

static spn_status add_rows(spn_program *p, const spn_reading *reading, spn_error *err)
{
    const size_t count = reading->row_count;
    const spn_terms terms = terms_of(&reading->row_terms);
    spn_sense *senses = spn_alloc(count, sizeof *senses);
    double *rights = spn_alloc(count, sizeof *rights), *weights = spn_alloc(count, sizeof *weights);
    spn_status status =
        senses && rights && weights ? SPN_OK : spn_no_memory(err, "%s", reading->source->name);
    for (size_t k = 0; !status && k < count; k++) {
        senses[k] = reading->rows[k].sense;
        rights[k] = reading->rows[k].right;
        weights[k] = reading->rows[k].weight;
    }
    if (!status)
        status =
            spn_program_add_constraints(p, count, (const char *const *)reading->row_names.texts,
                                        &terms, reading->firsts, senses, rights, weights, err);
    SPN_FREE_ALL(senses, rights, weights);
    return status;
}

static spn_status fill(spn_program *p, const spn_reading *reading, spn_error *err)
{
    const spn_terms objective = terms_of(&reading->objective);
    for (size_t i = 0; i < reading->names.count; i++)
        SPN_TRY(add_variable(p, reading, i, err));
    spn_program_set_maximise(p, reading->maximise);
    SPN_TRY(spn_program_add_objective(p, &objective, reading->constant, err));
    return reading->row_count > 0 ? add_rows(p, reading, err) : SPN_OK;
}

static void free_reading(spn_reading *reading)
{
    spn_texts_free(&reading->names);
    spn_texts_free(&reading->row_names);
    SPN_FREE_ALL(reading->variables, reading->objective.coefficients, reading->objective.starts,
                 reading->objective.variables, reading->row_terms.coefficients,
                 reading->row_terms.starts, reading->row_terms.variables, reading->rows,
                 reading->firsts);
}

/* Errors name a recognised format, in case the file has another. */
static spn_status name_format(spn_program_format format, spn_status status, spn_error *err)
{
    if (!err || status != SPN_ERROR_INPUT)
        return status;
    const spn_error why = *err;
    return spn_fail(err, status, "%s (read as %s)", why.text, spn_program_format_name(format));
}

spn_status spn_program_parse(spn_program **out, const spn_source *source,
                             const spn_program_files *options, spn_error *err)
{
    static spn_program_reader *const readers[] = {[SPN_PROGRAM_LP] = spn_read_lp,
                                                  [SPN_PROGRAM_QPLIB] = spn_read_qplib,
                                                  [SPN_PROGRAM_COO] = spn_read_polynomial,
                                                  [SPN_PROGRAM_CNF] = spn_read_cnf,
                                                  [SPN_PROGRAM_WCNF] = spn_read_wcnf};
    const spn_lines lines = spn_lines_of(source);
    const char *start = lines.rest.text;
    spn_reading reading = {.source = source, .start = start, .at = start};
    reading.end = start + lines.rest.size;
    const bool automatic = options->format == SPN_PROGRAM_AUTO;
    const spn_program_format format = automatic ? recognise(&reading) : options->format;
    SPN_TRY(spn_program_create(out, err));
    spn_status status = readers[format](&reading, err);
    if (!status)
        status = of_file(&reading, fill(*out, &reading, err), err);
    free_reading(&reading);
    if (status) {
        spn_program_free(*out);
        *out = NULL;
    }
    return automatic ? name_format(format, status, err) : status;
}

spn_status spn_program_read(spn_program **out, const char *path, const spn_program_files *given,
                            spn_error *err)
{
    spn_program_files options = spn_program_files_defaults();
    spn_source source;
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_program_files_defaults", err));
    SPN_REFUSE_IF(!spn_program_format_name(options.format), err,
                  "there is no format of problems %d", (int)options.format);
    const size_t most = options.max_bytes ? options.max_bytes : (size_t)MAX_GIGABYTES << 30;
    SPN_TRY(spn_source_load(&source, path, most, err));
    const spn_status status = spn_program_parse(out, &source, &options, err);
    spn_source_unload(&source);
    return status;
}

/* Write problems: choose the format, and add up equal products. */
#include "problem/write/writing.h"

#include "base/file.h"
#include "problem/read/reading.h"

#include <stdlib.h>
#include <string.h>

/* ---- merging ---- */

typedef struct term {
    const uint32_t *variables;
    size_t degree, order;
    double coefficient;
} term;

/* 0: the same product. */
static int compare_products(const term *a, const term *b)
{
    if (a->degree != b->degree)
        return a->degree < b->degree ? -1 : 1;
    for (size_t k = 0; k < a->degree; k++)
        if (a->variables[k] != b->variables[k])
            return a->variables[k] < b->variables[k] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const term *left = a, *right = b;
    const int products = compare_products(left, right);
    return products ? products : left->order < right->order ? -1 : 1;
}

/* Sum of the terms of one product, from *at on; *at moves on to the next product. */
static spn_status add_up(double *out, const term *terms, size_t count, size_t *at, spn_error *err)
{
    const term *first = &terms[*at];
    bool whole = true;
    *out = 0;
    for (; *at < count && compare_products(first, &terms[*at]) == 0; (*at)++) {
        *out += terms[*at].coefficient;
        whole = whole && spn_is_whole(terms[*at].coefficient);
    }
    SPN_REFUSE_IF(!isfinite(*out) || (whole && !spn_is_whole(*out)), err,
                  "equal products add up to a number that is not exact");
    return SPN_OK;
}

static spn_status merge_sorted(spn_merged *out, const term *terms, size_t count, spn_error *err)
{
    for (size_t at = 0; at < count;) {
        const term *first = &terms[at];
        double sum;
        SPN_TRY(add_up(&sum, terms, count, &at, err));
        if (first->degree == 0)
            out->constant = sum;
        if (first->degree == 0 || sum == 0)
            continue;
        out->variables[out->count] = first->variables;
        out->degrees[out->count] = first->degree;
        out->coefficients[out->count++] = sum;
    }
    return SPN_OK;
}

spn_status spn_merge(spn_merged *out, const spn_terms *terms, spn_error *err)
{
    const size_t count = terms->count;
    term *list = spn_alloc(count, sizeof *list);
    *out = (spn_merged){.variables = spn_alloc(count, sizeof *out->variables),
                        .degrees = spn_alloc(count, sizeof *out->degrees),
                        .coefficients = spn_alloc(count, sizeof *out->coefficients)};
    if (!list || !out->variables || !out->degrees || !out->coefficients) {
        free(list);
        return spn_no_memory(err, "terms");
    }
    for (size_t t = 0; t < count; t++)
        list[t] = (term){terms->variables + terms->starts[t],
                         terms->starts[t + 1] - terms->starts[t], t, terms->coefficients[t]};
    qsort(list, count, sizeof *list, compare);
    const spn_status status = merge_sorted(out, list, count, err);
    free(list);
    return status;
}

void spn_merged_free(spn_merged *merged)
{
    SPN_FREE_ALL((void *)merged->variables, merged->degrees, merged->coefficients);
    *merged = (spn_merged){0};
}

/* ---- writing ---- */

static spn_program_writer *const writers[] = {[SPN_PROGRAM_LP] = spn_write_lp,
                                              [SPN_PROGRAM_QPLIB] = NULL,
                                              [SPN_PROGRAM_COO] = spn_write_polynomial,
                                              [SPN_PROGRAM_CNF] = spn_write_cnf,
                                              [SPN_PROGRAM_WCNF] = spn_write_wcnf};

spn_status spn_program_put(FILE *out, const spn_program *program, spn_program_format format,
                           spn_error *err)
{
    SPN_REFUSE_IF(!writers[format], err, "problems are read as %s, not written; write .lp",
                  spn_program_format_name(format));
    SPN_REFUSE_IF(program->energy, err,
                  "the objective has an energy, which no file of a problem can hold");
    return writers[format](out, program, err);
}

spn_status spn_program_write(const spn_program *program, const char *path,
                             const spn_program_files *given, spn_error *err)
{
    spn_program_files options = spn_program_files_defaults();
    spn_file *file;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_program_files_defaults", err));
    SPN_REFUSE_IF(!spn_program_format_name(options.format), err,
                  "there is no format of problems %d", (int)options.format);
    SPN_REFUSE_IF(spn_span_ends((spn_span){path, strlen(path)}, ".gz"), err,
                  "%s: problems are written as plain text; leave .gz out, and pack it afterwards",
                  path);
    spn_program_format format = options.format;
    if (format == SPN_PROGRAM_AUTO)
        format = spn_program_format_of_name(path);
    if (format == SPN_PROGRAM_AUTO)
        format = SPN_PROGRAM_LP;
    SPN_TRY(spn_file_create(&file, path, err));
    return spn_file_end(file, spn_program_put(spn_file_stream(file), program, format, err), err);
}

/* Terms in compressed rows: checked, their variables sorted, their powers reduced. */
#include "problem/program.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

#define MOST_WHOLE 0x1p62 /* size of a term with an integer coefficient */
#define MOST_REAL 1e300

void spn_rows_cut(spn_rows *rows, size_t count)
{
    if (count >= rows->count)
        return;
    rows->length = rows->starts[count];
    rows->count = count;
}

void spn_rows_free(spn_rows *rows)
{
    SPN_FREE_ALL(rows->coefficients, rows->starts, rows->variables);
    *rows = (spn_rows){0};
}

static int compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void sort(uint32_t *list, size_t count)
{
    if (count == 2 && list[0] > list[1]) {
        const uint32_t first = list[0];
        list[0] = list[1];
        list[1] = first;
    } else if (count > 2) {
        qsort(list, count, sizeof *list, compare);
    }
}

/* Reduce the powers in a sorted list; returns how many variables are left. */
static size_t reduce(const spn_program *p, uint32_t *list, size_t count)
{
    size_t kept = 0;
    for (size_t at = 0; at < count;) {
        const uint32_t i = list[at];
        size_t power = 0;
        while (at < count && list[at] == i) {
            at++;
            power++;
        }
        if (p->variables[i].kind == SPN_VARIABLE_BINARY)
            power = 1;
        else if (p->variables[i].kind == SPN_VARIABLE_SPIN)
            power %= 2;
        for (size_t k = 0; k < power; k++)
            list[kept++] = i;
    }
    return kept;
}

static double size_of(const spn_program *p, double coefficient, const uint32_t *list, size_t count)
{
    double size = fabs(coefficient);
    for (size_t k = 0; k < count; k++)
        size *=
            fmax(1, spn_program_reach(&p->variables[list[k]])); /* no partial product is larger */
    return size;
}

static spn_status check_term(const spn_program *p, const spn_terms *terms, size_t t,
                             const char *what, spn_error *err)
{
    const size_t start = terms->starts ? terms->starts[t] : t;
    const size_t end = terms->starts ? terms->starts[t + 1] : t + 1;
    SPN_REFUSE_IF(start > end, err, "term %zu of %s ends before it starts", t, what);
    SPN_REFUSE_IF(terms->coefficients && !isfinite(terms->coefficients[t]), err,
                  "term %zu of %s: its coefficient is not finite", t, what);
    for (size_t k = start; k < end; k++)
        SPN_REFUSE_IF(terms->variables[k] >= p->count, err,
                      "term %zu of %s has variable %u; the problem has %zu", t, what,
                      (unsigned)terms->variables[k], p->count);
    return SPN_OK;
}

/* Append one checked term, for which there is room. */
static spn_status add_term(spn_rows *rows, const spn_program *p, const spn_terms *terms, size_t t,
                           double *bound, bool *integral, const char *what, spn_error *err)
{
    const size_t start = terms->starts ? terms->starts[t] : t;
    const size_t count = terms->starts ? terms->starts[t + 1] - start : 1;
    const double coefficient = terms->coefficients ? terms->coefficients[t] : 1;
    uint32_t *list = rows->variables + rows->length;
    if (count > 0)
        memcpy(list, terms->variables + start, count * sizeof *list);
    sort(list, count);
    const size_t kept = reduce(p, list, count);
    const double size = size_of(p, coefficient, list, kept);
    const bool whole = spn_is_whole(coefficient);
    SPN_REFUSE_IF(size > (whole ? MOST_WHOLE : MOST_REAL), err,
                  "term %zu of %s can be as large as %g: at most %s fits", t, what, size,
                  whole ? "2^62" : "1e300");
    rows->coefficients[rows->count++] = coefficient;
    rows->length += kept;
    rows->starts[rows->count] = rows->length;
    *bound += size;
    *integral = *integral && whole;
    return SPN_OK;
}

spn_status spn_rows_add(spn_rows *rows, const spn_program *p, const spn_terms *terms, size_t first,
                        size_t end, double *bound, bool *integral, const char *what, spn_error *err)
{
    for (size_t t = first; t < end; t++)
        SPN_TRY(check_term(p, terms, t, what, err));
    const size_t count = end - first, last = count > 0 ? end - 1 : first;
    const size_t length = count == 0      ? 0
                          : terms->starts ? terms->starts[last + 1] - terms->starts[first]
                                          : count;
    SPN_NEED(
        spn_grow(&rows->coefficients, &rows->capacity, rows->count + count,
                 sizeof *rows->coefficients) &&
            spn_grow(&rows->starts, &rows->start_capacity, rows->count + count + 1,
                     sizeof *rows->starts) &&
            spn_grow(&rows->variables, &rows->room, rows->length + length, sizeof *rows->variables),
        err, "the terms of a problem");
    if (rows->count == 0)
        rows->starts[0] = 0;
    for (size_t t = first; t < end; t++)
        SPN_TRY(add_term(rows, p, terms, t, bound, integral, what, err));
    return SPN_OK;
}

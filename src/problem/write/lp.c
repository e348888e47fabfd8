/* CPLEX's LP format. The objective names all variables, so that they keep their order. */
#include "problem/write/writing.h"

#include "problem/read/lp_tokens.h"

#include <inttypes.h>
#include <string.h>

enum { PER_LINE = 8 /* terms; CPLEX reads lines of up to 560 characters */ };

static const char *name_of(const spn_program *p, size_t i)
{
    return p->names.texts[i];
}

/* ---- what can be said ---- */

static spn_status check_name(const char *name, const char *what, spn_error *err)
{
    const spn_span span = {name, strlen(name)};
    SPN_REFUSE_IF(
        !spn_lp_is_name(span) || spn_lp_is_reserved(span), err,
        "the name '%s' of a %s is not one of LP files: letters, digits and marks such as _ "
        "without a digit, a point or an exponent at the start, and no word of the format",
        name, what);
    return SPN_OK;
}

static spn_status check_names(const spn_program *p, spn_error *err)
{
    for (size_t i = 0; i < p->count; i++) {
        SPN_TRY(check_name(name_of(p, i), "variable", err));
        SPN_REFUSE_IF(
            p->variables[i].kind == SPN_VARIABLE_SPIN, err,
            "%s is a spin: LP files have binary and integer variables; write .coo, or use "
            "2 x - 1",
            name_of(p, i));
    }
    for (size_t k = 0; k < p->constraints; k++) {
        const char *name = p->constraint_names.texts[k];
        SPN_TRY(check_name(name, "constraint", err));
        SPN_REFUSE_IF(isfinite(p->constraint[k].weight), err,
                      "constraint %s is soft: in LP files all must hold; write .wcnf if all are "
                      "clauses",
                      name);
    }
    return SPN_OK;
}

static spn_status check_degrees(const spn_merged *m, const char *what, spn_error *err)
{
    SPN_REFUSE_IF(m->count > 0 && m->degrees[m->count - 1] > 2, err,
                  "a product of %zu variables in %s: LP files have two at most; write .coo",
                  m->degrees[m->count - 1], what);
    return SPN_OK;
}

/* ---- terms ---- */

/* `+ 2 x`, or `+ x`, after a blank or on a new line. count: of terms so far. */
static void write_start(FILE *out, double coefficient, size_t *count)
{
    char value[SPN_NUMBER_TEXT];
    spn_number_text(value, fabs(coefficient));
    fprintf(out, "%s%c ", *count > 0 && *count % PER_LINE == 0 ? "\n   " : " ",
            coefficient < 0 ? '-' : '+');
    if (fabs(coefficient) != 1)
        fprintf(out, "%s ", value);
    ++*count;
}

static size_t linear_terms(const spn_merged *m)
{
    size_t count = 0;
    while (count < m->count && m->degrees[count] == 1)
        count++;
    return count;
}

/* The products from `first` on, in brackets. */
static void write_products(FILE *out, const spn_program *p, const spn_merged *m, size_t first,
                           double factor, size_t *count)
{
    if (first == m->count)
        return;
    fputs(" + [", out);
    for (size_t t = first; t < m->count; t++) {
        const uint32_t *pair = m->variables[t];
        write_start(out, factor * m->coefficients[t], count);
        if (pair[0] == pair[1])
            fprintf(out, "%s ^ 2", name_of(p, pair[0]));
        else
            fprintf(out, "%s * %s", name_of(p, pair[0]), name_of(p, pair[1]));
    }
    fputs(" ]", out);
}

static void write_objective(FILE *out, const spn_program *p, const spn_merged *m, double constant)
{
    size_t t = 0, count = 0;
    fprintf(out, "%s\n obj:", p->maximises ? "Maximize" : "Minimize");
    for (size_t i = 0; i < p->count; i++) {
        const bool listed = t < m->count && m->degrees[t] == 1 && m->variables[t][0] == i;
        write_start(out, listed ? m->coefficients[t] : 0, &count);
        fputs(name_of(p, i), out);
        t += listed;
    }
    write_products(out, p, m, t, 2, &count);
    fputs(t < m->count ? " / 2" : "", out);
    if (constant != 0) {
        char value[SPN_NUMBER_TEXT];
        spn_number_text(value, fabs(constant));
        fprintf(out, " %c %s", constant < 0 ? '-' : '+', value);
    }
    fputc('\n', out);
}

static void write_row(FILE *out, const spn_program *p, const spn_merged *m, const spn_constraint *c)
{
    const size_t linear = linear_terms(m);
    char value[SPN_NUMBER_TEXT];
    size_t count = 0;
    fprintf(out, " %s:", c->name);
    for (size_t t = 0; t < linear; t++) {
        write_start(out, m->coefficients[t], &count);
        fputs(name_of(p, m->variables[t][0]), out);
    }
    write_products(out, p, m, linear, 1, &count);
    if (m->count == 0) /* a row has a variable */
        fprintf(out, " 0 %s", name_of(p, 0));
    spn_number_text(value, c->right - m->constant);
    fprintf(out, " %s %s\n", spn_sense_name(c->sense), value);
}

/* ---- sections ---- */

static spn_status write_first(FILE *out, const spn_program *p, spn_error *err)
{
    spn_merged merged;
    spn_terms terms;
    double constant;
    spn_program_objective(&terms, &constant, p);
    spn_status status = spn_merge(&merged, &terms, err);
    if (!status)
        status = check_degrees(&merged, "the objective", err);
    if (!status)
        write_objective(out, p, &merged, constant + merged.constant);
    spn_merged_free(&merged);
    return status;
}

static spn_status write_rows(FILE *out, const spn_program *p, spn_error *err)
{
    fputs("Subject To\n", out);
    SPN_REFUSE_IF(p->constraints > 0 && p->count == 0, err,
                  "there are constraints but no variables, which LP files cannot say");
    for (size_t k = 0; k < p->constraints; k++) {
        spn_constraint c;
        spn_merged merged;
        spn_program_constraint(&c, p, k);
        spn_status status = spn_merge(&merged, &c.terms, err);
        if (!status)
            status = check_degrees(&merged, c.name, err);
        if (!status)
            write_row(out, p, &merged, &c);
        spn_merged_free(&merged);
        SPN_TRY(status);
    }
    return SPN_OK;
}

static void write_bounds(FILE *out, const spn_program *p)
{
    bool any = false;
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        if (!v->is_fixed && v->kind != SPN_VARIABLE_INTEGER)
            continue;
        fputs(any ? "" : "Bounds\n", out);
        any = true;
        if (v->is_fixed)
            fprintf(out, " %s = %" PRId32 "\n", name_of(p, i), v->value);
        else
            fprintf(out, " %" PRId32 " <= %s <= %" PRId32 "\n", v->low, name_of(p, i), v->high);
    }
}

/* Fixed variables are among the integers: some readers let Binary widen the bounds to 0 and 1. */
static void write_kind(FILE *out, const spn_program *p, const char *section, bool binary)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        if ((v->kind == SPN_VARIABLE_BINARY && !v->is_fixed) != binary)
            continue;
        if (count == 0)
            fputs(section, out);
        fprintf(out, "%s%s", count % PER_LINE == 0 ? "\n " : " ", name_of(p, i));
        count++;
    }
    fputs(count > 0 ? "\n" : "", out);
}

spn_status spn_write_lp(FILE *out, const spn_program *p, spn_error *err)
{
    SPN_TRY(check_names(p, err));
    SPN_TRY(write_first(out, p, err));
    SPN_TRY(write_rows(out, p, err));
    write_bounds(out, p);
    write_kind(out, p, "Binary", true);
    write_kind(out, p, "Generals", false);
    fputs("End\n", out);
    return SPN_OK;
}

/* Clauses: constraints that say that the sum of some literals is at least 1. */
#include "problem/write/writing.h"

#include "base/text.h"

#include <string.h>

static spn_status check_variables(const spn_program *p, spn_error *err)
{
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        SPN_REFUSE_IF(v->kind != SPN_VARIABLE_BINARY || v->is_fixed, err,
                      "%s is %s: the variables of clauses are binary and free; write .lp",
                      p->names.texts[i],
                      v->is_fixed ? "fixed" : spn_variable_kind_name((spn_variable_kind)v->kind));
    }
    return SPN_OK;
}

static spn_status check_objective(const spn_program *p, spn_error *err)
{
    spn_terms terms;
    double constant;
    spn_program_objective(&terms, &constant, p);
    SPN_REFUSE_IF(p->maximises || terms.count > 0 || constant != 0, err,
                  "a file of clauses has no objective but their weights; write .lp");
    return SPN_OK;
}

static spn_status not_a_clause(const char *name, const char *why, spn_error *err)
{
    return spn_refuse(err,
                      "constraint %s is no clause: %s; a clause is a sum of variables and of "
                      "1 - variables that is >= 1; write .lp",
                      name, why);
}

static spn_status check_clause(const spn_merged *m, const spn_constraint *c, spn_error *err)
{
    double right = 1 - m->constant;
    for (size_t t = 0; t < m->count; t++) {
        if (m->degrees[t] != 1 || fabs(m->coefficients[t]) != 1)
            return not_a_clause(c->name, "a term is not 1 or -1 times a variable", err);
        right -= m->coefficients[t] < 0;
    }
    if (c->sense != SPN_SENSE_AT_LEAST || c->right != right)
        return not_a_clause(c->name, "its right side does not fit its signs, or it is not >=", err);
    if (isfinite(c->weight) && !spn_is_whole(c->weight))
        return not_a_clause(c->name, "its weight is not whole", err);
    return SPN_OK;
}

static void write_clause(FILE *out, const spn_merged *m, double weight, bool weighted)
{
    char text[SPN_NUMBER_TEXT];
    if (weighted && isfinite(weight)) {
        spn_whole_text(text, (uint64_t)weight);
        fprintf(out, "%s ", text);
    } else if (weighted)
        fputs("h ", out);
    for (size_t t = 0; t < m->count; t++)
        fprintf(out, "%s%u ", m->coefficients[t] < 0 ? "-" : "", (unsigned)m->variables[t][0] + 1);
    fputs("0\n", out);
}

/* Names that are not xK or cK, for which the formats have no place but comments. last: said, too.
 */
static spn_status write_names(FILE *out, const spn_texts *names, const char *what, bool last,
                              spn_error *err)
{
    for (size_t k = 0; k < names->count; k++) {
        const char *name = names->texts[k];
        const spn_span span = {name, strlen(name)};
        char own[32];
        spn_print_text(own, sizeof own, "%c%zu", what[0] == 'v' ? 'x' : 'c', k + 1);
        SPN_REFUSE_IF(spn_trim(span).size != span.size, err,
                      "the name '%s' starts or ends with a blank; use another", name);
        if (strcmp(own, name) != 0 || (last && k + 1 == names->count))
            fprintf(out, "c %s %zu is %s\n", what, k + 1, name);
    }
    return SPN_OK;
}

static spn_status write_clauses(FILE *out, const spn_program *p, bool weighted, spn_error *err)
{
    for (size_t k = 0; k < p->constraints; k++) {
        spn_constraint c;
        spn_merged merged;
        spn_program_constraint(&c, p, k);
        SPN_REFUSE_IF(!weighted && isfinite(c.weight), err,
                      "constraint %s has a weight, which cnf has not; write .wcnf", c.name);
        spn_status status = spn_merge(&merged, &c.terms, err);
        if (!status)
            status = check_clause(&merged, &c, err);
        if (!status)
            write_clause(out, &merged, c.weight, weighted);
        spn_merged_free(&merged);
        SPN_TRY(status);
    }
    return SPN_OK;
}

static spn_status write_as(FILE *out, const spn_program *p, bool weighted, spn_error *err)
{
    SPN_TRY(check_variables(p, err));
    SPN_TRY(check_objective(p, err));
    SPN_REFUSE_IF(p->constraints == 0, err, "a file of clauses needs one; write .lp");
    SPN_TRY(write_names(out, &p->names, "variable", weighted, err));
    SPN_TRY(write_names(out, &p->constraint_names, "clause", false, err));
    if (!weighted)
        fprintf(out, "p cnf %zu %zu\n", p->count, p->constraints);
    return write_clauses(out, p, weighted, err);
}

spn_status spn_write_cnf(FILE *out, const spn_program *p, spn_error *err)
{
    return write_as(out, p, false, err);
}

spn_status spn_write_wcnf(FILE *out, const spn_program *p, spn_error *err)
{
    return write_as(out, p, true, err);
}

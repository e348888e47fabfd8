/* A polynomial as a list of terms. All variables stand in its first lines, so that they keep their
   order. */
#include "problem/write/writing.h"

#include <string.h>

static const char REMEDY[] = "a coo polynomial has no %s; write .lp";

static spn_status check_problem(const spn_program *p, spn_error *err)
{
    SPN_REFUSE_IF(p->constraints > 0, err, REMEDY, "constraints");
    SPN_REFUSE_IF(p->maximises, err,
                  "a coo polynomial is minimised; negate the objective, or write .lp");
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        const char *name = p->names.texts[i];
        SPN_REFUSE_IF(v->is_fixed, err,
                      "%s is fixed: a coo polynomial has no fixed variables; write "
                      ".lp",
                      name);
        SPN_REFUSE_IF(v->kind == SPN_VARIABLE_INTEGER || v->kind != p->variables[0].kind, err,
                      "%s is %s: the variables of a coo polynomial are all binary or all spins",
                      name, spn_variable_kind_name((spn_variable_kind)v->kind));
    }
    return SPN_OK;
}

/* Numbers as names are those of the variables, or none. */
static spn_status check_names(const spn_program *p, spn_error *err)
{
    bool indices = p->count > 0, numbers = false;
    for (size_t i = 0; i < p->count; i++) {
        const char *name = p->names.texts[i];
        char index[SPN_NUMBER_TEXT];
        double value;
        SPN_REFUSE_IF(name[strcspn(name, " ,;")] || name[0] == '#', err,
                      "the name '%s' is not one of a coo polynomial: no blank, comma or semicolon, "
                      "and no # at its start",
                      name);
        spn_whole_text(index, i);
        indices = indices && strcmp(index, name) == 0;
        numbers = numbers || spn_number_scan_any(&value, name) == strlen(name);
    }
    SPN_REFUSE_IF(
        numbers && !indices, err,
        "names that are numbers are those of the variables, 0, 1, 2, in a coo polynomial; "
        "use others, or write .lp");
    return SPN_OK;
}

static void write_term(FILE *out, const spn_program *p, const spn_merged *m, size_t t)
{
    char value[SPN_NUMBER_TEXT];
    for (size_t k = 0; k < m->degrees[t]; k++)
        fprintf(out, "%s ", p->names.texts[m->variables[t][k]]);
    spn_number_text(value, m->coefficients[t]);
    fprintf(out, "%s\n", value);
}

static void write_terms(FILE *out, const spn_program *p, const spn_merged *m, double constant)
{
    char value[SPN_NUMBER_TEXT];
    size_t t = 0;
    fprintf(out, "# vartype=%s\n",
            p->count > 0 && p->variables[0].kind == SPN_VARIABLE_SPIN ? "SPIN" : "BINARY");
    for (size_t i = 0; i < p->count; i++) {
        if (t < m->count && m->degrees[t] == 1 && m->variables[t][0] == i)
            write_term(out, p, m, t++);
        else
            fprintf(out, "%s 0\n", p->names.texts[i]);
    }
    for (; t < m->count; t++)
        write_term(out, p, m, t);
    spn_number_text(value, constant);
    if (constant != 0 || p->count == 0)
        fprintf(out, "%s\n", value);
}

spn_status spn_write_polynomial(FILE *out, const spn_program *p, spn_error *err)
{
    spn_merged merged;
    spn_terms terms;
    double constant;
    SPN_TRY(check_problem(p, err));
    SPN_TRY(check_names(p, err));
    spn_program_objective(&terms, &constant, p);
    const spn_status status = spn_merge(&merged, &terms, err);
    if (!status)
        write_terms(out, p, &merged, constant + merged.constant);
    spn_merged_free(&merged);
    return status;
}

/* The internals of a problem: variables, polynomials, constraints. */
#ifndef SPN_PROBLEM_PROGRAM_H
#define SPN_PROBLEM_PROGRAM_H

#include "data/columns.h"
#include <spinney/program.h>

/* The kind of a variable, its range, and whether it is fixed. */
typedef struct spn_own_variable {
    int32_t low, high;
    int32_t value; /* if it is fixed */
    uint8_t kind;  /* a spn_variable_kind */
    bool is_fixed;
} spn_own_variable;

/* Terms in compressed rows, which grow. */
typedef struct spn_rows {
    size_t count, capacity; /* terms */
    double *coefficients;
    size_t *starts; /* count + 1 of them once there is a term */
    size_t start_capacity;
    size_t length, room; /* variables of all terms */
    uint32_t *variables;
} spn_rows;

typedef struct spn_own_constraint {
    size_t first; /* its terms are first to that of the next one */
    double right, weight;
    double bound;  /* sum of the sizes of its terms and of right */
    uint8_t sense; /* a spn_sense */
    bool integral; /* all coefficients and right are integers */
} spn_own_constraint;

struct spn_program {
    spn_texts names;
    size_t count, capacity;
    spn_own_variable *variables;
    spn_rows objective;
    double constant;
    bool integral; /* the objective's coefficients and constant are integers */
    bool maximises;
    const spn_energy *energy;
    spn_texts constraint_names;
    size_t constraints, constraint_capacity;
    spn_own_constraint *constraint;
    spn_rows rows; /* terms of all constraints */
};

/* The largest size of a variable's values. */
static inline double spn_program_reach(const spn_own_variable *v)
{
    return fmax(fabs((double)v->low), fabs((double)v->high));
}

static inline bool spn_program_takes(const spn_own_variable *v, int32_t value)
{
    return value >= v->low && value <= v->high && (v->kind != SPN_VARIABLE_SPIN || value != 0);
}

/* Its range in words, such as "0 or 1". */
typedef struct spn_range_text {
    char text[32];
} spn_range_text;
const char *spn_program_range(spn_range_text *out, const spn_own_variable *v);

/* Terms first to end - 1 of rows. */
typedef struct spn_row_range {
    const spn_rows *rows;
    size_t first, end;
} spn_row_range;

static inline spn_row_range spn_constraint_range(const spn_program *p, size_t k)
{
    const size_t end = k + 1 < p->constraints ? p->constraint[k + 1].first : p->rows.count;
    return (spn_row_range){&p->rows, p->constraint[k].first, end};
}

/* Append checked terms, first to end - 1 of those given, with their variables sorted and their
   powers reduced. *bound grows by their largest sizes; *integral becomes false if a coefficient is
   no integer. what: the name of their owner, for errors. After an error the rows may have grown:
   call spn_rows_cut. Errors: ARGUMENT, MEMORY. */
spn_status spn_rows_add(spn_rows *rows, const spn_program *p, const spn_terms *terms, size_t first,
                        size_t end, double *bound, bool *integral, const char *what,
                        spn_error *err);

/* Drop all terms from `count` on. */
void spn_rows_cut(spn_rows *rows, size_t count);
void spn_rows_free(spn_rows *rows);

/* Whether a number counts as an integer: below 2^53, so that it is one for sure. */
static inline bool spn_is_whole(double x)
{
    return fabs(x) <= 0x1p53 && x == rint(x);
}

#endif

/* Problems as people write them: named variables (binary, spin or small integers), an objective
   that is a polynomial of any degree, constraints, and fixed values.

   The type is called spn_program, as in "integer program", because spn_problem is the data that an
   energy is made of (<spinney/problems.h>). To users it is a problem.

     spn_program *p;
     size_t x;
     const uint32_t items[] = {0, 1, 2};
     spn_terms value = spn_terms_defaults(), weight = spn_terms_defaults();
     value.count = weight.count = 3;
     value.variables = weight.variables = items;
     value.coefficients = (const double[]){5, 4, 3};
     weight.coefficients = (const double[]){2, 3, 1};
     if (spn_program_create(&p, &err) ||
         spn_program_add_variables(p, &x, 3, NULL, SPN_VARIABLE_BINARY, 0, 1, &err) ||
         spn_program_add_objective(p, &value, 0, &err) ||
         spn_program_add_constraint(p, "room", &weight, SPN_SENSE_AT_MOST, 5, INFINITY, &err))
         ... err.text ...
     spn_program_set_maximise(p, true);

   A state gives each variable its value: an array of int32_t, one for each variable: 0 or 1, -1 or
   +1, or low to high. A function that fails leaves the problem as it was. */
#ifndef SPINNEY_PROGRAM_H
#define SPINNEY_PROGRAM_H

#include <math.h>
#include <spinney/energy.h>

SPN_BEGIN_C

typedef struct spn_program spn_program;

/* An empty problem: no variables, objective 0, minimised. Free it with spn_program_free. Errors:
   MEMORY. */
SPN_API spn_status spn_program_create(spn_program **out, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_program_free(spn_program *program);

/* ---- variables ---- */

typedef enum spn_variable_kind {
    SPN_VARIABLE_BINARY, /* 0 or 1 */
    SPN_VARIABLE_SPIN,   /* -1 or +1 */
    SPN_VARIABLE_INTEGER /* low to high */
} spn_variable_kind;

SPN_NAMES(spn_variable_kind) /* "binary", "spin", "integer" */

/* Add count variables of one kind. *first (may be NULL): the number of the first; the others
   follow. names: count texts, copied: not empty, at most 255 bytes, without control characters, and
   not those of other variables. NULL: x and the number of the variable. low, high: of integers,
   -2^30 to 2^30, low <= high; otherwise not used. Errors: ARGUMENT, naming the first that is wrong;
   MEMORY. */
SPN_API spn_status spn_program_add_variables(spn_program *program, size_t *first, size_t count,
                                             const char *const *names, spn_variable_kind kind,
                                             int32_t low, int32_t high, spn_error *err);

/* The number of variables; at most 2^30 - 1. */
SPN_API size_t spn_program_variables(const spn_program *program);

/* The variable of a name; SPN_NO_VARIABLE if there is none. O(1). */
#define SPN_NO_VARIABLE SIZE_MAX
SPN_API size_t spn_program_find(const spn_program *program, const char *name);

/* Variable i, below spn_program_variables. */
typedef struct spn_variable {
    const char *name; /* of the problem */
    spn_variable_kind kind;
    int32_t low, high; /* 0 and 1, -1 and +1, or an integer's range */
    bool is_fixed;
    int32_t value; /* if it is fixed; otherwise low */
} spn_variable;

SPN_API void spn_program_variable_sized(spn_variable *out, size_t size, const spn_program *program,
                                        size_t i);
static inline void spn_program_variable(spn_variable *out, const spn_program *program, size_t i)
{
    spn_program_variable_sized(out, sizeof *out, program, i);
}

/* Fix a variable to a value of its range, or to another one than before. Errors: ARGUMENT. */
SPN_API spn_status spn_program_fix(spn_program *program, size_t i, int32_t value, spn_error *err);

/* ---- polynomials ---- */

/* A sum of terms in compressed rows: term t is coefficients[t] times the product of
   variables[starts[t]] to variables[starts[t + 1] - 1]. A variable that occurs k times in a term is
   its k-th power. An empty product is 1. Start from spn_terms_defaults(). */
typedef struct spn_terms {
    size_t size; /* of this struct */
    size_t count;
    const double *coefficients; /* finite; NULL: all are 1 */
    const size_t *starts; /* count + 1, not decreasing; NULL: term t is variable t of the list */
    const uint32_t *variables;
} spn_terms;

SPN_DEFAULTS(spn_terms, spn_terms_defaults, )

/* Add terms and a constant to the objective. They are copied; the variables of each are sorted, and
   powers are reduced (x x = x of a binary variable, s s = 1 of a spin).
   Coefficients that are all integers count as integers: every value is then computed exactly, in
   128 bits. No term may exceed 2^62 in size then, and 1e300 otherwise.
   Errors: ARGUMENT, naming the term; MEMORY. Linear in what is given. */
SPN_API spn_status spn_program_add_objective(spn_program *program, const spn_terms *terms,
                                             double constant, spn_error *err);

/* Maximise the objective; or minimise it, as at first. */
SPN_API void spn_program_set_maximise(spn_program *program, bool maximise);
SPN_API bool spn_program_maximises(const spn_program *program);

/* Add an energy of N spins to the objective; there is at most one. The first N variables are its
   spins, and must be binary (spin 2 x - 1) or spins. It is borrowed as long as the problem lives.
   Errors: ARGUMENT. */
SPN_API spn_status spn_program_add_energy(spn_program *program, const spn_energy *energy,
                                          spn_error *err);

/* The energy; NULL: none. */
SPN_API const spn_energy *spn_program_energy(const spn_program *program);

/* The polynomial of the objective, as it is kept. The arrays belong to the problem, and stay valid
   until more is added; `starts` and `coefficients` are never NULL. */
SPN_API void spn_program_objective_sized(spn_terms *out, size_t size, double *constant,
                                         const spn_program *program);
static inline void spn_program_objective(spn_terms *out, double *constant,
                                         const spn_program *program)
{
    spn_program_objective_sized(out, sizeof *out, constant, program);
}

/* ---- constraints ---- */

typedef enum spn_sense { SPN_SENSE_AT_MOST, SPN_SENSE_EQUAL, SPN_SENSE_AT_LEAST } spn_sense;

SPN_NAMES(spn_sense) /* "<=", "=", ">=" */

/* Add a constraint: terms <=, = or >= right.
   name: copied, as those of variables; not that of another constraint. NULL: c and its number.
   weight: INFINITY: it must hold. Otherwise more than 0: it should. Then weight times its violation
   counts as cost: it is added to an objective that is minimised, and subtracted from one that is
   maximised. So a clause of MaxSAT is a sum of literals >= 1 with a weight.
   The violation is |terms - right|, if the constraint does not hold. If all coefficients and
   `right` are integers it is exact; otherwise sizes up to 1e-12 times the sum of all sizes count as
   rounding, and so as 0.
   Exactly or at most k of a set is a sum of its variables, = k or <= k: such constraints are
   recognised, and kept by the moves where possible.
   Errors: ARGUMENT, naming the term; MEMORY. */
SPN_API spn_status spn_program_add_constraint(spn_program *program, const char *name,
                                              const spn_terms *terms, spn_sense sense, double right,
                                              double weight, spn_error *err);

/* Many constraints at once. Terms firsts[k] to firsts[k + 1] - 1 are those of constraint k; senses,
   rights and weights have `count` elements. names, weights: NULL: none, INFINITY. Errors as above;
   none is added then. */
SPN_API spn_status spn_program_add_constraints(spn_program *program, size_t count,
                                               const char *const *names, const spn_terms *terms,
                                               const size_t *firsts, const spn_sense *senses,
                                               const double *rights, const double *weights,
                                               spn_error *err);

/* The number of constraints. */
SPN_API size_t spn_program_constraints(const spn_program *program);

/* Constraint k; the name and the arrays of the terms belong to the problem, and stay valid until
   more is added. A constant among the terms is kept as a term without variables. */
typedef struct spn_constraint {
    const char *name;
    spn_terms terms;
    spn_sense sense;
    double right, weight;
} spn_constraint;

SPN_API void spn_program_constraint_sized(spn_constraint *out, size_t size,
                                          const spn_program *program, size_t k);
static inline void spn_program_constraint(spn_constraint *out, const spn_program *program, size_t k)
{
    spn_program_constraint_sized(out, sizeof *out, program, k);
}

/* ---- values ---- */

/* What a state is worth. */
typedef struct spn_score {
    bool feasible;    /* fixed variables have their values, and all that must hold does */
    double objective; /* in the user's sense; soft constraints count, those that must hold do not */
    double soft;      /* sum of weight times violation over the soft constraints */
    double violation; /* sum of the violations of constraints that must hold, and of the distances
                         of fixed variables from their values */
    size_t violated;  /* constraints that must hold and do not */
} spn_score;

/* Compute a state from scratch: exactly for integers, otherwise to rounding, the same bits
   everywhere. violations: NULL, or one number for each constraint, soft ones included. Linear in
   the terms. Errors: ARGUMENT, naming the first variable whose value is not in its range; MEMORY,
   with an energy. */
SPN_API spn_status spn_program_score_sized(spn_score *out, size_t size, double *violations,
                                           const spn_program *program, const int32_t *values,
                                           spn_error *err);
static inline spn_status spn_program_score(spn_score *out, double *violations,
                                           const spn_program *program, const int32_t *values,
                                           spn_error *err)
{
    return spn_program_score_sized(out, sizeof *out, violations, program, values, err);
}

/* ---- as an energy ---- */

/* The problem as an energy of spins, for chains, ladders, populations and exact laws: the objective
   (that of a maximised problem with a minus sign), plus *penalty times the violations of the
   constraints that must hold (spn_score). Every bit is a spin, +1 for the larger value: one for a
   variable of two values, several for an integer, none for a fixed one.
   out: free it with spn_energy_free; the problem is borrowed. *penalty: 0 asks for the most that a
   flip can change the objective, by the sizes of its terms, or 1 if there is none, and gets it.
   Errors: ARGUMENT (all variables are fixed), MEMORY. A flip costs what its terms cost. */
SPN_API spn_status spn_program_energy_create(spn_energy **out, const spn_program *program,
                                             double *penalty, spn_error *err);

/* Of such an energy: the variable of spin i, and how much it grows with it if it has several spins,
   else 0. */
SPN_API size_t spn_program_energy_variable(int32_t *weight, const spn_energy *energy, size_t i);

/* The values of all variables in a state of such an energy, and their worth. Errors: MEMORY. */
SPN_API spn_status spn_program_energy_score(spn_score *out, int32_t *values,
                                            const spn_energy *energy, const int8_t *spins,
                                            spn_error *err);

/* ---- robustness ---- */

/* How the world changes around a state. Start from spn_shake_defaults().
   changes: this many different variables change at random, of those that are not fixed: a binary
   one or a spin to its other value, an integer by one step up or down, as its range allows.
   noise: every coefficient c becomes c (1 + noise g), g from the standard normal law: those of the
   objective, the weights of soft constraints, and those of constraints with <= or >=. Right sides
   stay, and so do equations and constraints whose coefficients are all 1 or -1, such as clauses and
   "at most k of a set": they were not measured. */
typedef struct spn_shake {
    size_t size;    /* of this struct */
    size_t changes; /* (0) */
    double noise;   /* 0 or more; not with an energy (0) */
    uint32_t draws; /* 2 or more (1000) */
    uint64_t seed;  /* (1) */
} spn_shake;

SPN_DEFAULTS(spn_shake, spn_shake_defaults, o.draws = 1000, o.seed = 1)

/* The means of spn_score over the draws, and their standard errors. */
typedef struct spn_robust {
    double objective, objective_error;
    double feasible, feasible_error; /* the share of the draws */
    double violation, violation_error;
} spn_robust;

/* How states fare in a changed world. Draw d of all states has the same random numbers, those of
   (seed, d): they meet the same world, and the same variables change. So a difference between two
   states is known better than their errors say. out: one for each state. values: `states` states,
   one after the other.
   Errors: ARGUMENT (also if neither changes nor noise are given, or more changes than there are
   variables that can change), MEMORY. After a pause (<spinney/pause.h>) that stops it, the results
   are worthless. Cost: that of draws * states calls of spn_program_score, and with noise a random
   number for each coefficient and draw. */
SPN_API spn_status spn_program_robust_sized(spn_robust *out, size_t size,
                                            const spn_program *program, size_t states,
                                            const int32_t *values, const spn_shake *shake,
                                            spn_error *err);
static inline spn_status spn_program_robust(spn_robust *out, const spn_program *program,
                                            size_t states, const int32_t *values,
                                            const spn_shake *shake, spn_error *err)
{
    return spn_program_robust_sized(out, sizeof *out, program, states, values, shake, err);
}

/* ---- files ---- */

/* The formats of problems; docs/file-formats.md has examples. */
typedef enum spn_program_format {
    SPN_PROGRAM_AUTO,  /* recognised by the content, or else by the name */
    SPN_PROGRAM_LP,    /* CPLEX's: linear and quadratic, binary and integer variables */
    SPN_PROGRAM_QPLIB, /* the same; it is not written */
    SPN_PROGRAM_COO,   /* a polynomial: names and a coefficient on each line */
    SPN_PROGRAM_CNF,   /* clauses that must hold */
    SPN_PROGRAM_WCNF   /* MaxSAT: clauses, some with weights */
} spn_program_format;

SPN_NAMES(spn_program_format) /* "auto", "lp", "qplib", "coo", "cnf", "wcnf" */

/* How to read or write a problem. Start from spn_program_files_defaults(). */
typedef struct spn_program_files {
    size_t size;               /* of this struct */
    spn_program_format format; /* AUTO: when writing, by the name; .coo, .cnf, .wcnf, else LP */
    size_t max_bytes;          /* the most bytes to read, decompressed; 0: 16 GiB */
} spn_program_files;

SPN_DEFAULTS(spn_program_files, spn_program_files_defaults, )

/* Read a problem from a file, plain or gzipped. out: free it with spn_program_free; NULL on
   failure. options: NULL for the defaults. A clause with a weight is a soft constraint. A
   constraint with two limits becomes NAME.low and NAME.high. Variables of LP and QPLIB with equal
   bounds are fixed. Errors: INPUT, with file, line and column; ARGUMENT, IO, MEMORY. Linear in the
   file, but for sorting terms. */
SPN_API spn_status spn_program_read(spn_program **out, const char *path,
                                    const spn_program_files *options, spn_error *err);

/* Write a problem to a file, which appears whole or not at all; "-" is the standard output. Read
   again it has the same variables, constraints and values; equal products are added up before.
   Errors: ARGUMENT, naming the first thing that the format cannot say; IO, MEMORY. */
SPN_API spn_status spn_program_write(const spn_program *program, const char *path,
                                     const spn_program_files *options, spn_error *err);

/* What is known of a problem without a search, as a problem with the same variables: those whose
   values follow from the constraints, or are always better, are fixed, integers have smaller
   ranges, and constraints that then always hold are left out. It has the same best states. out:
   free it with spn_program_free; NULL on failure. Errors: ARGUMENT (a constraint cannot hold, by
   its name), MEMORY. Linear in the terms, but for sorting, for each of at most 64 passes. */
SPN_API spn_status spn_program_presolve(spn_program **out, const spn_program *program,
                                        spn_error *err);

SPN_END_C
#endif

/* A problem compiled for moves: bits in place of variables, the objective as fields, links and
   terms of higher degree, constraints as rows, and the sets that moves keep.

   An integer from low to high is low plus a sum of bits with weights 1, 2, 4, ..., the last of
   which is cut so that all ones give high. Fixed variables have no bits. All is minimised.

   The objective is constant + sum field_i x_i + sum J_ij x_i x_j + the terms without a row, x = 0
   or 1; a term is a product of bits, of which spins count as -1 or +1. */
#ifndef SPN_PROBLEM_COMPILE_H
#define SPN_PROBLEM_COMPILE_H

#include "problem/presolve.h"

#define SPN_NO_BIT UINT32_MAX
#define SPN_NO_SET UINT32_MAX
#define SPN_NO_ROW UINT32_MAX

typedef struct spn_link {
    uint32_t bit;
    double coupling;
} spn_link;

/* u of a row changes by this much when the bit becomes 1. */
typedef struct spn_entry {
    uint32_t row;
    double change;
} spn_entry;

/* A constraint as u <= 0 or, with both = 1, u = 0: its violation is max(u, -both u). */
typedef struct spn_row {
    double start; /* u if all bits are 0; without its terms of higher degree */
    double both;
    double rounding;     /* violations up to this count as none */
    double soft;         /* weight of a soft one; 0: it must hold */
    uint32_t constraint; /* its number in the problem */
} spn_row;

/* Bits of which low to high are 1, always. */
typedef struct spn_kept_set {
    size_t first; /* of its members */
    uint32_t count, low, high;
    uint32_t constraint;
} spn_kept_set;

typedef struct spn_product {
    double coefficient;
    uint32_t row; /* SPN_NO_ROW: a term of the objective */
} spn_product;

/* A variable is lowest + sign * the sum of the weights of its bits that are 1; as a spin, sign
   times its bit as -1 or +1. Merged variables share the bits of their root. */
typedef struct spn_bit_range {
    uint32_t first, end;
    int32_t lowest; /* its value if all of its bits are 0, or if it has none */
    int32_t sign;
} spn_bit_range;

/* A term of degree 3 or 4 of the objective as one of its bits sees it, read from end to end. */
enum { SPN_NEAR_OTHERS = 3 };
typedef struct spn_near {
    double coefficient;
    uint32_t other[SPN_NEAR_OTHERS]; /* the last is SPN_NO_BIT in a term of degree 3 */
    uint32_t spins;                  /* bit k is set if other[k] is a spin */
} spn_near;

typedef struct spn_compiled {
    const spn_program *program;
    double sign; /* -1 if the problem maximises */
    size_t bits;
    spn_bit_range *of;  /* of each variable */
    int32_t *weight;    /* of each bit: how much its variable grows with it */
    uint32_t *variable; /* of each bit: the root */
    uint8_t *is_spin;   /* of each bit */

    double constant;
    double *field;
    size_t *link_first; /* bits + 1 */
    spn_link *links;    /* of each bit, sorted */
    double *dense;      /* J, bits x bits; NULL if there are too many bits */
    double bound;       /* sum of the sizes of all terms of the objective */
    bool integral;      /* all numbers of the objective and the rows are integers */
    bool exact;         /* and their sums stay exact from change to change */

    size_t products; /* terms of degree 3 or more, and all those of polynomial rows */
    spn_product *product;
    size_t *member_first; /* products + 1 */
    uint32_t *members;
    size_t *in_first;   /* bits + 1 */
    uint32_t *in;       /* the products that each bit is in; */
    size_t *far_end;    /* from here on, of each bit, those that are near terms, too */
    size_t *near_first; /* bits + 1 */
    spn_near *near;

    size_t rows;
    spn_row *row;
    size_t *entry_first; /* bits + 1 */
    spn_entry *entries;

    size_t sets;
    spn_kept_set *set;
    uint32_t *set_members; /* sorted by their column */
    uint32_t *set_of;      /* of each bit */
    /* Columns are rows of which at most one bit is 1, each bit being in one at most. */
    size_t columns;
    uint32_t *column_of; /* of each bit; SPN_NO_SET: none */

    const spn_energy *energy; /* of the first variables; NULL: none */
    uint32_t *site_of;        /* of each bit: its spin in the energy, or SPN_NO_BIT */
} spn_compiled;

/* Options of compiling. */
typedef struct spn_compile_options {
    bool keeps_sets;                /* else every constraint is a row */
    const spn_presolved *presolved; /* NULL: none */
} spn_compile_options;

/* The problem is borrowed. Errors: ARGUMENT (all variables are fixed; products of integers have too
   many bits), MEMORY. */
spn_status spn_compile(spn_compiled **out, const spn_program *program,
                       const spn_compile_options *options, spn_error *err);
void spn_compiled_free(spn_compiled *compiled);

/* The values of all variables, from bits as spins. */
void spn_compiled_values(int32_t *values, const spn_compiled *compiled, const int8_t *spins);

/* The coupling of two bits; 0: none. O(log links). */
double spn_compiled_coupling(const spn_compiled *c, uint32_t i, uint32_t j);

/* The objective, minimised, is at least *out in all states in which the kept sets hold; -INFINITY
   with an energy. Errors: MEMORY. O(links log links). */
spn_status spn_compiled_bound(double *out, const spn_compiled *compiled, spn_error *err);

#endif

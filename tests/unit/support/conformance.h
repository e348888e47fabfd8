/* Conformance of energies: random problems, energies by their definition, computed from the problem
   without the library's data structures, and random flips that are checked against it. */
#ifndef SPN_TEST_CONFORMANCE_H
#define SPN_TEST_CONFORMANCE_H

#include <spinney/energies.h>

/* What energies are made with; a test that changes it puts it back. */
typedef struct spn_test_making {
    double kappa;  /* the threshold; NAN: their own */
    size_t units;  /* of committees: 3 */
    bool tree;     /* committees are trees */
    bool gaussian; /* patterns are */
} spn_test_making;
extern spn_test_making spn_test_made;

/* A random problem for an energy, to be freed; `real` gives couplings that are no integers. */
spn_problem *spn_test_random_problem(const spn_energy_kind *kind, size_t sites, size_t count,
                                     bool real);

/* The energy of a graph by its definition. */
double spn_test_direct_graph(const char *name, const spn_problem *p, const int8_t *s);

/* An energy of a random problem: random flips, checking as it goes; `often` is how many flips lie
   between two full checks. */
void spn_test_check_kind(const spn_energy_kind *kind, size_t sites, size_t count, bool real,
                         size_t flips, size_t often);

/* Two energies of as many spins, at most 20, are the same in every state. */
void spn_test_check_same_values(const spn_energy *a, const spn_energy *b);

#endif

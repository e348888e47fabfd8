/* The reference instances of docs/theory.md, and a table of energies behind the energy interface.
 */
#ifndef SPN_TEST_INSTANCES_H
#define SPN_TEST_INSTANCES_H

#include <spinney/density.h>
#include <spinney/energy.h>
#include <spinney/exact.h>
#include <spinney/spectrum.h>

/* E given by a table of 2^sites values, which is borrowed. Without a delta unless `fast`. Free with
   spn_energy_free. */
spn_energy *table_energy(const double *values, size_t sites, bool fast);

enum { A_SITES = 3, B_SITES = 5 };
extern const double INSTANCE_A[8];
extern const double INSTANCE_B[32];

/* A landscape through the energy interface; those of A and B. */
spn_landscape *landscape_of_values(const double *values, size_t sites);
spn_landscape *landscape_a(void);
spn_landscape *landscape_b(void);

/* Qbar of every replicated state by its definition; beta may be INFINITY where all energies above
   the minimum are well above it. */
void replicated_law(double *out, const spn_landscape *landscape, size_t y, double beta,
                    double gamma);

/* A landscape of 2^sites values in [0, 1) times scale, rounded to integers where scale > 1. */
spn_landscape *landscape_random(size_t sites, double scale, uint64_t seed);

/* The planted landscapes P7 (simplex code [7,3,4]) and P15a ([15,5,7]), balls of radius 1. */
spn_planted *planted_p7(void);
spn_planted *planted_p15a(void);
spn_landscape *landscape_of(const spn_planted *planted);

/* The operator of y replicas, and its gap. */
enum { S1 = SPN_KERNEL_TWO_STAGE, S2 = SPN_KERNEL_ONE_STAGE, HEAT_BATH = SPN_KERNEL_HEAT_BATH };
spn_operator *operator_of(const spn_landscape *landscape, size_t y, int kernel, double beta,
                          double gamma);
spn_gap gap_of(const spn_landscape *landscape, size_t y, int kernel, double beta, double gamma);

#endif

/* The built-in energies. x_mu is the stability label * <W, pattern> of pattern mu. The first four
   take a threshold kappa other than 0: x/sqrt(N) >= kappa in place of x >= 0,
   and so on (spn_energy_options).

     errors       number of patterns with x < 0                              (patterns)
     product      0 if every x > 0, else 1                                   (patterns)
     bits         sum of the flips needed to put each pattern right; for an
                  even number of spins x = 0 counts as right                 (patterns)
     bits-strict  the same, but x = 0 counts as wrong                        (patterns)
     symmetric    number of patterns with |x|/sqrt(N) > kappa, which is 1
                  where nothing else is said                                 (patterns)
     committee    number of patterns that the majority of K hidden
                  perceptrons puts wrong                                     (patterns)
     committee-units
                  sum over these of the hidden units that would have to
                  change sign                                                (patterns)
     logistic     sum of log(1 + e^(-x))                                     (patterns)
     logistic-steep
                  sum of log(1 + e^(-20 x)): 20 |x| if x < 0, log 2 if
                  x = 0, almost nothing if x > 0                             (patterns)
     ising        sum J s_i s_j + sum h s_i                                  (couplings)
     qubo         sum Q x_i x_j with x = (1+s)/2                             (couplings)
     maxcut       minus the weight of the cut                                (cut graph)
     table        a listed energy for every state                            (table)
     distance     Hamming distance to the nearest of the listed states       (states)

   Committees have K hidden units (3 by default) with output weights of +1. Fully
   connected, each sees all n inputs, and unit j has the spins j n .. (j+1) n - 1 of N = K n; in a
   tree unit j sees the inputs j n/K .. (j+1) n/K - 1, each with the spin of that number, N = n. A
   unit is right if its own x >= 0, and a pattern if more than half of the units are. So with
   one unit `committee` is `errors`. */
#ifndef SPINNEY_ENERGIES_H
#define SPINNEY_ENERGIES_H

#include <math.h>
#include <spinney/energy.h>
#include <spinney/problems.h>

SPN_BEGIN_C

/* What an energy is made with, besides its problem. Start from spn_energy_options_defaults(). */
typedef struct spn_energy_options {
    size_t size;  /* of this struct */
    double kappa; /* threshold of the stabilities: errors, bits and their like ask for x/sqrt(N) >=
                     kappa, at most sqrt(N) and more than -sqrt(N); symmetric for |x|/sqrt(N) <=
                     kappa. NAN: the energy's own, 0 and 1 */
    size_t units; /* hidden units of a committee, odd; 0: 3 */
    bool tree;    /* each unit sees its own share of the inputs; units divides them */
} spn_energy_options;

SPN_DEFAULTS(spn_energy_options, spn_energy_options_defaults, o.kappa = NAN)

/* A built-in energy. The library makes these; the struct may grow. */
typedef struct spn_energy_kind {
    const char *name;
    const char *about; /* one line of help */
    spn_problem_kind problem;
    bool has_kappa; /* it has a threshold of the stabilities x/sqrt(N) */
    double kappa;   /* the threshold if you give none */
    size_t units;   /* hidden units if you give none; 0: it is not a committee */
    /* Used by spn_energy_create_as; nothing in the options is left open. */
    spn_status (*create)(spn_energy **out, const struct spn_energy_kind *kind,
                         const spn_problem *problem, const spn_energy_options *options,
                         spn_error *err);
    unsigned variant; /* of the energies that share a create */
} spn_energy_kind;

/* Built-in energy i, from 0; NULL past the last. */
SPN_API const spn_energy_kind *spn_energy_kind_at(size_t i);

/* The built-in energy of that name, or NULL. */
SPN_API const spn_energy_kind *spn_energy_find(const char *name);

/* Make a built-in energy by name. The problem is copied as needed and may be freed afterwards.
   options: NULL for the defaults. Free the energy with spn_energy_free.
   Errors: ARGUMENT (unknown name; wrong kind of problem; kappa for an energy without a threshold;
   units or tree for one that is not a committee; a kappa for which every pattern or none is right;
   an even number of units, or one that does not divide the inputs of a tree), INPUT, MEMORY. */
SPN_API spn_status spn_energy_create_as(spn_energy **out, const char *name,
                                        const spn_problem *problem,
                                        const spn_energy_options *options, spn_error *err);
static inline spn_status spn_energy_create(spn_energy **out, const char *name,
                                           const spn_problem *problem, spn_error *err)
{
    return spn_energy_create_as(out, name, problem, NULL, err);
}

/* A function of yours as an energy: its value for `sites` spins, and, optionally (may be NULL), its
   change in a flip of one site, given the spins before the flip. Both may be called from several
   threads at once if the chain has several. With change, cost O(1) calls per proposal; without, one
   call of value per proposal. */
typedef double spn_value_function(const int8_t *spins, size_t sites, void *context);
typedef double spn_change_function(const int8_t *spins, size_t sites, size_t site, void *context);

SPN_API spn_status spn_callback_create(spn_energy **out, size_t sites, spn_value_function *value,
                                       spn_change_function *change, void *context, spn_error *err);

/* The same of a function that gives the energies of many states in one call: row k, `sites` spins,
   is at states + k * sites, and its energy goes to out[k]. What is not known of the flips of a
   state is asked for in blocks of 1, 2, 4, ... sites, of 4 MiB of states at most, and kept until a
   flip is accepted. Memory: 8 N bytes in each replica's cache. A NaN ends the run; so does a lack
   of memory for the states of a block. */
typedef void spn_values_function(double *out, const int8_t *states, size_t count, size_t sites,
                                 void *context);

SPN_API spn_status spn_batch_callback_create(spn_energy **out, size_t sites,
                                             spn_values_function *values, void *context,
                                             spn_error *err);

SPN_END_C
#endif

/* Population annealing (Hukushima, Iba 2003; Machta, Phys. Rev. E 82, 026704, 2010,
   doi:10.1103/PhysRevE.82.026704). A population of R groups of y coupled replicas starts at beta =
   0, where every group is drawn from the exact law, and is taken along the path (beta(u),
   gamma(u)), u from 0 to 1, from (0, gamma_first) to (beta_last, gamma_last). At each step the
   groups are resampled with weights

     w_g = exp(-(beta' - beta) U_g + H_gamma'(g) - H_gamma(g)),

   systematically, so that R stays the same and a group of weight w has w / mean(w) copies in the
   mean; then every group makes `sweep_steps` steps at the new point. Steps are as long as the
   culled share allows: the share of groups that no copy is expected of.

   log Z, Z the sum of exp(-beta U + H_gamma) over all states of a group, is absolute: known at
   beta = 0, plus the logarithm of the mean weight at each step. Groups with one ancestor at beta =
   0 are a family. Families are independent but for the resampling, so errors come from them: the
   jackknife over 32 blocks of families, Student's t at 31. The mean family size
   rho = R sum_f n_f^2, n_f the share of family f, says how far the population has thinned out
   (Wang, Machta, Katzgraber, Phys. Rev. E 92, 063307, 2015, doi:10.1103/PhysRevE.92.063307).

     spn_chain_options chain = spn_chain_defaults();
     spn_population_options o = spn_population_defaults();
     spn_population_result result;
     spn_sampler *population;
     spn_stop stop;
     o.chain = &chain;
     o.beta_last = 3;
     if (spn_population_create(&population, energy, &o, &err) ||
         spn_sampler_run(&stop, population, NULL, &err))
         ... err.text ...
     spn_population_look(&result, population);
     printf("log Z = %g, 95%% from %g to %g\n", result.log_z, result.log_z_low, result.log_z_high);
     spn_sampler_free(population);

   Results are the same, bit for bit, for the same seed at any number of threads, however often the
   run was stopped, saved, loaded and continued. */
#ifndef SPINNEY_POPULATION_H
#define SPINNEY_POPULATION_H

#include <spinney/reads.h>

SPN_BEGIN_C

/* Fewer groups have no errors: there are 32 blocks of families. */
enum { SPN_POPULATION_FEWEST = 64 };

/* Start from spn_population_defaults() and change what you need. */
typedef struct spn_population_options {
    size_t size; /* of this struct */
    /* Borrowed until spn_population_create returns. Taken are replicas, kernel, order, coupling
       with its centre, seed, run (group g has the random numbers of run + g), target and
       target_energy; moves are plain (NULL: the defaults). */
    const spn_chain_options *chain;
    double beta_last;               /* (1) */
    double gamma_first, gamma_last; /* (0, 0) */
    size_t groups;                  /* R, 64 to 2^24 (1024) */
    double culled;                  /* share of the groups that a step may leave out, above 0 and
                                       below 1 (0.1) */
    uint64_t points;                /* steps of equal length in place of `culled` (0: culled) */
    uint64_t sweep_steps;           /* of each group at each point (0: 10 N, in random order 10 N y,
                                       rounded up to a multiple of 64) */
    unsigned threads;               /* groups side by side, 1 to 4096 (1) */
    spn_engine engine; /* words: up to 512 groups at once, of a chain in sequential order without
                          centre or target and with a run number that is a multiple of 64, if the
                          couplings are small integers in some unit; they draw other random numbers
                          from the same law. plain: one after the other. auto: words if possible
                          (auto) */
} spn_population_options;

SPN_DEFAULTS(spn_population_options, spn_population_defaults, o.beta_last = 1, o.groups = 1024,
             o.culled = 0.1, o.threads = 1)

/* Make a population at its start. The energy is borrowed until spn_sampler_free. Memory: 2 R y N
   bytes for the states, and one chain per thread. Errors: ARGUMENT, MEMORY, ENERGY. */
SPN_API spn_status spn_population_create(spn_sampler **out, const spn_energy *energy,
                                         const spn_population_options *options, spn_error *err);

/* The population after its steps at a point of the path. */
typedef struct spn_population_point {
    double beta, gamma;
    double energy;     /* mean of U, the total energy of the y replicas of a group */
    double log_z;      /* up to here */
    double culled;     /* share of the groups that had no copy on the way here */
    double families;   /* with at least one group */
    double rho;        /* mean family size */
    double acceptance; /* of the proposals here; NaN at beta = 0, where there is none */
    double uphill;     /* share of the proposals that raised an energy; likewise */
} spn_population_point;

/* Point k < points of those the population has been at, from beta = 0 on. */
SPN_API size_t spn_population_points(const spn_sampler *population);
SPN_API void spn_population_point_look(spn_population_point *out, const spn_sampler *population,
                                       size_t k);

/* The population now, at the last point that it has made its steps at. */
typedef struct spn_population_result {
    double beta, gamma;
    double log_z, log_z_error, log_z_low, log_z_high;         /* standard error, 95% interval */
    double entropy, entropy_error, entropy_low, entropy_high; /* log Z + beta <U> - <H_gamma> */
    double energy, energy_error; /* mean of U, the total energy of the y replicas */
    double overlap;              /* mean over pairs of replicas (1 for one); with a centre, of
                                    replicas and centre */
    size_t groups, families;
    double rho;            /* R sum_f n_f^2; keep it far below R / 10 */
    double family_entropy; /* -sum_f n_f log n_f; at most log R */
    uint64_t points, sweep_steps;
    uint64_t proposals; /* of all groups; a draw at beta = 0 counts as the steps in its place */
    double best_energy; /* lowest of all replicas at any time */
    const int8_t *best_spins; /* N spins that have it; of the population */
    uint64_t first_hit;       /* steps of a group until a replica was first at or below the target
                                 energy, whatever `target`; SPN_NO_HIT: none was */
    uint64_t first_hit_proposals; /* of all groups together until then */
    double first_hit_seconds;     /* to a point */
} spn_population_result;

/* O(R y N). */
SPN_API void spn_population_look_sized(spn_population_result *out, size_t size,
                                       const spn_sampler *population);
static inline void spn_population_look(spn_population_result *out, const spn_sampler *population)
{
    spn_population_look_sized(out, sizeof *out, population);
}

/* Group g < R: y N spins, replica a at + a * N, and, if energies is not NULL, its y energies. Both
   belong to the population. */
SPN_API const int8_t *spn_population_group(const spn_sampler *population, size_t g,
                                           const double **energies);

SPN_END_C
#endif

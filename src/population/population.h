/* The internals of a population. population.c makes and saves it; step.c chooses the next point,
   resamples and walks; estimate.c computes log Z and its errors from the families. */
#ifndef SPN_POPULATION_POPULATION_H
#define SPN_POPULATION_POPULATION_H

#include "base/team.h"
#include "chain/jackknife.h"
#include "chain/point.h"
#include "core/sampler.h"
#include "words/words.h"
#include <assert.h>
#include <math.h>
#include <spinney/population.h>
#include <stdatomic.h>

enum { SPN_FAMILY_BLOCKS = SPN_JACKKNIFE_BLOCKS }; /* that errors come from */

/* The results of walking the groups of a point, of one thread or of all. */
typedef struct spn_walked {
    uint64_t groups, accepted, uphill;
    double best_energy; /* lowest; INFINITY: none yet */
    uint64_t best_group;
    uint64_t hit; /* steps at this point until the first hit, or SPN_NO_HIT */
    bool at_target;
} spn_walked;

static inline spn_walked spn_walked_none(void)
{
    return (spn_walked){
        .best_energy = INFINITY, .best_group = UINT64_MAX, .hit = SPN_NO_HIT, .at_target = false};
}

typedef struct spn_word_walker spn_word_walker; /* words.c */

/* A thread's chain, which stands in for one group after the other. */
typedef struct spn_walker_of_groups {
    spn_chain *chain;
    spn_word_walker *words; /* for many groups at once; NULL: one after the other */
    spn_walked walked;
    int8_t *best_spins;
    spn_status status;
    spn_error error;
} spn_walker_of_groups;

typedef struct spn_population {
    spn_sampler base;
    const spn_energy *energy;
    spn_population_options options;
    spn_chain_options chain;               /* of a group */
    int8_t *centre;                        /* copy of chain.centre; NULL: none */
    size_t proposals_per_step, state_size; /* y N */
    spn_word_graph *bits;                  /* NULL: no words */
    bool gamma_varies;

    /* state */
    bool walking; /* not all groups have walked at the current point */
    double u;     /* of the current point, like the next two */
    double beta, gamma;
    double log_z;
    double culled;
    uint64_t proposals;
    spn_walked point;  /* of the current point so far */
    spn_walked so_far; /* of earlier points; its groups and moves do not count */
    uint64_t first_hit_proposals;
    double first_hit_seconds;
    int8_t *spins;    /* group g at g * state_size */
    double *energies; /* group g at g * y */
    double *coupling; /* H_gamma of each group at the current point */
    double *overlap;  /* of the replicas of each group */
    uint32_t *family; /* of each group: its ancestor at beta = 0 */
    uint8_t *walked;  /* groups that have made their steps here */
    int8_t *best_spins;
    size_t points, point_capacity;
    spn_population_point *path; /* the points so far */

    /* work space */
    uint32_t *parent;            /* of each group, ascending */
    double *weight;              /* log weights, then expected copies */
    spn_coupling_counts *counts; /* of each group; NULL unless gamma varies */
    char words[128];             /* for progress */
    unsigned walkers;
    spn_walker_of_groups *walker;
    spn_team *team;
    _Atomic size_t next; /* the next group to take */
} spn_population;

/* Among equal energies the lowest group counts, whichever thread walked it. */
static inline bool spn_walked_is_better(double energy, uint64_t group, const spn_walked *than)
{
    return energy < than->best_energy || (energy == than->best_energy && group < than->best_group);
}

/* Advance by one point, or by part of one if a stop is asked for. Errors: ENERGY, MEMORY. */
spn_status spn_population_advance(spn_sampler *sampler, uint64_t most, spn_error *err);

/* The number of families with a group, and rho. O(R). */
size_t spn_population_families(double *rho, double *entropy, const spn_population *population);

/* ---- words.c ---- */

/* Find out whether the groups are made in words. Errors: ARGUMENT if they cannot be, but were asked
   for. */
spn_status spn_population_choose_engine(spn_population *population, spn_error *err);

/* For a thread; *out is to be freed even after an error. Errors: MEMORY. */
spn_status spn_population_words_make(spn_word_walker **out, spn_population *population,
                                     spn_error *err);
void spn_population_words_free(spn_word_walker *words);

/* Walk groups, many at once, until none is left or a stop is asked for. */
void spn_population_walk_words(spn_population *population, spn_walker_of_groups *walker);

/* ---- */

extern const spn_sampler_type spn_population_type;

static inline const spn_population *spn_population_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_population_type);
    return (const spn_population *)sampler;
}

#endif

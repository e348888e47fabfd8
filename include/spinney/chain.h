/* The chain: a sampler of y replicas of N spins that are annealed together. */
#ifndef SPINNEY_CHAIN_H
#define SPINNEY_CHAIN_H

#include <spinney/sampler.h>

SPN_BEGIN_C

/* Start from spn_chain_defaults() and change what you need. */
typedef struct spn_chain_options {
    size_t size;     /* of this struct */
    size_t replicas; /* y, 1 to 255 (3) */
    spn_kernel kernel;
    spn_order order;
    spn_start start;
    unsigned threads;          /* energy changes of one replica-round step side by side, where
                                  that pays (1); with a centre, replicas side by side */
    const int8_t *given;       /* for SPN_START_GIVEN: y * N spins, copied */
    uint64_t seed;             /* (1) */
    const spn_schedule *beta;  /* copied (NULL: constant 1) */
    const spn_schedule *gamma; /* copied (NULL: constant 0) */
    uint64_t steps;            /* (0: until another stop; then beta and gamma must not need T) */
    uint32_t run;              /* independent runs of one seed */
    spn_target target;
    double target_energy; /* (0); the first hit is of this, also where target is none */
    uint64_t patience;    /* proposals without a new best energy in any replica (0: no limit) */
    double seconds;       /* of a stretched run, of all calls together (0: it is not stretched) */
    /* Lengths of part_count parts, copied (NULL: one part of all steps). The schedules go through
       equal parts of their way, part k in parts[k] steps: in its step s they have the values of
       step k parts[k] + s of part_count parts[k]. steps is their sum, or 0. */
    const uint64_t *parts;
    size_t part_count;
    /* Stretch the schedules over `seconds`, and give no steps: the chain makes part_count parts (0:
       16), each by the time that is left when it begins and by the pace so far; before the first it
       tries how fast it is, without leaving a trace. The same options with those parts
       (spn_chain_parts) and without stretch repeat the run bit for bit. */
    uint32_t stretch; /* 1: do; 0: do not */
    /* 1: end a run that is frozen (SPN_STOP_FROZEN): whole sixteenths of it, with at least eight
       proposals for each spin of each replica, have changed no energy, and neither beta nor, for
       the two-stage kernel, gamma falls; for other kernels gamma has to be constant. 0: do not. */
    uint32_t stop_frozen;
    spn_coupling_kind coupling;
    const int8_t *centre;  /* for SPN_COUPLING_GIVEN: N spins, copied */
    uint64_t centre_every; /* for SPN_COUPLING_CENTRE: steps from one draw to the next (0: N); the
                              first is made at the start, the others with the gamma of the step
                              before them */
    spn_moves moves;
    uint32_t reserved; /* 0 */
    /* Sites to propose, each as often as it is listed, copied: a proposal takes one of them at
       random, or, in sequential order, each in its turn. What is not listed stays as it starts, and
       the law of the others, given that, is as ever. With plain moves (NULL: all sites) */
    const uint32_t *proposed;
    size_t proposed_count; /* 1 to 2^32-1 */
} spn_chain_options;

SPN_DEFAULTS(spn_chain_options, spn_chain_defaults, o.replicas = 3, o.threads = 1, o.seed = 1)

/* Make a chain at its start. The energy is borrowed until spn_sampler_free; options are copied
   (NULL: the defaults, which never end). Memory: y (2N + cache) + 2N bytes. Errors: ARGUMENT,
   MEMORY, ENERGY (NaN at the start). */
SPN_API spn_status spn_chain_create(spn_sampler **out, const spn_energy *energy,
                                    const spn_chain_options *options, spn_error *err);

/* The functions below take a chain, not another sampler. */

/* The lengths of the *count parts of the run; those of a stretched run that have not begun are as
   was last planned. They belong to the chain. O(1). */
SPN_API const uint64_t *spn_chain_parts(const spn_sampler *chain, size_t *count);

/* Where beta starts, out[0], and where it ends after all steps, out[1]; the latter is that of the
   last step made where the number of steps is not known or the schedule counts accepted moves. */
SPN_API void spn_chain_beta(double out[2], const spn_sampler *chain);

/* Whether any step so far was shared out among options.threads: one is, as long as that is faster
   than one thread alone. */
SPN_API bool spn_chain_was_shared(const spn_sampler *chain);

/* The state now. The arrays stay valid until the chain runs again or is freed. O(1); O(y N) of a
   chain with a centre, whose sums are added up then, so by one thread at a time. */
SPN_API void spn_chain_snapshot_sized(spn_snapshot *out, size_t size, const spn_sampler *chain);
static inline void spn_chain_snapshot(spn_snapshot *out, const spn_sampler *chain)
{
    spn_chain_snapshot_sized(out, sizeof *out, chain);
}

/* The mean over pairs of replicas of <sigma^a, sigma^b>/N; 1 for a single replica. O(N). */
SPN_API double spn_snapshot_overlap(const spn_snapshot *snapshot);

/* The majority of the replicas at each site; where they are equal, replica 0's spin. O(N). */
SPN_API void spn_snapshot_centre(const spn_snapshot *snapshot, int8_t *out);

SPN_END_C
#endif

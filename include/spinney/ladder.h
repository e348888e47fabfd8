/* Parallel tempering (swapping): a ladder of replicated chains, the walkers, each at its own point
   (beta, gamma), a rung. All walk side by side for a scan; then neighbouring walkers exchange their
   points with probability

     min(1, exp[(beta_i - beta_j)(U_i - U_j) + dH]),
     dH = H_gi(sigma_j) + H_gj(sigma_i) - H_gi(sigma_i) - H_gj(sigma_j),

   pairs (0,1), (2,3), ... after even scans and (1,2), (3,4), ... after odd ones: not reversible,
   and faster than random swaps (Syed, Bouchard-Cote, Deligiannidis, Doucet, JRSS B 84, 2022,
   doi:10.1111/rssb.12464). A walker at beta = 0 is not walked but drawn, from the exact law there.

   The rungs lie on a path beta(u), gamma(u), u from 0 to 1: straight, from (beta_first,
   gamma_first) to (beta_last, gamma_last), unless you give another. The first rung should be the
   one that mixes: beta_first = 0, say. A run has rounds of doubling length. After each but the last
   the fractions u of the rungs are moved, so that the rejection of swaps becomes equal between all
   neighbours, and where rungs = 0 their number is chosen, about twice the barrier. The last round,
   of `scans` scans, keeps its ladder, and only it is measured: what came before serves the walkers
   to forget their starts.

     spn_chain_options chain = spn_chain_defaults();
     spn_ladder_options o = spn_ladder_defaults();
     spn_sampler *ladder;
     spn_ladder_rung rung;
     spn_stop stop;
     chain.replicas = 3;
     o.chain = &chain;
     o.beta_last = 3;
     o.gamma_first = o.gamma_last = 0.5;
     if (spn_ladder_create(&ladder, energy, &o, &err) ||
         spn_sampler_run(&stop, ladder, NULL, &err))
         ... err.text ...
     spn_ladder_look_at_rung(&rung, ladder, spn_ladder_rungs(ladder) - 1);
     printf("log Z = %g +- %g\n", rung.log_z, rung.log_z_error);
     spn_sampler_free(ladder);

   Results are the same, bit for bit, for the same seed at any number of threads, however often the
   run was stopped, saved, loaded and continued. (Times are not, nor where `seconds` cut a run.) */
#ifndef SPINNEY_LADDER_H
#define SPINNEY_LADDER_H

#include <spinney/chain.h>

SPN_BEGIN_C

enum { SPN_LADDER_MOST_RUNGS = 1024 };

/* How walkers and rungs are brought together after a scan. */
typedef enum spn_ladder_method {
    SPN_LADDER_SWAP, /* neighbours exchange their points */
    /* Swaps in all rounds but the last, whose rungs are those of the round before it; in the last
       each walker changes its rung by itself, one up or down after a scan, with weights from the
       log Z of the round before it (exact whatever these are). Several walkers may be on one rung.
       At least two rounds. */
    SPN_LADDER_SIMULATED,
    /* Walkers keep their rungs and store states that they were in, by rings of equal energy; a
       walker now and then jumps to one that the next hotter walker stored. Exact only in the limit
       of long runs: the store is finite, and a bias of the order of 1 / states of a ring (16 to
       256, a sixteenth of the round's scans) remains, times the tenth of scans that end with a
       jump. No round trips. Memory: 256 MiB at most, else the ladder is refused. */
    SPN_LADDER_EQUI_ENERGY
} spn_ladder_method;

/* A point of a path, u from 0 to 1: beta and gamma, finite and not negative. */
typedef void spn_ladder_path(void *context, double u, double *beta, double *gamma);

/* Start from spn_ladder_defaults() and change what you need. */
typedef struct spn_ladder_options {
    size_t size; /* of this struct */
    /* Borrowed until spn_ladder_create returns. Taken are replicas, kernel, order, coupling with
       its centre, moves, start, seed, run (walker w is the chain with run + w: ladders of one seed
       need runs that are SPN_LADDER_MOST_RUNGS apart), target, target_energy (NULL: the defaults).
     */
    const spn_chain_options *chain;
    double beta_first, beta_last;   /* (0, 1) */
    double gamma_first, gamma_last; /* (0, 0) */
    size_t rungs;                   /* 2 to SPN_LADDER_MOST_RUNGS (0: chosen: 8 at first; after each
                                       round but the last two 1 + twice the barrier, 3 to 128) */
    const double *fractions; /* u of each of `rungs` rungs, from 0, rising, to 1; copied. They stay
                                as they are, unless adapt (NULL: squares of equal steps where
                                beta_first is 0, else equal steps; they adapt) */
    uint32_t adapt;          /* 1: move given fractions too (0) */
    uint64_t scan_steps; /* of a walker between two rounds of swaps (0: N, rounded up to a multiple
                            of 64, which random numbers are drawn by) */
    uint64_t scans;      /* of the last round, 1 or more (1024) */
    uint32_t rounds;     /* the one before the last has half its scans, and so on (0: as many as
                            have 16 scans or more, 1 to 10) */
    unsigned threads;    /* walkers side by side (1) */
    spn_ladder_method method;
    /* Houdayer's moves after each scan of a walker: two replicas exchange a cluster of sites where
       they differ, which is always accepted. For two replicas or more, and ising, qubo or maxcut;
       worth while on sparse graphs. (0) */
    uint32_t clusters;
    /* Keep the states of the last rung, or of all, after every `keep` scans of the last round.
       Memory: y (N + 8) + 16 bytes for each. (0: none) */
    uint64_t keep;
    uint32_t keep_all;     /* 1: of all rungs (0) */
    spn_ladder_path *path; /* in place of the straight one; beta_first and so on are not used
                              (NULL) */
    void *path_context;
    /* 1: use the time of the run, which needs one. Unless `rounds` is given, there are more rounds
       as long as the next takes a third of it at most, and the last one grows until it is over. */
    uint32_t fills;
} spn_ladder_options;

SPN_DEFAULTS(spn_ladder_options, spn_ladder_defaults, o.beta_last = 1, o.scans = 1024,
             o.threads = 1)

/* Make a ladder with its walkers at their starts. The energy is borrowed until spn_sampler_free.
   Steps are those of one walker; a run advances by whole scans, and ends with STEPS (all scans are
   made), TARGET (by some walker; the others end their scan), TIME or REQUEST. Memory: a chain, y (2
   N + cache) + 2 N bytes, for each walker; a walker that an adapted ladder no longer needs is kept.
   Errors: ARGUMENT, MEMORY, ENERGY. */
SPN_API spn_status spn_ladder_create(spn_sampler **out, const spn_energy *energy,
                                     const spn_ladder_options *options, spn_error *err);

/* ---- results: the functions below take a ladder, not another sampler ---- */

/* A rung, measured in the current round, which at the end is the last. Errors are standard errors,
   from the 8 slowest waves of the jackknife over blocks of scans of the whole ladder, so that they
   hold if scans are correlated, and rungs with each other; NaN with fewer than two blocks. Means
   are NaN before the first scan. */
typedef struct spn_ladder_rung {
    double fraction, beta, gamma;
    double energy, energy_error; /* mean of U, the total energy of the y replicas */
    double acceptance;           /* of proposals; NaN at beta = 0, where none is made */
    double uphill;               /* share of proposals that raised an energy; likewise */
    double rejection;            /* mean, of swaps with the next rung, or of moves to it and back
                                    (simulated); NaN of the last rung */
    double barrier;              /* sum of the rejections up to this rung: Lambda(u) */
    /* log Z, Z the sum of exp(-beta U + H_gamma) over all states of the replicas; with
       SPN_COUPLING_CENTRE, H_gamma = gamma sum_i c_i s_i and the sum is over the centre too.
       Absolute where the first rung has beta = 0, there it is y N log(2 cosh gamma), and N log 2
       more with SPN_COUPLING_CENTRE; else it is less the log Z of the first rung. The ratio of
       neighbours is estimated from both: stepping stones to the law half-way, Z'/Z = <e^(a/2)> /
       <e^(-a/2)>' with a the logarithm of the ratio of their weights. */
    double log_z, log_z_error;
    double log_z_low, log_z_high;     /* 95% interval, by Student's t at 8 degrees */
    double coupling, coupling_error;  /* mean of H_gamma */
    double overlap, overlap_error;    /* mean, of pairs of replicas (1 for one); with a centre, of
                                         replicas and centre */
    double entropy, entropy_error;    /* of the law of this rung: log Z + beta <U> - <H_gamma>; less
                                         the same constant as log Z where that is relative */
    double entropy_low, entropy_high; /* 95% interval */
    size_t walker;                    /* here now (simulated: one of them, SIZE_MAX if none), and */
    double energy_now;                /* its U (NaN) */
    uint64_t visits;                  /* scans of walkers that ended here */
    uint64_t jumps_tried, jumps; /* equi-energy: of states that the rung before stored, and made */
    double cluster;              /* mean sites of the clusters exchanged here; NaN: none */
    double energy_low, energy_high; /* 95% interval of `energy`, corrected for skewness. NaN, as the
                                       error is, if all blocks have the same mean */
} spn_ladder_rung;

SPN_API size_t spn_ladder_rungs(const spn_sampler *ladder);
/* `count` rungs from rung `first` on, first + count <= rungs, into an array of spn_ladder_rung,
   whose size is `size`. O(blocks (first + count)). */
SPN_API void spn_ladder_look_at_rungs_sized(void *out, size_t size, const spn_sampler *ladder,
                                            size_t first, size_t count);
static inline void spn_ladder_look_at_rungs(spn_ladder_rung *out, const spn_sampler *ladder,
                                            size_t first, size_t count)
{
    spn_ladder_look_at_rungs_sized(out, sizeof *out, ladder, first, count);
}
/* Rung k < rungs. O(blocks k). */
static inline void spn_ladder_look_at_rung(spn_ladder_rung *out, const spn_sampler *ladder,
                                           size_t k)
{
    spn_ladder_look_at_rungs(out, ladder, k, 1);
}

/* Whether log Z is absolute. */
SPN_API bool spn_ladder_log_z_is_absolute(const spn_sampler *ladder);

/* Lambda, the sum of all rejections: about the number of rungs that let half of the swaps pass is 1
   + 2 Lambda. */
SPN_API double spn_ladder_barrier(const spn_sampler *ladder);

/* The rung k whose swaps with rung k + 1 are rejected most. */
SPN_API size_t spn_ladder_worst_pair(const spn_sampler *ladder);

/* Journeys in the current round, of a walker, or of all together (walker = SPN_LADDER_ALL): from
   the first rung to the last (a restart of the cold end), and to the last and back (a round trip).
 */
#define SPN_LADDER_ALL SIZE_MAX
SPN_API size_t spn_ladder_walkers(const spn_sampler *ladder); /* at least as many as rungs */
SPN_API uint64_t spn_ladder_restarts(const spn_sampler *ladder, size_t walker);
SPN_API uint64_t spn_ladder_round_trips(const spn_sampler *ladder, size_t walker);

/* The walker's chain now: its spins and best states, in its own steps. Valid until it runs again.
 */
SPN_API void spn_ladder_walker_sized(spn_snapshot *out, size_t size, const spn_sampler *ladder,
                                     size_t walker);
static inline void spn_ladder_walker(spn_snapshot *out, const spn_sampler *ladder, size_t walker)
{
    spn_ladder_walker_sized(out, sizeof *out, ladder, walker);
}

/* The run so far. */
typedef struct spn_ladder_progress {
    uint64_t scan, scans;   /* done, and in all */
    uint32_t round, rounds; /* the current one, from 0; in all */
    uint64_t round_scans;   /* done of the current round, which is the measured one at the end */
    size_t blocks;          /* that errors come from */
    uint64_t scan_steps;
    uint64_t proposals; /* of all walkers; a draw at beta = 0 counts as the scan in its place */
    double seconds;     /* of running */
    double best_energy; /* lowest of all replicas, walkers and rungs, ever */
    const int8_t *best_spins; /* N spins that have it; of the ladder */
    size_t best_walker, best_replica;
    uint64_t first_hit; /* steps of a walker until some replica of one was first at or below
                           the target energy, whatever `target`; SPN_NO_HIT: none was */
    uint64_t first_hit_proposals; /* of all walkers together until then */
    double first_hit_seconds;     /* to a scan of one walker */
    size_t first_hit_walker;
} spn_ladder_progress;

SPN_API void spn_ladder_progress_sized(spn_ladder_progress *out, size_t size,
                                       const spn_sampler *ladder);
static inline void spn_ladder_look(spn_ladder_progress *out, const spn_sampler *ladder)
{
    spn_ladder_progress_sized(out, sizeof *out, ladder);
}

/* States kept, in the order of scans and, within one, of rungs. Of state k < count: y N spins and y
   energies, of the ladder; its rung, its scan of the last round, from 1. NULL where it is not
   wanted. */
SPN_API size_t spn_ladder_kept(const spn_sampler *ladder);
SPN_API void spn_ladder_kept_state(const spn_sampler *ladder, size_t k, const int8_t **spins,
                                   const double **energies, size_t *rung, uint64_t *scan);

/* Names as on the command line ("swap", "simulated", "equi-energy"), NULL past the last; and the
   value of a name. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_ladder_method)

SPN_END_C
#endif

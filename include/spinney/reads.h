/* Reads: many independent runs of one chain, over threads. Read r is the chain with options.run =
   chain->run + r and nothing else changed, so any read can be repeated alone, bit for bit; the
   results are the same at any number of threads. */
#ifndef SPINNEY_READS_H
#define SPINNEY_READS_H

#include <spinney/chain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called now and then, from one thread at a time. share: of all steps that are asked for, 0 to 1
   (of the reads, where a chain has no number of steps). finished: reads that have ended. Anything
   but SPN_OK ends all reads, and spn_reads_run returns that status. */
typedef spn_status spn_reads_progress(void *context, double share, size_t finished, spn_error *err);

/* Start from spn_reads_defaults() and change what you need. */
typedef struct spn_reads_options {
    size_t size; /* of this struct */
    /* Borrowed. Each read has the stops of the chain for itself; *stop ends all. Its threads are
       one. Reads of a quadratic energy with small
       integer couplings, in sequential order with one replica, are made many at once, with the same
       results and a tenth of the work; they have their seconds together, and where they are
       stretched, all have the same parts. */
    const spn_chain_options *chain;
    size_t reads;                 /* R, 1 or more (1); chain->run + R is at most 2^32 */
    unsigned threads;             /* reads side by side, 1 to 4096 (1) */
    spn_reads_progress *progress; /* may be NULL */
    void *progress_context;
    /* Warm starts, borrowed: k states of N spins; replica a of read r starts at state (r y + a) mod
       k, whatever the chain's start (NULL, 0: as the chain says). */
    const int8_t *starts;
    size_t start_count;
    /* 1: reads that *stop finds before they begin are not made, which takes no time: their energies
       are NaN and their spins 0 (0: each is its start) */
    size_t only_begun;
    const volatile sig_atomic_t *stop; /* may be NULL; set it from a signal handler */
    double seconds;                    /* wall clock of each read (0: no limit) */
} spn_reads_options;

static inline spn_reads_options spn_reads_defaults(void)
{
    spn_reads_options o;
    memset(&o, 0, sizeof o);
    o.size = sizeof o;
    o.reads = 1;
    o.threads = 1;
    return o;
}

typedef struct spn_reads spn_reads;

/* Run all reads. A read that *stop found before its first step is its start, or nothing, as
   only_begun says. Memory: R N bytes, and
   one chain per thread. Errors: those of spn_chain_create and spn_sampler_run, of any read, which
   ends all; ARGUMENT, MEMORY. */
SPN_API spn_status spn_reads_run(spn_reads **out, const spn_energy *energy,
                                 const spn_reads_options *options, spn_error *err);

/* Whether spn_reads_run would make these reads many at once. O(N + couplings). */
SPN_API bool spn_reads_side_by_side(const spn_energy *energy, const spn_reads_options *options);

SPN_API size_t spn_reads_count(const spn_reads *reads);
SPN_API size_t spn_reads_sites(const spn_reads *reads);

/* Of read r < count: the lowest energy of its replicas and where it was first (the first of equal
   replicas): N spins that belong to the reads. */
SPN_API double spn_reads_best_energy(const spn_reads *reads, size_t r);
SPN_API const int8_t *spn_reads_best_spins(const spn_reads *reads, size_t r);

/* The lowest energy of its replicas at the end. */
SPN_API double spn_reads_energy(const spn_reads *reads, size_t r);

/* Of all its replicas together. */
SPN_API uint64_t spn_reads_accepted(const spn_reads *reads, size_t r);
SPN_API uint64_t spn_reads_proposals(const spn_reads *reads, size_t r);

SPN_API uint64_t spn_reads_steps(const spn_reads *reads, size_t r);
SPN_API spn_stop spn_reads_stop(const spn_reads *reads, size_t r);

/* Steps done when some replica was first at or below the target energy; SPN_NO_HIT: none was, or
   the chain has no target. */
SPN_API uint64_t spn_reads_hit(const spn_reads *reads, size_t r);

/* Whether the reads were annealed, as spn_sampler_health says of one chain, by the sums over all
   reads; good if every read reached the target. */
SPN_API spn_health spn_reads_health(const spn_reads *reads);

/* The lengths of the *count parts in which all reads went through their schedules, as
   spn_chain_parts; NULL, and 0, where chains that were stretched to a time each made their own.
   They belong to the reads. */
SPN_API const uint64_t *spn_reads_parts(const spn_reads *reads, size_t *count);

SPN_API void spn_reads_free(spn_reads *reads);

#ifdef __cplusplus
}
#endif
#endif

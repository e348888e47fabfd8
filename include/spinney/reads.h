/* Reads: a sampler of many independent runs of one chain, over threads. Read r is that of run
   chain->run + r and depends on nothing else, so any read can be repeated alone, bit for bit; the
   results are the same at any number of threads.

   Reads of a quadratic energy with small integer couplings, or with dense ones of any size, in
   sequential order, are made many at once (spn_engine), with a tenth or a hundredth of the work.
   Read r is then the chain, or the read in words, of its run. */
#ifndef SPINNEY_READS_H
#define SPINNEY_READS_H

#include <spinney/chain.h>

SPN_BEGIN_C

/* How reads are made. Plain chains and lanes give the same results. Words draw other random numbers
   from the same law, and beta and gamma are updated sixteen times in a sweep, not at every step;
   their results, too, depend on the seed and the run alone. */
typedef enum spn_engine {
    SPN_ENGINE_AUTO,  /* the fastest that can make these reads: words from 512 reads, or from 64 of
                         several replicas or with a centre; else lanes; else plain chains */
    SPN_ENGINE_PLAIN, /* one chain after the other */
    SPN_ENGINE_LANES, /* up to 256 reads in vectors: one replica, sequential order; in bytes if the
                         couplings are small integers, else in doubles if they are dense */
    SPN_ENGINE_WORDS  /* up to 512 reads in words of bits: sequential order, a known end, couplings
                         that are small integers in some unit, any kernel, coupling and start */
} spn_engine;

/* "auto", "plain", "lanes", "words" */
SPN_NAMES(spn_engine)

/* Start from spn_reads_defaults() and change what you need. */
typedef struct spn_reads_options {
    size_t size; /* of this struct */
    /* Each read has the stops of the chain for itself. Its threads are one. Borrowed, with all that
       it points to, until the reads are freed. */
    const spn_chain_options *chain;
    size_t reads;     /* R, 1 or more (1); chain->run + R is at most 2^32 */
    unsigned threads; /* reads side by side, 1 to 4096 (1) */
    /* Warm starts, borrowed: k states of N spins; replica a of read r starts at state (r y + a) mod
       k, whatever the chain's start (NULL, 0: as the chain says). */
    const int8_t *starts;
    size_t start_count;
    /* The time of each read, of all calls of spn_sampler_run together (0: no limit). Reads that are
       stretched have that of the chain instead: those made many at once have it together, and all
       reads have the same parts, settled by the first that come to them. */
    double seconds;
    spn_engine engine; /* (auto); one that cannot make the reads is refused */
    /* Where reads in words are made, with the same bits: NULL or "cpu" (NULL): on the processor;
       else without a target, all of them together, by the first usable device that has this text in
       its name (spinney/device.h), refused if that is not possible; "auto": by the first GPU, from
       2048 reads, else on the processor. Borrowed. */
    const char *device;
} spn_reads_options;

SPN_DEFAULTS(spn_reads_options, spn_reads_defaults, o.reads = 1, o.threads = 1)

/* Make reads, none of which is begun. The sampler ends when all reads have; its stop is that of
   most of them. Its steps are those of all reads together, and a run may make a few more than
   spn_until asks for. Its health is judged by the sums over all reads as that of one chain; good if
   every read reached the target. It can be saved at any time, and loaded at any number of threads;
   a read that cannot be saved at that moment (spn_sampler_can_save) starts again. Memory: R N
   bytes, and one chain per thread. Errors: those of spn_chain_create; ARGUMENT, MEMORY. */
SPN_API spn_status spn_reads_create(spn_sampler **out, const spn_energy *energy,
                                    const spn_reads_options *options, spn_error *err);

/* One read. Counts are of all its replicas together. */
typedef struct spn_read {
    spn_stop stop;            /* SPN_STOP_NONE: it is not begun, or under way */
    double best_energy;       /* lowest of its replicas so far; NaN: it is not begun */
    double energy;            /* lowest of its replicas now; NaN: it is not begun */
    const int8_t *best_spins; /* N spins, where the best energy was first; NULL: it is not begun.
                                 They belong to the sampler, until it runs again or is freed */
    uint64_t steps, accepted, proposals;
    uint64_t hit; /* steps done when some replica was first at or below the target energy;
                     SPN_NO_HIT: none was, or the chain has no target */
} spn_read;

/* R. */
SPN_API size_t spn_reads_count(const spn_sampler *reads);

/* Read r < R as it is now. O(N). */
SPN_API void spn_reads_look_sized(spn_read *out, size_t size, const spn_sampler *reads, size_t r);
static inline void spn_reads_look(spn_read *out, const spn_sampler *reads, size_t r)
{
    spn_reads_look_sized(out, sizeof *out, reads, r);
}

/* Join the best states of all reads into one: from the lowest of them, the clusters of sites where
   it differs from another are flipped if that lowers the energy, for one read after the other. out:
   N spins, set if *gained: the energy is below that of every read. Of quadratic energies with up to
   8 N couplings, never of others. The result depends on the reads alone. O(R (N + couplings)).
   Errors: MEMORY. */
SPN_API spn_status spn_reads_join(bool *gained, int8_t *out, const spn_sampler *reads,
                                  spn_error *err);

/* Where the reads are made, in words: the name of the device, or why it is the processor though
   the option `device` was "auto"; NULL: the processor, as was asked. It belongs to the reads, and
   may change until the first read has begun. */
SPN_API const char *spn_reads_device(const spn_sampler *reads);

/* The lengths of the *count parts in which all reads go through their schedules, as
   spn_chain_parts. They belong to the reads. */
SPN_API const uint64_t *spn_reads_parts(const spn_sampler *reads, size_t *count);

SPN_END_C
#endif

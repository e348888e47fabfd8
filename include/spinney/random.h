/* Counter-based random streams: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11,
   doi:10.1145/2063384.2063405), keyed by (seed, run, replica). You can ask for number k of a stream
   directly, so a result depends only on the seed, not on threads, block sizes or stops. */
#ifndef SPINNEY_RANDOM_H
#define SPINNEY_RANDOM_H

#include <spinney/status.h>
#include <stdint.h>

SPN_BEGIN_C

/* What a stream is for; streams for different purposes are independent. */
typedef enum spn_purpose {
    SPN_PURPOSE_PROPOSALS = 0, /* the chain */
    SPN_PURPOSE_START = 1,     /* random starting configurations */
    SPN_PURPOSE_INSTANCE = 2,  /* random problem instances */
    SPN_PURPOSE_USER = 3,      /* yours */
    SPN_PURPOSE_CENTRE = 4,    /* draws of a chain's explicit centre */
    SPN_PURPOSE_REDRAW = 5,    /* states drawn from the law at beta = 0 */
    SPN_PURPOSE_SWAPS = 6,     /* between the rungs of a ladder */
    SPN_PURPOSE_MOVES = 7,     /* moves of a chain other than flips */
    SPN_PURPOSE_WORDS = 8,     /* reads in words; the run is that of 64 reads */
    SPN_PURPOSE_WORLD = 9      /* changes of a problem and of its states */
} spn_purpose;

/* "proposals", "start", "instance", "user", "centre", "redraw", "swaps", "moves",
   "words", "world" */
SPN_NAMES(spn_purpose)

/* A stream is a plain value of 16 bytes; copy it freely. */
typedef struct spn_stream {
    uint32_t key[2]; /* the seed */
    uint32_t run;
    uint32_t lane; /* replica and purpose */
} spn_stream;

/* The stream of a replica (0 to 65535) in a run. */
SPN_API spn_stream spn_stream_make(uint64_t seed, uint32_t run, uint32_t replica,
                                   spn_purpose purpose);

/* Block `index` of a stream: four independent uniform 32-bit words. */
SPN_API void spn_stream_block(const spn_stream *stream, uint64_t index, uint32_t out[4]);

/* Reads the words of a stream one after the other. */
typedef struct spn_random {
    spn_stream stream;
    uint64_t index;
    uint32_t words[4];
    uint32_t used;
} spn_random;

SPN_API spn_random spn_random_make(uint64_t seed, uint32_t run, uint32_t replica,
                                   spn_purpose purpose);
SPN_API uint32_t spn_random_u32(spn_random *random);
SPN_API uint64_t spn_random_u64(spn_random *random);

/* A uniform integer in 0..bound-1, without bias (Lemire's method); bound >= 1. */
SPN_API uint32_t spn_random_below(spn_random *random, uint32_t bound);

/* A uniform double in (0, 1), an odd multiple of 2^-53: never 0, never 1. */
SPN_API double spn_random_uniform(spn_random *random);

/* Fill `count` spins with +1 or -1, 32 from each word. */
SPN_API void spn_random_spins(spn_random *random, int8_t *out, size_t count);

SPN_END_C
#endif

/* A group of reads in words as a sampler, whose steps are those of each of its reads. */
#ifndef SPN_READS_WORD_GROUP_H
#define SPN_READS_WORD_GROUP_H

#include "device/device.h"
#include "reads/side.h"
#include "words/words.h"

enum { SPN_WORD_MOST = SPN_WORD_ROW * SPN_WORD_BITS }; /* reads in a group of the processor */

typedef struct spn_word_group {
    spn_side side;
    spn_words words;
    const spn_word_version *version;
    const int8_t *starts; /* as in spn_reads_options */
    size_t start_count;
    size_t lane; /* of the first read; other lanes rest */
    size_t lanes;
    spn_word_table table[2], centre_table;
    double beta, gamma; /* of the tables; NaN: none yet */
    int8_t *spins;      /* N spins of some lane */
    double *start;      /* without the constant; of replica a and lane l at a * lanes + l, */
    int32_t *origin;    /* as the counts since the start at which words.energy is 0 */
} spn_word_group;

extern const spn_sampler_type spn_word_group_type;
extern const spn_side_kind spn_word_group_kind;

/* Why reads of such chains cannot be made in words; NULL: they can, if the energy has a graph. */
const char *spn_words_refuse(const spn_chain_options *options);

/* The graph of the energy, if it and the replicas fit words; else NULL. */
spn_word_graph *spn_words_prepare(const spn_energy *energy, const spn_chain_options *options);

/* Reads first .. first+count-1 of the chain `options`, at their start. Borrows the graph and what
   the options and starts point to. A stretched group has the seconds of `count` chains. Errors:
   MEMORY, ARGUMENT (a start that is no spin). */
spn_status spn_word_group_create(spn_word_group **out, const spn_word_graph *graph,
                                 const spn_word_version *version, const spn_chain_options *options,
                                 const spn_reads_options *reads, size_t first, size_t count,
                                 spn_error *err);

/* Let a device go on with a group; it has no target. Errors: IO, MEMORY. */
spn_status spn_word_group_move(spn_word_group *g, const spn_device_choice *choice, spn_error *err);

/* ---- for its other files, and for populations ---- */

/* The energy of replica a of a lane at this many counts above its start; now; the lowest so far. */
double spn_word_energy_at(const spn_word_group *g, size_t a, size_t lane, int64_t counts);
double spn_word_energy_of(const spn_word_group *g, size_t a, size_t lane);
double spn_word_best_of(const spn_word_group *g, size_t a, size_t lane);

/* Put the spins of a replica of a lane, of words.spins or words.best, into out, N spins. */
void spn_word_unpack(const spn_word_group *g, const uint64_t *rows, size_t a, size_t lane,
                     int8_t *out);

spn_word_coupling spn_word_coupling_of(const spn_chain_options *options);

/* Draw the centre with the gamma of the first step. */
void spn_word_group_first_centre(spn_word_group *g);

/* Let a group without target, centre or device stand for the first `count` of its reads in other
   states: read r has the y N spins from r y N on and y energies from r y on. The stream's word,
   step and end are given. O(y N count). */
void spn_word_group_become(spn_word_group *g, const int8_t *spins, const double *energies,
                           size_t count, uint32_t word, uint64_t step, uint64_t end);

#endif

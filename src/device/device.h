/* What libspinney and libspinney-device.so, which is built with it, know of each other. */
#ifndef SPN_DEVICE_DEVICE_H
#define SPN_DEVICE_DEVICE_H

#include "chain/health.h"
#include "energy/softmax/whole.h"
#include "words/words.h"
#include <spinney/device.h>

/* Steps of one sweep in rows of numbers, as the kernels read them (device/words.cl). A chunk has
   the same tables for all its sites; they start with `first`, `levels`, `classes` and
   `class_first`, and then come the thresholds (spn_word_table). A window is made of chunks, and the
   centre may be drawn after it. Steps are those of the sweep's site 0. */
enum { SPN_CHUNK_SITE, SPN_CHUNK_END, SPN_CHUNK_SLICE, SPN_CHUNK_TABLE, SPN_CHUNK_SIZE = 5 };
enum {
    SPN_WINDOW_STEP,
    SPN_WINDOW_CHUNK = 2,
    SPN_WINDOW_CHUNKS,
    SPN_WINDOW_SITE,
    SPN_WINDOW_END,
    SPN_WINDOW_DRAWS,
    SPN_WINDOW_DRAW,
    SPN_WINDOW_TABLE = 9,
    SPN_WINDOW_SIZE
};

typedef struct spn_device_work {
    const uint32_t *chunks, *windows;
    size_t chunk_count, window_count;
    const uint64_t *tables;
    size_t table_size;
} spn_device_work;

/* How the levels of a sweep are made: in one launch, a work-group for each word, or one launch for
   each level; auto: by the number of words and the width of the levels. */
typedef enum spn_device_way {
    SPN_DEVICE_AUTO,
    SPN_DEVICE_ONE_LAUNCH,
    SPN_DEVICE_LAUNCHES
} spn_device_way;

/* Words on a device. The order of sites: those of a level share no coupling, and levels come one
   after the other. */
typedef struct spn_device_levels {
    uint32_t *order, *start; /* level l: order[start[l]] .. order[start[l + 1] - 1] */
    size_t count;
} spn_device_levels;

/* The levels at which a sweep in sequential order can be made: a site comes after its neighbours of
   lower number. False without memory. */
bool spn_device_levels_make(spn_device_levels *out, const spn_word_graph *graph);
void spn_device_levels_clear(spn_device_levels *levels);

/* ---- trainings ---- */

enum { SPN_TRAIN_START = 1, SPN_TRAIN_REFRESH = 2, SPN_TRAIN_TWO_STAGE = 4, SPN_TRAIN_LANES = 2 };

/* A proposal, as device/train.cl reads it; cost: where its table starts among the job's. */
typedef struct spn_train_move {
    uint32_t site, replica, cost, unused;
    double threshold, beta;
} spn_train_move;

/* An accepted proposal: which, and the loss of its replica after it. */
typedef struct spn_train_taken {
    int64_t loss;
    uint32_t move, unused;
} spn_train_taken;

/* Work of one chain. Rows hold the states of its replicas. With start, row[0] becomes that of
   these spins; with refresh it is computed anew. Then come the moves: cost[m.cost + 2 (sum + y) +
   (spin > 0)] is what the coupling costs y replicas whose spins at the site add up to `sum`. */
typedef struct spn_train_job {
    unsigned flags;
    const uint32_t *row;
    size_t replicas;
    const int8_t *start;
    const spn_train_move *move;
    size_t moves;
    const double *cost;
    size_t costs;
    /* out: room for `moves` taken */
    spn_train_taken *taken;
    size_t accepted;
    int64_t loss;  /* of row[0] */
    double change; /* of the energy, by the last move that the coupling let pass */
} spn_train_job;

/* The table of functions that libspinney-device.so exports as `spinney_device`. */
typedef struct spn_device_library {
    size_t size;
    const char *version; /* spn_version(): both come from one build */
    spn_status (*list)(spn_device_info *out, size_t most, size_t *count, spn_error *err);
    /* Device `number` of the list, ready for these words. */
    spn_status (*open)(void **out, size_t number, spn_device_way way, const spn_words *words,
                       const spn_device_levels *levels, spn_error *err);
    void (*close)(void *opened);
    /* Copy the whole state there, or back. */
    spn_status (*put)(void *opened, const spn_words *words, spn_error *err);
    spn_status (*get)(void *opened, spn_words *words, spn_error *err);
    /* Do the work; bring back the digits of energies and moves, and add to accepted and uphill of
       each slice. */
    spn_status (*work)(void *opened, const spn_device_work *work, spn_words *words,
                       uint64_t tallies[SPN_SLICES][2], spn_error *err);
    /* Trainings by device `number`, `group` work-items to a chain (0: as many as suit). Two lanes
       can work at once. */
    spn_status (*train_open)(void **out, size_t number, const spn_whole *whole, size_t group,
                             spn_error *err);
    void (*train_close)(void *opened);
    spn_status (*train_work)(void *opened, unsigned lane, spn_train_job *const *jobs, size_t count,
                             spn_error *err);
} spn_device_library;
#define SPN_DEVICE_SYMBOL "spinney_device"

/* The library, loaded once. Errors: IO. */
spn_status spn_device_load(const spn_device_library **out, spn_error *err);

/* A device of the list, and how its words are made. */
typedef struct spn_device_choice {
    size_t number;
    spn_device_info info;
    spn_device_way way;
    size_t group; /* work-items to a training; 0: as many as suit */
} spn_device_choice;

/* The first usable device with this text in its name, whatever the case; "auto": the first usable
   GPU. Errors: IO, ARGUMENT (none; the text says why). */
spn_status spn_device_choose(spn_device_choice *out, const char *name, spn_error *err);

/* spn_softmax_on_device, by a choice. */
spn_status spn_softmax_on(spn_energy **out, const spn_dataset *train, const spn_scaling *scaling,
                          const spn_softmax_options *options, const spn_device_choice *choice,
                          spn_error *err);

/* Bytes on a device for each word of reads, and those of its largest array. */
typedef struct spn_device_bytes {
    uint64_t all, largest;
} spn_device_bytes;
spn_device_bytes spn_device_bytes_of(const spn_word_graph *graph, size_t replicas);

/* Digits as the kernels count them, and the sizes of the tree over the steps of a window: a leaf is
   so many sites, a branch so many leaves. */
enum { SPN_DEVICE_LEAF = 8, SPN_DEVICE_BRANCH = 64 };
typedef struct spn_device_digits {
    size_t site, leaf, all;
    size_t nodes, tops; /* above the leaves; those of branches and above */
} spn_device_digits;
spn_device_digits spn_device_digits_of(const spn_word_graph *graph, size_t planes);

/* ---- words that a device makes ---- */

typedef struct spn_word_device spn_word_device;

/* Its steps wait until spn_word_device_flush or until there are many; an error waits, too. */
extern const spn_word_version spn_words_on_device;

/* Take the state of words to a device: from now on words->device makes the steps. Errors: IO,
   MEMORY. */
spn_status spn_word_device_create(spn_words *words, const spn_device_choice *choice,
                                  spn_error *err);
void spn_word_device_free(spn_word_device *device);

/* Which slice the next steps belong to. */
void spn_word_device_set_slice(spn_word_device *device, size_t slice);

/* Make the steps that wait. Energies and moves are then known here, and the counts of moves since
   the last call are added to the slices. */
spn_status spn_word_device_flush(spn_words *words, spn_slice *slices, spn_error *err);

/* Bring the spins and best states here, unless they are; or take a state that was loaded there. */
spn_status spn_word_device_fetch(spn_words *words, spn_error *err);
spn_status spn_word_device_renew(spn_words *words, spn_error *err);

#endif

/* The settings that choose an energy: one group of rows for all tasks that need one. */
#ifndef SPN_JOB_ENERGY_SETTINGS_H
#define SPN_JOB_ENERGY_SETTINGS_H

#include "job/inputs.h"

#include <spinney/density.h>
#include <spinney/energies.h>

typedef struct spn_energy_settings {
    const char *energy, *energy_options, *energy_file;
    const char *patterns, *random, *graph, *table, *minima, *code;
    bool teacher;
    bool tree;
    uint64_t ball, sites, instance_seed, units;
    double alpha, offset, kappa;
    int graph_format;   /* a spn_graph_format */
    int pattern_values; /* 1: Gaussian */
} spn_energy_settings;

extern const spn_setting spn_energy_rows[];

/* The energy that settings choose: one of the built-in ones, of a file or of random patterns; a
   planted landscape, whose energy is a table; or one of a shared object. Files are read, and random
   patterns are not drawn, while it is planned. */
typedef struct spn_instance {
    const char *name;            /* as in the settings */
    const spn_energy_kind *kind; /* of a planted landscape: table; of a shared object: its own */
    size_t sites;
    double patterns;            /* 0 where there are none */
    const spn_problem *problem; /* NULL until random patterns are drawn; and for planted landscapes
                                   and shared objects */
    const spn_energy *energy;   /* NULL until random patterns are drawn */
    const spn_planted *planted; /* NULL: it is none */
    uint64_t plugin;            /* XXH3 of a shared object and of what it read; 0: it is none */
    bool random, teacher, gaussian;
    double kappa;             /* threshold of stabilities; that of its kind where none is given */
    size_t units;             /* hidden units of a committee; 0: it is none */
    bool tree;                /* of a committee */
    bool from_text;           /* the setting random, not sites, has drawn them */
    spn_random_text drawn;    /* of random patterns */
    uint64_t seed;            /* that they were drawn from, where the settings name none; else 0 */
    spn_problem *own_problem; /* what has to be freed; may be NULL */
    spn_energy *own_energy;
} spn_instance;

/* What the settings of a job choose; nothing of it has to be freed. Errors: ARGUMENT, INPUT, IO,
   MEMORY. */
spn_status spn_instance_plan(spn_instance *out, const spn_energy_settings *settings,
                             const spn_job *job, spn_inputs *inputs, spn_error *err);

/* The same with an energy: random patterns are drawn, from seed where their text has none. It
   borrows from the inputs; to be cleared, also after an error. */
spn_status spn_instance_make(spn_instance *out, const spn_instance *planned, uint64_t seed,
                             spn_error *err);
void spn_instance_clear(spn_instance *instance);

/* Whether its energy counts what a perceptron, or a committee of them, does to patterns. */
bool spn_instance_has_patterns(const spn_instance *instance);

/* Whether a pattern is right where its stability is small, whatever its label. */
bool spn_instance_is_symmetric(const spn_instance *instance);

/* The values of one of its patterns, from its spins: fewer where units share them. */
size_t spn_instance_inputs(const spn_instance *instance);

/* Whether its users think in cuts; the cut of an energy, from which an offset is taken, and back.
 */
bool spn_instance_has_cuts(const spn_instance *instance);
double spn_instance_cut_of_energy(const spn_instance *instance, double energy);
double spn_instance_energy_of_cut(const spn_instance *instance, double cut);

/* The energy of the text of the setting target: of maxcut it is a cut. Errors: ARGUMENT (a negative
   cut). */
spn_status spn_instance_target(double *out, const spn_instance *instance, double target,
                               spn_error *err);

/* Whether the energy 0 is that no pattern is wrong, so that a run has a target without one being
   given. */
bool spn_instance_counts_errors(const spn_instance *instance);

/* What the settings that are not given come to, into the settings of a record. */
spn_status spn_instance_resolve(spn_record *out, const spn_instance *instance, spn_error *err);

/* A note of what is run; and one where terms of its energy count as 0 beside others. */
spn_status spn_instance_note(spn_record *out, const spn_instance *instance, spn_error *err);

/* XXH3 of a problem that was made: two of equal content have the same. */
uint64_t spn_instance_checksum(const spn_instance *instance);

/* The patterns that weights put right: stability label * <W, pattern> of kappa sqrt(N) or more; for
   symmetric, of at most that size; for committees, of 0 or more by the majority of the units. */
size_t spn_patterns_right(const spn_instance *instance, const int8_t *weights);

#endif

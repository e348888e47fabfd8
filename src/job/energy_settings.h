/* Settings that choose an energy, shared by all tasks that need one. */
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
    const char *program, *fix;
    int program_format; /* a spn_program_format */
    double penalty;
} spn_energy_settings;

extern const spn_setting spn_energy_rows[];

/* The chosen energy: a built-in one on a file or random patterns, a planted landscape (a table),
   or one from a shared object. Planning reads files but draws no random patterns. */
typedef struct spn_instance {
    const char *name;            /* as in the settings */
    const spn_energy_kind *kind; /* planted landscape: table; shared object: its own */
    size_t sites;
    double patterns;            /* 0: none */
    const spn_problem *problem; /* NULL for planted landscapes and shared objects, and until random
                                   patterns are drawn */
    const spn_energy *energy;   /* NULL until random patterns are drawn */
    const spn_planted *planted; /* NULL: not planted */
    const spn_program *program; /* NULL: not that of a problem with constraints */
    double penalty;             /* of its violations */
    uint64_t plugin;            /* XXH3 of a shared object and of what it read; 0: none */
    bool random, teacher, gaussian;
    double kappa;             /* threshold of the stabilities; default of its kind */
    size_t units;             /* hidden units of a committee; 0: none */
    bool tree;                /* tree committee */
    bool from_text;           /* set by `random`, not by `sites` */
    spn_random_text drawn;    /* of random patterns */
    uint64_t seed;            /* seed of the patterns if the settings give none; else 0 */
    spn_problem *own_problem; /* owned; may be NULL */
    spn_energy *own_energy;
} spn_instance;

/* Nothing has to be freed. Errors: ARGUMENT, INPUT, IO, MEMORY. */
spn_status spn_instance_plan(spn_instance *out, const spn_energy_settings *settings,
                             const spn_job *job, spn_inputs *inputs, spn_error *err);

/* Make the energy; draw random patterns, from seed if the settings give none. Borrows from the
   inputs. Clear out, also after an error. */
spn_status spn_instance_make(spn_instance *out, const spn_instance *planned, uint64_t seed,
                             spn_error *err);
void spn_instance_clear(spn_instance *instance);

/* Whether the energy is about patterns of a perceptron or committee. */
bool spn_instance_has_patterns(const spn_instance *instance);

/* Whether a pattern is right if its stability is small, whatever its label. */
bool spn_instance_is_symmetric(const spn_instance *instance);

/* Whether results are shown as cuts. spn_instance_cut turns an energy into a cut or back. */
bool spn_instance_has_cuts(const spn_instance *instance);
double spn_instance_cut(const spn_instance *instance, double energy);

/* Energy of the setting `target`, which is a cut for maxcut. Errors: ARGUMENT (a negative cut). */
spn_status spn_instance_target(double *out, const spn_instance *instance, double target,
                               spn_error *err);

/* Whether energy 0 means that no pattern is wrong, so that a run always has a target. */
bool spn_instance_counts_errors(const spn_instance *instance);

/* Add the values of settings that were not given to a record. */
spn_status spn_instance_resolve(spn_record *out, const spn_instance *instance, const spn_job *job,
                                spn_error *err);

/* Note what is run, and terms of the energy that are too small to count. */
spn_status spn_instance_note(spn_record *out, const spn_instance *instance, spn_error *err);

/* ---- energies that inputs make and share ----
   They belong to the inputs, and are NULL on failure. Errors start with the setting at fault. */

/* Landscape of a code with a ball of that radius, and its energy. code: generators such as
   0111100,1011010, or a file of them. */
spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err);

/* Energy of a shared object, and XXH3 of the object, the options and the file. */
spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_energy_settings *settings, spn_error *err);

/* Energy of a problem with constraints. penalty: 0: chosen. */
spn_status spn_inputs_program_energy(const spn_energy **energy, double *penalty, spn_inputs *inputs,
                                     const spn_program *program, spn_error *err);

/* XXH3 of the content of a problem. */
uint64_t spn_instance_checksum(const spn_instance *instance);

/* Number of patterns classified correctly: stability label * <W, pattern> of kappa sqrt(N) or
   more; for symmetric, at most that in size; for committees, 0 or more for most units. */
size_t spn_patterns_right(const spn_instance *instance, const int8_t *weights);

#endif

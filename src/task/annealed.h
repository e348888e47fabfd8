#ifndef SPN_TASK_ANNEALED_H
#define SPN_TASK_ANNEALED_H

#include "job/energy_settings.h"
#include "job/solutions.h"
#include "task/chain.h"
#include "task/measure.h"
#include "task/problem.h"
#include "task/teacher.h"
#include <spinney/reads.h>

struct spn_anneal_plan {
    spn_energy_settings energy;
    spn_problem_settings problem;
    spn_chain_settings chain;
    uint64_t reads;
    spn_engine engine;
    const char *device;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* Made from these: */
    spn_instance instance;
    spn_chain_plan options;
    spn_flip_plan flips;
    spn_problem_plan program; /* in place of the instance */
};

struct spn_annealed {
    const spn_anneal_plan *plan;
    spn_instance instance;
    spn_chain_options chain; /* with the measured range of beta */
    spn_beta_range range;
    spn_ran ran; /* a chain, or reads if there are several */
    bool is_reads;
    bool only_whole;    /* reads that the time limit cut off are left out */
    spn_snapshot state; /* of the chain */
    bool *solves;       /* which replicas make no error at the end; NULL without patterns */
    spn_solutions *solutions;
    double cut, best_energy, energy, lowest_energy, solved_share, active, overlap, centre_energy;
    spn_chain_found found;
    double distinct, best_reads, hits, success, median_energy;
    spn_teacher_found learnt;
    spn_curve_rows quantiles, reads, replicas, flips, profile;
    spn_answers *answers; /* of a problem with constraints, instead of all this but found */
    spn_solved solved;
};

/* All results; those measured after the run. */
extern const spn_quantity spn_anneal_results[], spn_anneal_measured[];

/* Read r; without best_spins if it was not begun or is left out. */
spn_read spn_annealed_read(const spn_annealed *a, size_t r);

/* Whether a read came to its own end. */
static inline bool spn_read_is_whole(const spn_read *read)
{
    return read->stop != SPN_STOP_NONE && read->stop != SPN_STOP_TIME;
}

/* Collect the best states of the replicas or reads, sorted. Errors: MEMORY. */
spn_status spn_annealed_collect(spn_annealed *a, spn_error *err);

/* Compute and record the results. The solutions must be collected. Errors: MEMORY. */
spn_status spn_annealed_record(spn_record *out, spn_annealed *a, bool with_details, spn_error *err);

/* The file name decides the format. Errors: FILE, MEMORY. */
spn_status spn_annealed_write(const spn_annealed *a, const char *path, spn_error *err);

void spn_annealed_clear(spn_annealed *a);

#endif

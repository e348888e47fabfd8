/* What the task `anneal` has annealed, and what it tells of it. */
#ifndef SPN_TASK_ANNEALED_H
#define SPN_TASK_ANNEALED_H

#include "job/energy_settings.h"
#include "job/solutions.h"
#include "task/chain_job.h"
#include "task/measure.h"
#include "task/reads_job.h"

typedef struct spn_anneal_plan {
    spn_energy_settings energy;
    spn_chain_settings chain;
    uint64_t reads;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* What they make. */
    spn_instance instance;
    spn_chain_plan options;
    spn_flip_plan flips;
} spn_anneal_plan;

/* A run that was annealed. */
typedef struct spn_annealed {
    const spn_anneal_plan *plan;
    spn_instance instance;
    spn_chain_ready ready;
    spn_ran chain;
    spn_snapshot state;
    bool *solves; /* which replicas make no error at the end; NULL where there are no patterns */
    spn_sampler *reads;       /* in place of the chain where there are several */
    spn_solutions *solutions; /* the best states */
    spn_curve_rows flips, profile;
} spn_annealed;

extern const spn_quantity spn_anneal_teacher_results[];

/* Whether the first hit of the chain's target energy means something: a target was given, or the
   energy counts errors, and the target is to make none. */
bool spn_anneal_counts_hits(const spn_chain_plan *chain, const spn_instance *instance);

/* The results of a single run; solves is found on the way. Errors: MEMORY. */
spn_status spn_annealed_record(spn_record *out, spn_annealed *a, bool with_details, spn_error *err);

/* The results of reads, whose solutions are collected. Errors: MEMORY. */
spn_status spn_annealed_record_reads(spn_record *out, const spn_annealed *a, const spn_run *run,
                                     spn_error *err);

/* Make the solutions: the best states of replicas or reads, sorted. Errors: MEMORY. */
spn_status spn_annealed_collect(spn_annealed *a, spn_error *err);

/* Write them to a file, by its name. Errors: FILE, MEMORY. */
spn_status spn_annealed_write(const spn_annealed *a, const char *path, spn_error *err);

#endif

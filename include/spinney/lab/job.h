/* A job is a task with texts for some of its settings. Nothing else is ever run: a command makes
   one job, a sweep a grid of them, and a binding for another language sets texts and reads results
   by name. */
#ifndef SPINNEY_LAB_JOB_H
#define SPINNEY_LAB_JOB_H

#include <spinney/dataset.h>
#include <spinney/lab/task.h>
#include <spinney/problems.h>

SPN_BEGIN_C

struct spn_job {
    const spn_task *task;
    size_t count;
    spn_field *given; /* given settings, except the seed, in order; canonical texts */
    void *values;     /* a plan with only these values; NULL: none */
    uint64_t seed;
    char seed_text[32];
    uint64_t instance_seed; /* for random problems whose text has none */
    size_t run;             /* from 1 */
    uint64_t key;           /* 0: not made yet */
};

/* A job with nothing set. Clear it. */
SPN_API spn_job spn_job_start(const spn_task *task);
SPN_API void spn_job_clear(spn_job *job);

/* Set the text of a setting, replacing any earlier one. The text is checked alone. Errors:
   ARGUMENT (no such setting; not a value of it), MEMORY. */
SPN_API spn_status spn_job_set(spn_job *job, const char *name, const char *text, spn_error *err);

/* The given text of a setting, or NULL; the given text, that of the preset, the default, or
   NULL. */
SPN_API const char *spn_job_given(const spn_job *job, const char *name);
SPN_API const char *spn_job_text(const spn_job *job, const char *name);

/* Make this run number `run` of a sweep's seed, and set its key and seeds. The key is a hash of
   seed, run, settings and task. The chain's seed leaves out the task and what is measured. The
   seed of random problems depends only on seed and run, so all points of a grid see the same
   problems. The order of settings does not matter. Errors: MEMORY. */
SPN_API spn_status spn_job_identify(spn_job *job, uint64_t seed, size_t run, spn_error *err);

/* Files, data sets and problems that jobs name: read once, never changed, shared by jobs and
   threads. beside: files are looked up beside this one, such as the specification of a sweep.
   NULL: in the current folder, and "-" is the standard input. */
SPN_API spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err);
SPN_API void spn_inputs_free(spn_inputs *inputs);

/* Let "@NAME" as the text of a file setting stand for an object. It is borrowed and must outlive
   the inputs: a problem for graph, patterns, table, minima and files of states; a data set for
   data and test; an energy for energy; a model for model and, as states, for files of states; a
   problem with constraints (spn_program) for problem. Call this before planning. Errors: ARGUMENT
   (the name is empty or taken), MEMORY. */
SPN_API spn_status spn_inputs_give(spn_inputs *inputs, const char *name, spn_object_kind kind,
                                   const void *object, spn_error *err);

/* Read and check all texts; nothing is run. Free the plan. Errors: ARGUMENT, INPUT, IO, MEMORY;
   those about a setting start with its name. */
SPN_API spn_status spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err);
SPN_API void spn_job_plan_free(const spn_task *task, void *plan);

/* Add the texts of settings that were not given, if they have one, to a record. plan may be NULL:
   then settings that depend on others are left out. */
SPN_API spn_status spn_job_resolve(spn_record *out, const spn_job *job, const void *plan,
                                   spn_error *err);

/* What a checkpoint of this job must match: lines "name value
   " of all settings that determine the result, with version, seeds and instruction set. The caller
   frees it; NULL without memory. more: lines of the task, such as checksums; may be NULL. */
SPN_API char *spn_job_identity(const spn_job *job, const void *plan, const char *more);

/* Plan, run, and fill a record except machine, finished and seconds. Clear out, also after an
   error. The checkpoint stays until spn_job_finish; call that once the results are safe. Errors:
   those of plans and runs. */
SPN_API spn_status spn_job_run(spn_record *out, spn_outcome *outcome, const spn_job *job,
                               const spn_run *run, spn_error *err);

/* The same with a plan made from this job and the inputs of the run; it is borrowed. */
SPN_API spn_status spn_job_run_plan(spn_record *out, spn_outcome *outcome, const spn_job *job,
                                    const void *plan, const spn_run *run, spn_error *err);

/* Remove the checkpoint of a complete run. */
SPN_API spn_status spn_job_finish(const spn_run *run, spn_error *err);

SPN_END_C
#endif

/* Jobs: a task with texts for some of its settings. Nothing else is ever run: a command makes one
   job, a sweep a grid of them, a binding for another language sets texts and reads results by name.
 */
#ifndef SPINNEY_LAB_JOB_H
#define SPINNEY_LAB_JOB_H

#include <spinney/dataset.h>
#include <spinney/lab/task.h>
#include <spinney/problems.h>

#ifdef __cplusplus
extern "C" {
#endif

struct spn_job {
    const spn_task *task;
    size_t count;
    spn_field
        *given;   /* the settings that were given, but the seed, in their order; canonical texts */
    void *values; /* a plan that holds what these texts say, and nothing else; NULL: none */
    uint64_t seed;
    char seed_text[32];
    uint64_t instance_seed; /* of random problems whose text has none */
    size_t run;             /* from 1 */
    uint64_t key;           /* 0: none was made */
};

/* A job with nothing given; to be cleared. */
SPN_API spn_job spn_job_start(const spn_task *task);
SPN_API void spn_job_clear(spn_job *job);

/* Give a setting a text, in place of one that it had. The text is checked by itself. Errors:
   ARGUMENT (no such setting; not a value of it), MEMORY. */
SPN_API spn_status spn_job_set(spn_job *job, const char *name, const char *text, spn_error *err);

/* The text of a setting as it was given, or NULL; the same, or the preset's, or the default, or
   NULL. */
SPN_API const char *spn_job_given(const spn_job *job, const char *name);
SPN_API const char *spn_job_text(const spn_job *job, const char *name);

/* Make the job number `run` of a sweep's seed: its key, and its seeds. The key is a hash of seed,
   run, settings and task, the chain's seed of all but the task and what is measured, and the seed
   of random problems of seed and run alone, so that all points of a grid see the same problems. The
   order in which settings were given does not matter. Errors: MEMORY. */
SPN_API spn_status spn_job_identify(spn_job *job, uint64_t seed, size_t run, spn_error *err);

/* ---- inputs ---- */

/* The files, data sets and problems that jobs name, read once, never changed, and shared by jobs
   and threads. beside: a file beside which those that settings name are looked for, such as the
   specification of a sweep. NULL: they are looked for in the current folder, and "-" is the
   standard input. */
SPN_API spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err);
SPN_API void spn_inputs_free(spn_inputs *inputs);

/* Let "@NAME", as the text of a setting that names a file, stand for an object of the caller's,
   which is borrowed and must outlive the inputs: a problem for graph, patterns, table, minima and
   for files of states; a data set for data and test; an energy for energy; a model for model and,
   its replicas' weights being states, for files of states. Before any job is planned. Errors:
   ARGUMENT (an empty name, or one that is taken), MEMORY. */
SPN_API spn_status spn_inputs_give(spn_inputs *inputs, const char *name, spn_object_kind kind,
                                   const void *object, spn_error *err);

/* ---- planning ---- */

/* Read all texts into the task's plan and check them; nothing is run. To be freed. Errors:
   ARGUMENT, INPUT, IO, MEMORY; those about a setting start with its name. */
SPN_API spn_status spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err);
SPN_API void spn_job_plan_free(const spn_task *task, void *plan);

/* The texts of all settings that are not given, as far as they have one, into the settings of a
   record. plan may be NULL: then without what depends on other settings. */
SPN_API spn_status spn_job_resolve(spn_record *out, const spn_job *job, const void *plan,
                                   spn_error *err);

/* What a checkpoint of this job must agree with: lines "name value\n" of all settings, given or
   not, that determine the result, with the version, the seeds and the instruction set; to be freed.
   NULL without memory. more: lines of the task's own, such as checksums; may be NULL. */
SPN_API char *spn_job_identity(const spn_job *job, const void *plan, const char *more);

/* ---- running ---- */

/* Plan, run, and fill a record with everything but machine, finished and seconds; to be cleared,
   also after an error. The checkpoint stays until spn_job_finish, which is called once the results
   are safe. Errors: those of plans and of runs. */
SPN_API spn_status spn_job_run(spn_record *out, spn_outcome *outcome, const spn_job *job,
                               const spn_run *run, spn_error *err);

/* The same of a plan that was made of the job with the inputs of the run, and is borrowed. */
SPN_API spn_status spn_job_run_plan(spn_record *out, spn_outcome *outcome, const spn_job *job,
                                    const void *plan, const spn_run *run, spn_error *err);

/* Drop the checkpoint of a run that is complete. */
SPN_API spn_status spn_job_finish(const spn_run *run, spn_error *err);

#ifdef __cplusplus
}
#endif
#endif

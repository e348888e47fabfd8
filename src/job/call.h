/* A call, from inside: a job with its inputs, its plan and what came of it. */
#ifndef SPN_JOB_CALL_H
#define SPN_JOB_CALL_H

#include "base/json.h"
#include "job/run_options.h"
#include "job/solutions.h"

#include <spinney/lab/call.h>
#include <spinney/lab/job.h>

/* Who watches a call. */
typedef struct spn_call_watching {
    spn_watcher *tell; /* NULL: nobody */
    void *context;
    uint64_t every;     /* steps; 0: by the clock alone */
    double told;        /* when the watcher was called last, by the clock */
    uint64_t told_step; /* the last of the fixed steps that it has seen; UINT64_MAX: none */
    double share;       /* that was done by then */
} spn_call_watching;

enum { SPN_CALL_FILES = 3 };

/* The texts of settings that were not given, made when they are first asked for: most calls are not
   asked. */
typedef struct spn_call_texts {
    bool made;
    spn_record resolved;
} spn_call_texts;

struct spn_call {
    spn_job job;
    spn_inputs *inputs;
    spn_call_watching watching;
    spn_run_options options;
    char *files[SPN_CALL_FILES]; /* the texts of options that are files, in their order */
    volatile sig_atomic_t stop;
    void *plan; /* NULL: none since the settings were changed */
    spn_call_texts *texts;
    bool started; /* it was run */
    bool done;    /* and there are results: */
    spn_record record;
    spn_outcome outcome;
    spn_solutions *solutions; /* NULL: none */
    spn_model *model;         /* likewise */
};

/* Make the texts of the plan, if there is one: the settings that were not given. Errors: memory. */
spn_status spn_call_resolve(const spn_call *call, spn_error *err);

/* These texts; none without memory. */
const spn_record *spn_call_resolved(const spn_call *call);

/* Plan it unless that is done, and run it with the stop, progress, pause and context of *how. The
   checkpoint stays until spn_call_finish, which is called once the results are safe. Errors: those
   of plans and of runs. */
spn_status spn_call_run_as(spn_call *call, const spn_run *how, spn_error *err);
spn_status spn_call_finish(const spn_call *call, spn_error *err);

/* Write what it found as an object that stays open for more members: the names are those of a line
   of a manifest, with all settings, and at most `rows` of the states that reads found. Errors:
   MEMORY. */
spn_status spn_call_put_json(spn_json *json, const spn_call *call, size_t rows, spn_error *err);

/* What a run calls as it goes on, and in its pauses; context: the call. */
void spn_call_pause(void *context);
void spn_call_progress(void *context, const spn_progress *progress);

#endif

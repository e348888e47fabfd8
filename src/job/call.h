#ifndef SPN_JOB_CALL_H
#define SPN_JOB_CALL_H

#include "base/json.h"
#include "job/answers.h"
#include "job/run.h"
#include "job/solutions.h"

#include <spinney/lab/call.h>
#include <spinney/lab/job.h>

enum { SPN_CALL_FILES = 3 };

struct spn_call {
    spn_job job;
    spn_inputs *inputs;
    spn_watcher *watcher; /* NULL: none */
    void *watcher_context;
    uint64_t watch_every; /* steps; 0: by the clock alone */
    double told;          /* clock time of its last call */
    uint64_t told_step;   /* last fixed step that it saw; UINT64_MAX: none */
    double share;         /* share done by then */
    spn_run_options options;
    char *files[SPN_CALL_FILES]; /* texts of options that are files, in order */
    volatile sig_atomic_t stop;
    void *plan; /* NULL: none since the settings changed */
    bool is_resolved;
    spn_record resolved; /* settings that were not given; filled on first use */
    bool started;
    bool done; /* there are results: */
    spn_record record;
    spn_outcome outcome;
    spn_solutions *solutions; /* NULL: none */
    spn_answers *answers;     /* NULL: none */
    spn_model *model;         /* NULL: none */
};

/* Values of the settings that were not given. Needs a plan; NULL without memory. */
const spn_record *spn_call_resolved(spn_call *call);

/* Plan if needed, and run with the stop, progress, pause and context of *how. The checkpoint stays
   until spn_call_finish; call that once the results are safe. Errors: those of plans and runs. */
spn_status spn_call_run_as(spn_call *call, const spn_run *how, spn_error *err);
spn_status spn_call_finish(const spn_call *call, spn_error *err);

/* Write the results as an object that stays open for more members. Names are those of a
   manifest line, with all settings and at most `rows` states. Call spn_call_resolved first.
   Errors: MEMORY. */
spn_status spn_call_put_json(spn_json *json, const spn_call *call, size_t rows, spn_error *err);

#endif

/* Calls run a task for programs that cannot use C structs, such as bindings for other languages.
   Settings are texts or objects of libspinney. Results are numbers, texts and arrays, found by
   name. The tables of tasks, also available as JSON, list what you can set and read.

     spn_call *call;
     spn_call_create(&call, "anneal", &err);
     spn_call_set(call, "energy", "ising", &err);
     spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err);
     spn_call_run(call, &err);
     double best = spn_call_number(call, "best_energy");
     spn_call_free(call);

   One thread at a time may use a call, except for spn_call_stop. Calls share nothing, so any
   number of them may run at once. */
#ifndef SPINNEY_LAB_CALL_H
#define SPINNEY_LAB_CALL_H

#include <spinney/dataset.h>
#include <spinney/energy.h>
#include <spinney/lab/records.h>
#include <spinney/lab/task.h>
#include <spinney/model.h>
#include <spinney/problems.h>
#include <spinney/program.h>
#include <spinney/sampler.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

/* All tasks as JSON, to be freed with spn_text_free:
     {"version": ..., "tasks": [{"name", "summary", "details", "product", "product_extension",
       "chain", "settings": [...], "options": [...], "presets": [{"name", "about", "texts": {}}],
   "results": [...]}]} Options are what spn_call_option takes, with rows as settings have. A row is
   {"heading": ...}, or a setting: "name", "kind" (whole, real, flag, word, range, text, list, file,
   wholes), "argument", "unit", "default" (a text), "otherwise", "words", "least", "most", "help",
   "label", and "effort", "measure", "seed", "infinite", "count", "plugin", which are true or false;
   a result: "name", "kind" (number, text, column, matrix), "unit", "label", "help", and "main",
       "detail", "best", "share", which are true or false.
   What a row does not have is null. Errors: MEMORY. */
SPN_API spn_status spn_tables_json(char **out, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_text_free(char *text);

typedef struct spn_call spn_call;

/* Create a call with nothing set. Errors: ARGUMENT (no such task), MEMORY. */
SPN_API spn_status spn_call_create(spn_call **out, const char *task, spn_error *err);
/* Accepts NULL. Not while the call runs. */
SPN_API void spn_call_free(spn_call *call);

/* Set the text of a setting, replacing any earlier one. The text is checked alone. Errors:
   ARGUMENT (no such setting, not a value of it, the call was run), MEMORY. */
SPN_API spn_status spn_call_set(spn_call *call, const char *name, const char *text, spn_error *err);

/* Set several settings: names and texts in turn, each ended by a zero byte, with an empty name
   after the last. Those before a wrong one are set. Errors: the same. */
SPN_API spn_status spn_call_set_all(spn_call *call, const char *texts, spn_error *err);

/* Give an object in place of a file. It is borrowed until the call is freed: a problem for graph,
   patterns, table, minima and files of states; a data set for data and test; an energy for energy;
   a model for model and, as states, for init; a problem with constraints (spn_program) for
   problem. The text of the setting becomes "@NAME", with its
   own name. Planning checks the kind. Errors: as above; ARGUMENT also if the setting has an object
   already. */
SPN_API spn_status spn_call_give(spn_call *call, const char *setting, spn_object_kind kind,
                                 const void *object, spn_error *err);

typedef struct spn_object {
    const char *setting;
    const void *object; /* borrowed until the call is freed */
    int kind;           /* spn_object_kind */
} spn_object;

/* Create a call from `count` objects and texts as in spn_call_set_all. After an error nothing is
   left. Errors: those of the functions above. */
SPN_API spn_status spn_call_prepare(spn_call **out, const char *task, const char *texts,
                                    const spn_object *objects, size_t count, spn_error *err);

/* Set an option of the task's command, named without dashes: out, if the task has a product; if it
   runs a chain, also checkpoint, every, trace and trace-every. A run resumes from an existing
   checkpoint and removes it at its end. The tables list these under "options". Errors: as above. */
SPN_API spn_status spn_call_option(spn_call *call, const char *name, const char *text,
                                   spn_error *err);

/* Called with the progress of a call. share: of the whole run, 0 to 1. state: replicas of a chain
   or, if there are words, of the last rung of a ladder; NULL: neither runs. proposals: 0 if
   unknown. due: called at a fixed step, not by the clock. Pointers are valid only during the
   callback. Return 0 to continue; other values stop the call, as spn_call_stop does. */
typedef int spn_watcher(void *context, const spn_progress *now);

/* Call a watcher about ten times a second. Unless every is 0, also call it at the start of a chain
   and after every `every` steps (UINT64_MAX: about a hundred times). It runs in the thread of the
   call or, for parallel reads, in one of theirs, one at a time. NULL: no watcher. */
SPN_API void spn_call_watch(spn_call *call, spn_watcher *watcher, void *context, uint64_t every);

/* Check all settings together without running. You can change the call and plan again. Errors:
   ARGUMENT, INPUT, IO, MEMORY; those about a setting start with its name and a colon. */
SPN_API spn_status spn_call_plan(spn_call *call, spn_error *err);

/* Run once. Errors: those of planning and of runs. After an error there are no results. */
SPN_API spn_status spn_call_run(spn_call *call, spn_error *err);

/* The same with a watcher, as in spn_call_watch. */
SPN_API spn_status spn_call_run_watched(spn_call *call, spn_watcher *watcher, void *context,
                                        uint64_t every, spn_error *err);

/* Stop the call, from any thread or a signal handler, before or while it runs. */
SPN_API void spn_call_stop(spn_call *call);

/* Whether it ran to its end. False before the run. */
SPN_API bool spn_call_complete(const spn_call *call);

/* ---- results ----
   There are none before the run, and after one that failed. What pointers show belongs to the call.
 */

/* A numeric result, or seconds; NaN: none. */
SPN_API double spn_call_number(const spn_call *call, const char *result);

/* A result that is a word, such as stop; or the text of a setting, given or not, known once the
   call is planned. NULL: none. */
SPN_API const char *spn_call_text(spn_call *call, const char *name);

/* Note k, a line about the run; NULL past the last. */
SPN_API const char *spn_call_note(const spn_call *call, size_t k);

/* Curve k, columns of equal length; NULL past the last. */
SPN_API const spn_result_curve *spn_call_curve(const spn_call *call, size_t k);

/* The best states found, each once, lowest energy first: of the reads, or of the replicas of one
   run. */
typedef struct spn_states {
    size_t count, sites;          /* 0: the task finds none */
    bool of_reads;                /* found by reads, else by replicas */
    bool binary;                  /* users see spins as 0 and 1 */
    bool has_cuts;                /* the energy is maxcut */
    const char *const *variables; /* names from the problem; NULL: none */
    /* If anneal made one run: its final replicas, replicas * sites spins one replica after the
       other, and their energies. Else 0 and NULL. */
    size_t replicas;
    const int8_t *end_spins;
    const double *end_energies;
    /* Arrays to fill, each may be NULL: energy; count; number, from 0, of the read or replica that
       found the state first; cut, if any. */
    double *energies;
    uint64_t *counts, *firsts;
    double *cuts;
} spn_states;

/* Fill the struct. Start from zeros; set arrays of `count` if you want them filled. */
SPN_API void spn_call_states(spn_states *inout, const spn_call *call);

/* Spins, -1 or +1, of at most `count` states from `first` on, one state after the other. Returns
   the number of states. O(count N). */
SPN_API size_t spn_call_spins(const spn_call *call, size_t first, size_t count, int8_t *out);

/* The solutions of a problem with constraints, each once, best first: feasible ones by objective,
   then others by violation and objective. */
typedef struct spn_answer_arrays {
    size_t count, variables;    /* 0: the task finds none */
    uint64_t reads;             /* of which each solution is the best of some */
    const spn_program *program; /* NULL: none; it lives as long as the call, or as the one given */
    /* Arrays to fill, each may be NULL: of each solution the objective; the sum of the violations
       of constraints that must hold (0: feasible); the reads that found it; the first of them, from
       0; the variables that have other values than in the first solution; the values, count *
       variables, one solution after the other; and how each fares in a changed world, left alone
       unless that was measured. */
    double *objectives, *violations;
    uint64_t *counts, *firsts, *distances;
    int32_t *values;
    spn_robust *robust;
    bool is_shaken; /* how they fare in a changed world was measured */
} spn_answer_arrays;

/* Fill the struct. Start from zeros; set arrays of `count` if you want them filled. */
SPN_API void spn_call_answers(spn_answer_arrays *inout, const spn_call *call);

/* The model that train made, with its manifest; NULL: none. spn_call_take_model passes it to you;
   free it with spn_model_free. */
SPN_API const spn_model *spn_call_model(const spn_call *call);
SPN_API spn_model *spn_call_take_model(spn_call *call);

/* What the program prints with --json, except "files", with at most `rows` states. Free it with
   spn_text_free. Errors: ARGUMENT (it has not run; a text is not UTF-8), MEMORY. */
SPN_API spn_status spn_call_json(char **out, spn_call *call, size_t rows, spn_error *err);

SPN_END_C
#endif

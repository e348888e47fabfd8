/* Calls: a task for a program that has no use for C structs, such as a binding for another
   language: settings go in as texts or as objects of libspinney, and results come out by name, as
   numbers, texts and arrays of them. The tables of tasks, which you can have as JSON, list what you
   can set and ask for.

     spn_call *call;
     spn_call_create(&call, "anneal", &err);
     spn_call_set(call, "energy", "ising", &err);
     spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err);
     spn_call_run(call, &err);
     double best = spn_call_number(call, "best_energy");
     spn_call_free(call);

   A call is used by one thread at a time, except by spn_call_stop. Calls share nothing: any number
   of them may run at once, in threads of their own. */
#ifndef SPINNEY_LAB_CALL_H
#define SPINNEY_LAB_CALL_H

#include <spinney/dataset.h>
#include <spinney/energy.h>
#include <spinney/lab/records.h>
#include <spinney/lab/task.h>
#include <spinney/model.h>
#include <spinney/problems.h>
#include <spinney/sampler.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* ---- what to do ---- */

typedef struct spn_call spn_call;

/* A call of a task with nothing set. Errors: ARGUMENT (no such task), MEMORY. */
SPN_API spn_status spn_call_create(spn_call **out, const char *task, spn_error *err);
/* Accepts NULL. Not while it runs. */
SPN_API void spn_call_free(spn_call *call);

/* Give a setting a text, in place of one that it had. The text is checked by itself. Errors:
   ARGUMENT (no such setting, not a value of it, the call was run), MEMORY. */
SPN_API spn_status spn_call_set(spn_call *call, const char *name, const char *text, spn_error *err);

/* Give several settings their texts in one call: names and texts in turns, each ended by a zero
   byte, and an empty name after the last. Those before one that is wrong are given. Errors: the
   same. */
SPN_API spn_status spn_call_set_all(spn_call *call, const char *texts, spn_error *err);

/* Give a setting that names a file an object of the caller's instead, which is borrowed until the
   call is freed: a problem for graph, patterns, table, minima and files of states; a data set for
   data and test; an energy for energy; a model for model and, its replicas' weights being states,
   for init. Its text is then "@NAME", NAME being the setting's. Whether it is of the right kind is
   seen when the call is planned. Errors: as above; ARGUMENT also if the setting was given an object
   before. */
SPN_API spn_status spn_call_give(spn_call *call, const char *setting, spn_object_kind kind,
                                 const void *object, spn_error *err);

/* One of several. */
typedef struct spn_object {
    const char *setting;
    const void *object; /* borrowed until the call is freed */
    int kind;           /* spn_object_kind */
} spn_object;

/* A call with everything at once: `count` objects, and then texts as in spn_call_set_all. Nothing
 * is left behind after an error. Errors: those of the functions above. */
SPN_API spn_status spn_call_prepare(spn_call **out, const char *task, const char *texts,
                                    const spn_object *objects, size_t count, spn_error *err);

/* The options of the task's command, without dashes: out, if the task makes something; if it runs a
   chain, checkpoint, every, trace and trace-every. A run goes on from its checkpoint if there is
   one, and drops it at its end. The tables have them under "options". Errors: as above. */
SPN_API spn_status spn_call_option(spn_call *call, const char *name, const char *text,
                                   spn_error *err);

/* ---- watching ---- */

/* Called with how far a call is. share: of all of it, 0 to 1. state: the replicas of a chain or, if
   there are words, of the last rung of a ladder; NULL: neither runs. proposals: 0 if they are not
   known. due: at one of the fixed steps; else at a tick of the clock. Everything is valid within
   the call back only. Return 0 to go on. Anything else stops the call, as spn_call_stop does. */
typedef int spn_watcher(void *context, const spn_progress *now);

/* Call a watcher some ten times a second and, unless every is 0, at the start of a chain and after
   every `every` steps of it (UINT64_MAX: about a hundred times). It is called from the thread that
   runs the call or, if reads run side by side, from one of theirs, one at a time. NULL: nobody
   watches. */
SPN_API void spn_call_watch(spn_call *call, spn_watcher *watcher, void *context, uint64_t every);

/* ---- running ---- */

/* Check all settings together, without running; the call may be changed and planned again. Errors:
   ARGUMENT, INPUT, IO, MEMORY; those about a setting start with its name and a colon. */
SPN_API spn_status spn_call_plan(spn_call *call, spn_error *err);

/* Run it, once. Errors: those of planning, and of runs. After an error there are no results. */
SPN_API spn_status spn_call_run(spn_call *call, spn_error *err);

/* The same with a watcher, as of spn_call_watch. */
SPN_API spn_status spn_call_run_watched(spn_call *call, spn_watcher *watcher, void *context,
                                        uint64_t every, spn_error *err);

/* Have it stopped, from any thread or from a signal handler, before or while it runs. */
SPN_API void spn_call_stop(spn_call *call);

/* Whether it ran to its end. False also before it ran. */
SPN_API bool spn_call_complete(const spn_call *call);

/* ---- results ----
   There are none before the run, and after one that failed. What pointers show belongs to the call.
 */

/* A result that is a number, or seconds; NaN: there is none. */
SPN_API double spn_call_number(const spn_call *call, const char *result);

/* A result that is a word, such as stop; or the text of a setting, given or not, which is known
   once the call was planned. NULL: there is none. */
SPN_API const char *spn_call_text(const spn_call *call, const char *name);

/* Note k, a line that says something of the run; NULL past the last. */
SPN_API const char *spn_call_note(const spn_call *call, size_t k);

/* Curve k: columns of numbers of one length; NULL past the last. */
SPN_API const spn_result_curve *spn_call_curve(const spn_call *call, size_t k);

/* The best states that were found, each distinct one once, lowest energy first: of the reads, or of
   the replicas if there is one run. */
typedef struct spn_states {
    size_t count, sites;          /* 0: the task finds none */
    bool of_reads;                /* they are those of reads, else of replicas */
    bool binary;                  /* users see spins as 0 and 1 */
    bool has_cuts;                /* the energy is maxcut's */
    const char *const *variables; /* the names that the problem gives them; NULL: none */
    /* If anneal made one run: its replicas at the end, replicas * sites spins one replica after the
       other, and their energies; else 0 and NULL. */
    size_t replicas;
    const int8_t *end_spins;
    const double *end_energies;
    /* Where to put, for each state, its energy; how often it was found; the number, from 0, of the
       read or replica that found it first; its cut, if it has one. Each may be NULL. */
    double *energies;
    uint64_t *counts, *firsts;
    double *cuts;
} spn_states;

/* Fill a struct that starts as zeros, but for arrays of `count` that you ask for. */
SPN_API void spn_call_states(spn_states *inout, const spn_call *call);

/* The spins, -1 or +1, of at most `count` states from `first` on, one state after the other.
   Returns how many states that are. O(count N). */
SPN_API size_t spn_call_spins(const spn_call *call, size_t first, size_t count, int8_t *out);

/* The model that train made, with its manifest; NULL: there is none. The second hands it over,
   to be freed with spn_model_free: the call has none any more. */
SPN_API const spn_model *spn_call_model(const spn_call *call);
SPN_API spn_model *spn_call_take_model(spn_call *call);

/* What the program prints with --json, but "files": at most `rows` states; to be freed with
   spn_text_free. Errors: ARGUMENT (it has not run; a text is not UTF-8), MEMORY. */
SPN_API spn_status spn_call_json(char **out, const spn_call *call, size_t rows, spn_error *err);

#ifdef __cplusplus
}
#endif
#endif

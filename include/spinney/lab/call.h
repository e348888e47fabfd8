/* Calls: a task for a program that has no use for C structs, such as a binding for another
   language. Everything is opaque, but for spn_object, a row of three: settings go in as texts or as
   objects of libspinney, and results come out by name, as numbers, texts and arrays of them. What
   there is to set and to ask for is told by the tables of tasks, which can be had as JSON.

     spn_call *call;
     spn_call_create(&call, "anneal", &err);
     spn_call_set(call, "energy", "ising", &err);
     spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err);
     spn_call_run(call, &err);
     double best = spn_call_number(call, "best_energy");
     spn_call_free(call);

   A call is used by one thread at a time, but for spn_call_stop. Nothing is shared between calls:
   as many as one likes run at once, in threads of their own. */
#ifndef SPINNEY_LAB_CALL_H
#define SPINNEY_LAB_CALL_H

#include <spinney/dataset.h>
#include <spinney/energy.h>
#include <spinney/lab/records.h>
#include <spinney/lab/task.h>
#include <spinney/model.h>
#include <spinney/problems.h>
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

/* ---- what is to be done ---- */

typedef struct spn_call spn_call;

/* A call of a task with nothing set. Errors: ARGUMENT (no such task), MEMORY. */
SPN_API spn_status spn_call_create(spn_call **out, const char *task, spn_error *err);
/* Accepts NULL. Not while it runs. */
SPN_API void spn_call_free(spn_call *call);

/* Give a setting a text, in place of one that it had. The text is checked by itself. Errors:
   ARGUMENT (no such setting, not a value of it, the call was run), MEMORY. */
SPN_API spn_status spn_call_set(spn_call *call, const char *name, const char *text, spn_error *err);

/* Give several settings their texts in one call: names and texts in turns, each ended by a zero
   byte, and an empty name behind the last. Those before one that is wrong are given. Errors: the
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

/* A call with all that it is given, at once: `count` objects, and then texts as of
   spn_call_set_all. Nothing is left behind after an error. Errors: those of the functions above. */
SPN_API spn_status spn_call_prepare(spn_call **out, const char *task, const char *texts,
                                    const spn_object *objects, size_t count, spn_error *err);

/* What else can be asked for, as commands have it, without dashes: out, where the task makes
   something; where it runs a chain, checkpoint, every, trace and trace-every. A run goes on from
   its checkpoint where that is there, and drops it at its end. The tables have them under
   "options". Errors: as above. */
SPN_API spn_status spn_call_option(spn_call *call, const char *name, const char *text,
                                   spn_error *err);

/* ---- watching ---- */

/* How far a call is; valid within the call back only. */
typedef struct spn_moment spn_moment;

/* 0: go on. Anything else: stop there; the call ends as after spn_call_stop. */
typedef int spn_watcher(void *context, const spn_moment *moment);

/* Tell a watcher some ten times a second and, where every is not 0, at the start of a chain and
   after every `every` steps of it (UINT64_MAX: so often that there are about a hundred moments). It
   is called from the thread that runs the call or, where reads run side by side, from one of
   theirs, one at a time. NULL: nobody watches. */
SPN_API void spn_call_watch(spn_call *call, spn_watcher *watcher, void *context, uint64_t every);

/* done: the share that is done, 0 to 1. at: 1 at one of the fixed steps, 0 at a tick of the clock.
   Of a chain, and of the last rung of a ladder: step, beta, gamma, energy (mean over the replicas),
   best_energy (lowest of all that was met), overlap (mean over pairs); of a chain alone: acceptance
   (of the proposals since the watcher was told last). proposals: of all replicas so far. NaN: not
   known here, or no such name. */
SPN_API double spn_moment_number(const spn_moment *moment, const char *name);

/* What is done now, in words; may be NULL. */
SPN_API const char *spn_moment_words(const spn_moment *moment);

/* The spins of the replicas, -1 and +1, one replica after the other; their energies. NULL where no
   single chain runs. */
SPN_API const int8_t *spn_moment_spins(const spn_moment *moment, size_t *replicas, size_t *sites);
SPN_API const double *spn_moment_energies(const spn_moment *moment, size_t *replicas);

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

/* A result that is a number, or seconds; NaN where there is none. */
SPN_API double spn_call_number(const spn_call *call, const char *result);

/* A result that is a word, such as stop; or the text of a setting, given or not, which is known
   once the call was planned. NULL: there is none. */
SPN_API const char *spn_call_text(const spn_call *call, const char *name);

/* Note k, a line that says something of the run; NULL past the last. */
SPN_API const char *spn_call_note(const spn_call *call, size_t k);

/* Curve k: columns of numbers of one length; NULL past the last. */
SPN_API const spn_result_curve *spn_call_curve(const spn_call *call, size_t k);

/* The best states that were found, each distinct one once, lowest energy first: of the reads, or of
   the replicas where there is one run. 0 where the task finds none. */
SPN_API size_t spn_call_states(const spn_call *call);
SPN_API size_t spn_call_sites(const spn_call *call);

/* Of `count` states from `first` on, first + count being at most their number: spins, -1 or +1,
   count * sites of them. O(count N). */
SPN_API void spn_call_spins(const spn_call *call, size_t first, size_t count, int8_t *out);

/* The spins of the state of lowest energy, as many as there are sites; false: there is none. O(N).
 */
SPN_API bool spn_call_best(const spn_call *call, int8_t *out);

/* Of all states: their energies; how often each was found; the number, from 0, of the read or
   replica that found it first; of maxcut their cuts, false where the energy has none. */
SPN_API void spn_call_energies(const spn_call *call, double *out);
SPN_API void spn_call_counts(const spn_call *call, uint64_t *out);
SPN_API void spn_call_firsts(const spn_call *call, uint64_t *out);
SPN_API bool spn_call_cuts(const spn_call *call, double *out);

/* Whether the states are those of reads, else of replicas; whether users see spins as 0 and 1. */
SPN_API bool spn_call_of_reads(const spn_call *call);
SPN_API bool spn_call_binary(const spn_call *call);

/* The name of variable i that the problem gives it, or NULL. */
SPN_API const char *spn_call_variable(const spn_call *call, size_t i);

/* Where anneal made one run: its replicas at the end, replicas * sites spins one replica after the
   other, and their energies. 0 and NULL elsewhere. */
SPN_API size_t spn_call_replicas(const spn_call *call);
SPN_API const int8_t *spn_call_end_spins(const spn_call *call);
SPN_API const double *spn_call_end_energies(const spn_call *call);

/* The model that train made, with its manifest; NULL where there is none. The second hands it over,
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

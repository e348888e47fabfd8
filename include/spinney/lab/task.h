/* Tasks: what can be run, each described once, in one file of its own: a table of its settings, a
   table of what it finds, and the functions that plan a run from texts, tell its cost, and do it.
 */
#ifndef SPINNEY_LAB_TASK_H
#define SPINNEY_LAB_TASK_H

#include <signal.h>
#include <spinney/chain.h>
#include <spinney/lab/records.h>
#include <spinney/lab/setting.h>
#include <spinney/model.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_job spn_job;
typedef struct spn_inputs spn_inputs;       /* data and problems, read once: <spinney/lab/job.h> */
typedef struct spn_solutions spn_solutions; /* the states that a run found */

/* What can be given in place of a file: an spn_problem, spn_dataset, spn_energy or spn_model. */
typedef enum spn_object_kind {
    SPN_OBJECT_PROBLEM,
    SPN_OBJECT_DATASET,
    SPN_OBJECT_ENERGY,
    SPN_OBJECT_MODEL
} spn_object_kind;

/* ---- what a task finds ---- */

typedef enum spn_quantity_kind {
    SPN_QUANTITY_NUMBER, /* one number of each run */
    SPN_QUANTITY_TEXT,   /* one word of each run, such as why it stopped */
    SPN_QUANTITY_COLUMN, /* CURVE.COLUMN: a column of numbers, such as flips.accuracy; the curve
                            `replicas` has a row for each replica */
    SPN_QUANTITY_MATRIX  /* a table whose columns depend on the data, such as confusion */
} spn_quantity_kind;

enum {
    SPN_QUANTITY_MAIN = 1,      /* tables show it if you name no results */
    SPN_QUANTITY_DETAIL = 2,    /* recorded only with details: by a command, or kept by a sweep */
    SPN_QUANTITY_BEST = 4,      /* about the best state: in the first line that a command prints */
    SPN_QUANTITY_SHARE = 8,     /* 0, 1 or a share of a count: its mean has Wilson's interval */
    SPN_QUANTITY_OPTIONAL = 16, /* left out of the record if it is NaN; otherwise NaN is null. A
                                   column is left out if its first number is NaN */
    SPN_QUANTITY_CLOCK = 32     /* a time: a field of the record, not one of its results */
};

/* The numbers of a curve as a run leaves them: structs of doubles, one for each row. */
typedef struct spn_curve_rows {
    size_t count, size; /* of the rows; of each in bytes */
    void *rows;         /* owned by the run; NULL: there is no such curve this time */
} spn_curve_rows;

/* A table whose columns depend on the data; everything is owned by the run. */
typedef struct spn_matrix {
    size_t rows, columns;
    const char *const *names; /* of the columns */
    double **values;          /* of each column; NULL: there is no such matrix this time */
} spn_matrix;

/* A result: a row of a table, with how to get it from a run that is over. A row without a name is
   a heading, its help; or a group: the rows of another table in its place. The getters of a row
   are given the struct that its group is about. */
typedef struct spn_quantity spn_quantity;
struct spn_quantity {
    const char *name;
    spn_quantity_kind kind;
    unsigned flags;
    const char *unit;  /* NULL: none */
    const char *label; /* of an axis; NULL: the name */
    const char *help;  /* one line */
    int order; /* of the row in records, added to that of its group; rows of equal order stay as in
                  the table */
    int (*place)(const void *run); /* the order, if it depends on the run; may be NULL */
    /* Why a run of this plan does not have it: what it needs, in words; NULL: the run has it. */
    const char *(*needs)(const void *plan);
    /* How to get it from the struct; without a getter it is there at `at`: a double, a const char *
       (NULL: none this time), the column's double in each row of a spn_curve_rows (which is the
       struct of the group of a curve's columns), or a spn_matrix. */
    double (*number)(const void *run);
    const char *(*text)(const void *run);
    size_t at;
    /* Of a group: its rows, whose struct is at `at` of the run and at plan_at of the plan; or what
       this function finds there, NULL if the run has none of the group. */
    const spn_quantity *group;
    size_t plan_at;
    const void *(*of)(const void *run);
};

/* A walk over the rows of a table and of its groups. */
enum { SPN_QUANTITY_DEPTH = 4 };
typedef struct spn_quantity_walk {
    struct {
        const spn_quantity *next, *group; /* the group that these rows are; NULL: the table */
    } level[SPN_QUANTITY_DEPTH];
    size_t depth;
    const spn_quantity *row; /* a result, or a heading if it has no name */
} spn_quantity_walk;

SPN_API spn_quantity_walk spn_quantity_walk_start(const spn_quantity *table);
/* Go to the next row; false past the last. */
SPN_API bool spn_quantity_walk_next(spn_quantity_walk *walk);

/* The row of the time that every run takes, which is in no list of results but in the record. */
#define SPN_SECONDS_QUANTITY                                                                       \
    {                                                                                              \
        .name = "seconds", .flags = SPN_QUANTITY_CLOCK, .unit = "s", .label = "time",              \
        .help = "time of the run"                                                                  \
    }

/* ---- how it is run ---- */

/* Instead of a number of steps: for about a hundred moments of a chain's run. */
#define SPN_WATCH_SOME UINT64_MAX

typedef struct spn_run {
    spn_inputs *inputs;
    const volatile sig_atomic_t *stop; /* may be NULL */
    uint64_t steps; /* 0: those of the settings; else a short run, for calibration: no measures */
    bool details;   /* also what is marked as detail */
    /* Files; each may be NULL. The run goes on from the checkpoint if it is there. */
    const char *checkpoint;
    double save_seconds; /* between its writes, at least; 0: as often as save_steps says */
    uint64_t save_steps; /* 0: a twentieth of the run */
    const char *trace;
    uint64_t trace_steps; /* between its rows; 0: a power of two, for about 500 rows */
    const char *product;  /* what the task makes: a model, states */
    /* How far it is: share of the whole run; a state if a chain runs or, with words, a ladder; due
       at the steps that watch_steps asks for. May be NULL. */
    void (*progress)(void *context, const spn_progress *progress);
    void *context;
    void (*pause)(void *context); /* called some ten times a second also where there is no progress
                                     to tell; may be NULL */
    spn_solutions **solutions;    /* where a task that finds states leaves them, to be freed; may be
                                     NULL, and stay NULL */
    spn_model **model;    /* the same of a task that makes a model, with its manifest; may be
                             NULL, and stay NULL */
    uint64_t watch_steps; /* 0: progress is told now and then; else also at the start of a
                             chain and after every watch_steps of its steps; of a ladder after the
                             scans that are nearest below; or SPN_WATCH_SOME */
} spn_run;

/* Accepts NULL. */
SPN_API void spn_solutions_free(spn_solutions *solutions);

/* What became of a run besides its results; none of it is in records but `seconds`. */
typedef struct spn_outcome {
    bool complete; /* false: *stop ended it. Then the checkpoint is written; a task may leave
                      results and its product so far */
    uint64_t step, resumed_step, saved_step; /* done; where it went on; of the checkpoint */
    uint64_t proposals;                      /* in this process, as are */
    double seconds;                          /* these, of annealing */
    uint64_t reads;  /* runs that were begun, where there are several; step is of the longest */
    bool one_thread; /* several were asked for, and one was faster */
} spn_outcome;

/* How much there is to do. */
typedef struct spn_cost {
    double proposals; /* 0 where there is no chain */
    double work;      /* in a unit that is the same for all jobs of the task */
    double memory;    /* bytes that it takes, at least; 0 where they are not worth a word */
} spn_cost;

/* ---- tasks ---- */

/* A setting and its text. */
typedef struct spn_text {
    const char *name, *text;
} spn_text;

/* A named list of texts, ended by one without a name. The setting `preset` chooses it. */
typedef struct spn_preset {
    const char *name, *about;
    const spn_text *texts;
} spn_preset;

typedef struct spn_task {
    const char *name;     /* of the command */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs below all options in the help; may be NULL */
    const char *examples; /* lines of commands that run as written, three at most; may be NULL */
    const char *product;  /* what spn_run.product holds, such as "the model"; NULL: nothing */
    const char *product_extension;
    bool chain; /* it runs a chain: it has traces and checkpoints */
    const spn_setting *settings;
    const spn_text *defaults;  /* in place of the fallbacks of groups; may be NULL */
    const spn_preset *presets; /* ended by one without a name; may be NULL */
    const spn_quantity *results;

    size_t plan_size;
    /* The plan of a job. The texts have been read into *plan by the table; this checks what they
       mean together, and borrows data from inputs. The plan is cleared also after an error. Errors
       about a setting are made with spn_setting_fail. */
    spn_status (*plan)(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err);
    void (*clear)(void *plan); /* may be NULL */
    /* The texts of settings that are not given and depend on others, such as steps; may be NULL. */
    spn_status (*resolve)(spn_record *out, const void *plan, const spn_job *job, spn_error *err);
    spn_cost (*cost)(const void *plan, uint64_t steps); /* steps: as in spn_run */
    /* Do it. The record holds settings, seed and version already. */
    spn_status (*run)(spn_record *out, spn_outcome *outcome, const void *plan, const spn_job *job,
                      const spn_run *run, spn_error *err);
    /* The preset of a job that gives none; NULL, or where it says NULL: that of the table. */
    const char *(*preset)(const spn_job *job);
} spn_task;

/* The tasks, ended by NULL; the one called so, or NULL. */
SPN_API const spn_task *const *spn_tasks(void);
SPN_API const spn_task *spn_task_find(const char *name);

/* The text of a setting that is not given, presets apart; NULL: there is none. */
SPN_API const char *spn_task_default(const spn_task *task, const char *name);

/* The result of a task that is called so, or NULL. */
SPN_API const spn_quantity *spn_quantity_find(const spn_task *task, const char *name);

/* Whether it is a share, whose mean has Wilson's interval; task: a name, perhaps of none. */
SPN_API bool spn_quantity_is_share(const char *task, const char *name);

/* A name in words, for axes and legends: the label of a result or a setting (of what is both, such
   as energy, the setting's where that is asked for) of the task of that name, with its unit, or the
   name with blanks for hyphens and underscores. Returns out. */
enum { SPN_NAME_WORDS = 160 };
SPN_API const char *spn_task_words(char out[SPN_NAME_WORDS], const char *task, const char *name,
                                   bool setting);

/* The results of the task of that name that tables show where none are asked for, ended by NULL;
   none where there is no such task. */
enum { SPN_MAIN_QUANTITIES = 16 };
SPN_API void spn_task_main_quantities(const char *out[SPN_MAIN_QUANTITIES + 1], const char *task);

/* The setting that an error is about, by the "NAME: " at its start, or NULL. */
SPN_API const spn_setting *spn_task_fault(const spn_task *task, const spn_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* Tasks: what can be run. Each is described in one place: tables of its settings and results, and
   functions that plan a run, estimate its cost, and run it. */
#ifndef SPINNEY_LAB_TASK_H
#define SPINNEY_LAB_TASK_H

#include <signal.h>
#include <spinney/chain.h>
#include <spinney/lab/records.h>
#include <spinney/lab/setting.h>
#include <spinney/model.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_job spn_job;
typedef struct spn_inputs spn_inputs;       /* data and problems, read once: <spinney/lab/job.h> */
typedef struct spn_solutions spn_solutions; /* states that a run found */
typedef struct spn_answers spn_answers;     /* solutions of a problem with constraints */

/* What can replace a file: an spn_problem, spn_dataset, spn_energy, spn_model or spn_program. */
typedef enum spn_object_kind {
    SPN_OBJECT_PROBLEM,
    SPN_OBJECT_DATASET,
    SPN_OBJECT_ENERGY,
    SPN_OBJECT_MODEL,
    SPN_OBJECT_PROGRAM
} spn_object_kind;

typedef enum spn_quantity_kind {
    SPN_QUANTITY_NUMBER, /* one number per run */
    SPN_QUANTITY_TEXT,   /* one word per run, such as stop */
    SPN_QUANTITY_COLUMN, /* CURVE.COLUMN: a column of numbers, such as flips.accuracy; the curve
                            `replicas` has a row for each replica */
    SPN_QUANTITY_MATRIX  /* a table whose columns depend on the data, such as confusion */
} spn_quantity_kind;

enum {
    SPN_QUANTITY_MAIN = 1,      /* shown in tables if no results are named */
    SPN_QUANTITY_DETAIL = 2,    /* recorded only with details: by a command, or kept by a sweep */
    SPN_QUANTITY_BEST = 4,      /* about the best state: in the first line of a command's output */
    SPN_QUANTITY_SHARE = 8,     /* 0, 1 or a share of a count: its mean has Wilson's interval */
    SPN_QUANTITY_OPTIONAL = 16, /* left out of the record if NaN (else NaN is null); a column if its
                                   first number is NaN */
    SPN_QUANTITY_CLOCK = 32     /* a time: a field of the record, not a result */
};

/* Rows of a curve: structs of doubles. */
typedef struct spn_curve_rows {
    size_t count, size; /* number of rows; bytes of each */
    void *rows;         /* owned by the run; NULL: no such curve this time */
} spn_curve_rows;

/* A table whose columns depend on the data; owned by the run. */
typedef struct spn_matrix {
    size_t rows, columns;
    const char *const *names; /* of the columns */
    double **values;          /* by column; NULL: no such matrix this time */
} spn_matrix;

/* A result: a row of a table, with how to read it from a finished run. A row without a name is a
   heading (its help) or a group: the rows of another table. Getters receive the struct of their
   group. */
typedef struct spn_quantity spn_quantity;
struct spn_quantity {
    const char *name;
    spn_quantity_kind kind;
    unsigned flags;
    const char *unit;  /* NULL: none */
    const char *label; /* of an axis; NULL: the name */
    const char *help;  /* one line */
    int order; /* order in records, added to that of its group; rows of equal order stay as in the
                  table */
    int (*place)(const void *run); /* the order, if it depends on the run; may be NULL */
    /* What a run of this plan lacks for it, in words; NULL: nothing. */
    const char *(*needs)(const void *plan);
    /* Without a getter the value is at `at` of the struct: a double, a const char * (NULL: none
       this time), the column's double in each row of a spn_curve_rows (the struct of the columns'
       group), or a spn_matrix. */
    const char *(*text)(const void *run);
    size_t at;
    /* For a group: its rows, whose struct is at `at` of the run and plan_at of the plan; or what
       `of` returns, NULL if the run has none. */
    const spn_quantity *group;
    size_t plan_at;
    const void *(*of)(const void *run);
};

/* Walk over the rows of a table and its groups. */
enum { SPN_QUANTITY_DEPTH = 4 };
typedef struct spn_quantity_walk {
    struct {
        const spn_quantity *next, *group; /* the group of these rows; NULL: the table */
    } level[SPN_QUANTITY_DEPTH];
    size_t depth;
    const spn_quantity *row; /* a result; a heading if it has no name */
} spn_quantity_walk;

SPN_API spn_quantity_walk spn_quantity_walk_start(const spn_quantity *table);
/* False past the last. */
SPN_API bool spn_quantity_walk_next(spn_quantity_walk *walk);

/* Time of a run; a field of the record, not a result. */
#define SPN_SECONDS_QUANTITY                                                                       \
    {                                                                                              \
        .name = "seconds", .flags = SPN_QUANTITY_CLOCK, .unit = "s", .label = "time",              \
        .help = "time of the run"                                                                  \
    }

/* In place of a number of steps: about a hundred times in a run. */
#define SPN_WATCH_SOME UINT64_MAX

typedef struct spn_run {
    spn_inputs *inputs;
    const volatile sig_atomic_t *stop; /* may be NULL */
    uint64_t
        steps;    /* 0: those of the settings; else a short run for calibration, without measures */
    bool details; /* include results marked as detail */
    /* Files; each may be NULL. The run resumes from an existing checkpoint. */
    const char *checkpoint;
    double save_seconds; /* between writes, at least; 0: by save_steps */
    uint64_t save_steps; /* 0: a twentieth of the run */
    const char *trace;
    uint64_t trace_steps; /* between rows; 0: a power of two, for about 500 rows */
    const char *product;  /* what the task makes: a model, states */
    /* Reports progress: the share of the whole run; a state if a chain or, with words, a ladder
       runs; due at the steps of watch_steps. May be NULL. */
    void (*progress)(void *context, const spn_progress *progress);
    void *context;
    void (*pause)(
        void *context); /* called about ten times a second, even without progress; may be NULL */
    spn_solutions **solutions; /* receives the states of a task that finds some; free them. May be
                                  NULL, and may stay NULL */
    spn_answers **answers;     /* the same for a problem with constraints */
    spn_model **model;         /* the same for a model, with its manifest */
    uint64_t watch_steps; /* 0: report progress by the clock only; else also at the start of a chain
                             and after every watch_steps steps (for a ladder, after the scan at or
                             before them); or SPN_WATCH_SOME */
} spn_run;

/* Accepts NULL. */
SPN_API void spn_solutions_free(spn_solutions *solutions);
SPN_API void spn_answers_free(spn_answers *answers);

/* Outcome of a run besides its results; records hold only `seconds`. */
typedef struct spn_outcome {
    bool complete; /* false: *stop ended it. Then the checkpoint is written; the task may leave
                      partial results and product */
    uint64_t step, resumed_step, saved_step; /* done; resumed at; of the checkpoint */
    uint64_t proposals;                      /* in this process, */
    double seconds;                          /* as is the annealing time */
    uint64_t reads;  /* runs that began, if there are several; step is that of the longest */
    bool one_thread; /* several were asked for, but one was faster */
} spn_outcome;

typedef struct spn_cost {
    double proposals;                    /* 0: no chain */
    double work;                         /* in a unit shared by all jobs of the task */
    double memory;                       /* least bytes it needs; 0: few */
    double chain, flips, profile, folds; /* parts of the work, if a task measures after its chain */
} spn_cost;

static inline spn_cost spn_cost_sum(spn_cost parts)
{
    parts.work = parts.chain + parts.flips + parts.profile + parts.folds;
    return parts;
}

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
    const char *details;  /* paragraphs below the options in the help; may be NULL */
    const char *examples; /* commands that run as written, at most three; may be NULL */
    const char *product;  /* what spn_run.product holds, such as "the model"; NULL: nothing */
    const char *product_extension;
    bool chain; /* runs a chain, with traces and checkpoints */
    const spn_setting *settings;
    const spn_preset *presets; /* ended by one without a name; may be NULL */
    const spn_quantity *results;

    size_t plan_size;
    /* Plan a job. *plan holds the parsed texts; this checks them together and borrows data from
       inputs. The plan is cleared also after an error. Use spn_setting_fail for errors about a
       setting. */
    spn_status (*plan)(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err);
    void (*clear)(void *plan); /* may be NULL */
    /* Texts of settings that were not given and depend on others, such as steps; may be NULL. */
    spn_status (*resolve)(spn_record *out, const void *plan, const spn_job *job, spn_error *err);
    spn_cost (*cost)(const void *plan, uint64_t steps); /* steps: as in spn_run */
    /* The record already holds settings, seed and version. */
    spn_status (*run)(spn_record *out, spn_outcome *outcome, const void *plan, const spn_job *job,
                      const spn_run *run, spn_error *err);
    /* Preset of a job that gives none. If NULL, or if it returns NULL: that of the table. */
    const char *(*preset)(const spn_job *job);
} spn_task;

/* All tasks, ended by NULL; a task by name, or NULL. */
SPN_API const spn_task *const *spn_tasks(void);
SPN_API const spn_task *spn_task_find(const char *name);

/* A result by name, or NULL. */
SPN_API const spn_quantity *spn_quantity_find(const spn_task *task, const char *name);

/* Whether it is a share, whose mean has Wilson's interval. task may be unknown. */
SPN_API bool spn_quantity_is_share(const char *task, const char *name);

/* A name in words, for axes and legends: the label of a result or setting with its unit, or the
   name with blanks for hyphens and underscores. setting: prefer the setting if the name is both,
   such as energy. Returns out. */
enum { SPN_NAME_WORDS = 160 };
SPN_API const char *spn_task_words(char out[SPN_NAME_WORDS], const char *task, const char *name,
                                   bool setting);

/* Results that tables show by default, ended by NULL; none for an unknown task. */
enum { SPN_MAIN_QUANTITIES = 16 };
SPN_API void spn_task_main_quantities(const char *out[SPN_MAIN_QUANTITIES + 1], const char *task);

/* The setting that an error is about, by the "NAME: " at its start, or NULL. */
SPN_API const spn_setting *spn_task_fault(const spn_task *task, const spn_error *err);

SPN_END_C
#endif

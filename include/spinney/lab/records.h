/* Records: what a sweep did. One folder per sweep:
     sweep.json        the resolved specification
     reference/        the data files that figures are compared with, copied
     manifest.jsonl    one line per finished run
     manifest-*.jsonl  the same, of one shard or rank, until all runs are finished and merged
     manifest.jsonl.gz the same, archived
     models/ traces/   of the runs, if they were asked for
   docs/file-formats.md gives the lines. */
#ifndef SPINNEY_LAB_RECORDS_H
#define SPINNEY_LAB_RECORDS_H

#include <spinney/lab/trace.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a sweep: the resolved specification ---- */

/* A setting and its value, as in the specification: gamma 0.8, beta 100:100000, data mnist. */
typedef struct spn_field {
    char *name;
    char *text;
} spn_field;

/* Several settings under one name. */
typedef struct spn_case {
    char *name;
    size_t count;
    spn_field *settings;
} spn_case;

/* A setting that takes several values; the grid is their product, the last axis fastest. With
   cases, it is a name of the sweep's own, and each value stands for the settings of its case; a
   record has the value as a setting, too, which is no part of the job's key. */
typedef struct spn_axis {
    char *setting;
    size_t count;
    char **values;
    size_t case_count;
    spn_case *cases;
} spn_axis;

/* The setting that distinguishes the runs of joined sweeps. */
#define SPN_CASE "case"

/* A folder that a joint report shows. */
typedef struct spn_joined {
    char *folder;
    char *name;  /* the case of its runs that have none; by default the name of its sweep */
    size_t jobs; /* of the folder */
} spn_joined;

typedef enum spn_best { SPN_BEST_NONE, SPN_BEST_LOWEST, SPN_BEST_HIGHEST } spn_best;

/* What a figure can be drawn as. The words and needs of a kind are here, how it is drawn is in
   src/report/drawings.h. */
enum {
    SPN_FIGURE_LINES,
    SPN_FIGURE_HEAT,
    SPN_FIGURE_TABLE,
    SPN_FIGURE_HISTOGRAM,
    SPN_FIGURE_SURVIVAL,
    SPN_FIGURE_KINDS
};

typedef struct spn_figure_kind {
    const char *name;   /* the word for it in specifications and in sweep.json */
    const char *ending; /* of the names of its files: NAME.svg, NAME-heat.svg */
    bool needs_by;      /* it makes no sense without a second setting */
    bool spread;        /* it shows how values are spread, not their means against x */
} spn_figure_kind;

/* One of the kinds; NULL from SPN_FIGURE_KINDS on. */
static inline const spn_figure_kind *spn_figure_kind_at(size_t kind)
{
    static const spn_figure_kind kinds[SPN_FIGURE_KINDS] = {
        {"lines", "", false, false},
        {"heat", "-heat", true, false},
        {"table", "", false, false},
        {"histogram", "-histogram", false, true},
        {"survival", "-survival", false, true}};
    return kind < SPN_FIGURE_KINDS ? &kinds[kind] : NULL;
}

/* What a first hit is counted in: the result that has it, the one that has the cost of all of the
   run, and the word for both. */
typedef struct spn_hit_unit {
    const char *hit, *cost, *word;
} spn_hit_unit;

/* One of the units; NULL past the last. */
static inline const spn_hit_unit *spn_hit_unit_at(size_t unit)
{
    static const spn_hit_unit units[] = {{"first_hit_steps", "steps_done", "steps"},
                                         {"first_hit_proposals", "proposals", "proposals"},
                                         {"first_hit_seconds", "seconds", "seconds"}};
    return unit < sizeof units / sizeof *units ? &units[unit] : NULL;
}

/* How a time to solution is minimised over the length of a run: not drawn at all, over the lengths
   that were run, or also over where a run is given up. */
typedef enum spn_tts_kind { SPN_TTS_NONE, SPN_TTS_LENGTHS, SPN_TTS_RESTARTS } spn_tts_kind;

/* The x of a figure that shows spreads only. */
#define SPN_FIGURE_NO_X "run"

/* A figure or table: the mean of `value` over runs, for every x and every curve. x and by name
   settings, and value a result; or, for what is measured as a curve, x and value name two of its
   columns as flips.p and flips.accuracy. */
typedef struct spn_sweep_figure {
    char *name;                /* of its files */
    char *title;               /* NULL: the name */
    char *x, *by, *value;      /* by: what tells curves, or the rows of a table, apart; may be NULL.
                                  value: a result, or several with commas, a curve for each */
    char *also;                /* a second result, in brackets in tables; may be NULL */
    char *x_label, *label;     /* of the axes; NULL: the names */
    char *by_label;            /* before the values of `by`; NULL: its name */
    bool as[SPN_FIGURE_KINDS]; /* the kinds that it is drawn as; at least one */
    bool bands;                /* intervals as bands, not as bars */
    bool log_x, log_y;
    bool fit;    /* to each curve an exponential: the slope of log value against x */
    char *guide; /* a result that is the same in all runs, drawn as a line: at its height or, with a
                    fit, of the slope -guide through the last point; may be NULL */
    spn_tts_kind tts; /* the value is a first hit, and the time to solution by it is shown */
    char *over;       /* settings, with commas, that are the length of a run; may be NULL */
    char *each;       /* what tells instances apart, for the median of their times; NULL: pooled */
    bool trends[2];   /* which are fitted to each curve: spn_trend of <spinney/lab/report.h> */
    spn_best best;    /* printed bold in tables */
    size_t where_count; /* only runs for which all of these hold, such as "solved=1" */
    char **where;
    char *reference;      /* a CSV file in the folder's reference/, to compare with; may be NULL.
                             Its columns are called as x, by and value are, and value_half, which
                             may be missing, is half the width of a 95% interval */
    char *reference_name; /* such as "paper" */
    const char *task;     /* of the sweep, borrowed: its tables have the labels of names; NULL: the
                             names are shown. No part of the specification */
} spn_sweep_figure;

/* What is kept of every run besides its results: what its task makes, such as a model, in models/,
   its trace in traces/, and results for each replica. In the order of their words. */
typedef struct spn_keep {
    bool models, traces, replicas;
} spn_keep;

/* What a setting named, a file or a data set, and its content. */
typedef struct spn_input_sum {
    char *setting, *name; /* data, mnist */
    uint64_t checksum;    /* XXH3 */
} spn_input_sum;

typedef struct spn_sweep {
    char *name;
    char *title, *about;          /* may be NULL */
    char *task;                   /* such as train */
    char *version, *instructions; /* of the program that made the folder, and what it used of the
                                     machine; instructions may be NULL */
    uint64_t seed;
    size_t runs; /* per point of the grid */
    size_t fixed_count;
    spn_field *fixed;
    size_t default_count; /* settings that were not given and are the same in all runs, */
    spn_field *defaults;  /* with what they are; no part of a job's key */
    size_t axis_count;
    spn_axis *axes;
    size_t file_count;
    spn_input_sum *files; /* no part of a job's key */
    spn_keep keep;
    size_t figure_count;
    spn_sweep_figure *figures;
    size_t joined_count; /* of a joint report: the folders whose runs it shows */
    spn_joined *joined;
    struct spn_plans *plans; /* its points as they were planned when it was parsed, for running it;
                                NULL: not yet. No part of the specification */
} spn_sweep;

/* Accepts NULL. */
SPN_API void spn_sweep_free(spn_sweep *sweep);

/* The points of the grid times runs; SIZE_MAX if that overflows. */
SPN_API size_t spn_sweep_jobs(const spn_sweep *sweep);

/* ---- records ---- */

typedef struct spn_result {
    char *name;
    double value; /* NaN is written as null */
} spn_result;

/* What was measured as a curve: columns of one length, such as p, accuracy. */
typedef struct spn_result_curve {
    char *name;
    size_t columns, rows;
    char **names;
    double **values;
} spn_result_curve;

/* One finished run. */
typedef struct spn_record {
    uint64_t key; /* a hash of task, settings, measures, seed and run: the same job has the same key
                     in every sweep */
    uint64_t seed;          /* of its chain: spinney train --seed does it again */
    uint64_t instance_seed; /* of random patterns whose setting names none; 0: there are none */
    size_t run;             /* from 1 */
    size_t setting_count;
    spn_field *settings; /* all that were given: fixed ones and those of the grid */
    size_t result_count;
    spn_result *results;
    size_t text_count;
    spn_field *texts; /* results that are words, such as why it stopped */
    size_t curve_count;
    spn_result_curve *curves;
    size_t note_count;
    char **notes; /* lines that say something of this run */
    char *version;
    char *instructions; /* the instruction set that computed it; NULL: not known */
    /* What may differ when the run is done again. */
    char *machine;
    char *finished; /* UTC, 2026-01-31T12:00:00Z */
    double seconds;
    double first_hit_seconds; /* if the result first_hit_steps is a number */
    /* The sweep's, borrowed, of a record that was read from its folder; no part of the record. */
    size_t default_count;
    const spn_field *defaults;
} spn_record;

SPN_API void spn_record_clear(spn_record *record);

/* The text of a setting or of its default; NULL if there is none. */
SPN_API const char *spn_record_setting(const spn_record *record, const char *name);

/* The result of that name that is a word, or NULL. */
SPN_API const char *spn_record_text(const spn_record *record, const char *name);

/* The number called so: a setting, or its default, that is a number, a result, or run, seed,
   instance_seed, seconds, first_hit_seconds; NaN if there is none. */
SPN_API double spn_record_number(const spn_record *record, const char *name);

/* What every record has, as text: key, run, seed, instance_seed, machine, version, instructions,
   finished; NULL for another name, or if the record has none. out: room for numbers. */
enum { SPN_FIELD_TEXT = 40 };
SPN_API const char *spn_record_field(char out[SPN_FIELD_TEXT], const spn_record *record,
                                     const char *name);

/* The curve called so, or NULL; the number of its column, or SIZE_MAX. */
SPN_API const spn_result_curve *spn_record_curve(const spn_record *record, const char *name);
SPN_API size_t spn_result_curve_column(const spn_result_curve *curve, const char *name);

/* Whether the target was hit; first_hit_seconds is when. */
SPN_API bool spn_record_has_hit(const spn_record *record);

/* A folder that was read: its specification and its finished runs, each once, in the order of the
   grid. */
typedef struct spn_records {
    char *folder;
    spn_sweep *sweep;
    size_t count;
    spn_record *records;
    size_t torn; /* manifests with a torn last line, whose run does not count */
} spn_records;

/* Read a folder. Errors: IO, INPUT (file and line of what is no record, or was changed after it was
   written; delete the line to have its run repeated), MEMORY. */
SPN_API spn_status spn_records_read(spn_records **out, const char *folder, spn_error *err);
SPN_API void spn_records_free(spn_records *records);

/* Read the folders that a joint specification (docs/experiments.md) names, as the records of one
   sweep: their axes together, and the axis SPN_CASE, which names the folder of a run. Its figures
   are checked against the tables of the tasks. Errors: IO, INPUT, ARGUMENT (the specification or a
   folder), MEMORY. */
SPN_API spn_status spn_records_join(spn_records **out, const char *path, spn_error *err);

/* Put all runs of a folder into manifest.jsonl.gz, and remove the other manifests. A sweep that
   goes on there appends to manifest.jsonl beside it. Safe against being killed. Errors: ARGUMENT
   (another process is writing there, or no run is finished), IO, INPUT, MEMORY. */
SPN_API spn_status spn_records_archive(const char *folder, spn_error *err);

/* ---- names and tables ---- */

/* The names in some records, each once, in the order of their first use. The records own them. */
typedef struct spn_record_names {
    size_t setting_count, result_count, text_count, curve_count;
    const char **settings, **results, **texts, **curves; /* texts: results that are words */
} spn_record_names;

/* Records as CSV (quotes as in RFC 4180, numbers that read back exactly, nothing for NaN and for
   what a run does not have): a row per run with key, run, seed (and instance_seed, where a
   run has one), all settings, all results, seconds, machine, version and finished, or with the
   columns given, which may also be settings that the sweep has by default. A setting that is
   called as another column is comes as setting_NAME. With a curve: a row per run and row of the
   curve, with key, run, seed, all settings and the curve's columns as NAME.COLUMN. */
typedef struct spn_csv_options {
    const char *curve;   /* NULL: none */
    size_t column_count; /* 0: all; not with a curve */
    const char *const *columns;
} spn_csv_options;

/* As a text, which you free, or as a file. Errors: MEMORY, IO. */
SPN_API spn_status spn_records_csv(char **out, const spn_record *const *records, size_t count,
                                   const spn_csv_options *options, spn_error *err);
SPN_API spn_status spn_records_csv_file(const char *path, const spn_record *const *records,
                                        size_t count, const spn_csv_options *options,
                                        spn_error *err);

#ifdef __cplusplus
}
#endif
#endif

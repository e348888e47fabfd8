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

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

SPN_BEGIN_C

/* A setting and its text, as in the specification: gamma 0.8, beta 100:100000, data mnist. */
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

/* A setting with several values. The grid is the product of the axes, the last one fastest. An
   axis with cases has a name of its own, and each value stands for the settings of its case. A
   record has the value as a setting, too, but it is not part of the key. */
typedef struct spn_axis {
    char *setting;
    size_t count;
    char **values;
    size_t case_count;
    spn_case *cases;
} spn_axis;

/* The setting that tells joined sweeps apart. */
#define SPN_CASE "case"

/* A folder of a joint report. */
typedef struct spn_joined {
    char *folder;
    char *name; /* case of its runs that have none; by default the name of its sweep */
    size_t jobs;
} spn_joined;

typedef enum spn_best { SPN_BEST_NONE, SPN_BEST_LOWEST, SPN_BEST_HIGHEST } spn_best;

/* Kinds of figures: their words and needs. src/report/figure/script.h has how they are drawn. */
enum {
    SPN_FIGURE_LINES,
    SPN_FIGURE_HEAT,
    SPN_FIGURE_TABLE,
    SPN_FIGURE_HISTOGRAM,
    SPN_FIGURE_SURVIVAL,
    SPN_FIGURE_KINDS
};

typedef struct spn_figure_kind {
    const char *name;   /* word in specifications and sweep.json */
    const char *ending; /* of its file names: NAME.svg, NAME-heat.svg */
    bool needs_by;      /* needs a second setting */
    bool spread;        /* shows the spread of values, not means against x */
} spn_figure_kind;

/* NULL from SPN_FIGURE_KINDS on. */
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

/* Unit of a first hit: the result that has it, the result with the cost of the whole run, and the
   word for both. NULL if it is no first hit. */
enum { SPN_HIT_RESULT, SPN_HIT_COST, SPN_HIT_WORD, SPN_HIT_NAMES };
static inline const char *const *spn_hit_unit(const char *result)
{
    static const char *const units[][SPN_HIT_NAMES] = {
        {"first_hit_steps", "steps_done", "steps"},
        {"first_hit_proposals", "proposals", "proposals"},
        {"first_hit_seconds", "seconds", "seconds"}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(units[k][SPN_HIT_RESULT], result) == 0)
            return units[k];
    return NULL;
}

/* How a time to solution is minimised: not drawn, over the lengths that were run, or also over the
   cost at which a run is given up. */
typedef enum spn_tts_kind { SPN_TTS_NONE, SPN_TTS_LENGTHS, SPN_TTS_RESTARTS } spn_tts_kind;

/* The x of a figure that shows only spreads. */
#define SPN_FIGURE_NO_X "run"

/* A figure or table: the mean of `value` over runs, for every x and curve. x and by are settings
   and value is a result; or x and value are columns of one curve, such as flips.p and
   flips.accuracy. */
typedef struct spn_sweep_figure {
    char *name;                /* of its files */
    char *title;               /* NULL: the name */
    char *x, *by, *value;      /* by: tells curves, or rows of a table, apart; may be NULL. value: a
                                  result, or several with commas, a curve for each */
    char *also;                /* a second result, in brackets in tables; may be NULL */
    char *x_label, *label;     /* of the axes; NULL: the names */
    char *by_label;            /* before the values of `by`; NULL: its name */
    bool as[SPN_FIGURE_KINDS]; /* kinds to draw; at least one */
    bool bands;                /* intervals as bands instead of bars */
    bool log_x, log_y;
    bool fit;    /* fit an exponential to each curve: the slope of log value against x */
    char *guide; /* a result that is equal in all runs, drawn as a horizontal line or, with a fit,
                    with slope -guide through the last point; may be NULL */
    spn_tts_kind tts;   /* the value is a first hit, shown as a time to solution */
    char *over;         /* settings, with commas, that make the length of a run; may be NULL */
    char *each;         /* tells instances apart, for the median of their times; NULL: pooled */
    bool trends[2];     /* trends to fit: spn_trend of <spinney/lab/report.h> */
    spn_best best;      /* printed bold in tables */
    size_t where_count; /* only runs that meet all of these, such as "solved=1" */
    char **where;
    char *reference; /* a CSV file in the folder's reference/, to compare with; may be NULL. Its
                        columns have the names of x, by and value; value_half, which may be missing,
                        is half the width of a 95% interval */
    char *reference_name; /* such as "paper" */
    const char *task; /* of the sweep, borrowed, for labels; NULL: names are shown. Not part of the
                         specification */
} spn_sweep_figure;

/* What is kept of every run besides its results: its product, such as a model, in models/, its
   trace in traces/, and results of each replica. In the order of their words. */
typedef struct spn_keep {
    bool models, traces, replicas;
} spn_keep;

/* A file or data set that a setting named, and its content. */
typedef struct spn_input_sum {
    char *setting, *name; /* data, mnist */
    uint64_t checksum;    /* XXH3 */
} spn_input_sum;

typedef struct spn_sweep {
    char *name;
    char *title, *about; /* may be NULL */
    char *task;          /* such as train */
    char *version,
        *instructions; /* of the program that made the folder; instructions may be NULL */
    uint64_t seed;
    size_t runs; /* per point of the grid */
    size_t fixed_count;
    spn_field *fixed;
    size_t default_count; /* settings that were not given and are equal in all runs; */
    spn_field *defaults;  /* not part of a job's key */
    size_t axis_count;
    spn_axis *axes;
    size_t file_count;
    spn_input_sum *files; /* not part of a job's key */
    spn_keep keep;
    size_t figure_count;
    spn_sweep_figure *figures;
    size_t joined_count; /* folders of a joint report */
    spn_joined *joined;
    struct spn_plans *plans; /* plans of its points, if it was parsed; not part of the
                                specification */
} spn_sweep;

/* Accepts NULL. */
SPN_API void spn_sweep_free(spn_sweep *sweep);

/* Points of the grid times runs; SIZE_MAX on overflow. */
SPN_API size_t spn_sweep_jobs(const spn_sweep *sweep);

typedef struct spn_result {
    char *name;
    double value; /* NaN is written as null */
} spn_result;

/* Columns of equal length, such as p and accuracy. */
typedef struct spn_result_curve {
    char *name;
    size_t columns, rows;
    char **names;
    double **values; /* column c is values[c][0..rows-1] */
} spn_result_curve;

SPN_API void spn_result_curve_clear(spn_result_curve *curve);

/* Read a trace, or any CSV file of numbers with a header; the curve has no name. Errors: IO,
   INPUT, MEMORY; then there is nothing to clear. */
SPN_API spn_status spn_trace_read(spn_result_curve *out, const char *path, spn_error *err);

/* One finished run. */
typedef struct spn_record {
    uint64_t key;  /* hash of task, settings, measures, seed and run: the same job has the same key
                      in every sweep */
    uint64_t seed; /* of its chain: spinney train --seed repeats it */
    uint64_t instance_seed; /* of random patterns without a seed in the settings; 0: none */
    uint64_t run;           /* from 1 */
    size_t setting_count;
    spn_field *settings; /* all given: fixed ones and those of the grid */
    size_t result_count;
    spn_result *results;
    size_t text_count;
    spn_field *texts; /* results that are words, such as stop */
    size_t curve_count;
    spn_result_curve *curves;
    size_t note_count;
    char **notes; /* lines about this run */
    char *version;
    char *instructions; /* instruction set that computed it; NULL: unknown */
    /* These may differ when the run is repeated. */
    char *machine;
    char *finished; /* UTC, 2026-01-31T12:00:00Z */
    double seconds;
    double first_hit_seconds; /* if the result first_hit_steps is a number */
    /* Of the sweep, borrowed, if the record was read from its folder; not part of the record. */
    size_t default_count;
    const spn_field *defaults;
} spn_record;

SPN_API void spn_record_clear(spn_record *record);

/* Text of a setting or of its default; NULL: none. */
SPN_API const char *spn_record_setting(const spn_record *record, const char *name);

/* A result that is a word, or NULL. */
SPN_API const char *spn_record_text(const spn_record *record, const char *name);

/* A number by name: a setting or its default, a result, or run, seed, instance_seed, seconds,
   first_hit_seconds; NaN: none. */
SPN_API double spn_record_number(const spn_record *record, const char *name);

/* A field as text: key, run, seed, instance_seed, machine, version, instructions, finished; NULL
   for another name, or if the record has none. out: room for numbers. */
enum { SPN_FIELD_TEXT = 40 };
SPN_API const char *spn_record_field(char out[SPN_FIELD_TEXT], const spn_record *record,
                                     const char *name);

/* A curve by name, or NULL; the number of a column, or SIZE_MAX. */
SPN_API const spn_result_curve *spn_record_curve(const spn_record *record, const char *name);
SPN_API size_t spn_result_curve_column(const spn_result_curve *curve, const char *name);

/* Whether the target was reached; first_hit_seconds is when. */
SPN_API bool spn_record_has_hit(const spn_record *record);

/* A folder: its specification and its finished runs, each once, in grid order. */
typedef struct spn_records {
    char *folder;
    spn_sweep *sweep;
    size_t count;
    spn_record *records;
    size_t torn; /* manifests with a torn last line; its run does not count */
} spn_records;

/* Read a folder. Errors: IO, INPUT (file and line of what is not a record, or was changed later;
   delete the line to repeat its run), MEMORY. */
SPN_API spn_status spn_records_read(spn_records **out, const char *folder, spn_error *err);
SPN_API void spn_records_free(spn_records *records);

/* Read the folders of a joint specification (docs/experiments.md) as one sweep: all axes together,
   and the axis SPN_CASE for the folder of a run. Figures are checked against the tables of the
   tasks. Errors: IO, INPUT, ARGUMENT (the specification or a folder), MEMORY. */
SPN_API spn_status spn_records_join(spn_records **out, const char *path, spn_error *err);

/* Move all runs of a folder into manifest.jsonl.gz, and remove the other manifests. A sweep that
   continues there appends to a new manifest.jsonl. Safe against kills. Errors: ARGUMENT (another
   process is writing there, or no run is finished), IO, INPUT, MEMORY. */
SPN_API spn_status spn_records_archive(const char *folder, spn_error *err);

/* Names in order of first use. */
typedef struct spn_name_list {
    const char **names;
    size_t count, capacity;
} spn_name_list;

/* Names in some records, each once. The records own them. */
typedef struct spn_record_names {
    spn_name_list settings, results, texts, curves; /* texts: results that are words */
} spn_record_names;

/* Records as CSV (quotes as in RFC 4180; numbers read back exactly; empty for NaN and missing
   values). One row per run: key, run, seed (and instance_seed if any), all settings, all results,
   seconds, machine, version and finished; or the given columns, which may also be defaults of the
   sweep. A setting with the name of another column becomes setting_NAME. With a curve: one row per
   row of the curve, with key, run, seed, all settings and the columns as NAME.COLUMN. curve: NULL
   for none. column_count: 0 for all columns, and with a curve. As a text, which you free, or as a
   file. Errors: MEMORY, IO. */
SPN_API spn_status spn_records_csv(char **out, const spn_record *const *records, size_t count,
                                   const char *curve, const char *const *columns,
                                   size_t column_count, spn_error *err);
SPN_API spn_status spn_records_csv_file(const char *path, const spn_record *const *records,
                                        size_t count, const char *curve, const char *const *columns,
                                        size_t column_count, spn_error *err);

SPN_END_C
#endif

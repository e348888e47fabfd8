/* Select, group and summarise records, for figures, tables and spinney records. */
#ifndef SPINNEY_LAB_VIEW_H
#define SPINNEY_LAB_VIEW_H

#include <spinney/lab/records.h>
#include <spinney/statistics.h>

SPN_BEGIN_C

/* A run, or one row of a curve of it: gives names such as gamma, test_loss or flips.p a value. */
typedef struct spn_observation {
    const spn_record *record;
    size_t row; /* for NAME.COLUMN; other names have one value */
} spn_observation;

/* Text of a name; settings as given; "-": none. */
SPN_API const char *spn_observation_text(char out[SPN_FIELD_TEXT], spn_observation at,
                                         const char *name);

/* Observations that agree in some values. */
typedef struct spn_group {
    const spn_observation *members;
    size_t count;
} spn_group;

typedef struct spn_groups {
    size_t count;
    spn_group *groups;
    spn_observation *members;
} spn_groups;

SPN_API void spn_groups_clear(spn_groups *groups);

/* Summary of a name over a group, without missing numbers; share: see spn_quantity_is_share.
   Errors: MEMORY. */
SPN_API spn_status spn_group_summarise(spn_summary *out, const spn_group *group, const char *name,
                                       bool share, spn_error *err);

typedef struct spn_tally {
    size_t jobs, finished; /* of the grid */
    size_t others;         /* runs outside the grid */
    double seconds;        /* of all runs */
} spn_tally;

SPN_API spn_tally spn_records_tally(const spn_records *records);

typedef struct spn_view_options {
    size_t where_count; /* only runs that meet all of these */
    const char *const *where;
    const char *columns;      /* names such as test_loss,overlap; NULL: the usual ones */
    const char *const *usual; /* results, borrowed, ended by NULL; those that were measured are
                                 shown. NULL: the first few of all */
    const char *by;           /* settings such as gamma,replicas; NULL: the axes of the grid */
} spn_view_options;

typedef struct spn_view {
    const spn_records *all;
    spn_record_names names; /* of all runs */
    size_t count;
    const spn_record **chosen; /* runs that meet the conditions */
    size_t column_count, by_count;
    const char **columns; /* results, settings and fields */
    const char **by;      /* what tells groups apart */
    char *column_text, *by_text;
} spn_view;

/* The records must outlive the view. Clear the view whatever the status. Errors: MEMORY; ARGUMENT,
   with a text that starts with where, columns or by, and the nearest name. */
SPN_API spn_status spn_view_make(spn_view *out, const spn_records *records,
                                 const spn_view_options *options, spn_error *err);
SPN_API void spn_view_clear(spn_view *view);

/* A name of both a result and a setting is the result. */
typedef enum spn_name_kind {
    SPN_NAME_NOTHING = 0,
    SPN_NAME_RESULT,  /* a number */
    SPN_NAME_SETTING, /* a text, as given */
    SPN_NAME_NUMBER,  /* run, seed, instance_seed, seconds, first_hit_seconds */
    SPN_NAME_TEXT     /* key, machine, version, instructions, finished; a result that is a word */
} spn_name_kind;
SPN_API spn_name_kind spn_view_kind(const spn_view *view, const char *name);

/* Group the chosen runs by `by`. Errors: MEMORY. */
SPN_API spn_status spn_view_group(spn_groups *out, const spn_view *view, spn_error *err);

/* Check that the runs have a curve. Errors: ARGUMENT; the text starts with curves, and names the
   nearest. */
SPN_API spn_status spn_view_check_curve(const spn_view *view, const char *curve, spn_error *err);

/* The view as the JSON that the program prints; free it. It has the sweep and its progress, with a
   summary for each group or, as a list, each run as in its manifest. options: those of
   spn_view_make. Errors: MEMORY. */
SPN_API spn_status spn_view_json(char **out, const spn_view *view, const spn_view_options *options,
                                 bool list, spn_error *err);

/* Why a condition on a setting may be a mistake: "no run has gamma=3; gamma is 0, 0.4, 0.8"; empty
   if a run meets it. */
SPN_API const char *spn_view_doubt(char out[SPN_ERROR_TEXT], const spn_view *view,
                                   const char *condition);

SPN_END_C
#endif

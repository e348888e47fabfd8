/* spinney records: what its parts share. */
#ifndef SPN_CLI_RECORDS_H
#define SPN_CLI_RECORDS_H

#include "cli/options.h"

#include <spinney/lab/records.h>
#include <spinney/statistics.h>

/* A list of names, such as that of --columns. */
typedef struct cli_names {
    size_t count;
    const char **names;
    char *text; /* which they point into, where it is theirs */
} cli_names;

/* A folder, and what of it is to be shown. */
typedef struct cli_view {
    const cli_values *values;
    spn_records *all;
    spn_record_names names; /* of all records */
    const char *where[CLI_MAX_GIVEN];
    size_t where_count;
    const spn_record **chosen; /* those that meet all conditions */
    size_t count;
    cli_names columns; /* results and settings */
    cli_names by;      /* the settings that tell groups apart */
} cli_view;

/* ---- names ---- */

/* What a name stands for. What is both a result and a setting is the result. */
typedef enum cli_kind { CLI_NOTHING, CLI_RESULT, CLI_SETTING, CLI_NUMBER, CLI_TEXT } cli_kind;
cli_kind cli_record_kind(const cli_view *view, const char *name);

/* The text of a setting, or of run, key, machine, version or finished; "-" where a run has none.
   buffer is for those that are numbers. */
enum { CLI_FIELD = 32 };
const char *cli_record_text(const spn_record *record, const char *name, char buffer[CLI_FIELD]);

/* Read --columns, --by and the names of --where, or what they are where they are not given. On
   failure print a message, with the nearest name, and return the exit status. */
int cli_records_names(cli_view *view);
void cli_names_clear(cli_names *names);

/* ---- groups ---- */

/* Runs that agree in all settings of `by`. */
typedef struct cli_group {
    const spn_record **records; /* borrowed */
    size_t count;
} cli_group;

typedef struct cli_groups {
    size_t count;
    cli_group *groups;
    const spn_record **records;
} cli_groups;

/* In the order of the grid. false without memory. */
bool cli_records_group(cli_groups *out, const cli_view *view);
void cli_groups_clear(cli_groups *groups);

/* The summary of a number over a group. *ok: false without memory. */
spn_summary cli_group_summary(const cli_group *group, const char *name, bool *ok);

/* ---- output ---- */

/* How far a folder is. */
typedef struct cli_tally {
    size_t jobs, finished; /* of the grid */
    size_t others;         /* runs that are not of the grid */
    double seconds;
} cli_tally;

cli_tally cli_records_tally(const cli_view *view);

int cli_records_print(const cli_view *view);
int cli_records_json(const cli_view *view);

#endif

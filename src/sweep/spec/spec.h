/* A specification file while it is being read: its tree, which knows the lines, and its task. */
#ifndef SPN_SWEEP_SPEC_SPEC_H
#define SPN_SWEEP_SPEC_SPEC_H

#include "job/inputs.h"
#include "sweep/jobs.h"
#include "sweep/spec/members.h"
#include "sweep/spec/tree.h"
#include <spinney/lab/job.h>
#include <spinney/lab/records.h>

typedef struct spn_spec {
    const char *file; /* its name in errors */
    spn_node root;
    const spn_task *task;
} spn_spec;

/* A sweep from the text of a file, with what `set` replaces (spn_sweep_parse): all checks but those
   that read files. Clear the specification, also after an error. Errors: INPUT,
   ARGUMENT, MEMORY. */
spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         const char *const *set, size_t set_count, spn_error *err);

/* The same of JSON. Its tree knows no lines, so that errors name the key alone. */
spn_status spn_spec_read_json(spn_sweep **out, spn_spec *spec, const char *text,
                              const char *const *set, size_t set_count, spn_error *err);

/* The same of a tree that was read or made before. */
spn_status spn_spec_take(spn_sweep **out, spn_spec *spec, const char *const *set, size_t set_count,
                         spn_error *err);
void spn_spec_clear(spn_spec *spec);

/* Fail for want of memory. */
spn_status spn_spec_no_memory(const spn_spec *spec, spn_error *err);

/* ---- its steps ---- */

/* Put texts NAME=VALUE into the tree, in place of what is there. */
spn_status spn_spec_set(spn_spec *spec, const char *const *set, size_t count, spn_error *err);

/* Check the axes, make the values of ranges, and write all values in one way. */
spn_status spn_spec_grid(spn_sweep *sweep, const spn_spec *spec, spn_error *err);

/* Make texts with commas of lists if that is meant. */
spn_status spn_spec_join_lists(spn_spec *spec, spn_error *err);

/* Check one figure: the names in it, and that it shares no files with those before it. */
spn_status spn_spec_check_figure(spn_sweep *sweep, const spn_spec *spec, size_t k, spn_error *err);

/* Check that the names in figures are there, and that no two of them have the same files. */
spn_status spn_spec_figures(spn_sweep *sweep, const spn_spec *spec, spn_error *err);

/* Check every point of the grid, reading what it names; find out defaults and checksums; check that
   some run has what figures show, and meets their conditions; read their reference files. */
spn_status spn_spec_check(spn_sweep *sweep, const spn_spec *spec, spn_plans *plans, spn_error *err);

/* ---- places ---- */

/* The node of figure k, of axis k, of value i of axis k (the axis, where it is a range), and of a
   fixed setting; NULL if there is none. */
const spn_node *spn_spec_figure(const spn_spec *spec, size_t k);
const spn_node *spn_spec_axis(const spn_spec *spec, size_t k);
const spn_node *spn_spec_value(const spn_spec *spec, size_t k, size_t i);
const spn_node *spn_spec_setting(const spn_spec *spec, const char *name);

/* The next of the results that the value of a figure names, with commas between them; false behind
   the last. *rest is the value at first. A name that is too long is cut off: there is none such. */
enum { SPN_SPEC_NAME = 64 };
bool spn_spec_next_name(char out[SPN_SPEC_NAME], const char **rest);

/* Read a text as a setting's value, to *out in the one way in which it is written; node is where it
   stands. */
spn_status spn_spec_canonical(char **out, const spn_setting *setting, const char *text,
                              const spn_spec *spec, const spn_node *node, spn_error *err);

/* Fail because there is no such setting. */
spn_status spn_spec_unknown(const spn_spec *spec, const spn_node *node, const char *name,
                            spn_error *err);

/* ---- tables of members ---- */

extern const spn_member spn_sweep_members[], spn_axis_members[], spn_figure_members[];

/* Of a joint specification, into an spn_sweep. */
extern const spn_member spn_joint_members[];

/* An axis that is given as a range, by those members of an axis that are read apart. */
typedef struct spn_axis_range {
    double from, to;
    uint64_t count;
    int spacing; /* 0: linear, 1: logarithmic */
} spn_axis_range;

/* ---- cases ---- */

/* The case of an axis that is called so, or NULL. */
const spn_case *spn_axis_case(const spn_axis *axis, const char *name);

/* Whether a setting is given by some case of the sweep. */
bool spn_sweep_has_case_of(const spn_sweep *sweep, const char *setting);

/* Give a record the names of the cases of its point, as settings. Errors: MEMORY. */
spn_status spn_sweep_name_cases(spn_record *record, const spn_sweep *sweep, size_t job,
                                spn_error *err);

/* Where case i of axis k stands, and a setting of it; or the axis. */
const spn_node *spn_spec_case(const spn_spec *spec, size_t k, size_t i, const char *setting);

/* Check the cases of axis k, write their settings in one way, and make its values, which are all of
   their names unless some are given. Errors: INPUT, ARGUMENT, MEMORY. */
spn_status spn_spec_cases(spn_sweep *sweep, const spn_spec *spec, size_t k, spn_error *err);

#endif

/* A specification file while it is read: its tree, which knows the lines, and its task. */
#ifndef SPN_SWEEP_SPEC_SPEC_H
#define SPN_SWEEP_SPEC_SPEC_H

#include "job/inputs.h"
#include "sweep/jobs.h"
#include "sweep/spec/members.h"
#include "sweep/spec/tree.h"
#include <spinney/lab/job.h>
#include <spinney/lab/records.h>

typedef struct spn_spec {
    const char *file; /* for errors */
    spn_node root;
    const spn_task *task;
} spn_spec;

/* A sweep from the text of a file, with what `set` replaces (spn_sweep_parse): all checks except
   those that read files. Clear the specification, also after an error. Errors: INPUT, ARGUMENT,
   MEMORY. */
spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         const char *const *set, size_t set_count, spn_error *err);

/* The same for JSON. Its tree has no lines, so errors name only the key. */
spn_status spn_spec_read_json(spn_sweep **out, spn_spec *spec, const char *text,
                              const char *const *set, size_t set_count, spn_error *err);

/* The same for a tree. */
spn_status spn_spec_take(spn_sweep **out, spn_spec *spec, const char *const *set, size_t set_count,
                         spn_error *err);
void spn_spec_clear(spn_spec *spec);

spn_status spn_spec_no_memory(const spn_spec *spec, spn_error *err);

/* Put texts NAME=VALUE into the tree, replacing values. */
spn_status spn_spec_set(spn_spec *spec, const char *const *set, size_t count, spn_error *err);

/* Check the axes, make the values of ranges, and make all values canonical. */
spn_status spn_spec_grid(spn_sweep *sweep, const spn_spec *spec, spn_error *err);

/* Turn lists into texts with commas if the setting takes one. */
spn_status spn_spec_join_lists(spn_spec *spec, spn_error *err);

/* Check the names in a figure, and that it shares no files with those before it. */
spn_status spn_spec_check_figure(spn_sweep *sweep, const spn_spec *spec, size_t k, spn_error *err);

/* Check all figures. */
spn_status spn_spec_figures(spn_sweep *sweep, const spn_spec *spec, spn_error *err);

/* Plan every point of the grid, with the files it names; find defaults and checksums; check that
   some run has what figures show and meets their conditions; read reference files. */
spn_status spn_spec_check(spn_sweep *sweep, const spn_spec *spec, spn_plans *plans, spn_error *err);

/* Nodes of figure k, axis k, value i of axis k (the axis, if it is a range), and a fixed setting;
   NULL if there is none. */
const spn_node *spn_spec_figure(const spn_spec *spec, size_t k);
const spn_node *spn_spec_axis(const spn_spec *spec, size_t k);
const spn_node *spn_spec_value(const spn_spec *spec, size_t k, size_t i);
const spn_node *spn_spec_setting(const spn_spec *spec, const char *name);

/* The next result in the value of a figure, which may have several with commas; false after the
   last. *rest starts as the value. A name that is too long is cut, and does not exist. */
enum { SPN_SPEC_NAME = 64 };
bool spn_spec_next_name(char out[SPN_SPEC_NAME], const char **rest);

/* Parse a text as a setting's value, into its canonical text; node: its place. */
spn_status spn_spec_canonical(char **out, const spn_setting *setting, const char *text,
                              const spn_spec *spec, const spn_node *node, spn_error *err);

/* Parse the text of a setting, fixed or of a case, at a node. */
spn_status spn_spec_read_field(spn_field *field, const spn_spec *spec, const spn_node *node,
                               bool of_case, spn_error *err);

/* Fail because there is no such setting; because it is the seed. */
spn_status spn_spec_unknown(const spn_spec *spec, const spn_node *node, const char *name,
                            spn_error *err);
spn_status spn_spec_seed(const spn_spec *spec, const spn_node *node, const char *name,
                         spn_error *err);

extern const spn_member spn_sweep_members[], spn_axis_members[], spn_figure_members[];

/* Of a joint specification, into an spn_sweep. */
extern const spn_member spn_joint_members[];

/* An axis given as a range, by members that are read separately. */
typedef struct spn_axis_range {
    double from, to;
    uint64_t count;
    int spacing; /* 0: linear, 1: logarithmic */
} spn_axis_range;

/* A case by name, or NULL. */
const spn_case *spn_axis_case(const spn_axis *axis, const char *name);

/* Whether some case of the sweep gives a setting. */
bool spn_sweep_has_case_of(const spn_sweep *sweep, const char *setting);

/* Add the names of the cases of its point to a record, as settings. Errors: MEMORY. */
spn_status spn_sweep_name_cases(spn_record *record, const spn_sweep *sweep, size_t job,
                                spn_error *err);

/* Node of case i of axis k, or of a setting in it; or the axis. */
const spn_node *spn_spec_case(const spn_spec *spec, size_t k, size_t i, const char *setting);

/* Check the cases of axis k, make their settings canonical, and make its values: all names unless
   some are given. Errors: INPUT, ARGUMENT, MEMORY. */
spn_status spn_spec_cases(spn_sweep *sweep, const spn_spec *spec, size_t k, spn_error *err);

#endif

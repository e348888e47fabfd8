/* The specification file from inside. Its text is read twice: by libyaml into a tree that knows the
   line of everything, against which the schema is checked, and by libcyaml, through the same
   schema, into structs. Every value is still the text that was written. */
#ifndef SPN_SWEEP_SPEC_H
#define SPN_SWEEP_SPEC_H

#include "old/tasks.h"
#include <cyaml/cyaml.h>
#include <yaml.h>

/* ---- what libcyaml fills ---- */

enum { SPN_SPEC_SETTINGS = 48 }; /* more than any task has */

typedef struct spn_spec_axis {
    char *setting;
    char **values; /* these, or a range */
    uint32_t values_count;
    char *from, *to, *count, *spacing;
} spn_spec_axis;

typedef struct spn_spec_flips {
    char **p;
    uint32_t p_count;
    char *trials, *exact;
} spn_spec_flips;

typedef struct spn_spec_profile {
    char *walks, *reach, *points;
} spn_spec_profile;

typedef struct spn_spec_measure {
    char *models, *traces;
    spn_spec_flips *flips;
    spn_spec_profile *profile;
} spn_spec_measure;

typedef struct spn_spec_figure {
    char *name, *title, *value, *also, *x, *by;
    char **as;
    uint32_t as_count;
    char *intervals;
    char **log;
    uint32_t log_count;
    char *best;
    char **where;
    uint32_t where_count;
    char *reference, *reference_name, *x_label, *label, *by_label;
} spn_spec_figure;

typedef struct spn_spec_raw {
    char *name, *title, *about, *task, *seed, *runs;
    char *settings[SPN_SPEC_SETTINGS]; /* in the order of the task's table; NULL: not given */
    spn_spec_axis *grid;
    uint32_t grid_count;
    spn_spec_measure *measure;
    spn_spec_figure *figures;
    uint32_t figures_count;
} spn_spec_raw;

/* ---- a specification being read ---- */

/* The schema, whose part for `settings` is made of the task's table. */
typedef struct spn_spec_schema {
    cyaml_schema_field_t settings[SPN_SPEC_SETTINGS + 1];
    cyaml_schema_field_t top[16];
    cyaml_schema_value_t root;
} spn_spec_schema;

typedef struct spn_spec {
    const char *file; /* its name in errors */
    yaml_document_t document;
    bool has_document;
    spn_spec_schema schema;
    const xpn_task *task;
    spn_spec_raw *raw;
    const char *const *set; /* what replaces values of the file */
    size_t set_count;
} spn_spec;

/* Where something stands: in the file, or in a text of set. */
typedef struct spn_place {
    const yaml_node_t *node; /* NULL: the file as a whole */
    const char *set;         /* NULL: not there */
} spn_place;

/* Fail with "FILE: line N: ..." (INPUT) or, of a text of set, "TEXT: ..." (ARGUMENT). */
spn_status spn_spec_fail(const spn_spec *spec, spn_place place, spn_error *err, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* Where the value called `name` in set, or else that of a key, stands. */
spn_place spn_spec_place(const spn_spec *spec, const char *name, const yaml_node_t *node);
static inline spn_place spn_spec_at(const yaml_node_t *node)
{
    return (spn_place){.node = node};
}

/* The root of the tree; the value of a key in a mapping, or entry i of a list, or NULL; the key
   itself. All accept NULL. */
const yaml_node_t *spn_spec_root(const spn_spec *spec);
const yaml_node_t *spn_spec_key(const spn_spec *spec, const yaml_node_t *node, const char *key);
const yaml_node_t *spn_spec_item(const spn_spec *spec, const yaml_node_t *node, size_t i);

/* ---- the steps, in their order ---- */

/* Parse text into the tree. */
spn_status spn_spec_scan(spn_spec *spec, const char *text, size_t size, spn_error *err);

/* Check the tree against the schema, and find the task. */
spn_status spn_spec_check(spn_spec *spec, spn_error *err);

/* Make the schema for a task; NULL: whose settings are not known yet, and not looked at. */
void spn_spec_schema_make(spn_spec_schema *out, const xpn_task *task);

/* Fill spec->raw. */
spn_status spn_spec_load(spn_spec *spec, const char *text, size_t size, spn_error *err);

/* Put the texts of set into spec->raw. */
spn_status spn_spec_override(spn_spec *spec, spn_error *err);

/* Make the parts of the sweep. */
spn_status spn_spec_head(spn_sweep *out, const spn_spec *spec, spn_error *err);
spn_status spn_spec_settings(spn_sweep *out, const spn_spec *spec, spn_error *err);
spn_status spn_spec_grid(spn_sweep *out, const spn_spec *spec, spn_error *err);
spn_status spn_spec_measures(spn_sweep *out, const spn_spec *spec, spn_error *err);
spn_status spn_spec_figures(spn_sweep *out, const spn_spec *spec, spn_error *err);

/* Check that the conditions of figures leave some points, once defaults are known. */
spn_status spn_spec_conditions(const spn_sweep *sweep, const spn_spec *spec, spn_error *err);

/* Where the fault of a check of the task stands. */
spn_place spn_spec_fault(const spn_spec *spec, const spn_sweep *sweep, const xpn_fault *fault);

void spn_spec_clear(spn_spec *spec);

/* All of them but the checks that read files: a sweep from text. */
spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         spn_error *err);

/* ---- values ---- */

/* One way to write each value: 0.1 for .1 and 1e-1, true for yes. To be freed; NULL when there is
   no memory. */
char *spn_spec_canonical(xpn_setting_kind kind, const char *text);

/* Numbers, flags and words of the file; `name` is the key. *out is left alone where text is NULL.
 */
spn_status spn_spec_whole(uint64_t *out, const spn_spec *spec, spn_place place, const char *name,
                          const char *text, uint64_t least, uint64_t most, spn_error *err);
spn_status spn_spec_real(double *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, double least, double most, spn_error *err);
spn_status spn_spec_flag(bool *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, spn_error *err);
spn_status spn_spec_word(int *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, const char *const *words, spn_error *err);

/* A name of files: letters a to z, digits, hyphens. */
spn_status spn_spec_name(const spn_spec *spec, spn_place place, const char *key, const char *text,
                         spn_error *err);

/* A copy of a text; *out stays NULL for NULL. Errors: MEMORY. */
spn_status spn_spec_copy(char **out, const char *text, spn_error *err);
spn_status spn_spec_no_memory(spn_error *err);

#endif

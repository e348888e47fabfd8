/* A specification file while it is read: its tree, which knows the lines, the tables of its
   members, and its task. */
#ifndef SPN_SWEEP_SPEC_SPEC_H
#define SPN_SWEEP_SPEC_SPEC_H

#include "base/json.h"
#include "job/inputs.h"
#include "sweep/jobs.h"
#include <spinney/lab/job.h>
#include <spinney/lab/records.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

/* A tree of texts from YAML or JSON, with their lines. Every value is the text as written; tables
   of members give it a meaning. */

typedef enum spn_node_kind { SPN_NODE_TEXT, SPN_NODE_LIST, SPN_NODE_MAPPING } spn_node_kind;

typedef struct spn_node spn_node;
struct spn_node {
    spn_node_kind kind;
    char *key;       /* in a mapping; else NULL */
    size_t line;     /* from 1; 0: unknown */
    size_t key_line; /* of the key */
    const char *set; /* the text NAME=VALUE that put it here, borrowed; NULL: from the file */
    char *text;      /* of a TEXT */
    bool plain;      /* without quotes: then empty, ~ and null are no value */
    size_t count, capacity;
    spn_node *items; /* of a LIST or MAPPING; keys are distinct */
};

/* Read YAML, in linear time. Aliases, second documents, texts with a zero byte, repeated keys and
   more than a few levels are refused. An empty file is a plain empty text. Clear out, also after
   an error. Errors: INPUT ("NAME: line N: ..."), MEMORY. */
spn_status spn_tree_read_yaml(spn_node *out, const char *text, size_t size, const char *name,
                              spn_error *err);

/* The same from JSON. */
spn_status spn_tree_read_json(spn_node *out, const spn_json_value *root, const char *name,
                              spn_error *err);

void spn_node_clear(spn_node *node);

/* The value of a key in a mapping, or item i of a list, or NULL. Both accept NULL and other
   nodes. */
const spn_node *spn_node_get(const spn_node *mapping, const char *key);
const spn_node *spn_node_item(const spn_node *list, size_t i);

/* Put a node under a key of a mapping, replacing any other: empty; a text of `length` bytes; a
   list of the parts of a text separated by `between`. Or append an item to a list, empty or a
   text. The node keeps `set`. NULL without memory. */
spn_node *spn_node_put(spn_node *mapping, const char *key, spn_node_kind kind, const char *set);
spn_node *spn_node_put_text(spn_node *mapping, const char *key, const char *text, size_t length,
                            const char *set);
spn_node *spn_node_put_list(spn_node *mapping, const char *key, const char *text,
                            const char *between, const char *set);
spn_node *spn_node_add(spn_node *list, spn_node_kind kind);
spn_node *spn_node_add_text(spn_node *list, const char *text, size_t length, const char *set);

void spn_node_remove(spn_node *mapping, const char *key);

/* Whether it is a text that means no value. */
bool spn_node_is_empty(const spn_node *node);

/* Fail like spn_node_fail for an error found without its place; MEMORY and IO errors are passed
   on. before: text before the reason. */
spn_status spn_node_blame(const spn_node *node, const char *file, const char *before,
                          const spn_error *why, spn_error *err);

/* Fail with "TEXT: ..." (ARGUMENT) if a text NAME=VALUE put the node there, else with "FILE: line
   N: ..." (INPUT), without the line if it is unknown or node is NULL. Always one line. */
spn_status spn_node_fail(const spn_node *node, const char *file, spn_error *err, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* A table describes the members of a struct: name, kind and allowed values. By the table a struct
   is read from a tree (YAML or JSON), written as JSON, and cleared. */

typedef enum spn_member_kind {
    SPN_MEMBER_TEXT,   /* char *; NULL: not given */
    SPN_MEMBER_NAME,   /* char *, for file names: letters a to z, digits, hyphens */
    SPN_MEMBER_WHOLE,  /* uint64_t or size_t */
    SPN_MEMBER_REAL,   /* double */
    SPN_MEMBER_SUM,    /* uint64_t: a checksum in 16 hexadecimal digits */
    SPN_MEMBER_WORD,   /* int: index of one of its words; the first is not written */
    SPN_MEMBER_FLAG,   /* bool: true or false, or its first word for false; false is not written */
    SPN_MEMBER_FLAGS,  /* bool[]: which of its words a list has */
    SPN_MEMBER_TEXTS,  /* char ** and a count: a list */
    SPN_MEMBER_FIELDS, /* spn_field * and a count: a mapping of names to texts */
    SPN_MEMBER_LIST    /* an array of structs and a count: a list of mappings */
} spn_member_kind;

enum {
    SPN_MEMBER_NEEDED = 1,
    SPN_MEMBER_STORED = 2, /* only in sweep.json: found, not specified; no member of a LIST is */
    SPN_MEMBER_APART = 4   /* not in the struct: a key that is read separately */
};

typedef struct spn_member spn_member;
struct spn_member {
    const char *name; /* the key; NULL ends a table */
    spn_member_kind kind;
    unsigned flags;
    size_t at, count_at;           /* offsets of the member and its count */
    uint64_t least, most;          /* of WHOLE */
    const char *fallback;          /* default text; NULL: the member stays zero */
    const char *const *words;      /* ended by NULL; or */
    const char *(*word)(size_t i); /* word i, NULL past the last */
    size_t size;                   /* of a struct of a LIST, */
    const spn_member *members;     /* and its table */
    const char *help;              /* one line */
};

/* Fill a zeroed struct from a mapping of a file. stored: the file is sweep.json. Clear out, also
   after an error. Errors: INPUT or ARGUMENT (spn_node_fail; the nearest for an unknown key),
   MEMORY. */
spn_status spn_members_read(void *out, const spn_member *table, const spn_node *mapping,
                            const char *file, bool stored, spn_error *err);

/* The same for one member at a node. */
spn_status spn_member_read(void *out, const spn_member *member, const spn_node *node,
                           const char *file, spn_error *err);

/* Write the struct as members of an open object, in table order, without members that have no
   value. If a text is not UTF-8, json->bad is the member's name. */
void spn_members_write(spn_json *json, const void *in, const spn_member *table);

void spn_members_clear(void *structure, const spn_member *table);

typedef struct spn_spec {
    const char *file; /* for errors, */
    spn_error *err;   /* which go here; may be NULL */
    spn_node root;
    const spn_task *task;
} spn_spec;

/* spn_node_fail in a specification. */
#define spn_spec_fail(spec, node, ...) spn_node_fail(node, (spec)->file, (spec)->err, __VA_ARGS__)

/* A sweep from the text of a file, with what `set` replaces (spn_sweep_parse): all checks except
   those that read files. Clear the specification, also after an error. Errors: INPUT, ARGUMENT,
   MEMORY. */
spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         const char *const *set, size_t set_count, spn_error *err);

/* The same for JSON. Its tree has no lines, so errors name only the key. */
spn_status spn_spec_read_json(spn_sweep **out, spn_spec *spec, const char *text,
                              const char *const *set, size_t set_count, spn_error *err);

/* The same for a tree. */
spn_status spn_spec_take(spn_sweep **out, spn_spec *spec, const char *const *set, size_t set_count);
void spn_spec_clear(spn_spec *spec);

spn_status spn_spec_no_memory(const spn_spec *spec);

/* Check the axes, make the values of ranges, and make all values canonical. */
spn_status spn_spec_grid(spn_sweep *sweep, const spn_spec *spec);

/* Turn lists into texts with commas if the setting takes one. */
spn_status spn_spec_join_lists(spn_spec *spec);

/* Check the names in a figure, and that it shares no files with those before it. */
spn_status spn_spec_check_figure(spn_sweep *sweep, const spn_spec *spec, size_t k);

/* Check all figures. */
spn_status spn_spec_figures(spn_sweep *sweep, const spn_spec *spec);

/* Plan every point of the grid, with the files it names; find defaults and checksums; check that
   some run has what figures show and meets their conditions; read reference files. */
spn_status spn_spec_check(spn_sweep *sweep, const spn_spec *spec);

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

/* Check the name of a setting, fixed or of a case, and make its text canonical. Jobs parse it. */
spn_status spn_spec_read_field(spn_field *field, const spn_spec *spec, const spn_node *node,
                               bool of_case);

/* Fail because there is no such setting; because it is the seed. */
spn_status spn_spec_unknown(const spn_spec *spec, const spn_node *node, const char *name);
spn_status spn_spec_seed(const spn_spec *spec, const spn_node *node, const char *name);

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

#endif

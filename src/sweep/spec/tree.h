/* A tree of texts from YAML or JSON, with their lines. Every value is the text as written; tables
   of members (sweep/spec/members.h) give it a meaning. */
#ifndef SPN_SWEEP_SPEC_TREE_H
#define SPN_SWEEP_SPEC_TREE_H

#include "base/json.h"
#include <spinney/status.h>
#include <stdbool.h>

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

#endif

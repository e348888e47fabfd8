/* A text of texts: what a file in YAML or JSON holds, with the lines on which it stands. Every
   value is the text that was written; what it means is for the table of members (sweep/members.h).
 */
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
    size_t line;     /* from 1; 0: not known */
    size_t key_line; /* of the key */
    const char *set; /* the text NAME=VALUE that put it here, borrowed; NULL: it is of the file */
    char *text;      /* of a TEXT */
    bool plain;      /* it has no quotes: then nothing, ~ and null are no value */
    size_t count, capacity;
    spn_node *items; /* of a LIST or MAPPING; no key is there twice */
};

/* Read YAML, in time that grows as its size does. Aliases, second documents, texts with a zero
   byte, keys that are there twice and more than a few levels are refused. An empty file is a plain
   empty text. To be cleared, also after an error. Errors: INPUT ("NAME: line N: ..."), MEMORY. */
spn_status spn_tree_read_yaml(spn_node *out, const char *text, size_t size, const char *name,
                              spn_error *err);

/* The same tree of JSON. */
spn_status spn_tree_read_json(spn_node *out, const spn_json_value *root, const char *name,
                              spn_error *err);

void spn_node_clear(spn_node *node);

/* The value of a key in a mapping, or entry i of a list, or NULL. Both accept NULL, and a node of
   another kind. */
const spn_node *spn_node_get(const spn_node *mapping, const char *key);
const spn_node *spn_node_item(const spn_node *list, size_t i);

/* Add an empty node of a kind under a key of a mapping, in place of what is there; a new last entry
   of a list, empty or a text of `length` bytes. What is made keeps `set`. NULL without memory. */
spn_node *spn_node_put(spn_node *mapping, const char *key, spn_node_kind kind, const char *set);
spn_node *spn_node_add(spn_node *list, spn_node_kind kind);
spn_node *spn_node_add_text(spn_node *list, const char *text, size_t length, const char *set);

/* Remove a key, if it is there. */
void spn_node_remove(spn_node *mapping, const char *key);

/* Whether it is a text that stands for nothing. */
bool spn_node_is_empty(const spn_node *node);

/* Fail for a reason that was found without knowing the place: as spn_node_fail does, but a lack of
   memory and an error of the system stay what they are. before: what stands before the reason. */
spn_status spn_node_blame(const spn_node *node, const char *file, const char *before,
                          const spn_error *why, spn_error *err);

/* Fail with "TEXT: ..." (ARGUMENT) for what a text NAME=VALUE has put there, else with "FILE: line
   N:
   ..." (INPUT), without the line if it is not known or node is NULL. Always one line. */
spn_status spn_node_fail(const spn_node *node, const char *file, spn_error *err, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

#endif

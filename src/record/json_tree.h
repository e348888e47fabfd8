/* Trees of JSON (jansson's), read and made so that no lack of memory goes unnoticed. */
#ifndef SPN_RECORD_JSON_TREE_H
#define SPN_RECORD_JSON_TREE_H

#include <jansson.h>
#include <spinney/status.h>
#include <stdbool.h>

/* What goes wrong while a tree is made stays here, to be asked for once, at its end. */
typedef struct spn_json_tree {
    bool failed;
} spn_json_tree;

/* Put a value, which then belongs to it, into an object or at the end of a list. Each may be NULL
   where it could not be made. */
void spn_json_set(spn_json_tree *tree, json_t *object, const char *name, json_t *value);
void spn_json_append(spn_json_tree *tree, json_t *list, json_t *value);

/* A text; where it is not UTF-8, as the name of a file may be, with a ? for each byte that is not
   ASCII. NULL without memory. */
json_t *spn_json_string(const char *text);

/* A number; null where it is not finite. NULL without memory. */
json_t *spn_json_number(double value);

/* The text of a tree, to be freed, with jansson's flags; the tree is freed. NULL where something
   failed. */
char *spn_json_dump(const spn_json_tree *tree, json_t *root, size_t flags);

/* What is wrong with a text. */
typedef struct spn_json_fault {
    const char *what; /* a constant */
    size_t line;      /* from 1 */
} spn_json_fault;

/* Read an object or a list of size bytes (json_parse.c). No object may have a name twice; whole
   numbers fit 64 bits, others a double. Errors: INPUT, *fault says why; MEMORY. Cost: linear. */
spn_status spn_json_load(json_t **out, const char *text, size_t size, spn_json_fault *fault);

#endif

/* A table describes the members of a struct: name, kind and allowed values. By the table a struct
   is read from a tree (YAML or JSON), written as JSON, and cleared. */
#ifndef SPN_SWEEP_SPEC_MEMBERS_H
#define SPN_SWEEP_SPEC_MEMBERS_H

#include "sweep/spec/tree.h"

#include <stdint.h>

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

#endif

/* Structs described once: a table says for each member its name, how it is read and what it may be.
   By the table a struct is read from a tree (YAML or JSON), written as JSON, and cleared. */
#ifndef SPN_SWEEP_SPEC_MEMBERS_H
#define SPN_SWEEP_SPEC_MEMBERS_H

#include "sweep/spec/tree.h"

#include <stdint.h>

typedef enum spn_member_kind {
    SPN_MEMBER_TEXT,   /* char *; NULL: not given */
    SPN_MEMBER_NAME,   /* char *, for names of files: letters a to z, digits, hyphens */
    SPN_MEMBER_WHOLE,  /* uint64_t or size_t */
    SPN_MEMBER_REAL,   /* double */
    SPN_MEMBER_SUM,    /* uint64_t: a checksum in 16 hexadecimal digits */
    SPN_MEMBER_WORD,   /* int: the number of one of its words; the first is not written */
    SPN_MEMBER_FLAG,   /* bool: true or false, or its first word for false; false is not written */
    SPN_MEMBER_FLAGS,  /* bool[]: which of its words a list has */
    SPN_MEMBER_TEXTS,  /* char ** and a count: a list */
    SPN_MEMBER_FIELDS, /* spn_field * and a count: a mapping of names to texts */
    SPN_MEMBER_LIST    /* an array of structs and a count: a list of mappings */
} spn_member_kind;

enum {
    SPN_MEMBER_NEEDED = 1,
    SPN_MEMBER_STORED = 2, /* in sweep.json only: found out, not specified */
    SPN_MEMBER_APART = 4   /* not of the struct: a key whose meaning is read for itself */
};

typedef struct spn_member spn_member;
struct spn_member {
    const char *name; /* the key; NULL ends a table */
    spn_member_kind kind;
    unsigned flags;
    size_t at, count_at;           /* offsets of the member, and of its count */
    uint64_t least, most;          /* of WHOLE */
    const char *fallback;          /* the text where none is given; NULL: the member stays zero */
    const char *const *words;      /* ended by NULL; or */
    const char *(*word)(size_t i); /* word i, NULL past the last */
    size_t size;                   /* of a struct of a LIST, */
    const spn_member *members;     /* and its table */
    const char *help;              /* one line */
};

/* What is being read, for errors; stored: it is sweep.json. */
typedef struct spn_reading {
    const char *file;
    bool stored;
} spn_reading;

/* Fill a zeroed struct from a mapping; to be cleared, also after an error. Errors: INPUT or
   ARGUMENT (spn_node_fail; for an unknown key the nearest), MEMORY. */
spn_status spn_members_read(void *out, const spn_member *table, const spn_node *mapping,
                            const spn_reading *reading, spn_error *err);

/* The same for one member, whose node is given. */
spn_status spn_member_read(void *out, const spn_member *member, const spn_node *node,
                           const spn_reading *reading, spn_error *err);

/* Write the struct as members of an open object, in the order of the table, without what has no
   value. If a text is not UTF-8, json->bad is the member's name. */
void spn_members_write(spn_json *json, const void *in, const spn_member *table);

void spn_members_clear(void *structure, const spn_member *table);

#endif

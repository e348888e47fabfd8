/* Read and write JSON: the same content gives the same bytes on every machine and in every locale.
   Lack of memory is always reported. */
#ifndef SPN_BASE_JSON_H
#define SPN_BASE_JSON_H

#include "base/memory.h"
#include "base/number.h"
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct spn_json {
    FILE *stream;
    size_t broken;            /* outer levels with a line for each element; 0: all in one line */
    bool seventeen;           /* fractions have 17 digits; else as few as possible */
    bool filled;              /* the open list or object has an element */
    size_t depth;             /* open lists and objects */
    const char *bad;          /* name of the first text that is not UTF-8; NULL: none */
    spn_memory_stream memory; /* for spn_json_begin */
} spn_json;

/* For what the program prints and models hold: a line for each element, all digits. */
#define SPN_JSON_PRINTED                                                                           \
    {                                                                                              \
        .broken = SIZE_MAX, .seventeen = true                                                      \
    }

/* Open and close an object ('{', '}') or a list ('[', ']'). name: of a member of an object; NULL
   in a list and at the top. */
void spn_json_open(spn_json *json, const char *name, char bracket);
void spn_json_close(spn_json *json, char bracket);

void spn_json_text(spn_json *json, const char *name, const char *text);
void spn_json_whole(spn_json *json, const char *name, uint64_t value);
void spn_json_flag(spn_json *json, const char *name, bool value);
void spn_json_null(spn_json *json, const char *name);

/* A text that may not be UTF-8, such as a file name: then bytes outside ASCII become question
   marks. */
void spn_json_any_text(spn_json *json, const char *name, const char *text);

/* A number; null if not finite. The second writes whole numbers with a point: 5.0. */
void spn_json_real(spn_json *json, const char *name, double value);
void spn_json_decimal(spn_json *json, const char *name, double value);

/* A finite number in the fewest digits that read back exactly. */
void spn_real_text(char out[SPN_NUMBER_TEXT], double value);

/* A finite number in `digits` digits, with a point or an exponent. */
void spn_decimal_text(char out[SPN_NUMBER_TEXT], double value, int digits);

/* Start writing into memory, and finish. Free *text; do not move json in between. size may be
   NULL. Errors, with *text NULL: ARGUMENT (a text was not UTF-8), MEMORY. */
spn_status spn_json_begin(spn_json *json, spn_error *err);
spn_status spn_json_finish(char **text, size_t *size, spn_json *json, spn_error *err);

void spn_json_drop(spn_json *json);

typedef enum spn_json_kind {
    SPN_JSON_NULL,
    SPN_JSON_FALSE,
    SPN_JSON_TRUE,
    SPN_JSON_WHOLE,
    SPN_JSON_REAL, /* written with a fraction or an exponent */
    SPN_JSON_TEXT,
    SPN_JSON_LIST,
    SPN_JSON_OBJECT
} spn_json_kind;

/* A value. The values of a list or an object follow it, in order. */
typedef struct spn_json_value {
    spn_json_kind kind;
    uint32_t line;    /* of the text, from 1 */
    const char *name; /* in an object; else NULL */
    union {
        int64_t whole;
        double real;
        const char *text; /* UTF-8, without zero bytes */
        size_t count;     /* of a list or an object */
    };
    size_t span; /* distance to the next value beside it */
} spn_json_value;

typedef struct spn_json_tree {
    spn_json_value *root; /* an object or a list */
    char *texts;          /* of all values */
} spn_json_tree;

typedef struct spn_json_fault {
    const char *what; /* a constant */
    size_t line;      /* from 1 */
} spn_json_fault;

/* Read an object or a list of size bytes. Names in an object are distinct; whole numbers fit 64
   bits, others a double. Errors, with an empty tree: INPUT, *fault says why; MEMORY. Cost: linear,
   except that names of an object are sorted. */
spn_status spn_json_load(spn_json_tree *out, const char *text, size_t size, spn_json_fault *fault);
void spn_json_unload(spn_json_tree *tree);

/* A member by name; NULL if there is none, or value is no object. Cost: linear. */
const spn_json_value *spn_json_get(const spn_json_value *value, const char *name);

/* The first value of a list or object, and the one after another; NULL after the last, or if `in`
   is neither. in may be NULL. */
const spn_json_value *spn_json_first(const spn_json_value *in);
const spn_json_value *spn_json_next(const spn_json_value *in, const spn_json_value *after);

/* value may be NULL. Its kind; its text, or NULL; its number, or NAN. */
bool spn_json_is(const spn_json_value *value, spn_json_kind kind);
const char *spn_json_get_text(const spn_json_value *value);
double spn_json_get_real(const spn_json_value *value);

/* Write a value again. */
void spn_json_value_put(spn_json *json, const char *name, const spn_json_value *value);

#endif

/* JSON, read and written: the same bytes for the same content on every machine and in every locale.
   A lack of memory is always noticed. */
#ifndef SPN_BASE_JSON_H
#define SPN_BASE_JSON_H

#include "base/memory.h"
#include "base/number.h"
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- writing (json_write.c) ---- */

typedef struct spn_json {
    FILE *stream;
    size_t broken;   /* this many outer levels have a line for each element; 0: all in one line */
    bool seventeen;  /* numbers with a fraction have 17 digits, not as few as possible */
    bool filled;     /* the open list or object has an element */
    size_t depth;    /* of what is open */
    const char *bad; /* the name of the first text that was not UTF-8; NULL: none */
    spn_memory_stream memory; /* of what spn_json_begin began */
} spn_json;

/* What the program prints and a model holds: a line for each element, all digits. */
#define SPN_JSON_PRINTED                                                                           \
    {                                                                                              \
        .broken = SIZE_MAX, .seventeen = true                                                      \
    }

/* Open and close an object ('{', '}') or a list ('[', ']'). In an object, name what comes next;
   name is NULL in a list and at the top. */
void spn_json_open(spn_json *json, const char *name, char bracket);
void spn_json_close(spn_json *json, char bracket);

void spn_json_text(spn_json *json, const char *name, const char *text);
void spn_json_whole(spn_json *json, const char *name, uint64_t value);
void spn_json_flag(spn_json *json, const char *name, bool value);
void spn_json_null(spn_json *json, const char *name);

/* A text that may not be UTF-8, such as the name of a file. If it is not, each byte outside ASCII
   becomes a question mark. */
void spn_json_any_text(spn_json *json, const char *name, const char *text);

/* A number; null if it is not finite. The second writes a whole number with a point: 5.0. */
void spn_json_real(spn_json *json, const char *name, double value);
void spn_json_decimal(spn_json *json, const char *name, double value);

/* A finite number in as few digits as read back exactly, in every locale. */
void spn_real_text(char out[SPN_NUMBER_TEXT], double value);

/* A finite number in `digits` digits, with a point or an exponent. */
void spn_decimal_text(char out[SPN_NUMBER_TEXT], double value, int digits);

/* Start writing into memory; finish what was started. The caller frees *text; do not move json in
   between. Errors: ARGUMENT (a text was not UTF-8), MEMORY; then *text is NULL. size may be NULL.
 */
spn_status spn_json_begin(spn_json *json, spn_error *err);
spn_status spn_json_finish(char **text, size_t *size, spn_json *json, spn_error *err);

/* Drop what was started. */
void spn_json_drop(spn_json *json);

/* ---- reading (json_read.c) ---- */

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
    size_t span; /* from it to the next value beside it */
} spn_json_value;

/* What a text holds. */
typedef struct spn_json_tree {
    spn_json_value *root; /* an object or a list */
    char *texts;          /* of all values */
} spn_json_tree;

/* What is wrong with a text. */
typedef struct spn_json_fault {
    const char *what; /* a constant */
    size_t line;      /* from 1 */
} spn_json_fault;

/* Read an object or a list of size bytes. No object may have a name twice; whole numbers fit 64
   bits, others a double. Errors: INPUT, *fault says why; MEMORY; then the tree is empty. Cost: the
   names of an object are sorted, all else is linear. */
spn_status spn_json_load(spn_json_tree *out, const char *text, size_t size, spn_json_fault *fault);
void spn_json_unload(spn_json_tree *tree);

/* The member called so; NULL if there is none, or value is no object, or NULL. Cost: linear. */
const spn_json_value *spn_json_get(const spn_json_value *value, const char *name);

/* The first value of a list or an object, and the one after another; NULL after the last, and if
   `in` is neither, or NULL. */
const spn_json_value *spn_json_first(const spn_json_value *in);
const spn_json_value *spn_json_next(const spn_json_value *in, const spn_json_value *after);

/* Whether a value, which may be NULL, is of a kind; its text, or NULL if it is no text; a number as
   double, NAN if it is none. */
bool spn_json_is(const spn_json_value *value, spn_json_kind kind);
const char *spn_json_get_text(const spn_json_value *value);
double spn_json_get_real(const spn_json_value *value);

/* Write a value that was read. */
void spn_json_value_put(spn_json *json, const char *name, const spn_json_value *value);

#endif

/* Writes JSON, in the same bytes for the same content on every machine and in every locale. */
#ifndef SPN_BASE_JSON_WRITER_H
#define SPN_BASE_JSON_WRITER_H

#include "base/memory.h"
#include "base/number.h"
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct spn_json {
    FILE *stream;
    size_t broken; /* so many outer levels have a line for each element; 0: all in one line */
    size_t depth;
    bool filled;              /* the open list or object has an element */
    const char *bad;          /* the name of the first text that was not UTF-8; NULL: none */
    spn_memory_stream memory; /* of what spn_json_begin began */
} spn_json;

/* Open and close an object ('{', '}') or a list ('[', ']'). In an object, name what comes next;
   name is NULL in a list and at the top. */
void spn_json_open(spn_json *json, const char *name, char bracket);
void spn_json_close(spn_json *json, char bracket);

void spn_json_text(spn_json *json, const char *name, const char *text);
void spn_json_whole(spn_json *json, const char *name, uint64_t value);
void spn_json_flag(spn_json *json, const char *name, bool value);

/* A finite number in as few digits as read back exactly, in every locale. */
void spn_real_text(char out[SPN_NUMBER_TEXT], double value);

/* That number; null where it is not finite. */
void spn_json_real(spn_json *json, const char *name, double value);

/* Start writing into memory: a text that has to be finished, and is to be freed; json must not be
   moved between. Errors: ARGUMENT (a text was not UTF-8), MEMORY; then *text is NULL. */
spn_status spn_json_begin(spn_json *json, spn_error *err);
spn_status spn_json_finish(char **text, size_t *size, spn_json *json, spn_error *err);

#endif

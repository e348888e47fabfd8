/* Text: lines and numbers of files, cells of CSV files, UTF-8. */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include "base/source.h"

#include <stdbool.h>
#include <stdio.h>

/* Some characters of a source, not ended by NUL. */
typedef struct spn_span {
    const char *text;
    size_t size;
} spn_span;

/* Walks over the lines of a source. Start with spn_lines_of. */
typedef struct spn_lines {
    spn_span rest;
    size_t number; /* of the line given last; the first is 1 */
} spn_lines;

/* Skips a byte order mark at the start. */
spn_lines spn_lines_of(const spn_source *source);

/* The next line that is not blank, without its end and without blanks around it. */
bool spn_lines_next(spn_lines *lines, spn_span *out);

/* The same with the blanks around it: tabs may separate columns. */
bool spn_lines_next_whole(spn_lines *lines, spn_span *out);

/* Whether it is this text. */
bool spn_span_is(spn_span span, const char *text);

/* Without the spaces and tabs around it. */
spn_span spn_trim(spn_span span);

/* The first `length` characters of a text, or as many as it has and as there is room for, with the
   NUL that ends them; size is at least 1. What snprintf does with "%.*s", at a fraction of its
   cost. */
void spn_take_text(char *out, size_t size, const char *text, size_t length);

typedef enum spn_number {
    SPN_NUMBER_FINITE,
    SPN_NUMBER_NOT_FINITE, /* NaN, an infinity, or too large for a double */
    SPN_NUMBER_NONE        /* not a decimal number */
} spn_number;

/* Read a decimal number such as -1.5e3 that fills the span. Correctly rounded. */
spn_number spn_number_read(double *out, spn_span span);

/* The span for an error message: printable, short, in out. */
enum { SPN_SHOWN = 48 };
const char *spn_show(char out[SPN_SHOWN], spn_span span);

/* A number that the author of a file cannot predict, so that no file can make all texts of a hash
   table collide. It must not affect any result. */
uint64_t spn_hash_seed(void);

/* ---- CSV ---- */

/* What to write before a text so that no spreadsheet takes it for a formula: an apostrophe if it
   starts with = + - @, a tab or a carriage return and is not a number; otherwise nothing. Every
   text that is not our own goes through here. */
const char *spn_csv_guard(const char *text);

/* Write a text as a cell, guarded, in quotes if it needs them. */
void spn_csv_put(FILE *stream, const char *text);

/* The same, always in quotes and on one line: control characters become blanks. */
void spn_csv_put_quoted(FILE *stream, const char *text);

/* ---- UTF-8 ---- */

/* The bytes of the character at the start of a text of size bytes; 0 if there is none: an overlong
   form, a surrogate, a code past the last character, or a byte that starts no character. */
size_t spn_utf8_size(const char *text, size_t size);

/* Whether all of a text is UTF-8. */
bool spn_is_utf8(const char *text);

#endif

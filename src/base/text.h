/* Text: lines and numbers of files, cells of CSV files, UTF-8. */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include "base/source.h"

#include <stdbool.h>
#include <stdio.h>

/* Characters of a source, not ended by NUL. */
typedef struct spn_span {
    const char *text;
    size_t size;
} spn_span;

/* Walks over the lines of a source. Start with spn_lines_of. */
typedef struct spn_lines {
    spn_span rest;
    size_t number; /* of the last line; the first is 1 */
} spn_lines;

/* Skips a byte order mark at the start. */
spn_lines spn_lines_of(const spn_source *source);

/* The next line that is not blank, without its end and without blanks around it. */
bool spn_lines_next(spn_lines *lines, spn_span *out);

/* The same with the blanks around it, because tabs may separate columns. */
bool spn_lines_next_whole(spn_lines *lines, spn_span *out);

bool spn_span_is(spn_span span, const char *text);

/* The same in any case; whether it starts or ends so. */
bool spn_span_is_word(spn_span span, const char *text);
bool spn_span_starts(spn_span span, const char *text);
bool spn_span_ends(spn_span span, const char *text);

/* Drop spaces and tabs around it. */
spn_span spn_trim(spn_span span);

/* Like snprintf of "%.*s", but much faster: at most `length` characters of a text, cut to fit, and
   a NUL; size is at least 1. */
void spn_take_text(char *out, size_t size, const char *text, size_t length);

typedef enum spn_number {
    SPN_NUMBER_FINITE,
    SPN_NUMBER_NOT_FINITE, /* NaN, an infinity, or too large for a double */
    SPN_NUMBER_NONE        /* not a decimal number */
} spn_number;

/* Read a decimal number such as -1.5e3 that fills the span. Correctly rounded. */
spn_number spn_number_read(double *out, spn_span span);

/* Whether a number that was read as 0 is another one, too small for a double. */
bool spn_number_vanishes(double read, spn_span span);

/* A span for an error message: printable and short. */
enum { SPN_SHOWN = 48 };
const char *spn_show(char out[SPN_SHOWN], spn_span span);

/* A number that the author of a file cannot predict, so that no file can make all texts of a hash
   table collide. It must not affect any result. */
uint64_t spn_hash_seed(void);

/* Names of an enum: spn_X_names = SPN_NAME_LIST(what, [VALUE] = "name", ...). */
#define SPN_NAME_LIST(what, ...)                                                                   \
    {                                                                                              \
        (what), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]) \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Write a cell, in quotes if needed. No spreadsheet may take a text for a formula: an apostrophe
   goes before it if it starts with = + - @, a tab or a carriage return and is not a number. All
   texts that are not our own go through here. */
void spn_csv_put(FILE *stream, const char *text);

/* The same, always in quotes and on one line: control characters become blanks. */
void spn_csv_put_quoted(FILE *stream, const char *text);

/* Bytes of the first character of a text of size bytes; 0 if invalid: an overlong form, a
   surrogate, a code past the last character, or a byte that starts none. */
size_t spn_utf8_size(const char *text, size_t size);

bool spn_is_utf8(const char *text);
bool spn_span_is_utf8(spn_span span);

#endif

/* Pieces of text files: lines, and numbers that do not depend on the locale. */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include "base/source.h"

#include <stdbool.h>
#include <stddef.h>

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

/* A byte order mark at the start is passed over. */
spn_lines spn_lines_of(const spn_source *source);

/* The next line that is not blank, without its end and without blanks around it. */
bool spn_lines_next(spn_lines *lines, spn_span *out);

/* The same with the blanks around it, which mean something where tabs separate columns. */
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

/* A number that who writes a file cannot foresee, so that no file makes the texts of a table meet
   in one place. It must not show in any result. */
uint64_t spn_hash_seed(void);

#endif

/* The tokens of CPLEX's LP format. */
#ifndef SPN_PROBLEM_READ_LP_TOKENS_H
#define SPN_PROBLEM_READ_LP_TOKENS_H

#include "problem/read/reading.h"

typedef enum spn_lp_kind {
    SPN_LP_FILE_END,
    SPN_LP_SECTION, /* a keyword that starts a line, as Bounds */
    SPN_LP_NAME,
    SPN_LP_NUMBER,
    SPN_LP_SIGN, /* + or - */
    SPN_LP_SENSE,
    SPN_LP_MARK /* another character */
} spn_lp_kind;

typedef enum spn_lp_section {
    SPN_LP_MINIMIZE,
    SPN_LP_MAXIMIZE,
    SPN_LP_ROWS,
    SPN_LP_BOUNDS,
    SPN_LP_BINARY,
    SPN_LP_INTEGER,
    SPN_LP_END,
    SPN_LP_REFUSED /* of what is not read */
} spn_lp_section;

typedef struct spn_lp_token {
    spn_lp_kind kind;
    spn_span text; /* empty at the end of the file */
    union {
        spn_lp_section section;
        double number;
        spn_sense sense;
    } is;
} spn_lp_token;

/* The token at the place of the reading, after blanks, line ends and comments; the place moves on
   after it. Errors: INPUT (a number that is not exact or not finite). */
spn_status spn_lp_next(spn_lp_token *out, spn_reading *reading, spn_error *err);

/* The same without moving. */
spn_status spn_lp_peek(spn_lp_token *out, spn_reading *reading, spn_error *err);

/* Take the next token if it is this mark. */
bool spn_lp_take_mark(spn_reading *reading, char mark);

/* Whether a name means something else in an LP file: a keyword, free, or an infinity. */
bool spn_lp_is_reserved(spn_span name);

/* Whether a name can be written: letters, digits and some marks, without a digit or point first,
   and not like the exponent of a number. */
bool spn_lp_is_name(spn_span name);

/* Errors: INPUT, saying what was expected in place of a token. */
spn_status spn_lp_expected(const spn_reading *reading, spn_lp_token token, const char *expected,
                           spn_error *err);

#endif

/* Problems: shared by readers and generators. */
#ifndef SPN_DATA_PROBLEM_H
#define SPN_DATA_PROBLEM_H

#include "data/columns.h"

#include <spinney/problems.h>

/* Least size of a weight that is not 0. Halves and quarters of such weights are exact doubles,
   as are all their sums in units (energy/quadratic.c), and 1 / weight, the scale of beta, is
   finite. */
#define SPN_LEAST_WEIGHT 1e-280

/* Largest size of an energy in a table, so that differences and sums of a few are finite. */
#define SPN_MOST_ENERGY 1e300

/* Streams of a random instance. Draws from one do not depend on how many another gave. */
enum {
    SPN_STREAM_PATTERNS,
    SPN_STREAM_LABELS,
    SPN_STREAM_TEACHER,
    SPN_STREAM_COUPLINGS,
    SPN_STREAM_REDRAWN,
    SPN_STREAM_FRESH
};

/* An empty problem; NULL without memory. */
spn_problem *spn_problem_alloc(spn_problem_kind kind);

/* Walks over the lines of a problem file and over their tokens. */
typedef struct spn_walk {
    const spn_source *source;
    const spn_problem_options *options;
    spn_problem *problem; /* filled by the reader */
    size_t capacity;      /* of its rows, edges or energies */
    spn_lines lines;
    spn_span whole;    /* current line */
    spn_span line;     /* the rest of it */
    spn_status status; /* after the last line: of a wrong comment */
    char mark;         /* may end a token, like a comma */
    /* for graphs */
    char comment;    /* starts a comment in this format, like # */
    bool has_offset; /* a comment gave one */
    spn_texts names; /* of spins, moved to the problem; empty: numbers */
} spn_walk;

/* The next line that is no comment; false at the end, and after an error, which is in
   walk->status. */
bool spn_walk_line(spn_walk *walk, spn_error *err);

/* The next token of the line, ended by a blank, a comma or a mark; false at the end of the line. */
bool spn_walk_token(spn_span *out, spn_walk *walk);

/* Fail with INPUT and a text that starts with file and line. */
spn_status spn_walk_fail(const spn_walk *walk, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

spn_status spn_walk_no_memory(const spn_walk *walk, spn_error *err);

/* Readers fill walk->problem; each reads one or two kinds. */
typedef spn_status spn_problem_reader(spn_walk *walk, spn_error *err);
spn_problem_reader spn_read_states, spn_read_graph;

/* Any kind, from a file in memory. options: complete, not NULL. */
spn_status spn_problem_parse(spn_problem **out, spn_problem_kind kind, const spn_source *source,
                             const spn_problem_options *options, spn_error *err);

/* Stabilities x = label * <W, pattern> that a threshold kappa allows: least to most, of the parity
   of N and within -N..N. x/sqrt(N) is compared with kappa as doubles, so that, if N is a square, a
   stability that equals kappa counts as equal. */
typedef struct spn_stability {
    int64_t least, most;
} spn_stability;

/* x/sqrt(N) >= kappa or, if ties are wrong, > kappa. Errors: ARGUMENT if no pattern can be right,
   or none wrong. */
spn_status spn_stability_above(spn_stability *out, size_t sites, double kappa, bool ties_wrong,
                               spn_error *err);

/* |x|/sqrt(N) <= kappa. Errors: ARGUMENT if no pattern can be right, or kappa is above sqrt(N). */
spn_status spn_stability_within(spn_stability *out, size_t sites, double kappa, spn_error *err);

/* ---- what the readers of states share ---- */

/* A spin from 1, 0 or -1; false for another value. seen: notes which values were met. */
bool spn_state_value(int8_t *out, double value, unsigned *seen);

/* 0 stands for -1: fail with INPUT if both occurred in one file. */
spn_status spn_states_check(unsigned seen, const spn_source *source, spn_error *err);

/* The states of a JSON text, and its list `variables`. */
spn_status spn_read_states_json(spn_walk *walk, spn_error *err);

/* Add the name of the next variable. Errors: INPUT (it was there before), MEMORY. */
spn_status spn_states_add_name(spn_walk *walk, spn_span name, spn_error *err);

#endif

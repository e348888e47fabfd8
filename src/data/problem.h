/* Problems from inside: what the readers and generators share. */
#ifndef SPN_DATA_PROBLEM_H
#define SPN_DATA_PROBLEM_H

#include "base/text.h"
#include <spinney/problems.h>

/* The least size of a weight that is not 0. Halves and quarters of such weights are exact doubles,
   as are all their sums in units (energy/quadratic.c); and 1 / weight, the scale of beta, is
   finite. */
#define SPN_LEAST_WEIGHT 1e-280

/* The largest size of an energy of a table, so that differences and sums of some are finite. */
#define SPN_MOST_ENERGY 1e300

/* The streams of a random instance: what is drawn from one does not depend on how much another
 * gave.
 */
enum {
    SPN_STREAM_PATTERNS,
    SPN_STREAM_LABELS,
    SPN_STREAM_TEACHER,
    SPN_STREAM_COUPLINGS,
    SPN_STREAM_REDRAWN,
    SPN_STREAM_FRESH
};

/* An empty problem of a kind; NULL when memory cannot be had. */
spn_problem *spn_problem_alloc(spn_problem_kind kind);

/* Walks over the lines of a problem file, comments (# first) left out, and over their tokens. */
typedef struct spn_walk {
    const spn_source *source;
    spn_lines lines;
    spn_span line; /* what is left of the current line */
} spn_walk;

bool spn_walk_line(spn_walk *walk);

/* The next token, ended by a blank, or by a comma where `comma` is set; false at the end of the
   line. */
bool spn_walk_token(spn_span *out, spn_walk *walk, bool comma);

/* Fail with INPUT and a text that starts with the file and the line. */
spn_status spn_walk_fail(const spn_walk *walk, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

spn_status spn_walk_no_memory(const spn_walk *walk, spn_error *err);

/* One reader per kind, or for two of them: fill problem. */
typedef spn_status spn_problem_reader(spn_problem *problem, spn_walk *walk,
                                      const spn_problem_options *options, spn_error *err);
spn_problem_reader spn_read_patterns, spn_read_states, spn_read_graph, spn_read_table;

/* Any kind, from a file that is in memory. options: whole, not NULL. */
spn_status spn_problem_parse(spn_problem **out, spn_problem_kind kind, const spn_source *source,
                             const spn_problem_options *options, spn_error *err);

/* ---- stabilities ---- */

/* The stabilities x = label * <W, pattern> that a threshold kappa allows: least to most, both of
   the parity of N and within -N..N. x/sqrt(N) is compared with kappa in doubles, so that if N is a
   square a stability that equals kappa counts as equal. */
typedef struct spn_stability {
    int64_t least, most;
} spn_stability;

/* x/sqrt(N) >= kappa or, if ties are wrong, > kappa. Errors: ARGUMENT if no pattern can be right,
   or none wrong. */
spn_status spn_stability_above(spn_stability *out, size_t sites, double kappa, bool ties_wrong,
                               spn_error *err);

/* |x|/sqrt(N) <= kappa. Errors: ARGUMENT if no pattern can be right, or kappa is above sqrt(N). */
spn_status spn_stability_within(spn_stability *out, size_t sites, double kappa, spn_error *err);

#endif

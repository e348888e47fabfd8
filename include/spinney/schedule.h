/* Schedules: how beta (the inverse temperature) and gamma (the coupling of the replicas) change
   during a run. Each of the two has a schedule of its own. */
#ifndef SPINNEY_SCHEDULE_H
#define SPINNEY_SCHEDULE_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

typedef enum spn_schedule_kind {
    SPN_SCHEDULE_CONSTANT,
    SPN_SCHEDULE_LINEAR,      /* start + (end - start) t/T */
    SPN_SCHEDULE_QUADRATIC,   /* start + (end - start) (t/T)^2 */
    SPN_SCHEDULE_EXPONENTIAL, /* start (end/start)^(t/T), the paper's section 4 */
    SPN_SCHEDULE_LOGARITHMIC, /* (1/m) log(1 + C t), the classical slow schedule */
    SPN_SCHEDULE_PIECES,      /* value n for T_n steps, then value n+1: the paper's section 3 */
    SPN_SCHEDULE_SCOPING /* start (1+factor)^k after k times `every` accepted moves a replica */
} spn_schedule_kind;

typedef struct spn_piece {
    double value;
    uint64_t steps;
} spn_piece;

/* A schedule: immutable once it is made, so that it may be used by several chains and threads. */
typedef struct spn_schedule spn_schedule;

/* The constants of Theorem 1's slow schedule, in the notation of docs/theory.md:
   beta_n = (alpha/B) log n + (b/B) n and T_n = ceil(e^(m beta_n) (log kappa + b)/c). */
typedef struct spn_theorem1 {
    double alpha, b, B, m, c, log_kappa;
} spn_theorem1;

/* Make a schedule of two numbers: START and END; m and C of a logarithmic one; START and the factor
   of scoping, with `every` (0 for all other kinds). Free it with spn_schedule_free; *out is NULL
   after an error. The values are checked when it is used (spn_schedule_check). Errors: ARGUMENT (a
   kind that needs more: SPN_SCHEDULE_PIECES), MEMORY. */
SPN_API spn_status spn_schedule_create(spn_schedule **out, spn_schedule_kind kind, double first,
                                       double second, uint64_t every, spn_error *err);

static inline spn_status spn_schedule_constant(spn_schedule **out, double value, spn_error *err)
{
    return spn_schedule_create(out, SPN_SCHEDULE_CONSTANT, value, value, 0, err);
}
static inline spn_status spn_schedule_linear(spn_schedule **out, double start, double end,
                                             spn_error *err)
{
    return spn_schedule_create(out, SPN_SCHEDULE_LINEAR, start, end, 0, err);
}
static inline spn_status spn_schedule_exponential(spn_schedule **out, double start, double end,
                                                  spn_error *err)
{
    return spn_schedule_create(out, SPN_SCHEDULE_EXPONENTIAL, start, end, 0, err);
}

/* count pieces, copied; at least one. Past the last piece its value stays. Errors: ARGUMENT,
   MEMORY. */
SPN_API spn_status spn_schedule_pieces(spn_schedule **out, const spn_piece *pieces, size_t count,
                                       spn_error *err);

/* The first `stages` (1 to 10^6) pieces of Theorem 1's schedule; alpha > 1, all others > 0.
   Errors: ARGUMENT (also for stages that take over 2^62 steps), MEMORY. */
SPN_API spn_status spn_schedule_theorem1(spn_schedule **out, const spn_theorem1 *constants,
                                         size_t stages, spn_error *err);

/* A schedule from text. `range` is START or START:END; `kind` (may be NULL) is one of
     constant  linear  quadratic  exponential
     logarithmic:m=M,C=C
     pieces:V1xT1,V2xT2,...
     theorem1:alpha=A,b=b,B=B,m=m,c=c,kappa=K,stages=n
     scoping:factor=f[,every=1000]
   Without a kind, START is constant and START:END exponential if START > 0, else linear.
   Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_schedule_parse(spn_schedule **out, const char *range, const char *kind,
                                      spn_error *err);

/* Whether the schedule can be used as beta (`is_beta`) or gamma over `steps` steps (0: unlimited):
   values finite and not negative, end > 0 if it is needed, T known if t/T appears, pieces of
   beta not decreasing. */
SPN_API spn_status spn_schedule_check(const spn_schedule *schedule, const char *name, bool is_beta,
                                      uint64_t steps, spn_error *err);

/* The values at steps first..first+count-1 of `steps`, after `accepted` accepted moves of
   `replicas` replicas, into out; or one of them. The bits do not depend on count. */
SPN_API void spn_schedule_fill(const spn_schedule *schedule, uint64_t first, size_t count,
                               uint64_t steps, uint64_t accepted, size_t replicas, double *out);
static inline double spn_schedule_value(const spn_schedule *schedule, uint64_t t, uint64_t steps,
                                        uint64_t accepted, size_t replicas)
{
    double value;
    spn_schedule_fill(schedule, t, 1, steps, accepted, replicas, &value);
    return value;
}

/* What kind it is. */
SPN_API spn_schedule_kind spn_schedule_kind_of(const spn_schedule *schedule);

/* Whether START and END matter: pieces and logarithms have their values in their word. */
SPN_API bool spn_schedule_has_range(const spn_schedule *schedule);

/* The pieces, *count of them, which belong to the schedule; NULL and 0 for every other kind. */
SPN_API const spn_piece *spn_schedule_get_pieces(const spn_schedule *schedule, size_t *count);

/* The number of steps of all pieces; 0 for every other kind. */
static inline uint64_t spn_schedule_length(const spn_schedule *schedule)
{
    size_t count;
    uint64_t length = 0;
    const spn_piece *pieces = spn_schedule_get_pieces(schedule, &count);
    for (size_t n = 0; n < count; n++)
        length += pieces[n].steps;
    return length;
}

/* One line of text that names the schedule and its constants. */
SPN_API void spn_schedule_describe(const spn_schedule *schedule, char *out, size_t size);

/* The name of a kind, NULL past the last, and back. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_schedule_kind)

/* Accepts NULL. */
SPN_API void spn_schedule_free(spn_schedule *schedule);

SPN_END_C
#endif

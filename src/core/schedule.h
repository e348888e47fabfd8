/* A kind of schedule is a row of the table in schedule_kinds.c, which holds everything that
   depends on it. */
#ifndef SPN_CORE_SCHEDULE_H
#define SPN_CORE_SCHEDULE_H

#include <spinney/schedule.h>

struct spn_schedule {
    spn_schedule_kind kind;
    double start, end; /* of kinds with a range, and the start of scoping */
    double m, C;       /* logarithmic */
    spn_piece *pieces; /* pieces; owned */
    size_t count;
    double factor; /* scoping */
    uint64_t every;
};

typedef enum spn_schedule_change {
    SPN_CHANGES_NEVER,
    SPN_CHANGES_EACH_STEP,
    SPN_CHANGES_BY_PIECES,
    SPN_CHANGES_BY_ACCEPTANCE /* after every `every` accepted moves of each replica */
} spn_schedule_change;

/* What depends on the kind, except its value, which is in schedule_kinds.c. */
typedef struct spn_schedule_traits {
    const char *usage; /* the word with its parameters, for messages; NULL: the word */
    spn_schedule_change changes;
    bool has_range; /* START or START:END are used */
    /* As spn_schedule_check, after the range; NULL: nothing more to check. */
    spn_status (*check)(const spn_schedule *s, const char *name, bool is_beta, spn_error *err);
    void (*describe)(const spn_schedule *s, char *out, size_t size); /* NULL: START to END */
    /* From START, END and the parameters after the colon; NULL: only START and END. */
    spn_status (*parse)(spn_schedule **out, const double range[2], const char *parameters,
                        spn_error *err);
} spn_schedule_traits;

/* The constants 0 and 1. */
extern const spn_schedule spn_schedule_zero, spn_schedule_one;

/* NULL: no such kind. */
const spn_schedule_traits *spn_schedule_traits_of(spn_schedule_kind kind);

/* The number of steps from t on in which a schedule of pieces keeps its value; UINT64_MAX: it does
   to the end, or the schedule is of another kind. */
uint64_t spn_schedule_piece_left(const spn_schedule *schedule, uint64_t t);

/* A schedule from the word of a kind, with its parameters. */
spn_status spn_schedule_parse_kind(spn_schedule **out, const double range[2], bool is_range,
                                   const char *word, spn_error *err);

/* A schedule with the values of `as` and a copy of its pieces. Errors: MEMORY. */
spn_status spn_schedule_copy(spn_schedule **out, const spn_schedule *as, spn_error *err);

#endif

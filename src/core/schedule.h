/* Schedules from inside: a kind is a row of the table in schedule_kinds.c, which holds everything
   that depends on it. */
#ifndef SPN_CORE_SCHEDULE_H
#define SPN_CORE_SCHEDULE_H

#include <spinney/schedule.h>

struct spn_schedule {
    spn_schedule_kind kind;
    double start, end; /* of the kinds with a range, and the start of scoping */
    double m, C;       /* logarithmic */
    spn_piece *pieces; /* pieces; owned */
    size_t count;
    double factor; /* scoping */
    uint64_t every;
};

/* Where a run is. */
typedef struct spn_schedule_time {
    uint64_t step, steps; /* t and T; T is 0 if it is not known */
    uint64_t accepted;    /* moves of all replicas */
    size_t replicas;
} spn_schedule_time;

/* When the value changes. */
typedef enum spn_schedule_change {
    SPN_CHANGES_NEVER,
    SPN_CHANGES_EACH_STEP,
    SPN_CHANGES_BY_PIECES,
    SPN_CHANGES_BY_ACCEPTANCE /* after every `every` accepted moves of each replica */
} spn_schedule_change;

typedef struct spn_schedule_traits {
    const char *usage; /* the word with its parameters, for messages */
    spn_schedule_change changes;
    bool has_range; /* START or START:END say something */
    double (*value)(const spn_schedule *s, const spn_schedule_time *now);
    /* The values of count steps from now on, the same bits as value's; NULL: one by one. */
    void (*fill)(const spn_schedule *s, const spn_schedule_time *now, size_t count, double *out);
    /* As spn_schedule_check. */
    spn_status (*check)(const spn_schedule *s, const char *name, bool is_beta, uint64_t steps,
                        spn_error *err);
    void (*describe)(const spn_schedule *s, char *out, size_t size);
    /* From START and END and the parameters after the colon of the word; NULL: START and END are
       all there is. */
    spn_status (*parse)(spn_schedule **out, const double range[2], const char *parameters,
                        spn_error *err);
} spn_schedule_traits;

/* The traits of a kind; NULL for a number that names none. */
const spn_schedule_traits *spn_schedule_traits_of(spn_schedule_kind kind);

/* A schedule from the word of a kind, with its parameters. */
spn_status spn_schedule_parse_kind(spn_schedule **out, const double range[2], bool is_range,
                                   const char *word, spn_error *err);

/* A schedule with the values of `as`, its pieces copied. Errors: MEMORY. */
spn_status spn_schedule_copy(spn_schedule **out, const spn_schedule *as, spn_error *err);

#endif

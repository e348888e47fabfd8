/* Schedules from inside. */
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

/* A schedule with the values of `as`, its pieces copied. Errors: MEMORY. */
spn_status spn_schedule_copy(spn_schedule **out, const spn_schedule *as, spn_error *err);

#endif

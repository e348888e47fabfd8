/* The jobs of a sweep: runs of the points of its grid. Job number `point * runs + run - 1` is run
   number `run`, from 1, of a point. */
#ifndef SPN_SWEEP_JOBS_H
#define SPN_SWEEP_JOBS_H

#include <spinney/lab/job.h>

/* The points of the grid. */
size_t spn_sweep_points(const spn_sweep *sweep);

/* The job of a point, not of one of its runs yet; and job number `index`, with its key and seeds.
   To be cleared, also after an error. Errors: ARGUMENT (no such task or setting, not its value),
   MEMORY. */
spn_status spn_sweep_point_job(spn_job *out, const spn_sweep *sweep, size_t point, spn_error *err);
spn_status spn_sweep_job(spn_job *out, const spn_sweep *sweep, size_t index, spn_error *err);

/* The keys of all jobs, in their order, to be freed. Errors: as above. */
spn_status spn_sweep_keys(uint64_t **out, const spn_sweep *sweep, spn_error *err);

/* The value of an axis at a point; the last axis varies fastest. */
const char *spn_sweep_value_at(const spn_sweep *sweep, size_t axis, size_t point);

/* What tells a point from others, "gamma=0.8 replicas=3", to be freed; NULL without memory. */
char *spn_sweep_point_text(const spn_sweep *sweep, size_t point);

/* The values that a setting takes: one, those of an axis, or none; the texts are the sweep's. */
typedef struct spn_value_list {
    size_t count;
    char *const *texts;
} spn_value_list;

/* As far as they are given; the same, or the default. */
spn_value_list spn_sweep_given(const spn_sweep *sweep, const char *setting);
spn_value_list spn_sweep_values(const spn_sweep *sweep, const char *setting);

/* As a text such as "0,0.4,0.8", the first few of many; "not given" for none. */
void spn_value_list_print(char *out, size_t size, const spn_value_list *list);

#endif

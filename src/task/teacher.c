/* Generalisation and overlap with the teacher, for the tasks that leave replicas. */
#include "task/teacher.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <spinney/generalisation.h>
#include <stdlib.h>

/* Whether its labels are a rule on patterns of +1 and -1. */
static bool has_rule(const spn_instance *instance)
{
    return instance->random && instance->teacher && !instance->gaussian &&
           !spn_instance_is_symmetric(instance);
}

const char *spn_teacher_needs(const void *planned)
{
    return has_rule(planned)
               ? NULL
               : "teacher: true, with random patterns of +1 and -1, and not the energy symmetric";
}

static spn_generalisation_options options_of(const spn_instance *instance)
{
    spn_generalisation_options o = spn_generalisation_defaults();
    o.sites = instance->sites;
    o.units = instance->units ? instance->units : 1;
    o.tree = instance->tree;
    o.teacher = instance->problem->teacher;
    o.seed = instance->drawn.seeded ? instance->drawn.seed : instance->seed;
    return o;
}

/* The first of the replicas of lowest energy. */
static size_t lowest(const spn_snapshot *s)
{
    size_t best = 0;
    for (size_t k = 1; k < s->replicas; k++)
        if (s->energy[k] < s->energy[best])
            best = k;
    return best;
}

/* Of each replica, and last of the centre. */
typedef struct learnt {
    double *agreement, *overlap;
    int8_t *centre;
    spn_generalisation together;
} learnt;

static spn_status measure(learnt *out, const spn_snapshot *s, const spn_generalisation_options *o,
                          spn_error *err)
{
    const size_t y = s->replicas;
    spn_generalisation alone;
    out->agreement = spn_alloc(y + 1, sizeof *out->agreement);
    out->overlap = spn_alloc(y + 1, sizeof *out->overlap);
    out->centre = spn_alloc(s->sites, 1);
    if (!out->agreement || !out->overlap || !out->centre)
        return spn_no_memory(err, "the results");
    spn_snapshot_centre(s, out->centre);
    spn_status status =
        spn_generalisation_measure(&out->together, out->agreement, s->spins, y, o, err);
    if (!status)
        status = spn_generalisation_measure(&alone, out->agreement + y, out->centre, 1, o, err);
    for (size_t k = 0; k < y + 1 && !status; k++)
        status = spn_teacher_overlap(&out->overlap[k],
                                     k < y ? s->spins + k * s->sites : out->centre, o, err);
    return status;
}

spn_status spn_teacher_measure(spn_teacher_found *out, const spn_instance *instance,
                               const spn_snapshot *state, spn_error *err)
{
    learnt l = {0};
    const size_t y = state->replicas, best = lowest(state);
    assert(has_rule(instance));
    const spn_generalisation_options options = options_of(instance);
    const spn_status status = measure(&l, state, &options, err);
    double overlap = 0;
    for (size_t k = 0; !status && k < y; k++)
        overlap += l.overlap[k] / (double)y;
    if (!status)
        *out = (spn_teacher_found){.generalisation = l.together.mean,
                                   .generalisation_se = l.together.standard_error,
                                   .best_generalisation = l.agreement[best],
                                   .centre_generalisation = l.agreement[y],
                                   .vote_generalisation = l.together.vote,
                                   .teacher_overlap = overlap,
                                   .best_teacher_overlap = l.overlap[best],
                                   .centre_teacher_overlap = l.overlap[y]};
    free(l.agreement);
    free(l.overlap);
    free(l.centre);
    return status;
}

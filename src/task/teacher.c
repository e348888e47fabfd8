#include "task/teacher.h"
#include "base/memory.h"

#include <assert.h>
#include <spinney/generalisation.h>

/* Whether the labels follow a rule on patterns of +1 and -1. */
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

const void *spn_teacher_found_of(const void *found)
{
    return ((const spn_teacher_found *)found)->measured ? found : NULL;
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

static size_t lowest(const spn_snapshot *s)
{
    size_t best = 0;
    for (size_t k = 1; k < s->replicas; k++)
        if (s->energy[k] < s->energy[best])
            best = k;
    return best;
}

static spn_status measure(double *agreement, double *overlap, int8_t *centre,
                          spn_generalisation *together, const spn_snapshot *s,
                          const spn_generalisation_options *o, spn_error *err)
{
    const size_t y = s->replicas;
    spn_generalisation alone;
    spn_snapshot_centre(s, centre);
    SPN_TRY(spn_generalisation_measure(together, agreement, s->spins, y, o, err));
    SPN_TRY(spn_generalisation_measure(&alone, agreement + y, centre, 1, o, err));
    for (size_t k = 0; k < y; k++)
        SPN_TRY(spn_teacher_overlap(&overlap[k], s->spins + k * s->sites, o, err));
    return spn_teacher_overlap(&overlap[y], centre, o, err);
}

spn_status spn_teacher_measure(spn_teacher_found *out, const spn_instance *instance,
                               const spn_snapshot *state, spn_error *err)
{
    const size_t y = state->replicas, best = lowest(state);
    assert(has_rule(instance));
    const spn_generalisation_options options = options_of(instance);
    double *agreement = spn_alloc(y + 1, sizeof *agreement), mean = 0;
    double *overlap = spn_alloc(y + 1, sizeof *overlap);
    int8_t *centre = spn_alloc(state->sites, 1);
    spn_generalisation together;
    const spn_status status =
        agreement && overlap && centre
            ? measure(agreement, overlap, centre, &together, state, &options, err)
            : spn_no_memory(err, "the results");
    for (size_t k = 0; !status && k < y; k++)
        mean += overlap[k] / (double)y;
    if (!status)
        *out = (spn_teacher_found){.measured = true,
                                   .generalisation = together.mean,
                                   .generalisation_se = together.standard_error,
                                   .best_generalisation = agreement[best],
                                   .centre_generalisation = agreement[y],
                                   .vote_generalisation = together.vote,
                                   .teacher_overlap = mean,
                                   .best_teacher_overlap = overlap[best],
                                   .centre_teacher_overlap = overlap[y]};
    SPN_FREE_ALL(agreement, overlap, centre);
    return status;
}

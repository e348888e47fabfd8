/* The points of a sweep, each planned once. */
#include "sweep/plans.h"

#include "base/memory.h"
#include "base/try.h"
#include "sweep/jobs.h"

#include <pthread.h>
#include <stdlib.h>

/* Plans of larger grids are made when they are needed, and not kept. */
enum { MOST_KEPT = 10000 };

typedef struct spn_planned {
    spn_job job;
    void *plan;
} spn_planned;

struct spn_plans {
    const spn_sweep *sweep;
    spn_inputs *inputs;
    bool borrowed;      /* the inputs are somebody else's */
    size_t points;      /* that are kept; 0: the grid is too large */
    spn_planned **kept; /* NULL: not planned yet */
    pthread_mutex_t
        mutex; /* of the list; held while a point is planned, so that it is planned once */
};

spn_status spn_plans_create(spn_plans **out, const spn_sweep *sweep, const char *beside,
                            spn_inputs *inputs, spn_error *err)
{
    const size_t points = spn_sweep_points(sweep);
    spn_plans *plans = *out = calloc(1, sizeof *plans);
    if (!plans)
        return spn_no_memory(err, "the plans of a sweep");
    pthread_mutex_init(&plans->mutex, NULL);
    plans->sweep = sweep;
    plans->inputs = inputs;
    plans->borrowed = inputs != NULL;
    plans->points = points <= MOST_KEPT ? points : 0;
    plans->kept = spn_alloc(plans->points, sizeof(spn_planned *));
    spn_status status = plans->kept ? SPN_OK : spn_no_memory(err, "the plans of a sweep");
    if (!status && !inputs)
        status = spn_inputs_create(&plans->inputs, beside, err);
    if (status) {
        spn_plans_free(plans);
        *out = NULL;
    }
    return status;
}

static void planned_free(spn_planned *planned)
{
    if (!planned)
        return;
    spn_job_plan_free(planned->job.task, planned->plan);
    spn_job_clear(&planned->job);
    free(planned);
}

void spn_plans_free(spn_plans *plans)
{
    if (!plans)
        return;
    for (size_t k = 0; k < plans->points && plans->kept; k++)
        planned_free(plans->kept[k]);
    free(plans->kept);
    if (!plans->borrowed)
        spn_inputs_free(plans->inputs);
    pthread_mutex_destroy(&plans->mutex);
    free(plans);
}

spn_inputs *spn_plans_inputs(spn_plans *plans)
{
    return plans->inputs;
}

static spn_status make(spn_planned **out, const spn_plans *plans, size_t point, spn_error *err)
{
    spn_planned *planned = calloc(1, sizeof *planned);
    *out = NULL;
    if (!planned)
        return spn_no_memory(err, "a plan");
    spn_status status = spn_sweep_point_job(&planned->job, plans->sweep, point, err);
    if (!status)
        status = spn_job_plan(&planned->plan, &planned->job, plans->inputs, err);
    if (status)
        planned_free(planned);
    else
        *out = planned;
    return status;
}

spn_status spn_plans_take(spn_point *out, spn_plans *plans, size_t point, spn_error *err)
{
    spn_planned *planned = NULL;
    spn_status status = SPN_OK;
    *out = (spn_point){0};
    if (plans->points == 0) {
        SPN_TRY(make(&out->own, plans, point, err));
        planned = out->own;
    } else {
        pthread_mutex_lock(&plans->mutex);
        if (!plans->kept[point])
            status = make(&plans->kept[point], plans, point, err);
        planned = plans->kept[point];
        pthread_mutex_unlock(&plans->mutex);
        SPN_TRY(status);
    }
    out->job = planned->job;
    out->plan = planned->plan;
    return SPN_OK;
}

void spn_plans_release(spn_point *point)
{
    planned_free(point->own);
    *point = (spn_point){0};
}

spn_status spn_plans_take_job(spn_point *out, spn_plans *plans, size_t index, spn_error *err)
{
    const spn_sweep *sweep = plans->sweep;
    SPN_TRY(spn_plans_take(out, plans, index / sweep->runs, err));
    return spn_job_identify(&out->job, sweep->seed, index % sweep->runs + 1, err);
}

const spn_job *spn_plans_known(spn_plans *plans, size_t point)
{
    pthread_mutex_lock(&plans->mutex);
    const spn_planned *planned = point < plans->points ? plans->kept[point] : NULL;
    pthread_mutex_unlock(&plans->mutex);
    return planned ? &planned->job : NULL;
}

/* The task `span`: the lowest and the highest energy of some random states. */
#include "base/memory.h"
#include "base/try.h"
#include "job/energy_settings.h"
#include "job/run.h"
#include "record/record.h"

#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

typedef struct span_plan {
    spn_energy_settings energy;
    uint64_t states, seed;
    spn_instance instance;
} span_plan;

#define AT(member) .at = offsetof(span_plan, member)
static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(energy)},
    SPN_HEADING("States"),
    {"states", SPN_SETTING_WHOLE, .argument = "n", .fallback = "100", .least = 1, .most = 1e9,
     AT(states), .help = "number of random states"},
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED, .argument = "S", .fallback = "1",
     .least = 0, .most = (double)INT64_MAX, AT(seed), .help = "seed of the states"},
    {.name = NULL}};
#undef AT

typedef struct spanned {
    double lowest, highest;
} spanned;

static const spn_quantity results[] = {
    {"lowest", .flags = SPN_QUANTITY_MAIN, .at = offsetof(spanned, lowest),
     .help = "the lowest energy"},
    {"highest", .flags = SPN_QUANTITY_MAIN, .at = offsetof(spanned, highest),
     .help = "the highest energy"},
    SPN_SECONDS_QUANTITY,
    {.name = NULL}};

static spn_status plan_span(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    span_plan *p = plan;
    return spn_instance_plan(&p->instance, &p->energy, job, inputs, err);
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    (void)steps;
    return (spn_cost){.work = (double)((const span_plan *)plan)->states};
}

static spn_status measure(spanned *out, const spn_instance *instance, const span_plan *p,
                          uint64_t seed, spn_error *err)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_START);
    int8_t *spins = spn_alloc(instance->sites, 1);
    if (!spins)
        return spn_no_memory(err, "a state");
    *out = (spanned){INFINITY, -INFINITY};
    for (uint64_t k = 0; k < p->states; k++) {
        spn_random_spins(&random, spins, instance->sites);
        const double energy = spn_energy_value(instance->energy, spins);
        out->lowest = fmin(out->lowest, energy);
        out->highest = fmax(out->highest, energy);
    }
    free(spins);
    return SPN_OK;
}

static spn_status run_span(spn_record *out, spn_outcome *outcome, const void *plan,
                           const spn_job *job, const spn_run *run, spn_error *err)
{
    const span_plan *p = plan;
    spn_instance instance = {0};
    spanned found;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_instance_make(&instance, &p->instance, job->instance_seed, err));
    SPN_TRY_OR(cleanup, measure(&found, &instance, p, job->seed, err));
    SPN_TRY_OR(cleanup, spn_results_add(out, results, &found, plan, run->details, err));
    outcome->complete = true;
cleanup:
    spn_instance_clear(&instance);
    return status;
}

const spn_task spn_span_task = {.name = "span",
                                .summary = "the energies of random states",
                                .settings = settings,
                                .results = results,
                                .plan_size = sizeof(span_plan),
                                .plan = plan_span,
                                .cost = cost,
                                .run = run_span};

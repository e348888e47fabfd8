/* Training: data, energy, annealing, scores, in that order. */
#include "old/training_inside.h"

#include "base/sized.h"
#include <spinney/softmax.h>
#include <stdlib.h>

/* A training under way. */
typedef struct trainer {
    const xpn_train_options *options;
    xpn_train_parts parts;
    char *settings;
    spn_energy *energy;
    spn_annealing annealing;
} trainer;

static void trainer_clear(trainer *t)
{
    spn_annealing_clear(&t->annealing);
    spn_energy_free(t->energy);
    xpn_train_parts_clear(&t->parts);
    free(t->settings);
}

static spn_status check_options(const xpn_train_options *o, spn_error *err)
{
    const spn_chain_options *chain = &o->chain;
    if (chain->steps == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "training needs a number of steps");
    if (chain->target != SPN_TARGET_NONE || chain->patience || chain->seconds > 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "training ends after its steps: no target, patience or time");
    if (!(o->validation >= 0 && o->validation < 1) ||
        !(o->test_fraction >= 0 && o->test_fraction < 1))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a fraction of the data is at least 0 and below 1, not %g",
                        o->validation >= 0 && o->validation < 1 ? o->test_fraction : o->validation);
    return SPN_OK;
}

static spn_status anneal(xpn_train_result *out, trainer *t, const xpn_train_extras *extras,
                         spn_error *err)
{
    const xpn_train_options *o = t->options;
    const spn_annealing_options options = {.energy = t->energy,
                                           .chain = &o->chain,
                                           .settings = t->settings,
                                           .checkpoint = o->checkpoint,
                                           .every = o->checkpoint_every,
                                           .pause = extras ? extras->pause : 0,
                                           .keeper = extras ? extras->keeper : NULL};
    spn_status status = spn_annealing_run(&t->annealing, &options, err);
    const spn_annealing *a = &t->annealing;
    out->stop = a->stop;
    out->resumed_step = a->resumed_step;
    out->saved_step = a->saved_step;
    out->seconds = a->seconds;
    out->proposals = a->proposals;
    return status;
}

static spn_status run(xpn_train_result *out, trainer *t, const xpn_train_data *data,
                      const xpn_train_extras *extras, spn_error *err)
{
    spn_snapshot snapshot;
    spn_status status = check_options(t->options, err);
    if (!status)
        status = xpn_train_parts_make(&t->parts, t->options, data, err);
    if (!status && !(t->settings = xpn_train_settings(t->options, &t->parts)))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the settings");
    if (!status)
        status = spn_softmax_create(&t->energy, t->parts.train, t->parts.scaling,
                                    t->parts.logit_scale, err);
    if (!status)
        status = anneal(out, t, extras, err);
    if (status)
        return status;
    out->train_samples = t->parts.train->samples;
    out->validation_samples = t->parts.validation ? t->parts.validation->samples : 0;
    out->test_samples = t->parts.test ? t->parts.test->samples : 0;
    spn_chain_snapshot(&snapshot, t->annealing.chain);
    out->step = snapshot.step;
    return xpn_train_score_all(out, t->options, &t->parts, &snapshot, t->settings, err);
}

spn_status xpn_train_run_with(xpn_train_result *out, const xpn_train_options *options,
                              const xpn_train_data *data, const xpn_train_extras *extras,
                              spn_error *err)
{
    xpn_train_options own = xpn_train_defaults();
    xpn_train_data own_data = xpn_train_data_defaults();
    trainer t = {.options = &own};
    *out = (xpn_train_result){0};
    spn_status status = spn_sized_take(&own, sizeof own, options, "xpn_train_defaults", err);
    if (!status)
        status = spn_sized_take(&own_data, sizeof own_data, data, "xpn_train_data_defaults", err);
    if (!status)
        status = run(out, &t, &own_data, extras, err);
    trainer_clear(&t);
    return status;
}

spn_status xpn_train_run(xpn_train_result *out, const xpn_train_options *options,
                         const xpn_train_data *data, spn_error *err)
{
    return xpn_train_run_with(out, options, data, NULL, err);
}

spn_status xpn_train_finish(const xpn_train_result *result, const xpn_train_options *options,
                            spn_error *err)
{
    xpn_train_options own = xpn_train_defaults();
    spn_status status = spn_sized_take(&own, sizeof own, options, "xpn_train_defaults", err);
    if (status || !own.checkpoint || result->stop != SPN_STOP_STEPS)
        return status;
    return spn_annealing_forget(own.checkpoint, err);
}

void xpn_train_result_clear(xpn_train_result *result)
{
    free(result->replica);
    spn_model_free(result->model);
    *result = (xpn_train_result){0};
}

/* Training: data, energy, chain, checkpoints, scores, in that order. */
#include "experiment/train.h"

#include "base/clock.h"
#include "record/checkpoint.h"
#include <errno.h>
#include <math.h>
#include <spinney/softmax.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A training under way. */
typedef struct trainer {
    const spn_train_options *options;
    spn_train_parts parts;
    char *settings;
    spn_energy *energy;
    spn_chain *chain;
    spn_checkpoint latest; /* the last state that could be saved; its settings are borrowed */
    uint64_t every;        /* steps between writes */
    uint64_t written_step; /* of the checkpoint file */
} trainer;

static void trainer_clear(trainer *t)
{
    spn_chain_free(t->chain);
    spn_energy_free(t->energy);
    spn_train_parts_clear(&t->parts);
    free(t->latest.state);
    free(t->settings);
}

static spn_status check_options(const spn_train_options *o, spn_error *err)
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

/* ---- checkpoints ---- */

static spn_status write_latest(trainer *t, spn_error *err)
{
    spn_status status = spn_checkpoint_write(&t->latest, t->options->checkpoint, err);
    if (!status)
        t->written_step = t->latest.step;
    return status;
}

/* Keep the state of this step, so that an interrupt at any later one loses little. */
static spn_status keep_state(trainer *t, uint64_t step, spn_error *err)
{
    void *state;
    size_t size;
    spn_status status = spn_chain_save(&state, &size, t->chain, err);
    if (status)
        return status;
    free(t->latest.state);
    t->latest =
        (spn_checkpoint){.settings = t->settings, .state = state, .state_size = size, .step = step};
    return SPN_OK;
}

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    trainer *t = context;
    const spn_chain_options *theirs = &t->options->chain;
    const uint64_t step = snapshot->step;
    spn_status status = SPN_OK;
    if (t->options->checkpoint && step % SPN_SAVE_STEPS == 0)
        status = keep_state(t, step, err);
    if (!status && t->options->checkpoint && t->latest.step - t->written_step >= t->every)
        status = write_latest(t, err);
    const bool due = theirs->observe_every == 0 || step % theirs->observe_every == 0;
    const bool end = step == theirs->steps || (theirs->stop && *theirs->stop);
    if (!status && theirs->observer && (due || end || step == 0))
        status = theirs->observer(theirs->observer_context, snapshot, err);
    return status;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Go on from the checkpoint, if there is one. */
static spn_status resume(trainer *t, uint64_t *step, spn_error *err)
{
    const char *path = t->options->checkpoint;
    if (access(path, F_OK) != 0)
        return SPN_OK;
    spn_checkpoint saved;
    spn_status status = spn_checkpoint_read(&saved, path, err);
    if (status)
        return status;
    status = spn_checkpoint_match(&saved, t->settings, path, err);
    if (!status && spn_chain_load(t->chain, saved.state, saved.state_size, err)) {
        char text[SPN_ERROR_TEXT];
        snprintf(text, sizeof text, "%s", err ? err->text : "");
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: %s", path, text);
    }
    *step = saved.step;
    spn_checkpoint_clear(&saved);
    return status;
}

/* Load the checkpoint or write the first one, so that a file that cannot be written is found out
   before the training, not after it. */
static spn_status start_checkpoint(trainer *t, uint64_t *step, spn_error *err)
{
    const spn_train_options *o = t->options;
    *step = 0;
    if (!o->checkpoint)
        return SPN_OK;
    t->every = o->checkpoint_every ? o->checkpoint_every : o->chain.steps / 20 + 1;
    spn_status status = resume(t, step, err);
    if (!status)
        status = keep_state(t, *step, err);
    return status ? status : write_latest(t, err);
}

/* ---- the run ---- */

static spn_status make_chain(trainer *t, spn_error *err)
{
    const spn_train_options *o = t->options;
    spn_status status =
        spn_softmax_create(&t->energy, t->parts.train, t->parts.scaling, t->parts.logit_scale, err);
    if (status)
        return status;
    spn_chain_options chain = o->chain;
    chain.observer = observe;
    chain.observer_context = t;
    chain.observe_every = common_divisor(SPN_SAVE_STEPS, o->chain.observe_every);
    return spn_chain_create(&t->chain, t->energy, &chain, err);
}

static uint64_t count_proposals(const spn_chain *chain)
{
    spn_snapshot snapshot;
    uint64_t count = 0;
    spn_chain_snapshot(&snapshot, chain);
    for (size_t a = 0; a < snapshot.replicas; a++)
        count += snapshot.proposals[a];
    return count;
}

/* A chain that was loaded does not show its start to the observer again. */
static spn_status show_start(trainer *t, spn_error *err)
{
    const spn_chain_options *theirs = &t->options->chain;
    spn_snapshot snapshot;
    spn_chain_snapshot(&snapshot, t->chain);
    if (snapshot.step == 0 || !theirs->observer)
        return SPN_OK;
    return theirs->observer(theirs->observer_context, &snapshot, err);
}

static spn_status anneal(spn_train_result *out, trainer *t, spn_error *err)
{
    spn_status status = start_checkpoint(t, &out->resumed_step, err);
    if (!status)
        status = show_start(t, err);
    if (status)
        return status;
    const uint64_t before = count_proposals(t->chain);
    const double started = spn_clock();
    status = spn_chain_run(&out->stop, t->chain, err);
    out->seconds = spn_clock() - started;
    out->proposals = count_proposals(t->chain) - before;
    if (!status && out->stop == SPN_STOP_REQUEST && t->options->checkpoint)
        status = write_latest(t, err);
    out->saved_step = t->written_step;
    return status;
}

static spn_status run(spn_train_result *out, trainer *t, const spn_train_data *data, spn_error *err)
{
    spn_snapshot snapshot;
    spn_status status = check_options(t->options, err);
    if (!status)
        status = spn_train_parts_make(&t->parts, t->options, data, err);
    if (!status && !(t->settings = spn_train_settings(t->options, &t->parts)))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the settings");
    if (!status)
        status = make_chain(t, err);
    if (!status)
        status = anneal(out, t, err);
    if (status)
        return status;
    out->train_samples = t->parts.train->samples;
    out->validation_samples = t->parts.validation ? t->parts.validation->samples : 0;
    out->test_samples = t->parts.test ? t->parts.test->samples : 0;
    spn_chain_snapshot(&snapshot, t->chain);
    out->step = snapshot.step;
    return spn_train_score_all(out, t->options, &t->parts, &snapshot, t->settings, err);
}

spn_status spn_train_run(spn_train_result *out, const spn_train_options *options,
                         const spn_train_data *data, spn_error *err)
{
    trainer t = {.options = options};
    *out = (spn_train_result){0};
    spn_status status = run(out, &t, data, err);
    trainer_clear(&t);
    return status;
}

spn_status spn_train_finish(const spn_train_result *result, const spn_train_options *options,
                            spn_error *err)
{
    if (!options->checkpoint || result->stop != SPN_STOP_STEPS)
        return SPN_OK;
    if (unlink(options->checkpoint) == 0 || errno == ENOENT)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_IO, "%s: cannot be removed: %s", options->checkpoint,
                    strerror(errno));
}

void spn_train_result_clear(spn_train_result *result)
{
    free(result->replica);
    spn_model_free(result->model);
    *result = (spn_train_result){0};
}

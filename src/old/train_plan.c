/* A training as settings describe it. */
#include "old/train_plan.h"

#include "base/number.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void set_defaults(spn_train_plan *p, const xpn_train_preset *preset)
{
    const xpn_default defaults[] = {{"data", "digits"},
                                    {"replicas", preset->replicas},
                                    {"gamma", preset->gamma},
                                    {"beta", preset->beta},
                                    {"steps", preset->steps},
                                    {"kernel", preset->kernel},
                                    {"init", preset->init},
                                    {"logit-scale", preset->logit_scale},
                                    {NULL, NULL}};
    memcpy(p->defaults, defaults, sizeof defaults);
    p->values.defaults = p->defaults;
    p->options.preset = preset->name;
}

static spn_status read_preset(spn_train_plan *p, spn_error *err)
{
    const char *names[16] = {0};
    int chosen = 0;
    for (size_t k = 0; xpn_train_presets()[k].name && k < 15; k++) {
        names[k] = xpn_train_presets()[k].name;
        if (strcmp(names[k], "accurate") == 0)
            chosen = (int)k;
    }
    spn_status status = xpn_values_choice(&chosen, &p->values, "preset", names, err);
    set_defaults(p, &xpn_train_presets()[chosen]);
    return status;
}

static spn_status read_parts(spn_train_plan *p, spn_error *err)
{
    xpn_train_options *o = &p->options;
    xpn_values *values = &p->values;
    uint64_t subset = 0;
    spn_status status = xpn_values_share(&o->test_fraction, values, "test-fraction", err);
    if (!status)
        status = xpn_values_share(&o->validation, values, "validation", err);
    if (!status)
        status = xpn_values_whole(&subset, values, "subset", 1, INT64_MAX, err);
    if (!status)
        status = xpn_values_whole(&o->split_seed, values, "split-seed", 0, INT64_MAX, err);
    o->subset = (size_t)subset;
    return status;
}

static spn_status read_classifier(spn_train_plan *p, spn_error *err)
{
    xpn_values *values = &p->values;
    const char *scaling = xpn_values_text(values, "scaling");
    spn_error why = {0};
    p->options.preprocess = spn_preprocess_default(xpn_values_text(values, "data"));
    if (scaling && spn_preprocess_from_text(&p->options.preprocess, scaling, &why))
        return xpn_values_blame(values, "scaling", &why, err);
    if (xpn_train_logit_scale(&p->options, xpn_values_text(values, "logit-scale"), &why))
        return xpn_values_blame(values, "logit-scale", &why, err);
    return SPN_OK;
}

spn_status spn_train_plan_make(spn_train_plan *out, const xpn_values *values, spn_error *err)
{
    *out = (spn_train_plan){.values = *values, .options = xpn_train_defaults()};
    spn_status status = read_preset(out, err);
    if (!status)
        status = xpn_chain_settings(&out->options.chain, &out->values, err);
    out->options.beta = (spn_schedule *)out->options.chain.beta;
    out->options.gamma = (spn_schedule *)out->options.chain.gamma;
    if (!status)
        status = read_parts(out, err);
    return status ? status : read_classifier(out, err);
}

spn_status spn_train_plan_data(xpn_train_data *out, spn_train_plan *p, xpn_task_store *store,
                               spn_error *err)
{
    const char *name = xpn_values_text(&p->values, "data"), *slash = strrchr(name, '/');
    *out = xpn_train_data_defaults();
    out->name = slash ? slash + 1 : name;
    return xpn_task_store_data(&out->train, &out->test, store, &p->values, err);
}

spn_status spn_train_plan_check(spn_train_plan *p, const xpn_train_data *data, spn_error *err)
{
    xpn_values *values = &p->values;
    if (data->test && xpn_values_given(values, "test-fraction"))
        return xpn_values_fail(values, "test-fraction", err,
                               "is for data without a test part; these have one");
    const double rest = (1 - p->options.test_fraction) * (1 - p->options.validation);
    if ((double)p->options.subset > ceil(rest * (double)data->train->samples))
        return xpn_values_fail(values, "subset", err, "%zu samples are more than there are (%.0f)",
                               p->options.subset, rest * (double)data->train->samples);
    return SPN_OK;
}

/* ---- defaults ---- */

/* As spn_preprocess_from_text reads it; a default is never binary. */
static void scaling_text(char *out, size_t size, const spn_preprocess *how)
{
    char shift[SPN_NUMBER_TEXT], scale[SPN_NUMBER_TEXT];
    spn_number_text(shift, how->shift);
    spn_number_text(scale, how->scale);
    if (how->kind == SPN_PREPROCESS_GIVEN)
        snprintf(out, size, "%s,%s", shift, scale);
    else
        snprintf(out, size, "%s", spn_preprocess_kind_name(how->kind));
}

spn_status spn_train_plan_defaults(spn_record *out, const spn_train_plan *p, spn_error *err)
{
    const xpn_values *values = &p->values;
    char scaling[3 * SPN_NUMBER_TEXT], seed[32];
    scaling_text(scaling, sizeof scaling, &p->options.preprocess);
    snprintf(seed, sizeof seed, "%" PRIu64, p->options.split_seed);
    spn_status status = xpn_default_add(out, values, "data", xpn_values_text(values, "data"), err);
    if (!status)
        status = xpn_default_add(out, values, "split-seed", seed, err);
    if (!status)
        status = xpn_file_default_add(out, values, "data", err);
    if (!status)
        status = xpn_default_add(out, values, "scaling", scaling, err);
    if (!status)
        status = xpn_default_add(out, values, "preset", p->options.preset, err);
    if (!status)
        status = xpn_chain_default_add(out, values, &p->options.chain, err);
    return status ? status
                  : xpn_default_add(out, values, "logit-scale",
                                    xpn_values_text(values, "logit-scale"), err);
}

/* ---- cost ---- */

typedef struct shape {
    double train, test, weights;
} shape;

static shape shape_of(const spn_train_plan *p)
{
    const char *data = xpn_values_text(&p->values, "data");
    shape s = {1000, 250, 1000};
    if (strcmp(data, "digits") == 0)
        s = (shape){1346, 451, 640};
    else if (strcmp(data, "mnist") == 0 || strcmp(data, "fashion") == 0)
        s = (shape){60000, 10000, 7840};
    s.train *= (1 - p->options.test_fraction) * (1 - p->options.validation);
    if (p->options.subset)
        s.train = (double)p->options.subset;
    return s;
}

xpn_work spn_train_plan_work(const spn_train_plan *p, const spn_measures *m, uint64_t steps)
{
    const shape s = shape_of(p);
    const spn_chain_options *chain = &p->options.chain;
    xpn_work work = {.proposals = (double)(steps ? steps : chain->steps) * (double)chain->replicas};
    work.anneal = work.proposals * s.train * xpn_coupling_passes(chain);
    if (steps)
        return work;
    work.flips = (double)m->flips_count * (double)m->flips_trials * s.test * s.weights / 36;
    work.profile = (double)m->profile_walks * (double)chain->replicas * s.train * s.weights *
                   (2 * m->profile_reach + 0.1);
    return work;
}

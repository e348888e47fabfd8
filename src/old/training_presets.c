/* The presets of training, one table for the library, the program and its help. */
#include "base/number.h"
#include "old/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const xpn_train_preset presets[] = {
    {.name = "paper",
     .about = "the published protocol",
     .replicas = "3",
     .gamma = "0.8",
     .beta = "100:100000",
     .steps = "300000",
     .kernel = "two-stage",
     .init = "same",
     .logit_scale = "1"},
    {.name = "accurate",
     .about = "the best accuracy at ten times the cost of paper",
     .replicas = "3",
     .gamma = "0:1",
     .beta = "1000:300000",
     .steps = "3000000",
     .kernel = "two-stage",
     .init = "same",
     .logit_scale = "2.8/sqrtD"},
    {.name = "robust",
     .about = "the best accuracy with a tenth of the weights flipped",
     .replicas = "3",
     .gamma = "0",
     .beta = "2000:1000000",
     .steps = "2000000",
     .kernel = "two-stage",
     .init = "same",
     .logit_scale = "1.12/sqrtD"},
    {.name = NULL},
};

const xpn_train_preset *xpn_train_presets(void)
{
    return presets;
}

const xpn_train_preset *xpn_train_preset_find(const char *name)
{
    for (const xpn_train_preset *p = presets; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

spn_status xpn_train_logit_scale(xpn_train_options *out, const char *text, spn_error *err)
{
    double s = 0;
    const char *end = text + spn_number_scan(&s, text, strlen(text));
    const bool by_root = strcmp(end, "/sqrtD") == 0;
    if (end == text || (*end && !by_root) || !(s > 0) || !isfinite(s))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "'%s' is not a positive number s, or s/sqrtD with the number of features D",
                        text);
    out->logit_scale = s;
    out->logit_scale_by_root = by_root;
    return SPN_OK;
}

static spn_kernel kernel_of(const char *name)
{
    int kernel = 0;
    while (strcmp(spn_kernel_name((spn_kernel)kernel), name) != 0)
        kernel++; /* the table has no unknown name */
    return (spn_kernel)kernel;
}

spn_status xpn_train_options_preset(xpn_train_options *out, const char *name, const char *data_name,
                                    spn_error *err)
{
    const xpn_train_preset *preset = xpn_train_preset_find(name);
    *out = xpn_train_defaults();
    if (!preset)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no preset '%s'", name);
    spn_chain_options *chain = &out->chain;
    out->preset = preset->name;
    out->preprocess = spn_preprocess_default(data_name);
    chain->replicas = (size_t)strtoul(preset->replicas, NULL, 10);
    chain->steps = strtoull(preset->steps, NULL, 10);
    chain->kernel = kernel_of(preset->kernel);
    chain->start = strcmp(preset->init, "same") == 0 ? SPN_START_SAME : SPN_START_INDEPENDENT;
    spn_status status = xpn_train_logit_scale(out, preset->logit_scale, err);
    if (!status)
        status = spn_schedule_parse(&out->beta, preset->beta, NULL, err);
    if (!status)
        status = spn_schedule_parse(&out->gamma, preset->gamma, NULL, err);
    chain->beta = out->beta;
    chain->gamma = out->gamma;
    return status;
}

void xpn_train_options_clear(xpn_train_options *options)
{
    spn_schedule_free(options->beta);
    spn_schedule_free(options->gamma);
    options->beta = options->gamma = NULL;
}

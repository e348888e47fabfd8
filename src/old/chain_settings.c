/* The options of a chain from settings. */
#include "old/tasks.h"

#include <stdio.h>
#include <string.h>

/* beta, or START:END of beta-start and beta-end, what is not given being that of the default. */
static spn_status beta_text(char *out, size_t size, xpn_values *values, spn_error *err)
{
    const char *start = xpn_values_given(values, "beta-start");
    const char *end = xpn_values_given(values, "beta-end");
    const char *beta = xpn_values_text(values, "beta");
    if (!start && !end) {
        snprintf(out, size, "%s", beta);
        return SPN_OK;
    }
    if (xpn_values_given(values, "beta"))
        return xpn_values_fail(values, start ? "beta-start" : "beta-end", err,
                               "give this or beta, not both");
    const size_t first = strcspn(beta, ":");
    const char *rest = beta[first] ? beta + first + 1 : beta;
    snprintf(out, size, "%.*s:%s", (int)(start ? strlen(start) : first), start ? start : beta,
             end ? end : rest);
    return SPN_OK;
}

static const char *const beta_names[] = {"beta-end", "beta-start", "beta", "schedule", NULL};
static const char *const gamma_names[] = {"gamma", "gamma-schedule", NULL};

static spn_status read_schedules(spn_chain_options *o, xpn_values *values, spn_error *err)
{
    char text[256];
    spn_error why = {0};
    spn_status status = beta_text(text, sizeof text, values, err);
    if (status)
        return status;
    spn_schedule *beta, *gamma;
    status = spn_schedule_parse(&beta, text, xpn_values_text(values, "schedule"), &why);
    o->beta = beta;
    if (status)
        return xpn_values_blame(values, xpn_values_first(values, beta_names), &why, err);
    status = spn_schedule_parse(&gamma, xpn_values_text(values, "gamma"),
                                xpn_values_text(values, "gamma-schedule"), &why);
    o->gamma = gamma;
    if (status)
        return xpn_values_blame(values, xpn_values_first(values, gamma_names), &why, err);
    const uint64_t length = spn_schedule_length(o->beta);
    o->steps = length ? length : 300000;
    if (!length || xpn_values_given(values, "steps"))
        status = xpn_values_whole(&o->steps, values, "steps", 1, INT64_MAX, err);
    return status;
}

static spn_status check_schedules(const spn_chain_options *o, xpn_values *values, spn_error *err)
{
    spn_status status = spn_schedule_check(o->beta, "beta", true, o->steps, err);
    if (status)
        values->fault = xpn_values_first(values, beta_names);
    if (!status && (status = spn_schedule_check(o->gamma, "gamma", false, o->steps, err)))
        values->fault = xpn_values_first(values, gamma_names);
    return status;
}

void xpn_chain_clear(spn_chain_options *chain)
{
    spn_schedule_free((spn_schedule *)chain->beta);
    spn_schedule_free((spn_schedule *)chain->gamma);
    chain->beta = chain->gamma = NULL;
}

spn_status xpn_chain_settings(spn_chain_options *out, xpn_values *values, spn_error *err)
{
    static const char *const kernels[] = {"two-stage", "one-stage", "heat-bath", NULL};
    static const char *const orders[] = {"replica-round", "random", NULL};
    static const char *const starts[] = {"same", "independent", NULL};
    uint64_t replicas = 3;
    int kernel = 0, order = 0, init = 0;
    *out = spn_chain_defaults();
    spn_status status = xpn_values_whole(&replicas, values, "replicas", 1, SPN_MAX_REPLICAS, err);
    if (!status)
        status = xpn_values_choice(&kernel, values, "kernel", kernels, err);
    if (!status)
        status = xpn_values_choice(&order, values, "order", orders, err);
    if (!status)
        status = xpn_values_choice(&init, values, "init", starts, err);
    out->replicas = (size_t)replicas;
    out->kernel = (spn_kernel)kernel;
    out->order = (spn_order)order;
    out->start = init ? SPN_START_INDEPENDENT : SPN_START_SAME;
    if (!status)
        status = read_schedules(out, values, err);
    return status ? status : check_schedules(out, values, err);
}

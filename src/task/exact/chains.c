/* The chains of the task exact: balance, gaps and heights of each kernel. */
#include "record/record.h"
#include "task/exact/run.h"

#include <math.h>
#include <spinney/pause.h>
#include <spinney/spectrum.h>
#include <stdio.h>

/* A result of a kernel's chain, such as gap_two_stage. */
static void put_of(spn_exact_run *r, const char *what, spn_kernel kernel, double value)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", what, spn_kernel_name(kernel));
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    spn_exact_put(r, name, value);
}

static void put_gap(spn_exact_run *r, spn_kernel kernel, const spn_operator *op)
{
    const spn_exact_plan *p = r->plan;
    spn_gap gap = {0};
    if (!r->status)
        r->status = spn_operator_gap(&gap, op, NULL, r->err);
    put_of(r, "gap", kernel, gap.gap);
    put_of(r, "gap_accuracy", kernel, gap.accuracy);
    put_of(r, "lambda_min", kernel, gap.lambda_min);
    if (kernel == p->first)
        spn_exact_put(r, "psi", gap.gap);
    if (!r->status && !gap.converged)
        r->status = spn_record_add_note(
            r->out, r->err,
            "not converged: the %s gap is an upper bound (estimated relative error %.1g after %zu "
            "iterations)",
            spn_kernel_name(kernel), gap.accuracy, gap.iterations);
}

static void put_chain(spn_exact_run *r, spn_kernel kernel, spn_operator *op)
{
    const spn_exact_plan *p = r->plan;
    spn_balance balance = {0};
    double height = NAN;
    if (!r->status)
        r->status = spn_operator_set(op, kernel, p->beta, p->gamma, r->err);
    if (!r->status)
        r->status = spn_operator_balance(&balance, op, r->err);
    if (!r->status && !spn_pause_stopped())
        r->status = spn_replicated_height(&height, r->landscape, p->replicas, kernel, p->beta,
                                          p->gamma, r->err);
    put_of(r, "acceptance", kernel, balance.acceptance);
    put_of(r, "stationarity", kernel, balance.stationarity);
    put_of(r, "reversibility", kernel, balance.reversibility);
    put_of(r, "M", kernel, height);
    if (p->gap != SPN_EXACT_GAP_NEVER && !spn_pause_stopped())
        put_gap(r, kernel, op);
}

void spn_exact_put_chains(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    spn_operator *op = NULL;
    if (!r->status && p->no_chain_text[0])
        r->status = spn_record_add_note(r->out, r->err, "%s", p->no_chain_text);
    if (r->status || !p->chains)
        return;
    r->status =
        spn_operator_create(&op, r->landscape, p->replicas, SPN_KERNEL_TWO_STAGE, 0, 0, r->err);
    for (int k = 0; k < SPN_EXACT_KERNELS && !r->status && !spn_pause_stopped(); k++)
        if (p->kernels[k])
            put_chain(r, (spn_kernel)k, op);
    spn_operator_free(op);
}

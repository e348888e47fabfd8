/* The joint chain of the task exact. */
#include "task/exact/joint.h"
#include "record/record.h"

#include "base/memory.h"
#include "task/exact/annealing.h"
#include "task/exact/curves.h"
#include <spinney/lab/setting.h>

#include <math.h>

/* ---- texts ---- */

/* One number for each rung, from the text of a setting. */
static spn_status read_list(double *out, size_t *count, const char *setting, const char *text,
                            spn_error *err)
{
    *count = spn_exact_numbers(out, SPN_JOINT_RUNGS, text, ',');
    if (*count > 0)
        return SPN_OK;
    return spn_setting_fail(setting, err, "'%s' is not a list of 1 to %d numbers, such as 0,0.5,1",
                            text, SPN_JOINT_RUNGS);
}

/* Fractions of beta, or as many as there are rungs, evenly. */
static spn_status read_ladder(spn_exact_joint *out, const spn_exact_joint_texts *t, spn_error *err)
{
    size_t count = t->rungs;
    double *u = out->betas;
    spn_status status;
    for (size_t k = 0; k < count; k++)
        u[k] = (double)k / (double)(count - 1);
    if (t->ladder && (status = read_list(u, &count, "ladder", t->ladder, err)))
        return status;
    if (t->ladder && t->rungs_given && count != t->rungs)
        return spn_setting_fail("rungs", err, "the ladder has %zu", count);
    bool good = count >= 2 && u[0] >= 0 && u[count - 1] == 1;
    for (size_t k = 1; k < count; k++)
        good = good && u[k] > u[k - 1];
    if (!good)
        return spn_setting_fail("ladder", err,
                                "'%s' must rise from 0 or more to 1: fractions of beta, hot to "
                                "cold, such as 0,0.5,1",
                                t->ladder);
    for (size_t k = 0; k < count; k++)
        u[k] *= t->beta;
    out->options.rungs = count;
    return SPN_OK;
}

static spn_status check_kind(const spn_exact_joint_texts *t, spn_joint_kind kind, spn_error *err)
{
    if (!isfinite(t->beta))
        return spn_setting_fail("joint", err, "needs a finite beta");
    if (t->weight_errors && kind != SPN_JOINT_SIMULATED)
        return spn_setting_fail("weight-errors", err, "needs joint simulated");
    if (t->rings && kind != SPN_JOINT_EQUI_ENERGY)
        return spn_setting_fail("rings", err, "needs joint equi-energy");
    return SPN_OK;
}

spn_status spn_exact_joint_read(spn_exact_joint *out, const spn_exact_joint_texts *t,
                                spn_error *err)
{
    spn_joint_options *o = &out->options;
    size_t count = 0;
    spn_status status;
    *o = spn_joint_defaults();
    o->kind = (spn_joint_kind)(t->joint - 1);
    o->replicas = t->replicas;
    o->kernel = t->kernel;
    o->gamma = t->gamma;
    o->share = t->exchanges;
    if ((status = check_kind(t, o->kind, err)) || (status = read_ladder(out, t, err)))
        return status;
    o->betas = out->betas;
    if (t->weight_errors) {
        if ((status = read_list(out->errors, &count, "weight-errors", t->weight_errors, err)))
            return status;
        if (count != o->rungs)
            return spn_setting_fail("weight-errors", err, "one for each of the %zu rungs, not %zu",
                                    o->rungs, count);
        o->weight_errors = out->errors;
    }
    if (t->rings) {
        if ((status = read_list(out->rings, &o->ring_count, "rings", t->rings, err)))
            return status;
        o->rings = out->rings;
    }
    return SPN_OK;
}

bool spn_exact_joint_scans(const spn_exact_joint *joint, size_t sites)
{
    const spn_joint_options *o = &joint->options;
    return o->kind == SPN_JOINT_SWAPPING && o->rungs >= 3 &&
           sites * o->replicas * o->rungs <= SPN_JOINT_SCAN_BITS;
}

/* ---- results ---- */

/* The gap of the kernel alone at a rung. */
static spn_status gap_alone(double *out, const spn_landscape *landscape, const spn_joint_options *o,
                            size_t k, spn_error *err)
{
    spn_operator *op = NULL;
    spn_gap gap = {0};
    spn_status status =
        spn_operator_create(&op, landscape, o->replicas, o->kernel, o->betas[k], o->gamma, err);
    if (!status)
        status = spn_operator_gap(&gap, op, NULL, err);
    spn_operator_free(op);
    *out = gap.gap;
    return status;
}

/* The curve `rungs`, and the gap alone of the coldest. */
static spn_status add_rungs(spn_record *out, double *cold, double *cold_share,
                            const spn_joint *joint, const spn_landscape *landscape,
                            const spn_joint_options *o, spn_error *err)
{
    static const char *const names[] = {"rung", "beta", "log_z", "gap", "share", "exchange"};
    double *values = spn_alloc(6 * o->rungs, sizeof *values), *next = values;
    spn_status status = SPN_OK;
    for (size_t k = 0; values && k < o->rungs && !status; k++) {
        spn_joint_rung rung;
        spn_joint_rung_of(&rung, joint, k);
        status = gap_alone(cold, landscape, o, k, err);
        *cold_share = rung.share;
        *next++ = (double)k;
        *next++ = rung.beta;
        *next++ = rung.log_z;
        *next++ = *cold;
        *next++ = rung.share;
        *next++ = rung.exchange;
    }
    const spn_status added = spn_exact_add_rows(out, "rungs", 6, names, o->rungs, values, err);
    return status ? status : added;
}

static spn_status add_gap(spn_record *out, const spn_joint *joint, double cold, spn_error *err)
{
    spn_gap gap = {0};
    spn_status status = spn_joint_gap(&gap, joint, NULL, err);
    const struct {
        const char *name;
        double value;
    } results[] = {{"joint_states", (double)spn_joint_states(joint)},
                   {"joint_gap", gap.gap},
                   {"joint_gap_accuracy", gap.accuracy},
                   {"joint_lambda_min", gap.lambda_min},
                   {"joint_cold_gap", cold},
                   {"joint_ratio", gap.gap / cold}};
    for (size_t k = 0; k < sizeof results / sizeof results[0] && !status; k++)
        status = spn_record_add_result(out, results[k].name, results[k].value, err);
    if (!status && !gap.converged)
        status = spn_record_add_note(
            out, err, "not converged: the joint gap is an upper bound (relative error %.1g)",
            gap.accuracy);
    return status;
}

static spn_status add_scans(spn_record *out, const spn_joint *joint, size_t proposals,
                            spn_error *err)
{
    spn_joint_rates rates = {0};
    spn_status status = spn_joint_scan(&rates, joint, proposals, err);
    if (!status)
        status = spn_record_add_result(out, "joint_rate_even_odd", rates.even_odd, err);
    if (!status)
        status = spn_record_add_result(out, "joint_rate_random", rates.random, err);
    return status;
}

spn_status spn_exact_joint_run(spn_record *out, const spn_exact_joint *exact,
                               const spn_landscape *landscape, spn_error *err)
{
    spn_joint_options o = exact->options;
    spn_joint *joint = NULL;
    spn_error why = {0};
    double cold = NAN, cold_share = NAN;
    spn_status status = spn_joint_create(&joint, landscape, &o, &why);
    if (status)
        return spn_setting_blame("joint", &why, err);
    status = add_rungs(out, &cold, &cold_share, joint, landscape, &o, err);
    if (!status)
        status = add_gap(out, joint, cold, err);
    if (!status && o.kind == SPN_JOINT_SIMULATED)
        status = spn_record_add_result(out, "joint_cold_share", cold_share, err);
    if (!status && spn_exact_joint_scans(exact, landscape->sites))
        status = add_scans(out, joint, landscape->sites * o.replicas, err);
    spn_joint_free(joint);
    return status;
}

#include "job/run.h"
#include "record/record.h"
#include "task/exact/exact.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>

static spn_status read_list(double *out, size_t *count, const char *setting, const char *text,
                            spn_error *err)
{
    *count = spn_exact_numbers(out, SPN_JOINT_RUNGS, text, ',');
    if (*count > 0)
        return SPN_OK;
    return spn_setting_fail(setting, err, "'%s' is not a list of 1 to %d numbers, such as 0,0.5,1",
                            text, SPN_JOINT_RUNGS);
}

/* Read fractions of beta, or spread the rungs evenly. */
static spn_status read_ladder(spn_exact_plan *p, const spn_job *job, spn_error *err)
{
    size_t count = (size_t)p->rungs;
    double *u = p->ladder_chain.betas;
    for (size_t k = 0; k < count; k++)
        u[k] = (double)k / (double)(count - 1);
    if (p->ladder)
        SPN_TRY(read_list(u, &count, "ladder", p->ladder, err));
    if (p->ladder && spn_job_given(job, "rungs") && count != p->rungs)
        return spn_setting_fail("rungs", err, "the ladder has %zu", count);
    bool good = count >= 2 && u[0] >= 0 && u[count - 1] == 1;
    for (size_t k = 1; k < count; k++)
        good = good && u[k] > u[k - 1];
    if (!good)
        return spn_setting_fail("ladder", err,
                                "'%s' must rise from 0 or more to 1: fractions of beta, hot to "
                                "cold, such as 0,0.5,1",
                                p->ladder);
    for (size_t k = 0; k < count; k++)
        u[k] *= p->beta;
    p->ladder_chain.options.rungs = count;
    p->ladder_chain.options.betas = u;
    return SPN_OK;
}

static spn_status check_kind(const spn_exact_plan *p, spn_joint_kind kind, spn_error *err)
{
    if (!isfinite(p->beta))
        return spn_setting_fail("joint", err, "needs a finite beta");
    if (p->weight_errors && kind != SPN_JOINT_SIMULATED)
        return spn_setting_fail("weight-errors", err, "needs `joint simulated`");
    if (p->rings && kind != SPN_JOINT_EQUI_ENERGY)
        return spn_setting_fail("rings", err, "needs `joint equi-energy`");
    return SPN_OK;
}

spn_status spn_exact_joint_read(spn_exact_plan *p, const spn_job *job, spn_error *err)
{
    spn_joint_options *o = &p->ladder_chain.options;
    double *errors = p->ladder_chain.errors, *rings = p->ladder_chain.rings;
    size_t count = 0;
    *o = spn_joint_defaults();
    o->kind = (spn_joint_kind)(p->joint - 1);
    o->replicas = (size_t)p->replicas;
    o->kernel = p->first;
    o->gamma = p->gamma;
    o->share = p->exchanges;
    SPN_TRY(check_kind(p, o->kind, err));
    SPN_TRY(read_ladder(p, job, err));
    if (p->weight_errors) {
        SPN_TRY(read_list(errors, &count, "weight-errors", p->weight_errors, err));
        if (count != o->rungs)
            return spn_setting_fail("weight-errors", err, "one for each of the %zu rungs, not %zu",
                                    o->rungs, count);
        o->weight_errors = errors;
    }
    if (p->rings) {
        SPN_TRY(read_list(rings, &o->ring_count, "rings", p->rings, err));
        o->rings = rings;
    }
    return SPN_OK;
}

typedef struct rung_row {
    double rung, gap;
    spn_joint_rung at;
} rung_row;

typedef struct joint_found {
    double states, cold_gap, ratio, cold_share;
    spn_gap gap;
    spn_joint_rates rates;
    spn_curve_rows rungs;
} joint_found;

SPN_NEEDS(simulated_needs, spn_exact_plan, p->ladder_chain.options.kind == SPN_JOINT_SIMULATED,
          "joint simulated")

static const char *scan_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    const spn_joint_options *o = &p->ladder_chain.options;
    return o->kind == SPN_JOINT_SWAPPING && o->rungs >= 3 &&
                   p->sites * o->replicas * o->rungs <= SPN_JOINT_SCAN_BITS
               ? NULL
               : "joint swapping over at least 3 rungs, N y K up to 9";
}

static const spn_quantity rung_columns[] = {
    SPN_EXACT_COLUMN("rungs.rung", rung_row, rung, "rung", "number of the rung, hot to cold"),
    SPN_EXACT_COLUMN("rungs.beta", rung_row, at.beta, "beta", "its beta"),
    SPN_EXACT_COLUMN("rungs.log_z", rung_row, at.log_z, "log Z'", "its log Z'"),
    SPN_EXACT_COLUMN("rungs.gap", rung_row, gap, "gap",
                     "spectral gap of the first kernel alone there"),
    {"rungs.share", SPN_QUANTITY_COLUMN, .needs = simulated_needs,
     .at = offsetof(rung_row, at.share), .label = "share",
     .help = "share of the time there, of simulated tempering"},
    SPN_EXACT_COLUMN("rungs.exchange", rung_row, at.exchange, "acceptance",
                     "acceptance of exchanges with the next colder rung"),
    {0}};

/* Values that a kind of joint chain lacks are NaN. */
#define AT(member) offsetof(joint_found, member)
const spn_quantity spn_exact_joint_results[] = {
    {"joint_states", .at = AT(states), .help = "states of the joint chain"},
    {"joint_gap", .at = AT(gap.gap), .help = "its spectral gap, of a step"},
    {"joint_gap_accuracy", .at = AT(gap.accuracy), .help = "estimated relative error of joint_gap"},
    {"joint_lambda_min", .at = AT(gap.lambda_min), .help = "its least eigenvalue"},
    {"joint_cold_gap", .at = AT(cold_gap),
     .help = "spectral gap of the first kernel alone at beta"},
    {"joint_ratio", .at = AT(ratio),
     .help = "joint_gap over joint_cold_gap: above 1, the ladder pays"},
    {"joint_cold_share", .flags = SPN_QUANTITY_OPTIONAL, .at = AT(cold_share),
     .needs = simulated_needs, .help = "share of its time that simulated tempering is at beta"},
    {"joint_rate_even_odd", .flags = SPN_QUANTITY_OPTIONAL, .at = AT(rates.even_odd),
     .needs = scan_needs,
     .help = "1 - |lambda| of a proposal: scans of N y proposals of each rung, even and odd pairs "
             "swapped in turn; swaps not counted"},
    {"joint_rate_random", .flags = SPN_QUANTITY_OPTIONAL, .at = AT(rates.random),
     .needs = scan_needs, .help = "the same, even or odd pairs by a coin"},
    {.group = rung_columns, .at = AT(rungs)},
    {0}};
#undef AT

static spn_status gap_alone(double *out, const spn_landscape *landscape, const spn_joint_options *o,
                            size_t k, spn_error *err)
{
    spn_operator *op = NULL;
    spn_gap gap = {0};
    SPN_TRY(
        spn_operator_create(&op, landscape, o->replicas, o->kernel, o->betas[k], o->gamma, err));
    const spn_status status = spn_operator_gap(&gap, op, NULL, err);
    spn_operator_free(op);
    *out = gap.gap;
    return status;
}

static spn_status find_rungs(joint_found *out, const spn_joint *joint,
                             const spn_landscape *landscape, const spn_joint_options *o,
                             spn_error *err)
{
    rung_row *rows = spn_curve_make(&out->rungs, o->rungs, sizeof *rows, err);
    if (!rows)
        return SPN_ERROR_MEMORY;
    for (size_t k = 0; k < o->rungs; k++) {
        rows[k].rung = (double)k;
        spn_joint_rung_of(&rows[k].at, joint, k);
        SPN_TRY(gap_alone(&rows[k].gap, landscape, o, k, err));
    }
    out->cold_gap = rows[o->rungs - 1].gap;
    out->cold_share = o->kind == SPN_JOINT_SIMULATED ? rows[o->rungs - 1].at.share : NAN;
    return SPN_OK;
}

static spn_status find_joint(joint_found *out, const spn_exact_run *r, const spn_joint *joint)
{
    const spn_joint_options *o = &r->plan->ladder_chain.options;
    SPN_TRY(find_rungs(out, joint, r->landscape, o, r->err));
    SPN_TRY(spn_joint_gap(&out->gap, joint, NULL, r->err));
    out->states = (double)spn_joint_states(joint);
    out->ratio = out->gap.gap / out->cold_gap;
    if (!scan_needs(r->plan))
        SPN_TRY(spn_joint_scan(&out->rates, joint, r->landscape->sites * o->replicas, r->err));
    if (out->gap.converged)
        return SPN_OK;
    return spn_record_add_note(
        r->out, r->err, "not converged: the joint gap is an upper bound (relative error %.1g)",
        out->gap.accuracy);
}

spn_status spn_exact_joint_chain(spn_exact_run *r)
{
    joint_found found = {.rates = {NAN, NAN}};
    spn_joint *joint = NULL;
    spn_error why = {0};
    if (r->plan->joint == SPN_EXACT_JOINT_NONE)
        return SPN_OK;
    if (spn_joint_create(&joint, r->landscape, &r->plan->ladder_chain.options, &why))
        return spn_setting_blame("joint", &why, r->err);
    spn_status status = find_joint(&found, r, joint);
    if (!status)
        status = spn_results_add(r->out, spn_exact_joint_results, &found, NULL, r->details, r->err);
    free(found.rungs.rows);
    spn_joint_free(joint);
    return status;
}

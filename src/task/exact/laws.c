/* Landscape, distribution, constants and chains of the task `exact`. */
#include "job/run.h"
#include "record/record.h"
#include "task/exact/exact.h"
#include "task/tables.h"

#include <math.h>
#include <spinney/pause.h>
#include <spinney/spectrum.h>
#include <stdlib.h>

spn_status spn_exact_add(spn_exact_run *r, const spn_quantity *table, const void *found,
                         const void *plan)
{
    spn_record *out = r->out;
    size_t k = out->result_count;
    SPN_TRY(spn_results_add(out, table, found, plan, r->details, r->err));
    for (; k < out->result_count; k++)
        out->results[k].value = isfinite(out->results[k].value) ? out->results[k].value : NAN;
    return SPN_OK;
}

typedef struct landscape_found {
    double sites, minima_count;
    spn_landscape landscape;
    spn_heights heights;
} landscape_found;

#define AT(member) offsetof(landscape_found, member)
const spn_quantity spn_exact_landscape_results[] = {
    {"N", .at = AT(sites), .help = "spins"},
    {"E_min", .at = AT(landscape.minimum), .help = "least energy"},
    {"E_max", .at = AT(landscape.maximum), .help = "largest energy"},
    {"minima_count", .at = AT(minima_count), .help = "states of the least energy"},
    {"B", .at = AT(landscape.step), .help = "least energy above the minimum"},
    {"m", .at = AT(heights.m),
     .help = "height of the landscape, which the gap falls with as e^(-beta m)"},
    {"d_star", .at = AT(heights.d_star), .help = "largest climb from a state to a global minimum"},
    {0}};
#undef AT

spn_status spn_exact_landscape(spn_exact_run *r)
{
    const spn_landscape *l = r->landscape;
    landscape_found found = {(double)l->sites, (double)l->minima_count, .landscape = *l};
    SPN_TRY(spn_landscape_heights(&found.heights, l, r->err));
    SPN_TRY(spn_exact_add(r, spn_exact_landscape_results, &found, NULL));
    if (fabs(l->minimum) > l->tolerance)
        SPN_TRY(spn_record_add_note(
            r->out, r->err,
            "not realisable: E_min = %g is not 0. The limits, constants and heights are those of "
            "E - E_min, and Pr(U=0) is the probability that every replica is at a minimum; log Z, "
            "Phi and mean U are those of E itself.",
            l->minimum));
    return spn_exact_dense_set(r);
}

typedef struct state_row {
    double state, energy, phi, centre;
} state_row;

static const spn_quantity state_columns[] = {
    SPN_EXACT_DETAIL("states.state", state_row, state, "state",
                     "index of each state, up to N = 12"),
    SPN_EXACT_DETAIL("states.energy", state_row, energy, "E", "its energy"),
    SPN_EXACT_DETAIL("states.phi", state_row, phi, "Phi", "its local entropy Phi"),
    SPN_EXACT_DETAIL("states.P", state_row, centre, "P", "its probability as a centre"),
    {0}};

typedef struct law_found {
    spn_law law;
    spn_curve_rows states;
} law_found;

#define AT(member) offsetof(law_found, law.member)
const spn_quantity spn_exact_law_results[] = {
    {"log_z_centre", .flags = SPN_QUANTITY_MAIN, .at = AT(log_z),
     .help = "log Z, of P on the centre"},
    {"log_z", .at = AT(log_z_marginal), .help = "log Z', of Qbar on the replicas"},
    {"mean_U", .flags = SPN_QUANTITY_MAIN, .at = AT(mean_energy),
     .help = "mean energy of all replicas"},
    {"overlap", .flags = SPN_QUANTITY_MAIN, .at = AT(overlap),
     .help = "mean overlap of two replicas"},
    {"prob_U0", .flags = SPN_QUANTITY_MAIN, .at = AT(prob_minimum),
     .help = "probability that every replica is at a minimum"},
    {"aligned_U0", .at = AT(aligned_minimum),
     .help = "probability that all replicas are at the same minimum"},
    {"max_Q", .at = AT(max_probability), .help = "largest probability of a replicated state"},
    {"entropy", .unit = "nats", .at = AT(entropy), .help = "entropy of Qbar"},
    {"entropy_P", .unit = "nats", .at = AT(centre_entropy), .help = "entropy of P"},
    {.group = state_columns, .at = offsetof(law_found, states)},
    {0}};
#undef AT

const char *spn_exact_law_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->no_law ? "no-law leaves it out" : NULL;
}

static spn_status list_states(law_found *found, const spn_exact_run *r)
{
    enum { STATES_SITES = 12 };
    const spn_landscape *l = r->landscape;
    if (!r->details || l->sites > STATES_SITES)
        return SPN_OK;
    state_row *rows = spn_curve_make(&found->states, l->states, sizeof *rows, r->err);
    for (size_t k = 0; rows && k < l->states; k++)
        rows[k] = (state_row){(double)k, l->energy[k], found->law.phi[k], found->law.centre[k]};
    return rows ? SPN_OK : SPN_ERROR_MEMORY;
}

spn_status spn_exact_law(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    spn_law *law = NULL;
    if (p->no_law)
        return SPN_OK;
    SPN_TRY(
        spn_law_create(&law, r->landscape, p->replicas, p->beta, p->gamma, SPN_LAW_AUTO, r->err));
    law_found found = {.law = *law};
    if (r->dense)
        r->marginal = spn_law_mass(law, r->dense->states, r->dense->count);
    spn_status status;
    SPN_TRY_OR(cleanup, list_states(&found, r));
    status = spn_exact_add(r, spn_exact_law_results, &found, NULL);
cleanup:
    free(found.states.rows);
    spn_law_free(law);
    return status;
}

#define AT(member) offsetof(spn_constants, member)
const spn_quantity spn_exact_constants_results[] = {
    {"log_Gamma", .at = AT(log_gamma), .help = "log of the norm of mu0"},
    {"mu0_N0", .at = AT(mu0_minima), .help = "mu0 of the states with every replica at a minimum"},
    {"kappa1", .at = AT(kappa1),
     .help = "constant of the bound kappa1 e^(-beta B) on the way to Qbar_inf"},
    {"log_kappa1", .at = AT(log_kappa1), .help = "log kappa1, which does not overflow"},
    {"log_kappa2", .at = AT(log_kappa2), .help = "log of the constant kappa2 of Theorem 2"},
    {"log_kappa2_bound", .at = AT(log_kappa2_bound),
     .help = "log of kappa2 (e^(-beta B) + e^(-B'))"},
    {"B_prime", .at = AT(B_prime), .help = "log cosh(gamma y) - log cosh(gamma (y-2))"},
    {0}};
#undef AT

spn_status spn_exact_constants(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    spn_constants c = {0};
    SPN_TRY(spn_constants_compute(&c, r->landscape, p->replicas, p->beta, p->gamma, r->err));
    return spn_exact_add(r, spn_exact_constants_results, &c, NULL);
}

typedef struct chains_found {
    struct {
        spn_balance balance;
        spn_gap gap;
        double height;
    } of_kernel[SPN_EXACT_KERNELS];
    spn_kernel first;
    double psi;
} chains_found;

SPN_NEEDS(gap_needs, spn_exact_plan, p->gap != SPN_EXACT_GAP_NEVER, "gap: never leaves it out")

static const char *kernel_needs(const spn_exact_plan *p, spn_kernel kernel)
{
    return p->kernels[kernel] ? NULL : "name its kernel in the setting kernel";
}

/* Conditions of a kernel's results, and of its gaps. */
#define NEEDS_OF(value, name, ...)                                                                 \
    static const char *name##_needs(const void *plan)                                              \
    {                                                                                              \
        return kernel_needs(plan, SPN_KERNEL_##value);                                             \
    }                                                                                              \
    static const char *name##_gap_needs(const void *plan)                                          \
    {                                                                                              \
        return gap_needs(plan) ? gap_needs(plan) : kernel_needs(plan, SPN_KERNEL_##value);         \
    }
SPN_KERNELS(NEEDS_OF, )

/* Records list the results kernel by kernel. psi comes last within its kernel. */
enum { KERNEL_ROWS = 8 };
static int psi_place(const void *run)
{
    return (int)((const chains_found *)run)->first * KERNEL_ROWS + KERNEL_ROWS - 1;
}

/* One quantity for each kernel; `row` is its place among those of its kernel. */
/* NOLINTBEGIN(bugprone-macro-parentheses): texts that are joined have none */
#define OF_KERNEL(value, name, word, of, member, row, need, about)                                 \
    {of "_" #name, .needs = name##need,                                                            \
     .at = offsetof(chains_found, of_kernel[SPN_KERNEL_##value].member),                           \
     .order = SPN_KERNEL_##value * KERNEL_ROWS + (row), .help = about ", of the " word " kernel"},
/* NOLINTEND(bugprone-macro-parentheses) */
const spn_quantity spn_exact_chain_results[] = {
    {"psi", .needs = gap_needs, .flags = SPN_QUANTITY_MAIN, .at = offsetof(chains_found, psi),
     .place = psi_place, .help = "spectral gap 1 - lambda_1 of the first kernel"},
    /* clang-format off */
    SPN_KERNELS(OF_KERNEL, "gap", gap.gap, 4, _gap_needs, "spectral gap psi = 1 - lambda_1")
    SPN_KERNELS(OF_KERNEL, "gap_accuracy", gap.accuracy, 5, _gap_needs,
                "estimated relative error of the gap")
    SPN_KERNELS(OF_KERNEL, "lambda_min", gap.lambda_min, 6, _gap_needs, "least eigenvalue")
    SPN_KERNELS(OF_KERNEL, "acceptance", balance.acceptance, 0, _needs,
                "probability that a proposal is accepted")
    SPN_KERNELS(OF_KERNEL, "M", height, 3, _needs, "M = beta m_t, the height of beta U - H")
    SPN_KERNELS(OF_KERNEL, "stationarity", balance.stationarity, 1, _needs,
                "how far a proposal moves Qbar")
    SPN_KERNELS(OF_KERNEL, "reversibility", balance.reversibility, 2, _needs,
                "violation of detailed balance")
    /* clang-format on */
    {0}};

static spn_status find_gap(spn_gap *out, const spn_exact_run *r, spn_kernel kernel,
                           const spn_operator *op)
{
    SPN_TRY(spn_operator_gap(out, op, NULL, r->err));
    if (out->converged)
        return SPN_OK;
    return spn_record_add_note(
        r->out, r->err,
        "not converged: the %s gap is an upper bound (estimated relative error %.1g after %zu "
        "iterations)",
        spn_kernel_name(kernel), out->accuracy, out->iterations);
}

static spn_status find_chain(chains_found *out, const spn_exact_run *r, spn_kernel kernel,
                             spn_operator *op)
{
    const spn_exact_plan *p = r->plan;
    SPN_TRY(spn_operator_set(op, kernel, p->beta, p->gamma, r->err));
    SPN_TRY(spn_operator_balance(&out->of_kernel[kernel].balance, op, r->err));
    if (!spn_pause_stopped())
        SPN_TRY(spn_replicated_height(&out->of_kernel[kernel].height, r->landscape, p->replicas,
                                      kernel, p->beta, p->gamma, r->err));
    return p->gap == SPN_EXACT_GAP_NEVER || spn_pause_stopped()
               ? SPN_OK
               : find_gap(&out->of_kernel[kernel].gap, r, kernel, op);
}

spn_status spn_exact_chains(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    chains_found found = {.first = p->first};
    spn_operator *op = NULL;
    if (p->no_chain_text[0])
        SPN_TRY(spn_record_add_note(r->out, r->err, "%s", p->no_chain_text));
    if (!p->chains)
        return SPN_OK;
    spn_status status =
        spn_operator_create(&op, r->landscape, p->replicas, SPN_KERNEL_TWO_STAGE, 0, 0, r->err);
    for (int k = 0; k < SPN_EXACT_KERNELS && !status && !spn_pause_stopped(); k++)
        if (p->kernels[k])
            status = find_chain(&found, r, (spn_kernel)k, op);
    spn_operator_free(op);
    SPN_TRY(status);
    found.psi = found.of_kernel[p->first].gap.gap;
    return spn_exact_add(r, spn_exact_chain_results, &found, p);
}

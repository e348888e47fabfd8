/* The landscape, the law and the constants of the task exact. */
#include "record/record.h"
#include "task/exact/curves.h"
#include "task/exact/run.h"

#include <math.h>

enum { STATES_SITES = 12 };

void spn_exact_put(spn_exact_run *r, const char *name, double value)
{
    if (!r->status)
        r->status = spn_record_add_result(r->out, name, isfinite(value) ? value : NAN, r->err);
}

void spn_exact_put_landscape(spn_exact_run *r)
{
    const spn_landscape *l = r->landscape;
    spn_heights heights = {0};
    r->status = spn_landscape_heights(&heights, l, r->err);
    spn_exact_put(r, "N", (double)l->sites);
    spn_exact_put(r, "E_min", l->minimum);
    spn_exact_put(r, "E_max", l->maximum);
    spn_exact_put(r, "minima_count", (double)l->minima_count);
    spn_exact_put(r, "B", l->step);
    spn_exact_put(r, "m", heights.m);
    spn_exact_put(r, "d_star", heights.d_star);
    if (!r->status && fabs(l->minimum) > l->tolerance)
        r->status = spn_record_add_note(
            r->out, r->err,
            "not realisable: E_min = %g is not 0. The limits, constants and heights are those of "
            "E - E_min, and Pr(U=0) is the probability that every replica is at a minimum; log Z, "
            "Phi and mean U are those of E itself.",
            l->minimum);
}

void spn_exact_put_law(spn_exact_run *r, bool details)
{
    const spn_exact_plan *p = r->plan;
    spn_law *law = NULL;
    if (r->status || p->no_law)
        return;
    r->status =
        spn_law_create(&law, r->landscape, p->replicas, p->beta, p->gamma, SPN_LAW_AUTO, r->err);
    if (r->status)
        return;
    spn_exact_put(r, "logZ", law->log_z);
    spn_exact_put(r, "logZ_marginal", law->log_z_marginal);
    spn_exact_put(r, "mean_U", law->mean_energy);
    spn_exact_put(r, "overlap", law->overlap);
    spn_exact_put(r, "prob_U0", law->prob_minimum);
    spn_exact_put(r, "aligned_U0", law->aligned_minimum);
    spn_exact_put(r, "max_Q", law->max_probability);
    spn_exact_put(r, "entropy", law->entropy);
    spn_exact_put(r, "entropy_P", law->centre_entropy);
    if (r->dense)
        spn_exact_put(r, "dense_mass_marginal",
                      spn_law_mass(law, r->dense->states, r->dense->count));
    if (!r->status && details && p->sites <= STATES_SITES)
        r->status = spn_exact_add_states(r->out, r->landscape, law, r->err);
    spn_law_free(law);
}

void spn_exact_put_constants(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    spn_constants c = {0};
    if (!r->status)
        r->status = spn_constants_compute(&c, r->landscape, p->replicas, p->beta, p->gamma, r->err);
    spn_exact_put(r, "log_Gamma", c.log_gamma);
    spn_exact_put(r, "mu0_N0", c.mu0_minima);
    spn_exact_put(r, "kappa1", c.kappa1);
    spn_exact_put(r, "log_kappa1", c.log_kappa1);
    spn_exact_put(r, "log_kappa2", c.log_kappa2);
    spn_exact_put(r, "log_kappa2_bound", c.log_kappa2_bound);
    spn_exact_put(r, "B_prime", c.B_prime);
}

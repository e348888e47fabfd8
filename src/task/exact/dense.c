/* The dense regions of the task exact. */
#include "task/exact/run.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void spn_exact_make_dense(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    const spn_problem *given = p->dense_states;
    if (r->status)
        return;
    if (p->has_ball) {
        r->status = spn_dense_set_ball(&r->dense, r->landscape, p->center, p->dense_radius, r->err);
    } else if (given) {
        spn_error why = {0};
        const size_t count = given->count, sites = given->sites;
        const int8_t *rows = given->rows;
        uint32_t *states = spn_alloc(count, sizeof *states);
        if (!states)
            r->status = spn_fail(r->err, SPN_ERROR_MEMORY, "out of memory for the dense set");
        for (size_t k = 0; states && k < count * sites; k++)
            states[k / sites] |= (uint32_t)(rows[k] > 0) << k % sites;
        if (states && spn_dense_set_states(&r->dense, r->landscape, states, count, &why))
            r->status = spn_setting_blame("dense", &why, r->err);
        free(states);
    }
}

static double find_mass(spn_exact_run *r, double beta, double gamma)
{
    double mass = NAN;
    if (!r->status)
        r->status = spn_dense_mass(&mass, r->landscape, r->plan->replicas, beta, gamma,
                                   r->dense->states, r->dense->count, r->err);
    return mass;
}

void spn_exact_put_dense(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    const spn_dense_set *d = r->dense;
    double gamma = NAN, mass = NAN;
    bool refined = false;
    if (!d)
        return;
    spn_exact_put(r, "dense_states", (double)d->count);
    spn_exact_put(r, "dense_minima", (double)d->minima);
    spn_exact_put(r, "share", (double)d->minima / (double)r->landscape->minima_count);
    spn_exact_put(r, "dense_apart", d->apart > 0 && d->apart <= p->sites ? (double)d->apart : NAN);
    spn_exact_put(r, "dense_mass", find_mass(r, p->beta, p->gamma));
    spn_exact_put(r, "dense_mass_infinity", find_mass(r, INFINITY, p->gamma));
    spn_exact_put(r, "dense_mass_gamma_infinity", find_mass(r, p->beta, INFINITY));
    spn_exact_put(r, "dense_mass_bound",
                  spn_dense_set_bound(d, r->landscape, p->replicas, p->gamma));
    if (!p->gammas || r->status)
        return;
    r->status = spn_dense_set_best_gamma(&gamma, &mass, &refined, d, r->landscape, p->replicas,
                                         p->beta, p->gammas, p->gamma_count, r->err);
    spn_exact_put(r, "best_gamma", gamma);
    spn_exact_put(r, "best_mass", mass);
    spn_exact_put(r, "best_refined", refined);
}

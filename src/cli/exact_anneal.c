/* spinney exact: the law of an annealed chain after each stage, and what the theorems say of it. */
#include "cli/exact.h"

#include <math.h>
#include <stdlib.h>

/* Gaps are taken at so many stages at most, and heights and bounds up to so many. */
enum { GAPS_MOST = 33, STAGES_JUDGED = 2000 };

static size_t replicas_of(const exact *e)
{
    return (size_t)e->replicas.values[0];
}

static size_t bits_of(const exact *e)
{
    return e->landscape->sites * replicas_of(e);
}

/* 1 - max(lambda_1, |lambda_min|), which governs the convergence at (beta, gamma). */
static spn_status rate(double *out, exact *e, double beta, double gamma, spn_error *err)
{
    spn_operator *op = NULL;
    spn_gap gap = {0};
    spn_status status =
        spn_operator_create(&op, e->landscape, replicas_of(e), e->first, beta, gamma, err);
    if (!status)
        status = spn_operator_gap(&gap, op, NULL, err);
    spn_operator_free(op);
    *out = fmin(gap.gap, 1 + gap.lambda_min);
    if (!status && !gap.converged)
        exact_note(e, "not converged: the gap at beta=%g, gamma=%g that c is computed from", beta,
                   gamma);
    return status;
}

/* The least rate e^(climb) over stages spread evenly: the c of the theorems. */
static spn_status find_c(double *out, exact *e, const spn_piece *pieces, size_t count,
                         const double *gammas, double m, const double *climbs, spn_error *err)
{
    const size_t sample = count < GAPS_MOST ? count : GAPS_MOST;
    spn_status status = SPN_OK;
    *out = INFINITY;
    for (size_t j = 0; j < sample && !status; j++) {
        const size_t n = sample > 1 ? j * (count - 1) / (sample - 1) : 0;
        double value;
        status = rate(&value, e, pieces[n].value, gammas ? gammas[n] : e->gamma.values[0], err);
        *out = fmin(*out, value * exp(climbs ? climbs[n] : pieces[n].value * m));
    }
    return status;
}

/* log kappa: of kappa1, but at least 1 (kappa = e), since one step of no time already needs kappa
   >= 1. */
static spn_status find_log_kappa(double *out, const exact *e, double gamma, spn_error *err)
{
    spn_constants k;
    const spn_status status =
        spn_constants_compute(&k, e->landscape, replicas_of(e), 0, gamma, err);
    *out = status ? 1 : fmax(1, k.log_kappa1);
    return status;
}

static double given_or(double given, double computed)
{
    return isnan(given) ? computed : given;
}

/* Theorem 1's schedule, from the constants given and the others computed. */
static int build_theorem1(exact *e)
{
    const double *given = e->annealing.theorem1;
    spn_theorem1 k = {.alpha = given[T1_ALPHA],
                      .b = given[T1_b],
                      .m = given_or(given[T1_m], e->heights.m),
                      .B = given_or(given[T1_B], e->landscape->step),
                      .c = given_or(given[T1_c], 1),
                      .log_kappa = log(given[T1_KAPPA])};
    spn_error err = {0};
    spn_schedule *schedule = NULL;
    spn_status status = SPN_OK;
    if (!(k.m > 0) || !(k.B > 0))
        return cli_error(e->values->command,
                         "--schedule: theorem1 slows down for barriers, and here m=%g and B=%g: "
                         "any schedule converges; give pieces, or theorem1:m=,B=",
                         k.m, k.B);
    if (isnan(k.log_kappa))
        status = find_log_kappa(&k.log_kappa, e, e->gamma.values[0], &err);
    if (!status)
        status = spn_schedule_theorem1(&schedule, &k, (size_t)given[T1_STAGES], &err);
    if (!status && isnan(given[T1_c])) {
        size_t count;
        const spn_piece *pieces = spn_schedule_get_pieces(schedule, &count);
        status = find_c(&k.c, e, pieces, count, NULL, k.m, NULL, &err);
        spn_schedule_free(schedule);
        schedule = NULL;
        if (!status)
            status = spn_schedule_theorem1(&schedule, &k, (size_t)given[T1_STAGES], &err);
    }
    e->annealing.verdict.c = k.c;
    e->annealing.verdict.log_kappa = k.log_kappa;
    const int failed = status ? exact_fail(e, &err) : exact_set_pieces(e, schedule);
    spn_schedule_free(schedule);
    return failed;
}

/* The climbs M_n of every stage, for Theorem 2. */
static spn_status find_climbs(double *out, const exact *e, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t n = 0; n < e->annealing.count && !status; n++)
        status = spn_replicated_height(&out[n], e->landscape, replicas_of(e), e->first,
                                       e->annealing.pieces[n].value, e->annealing.gammas[n], err);
    return status;
}

/* log(e^a + e^b) */
static double log_add(double a, double b)
{
    const double top = fmax(a, b);
    return isinf(top) ? top : top + log1p(exp(fmin(a, b) - top));
}

/* The recursion of the proofs, epsilon_n <= drift_n + kappa (1 - c e^-climb)^T_n epsilon_(n-1) from
   epsilon_0 = 1, as logarithms; drift_n is kappa1 e^(-beta B), or the kappa2 bound of Theorem 2. */
static spn_status find_bounds(double *out, const exact *e, const double *climbs, spn_error *err)
{
    const exact_annealing *a = &e->annealing;
    double last = 0;
    for (size_t n = 0; n < a->count; n++) {
        const double beta = a->pieces[n].value;
        spn_constants k;
        const spn_status status =
            spn_constants_compute(&k, e->landscape, replicas_of(e), beta, a->gammas[n], err);
        if (status)
            return status;
        const double gap = fmin(1, a->verdict.c * exp(-(climbs ? climbs[n] : beta * e->heights.m)));
        const double fall = gap < 1 ? (double)a->pieces[n].steps * log1p(-gap) : -INFINITY;
        const double drift = climbs ? k.log_kappa2_bound : k.log_kappa1 - beta * k.B;
        out[n] = last = log_add(drift, a->verdict.log_kappa + fall + last);
    }
    return SPN_OK;
}

static spn_status judge(exact *e, double *climbs, spn_error *err)
{
    exact_annealing *a = &e->annealing;
    exact_verdict *v = &a->verdict;
    spn_status status = SPN_OK;
    if (climbs)
        status = find_climbs(climbs, e, err);
    if (!status && !a->is_theorem1)
        status = find_log_kappa(&v->log_kappa, e, a->gammas[0], err);
    if (!status && (!a->is_theorem1 || climbs))
        status = find_c(&v->c, e, a->pieces, a->count, a->gammas, e->heights.m, climbs, err);
    if (status)
        return status;
    const spn_condition condition = {.size = sizeof condition,
                                     .beta = a->pieces,
                                     .stages = a->count,
                                     .m = e->heights.m,
                                     .climbs = climbs,
                                     .c = v->c,
                                     .log_kappa = v->log_kappa};
    const spn_status failed = spn_condition_evaluate(v->values, &v->margin, &condition, err);
    if (failed)
        return failed;
    v->theorem = climbs ? 2 : 1;
    v->met = v->margin > 0;
    v->done = true;
    return find_bounds(v->bounds, e, climbs, err);
}

static int judge_schedule(exact *e)
{
    exact_annealing *a = &e->annealing;
    const double states = (double)a->count * pow(2.0, (double)bits_of(e));
    if (a->count > STAGES_JUDGED || (a->gamma_changes && states > 0x1p24)) {
        exact_note(e, "the theorems' conditions are left out: %zu stages of %g states", a->count,
                   pow(2.0, (double)bits_of(e)));
        return CLI_OK;
    }
    double *climbs = calloc(a->count, sizeof *climbs);
    a->verdict.values = calloc(a->count, sizeof *a->verdict.values);
    a->verdict.bounds = calloc(a->count, sizeof *a->verdict.bounds);
    spn_error err = {0};
    int status = CLI_OK;
    if (!climbs || !a->verdict.values || !a->verdict.bounds)
        status = exact_no_memory(e);
    else if (judge(e, a->gamma_changes ? climbs : NULL, &err))
        status = exact_fail(e, &err);
    free(climbs);
    return status;
}

int exact_anneal(exact *e)
{
    exact_annealing *a = &e->annealing;
    if (!a->asked)
        return CLI_OK;
    int status = a->is_theorem1 ? build_theorem1(e) : CLI_OK;
    if (status)
        return status;
    a->stages = calloc(a->count, sizeof *a->stages);
    if (!a->stages)
        return exact_no_memory(e);
    const spn_annealing annealing = {.size = sizeof annealing,
                                     .replicas = replicas_of(e),
                                     .kernel = e->first,
                                     .beta = a->pieces,
                                     .stages = a->count,
                                     .gammas = a->gammas,
                                     .start = a->start};
    spn_error err = {0};
    if (spn_annealing_converge(a->stages, NULL, e->landscape, &annealing, &err))
        return exact_fail(e, &err);
    return judge_schedule(e);
}

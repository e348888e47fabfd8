/* spinney exact: the results as a page for the terminal. */
#include "cli/exact.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MINIMA_SHOWN = 8, ROWS_SHOWN = 30, BALLS_SHOWN = 4 };

/* A number in a column, or a dash where there is none. */
static void print_cell(double value)
{
    if (isnan(value))
        printf("  %12s", "-");
    else
        printf("  %12.6g", value);
}

static void print_state(uint32_t state, size_t sites)
{
    for (size_t i = 0; i < sites; i++)
        putchar((state >> i & 1) ? '+' : '-');
}

static void print_landscape(const exact *e)
{
    const spn_landscape *l = e->landscape;
    printf("%s: N = %zu, %zu states, E from %g to %g\n", e->energy_name, l->sites, l->states,
           l->minimum, l->maximum);
    printf("minima: %zu", l->minima_count);
    const size_t shown = l->minima_count < MINIMA_SHOWN ? l->minima_count : MINIMA_SHOWN;
    for (size_t j = 0; j < shown; j++) {
        printf("%s%u (", j ? ", " : ": ", l->minima[j]);
        print_state(l->minima[j], l->sites);
        putchar(')');
    }
    printf("%s\n", l->minima_count > shown ? ", ..." : "");
    printf("B = %g (least energy above the minimum), m = %g, d* = %g (heights)\n", l->step,
           e->heights.m, e->heights.d_star);
}

static void print_line(const char *name, double value, const char *about)
{
    if (!isnan(value))
        printf("  %-22s %-*.12g%s\n", name, *about ? 19 : 0, value, about);
}

static void print_law(const exact_point *p)
{
    const spn_law *l = &p->law;
    printf("\nLaw at y = %zu, beta = %g, gamma = %g\n", p->replicas, p->beta, p->gamma);
    print_line("log Z", l->log_z, "of P on the centre");
    print_line("log Z'", l->log_z_marginal, "of Qbar on the replicas");
    print_line("log Gamma", p->constants.log_gamma, "of mu0");
    print_line("E[U]", l->mean_energy, "energy of all replicas");
    print_line("overlap", l->overlap, "of two replicas");
    print_line("Pr(U=0)", l->prob_minimum, "every replica at a minimum");
    print_line("Pr(one minimum)", l->aligned_minimum, "all replicas at the same one");
    print_line("max Qbar", l->max_probability, "");
    print_line("entropy", l->entropy, "of Qbar, in nats");
    print_line("entropy of P", l->centre_entropy, "in nats");
    printf("\nConstants\n");
    print_line("mu0(N_0)", p->constants.mu0_minima, "");
    print_line("kappa1", p->constants.kappa1, "");
    print_line("log kappa2", p->constants.log_kappa2, "");
    print_line("B'", p->constants.B_prime, "");
}

static void print_chain(const exact *e, const exact_point *p)
{
    static const struct {
        const char *name;
        size_t offset;
        int digits;
    } rows[] = {{"acceptance", offsetof(exact_chain, balance.acceptance), 12},
                {"psi = 1 - lambda_1", offsetof(exact_chain, gap.gap), 12},
                {"  relative error", offsetof(exact_chain, gap.accuracy), 2},
                {"lambda_min", offsetof(exact_chain, gap.lambda_min), 12},
                {"M = beta m_t", offsetof(exact_chain, height), 12},
                {"max |Qbar S - Qbar|", offsetof(exact_chain, balance.stationarity), 2},
                {"detailed balance", offsetof(exact_chain, balance.reversibility), 2}};
    bool any = false;
    for (size_t k = 0; k < EXACT_KERNELS; k++)
        any = any || p->chain[k].done;
    if (!any)
        return;
    printf("\n%-22s", "Chain");
    for (size_t k = 0; k < EXACT_KERNELS; k++)
        if (e->kernels[k])
            printf("  %18s", spn_kernel_name((spn_kernel)k));
    putchar('\n');
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        printf("  %-20s", rows[r].name);
        for (size_t k = 0; k < EXACT_KERNELS; k++) {
            if (!e->kernels[k])
                continue;
            const double value =
                *(const double *)(const void *)((const char *)&p->chain[k] + rows[r].offset);
            if (isnan(value))
                printf("  %18s", "-");
            else
                printf("  %18.*g", rows[r].digits, value);
        }
        putchar('\n');
    }
}

/* The rows of a table that are printed: all, or the first and last of many. */
static bool shows_row(size_t row, size_t rows)
{
    if (rows <= ROWS_SHOWN || row < ROWS_SHOWN / 2 || row + ROWS_SHOWN / 2 >= rows)
        return true;
    if (row == ROWS_SHOWN / 2)
        printf("  ... %zu rows; --json has them all\n", rows - ROWS_SHOWN / 2 * 2);
    return false;
}

static void print_points(const exact *e)
{
    printf("\n%4s %8s %8s  %12s  %12s  %12s  %12s  %12s\n", "y", "beta", "gamma", "log Z'", "E[U]",
           "overlap", "Pr(U=0)", "entropy");
    for (size_t k = 0; k < e->count; k++) {
        const exact_point *p = &e->points[k];
        if (!shows_row(k, e->count))
            continue;
        printf("%4zu %8.4g %8.4g", p->replicas, p->beta, p->gamma);
        const double cells[] = {p->law.log_z_marginal, p->law.mean_energy, p->law.overlap,
                                p->law.prob_minimum, p->law.entropy};
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
            print_cell(cells[c]);
        putchar('\n');
    }
}

/* Acceptance, psi and M of one kernel, a row for each point. */
static void print_kernel(const exact *e, size_t kernel)
{
    bool any = false;
    for (size_t k = 0; k < e->count; k++)
        any = any || e->points[k].chain[kernel].done;
    if (!any)
        return;
    printf("\n%s chain\n%4s %8s %8s  %12s  %12s  %12s  %12s\n", spn_kernel_name((spn_kernel)kernel),
           "y", "beta", "gamma", "acceptance", "psi", "lambda_min", "M");
    for (size_t k = 0; k < e->count; k++) {
        const exact_point *p = &e->points[k];
        const exact_chain *c = &p->chain[kernel];
        if (!shows_row(k, e->count))
            continue;
        printf("%4zu %8.4g %8.4g", p->replicas, p->beta, p->gamma);
        print_cell(c->balance.acceptance);
        print_cell(c->gap.gap);
        print_cell(c->gap.lambda_min);
        print_cell(c->height);
        printf("%s\n", c->gap_done && !c->gap.converged ? "  psi not converged" : "");
    }
}

static void print_fits(const exact *e)
{
    if (e->fit_count > 0)
        printf("\nlog psi against beta: slope (fit), slope (last two), -m, and c <= psi e^(beta m) "
               "<= C\n");
    for (size_t k = 0; k < e->fit_count; k++) {
        const exact_fit *f = &e->fits[k];
        if (shows_row(k, e->fit_count))
            printf("  %-10s y=%zu gamma=%-6g  %9.6f  %9.6f  %4g  %.6g  %.6g\n",
                   spn_kernel_name((spn_kernel)f->kernel), f->replicas, f->gamma, f->fit.slope,
                   f->fit.last_slope, -e->heights.m, f->fit.c, f->fit.C);
    }
}

static void print_dense(const exact *e)
{
    const exact_dense *d = &e->dense;
    if (!d->states)
        return;
    printf("\nDense set D: ");
    if (d->ball)
        printf("the ball of radius %zu around %u, ", d->radius, d->center);
    printf("%zu states, A = %zu of B = %zu minima, share %.6g\n", d->count, d->minima,
           e->landscape->minima_count, (double)d->minima / (double)e->landscape->minima_count);
    if (d->nearest > 0 && d->nearest <= e->landscape->sites)
        printf("minima outside D: every other minimum is at distance %zu or more\n", d->nearest);
    printf("%4s %8s %8s  %12s  %12s  %12s  %12s\n", "y", "beta", "gamma", "Q_beta(D^y)",
           "Q_inf(D^y)", "Q_beta, g=inf", "bound (3.5)");
    for (size_t k = 0; k < e->count; k++) {
        const exact_point *p = &e->points[k];
        if (!shows_row(k, e->count))
            continue;
        printf("%4zu %8.4g %8.4g", p->replicas, p->beta, p->gamma);
        print_cell(p->mass);
        print_cell(p->mass_cold);
        print_cell(p->mass_aligned);
        print_cell(p->mass_bound);
        putchar('\n');
    }
    for (size_t k = 0; e->best && k < e->replicas.count * (e->beta.count + 1); k++) {
        const size_t b = k % (e->beta.count + 1);
        const double beta = b ? e->beta.values[b - 1] : INFINITY;
        if (b == 0 || isfinite(beta))
            printf("largest mass at y = %g, beta = %g: %.8g at gamma = %.6g%s\n",
                   e->replicas.values[k / (e->beta.count + 1)], beta, e->best[k].mass,
                   e->best[k].gamma, e->best[k].refined ? "" : " (of the values given)");
    }
}

/* For each radius: isolated minima, and how many balls hold exactly k minima. */
static void print_density(const exact *e)
{
    const spn_density *d = e->density;
    if (!d)
        return;
    printf("\nDensity: minima whose closed ball of radius R holds exactly k minima, as k:count\n");
    printf("%4s  %9s  %s\n", "R", "isolated", "k:count");
    for (size_t radius = 0; radius <= d->sites; radius++) {
        size_t isolated = 0, left = d->count, shown = 0;
        for (size_t j = 0; j < d->count; j++)
            isolated += spn_density_isolated(d, j, radius);
        printf("%4zu  %9zu ", radius, isolated);
        for (size_t k = 1; left > 0 && shown < BALLS_SHOWN * 3; k++) {
            size_t exactly;
            spn_density_balls(d, radius, k, &exactly, NULL);
            if (exactly > 0) {
                printf(" %zu:%zu", k, exactly);
                shown++;
            }
            left -= exactly;
        }
        printf("%s\n", left > 0 ? " ..." : "");
    }
}

static void print_verdict(const exact_annealing *a)
{
    const exact_verdict *v = &a->verdict;
    if (!v->done)
        return;
    printf("\nTheorem %d, c = %.6g, log kappa = %.6g:\n", v->theorem, v->c, v->log_kappa);
    if (v->met)
        printf("  its condition is met as far as the schedule goes: it falls by at least %.4g at "
               "each stage of the last half.\n",
               v->margin);
    else
        printf("  its condition is NOT met: it rises by up to %.4g at a stage of the last half. "
               "The theorem promises nothing; the chain is cooled too fast.\n",
               -v->margin);
}

static void print_annealing(const exact *e)
{
    const exact_annealing *a = &e->annealing;
    if (!a->asked)
        return;
    printf("\nAnnealed %s chain from state %zu: %s\n", spn_kernel_name(e->first), a->start,
           a->about);
    printf("%6s %10s %8s %12s  %12s  %12s  %12s  %12s\n", "stage", "beta", "gamma", "steps",
           "epsilon_n", "total var.", "condition", "proof bound");
    for (size_t n = 0; n < a->count; n++) {
        if (!shows_row(n, a->count))
            continue;
        const spn_stage *s = &a->stages[n];
        printf("%6zu %10.6g %8.4g %12" PRIu64, n + 1, s->beta, s->gamma, s->steps);
        print_cell(s->epsilon);
        print_cell(s->total_variation);
        print_cell(a->verdict.done ? a->verdict.values[n] : NAN);
        print_cell(a->verdict.done ? exp(a->verdict.bounds[n]) : NAN);
        putchar('\n');
    }
    print_verdict(a);
}

int exact_print_page(const exact *e)
{
    print_landscape(e);
    for (size_t k = 0; k < e->note_count; k++)
        printf("note: %s\n", e->notes[k]);
    if (e->count == 1) {
        print_law(&e->points[0]);
        print_chain(e, &e->points[0]);
    } else {
        print_points(e);
        for (size_t k = 0; k < EXACT_KERNELS; k++)
            print_kernel(e, k);
        print_fits(e);
    }
    print_dense(e);
    print_density(e);
    print_annealing(e);
    if (e->figure != EXACT_FIGURE_NONE)
        exact_print_figure(e);
    printf("\n%.2f s\n", e->seconds);
    return fflush(stdout) ? cli_error(e->values->command, "stdout cannot be written") - 1 : CLI_OK;
}

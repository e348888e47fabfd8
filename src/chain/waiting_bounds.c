/* The acceptance of a flip in a step, and its bounds over an interval of steps.

   With x = exp(-beta dU) and c = exp(dH), the kernels accept min(1, x) min(1, c), min(1, x c), and
   x c / (1 + x c): all grow with x and with c. Over an interval, x lies between its values at the
   ends of beta, and falls as dU grows. c lies between its values at the ends of gamma, since the
   change of log cosh(gamma s) in a flip is monotone in gamma; it falls as the overlap grows, since
   log cosh is convex. */
#include "chain/waiting.h"

#include "core/kernel.h"
#include "core/numeric.h"
#include <assert.h>
#include <math.h>

static bool changes_each_step(const spn_schedule *s)
{
    return spn_schedule_traits_of(s->kind)->changes == SPN_CHANGES_EACH_STEP;
}

/* Intervals end at multiples of a power of two. It is short compared with the schedules, so that
   bounds are close, but long compared with the cost of making them. If nothing changes from step to
   step, it may be long. */
static uint64_t usual_length(const spn_chain *chain, uint64_t steps)
{
    const spn_chain_options *o = &chain->options;
    const uint64_t longest = 65536, unknown = 8192;
    if (!changes_each_step(o->beta) && !changes_each_step(o->gamma))
        return (uint64_t)SPN_WAIT_CHUNK;
    const uint64_t worth = 8 * chain->waiting->classes / chain->streams;
    uint64_t wanted = steps ? steps / 512 : unknown, length = 64;
    wanted = wanted > worth ? wanted : worth;
    while (length < longest && length < wanted)
        length *= 2;
    return length;
}

uint64_t spn_waiting_interval(const spn_chain *chain, uint64_t from)
{
    const spn_chain_options *o = &chain->options;
    const spn_way now = spn_parts_at(&chain->parts, from);
    const uint64_t usual = usual_length(chain, now.steps);
    uint64_t left = usual - from % usual;
    const uint64_t ends[] = {spn_parts_left(&chain->parts, from),
                             spn_schedule_piece_left(o->beta, now.step),
                             spn_schedule_piece_left(o->gamma, now.step)};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        left = ends[k] < left ? ends[k] : left;
    assert(left > 0);
    return from + left;
}

static double factor(double exponent)
{
    return spn_exp(fmax(fmin(exponent, 300), -300)); /* products of two stay finite */
}

static double accepted(spn_kernel kernel, double x, double c)
{
    const spn_kernel_traits *traits = spn_kernel_traits_of(kernel);
    return traits->two_stage ? spn_threshold_share_of(traits->threshold, fmin(1, x) * fmin(1, c))
                             : spn_threshold_share_of(traits->threshold, x * c);
}

static double energy_factor(const spn_waiting *w, double beta, int64_t gain)
{
    return factor(-beta * ((double)gain * w->graph.unit));
}

static double coupling_factor(const spn_chain *chain, double gamma, int overlap)
{
    return factor(chain->centre ? -2 * gamma * overlap : spn_coupling_change(gamma, overlap, 1));
}

static double value_at(const spn_schedule *s, const spn_chain *chain, uint64_t step)
{
    const spn_way at = spn_parts_at(&chain->parts, step);
    return spn_schedule_value(s, at.step, at.steps, chain->waiting->counted, chain->replicas);
}

uint64_t spn_waiting_rate(const spn_chain *chain, uint64_t step, int64_t gain, int overlap)
{
    const spn_waiting *w = chain->waiting;
    const double x = energy_factor(w, value_at(chain->options.beta, chain, step), gain);
    const double c =
        w->groups == 1
            ? 1
            : coupling_factor(chain, value_at(chain->options.gamma, chain, step), overlap);
    return (uint64_t)(accepted(chain->options.kernel, x, c) * (double)w->one);
}

typedef struct extremes {
    double most, least;
} extremes;

static extremes of_ends(double a, double b, double c, double d)
{
    return (extremes){fmax(fmax(a, b), fmax(c, d)), fmin(fmin(a, b), fmin(c, d))};
}

static extremes energy_extremes(const spn_waiting *w, const double beta[2], size_t level)
{
    const spn_wait_range g = spn_waiting_gains(w, level);
    const double low = energy_factor(w, beta[0], g.low);
    if (beta[0] == beta[1] && g.low == g.high)
        return (extremes){low, low};
    return of_ends(low, energy_factor(w, beta[1], g.low), energy_factor(w, beta[0], g.high),
                   energy_factor(w, beta[1], g.high));
}

static extremes coupling_extremes(const spn_chain *chain, const double gamma[2], size_t group)
{
    const spn_waiting *w = chain->waiting;
    const int low = (int)w->overlaps[group].low, high = (int)w->overlaps[group].high;
    if (w->groups == 1)
        return (extremes){1, 1};
    return of_ends(coupling_factor(chain, gamma[0], low), coupling_factor(chain, gamma[1], low),
                   coupling_factor(chain, gamma[0], high), coupling_factor(chain, gamma[1], high));
}

/* The slack covers rounding, which must not put a rate above its bound. */
static void set_class(spn_waiting *w, spn_kernel kernel, size_t class, extremes x, extremes c)
{
    const double slack = 1e-9, one = (double)w->one;
    const double most = accepted(kernel, x.most, c.most),
                 least = accepted(kernel, x.least, c.least);
    const bool exact = x.most == x.least && c.most == c.least;
    w->bound[class] = exact ? (uint64_t)(most * one) : (uint64_t)(most * (1 + slack) * one) + 1;
    w->sure[class] = exact ? w->bound[class] : (uint64_t)(least * (1 - slack) * one);
    if (w->bound[class] > w->one)
        w->bound[class] = w->one;
}

static uint64_t mass_of(const spn_waiting *w, size_t a)
{
    uint64_t mass = 0;
    for (size_t c = 0; c < w->classes; c++)
        mass += w->bound[c] * w->list[a * w->classes + c].count;
    return mass;
}

void spn_waiting_bound(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    const spn_chain_options *o = &chain->options;
    const uint64_t first = w->clock.from, last = w->clock.until - 1;
    const double beta[2] = {value_at(o->beta, chain, first), value_at(o->beta, chain, last)};
    const double gamma[2] = {value_at(o->gamma, chain, first), value_at(o->gamma, chain, last)};
    extremes coupling[SPN_WAIT_GROUPS];
    assert(w->built && first <= last);
    for (size_t g = 0; g < w->groups; g++)
        coupling[g] = coupling_extremes(chain, gamma, g);
    for (size_t level = 0; level < w->levels; level++) {
        const extremes energy = energy_extremes(w, beta, level);
        for (size_t g = 0; g < w->groups; g++)
            set_class(w, o->kernel, level * w->groups + g, energy, coupling[g]);
    }
    for (size_t a = 0; a < chain->replicas; a++)
        w->mass[a] = mass_of(w, a);
    w->bounded = true;
}

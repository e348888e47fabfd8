/* spinney exact: the results as one JSON object. A quantity that depends on (y, beta, gamma) is a
   number, or, for each of the three that was given as a list or a range, an array: replicas
   outside, then beta, then gamma. What was left out is null. */
#include "cli/exact.h"

#include "cli/problem.h"
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>

enum { MINIMA_MOST = 65536 };

/* A number of each point, by its place. */
typedef struct field {
    const char *key;
    size_t offset;
} field;

#define AT(member) offsetof(exact_point, member)

static const field FIELDS[] = {
    {"logZ", AT(law.log_z)},
    {"logZ_marginal", AT(law.log_z_marginal)},
    {"log_Gamma", AT(constants.log_gamma)},
    {"mean_U", AT(law.mean_energy)},
    {"overlap", AT(law.overlap)},
    {"prob_U0", AT(law.prob_minimum)},
    {"max_Q", AT(law.max_probability)},
    {"aligned_U0", AT(law.aligned_minimum)},
    {"entropy", AT(law.entropy)},
    {"entropy_P", AT(law.centre_entropy)},
    {"mu0_N0", AT(constants.mu0_minima)},
    {"kappa1", AT(constants.kappa1)},
    {"log_kappa1", AT(constants.log_kappa1)},
    {"log_kappa2", AT(constants.log_kappa2)},
    {"log_kappa2_bound", AT(constants.log_kappa2_bound)},
    {"B_prime", AT(constants.B_prime)},
    {"acceptance_two_stage", AT(chain[0].balance.acceptance)},
    {"acceptance_one_stage", AT(chain[1].balance.acceptance)},
    {"acceptance_heat_bath", AT(chain[2].balance.acceptance)},
    {"gap_two_stage", AT(chain[0].gap.gap)},
    {"gap_one_stage", AT(chain[1].gap.gap)},
    {"gap_heat_bath", AT(chain[2].gap.gap)},
    {"gap_accuracy_two_stage", AT(chain[0].gap.accuracy)},
    {"gap_accuracy_one_stage", AT(chain[1].gap.accuracy)},
    {"gap_accuracy_heat_bath", AT(chain[2].gap.accuracy)},
    {"lambda_min_two_stage", AT(chain[0].gap.lambda_min)},
    {"lambda_min_one_stage", AT(chain[1].gap.lambda_min)},
    {"lambda_min_heat_bath", AT(chain[2].gap.lambda_min)},
    {"M_two_stage", AT(chain[0].height)},
    {"M_one_stage", AT(chain[1].height)},
    {"M_heat_bath", AT(chain[2].height)},
    {"stationarity_two_stage", AT(chain[0].balance.stationarity)},
    {"stationarity_one_stage", AT(chain[1].balance.stationarity)},
    {"reversibility_two_stage", AT(chain[0].balance.reversibility)},
    {"reversibility_one_stage", AT(chain[1].balance.reversibility)},
    {"dense_mass", AT(mass)},
    {"dense_mass_infinity", AT(mass_cold)},
    {"dense_mass_gamma_infinity", AT(mass_aligned)},
    {"dense_mass_marginal", AT(marginal_mass)},
    {"dense_mass_bound", AT(mass_bound)},
};

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reals(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(array, real(values[k]));
    return array;
}

static json_t *states_json(const uint32_t *states, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(array, json_integer(states[k]));
    return array;
}

typedef json_t *point_json(const exact *e, const exact_point *point, const void *context);

static json_t *field_json(const exact *e, const exact_point *point, const void *context)
{
    (void)e;
    const field *f = context;
    return real(*(const double *)(const void *)((const char *)point + f->offset));
}

static json_t *phi_json(const exact *e, const exact_point *point, const void *context)
{
    (void)context;
    return point->phi ? reals(point->phi, e->landscape->states) : json_null();
}

static json_t *centre_json(const exact *e, const exact_point *point, const void *context)
{
    (void)context;
    return point->P ? reals(point->P, e->landscape->states) : json_null();
}

/* The point's value, in an array for each list. */
static json_t *nested(const exact *e, point_json *make, const void *context)
{
    json_t *outer = json_array();
    for (size_t y = 0; y < e->replicas.count; y++) {
        json_t *middle = json_array();
        for (size_t b = 0; b < e->beta.count; b++) {
            json_t *inner = json_array();
            for (size_t g = 0; g < e->gamma.count; g++)
                json_array_append_new(inner, make(e, exact_at(e, y, b, g), context));
            json_array_append_new(middle, inner);
        }
        json_array_append_new(outer, middle);
    }
    return outer;
}

/* Take away the levels of an array whose option was one value. */
static json_t *flattened(json_t *array, const bool *lists, size_t levels)
{
    if (levels == 0)
        return array;
    if (!lists[0]) {
        json_t *only = json_incref(json_array_get(array, 0));
        json_decref(array);
        return flattened(only, lists + 1, levels - 1);
    }
    json_t *out = json_array();
    for (size_t k = 0; k < json_array_size(array); k++)
        json_array_append_new(
            out, flattened(json_incref(json_array_get(array, k)), lists + 1, levels - 1));
    json_decref(array);
    return out;
}

static json_t *shaped(const exact *e, point_json *make, const void *context)
{
    const bool lists[3] = {e->replicas.list, e->beta.list, e->gamma.list};
    return flattened(nested(e, make, context), lists, 3);
}

static json_t *axis_value(double value, bool whole)
{
    if (whole)
        return json_integer((json_int_t)value);
    return isinf(value) ? json_string("inf") : json_real(value);
}

static json_t *axis_json(const cli_axis *axis, bool whole)
{
    if (!axis->list)
        return axis_value(axis->values[0], whole);
    json_t *array = json_array();
    for (size_t k = 0; k < axis->count; k++)
        json_array_append_new(array, axis_value(axis->values[k], whole));
    return array;
}

static json_t *fits_json(const exact *e)
{
    json_t *array = json_array();
    for (size_t k = 0; k < e->fit_count; k++) {
        const exact_fit *f = &e->fits[k];
        json_array_append_new(array, json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:f}", "kernel",
                                               spn_kernel_name((spn_kernel)f->kernel), "y",
                                               (int)f->replicas, "gamma", f->gamma, "slope",
                                               f->fit.slope, "last_slope", f->fit.last_slope, "c",
                                               f->fit.c, "C", f->fit.C));
    }
    return array;
}

static json_t *best_json(const exact *e)
{
    json_t *array = json_array();
    for (size_t y = 0; e->best && y < e->replicas.count; y++)
        for (size_t b = 0; b <= e->beta.count; b++) {
            const exact_best *best = &e->best[y * (e->beta.count + 1) + b];
            if (b > 0 && isinf(e->beta.values[b - 1]))
                continue; /* that is the first one */
            json_t *beta = axis_value(b ? e->beta.values[b - 1] : INFINITY, false);
            json_array_append_new(array, json_pack("{s:i, s:o, s:f, s:f}", "y",
                                                   (int)e->replicas.values[y], "beta", beta,
                                                   "gamma", best->gamma, "mass", best->mass));
        }
    return array;
}

/* For every radius the number of minima whose ball holds k minima, for the k that occur. */
static json_t *balls_json(const spn_density *d)
{
    json_t *array = json_array();
    for (size_t radius = 0; radius <= d->sites; radius++) {
        size_t left = d->count;
        for (size_t k = 1; left > 0; k++) {
            size_t exactly, at_least;
            spn_density_balls(d, radius, k, &exactly, &at_least);
            if (exactly > 0)
                json_array_append_new(array,
                                      json_pack("{s:I, s:I, s:I, s:I}", "R", (json_int_t)radius,
                                                "k", (json_int_t)k, "exactly", (json_int_t)exactly,
                                                "at_least", (json_int_t)at_least));
            left -= exactly;
        }
    }
    return array;
}

static json_t *density_json(const spn_density *d)
{
    if (!d)
        return json_null();
    json_t *within = json_array(), *isolated = json_array();
    for (size_t j = 0; j < d->count; j++)
        json_array_append_new(within, states_json(d->within + j * (d->sites + 1), d->sites + 1));
    for (size_t radius = 0; radius <= d->sites; radius++) {
        json_int_t count = 0;
        for (size_t j = 0; j < d->count; j++)
            count += spn_density_isolated(d, j, radius);
        json_array_append_new(isolated, json_integer(count));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "within", within, "nearest",
                     states_json(d->nearest, d->count), "isolated", isolated, "balls",
                     balls_json(d));
}

static json_t *verdict_json(const exact_annealing *a)
{
    const exact_verdict *v = &a->verdict;
    if (!v->done)
        return json_null();
    return json_pack("{s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "theorem", v->theorem, "met", v->met,
                     "c", real(v->c), "log_kappa", real(v->log_kappa), "margin", real(v->margin),
                     "values", reals(v->values, a->count), "log_bound", reals(v->bounds, a->count));
}

static json_t *annealing_json(const exact *e)
{
    const exact_annealing *a = &e->annealing;
    if (!a->asked)
        return json_null();
    json_t *out = json_object(), *beta = json_array(), *gamma = json_array();
    json_t *steps = json_array(), *epsilon = json_array(), *variation = json_array();
    for (size_t n = 0; n < a->count; n++) {
        json_array_append_new(beta, real(a->stages[n].beta));
        json_array_append_new(gamma, real(a->stages[n].gamma));
        json_array_append_new(steps, json_integer((json_int_t)a->stages[n].steps));
        json_array_append_new(epsilon, real(a->stages[n].epsilon));
        json_array_append_new(variation, real(a->stages[n].total_variation));
    }
    json_object_set_new(out, "kernel", json_string(spn_kernel_name(e->first)));
    json_object_set_new(out, "start", json_integer((json_int_t)a->start));
    json_object_set_new(out, "beta", beta);
    json_object_set_new(out, "gamma", gamma);
    json_object_set_new(out, "steps", steps);
    json_object_set_new(out, "epsilon", epsilon);
    json_object_set_new(out, "total_variation", variation);
    json_object_set_new(out, "condition", verdict_json(a));
    return out;
}

static void set_landscape(json_t *root, const exact *e)
{
    const spn_landscape *l = e->landscape;
    const double share = (double)e->dense.minima / (double)l->minima_count;
    json_object_set_new(root, "N", json_integer((json_int_t)l->sites));
    json_object_set_new(root, "y", axis_json(&e->replicas, true));
    json_object_set_new(root, "beta", axis_json(&e->beta, false));
    json_object_set_new(root, "gamma", axis_json(&e->gamma, false));
    json_object_set_new(root, "E_min", real(l->minimum));
    json_object_set_new(root, "E_max", real(l->maximum));
    json_object_set_new(root, "minima_count", json_integer((json_int_t)l->minima_count));
    json_object_set_new(root, "minima",
                        l->minima_count <= MINIMA_MOST ? states_json(l->minima, l->minima_count)
                                                       : json_null());
    json_object_set_new(root, "B", real(l->step));
    json_object_set_new(root, "m", real(e->heights.m));
    json_object_set_new(root, "d_star", real(e->heights.d_star));
    json_object_set_new(root, "share", real(e->dense.states ? share : NAN));
    json_object_set_new(root, "dense_minima",
                        e->dense.states ? json_integer((json_int_t)e->dense.minima) : json_null());
}

static void set_rest(json_t *root, const exact *e)
{
    json_t *notes = json_array(), *settings = json_object();
    for (size_t k = 0; k < e->note_count; k++)
        json_array_append_new(notes, json_string(e->notes[k]));
    cli_describe_energy(settings, e->values, e->landscape->sites);
    json_object_set_new(root, "slopes", fits_json(e));
    json_object_set_new(root, "dense_best", best_json(e));
    json_object_set_new(root, "density", density_json(e->density));
    json_object_set_new(root, "annealing", annealing_json(e));
    json_object_set_new(root, "notes", notes);
    json_object_set_new(root, "settings", settings);
    json_object_set_new(root, "version", json_string(SPN_VERSION));
    json_object_set_new(root, "seconds", json_real(e->seconds));
}

int exact_print_json(const exact *e)
{
    json_t *root = json_object();
    set_landscape(root, e);
    for (size_t k = 0; k < sizeof FIELDS / sizeof FIELDS[0]; k++)
        json_object_set_new(root, FIELDS[k].key, shaped(e, field_json, &FIELDS[k]));
    if (e->landscape->sites <= EXACT_PHI_SITES) {
        json_object_set_new(root, "phi", shaped(e, phi_json, NULL));
        json_object_set_new(root, "P", shaped(e, centre_json, NULL));
    }
    set_rest(root, e);
    int failed = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(root);
    failed |= fflush(stdout) != 0;
    return failed ? cli_error(e->values->command, "stdout cannot be written") - 1 : CLI_OK;
}

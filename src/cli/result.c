/* The result of an annealing run. */
#include "cli/result.h"

#include "cli/problem.h"
#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>

/* The energy of the majority state; NAN when there is no memory for it. */
static double centre_energy(const cli_result *result)
{
    int8_t *centre = malloc(result->state.sites);
    if (!centre)
        return NAN;
    spn_snapshot_centre(&result->state, centre);
    double value = spn_energy_value(result->energy, centre);
    free(centre);
    return value;
}

static json_t *reals(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(array, json_real(values[k]));
    return array;
}

static json_t *counts(const uint64_t *values, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(array, json_integer((json_int_t)values[k]));
    return array;
}

static json_t *schedule_json(const spn_schedule *schedule)
{
    char text[160];
    spn_schedule_describe(schedule, text, sizeof text);
    return json_string(text);
}

/* The text of an option as it was given, or null. */
static json_t *text_json(const cli_result *result, const char *name)
{
    const char *text = cli_text(result->values, name);
    return text ? json_string(text) : json_null();
}

static json_t *settings_json(const cli_result *result)
{
    const spn_chain_options *o = result->options;
    json_t *settings = json_object();
    cli_describe_energy(settings, result->values, spn_energy_sites(result->energy));
    json_object_set_new(settings, "replicas", json_integer((json_int_t)o->replicas));
    json_object_set_new(settings, "beta", schedule_json(o->beta));
    json_object_set_new(settings, "schedule", text_json(result, "schedule"));
    json_object_set_new(settings, "gamma", schedule_json(o->gamma));
    json_object_set_new(settings, "gamma_schedule", text_json(result, "gamma-schedule"));
    json_object_set_new(settings, "steps", json_integer((json_int_t)o->steps));
    json_object_set_new(settings, "kernel", json_string(spn_kernel_name(o->kernel)));
    json_object_set_new(settings, "order", json_string(spn_order_name(o->order)));
    json_object_set_new(settings, "init", text_json(result, "init"));
    json_object_set_new(settings, "seed", json_integer((json_int_t)o->seed));
    json_object_set_new(settings, "threads", json_integer((json_int_t)o->threads));
    json_object_set_new(settings, "target", o->target ? json_real(o->target_energy) : json_null());
    json_object_set_new(settings, "target_by", text_json(result, "target-by"));
    json_object_set_new(settings, "patience",
                        o->patience ? json_integer((json_int_t)o->patience) : json_null());
    json_object_set_new(settings, "time", o->seconds > 0 ? json_real(o->seconds) : json_null());
    json_object_set_new(settings, "trace", text_json(result, "trace"));
    json_object_set_new(settings, "trace_every",
                        result->trace_every ? json_integer((json_int_t)result->trace_every)
                                            : json_null());
    json_object_set_new(settings, "out", text_json(result, "out"));
    return settings;
}

int cli_result_json(const cli_result *result)
{
    const spn_snapshot *s = &result->state;
    json_t *root = json_object();
    json_object_set_new(root, "energy", reals(s->energy, s->replicas));
    json_object_set_new(root, "best_energy", reals(s->best_energy, s->replicas));
    json_object_set_new(root, "centre_energy", json_real(centre_energy(result)));
    json_object_set_new(root, "accepted", counts(s->accepted, s->replicas));
    json_object_set_new(root, "proposals", counts(s->proposals, s->replicas));
    json_object_set_new(root, "overlap", json_real(spn_snapshot_overlap(s)));
    json_object_set_new(root, "steps", json_integer((json_int_t)s->step));
    json_object_set_new(root, "stop", json_string(spn_stop_name(result->stop)));
    json_object_set_new(root, "seconds", json_real(result->seconds));
    json_object_set_new(root, "seed", json_integer((json_int_t)result->options->seed));
    json_object_set_new(root, "version", json_string(SPN_VERSION));
    json_object_set_new(root, "settings", settings_json(result));
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(root);
    return cli_flush(result->values->command);
}

static const char *explain(const cli_result *result)
{
    switch (result->stop) {
    case SPN_STOP_TARGET:
        return result->options->target == SPN_TARGET_ALL ? "all replicas reached the target"
                                                         : "a replica reached the target";
    case SPN_STOP_PATIENCE:
        return "no new best energy for as long as --patience allows";
    case SPN_STOP_TIME:
        return "the time is up";
    case SPN_STOP_REQUEST:
        return "interrupted; these are the results so far";
    case SPN_STOP_STEPS:
    case SPN_STOP_NONE:
        break;
    }
    return "all steps done";
}

int cli_result_text(const cli_result *result)
{
    const spn_snapshot *s = &result->state;
    const spn_chain_options *o = result->options;
    char beta[160], gamma[160];
    uint64_t proposals = 0;
    for (size_t a = 0; a < s->replicas; a++)
        proposals += s->proposals[a];
    spn_schedule_describe(o->beta, beta, sizeof beta);
    spn_schedule_describe(o->gamma, gamma, sizeof gamma);
    printf("%s: N = %zu, y = %zu, %s kernel, %s order, seed %" PRIu64 "\n",
           spn_energy_name(result->energy), s->sites, s->replicas, spn_kernel_name(o->kernel),
           spn_order_name(o->order), o->seed);
    printf("beta:  %s (now %.6g)\ngamma: %s (now %.6g)\n", beta, s->beta, gamma, s->gamma);
    printf("%s: %" PRIu64 " steps, %" PRIu64 " proposals in %.2f s (%.3g per second)\n\n",
           explain(result), s->step, proposals, result->seconds,
           (double)proposals / (result->seconds > 0 ? result->seconds : 1e-9));
    printf("replica      energy        best    accepted  of proposals\n");
    for (size_t a = 0; a < s->replicas; a++)
        printf("%7zu  %10.10g  %10.10g  %10" PRIu64 "  %11.2f%%\n", a + 1, s->energy[a],
               s->best_energy[a], s->accepted[a],
               s->proposals[a] ? 100 * (double)s->accepted[a] / (double)s->proposals[a] : 0.0);
    if (s->replicas > 1)
        printf("\ncentre (majority of the replicas): energy %.10g; mean overlap %.4f\n",
               centre_energy(result), spn_snapshot_overlap(s));
    return cli_flush(result->values->command);
}

spn_status cli_result_save(const cli_result *result, spn_states_writer *writer, spn_error *err)
{
    const spn_snapshot *s = &result->state;
    for (size_t a = 0; a < s->replicas; a++) {
        char comment[96];
        snprintf(comment, sizeof comment, "replica %zu, energy %.17g", a + 1, s->best_energy[a]);
        spn_states_add(writer, s->best_spins + a * s->sites, s->sites, comment);
    }
    return spn_states_finish(writer, err);
}

/* What came of a training, as text and as JSON. */
#include "cli/model.h"
#include "cli/train.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>

/* ---- JSON ---- */

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* The fields of a score, into an object; a centre has no flips of its own. */
static void set_score(json_t *object, const xpn_train_score *score)
{
    json_object_set_new(object, "train_loss", real_or_null(score->train_loss));
    json_object_set_new(object, "train_accuracy", real_or_null(score->train_accuracy));
    if (isfinite(score->validation_loss)) {
        json_object_set_new(object, "validation_loss", json_real(score->validation_loss));
        json_object_set_new(object, "validation_accuracy", json_real(score->validation_accuracy));
    }
    json_object_set_new(object, "test_loss", real_or_null(score->test_loss));
    json_object_set_new(object, "test_accuracy", real_or_null(score->test_accuracy));
    if (isfinite(score->active))
        json_object_set_new(object, "active_per_replica", json_real(score->active));
}

static json_t *replicas_json(const xpn_train_result *result)
{
    json_t *array = json_array();
    for (size_t a = 0; a < result->replicas; a++) {
        json_t *one = json_object();
        set_score(one, &result->replica[a]);
        json_array_append_new(array, one);
    }
    return array;
}

static json_t *best_json(const xpn_train_result *result)
{
    json_t *best = json_object();
    json_object_set_new(best, "replica", json_integer((json_int_t)result->best + 1));
    set_score(best, &result->replica[result->best]);
    return best;
}

/* The settings as the model records them, and those that leave the model as it is. */
static json_t *settings_json(const cli_values *values, const xpn_train_options *options,
                             const xpn_train_result *result)
{
    json_t *manifest = json_loads(spn_model_manifest(result->model), 0, NULL);
    json_t *settings = json_incref(json_object_get(manifest, "settings"));
    json_decref(manifest);
    if (!settings)
        settings = json_object();
    json_object_set_new(settings, "threads", json_integer((json_int_t)options->chain.threads));
    json_object_set_new(settings, "checkpoint", text_or_null(options->checkpoint));
    json_object_set_new(settings, "trace", text_or_null(cli_text(values, "trace")));
    return settings;
}

int cli_train_json(const cli_values *values, const xpn_train_options *options,
                   const xpn_train_result *result)
{
    json_t *root = json_object(), *centre = json_object();
    set_score(root, &result->mean);
    set_score(centre, &result->centre);
    json_object_set_new(root, "replicas", replicas_json(result));
    json_object_set_new(root, "centre", centre);
    json_object_set_new(root, "best", best_json(result));
    json_object_set_new(root, "overlap", json_real(result->overlap));
    json_object_set_new(root, "steps", json_integer((json_int_t)result->step));
    json_object_set_new(root, "resumed_step", json_integer((json_int_t)result->resumed_step));
    json_object_set_new(root, "stop", json_string(spn_stop_name(result->stop)));
    json_object_set_new(root, "seconds", json_real(result->seconds));
    json_object_set_new(root, "seed", json_integer((json_int_t)options->chain.seed));
    json_object_set_new(root, "version", json_string(SPN_VERSION));
    json_object_set_new(root, "model", text_or_null(cli_text(values, "out")));
    json_object_set_new(root, "settings", settings_json(values, options, result));
    return cli_print_json(values, root);
}

/* ---- text ---- */

static void print_part(double loss, double accuracy)
{
    if (isfinite(loss))
        printf("  %8.4f  %7.2f%%", loss, 100 * accuracy);
}

static void print_row(const char *name, const xpn_train_score *score)
{
    printf("%-12s", name);
    print_part(score->train_loss, score->train_accuracy);
    print_part(score->validation_loss, score->validation_accuracy);
    print_part(score->test_loss, score->test_accuracy);
    if (isfinite(score->active))
        printf("  %12.0f", score->active);
    putchar('\n');
}

static void print_table(const xpn_train_result *result)
{
    printf("%-12s  %8s  %8s", "", "train", "right");
    if (result->validation_samples)
        printf("  %8s  %8s", "valid.", "right");
    if (result->test_samples)
        printf("  %8s  %8s", "test", "right");
    printf("  %12s\n", "active");
    for (size_t a = 0; a < result->replicas; a++) {
        char name[40];
        snprintf(name, sizeof name, "replica %zu%s", a + 1,
                 a == result->best && result->replicas > 1 ? " *" : "");
        print_row(name, &result->replica[a]);
    }
    if (result->replicas == 1)
        return;
    print_row("mean", &result->mean);
    print_row("centre", &result->centre);
    printf("* the lowest training loss; centre: the majority of the replicas; mean overlap %.4f\n",
           result->overlap);
}

int cli_train_text(const cli_values *values, const xpn_train_options *options,
                   const xpn_train_result *result)
{
    const spn_chain_options *chain = &options->chain;
    const spn_model *model = result->model;
    const char *out = cli_text(values, "out");
    char beta[160], gamma[160];
    spn_schedule_describe(chain->beta, beta, sizeof beta);
    spn_schedule_describe(chain->gamma, gamma, sizeof gamma);
    printf("%s: %zu samples of %zu features", cli_text(values, "data"), result->train_samples,
           spn_model_features(model));
    if (result->validation_samples)
        printf(", %zu to validate", result->validation_samples);
    if (result->test_samples)
        printf(", %zu to test", result->test_samples);
    printf("; %u classes: %zu weights of one bit\n", (unsigned)spn_model_classes(model),
           spn_model_classes(model) * spn_model_features(model));
    printf("%s: y = %zu, beta %s, gamma %s, logit scale %g, %s kernel, seed %" PRIu64 "\n",
           options->preset, chain->replicas, beta, gamma, spn_model_logit_scale(model),
           spn_kernel_name(chain->kernel), chain->seed);
    if (result->resumed_step)
        printf("went on from step %" PRIu64 "\n", result->resumed_step);
    printf("%" PRIu64 " steps, %" PRIu64 " proposals in %.2f s (%.3g per second)\n\n", result->step,
           result->proposals, result->seconds,
           (double)result->proposals / (result->seconds > 0 ? result->seconds : 1e-9));
    print_table(result);
    if (out)
        printf("The model is in %s.\n", out);
    else
        printf("The model was not kept: give --out FILE.\n");
    return cli_flush(values->command);
}

/* Models in the commands that use one. */
#include "cli/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

int cli_model_load(cli_model *out, const cli_values *values, const char *path)
{
    spn_error err = {0};
    *out = (cli_model){.path = path};
    if (spn_model_read(&out->model, path, &err))
        return cli_fail(values, &err);
    const spn_model *m = out->model;
    out->centre = malloc(spn_model_sites(m));
    if (!out->centre) {
        cli_error(values->command, "%s: out of memory", path);
        return CLI_FAILED;
    }
    spn_model_centre(m, out->centre);
    out->train_loss = spn_model_train_losses(m);
    out->best = spn_model_best(m);
    return CLI_OK;
}

void cli_model_free(cli_model *model)
{
    spn_model_free(model->model);
    free(model->centre);
}

/* ---- choosing ---- */

static void pick_replica(cli_pick *out, const cli_model *model, size_t replica, bool as_best)
{
    const char *why = "";
    if (as_best && model->train_loss && spn_model_replicas(model->model) > 1)
        why = ", the best by its loss in training";
    else if (as_best && spn_model_replicas(model->model) > 1)
        why = ", as the model does not say which one was best in training";
    *out = (cli_pick){.weights = spn_model_replica(model->model, replica), .count = 1};
    snprintf(out->name, sizeof out->name, "replica %zu%s", replica + 1, why);
    snprintf(out->key, sizeof out->key, "replica %zu", replica + 1);
}

/* All replicas, which vote if that is chosen. */
static int pick_all(cli_pick *out, const cli_model *model, const cli_values *values, bool vote)
{
    const spn_model *m = model->model;
    if (vote && spn_model_hidden(m) == 0)
        return cli_error(values->command,
                         "--replica: only networks vote, and this model is linear; choose best, "
                         "centre, or a number");
    *out = (cli_pick){.weights = spn_model_weights(m),
                      .count = spn_model_replicas(m),
                      .vote = vote,
                      .name = "all replicas",
                      .key = "all"};
    if (vote) {
        snprintf(out->name, sizeof out->name, "the vote of %zu replicas", out->count);
        snprintf(out->key, sizeof out->key, "vote");
    }
    return CLI_OK;
}

int cli_model_pick(cli_pick *out, const cli_model *model, const cli_values *values,
                   unsigned allowed)
{
    const char *text = cli_text(values, "replica");
    const bool all = allowed & CLI_PICK_ALL, vote = allowed & CLI_PICK_VOTE;
    const spn_setting number = {.name = "replica",
                                .kind = SPN_SETTING_WHOLE,
                                .least = 1,
                                .most = (double)spn_model_replicas(model->model)};
    uint64_t chosen;
    spn_error err = {0};
    if ((all && strcmp(text, "all") == 0) || (vote && strcmp(text, "vote") == 0))
        return pick_all(out, model, values, strcmp(text, "vote") == 0);
    if (strcmp(text, "best") == 0) {
        pick_replica(out, model, model->best, true);
    } else if (strcmp(text, "centre") == 0) {
        *out = (cli_pick){.weights = model->centre,
                          .count = 1,
                          .name = "the centre, the majority of the replicas",
                          .key = "centre"};
    } else if (strspn(text, "0123456789") != strlen(text) || !*text) {
        return cli_error(values->command, "--replica: '%s' is not best, centre, %s%sor a number",
                         text, all ? "all " : "",
                         vote && spn_model_hidden(model->model) ? "vote, " : "");
    } else {
        if (spn_setting_read(&chosen, &number, text, &err))
            return cli_fail(values, &err);
        pick_replica(out, model, (size_t)chosen - 1, false);
    }
    return CLI_OK;
}

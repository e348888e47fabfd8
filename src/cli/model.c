/* Load a model and choose a replica, for the commands that use one. */
#include "cli/model.h"

#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_model_free(cli_model *model)
{
    spn_model_free(model->model);
    free(model->weights);
}

static int make_room(cli_model *model, const cli_values *values)
{
    model->weights = spn_alloc(model->count, spn_model_sites(model->model));
    if (model->weights)
        return CLI_OK;
    cli_error(values->command, "%s: out of memory", model->path);
    return CLI_FAILED;
}

int cli_model_unpack(cli_model *model, const cli_values *values)
{
    if (model->weights)
        return CLI_OK;
    const int status = make_room(model, values);
    if (!status)
        spn_model_unpack(model->weights, model->model, model->first, model->count);
    return status;
}

static void pick_replica(cli_model *model, size_t replica, bool as_best)
{
    const spn_model *m = model->model;
    const char *why = "";
    if (as_best && spn_model_replicas(m) > 1)
        why = spn_model_train_losses(m)
                  ? ", the best by its loss in training"
                  : ", as the model does not say which one was best in training";
    model->first = replica;
    snprintf(model->name, sizeof model->name, "replica %zu%s", replica + 1, why);
    snprintf(model->key, sizeof model->key, "replica %zu", replica + 1);
}

static int pick_centre(cli_model *model, const cli_values *values)
{
    if (make_room(model, values))
        return CLI_FAILED;
    spn_model_centre(model->model, model->weights);
    strcpy(model->name, "the centre, the majority of the replicas");
    strcpy(model->key, "centre");
    return CLI_OK;
}

static int pick_all(cli_model *model, const cli_values *values, bool vote)
{
    if (vote && spn_model_hidden(model->model) == 0)
        return cli_error(values->command,
                         "--replica: only networks vote, and this model is linear; choose best, "
                         "centre, or a number");
    model->count = spn_model_replicas(model->model);
    model->vote = vote;
    strcpy(model->name, "all replicas");
    if (vote)
        snprintf(model->name, sizeof model->name, "the vote of %zu replicas", model->count);
    strcpy(model->key, vote ? "vote" : "all");
    return CLI_OK;
}

static int pick(cli_model *model, const cli_values *values, unsigned allowed)
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
        return pick_all(model, values, strcmp(text, "vote") == 0);
    if (strcmp(text, "centre") == 0)
        return pick_centre(model, values);
    if (strcmp(text, "best") == 0) {
        pick_replica(model, spn_model_best(model->model), true);
        return CLI_OK;
    }
    if (strspn(text, "0123456789") != strlen(text) || !*text)
        return cli_error(values->command, "--replica: '%s' is not best, centre, %s%sor a number",
                         text, all ? "all " : "",
                         vote && spn_model_hidden(model->model) ? "vote, " : "");
    if (spn_setting_read(&chosen, &number, text, &err))
        return cli_fail(values, &err);
    pick_replica(model, (size_t)chosen - 1, false);
    return CLI_OK;
}

int cli_model_open(cli_model *out, const cli_values *values, unsigned allowed)
{
    spn_error err = {0};
    *out = (cli_model){.path = values->arguments[0], .count = 1};
    return spn_model_read(&out->model, out->path, &err) ? cli_fail(values, &err)
                                                        : pick(out, values, allowed);
}

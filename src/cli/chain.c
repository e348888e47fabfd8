/* What the commands that run a chain share: its options and its start. */
#include "cli/chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static int read_schedules(spn_chain_options *o, const cli_values *values)
{
    spn_error err = {0};
    spn_schedule *beta, *gamma;
    spn_status status =
        spn_schedule_parse(&beta, cli_text(values, "beta"), cli_text(values, "schedule"), &err);
    o->beta = beta;
    if (status)
        return cli_error(values->command, "--beta, --schedule: %s", err.text);
    status = spn_schedule_parse(&gamma, cli_text(values, "gamma"),
                                cli_text(values, "gamma-schedule"), &err);
    o->gamma = gamma;
    if (status)
        return cli_error(values->command, "--gamma, --gamma-schedule: %s", err.text);
    uint64_t length = spn_schedule_length(o->beta);
    o->steps = length ? length : 300000;
    bool ask = cli_given(values, "steps") || (!length && cli_text(values, "steps"));
    if (ask && !cli_whole(&o->steps, values, "steps", 1, INT64_MAX))
        return CLI_USAGE;
    if (spn_schedule_check(o->beta, "--beta", true, o->steps, &err) ||
        spn_schedule_check(o->gamma, "--gamma", false, o->steps, &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

void cli_chain_clear(spn_chain_options *o)
{
    spn_schedule_free((spn_schedule *)o->beta);
    spn_schedule_free((spn_schedule *)o->gamma);
    o->beta = o->gamma = NULL;
}

int cli_read_chain(spn_chain_options *o, const cli_values *values)
{
    static const char *const kernels[] = {"two-stage", "one-stage", "heat-bath", NULL};
    static const char *const orders[] = {"replica-round", "random", NULL};
    uint64_t replicas, threads;
    int kernel, order = SPN_ORDER_REPLICA_ROUND;
    *o = spn_chain_defaults();
    if (!cli_whole(&replicas, values, "replicas", 1, SPN_MAX_REPLICAS) ||
        !cli_whole(&o->seed, values, "seed", 0, INT64_MAX) ||
        !cli_whole(&threads, values, "threads", 1, 4096) ||
        !cli_choice(&kernel, values, "kernel", kernels) ||
        (cli_text(values, "order") && !cli_choice(&order, values, "order", orders)))
        return CLI_USAGE;
    o->replicas = (size_t)replicas;
    o->threads = (unsigned)threads;
    o->kernel = (spn_kernel)kernel;
    o->order = (spn_order)order;
    o->stop = &cli_interrupted;
    return read_schedules(o, values);
}

/* ---- the start ---- */

static int check_states(const spn_problem *states, const cli_values *values, size_t sites,
                        size_t replicas, const char *owner)
{
    const char *path = cli_text(values, "init");
    if (spn_problem_sites(states) != sites)
        return cli_error(values->command, "%s: states of %zu spins, but the %s has %zu", path,
                         spn_problem_sites(states), owner, sites);
    if (spn_problem_count(states) != 1 && spn_problem_count(states) != replicas)
        return cli_error(values->command,
                         "%s: %zu states; give one for all replicas, or one for each of the %zu",
                         path, spn_problem_count(states), replicas);
    return CLI_OK;
}

static int read_states(int8_t **given, const cli_values *values, size_t sites, size_t replicas,
                       const char *owner)
{
    spn_error err = {0};
    spn_problem *states;
    if (spn_problem_read(&states, SPN_PROBLEM_STATES, cli_text(values, "init"), &err)) {
        if (err.status == SPN_ERROR_IO)
            return cli_error(values->command,
                             "--init: %s (give same, independent or a file of states)", err.text);
        return cli_fail(values, &err);
    }
    int status = check_states(states, values, sites, replicas, owner);
    if (!status && !(*given = malloc(sites * replicas))) {
        cli_error(values->command, "out of memory");
        status = CLI_FAILED;
    }
    for (size_t a = 0; !status && a < replicas; a++)
        memcpy(*given + a * sites,
               spn_problem_rows(states) + (spn_problem_count(states) == 1 ? 0 : a * sites), sites);
    spn_problem_free(states);
    return status;
}

int cli_read_start(spn_chain_options *o, int8_t **given, const cli_values *values, size_t sites,
                   const char *owner)
{
    const char *how = cli_text(values, "init");
    *given = NULL;
    o->start = strcmp(how, "same") == 0 ? SPN_START_SAME : SPN_START_INDEPENDENT;
    if (strcmp(how, "same") == 0 || strcmp(how, "independent") == 0)
        return CLI_OK;
    o->start = SPN_START_GIVEN;
    int status = read_states(given, values, sites, o->replicas, owner);
    o->given = *given;
    return status;
}

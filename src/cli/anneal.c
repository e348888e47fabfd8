/* spinney anneal: replicas of any built-in energy. */
#include "cli/chain.h"
#include "cli/commands.h"
#include "cli/problem.h"
#include "cli/progress.h"
#include "cli/result.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const spn_setting cli_anneal_options[] = {
    CLI_PROBLEM_OPTIONS,
    SPN_HEADING("Chain"),
    CLI_TEXT("replicas", "Y", "3", "number of coupled copies, 1 to 255"),
    CLI_TEXT("gamma", "G[:END]", "0.5", "coupling of the replicas"),
    CLI_TEXT("gamma-schedule", "KIND", NULL,
             "how gamma goes from G to END; kinds as for --schedule"),
    CLI_TEXT("beta", "START[:END]", "0.1:10", "inverse temperature"),
    CLI_TEXT("schedule", "KIND", NULL,
             "how beta goes from START to END: constant, linear, quadratic, exponential, "
             "logarithmic:m=M,C=C, pieces:B1xT1,B2xT2,..., "
             "theorem1:alpha=A,b=b,B=B,m=m,c=c,kappa=K,stages=n, "
             "scoping:factor=F[,every=1000] (default: exponential; constant for one value)"),
    CLI_TEXT(
        "steps", "T", NULL,
        "steps: a proposal for each replica in replica-round order, one proposal in random order "
        "(default: 300000, or as many as the pieces have)"),
    CLI_TEXT("kernel", "NAME", "two-stage", "two-stage, one-stage or heat-bath"),
    CLI_TEXT("order", "NAME", "replica-round", "replica-round or random"),
    CLI_TEXT("init", "HOW", "same",
             "same (one random state for all), independent, or a FILE with one state of + and - "
             "for all or "
             "one per replica"),
    CLI_TEXT("seed", "S", "1", "seed of all randomness"),
    CLI_TEXT("threads", "n", "1",
             "compute the replicas' energy changes side by side; never changes a result"),
    SPN_HEADING("Stops"),
    CLI_TEXT("target", "E", NULL, "stop when this energy is reached"),
    CLI_TEXT("target-by", "WHO", "all", "by any replica, or by all at the same time"),
    CLI_TEXT("patience", "K", NULL,
             "stop after K proposals without a new best energy of any replica"),
    CLI_TEXT("time", "SECONDS", NULL, "stop after this time"),
    SPN_HEADING("Output"),
    CLI_FILE("trace", "FILE", NULL,
             "CSV of beta, gamma, acceptance, overlap and energies during the run"),
    CLI_TEXT("trace-every", "n", NULL,
             "steps between its rows (default: a power of two, for about 500 to 1000 rows)"),
    CLI_FILE("out", "FILE", NULL, "the best state of each replica, as + and -; --init reads it"),
    CLI_FLAG("json", "print one JSON object on stdout and nothing else there"),
    CLI_FLAG("quiet", "no progress"),
    {.name = NULL}};

const char cli_anneal_details[] =
    "Ctrl-C ends the run after the current step; the results so far are reported.\n\n"
    "Examples\n"
    "  spinney anneal --energy bits --random 1001,0.3,1 --target 0\n"
    "  spinney anneal --energy maxcut --graph G1.txt --replicas 5 --beta 0.1:3 --steps 1000000\n"
    "  spinney anneal --energy ising --graph glass.txt --gamma 0:1 --gamma-schedule linear "
    "--json\n";

/* Everything a run needs, so that one function can give it all back. */
typedef struct anneal {
    const cli_values *values;
    spn_energy *energy;
    int8_t *given;
    spn_chain_options options;
    cli_trace trace;
    spn_states_writer *out;
    cli_progress progress;
    spn_chain *chain;
} anneal;

static int read_stops(anneal *run)
{
    static const char *const who[] = {"any", "all", NULL};
    const cli_values *values = run->values;
    spn_chain_options *o = &run->options;
    int by = 0;
    if (!cli_choice(&by, values, "target-by", who))
        return CLI_USAGE;
    if (cli_given(values, "target")) {
        if (!cli_real(&o->target_energy, values, "target", -HUGE_VAL, HUGE_VAL))
            return CLI_USAGE;
        o->target = by == 0 ? SPN_TARGET_ANY : SPN_TARGET_ALL;
    }
    if (cli_given(values, "patience") && !cli_whole(&o->patience, values, "patience", 1, INT64_MAX))
        return CLI_USAGE;
    if (cli_given(values, "time") && !cli_real(&o->seconds, values, "time", 1e-3, 1e9))
        return CLI_USAGE;
    return CLI_OK;
}

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    (void)err;
    anneal *run = context;
    cli_trace_update(&run->trace, snapshot);
    cli_progress_update(&run->progress, snapshot);
    return SPN_OK;
}

/* Files that cannot be written are found out before the run, not after it. */
static int open_outputs(anneal *run)
{
    const cli_values *values = run->values;
    spn_chain_options *o = &run->options;
    spn_error err = {0};
    const char *trace = cli_text(values, "trace"), *out = cli_text(values, "out");
    if (trace && out && strcmp(trace, out) == 0)
        return cli_error(values->command, "--trace and --out both name %s; give two files", out);
    int status = cli_trace_open(&run->trace, values, o->steps, o->replicas);
    if (status)
        return status;
    o->observe_every = cli_trace_looks(&run->trace);
    o->observer = observe;
    o->observer_context = run;
    if (out && spn_states_create(&run->out, out, &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

static int report(anneal *run, spn_stop stop, double seconds)
{
    spn_error err = {0};
    const cli_values *values = run->values;
    cli_result result = {.values = values,
                         .energy = run->energy,
                         .options = &run->options,
                         .stop = stop,
                         .seconds = seconds,
                         .trace_every = run->trace.writer ? run->trace.every : 0};
    spn_chain_snapshot(&result.state, run->chain);
    cli_trace_last(&run->trace, &result.state);
    int status = cli_trace_finish(&run->trace, values);
    if (status)
        return status;
    if (run->out) {
        spn_states_writer *out = run->out;
        run->out = NULL;
        if (cli_result_save(&result, out, &err))
            return cli_fail(values, &err);
    }
    status = cli_given(values, "json") ? cli_result_json(&result) : cli_result_text(&result);
    return status ? status : stop == SPN_STOP_REQUEST ? CLI_INTERRUPTED : CLI_OK;
}

static int anneal_run(anneal *run)
{
    spn_error err = {0};
    spn_stop stop;
    int status = cli_read_chain(&run->options, run->values);
    if (!status)
        status = read_stops(run);
    if (!status)
        status = cli_make_energy(&run->energy, run->values);
    if (!status)
        status = cli_read_start(&run->options, &run->given, run->values,
                                spn_energy_sites(run->energy), "energy");
    if (status)
        return status;
    cli_catch_signals();
    if ((status = open_outputs(run)))
        return status;
    if (spn_chain_create(&run->chain, run->energy, &run->options, &err))
        return cli_fail(run->values, &err);
    run->progress = cli_progress_start(run->options.steps, run->options.seconds,
                                       cli_given(run->values, "quiet"));
    double started = cli_clock();
    spn_status failed = spn_chain_run(&stop, run->chain, &err);
    double seconds = cli_clock() - started;
    cli_progress_end(&run->progress);
    if (failed)
        return cli_fail(run->values, &err);
    return report(run, stop, seconds);
}

int cli_anneal(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    anneal run = {.values = &values};
    status = anneal_run(&run);
    spn_chain_free(run.chain);
    cli_trace_discard(&run.trace);
    spn_states_discard(run.out);
    spn_energy_free(run.energy);
    free(run.given);
    cli_chain_clear(&run.options);
    return status;
}

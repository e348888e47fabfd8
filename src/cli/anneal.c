/* spinney anneal: replicas of any built-in energy. */
#include "cli/commands.h"
#include "cli/problem.h"
#include "cli/progress.h"
#include "cli/result.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_anneal_options[] = {
    CLI_PROBLEM_OPTIONS,
    {NULL, NULL, NULL, "Chain"},
    {"replicas", "Y", "3", "number of coupled copies, 1 to 255"},
    {"gamma", "G[:END]", "0.5", "coupling of the replicas"},
    {"gamma-schedule", "KIND", NULL, "how gamma goes from G to END; kinds as for --schedule"},
    {"beta", "START[:END]", "0.1:10", "inverse temperature"},
    {"schedule", "KIND", NULL,
     "how beta goes from START to END: constant, linear, quadratic, exponential, "
     "logarithmic:m=M,C=C, pieces:B1xT1,B2xT2,..., "
     "theorem1:alpha=A,b=b,B=B,m=m,c=c,kappa=K,stages=n, "
     "scoping:factor=F[,every=1000] (default: exponential; constant for one value)"},
    {"steps", "T", NULL,
     "steps: a proposal for each replica in replica-round order, one proposal in random order "
     "(default: 300000, or as many as the pieces have)"},
    {"kernel", "NAME", "two-stage", "two-stage, one-stage or heat-bath"},
    {"order", "NAME", "replica-round", "replica-round or random"},
    {"init", "HOW", "same",
     "same (one random state for all), independent, or a FILE with one state of + and - for all or "
     "one per replica"},
    {"seed", "S", "1", "seed of all randomness"},
    {"threads", "n", "1",
     "compute the replicas' energy changes side by side; never changes a result"},
    {NULL, NULL, NULL, "Stops"},
    {"target", "E", NULL, "stop when this energy is reached"},
    {"target-by", "WHO", "all", "by any replica, or by all at the same time"},
    {"patience", "K", NULL, "stop after K proposals without a new best energy of any replica"},
    {"time", "SECONDS", NULL, "stop after this time"},
    {NULL, NULL, NULL, "Output"},
    {"trace", "FILE", NULL, "CSV of beta, gamma, acceptance, overlap and energies during the run"},
    {"trace-every", "n", NULL, "steps between its rows (default: a five-hundredth of the run)"},
    {"out", "FILE", NULL, "the best state of each replica, as + and -; --init reads it"},
    {"json", NULL, NULL, "print one JSON object on stdout and nothing else there"},
    {"quiet", NULL, NULL, "no progress"},
    {NULL, NULL, NULL, NULL}};

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
    spn_problem *start;
    int8_t *given;
    spn_chain_options options;
    uint64_t trace_every;
    spn_trace_writer *trace;
    spn_states_writer *out;
    uint64_t traced_proposals, traced_accepted;
    uint64_t traced_step; /* of the last row */
    cli_progress progress;
    spn_chain *chain;
} anneal;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static int fail_with(const cli_values *values, const spn_error *err)
{
    cli_error(values->command, "%s", err->text);
    bool users = err->status == SPN_ERROR_ARGUMENT || err->status == SPN_ERROR_INPUT ||
                 err->status == SPN_ERROR_IO;
    return users ? CLI_USAGE : CLI_FAILED;
}

static int read_schedules(anneal *run)
{
    spn_error err = {0};
    const cli_values *values = run->values;
    spn_chain_options *o = &run->options;
    if (spn_schedule_parse(&o->beta, cli_text(values, "beta"), cli_text(values, "schedule"), &err))
        return cli_error(values->command, "--beta, --schedule: %s", err.text);
    if (spn_schedule_parse(&o->gamma, cli_text(values, "gamma"), cli_text(values, "gamma-schedule"),
                           &err))
        return cli_error(values->command, "--gamma, --gamma-schedule: %s", err.text);
    uint64_t length = spn_schedule_length(&o->beta);
    o->steps = length ? length : 300000;
    if (cli_given(values, "steps") && !cli_whole(&o->steps, values, "steps", 1, INT64_MAX))
        return CLI_USAGE;
    return CLI_OK;
}

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

static int read_chain_options(anneal *run)
{
    static const char *const kernels[] = {"two-stage", "one-stage", "heat-bath", NULL};
    static const char *const orders[] = {"replica-round", "random", NULL};
    const cli_values *values = run->values;
    spn_chain_options *o = &run->options;
    uint64_t replicas, threads;
    int kernel, order;
    *o = spn_chain_defaults();
    if (!cli_whole(&replicas, values, "replicas", 1, SPN_MAX_REPLICAS) ||
        !cli_whole(&o->seed, values, "seed", 0, INT64_MAX) ||
        !cli_whole(&threads, values, "threads", 1, 4096) ||
        !cli_choice(&kernel, values, "kernel", kernels) ||
        !cli_choice(&order, values, "order", orders))
        return CLI_USAGE;
    o->replicas = (size_t)replicas;
    o->threads = (unsigned)threads;
    o->kernel = (spn_kernel)kernel;
    o->order = (spn_order)order;
    int status = read_schedules(run);
    return status ? status : read_stops(run);
}

/* --init: two words, or a file of one state for all or one for each replica. */
static int read_start(anneal *run)
{
    const char *how = cli_text(run->values, "init");
    spn_chain_options *o = &run->options;
    spn_error err = {0};
    o->start = strcmp(how, "same") == 0 ? SPN_START_SAME : SPN_START_INDEPENDENT;
    if (strcmp(how, "same") == 0 || strcmp(how, "independent") == 0)
        return CLI_OK;
    if (spn_problem_read(&run->start, SPN_PROBLEM_STATES, how, &err)) {
        if (err.status == SPN_ERROR_IO)
            return cli_error(run->values->command,
                             "--init: %s (give same, independent or a file of states)", err.text);
        return fail_with(run->values, &err);
    }
    const size_t sites = run->energy->sites;
    if (run->start->sites != sites)
        return cli_error(run->values->command, "%s: states of %zu spins, but the energy has %zu",
                         how, run->start->sites, sites);
    if (run->start->count != 1 && run->start->count != o->replicas)
        return cli_error(run->values->command,
                         "%s: %zu states; give one for all replicas, or one for each of the %zu",
                         how, run->start->count, o->replicas);
    run->given = malloc(sites * o->replicas);
    if (!run->given)
        return cli_error(run->values->command, "out of memory") - 1;
    for (size_t a = 0; a < o->replicas; a++)
        memcpy(run->given + a * sites, run->start->rows + (run->start->count == 1 ? 0 : a * sites),
               sites);
    o->start = SPN_START_GIVEN;
    o->given = run->given;
    return CLI_OK;
}

static void add_trace_row(anneal *run, const spn_snapshot *s)
{
    uint64_t proposals = 0, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        proposals += s->proposals[a];
        accepted += s->accepted[a];
    }
    uint64_t new_proposals = proposals - run->traced_proposals;
    uint64_t new_accepted = accepted - run->traced_accepted;
    spn_trace_row row = {.step = s->step,
                         .beta = s->beta,
                         .gamma = s->gamma,
                         .acceptance =
                             new_proposals ? (double)new_accepted / (double)new_proposals : 0,
                         .overlap = spn_snapshot_overlap(s),
                         .energy = s->energy,
                         .best = s->best_energy};
    spn_trace_add(run->trace, &row);
    run->traced_proposals = proposals;
    run->traced_accepted = accepted;
    run->traced_step = s->step;
}

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    (void)err;
    anneal *run = context;
    if (run->trace && snapshot->step % run->trace_every == 0)
        add_trace_row(run, snapshot);
    cli_progress_update(&run->progress, snapshot);
    return SPN_OK;
}

/* Steps between looks at the progress of a long run, whose trace has rows at multiples of it. */
enum { OFTEN = 1 << 16 };

/* Files that cannot be written are found out before the run, not after it. */
static int open_outputs(anneal *run)
{
    const cli_values *values = run->values;
    spn_chain_options *o = &run->options;
    spn_error err = {0};
    run->trace_every = o->steps / 500 + 1;
    if (run->trace_every > OFTEN)
        run->trace_every = (run->trace_every + OFTEN - 1) / OFTEN * OFTEN;
    if (cli_given(values, "trace-every") &&
        !cli_whole(&run->trace_every, values, "trace-every", 1, INT64_MAX))
        return CLI_USAGE;
    if (cli_given(values, "trace-every") && !cli_given(values, "trace"))
        return cli_error(values->command, "--trace-every goes with --trace FILE");
    o->observe_every = run->trace_every % OFTEN == 0 ? OFTEN : run->trace_every;
    o->observer = observe;
    o->observer_context = run;
    o->stop = &interrupted;
    const char *trace = cli_text(values, "trace"), *out = cli_text(values, "out");
    if (trace && out && strcmp(trace, out) == 0)
        return cli_error(values->command, "--trace and --out both name %s; give two files", out);
    if ((trace && spn_trace_create(&run->trace, trace, o->replicas, &err)) ||
        (out && spn_states_create(&run->out, out, &err)))
        return fail_with(values, &err);
    return CLI_OK;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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
                         .trace_every = run->trace ? run->trace_every : 0};
    spn_chain_snapshot(&result.state, run->chain);
    if (run->trace && run->traced_step != result.state.step)
        add_trace_row(run, &result.state);
    if (run->trace) {
        spn_trace_writer *trace = run->trace;
        run->trace = NULL;
        if (spn_trace_finish(trace, &err))
            return fail_with(values, &err);
    }
    if (run->out) {
        spn_states_writer *out = run->out;
        run->out = NULL;
        if (cli_result_save(&result, out, &err))
            return fail_with(values, &err);
    }
    int status = cli_given(values, "json") ? cli_result_json(&result) : cli_result_text(&result);
    return status ? status : stop == SPN_STOP_REQUEST ? CLI_INTERRUPTED : CLI_OK;
}

static int anneal_run(anneal *run)
{
    spn_error err = {0};
    spn_stop stop;
    int status = read_chain_options(run);
    if (!status)
        status = cli_make_energy(&run->energy, run->values);
    if (!status)
        status = read_start(run);
    if (status)
        return status;
    if (spn_schedule_check(&run->options.beta, "--beta", true, run->options.steps, &err) ||
        spn_schedule_check(&run->options.gamma, "--gamma", false, run->options.steps, &err))
        return fail_with(run->values, &err);
    catch_signals();
    if ((status = open_outputs(run)))
        return status;
    if (spn_chain_create(&run->chain, run->energy, &run->options, &err))
        return fail_with(run->values, &err);
    run->progress = cli_progress_start(run->options.steps, run->options.seconds,
                                       cli_given(run->values, "quiet"));
    double started = cli_clock();
    spn_status failed = spn_chain_run(&stop, run->chain, &err);
    double seconds = cli_clock() - started;
    cli_progress_end(&run->progress);
    if (failed)
        return fail_with(run->values, &err);
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
    spn_trace_discard(run.trace);
    spn_states_discard(run.out);
    spn_energy_free(run.energy);
    spn_problem_free(run.start);
    free(run.given);
    spn_schedule_clear(&run.options.beta);
    spn_schedule_clear(&run.options.gamma);
    return status;
}

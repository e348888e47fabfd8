/* spinney train: a classifier with one-bit weights, from labelled data. */
#include "cli/train.h"

#include "cli/chain.h"
#include "cli/commands.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const spn_setting cli_train_options[] = {
    SPN_HEADING("Data"),
    CLI_FILE("data", "NAME|FILE", "digits",
             "what to train on: digits, mnist, fashion, or a file of labelled samples (- is the "
             "standard "
             "input)"),
    CLI_FILE("labels", "FILE", NULL,
             "the labels, where the format has them in a second file (idx, npy)"),
    CLI_FILE("test", "FILE", NULL, "samples to test on; data sets known by name have their own"),
    CLI_FILE("test-labels", "FILE", NULL,
             "their labels, where the format has them in a second file"),
    CLI_TEXT("test-fraction", "F", NULL, "instead of --test: split off this share of every class"),
    CLI_TEXT("validation", "F", NULL,
             "split this share of every class off the training part and report on it, for tuning"),
    CLI_TEXT("subset", "n", NULL, "train on n samples, drawn at random"),
    CLI_TEXT("split-seed", "S", "1", "seed of these draws"),
    CLI_SAMPLE_OPTIONS,
    CLI_TEXT(
        "scaling", "HOW", NULL,
        "of features before training: none, dataset (mean 0, deviation 1 over all), feature "
        "(each), "
        "SHIFT,SCALE, or binary:T for +1 above T and -1 elsewhere (default: dataset; for mnist "
        "(x/255 - 0.1307)/0.3081)"),
    SPN_HEADING("Training; where an option is not given, its value is the preset's"),
    CLI_TEXT("preset", "NAME", "accurate", "see below"),
    CLI_TEXT("replicas", "Y", NULL, "number of coupled classifiers, 1 to 255"),
    CLI_TEXT("gamma", "G[:END]", NULL, "coupling of the replicas"),
    CLI_TEXT("gamma-schedule", "KIND", NULL, "how gamma goes from G to END; kinds as for anneal"),
    CLI_TEXT("beta", "START[:END]", NULL, "inverse temperature, in units of 1/mean cross-entropy"),
    CLI_TEXT("schedule", "KIND", NULL, "how beta goes from START to END; kinds as for anneal"),
    CLI_TEXT("steps", "T", NULL, "proposals for each replica"),
    CLI_TEXT("kernel", "NAME", NULL, "two-stage, one-stage or heat-bath"),
    CLI_TEXT("init", "HOW", NULL,
             "same (one random state for all), independent, or a FILE with one state of + and - "
             "for all or "
             "one per replica"),
    CLI_TEXT("logit-scale", "s[/sqrtD]", NULL, "logits are s W x, or s/sqrt(D) W x for D features"),
    CLI_TEXT("seed", "S", "1", "seed of the training"),
    CLI_TEXT("threads", "n", "1",
             "compute the replicas' energy changes side by side; never changes a result"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "FILE", NULL, "write the model here"),
    CLI_FILE("checkpoint", "FILE", NULL,
             "write the state here during the run; where FILE is there already, the run goes on "
             "from it"),
    CLI_TEXT("every", "STEPS", NULL,
             "steps between checkpoints, which are made at multiples of 8192 (default: a twentieth "
             "of the "
             "run)"),
    CLI_FLAG(
        "resume",
        "go on from --checkpoint FILE, as happens without this option too, and say so if there is "
        "none"),
    CLI_FILE("trace", "FILE", NULL,
             "CSV of beta, gamma, acceptance, overlap and losses during the run"),
    CLI_TEXT("trace-every", "n", NULL,
             "steps between its rows (default: a power of two, for about 500 to 1000 rows)"),
    CLI_FLAG("json", "print one JSON object on stdout and nothing else there"),
    CLI_FLAG("quiet", "no progress"),
    {.name = NULL}};

static const char notes[] =
    "Ctrl-C ends the run after the current step and writes the checkpoint and, as the model, the\n"
    "weights of the lowest loss so far. A run that was killed goes on where its checkpoint was "
    "made\n"
    "when the same command is given again, and ends with the same model, bit for bit. The "
    "checkpoint\n"
    "is removed once the model is written. A trace starts where the run went on.\n\n"
    "Examples\n"
    "  spinney train --out digits.spn\n"
    "  spinney train --data mnist --preset paper --gamma 0.8 --checkpoint mnist.checkpoint \\\n"
    "      --out mnist.spn\n"
    "  spinney train --data samples.csv --test-fraction 0.2 --out samples.spn --json\n";

/* The help below the options: the table of presets, then the notes. */
static char *make_details(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "Presets\n");
    for (const xpn_train_preset *p = xpn_train_presets(); p->name; p++)
        fprintf(stream,
                "  %-10s%s:\n            --replicas %s --gamma %s --beta %s --steps %s\n"
                "            --kernel %s --init %s --logit-scale %s\n",
                p->name, p->about, p->replicas, p->gamma, p->beta, p->steps, p->kernel, p->init,
                p->logit_scale);
    fprintf(stream, "\n%s", notes);
    fclose(stream);
    return text;
}

/* Everything a training needs, so that one function can give it all back. */
typedef struct train {
    cli_values values;
    cli_train_data data;
    xpn_train_options options;
    int8_t *given;
    cli_trace trace;
    cli_progress progress;
    xpn_train_result result;
} train;

/* ---- options ---- */

/* The preset's value of an option; NULL for an option that presets do not set. */
static const char *preset_value(const xpn_train_preset *p, const char *name)
{
    const struct {
        const char *name, *value;
    } rows[] = {{"replicas", p->replicas},
                {"gamma", p->gamma},
                {"beta", p->beta},
                {"steps", p->steps},
                {"kernel", p->kernel},
                {"init", p->init},
                {"logit-scale", p->logit_scale},
                {NULL, NULL}};
    for (size_t k = 0; rows[k].name; k++)
        if (strcmp(rows[k].name, name) == 0)
            return rows[k].value;
    return NULL;
}

static spn_text preset_texts[16];

/* Put the preset's values where no others were given. */
static int apply_preset(train *run)
{
    const char *names[16] = {0};
    size_t count = 0;
    int chosen;
    for (const xpn_train_preset *p = xpn_train_presets(); p->name && count < 15; p++)
        names[count++] = p->name;
    if (!cli_choice(&chosen, &run->values, "preset", names))
        return CLI_USAGE;
    const xpn_train_preset *preset = &xpn_train_presets()[chosen];
    static const char *const names_of[] = {"replicas", "gamma", "beta",        "steps",
                                           "kernel",   "init",  "logit-scale", NULL};
    for (size_t k = 0; names_of[k]; k++)
        preset_texts[k] = (spn_text){names_of[k], preset_value(preset, names_of[k])};
    run->values.fallbacks = preset_texts;
    run->options.preset = preset->name;
    return CLI_OK;
}

static int read_parts(train *run)
{
    const cli_values *values = &run->values;
    xpn_train_options *o = &run->options;
    uint64_t subset = 0;
    if (cli_given(values, "test-fraction") &&
        !cli_real(&o->test_fraction, values, "test-fraction", 1e-9, 1 - 1e-9))
        return CLI_USAGE;
    if (cli_given(values, "validation") &&
        !cli_real(&o->validation, values, "validation", 1e-9, 1 - 1e-9))
        return CLI_USAGE;
    if (cli_given(values, "subset") && !cli_whole(&subset, values, "subset", 1, INT64_MAX))
        return CLI_USAGE;
    o->subset = (size_t)subset;
    return cli_whole(&o->split_seed, values, "split-seed", 0, INT64_MAX) ? CLI_OK : CLI_USAGE;
}

static int read_options(train *run)
{
    const cli_values *values = &run->values;
    xpn_train_options *o = &run->options;
    int status = apply_preset(run);
    if (!status)
        status = cli_read_chain(&o->chain, values);
    o->beta = (spn_schedule *)o->chain.beta; /* freed with the options */
    o->gamma = (spn_schedule *)o->chain.gamma;
    if (!status)
        status = read_parts(run);
    if (!status)
        status = cli_train_scaling(&o->preprocess, values);
    if (status)
        return status;
    o->checkpoint = cli_text(values, "checkpoint");
    spn_error err = {0};
    if (xpn_train_logit_scale(o, cli_text(values, "logit-scale"), &err))
        return cli_error(values->command, "--logit-scale: %s", err.text);
    if (cli_given(values, "every") &&
        !cli_whole(&o->checkpoint_every, values, "every", 1, INT64_MAX))
        return CLI_USAGE;
    if ((cli_given(values, "every") || cli_given(values, "resume")) && !o->checkpoint)
        return cli_error(values->command, "--%s goes with --checkpoint FILE",
                         cli_given(values, "every") ? "every" : "resume");
    return CLI_OK;
}

/* ---- output files ---- */

/* Whether the model can be written is found out before the run, not after it. */
static int check_out(const cli_values *values)
{
    const char *path = cli_text(values, "out");
    struct stat info;
    if (!path)
        return CLI_OK;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return cli_error(values->command, "%s: is a folder; give the name of a file", path);
    char *copy = strdup(path);
    bool writable = copy && access(dirname(copy), W_OK) == 0;
    free(copy);
    return writable ? CLI_OK
                    : cli_error(values->command,
                                "%s: cannot be written: no such folder, or not "
                                "yours to write to",
                                path);
}

static int check_distinct(const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace"};
    for (size_t i = 0; i < 3; i++) {
        const char *one = cli_text(values, names[i]);
        for (size_t j = i + 1; one && j < 3; j++) {
            const char *other = cli_text(values, names[j]);
            if (other && strcmp(one, other) == 0)
                return cli_error(values->command, "--%s and --%s both name %s; give two files",
                                 names[i], names[j], one);
        }
    }
    return CLI_OK;
}

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    (void)err;
    train *run = context;
    cli_trace_update(&run->trace, snapshot);
    if (snapshot->step == run->options.chain.steps || cli_interrupted)
        cli_trace_last(&run->trace, snapshot);
    cli_progress_update(&run->progress, snapshot);
    return SPN_OK;
}

static int open_outputs(train *run)
{
    const cli_values *values = &run->values;
    spn_chain_options *chain = &run->options.chain;
    int status = check_distinct(values);
    if (!status)
        status = check_out(values);
    if (!status)
        status = cli_trace_open(&run->trace, values, chain->steps, chain->replicas);
    if (status)
        return status;
    chain->observer = observe;
    chain->observer_context = run;
    chain->observe_every = cli_trace_looks(&run->trace);
    if (cli_given(values, "resume") && access(run->options.checkpoint, F_OK) != 0)
        fprintf(stderr, "spinney train: there is no %s yet: starting from the beginning\n",
                run->options.checkpoint);
    return CLI_OK;
}

/* ---- the run ---- */

static void say_how_to_resume(const train *run)
{
    const xpn_train_result *result = &run->result;
    if (run->options.checkpoint)
        fprintf(stderr,
                "spinney train: interrupted at step %" PRIu64 "; give the same command again to go "
                "on from step %" PRIu64 " (%s)\n",
                result->step, result->saved_step, run->options.checkpoint);
    else
        fprintf(stderr,
                "spinney train: interrupted at step %" PRIu64 "; with --checkpoint FILE it could "
                "go on later\n",
                result->step);
}

static int report(train *run)
{
    spn_error err = {0};
    const cli_values *values = &run->values;
    const char *out = cli_text(values, "out");
    int status = cli_trace_finish(&run->trace, values);
    if (status)
        return status;
    if ((out && spn_model_write(run->result.model, out, &err)) ||
        xpn_train_finish(&run->result, &run->options, &err))
        return cli_fail(values, &err);
    status = cli_given(values, "json") ? cli_train_json(values, &run->options, &run->result)
                                       : cli_train_text(values, &run->options, &run->result);
    if (run->result.stop != SPN_STOP_REQUEST || status)
        return status;
    say_how_to_resume(run);
    return CLI_INTERRUPTED;
}

static int train_run(train *run)
{
    spn_error err = {0};
    const cli_values *values = &run->values;
    int status = read_options(run);
    if (!status)
        status = cli_train_data_read(&run->data, values);
    if (!status)
        status = cli_read_start(&run->options.chain, &run->given, values,
                                spn_dataset_classes(run->data.train) *
                                    spn_dataset_features(run->data.train),
                                "classifier");
    if (status)
        return status;
    cli_catch_signals();
    if ((status = open_outputs(run)))
        return status;
    run->progress = cli_progress_start(run->options.chain.steps, 0, cli_given(values, "quiet"));
    run->progress.quantity = "loss";
    const xpn_train_data data = {
        .size = sizeof data, run->data.name, run->data.train, run->data.test};
    spn_status failed = xpn_train_run(&run->result, &run->options, &data, &err);
    cli_progress_end(&run->progress);
    return failed ? cli_fail(values, &err) : report(run);
}

int cli_train(const cli_command *command, int argc, char **argv)
{
    int status;
    train run = {.options = xpn_train_defaults()};
    char *details = make_details();
    cli_command with_details = *command; /* the help shows the table of presets */
    with_details.details = details;
    if (cli_parse(&run.values, &with_details, argc, argv, &status))
        status = train_run(&run);
    xpn_train_result_clear(&run.result);
    cli_trace_discard(&run.trace);
    cli_train_data_free(&run.data);
    xpn_train_options_clear(&run.options);
    free(run.given);
    free(details);
    return status;
}
const char cli_train_details[] = "";

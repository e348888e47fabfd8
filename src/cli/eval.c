/* spinney eval: how good a model is on labelled data, and how robust. */
#include "base/number.h"
#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const spn_setting cli_eval_options[] = {
    SPN_HEADING("Data"),
    CLI_FILE("data", "NAME|FILE", NULL,
             "what to evaluate on: digits, mnist, fashion, or a file of labelled samples (- is the "
             "standard input)"),
    CLI_FILE("labels", "FILE", NULL,
             "the labels, where the format has them in a second file (idx, npy)"),
    CLI_TEXT("part", "WHICH", "test", "of a data set known by name: test or train"),
    CLI_SAMPLE_OPTIONS,
    SPN_HEADING("Robustness"),
    CLI_TEXT("flip", "P,P,...", NULL,
             "the accuracy with a share P of the weights flipped, such as 0,0.01,0.05,0.1"),
    CLI_TEXT("trials", "n", "1000",
             "random flips for each P, spread evenly over the replicas, at least two for each"),
    CLI_TEXT("flip-mode", "HOW", "independent",
             "independent: each weight with probability P; exact: round(P N) weights"),
    CLI_TEXT("replica", "WHICH", "all",
             "which weights to flip: all (the mean over the replicas), best, centre, or a number "
             "from 1"),
    CLI_TEXT("seed", "S", "1", "seed of the flips"),
    CLI_TEXT("threads", "n", "1", "trials side by side; never changes a result"),
    SPN_HEADING("Output"),
    CLI_FILE("plot", "FILE", NULL, "draw the robustness curve into FILE.svg, FILE.pdf or FILE.png"),
    CLI_FLAG("json", "print one JSON object on stdout and nothing else there"),
    CLI_FLAG("quiet", "no progress"),
    {.name = NULL}};

const char cli_eval_details[] =
    "The best replica is the one of lowest loss in training, as the model records it; it is never\n"
    "chosen by the data it is evaluated on. The centre is the majority of the replicas.\n"
    "In --json, loss and accuracy are means over the replicas and confusion is their sum, rows\n"
    "being labels; replicas, centre and best hold their own; accuracies are fractions.\n\n"
    "Examples\n"
    "  spinney eval digits.spn --data digits\n"
    "  spinney eval mnist.spn --data mnist --flip 0,0.01,0.02,0.05,0.1,0.2 --threads 2\n"
    "  spinney eval own.spn --data test.csv --label-column first --json\n";

enum { MOST_FLIPS = 1000 };

static int parse_flips(cli_evaluation *e)
{
    const char *text = cli_text(e->values, "flip"), *at = text;
    e->flip_p = calloc(MOST_FLIPS, sizeof *e->flip_p);
    e->flips = calloc(MOST_FLIPS, sizeof *e->flips);
    if (!e->flip_p || !e->flips)
        return cli_error(e->values->command, "out of memory") - 1;
    for (;;) {
        double p = NAN;
        const char *end = at + spn_number_scan(&p, at, strlen(at));
        if (end == at || (*end && *end != ',') || !(p >= 0 && p <= 1))
            return cli_error(e->values->command,
                             "--flip: '%s' is not a list of numbers from 0 to 1, such as "
                             "0,0.01,0.1",
                             text);
        if (e->flip_count == MOST_FLIPS)
            return cli_error(e->values->command, "--flip: more than %d values", MOST_FLIPS);
        e->flip_p[e->flip_count++] = p;
        if (!*end)
            return CLI_OK;
        at = end + 1;
    }
}

static int check_plot(const cli_values *values)
{
    const char *path = cli_text(values, "plot"), *dot = path ? strrchr(path, '.') : NULL;
    if (!path || (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".pdf") || !strcmp(dot, ".png"))))
        return CLI_OK;
    return cli_error(values->command, "--plot: %s: a figure's name ends in .svg, .pdf or .png",
                     path);
}

static int read_flip_options(cli_evaluation *e)
{
    static const char *const modes[] = {"independent", "exact", NULL};
    static const char *const needs_flip[] = {"trials", "flip-mode", "replica",
                                             "seed",   "plot",      NULL};
    const cli_values *values = e->values;
    uint64_t trials, threads;
    int mode;
    for (size_t k = 0; !cli_given(values, "flip") && needs_flip[k]; k++)
        if (cli_given(values, needs_flip[k]))
            return cli_error(values->command, "--%s goes with --flip", needs_flip[k]);
    if (!cli_whole(&trials, values, "trials", 2, UINT32_MAX) ||
        !cli_choice(&mode, values, "flip-mode", modes) ||
        !cli_whole(&e->flip_options.seed, values, "seed", 0, INT64_MAX) ||
        !cli_whole(&threads, values, "threads", 1, 4096))
        return CLI_USAGE;
    e->flip_options.size = sizeof e->flip_options;
    e->flip_options.trials = (size_t)trials;
    e->flip_options.mode = (spn_flip_mode)mode;
    e->flip_options.threads = (unsigned)threads;
    int status = check_plot(values);
    return status || !cli_given(values, "flip") ? status : parse_flips(e);
}

static int read_data(cli_evaluation *e)
{
    static const char *const parts[] = {"test", "train", NULL};
    const cli_values *values = e->values;
    const char *name = cli_text(values, "data"), *labels = cli_text(values, "labels");
    int part;
    if (!name)
        return cli_error(values->command, "--data NAME|FILE is needed; see spinney eval --help");
    if (!cli_choice(&part, values, "part", parts))
        return CLI_USAGE;
    if (cli_is_known_data(name)) {
        if (labels)
            return cli_error(values->command, "--labels does not go with the data set %s", name);
        snprintf(e->data_name, sizeof e->data_name, "%s (%s)", name, parts[part]);
        return cli_model_open(&e->data, &e->model, values, name, part == 1);
    }
    if (cli_given(values, "part"))
        return cli_error(values->command, "--part goes with a data set known by name, not a file");
    snprintf(e->data_name, sizeof e->data_name, "%s", name);
    return cli_model_read(&e->data, &e->model, values, name, labels, true);
}

/* ---- computing ---- */

static int score(cli_score *out, const cli_evaluation *e, const int8_t *weights)
{
    const size_t classes = spn_model_classes(e->model.model);
    spn_softmax_model model = cli_model_classifier(&e->model, weights);
    spn_error err = {0};
    out->confusion = calloc(classes * classes, sizeof *out->confusion);
    if (!out->confusion)
        return cli_error(e->values->command, "out of memory") - 1;
    spn_softmax_details details = {.size = sizeof details, .confusion = out->confusion};
    if (spn_softmax_evaluate(&out->scores, &model, e->data, &details, &err))
        return cli_fail(e->values, &err);
    return CLI_OK;
}

static int score_all(cli_evaluation *e)
{
    const spn_model *m = e->model.model;
    e->replicas = calloc(spn_model_replicas(m), sizeof *e->replicas);
    if (!e->replicas)
        return cli_error(e->values->command, "out of memory") - 1;
    int status = score(&e->centre, e, e->model.centre);
    for (size_t a = 0; !status && a < spn_model_replicas(m); a++)
        status = score(&e->replicas[a], e, spn_model_replica(m, a));
    return status;
}

static int flip_all(cli_evaluation *e)
{
    const bool show = !cli_given(e->values, "quiet") && isatty(STDERR_FILENO);
    spn_softmax_model model = cli_model_classifier(&e->model, e->flipped.weights);
    spn_error err = {0};
    const double started = cli_clock();
    spn_status failed = SPN_OK;
    for (size_t j = 0; j < e->flip_count && !failed; j++) {
        if (show)
            fprintf(stderr, "\rflipping weights: %zu of %zu shares, %.0f s ", j, e->flip_count,
                    cli_clock() - started);
        failed = spn_robustness_measure(&e->flips[j], &model, e->flipped.count, e->data,
                                        e->flip_p[j], &e->flip_options, &err);
    }
    e->flip_seconds = cli_clock() - started;
    if (show)
        fprintf(stderr, "\r\033[K");
    return failed ? cli_fail(e->values, &err) : CLI_OK;
}

static int load_model(cli_evaluation *e)
{
    uint64_t trials;
    int status = cli_model_load(&e->model, e->values, e->values->arguments[0]);
    if (!status)
        status = cli_model_pick(&e->flipped, &e->model, e->values, true);
    /* two for each replica: an interval needs a variance */
    if (!status && e->flip_count > 0 &&
        !cli_whole(&trials, e->values, "trials", 2 * e->flipped.count, UINT32_MAX))
        status = CLI_USAGE;
    return status;
}

static int evaluate(cli_evaluation *e)
{
    int status = read_flip_options(e);
    if (!status)
        status = load_model(e);
    if (!status)
        status = read_data(e);
    if (!status)
        status = score_all(e);
    if (!status)
        status = flip_all(e);
    if (!status && cli_given(e->values, "plot"))
        status = cli_evaluation_plot(e, cli_text(e->values, "plot"));
    if (status)
        return status;
    return cli_given(e->values, "json") ? cli_evaluation_json(e) : cli_evaluation_text(e);
}

int cli_eval(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    if (values.argument_count != 1)
        return cli_error(command, "give one model file; see spinney eval --help");
    cli_evaluation e = {.values = &values};
    status = evaluate(&e);
    for (size_t a = 0; e.replicas && a < spn_model_replicas(e.model.model); a++)
        free(e.replicas[a].confusion);
    free(e.replicas);
    free(e.centre.confusion);
    free(e.flip_p);
    free(e.flips);
    spn_dataset_free(e.data);
    cli_model_free(&e.model);
    return status;
}

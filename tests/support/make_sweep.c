/* Makes the folder of a finished sweep, with made-up results, for the tests of reports:
     make_sweep FOLDER [partial|hostile|empty|odd]
   gamma 0, 0.1, .. 0.8 times replicas 3, 5; four runs each; test accuracy and loss, and curves of
   flipped weights. The numbers are arithmetic of the job, so that tests can compute them too. An
   odd one has figures of zeros, of intervals wider than their means, and of no title. */
#include "record/record.h"
#include "sweep/folder.h"
#include <spinney/lab/records.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *const gammas[] = {"0", "0.1", "0.2", "0.4", "0.8"};
static char *const replicas[] = {"3", "5"};
static char *const kernels[] = {"metropolis", "heat \"bath\", odd"};
enum { GAMMAS = 5, REPLICAS = 2, RUNS = 4 };

static void check(spn_status status, const spn_error *err)
{
    if (!status)
        return;
    fprintf(stderr, "make_sweep: %s\n", err->text);
    exit(1);
}

static void write_reference(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/reference", folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/reference/gamma.csv", folder);
    FILE *stream = fopen(path, "w");
    if (!stream)
        exit(1);
    fputs("# made up\n"
          "gamma,replicas,test_accuracy,test_accuracy_half\n"
          "0,3,0.79,0.02\n0.1,3,0.82,0.01\n0.2,3,0.85,\n0.4,3,0.95,0.001\n0.8,3,0.86,0.01\n"
          "1.6,3,0.84,0.01\n0,5,0.81,0.02\n0.1,5,0.84,0.01\n0.4,5,0.88,0.01\n",
          stream);
    fclose(stream);
    snprintf(path, sizeof path, "%s/reference/zeros.csv", folder);
    if (!(stream = fopen(path, "w")))
        exit(1);
    fputs("gamma,energy\n0,0\n0.4,0.0010\n", stream);
    fclose(stream);
}

/* A made-up accuracy: best at gamma 0.4, a little scattered. */
static double accuracy_of(size_t g, size_t r, size_t run)
{
    static const double mean[] = {0.80, 0.83, 0.86, 0.885, 0.87};
    const double scatter = (double)((g * 7 + r * 3 + run * 5) % 11) - 5;
    return mean[g] + 0.01 * (double)r + 0.002 * scatter;
}

static void add_flips(spn_record *record, double accuracy)
{
    enum { ROWS = 4 };
    const double p[ROWS] = {0, 0.01, 0.1, 0.3};
    double values[ROWS];
    for (size_t k = 0; k < ROWS; k++)
        values[k] = 0.1 + (accuracy - 0.1) * (1 - p[k]) * (1 - p[k]);
    const char *const names[] = {"p", "accuracy"};
    const double *const columns[] = {p, values};
    spn_error err = {0};
    check(spn_record_add_curve(record, "flips", 2, names, ROWS, columns, &err), &err);
}

static void append(spn_records_writer *writer, size_t g, size_t r, size_t run, bool odd)
{
    const size_t job = (g * REPLICAS + r) * RUNS + run;
    const double accuracy = accuracy_of(g, r, run);
    spn_error err = {0};
    spn_record record = {.key = job + 1,
                         .seed = (uint64_t)9007199254740993u + job,
                         .run = run + 1,
                         .version = strdup("0.2.0"),
                         .machine = strdup(job % 2 ? "node-1" : "node-2 <b>"),
                         .seconds = 60.5 + (double)job};
    char finished[64];
    snprintf(finished, sizeof finished, "2026-01-31T12:%02zu:00Z", job % 60);
    record.finished = strdup(finished);
    check(spn_record_add_setting(&record, "data", "mnist", &err), &err);
    check(spn_record_add_setting(&record, "gamma", gammas[g], &err), &err);
    check(spn_record_add_setting(&record, "replicas", replicas[r], &err), &err);
    check(spn_record_add_setting(&record, "kernel", kernels[(g + r) % 2], &err), &err);
    check(spn_record_add_result(&record, "test_accuracy", accuracy, &err), &err);
    check(spn_record_add_result(&record, "test_loss", 2 * (1 - accuracy), &err), &err);
    check(spn_record_add_result(&record, "overlap", run == 2 ? NAN : 0.5, &err), &err);
    if (odd) {
        check(spn_record_add_result(&record, "energy", 0, &err), &err);
        check(spn_record_add_result(&record, "wide", run == 0 ? 10.0 + (double)g : 1, &err), &err);
        check(
            spn_record_add_result(&record, "huge", (r ? -2e306 : 2e306) * (double)(g + run), &err),
            &err);
    }
    add_flips(&record, accuracy);
    check(spn_records_append(writer, &record, &err), &err);
    spn_record_clear(&record);
}

static spn_sweep_figure figures[] = {{.name = "test-accuracy",
                                      .title = "Test accuracy",
                                      .x = "gamma",
                                      .by = "replicas",
                                      .value = "test_accuracy",
                                      .also = "test_loss",
                                      .x_label = "γ",
                                      .label = "test accuracy",
                                      .as[SPN_FIGURE_LINES] = true,
                                      .as[SPN_FIGURE_TABLE] = true,
                                      .log_x = true,
                                      .best = SPN_BEST_HIGHEST,
                                      .reference = "gamma.csv",
                                      .reference_name = "paper"},
                                     {.name = "loss-map",
                                      .title = "Test loss",
                                      .x = "gamma",
                                      .by = "replicas",
                                      .value = "test_loss",
                                      .as[SPN_FIGURE_HEAT] = true,
                                      .as[SPN_FIGURE_TABLE] = true,
                                      .best = SPN_BEST_LOWEST},
                                     {.name = "flips",
                                      .title = "Flipped weights",
                                      .x = "flips.p",
                                      .by = "gamma",
                                      .value = "flips.accuracy",
                                      .as[SPN_FIGURE_LINES] = true,
                                      .bands = true,
                                      .label = "accuracy"},
                                     {.name = "kernels",
                                      .title = "Kernels",
                                      .x = "kernel",
                                      .value = "test_loss",
                                      .as[SPN_FIGURE_LINES] = true,
                                      .log_y = true},
                                     {.name = "later",
                                      .title = "Not yet",
                                      .x = "gamma",
                                      .value = "energy",
                                      .as[SPN_FIGURE_LINES] = true}};

static char *no_coupling[] = {"gamma=0"};

static spn_sweep_figure odd_figures[] = {
    {.name = "zeros",
     .x = "gamma",
     .value = "energy",
     .as[SPN_FIGURE_LINES] = true,
     .log_x = true,
     .log_y = true},
    {.name = "at-zero",
     .x = "gamma",
     .value = "test_loss",
     .as[SPN_FIGURE_LINES] = true,
     .log_x = true,
     .where_count = 1,
     .where = no_coupling},
    {.name = "wide", .x = "gamma", .value = "wide", .as[SPN_FIGURE_LINES] = true, .log_y = true},
    {.name = "huge",
     .title = "'Huge'",
     .x = "gamma",
     .by = "replicas",
     .value = "huge",
     .as[SPN_FIGURE_LINES] = true,
     .as[SPN_FIGURE_HEAT] = true},
    {.name = "flips",
     .x = "flips.p",
     .by = "gamma",
     .value = "flips.accuracy",
     .as[SPN_FIGURE_TABLE] = true,
     .best = SPN_BEST_HIGHEST},
    {.name = "exact",
     .x = "gamma",
     .value = "energy",
     .as[SPN_FIGURE_TABLE] = true,
     .reference = "zeros.csv"},
    {.name = "never", .x = "gamma", .value = "nothing", .as[SPN_FIGURE_LINES] = true}};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *kind = argc > 2 ? argv[2] : "";
    const bool hostile = strcmp(kind, "hostile") == 0, odd = strcmp(kind, "odd") == 0;
    char *const hostile_text = "''</script><b>&amp;`touch pwned`' onerror=\"alert(1)\" <!--";
    spn_field fixed[] = {{"data", "mnist"}, {"beta", "100:1000"}};
    spn_axis axes[] = {{.setting = "gamma", .count = GAMMAS, .values = (char **)gammas},
                       {.setting = "replicas", .count = REPLICAS, .values = (char **)replicas}};
    spn_sweep sweep = {.name = "gamma",
                       .title = hostile ? hostile_text : "Influence of γ",
                       .about = hostile ? hostile_text
                                        : "Accuracy against the coupling of the replicas.",
                       .task = "train",
                       .version = "0.2.0",
                       .seed = 1,
                       .runs = RUNS,
                       .fixed_count = 2,
                       .fixed = fixed,
                       .axis_count = 2,
                       .axes = axes,
                       .figure_count = sizeof figures / sizeof *figures,
                       .figures = figures};
    if (odd) {
        sweep.figure_count = sizeof odd_figures / sizeof *odd_figures;
        sweep.figures = odd_figures;
    }
    if (hostile)
        figures[0].title = figures[0].label = figures[0].x_label = figures[0].reference_name =
            hostile_text;
    spn_error err = {0};
    spn_records_writer *writer;
    check(spn_sweep_write(&sweep, argv[1], &err), &err);
    write_reference(argv[1]);
    if (strcmp(kind, "empty") == 0)
        return 0;
    check(spn_records_open(&writer, argv[1], NULL, &err), &err);
    for (size_t g = 0; g < GAMMAS; g++)
        for (size_t r = 0; r < REPLICAS; r++)
            for (size_t run = 0; run < RUNS; run++)
                if (strcmp(kind, "partial") != 0 || g < 3)
                    append(writer, g, r, run, odd);
    spn_records_close(writer);
    return 0;
}

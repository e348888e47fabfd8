/* Makes the folder of a sweep for the tests of the command line, without running anything:
     make_records FOLDER [train|anneal|eval [DONE [PART]]]
   DONE: how many of its runs are finished (all), into the manifest of a part. The results are made
   up from the number of the run. */
#include "record/record.h"
#include "sweep/folder.h"
#include <spinney/lab/lab.h>
#include <spinney/spinney.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3 };

static spn_error err;

static void need(spn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "make_records: %s\n", err.text);
    exit(1);
}

/* ---- the sweeps ---- */

static char *GAMMAS[] = {"0", "0.1", "1.6"}, *REPLICAS[] = {"3", "10"}, *ENERGIES[] = {"bits"};

static spn_axis TRAIN_AXES[] = {{.setting = "gamma", .count = 3, .values = GAMMAS},
                                {.setting = "replicas", .count = 2, .values = REPLICAS}};
static spn_axis ANNEAL_AXES[] = {{.setting = "energy", .count = 1, .values = ENERGIES},
                                 {.setting = "gamma", .count = 3, .values = GAMMAS}};
static spn_field TRAIN_FIXED[] = {{"data", "a, \"b\"\nγ.csv"}, {"steps", "20000"}};
static spn_field EVAL_FIXED[] = {{"model", "m.spn"}};

static const spn_sweep SWEEPS[] = {
    {.name = "gamma",
     .title = "Influence of γ",
     .task = "train",
     .version = "1.2.3",
     .seed = 1,
     .runs = RUNS,
     .fixed_count = 2,
     .fixed = TRAIN_FIXED,
     .axis_count = 2,
     .axes = TRAIN_AXES},
    {.name = "bits",
     .task = "anneal",
     .version = "1.2.3",
     .runs = RUNS,
     .axis_count = 2,
     .axes = ANNEAL_AXES},
    {.name = "one",
     .task = "eval",
     .version = "1.2.3",
     .runs = RUNS,
     .fixed_count = 1,
     .fixed = EVAL_FIXED},
};

/* ---- their runs ---- */

static void add(spn_record *record, const char *name, double value)
{
    need(spn_record_add_result(record, name, value, &err));
}

static void add_settings(spn_record *record, const spn_sweep *sweep, size_t point)
{
    for (size_t k = 0; k < sweep->fixed_count; k++)
        need(spn_record_add_setting(record, sweep->fixed[k].name, sweep->fixed[k].text, &err));
    for (size_t k = sweep->axis_count; k-- > 0;) {
        const spn_axis *axis = &sweep->axes[k];
        need(
            spn_record_add_setting(record, axis->setting, axis->values[point % axis->count], &err));
        point /= axis->count;
    }
}

static void add_train(spn_record *record, double x)
{
    const double p[] = {0, 0.1}, accuracy[] = {0.9 + x / 1000, 1.0 / 3};
    const double *const values[] = {p, accuracy};
    const char *const names[] = {"p", "accuracy"};
    add(record, "train_loss", 0.5 - 0.01 * x);
    add(record, "train_accuracy", 0.9 + 0.001 * x);
    add(record, "validation_loss", NAN);
    add(record, "test_loss", 0.6 - 0.0123456789 * x);
    add(record, "test_accuracy", 0.875);
    add(record, "active", 1000 + 321.5 * x);
    add(record, "overlap", 1e-12 * x);
    need(spn_record_add_curve(record, "flips", 2, names, 2, values, &err));
}

static void add_results(spn_record *record, const char *task, double x)
{
    if (strcmp(task, "train") == 0) {
        add_train(record, x);
    } else if (strcmp(task, "anneal") == 0) {
        add(record, "energy", x);
        add(record, "best_energy", floor(x / 2));
        add(record, "solved", x < 3);
        add(record, "first_hit_steps", x < 3 ? 100 * x + 1 : NAN);
        record->first_hit_seconds = 0.5;
    } else {
        add(record, "accuracy", 0.9 + 0.001 * x);
    }
}

static void append(spn_records_writer *writer, const spn_sweep *sweep, size_t job)
{
    char machine[] = "node-1";
    spn_record record = {.key = 0x9e3779b97f4a7c15u * (job + 1),
                         .seed = 1000 + job,
                         .run = job % sweep->runs + 1,
                         .seconds = 0.25 + (double)job};
    machine[5] = (char)('1' + job % 2);
    record.version = strdup(sweep->version);
    record.machine = strdup(machine);
    record.finished = strdup("2026-01-31T12:00:00Z");
    add_settings(&record, sweep, job / sweep->runs);
    add_results(&record, sweep->task, (double)job);
    need(spn_records_append(writer, &record, &err));
    spn_record_clear(&record);
}

int main(int argc, char **argv)
{
    const char *task = argc > 2 ? argv[2] : "train";
    const spn_sweep *sweep = NULL;
    for (size_t k = 0; k < sizeof SWEEPS / sizeof *SWEEPS; k++)
        if (strcmp(SWEEPS[k].task, task) == 0)
            sweep = &SWEEPS[k];
    if (argc < 2 || !sweep) {
        fprintf(stderr, "usage: make_records FOLDER [train|anneal|eval [DONE [PART]]]\n");
        return 2;
    }
    const size_t done = argc > 3 ? strtoul(argv[3], NULL, 10) : spn_sweep_jobs(sweep);
    spn_records_writer *writer;
    need(spn_sweep_write(sweep, argv[1], &err));
    need(spn_records_open(&writer, argv[1], argc > 4 ? argv[4] : NULL, &err));
    for (size_t k = 0; k < done; k++)
        append(writer, sweep, k);
    spn_records_close(writer);
    return 0;
}

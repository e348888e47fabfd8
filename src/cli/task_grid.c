/* Grids at the shell: a job at several values of its settings, run in memory, with the records
   printed as `spinney records` prints those of a folder, and results drawn against a setting. */
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/task.h"
#include "sweep/in_memory.h"

#include <math.h>
#include <spinney/lab/plot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the figure ---- */

/* Of a complete grid: the first axis is drawn along x, and each combination of the others is a
   curve, for each result. */
typedef struct drawing {
    const spn_records *records;
    size_t names;    /* results */
    char **name;     /* which point into text */
    size_t curves;   /* of each result */
    double *numbers; /* x, then the values of all curves */
    char (*labels)[160];
    spn_curve *curve;
} drawing;

static size_t x_count(const drawing *d)
{
    return d->records->sweep->axes[0].count;
}

/* The mean over the runs of point x of a curve. */
static double mean_at(const drawing *d, const char *name, size_t curve, size_t x)
{
    const size_t runs = d->records->sweep->runs;
    const spn_record *first = &d->records->records[(x * d->curves + curve) * runs];
    double sum = 0;
    for (size_t r = 0; r < runs; r++)
        sum += spn_record_number(&first[r], name);
    return sum / (double)runs;
}

static void label_curve(char out[160], const drawing *d, size_t name, size_t curve)
{
    const spn_sweep *sweep = d->records->sweep;
    size_t used = 0;
    if (d->names > 1 || sweep->axis_count == 1)
        used = (size_t)snprintf(out, 160, "%s", d->name[name]);
    for (size_t k = 1; k < sweep->axis_count && used < 160; k++)
        used += (size_t)snprintf(
            out + used, 160 - used, "%s%s %s", used ? ", " : "", sweep->axes[k].setting,
            spn_record_setting(&d->records->records[curve * sweep->runs], sweep->axes[k].setting));
}

static bool fill_curves(drawing *d)
{
    const size_t points = x_count(d), count = d->names * d->curves;
    d->numbers = calloc((count + 1) * points, sizeof *d->numbers);
    d->labels = calloc(count, sizeof *d->labels);
    d->curve = calloc(count, sizeof *d->curve);
    if (!d->numbers || !d->labels || !d->curve)
        return false;
    for (size_t x = 0; x < points; x++)
        d->numbers[x] =
            spn_record_number(&d->records->records[x * d->curves * d->records->sweep->runs],
                              d->records->sweep->axes[0].setting);
    for (size_t k = 0; k < count; k++) {
        double *y = d->numbers + (k + 1) * points;
        for (size_t x = 0; x < points; x++)
            y[x] = mean_at(d, d->name[k / d->curves], k % d->curves, x);
        label_curve(d->labels[k], d, k / d->curves, k % d->curves);
        d->curve[k] = (spn_curve){d->labels[k], points, d->numbers, y};
    }
    return true;
}

/* The settings of a point of the grid, "alpha 0.2, gamma 1". */
static void label_point(char out[160], const drawing *d, const char *name, size_t point)
{
    const spn_sweep *sweep = d->records->sweep;
    const spn_record *record = &d->records->records[point * sweep->runs];
    size_t used = d->names > 1 ? (size_t)snprintf(out, 160, "%s", name) : 0;
    for (size_t k = 0; k < sweep->axis_count && used < 160; k++)
        used += (size_t)snprintf(out + used, 160 - used, "%s%s %s", used ? ", " : "",
                                 sweep->axes[k].setting,
                                 spn_record_setting(record, sweep->axes[k].setting));
}

/* How each result is spread over the runs of each point. */
static int draw_spread(drawing *d, const cli_values *values)
{
    const spn_sweep *sweep = d->records->sweep;
    const size_t points = spn_sweep_jobs(sweep) / sweep->runs, count = points * d->names;
    char words[SPN_NAME_WORDS];
    spn_sample *samples = calloc(count, sizeof *samples);
    const char **names = calloc(count, sizeof *names);
    d->numbers = calloc(count * sweep->runs, sizeof *d->numbers);
    d->labels = calloc(count, sizeof *d->labels);
    int status = CLI_FAILED;
    if (!samples || !names || !d->numbers || !d->labels) {
        cli_error(values->command, "out of memory for the figure");
        goto cleanup;
    }
    for (size_t k = 0; k < count; k++) {
        double *own = d->numbers + k * sweep->runs;
        const size_t point = k % points;
        for (size_t r = 0; r < sweep->runs; r++)
            own[r] = spn_record_number(&d->records->records[point * sweep->runs + r],
                                       d->name[k / points]);
        label_point(d->labels[k], d, d->name[k / points], point);
        samples[k] = (spn_sample){own, sweep->runs};
        names[k] = d->labels[k];
    }
    status =
        cli_plot_samples(values, samples, names, count, sweep->name,
                         d->names > 1 ? "" : spn_task_words(words, sweep->task, d->name[0], false));
cleanup:
    free(samples);
    free(names);
    return status;
}

static int draw(drawing *d, const cli_values *values)
{
    const spn_sweep *sweep = d->records->sweep;
    char x_words[SPN_NAME_WORDS], words[SPN_NAME_WORDS];
    spn_error err = {0};
    if (cli_flag(values, "histogram"))
        return draw_spread(d, values);
    d->curves = spn_sweep_jobs(sweep) / sweep->runs / x_count(d);
    if (!fill_curves(d)) {
        cli_error(values->command, "out of memory for the figure");
        return CLI_FAILED;
    }
    for (size_t x = 0; x < x_count(d); x++)
        if (isnan(d->numbers[x]))
            return cli_error(values->command,
                             "--plot: %s is not a number to draw against; give "
                             "another --grid first",
                             sweep->axes[0].setting);
    const spn_figure figure = {
        .title = sweep->name,
        .x_label = spn_task_words(x_words, sweep->task, sweep->axes[0].setting, true),
        .y_label = d->names == 1 ? spn_task_words(words, sweep->task, d->name[0], false) : "",
        .log_y = cli_flag(values, "log"),
        .count = d->names * d->curves,
        .curves = d->curve};
    return spn_figure_file(&figure, cli_text(values, "plot"), &err) ? cli_fail(values, &err)
                                                                    : CLI_OK;
}

/* Results, and the times of runs. */
static bool is_drawn(const spn_view *view, const char *name)
{
    const spn_name_kind kind = spn_view_kind(view, name);
    return kind == SPN_NAME_RESULT || (kind == SPN_NAME_NUMBER && strstr(name, "seconds"));
}

/* The results to draw are those that the table shows, as far as they are numbers. */
static int plot(const cli_values *values, const spn_view *view)
{
    drawing d = {.records = view->all, .name = calloc(view->column_count + 1, sizeof(char *))};
    int status = CLI_FAILED;
    for (size_t k = 0; d.name && k < view->column_count; k++)
        if (is_drawn(view, view->columns[k]))
            d.name[d.names++] = (char *)view->columns[k];
    if (!d.name)
        cli_error(values->command, "out of memory for the figure");
    else if (d.names == 0)
        status = cli_error(values->command, "--plot: give the results to draw: --y NAME,...");
    else
        status = draw(&d, values);
    free(d.name);
    free(d.numbers);
    free(d.labels);
    free(d.curve);
    return status;
}

/* ---- the runs ---- */

/* Errors of the view are about what --y has named. */
static int fail_view(const cli_values *values, spn_error *err)
{
    static const char columns[] = "columns: ";
    if (strncmp(err->text, columns, strlen(columns)) == 0)
        return cli_error(values->command, "--y: %s", err->text + strlen(columns));
    return cli_fail(values, err);
}

static int show(const cli_values *values, const spn_records *records)
{
    const char *usual[SPN_MAIN_QUANTITIES + 1];
    const spn_view_options options = {.columns = cli_text(values, "y"), .usual = usual};
    const bool json = cli_flag(values, "json");
    cli_records_view view = {.values = values, .options = &options, .list = json};
    const bool complete = records->count == spn_sweep_jobs(records->sweep);
    spn_error err = {0};
    int status;
    spn_task_main_quantities(usual, records->sweep->task);
    if (spn_view_make(&view.view, records, &options, &err))
        status = fail_view(values, &err);
    else
        status = json ? cli_records_json(&view) : cli_records_print(&view);
    if (!status && complete && cli_given(values, "plot"))
        status = plot(values, &view.view);
    spn_view_clear(&view.view);
    if (status || complete)
        return status;
    cli_error(values->command, "interrupted");
    return CLI_INTERRUPTED;
}

static void observe(void *context, const spn_sweep_progress *progress)
{
    cli_progress_sweep(context, progress);
}

int cli_task_grid(const cli_values *values, const spn_job *job, spn_inputs *inputs)
{
    const char *axes[CLI_MAX_GIVEN];
    const size_t count = cli_texts(axes, values, "grid");
    cli_progress progress = cli_progress_start(cli_flag(values, "quiet"));
    uint64_t runs;
    spn_sweep *sweep;
    spn_records *records = NULL;
    spn_error err = {0};
    cli_value(&runs, values, "runs");
    if (spn_sweep_around(&sweep, job, axes, count, (size_t)runs, &err))
        return cli_fail_about(values, "--grid", &err);
    const spn_in_memory_options options = {.inputs = inputs,
                                           .threads = spn_sweep_default_threads(),
                                           .details = cli_flag(values, "json"),
                                           .stop = &cli_interrupted,
                                           .observer = observe,
                                           .observer_context = &progress};
    cli_catch_signals();
    const spn_status failed = spn_sweep_run_in_memory(&records, sweep, &options, &err);
    cli_progress_end(&progress);
    const int status = failed ? cli_fail(values, &err) : show(values, records);
    spn_records_free(records);
    return status;
}

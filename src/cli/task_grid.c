/* Grids at the shell: run a sweep around a job, print its records as `spinney records` does, and
   draw results against a setting. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/table.h"
#include "cli/task.h"
#include "cli/terminal.h"
#include "query/query.h"
#include "sweep/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    const spn_sweep *sweep;
    const spn_groups *points;
    size_t names;      /* results */
    const char **name; /* of the view */
    double *numbers;
    char (*labels)[160];
    spn_curve *curves;
} drawing;

/* "alpha 0.2, gamma 1" without the first `from` axes; the result comes first if there are several,
   or if nothing else is left. */
static void label(char out[160], const drawing *d, const char *name, size_t point, size_t from)
{
    const spn_record *record = d->points->groups[point].members[0].record;
    snprintf(out, 160, "%s", d->names > 1 || from == d->sweep->axis_count ? name : "");
    for (size_t k = from; k < d->sweep->axis_count; k++) {
        const char *setting = d->sweep->axes[k].setting;
        spn_print_more(out, 160, "%s%s %s", *out ? ", " : "", setting,
                       spn_record_setting(record, setting));
    }
}

static bool make_room(drawing *d, size_t curves, size_t numbers)
{
    d->numbers = calloc(numbers + 1, sizeof *d->numbers);
    d->labels = calloc(curves + 1, sizeof *d->labels);
    d->curves = calloc(curves + 1, sizeof *d->curves);
    return d->numbers && d->labels && d->curves;
}

/* Each result against the first axis, a curve for each combination of the others. */
static spn_status fill_means(drawing *d, spn_figure *out, spn_error *err)
{
    const size_t width = d->sweep->axes[0].count, each = d->points->count / width;
    spn_summary mean;
    SPN_NEED(make_room(d, d->names * each, (d->names * each + 1) * width), err, "the figure");
    for (size_t x = 0; x < width; x++) {
        d->numbers[x] = spn_observation_number(d->points->groups[x * each].members[0],
                                               d->sweep->axes[0].setting);
        if (isnan(d->numbers[x]))
            return spn_refuse(err,
                              "plot: %s is not a number to draw against; give another --grid first",
                              d->sweep->axes[0].setting);
    }
    for (size_t k = 0; k < d->names * each; k++) {
        const char *name = d->name[k / each];
        double *y = d->numbers + (k + 1) * width;
        for (size_t x = 0; x < width; x++) {
            const spn_group *point = &d->points->groups[x * each + k % each];
            SPN_TRY(spn_group_summarise(&mean, point, name, false, err));
            y[x] = mean.count > 0 ? mean.mean : NAN;
        }
        label(d->labels[k], d, name, k % each, 1);
        d->curves[k] = (spn_curve){d->labels[k], width, d->numbers, y};
    }
    out->count = d->names * each;
    return SPN_OK;
}

/* Values of each result in the runs of each point. */
static spn_status fill_values(drawing *d, spn_figure *out, spn_error *err)
{
    const size_t runs = d->sweep->runs, points = d->points->count;
    SPN_NEED(make_room(d, d->names * points, d->names * points * runs), err, "the figure");
    for (size_t k = 0; k < d->names * points; k++) {
        const spn_group *point = &d->points->groups[k % points];
        double *y = d->numbers + k * runs;
        for (size_t r = 0; r < point->count; r++)
            y[r] = spn_observation_number(point->members[r], d->name[k / points]);
        label(d->labels[k], d, d->name[k / points], k % points, 0);
        d->curves[k] = (spn_curve){d->labels[k], point->count, NULL, y};
    }
    out->count = d->names * points;
    return SPN_OK;
}

static int draw(drawing *d, const cli_values *values)
{
    char x_words[SPN_NAME_WORDS], words[SPN_NAME_WORDS];
    const char *task = d->sweep->task;
    const bool spread = cli_flag(values, "histogram");
    spn_figure figure = {.title = d->sweep->name,
                         .x_label = spn_task_words(x_words, task, d->sweep->axes[0].setting, true),
                         .y_label =
                             d->names == 1 ? spn_task_words(words, task, d->name[0], false) : "",
                         .log_y = cli_flag(values, "log") && !spread};
    spn_error err = {0};
    if (spread ? fill_values(d, &figure, &err) : fill_means(d, &figure, &err))
        return cli_fail(values, &err);
    figure.curves = d->curves;
    return cli_draw_file(values, &figure, spread);
}

static bool is_drawn(const spn_view *view, const char *name)
{
    const spn_name_kind kind = spn_view_kind(view, name);
    return kind == SPN_NAME_RESULT || (kind == SPN_NAME_NUMBER && strstr(name, "seconds"));
}

static int plot(const cli_values *values, const spn_view *view)
{
    spn_groups points = {0};
    drawing d = {.sweep = view->all->sweep, .points = &points};
    spn_error err = {0};
    int status;
    if (!(d.name = calloc(view->column_count + 1, sizeof *d.name)))
        return cli_no_memory(values->command);
    for (size_t k = 0; k < view->column_count; k++)
        if (is_drawn(view, view->columns[k]))
            d.name[d.names++] = view->columns[k];
    if (d.names == 0)
        status = cli_error(values->command, "--plot: give the results to draw: --y NAME,...");
    else if (spn_view_group(&points, view, &err))
        status = cli_fail(values, &err);
    else
        status = draw(&d, values);
    spn_groups_clear(&points);
    SPN_FREE_ALL(d.name, d.numbers, d.labels, d.curves);
    return status;
}

/* Errors of the view are about --y. */
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
    spn_view view;
    const bool complete = records->count == spn_sweep_jobs(records->sweep);
    spn_error err = {0};
    int status;
    spn_task_main_quantities(usual, records->sweep->task);
    if (spn_view_make(&view, records, &options, &err))
        status = fail_view(values, &err);
    else
        status = json ? cli_records_json(values, &view, &options, true)
                      : cli_records_print(values, &view, &options, false);
    if (!status && complete && cli_given(values, "plot"))
        status = plot(values, &view);
    spn_view_clear(&view);
    if (status || complete)
        return status;
    cli_error(values->command, "interrupted");
    return CLI_INTERRUPTED;
}

int cli_task_grid(const cli_values *values, const spn_job *job)
{
    const char *axes[CLI_MAX_GIVEN];
    const size_t count = cli_texts(axes, values, "grid");
    cli_progress progress = cli_progress_start(cli_flag(values, "quiet"));
    uint64_t runs;
    spn_sweep *sweep;
    spn_records *records = NULL;
    spn_error err = {0};
    if (spn_sweep_ranks() != 1)
        return cli_error(values->command, "--grid runs in one process; under mpirun use spinney "
                                          "sweep");
    cli_value(&runs, values, "runs");
    if (spn_sweep_around(&sweep, job, axes, count, (size_t)runs, &err))
        return cli_fail_about(values, "--grid", &err);
    sweep->keep.replicas = cli_flag(values, "json");
    const spn_sweep_options options = {.threads = spn_sweep_default_threads(),
                                       .stop = &cli_interrupted,
                                       .observer = cli_progress_sweep,
                                       .observer_context = &progress};
    cli_catch_signals();
    const spn_status failed = spn_sweep_run_unseen(&records, sweep, &options, &err);
    cli_progress_end(&progress);
    const int status = failed ? cli_fail(values, &err) : show(values, records);
    spn_records_free(records);
    spn_sweep_free(sweep);
    return status;
}

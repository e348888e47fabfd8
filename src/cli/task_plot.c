/* Draw the curves of a run in the terminal and into files. */
#include "cli/task.h"
#include "cli/terminal.h"
#include "job/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DRAWN = 16 };

static const spn_quantity *quantity_of(const spn_task *task, const spn_result_curve *curve,
                                       size_t column)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s", curve->name, curve->names[column]);
    return spn_quantity_find(task, name);
}

bool cli_is_detail(const spn_task *task, const spn_result_curve *curve)
{
    const spn_quantity *q = quantity_of(task, curve, 0);
    return q && q->flags & SPN_QUANTITY_DETAIL;
}

/* Drawn against the first column by default: the last one with a label, because error bars have
   none. */
static size_t main_column(const spn_task *task, const spn_result_curve *curve)
{
    size_t column = curve->columns - 1;
    for (size_t c = 1; c < curve->columns; c++) {
        const spn_quantity *q = quantity_of(task, curve, c);
        if (q && q->label)
            column = c;
    }
    return column;
}

static void add_column(spn_figure *figure, spn_curve *curves, const spn_result_curve *curve,
                       size_t column)
{
    if (column != SIZE_MAX && figure->count < MOST_DRAWN)
        curves[figure->count++] =
            (spn_curve){curve->names[column], curve->rows, curve->values[0], curve->values[column]};
}

static spn_figure make_figure(spn_curve curves[MOST_DRAWN], const spn_task *task,
                              const spn_result_curve *curve, const size_t *columns, size_t count,
                              bool interval)
{
    const spn_quantity *x = quantity_of(task, curve, 0);
    const spn_quantity *y = quantity_of(task, curve, columns[0]);
    spn_figure figure = {.title = curve->name,
                         .x_label = x && x->label ? x->label : curve->names[0],
                         .y_label = count > 1       ? ""
                                    : y && y->label ? y->label
                                                    : curve->names[columns[0]],
                         .curves = curves};
    if (count == 1 && interval) {
        add_column(&figure, curves, curve, spn_result_curve_column(curve, "low"));
        add_column(&figure, curves, curve, spn_result_curve_column(curve, "high"));
    }
    for (size_t k = 0; k < count; k++)
        add_column(&figure, curves, curve, columns[k]);
    return figure;
}

bool cli_draw_curve(const spn_task *task, const spn_result_curve *curve)
{
    enum { HEIGHT = 16 };
    spn_curve curves[MOST_DRAWN];
    char *text = NULL;
    if (curve->rows < 2 || curve->columns < 2)
        return true;
    const size_t column = main_column(task, curve);
    const spn_figure figure = make_figure(curves, task, curve, &column, 1, true);
    const spn_status status =
        spn_figure_text(&text, &figure, cli_terminal_width(STDOUT_FILENO, 30, 120), HEIGHT,
                        isatty(STDOUT_FILENO), NULL);
    if (!status)
        printf("\n%s", text);
    free(text);
    return status != SPN_ERROR_MEMORY;
}

int cli_check_figure(const cli_values *values)
{
    const char *path = cli_text(values, "plot"), *dot = path ? strrchr(path, '.') : NULL;
    if (!path || (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".pdf") || !strcmp(dot, ".png"))))
        return CLI_OK;
    return cli_error(values->command, "--plot: %s: a figure's name ends in .svg, .pdf or .png",
                     path);
}

static const char *result_name(const void *task, size_t i)
{
    spn_quantity_walk walk = spn_quantity_walk_start(((const spn_task *)task)->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name && i-- == 0)
            return walk.row->name;
    return NULL;
}

static bool has_curve(const spn_task *task, const void *plan)
{
    spn_quantity_walk walk = spn_quantity_walk_start(task->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name && walk.row->kind == SPN_QUANTITY_COLUMN &&
            !(walk.row->flags & SPN_QUANTITY_DETAIL) &&
            !spn_result_needs(task, plan, walk.row->name))
            return true;
    return false;
}

static int check_column(const cli_values *values, const void *plan, const char *name)
{
    const spn_task *task = values->command->task;
    const spn_quantity *q = spn_quantity_find(task, name);
    char text[SPN_ERROR_TEXT];
    const char *why = q ? spn_result_needs(task, plan, name) : NULL;
    const char *nearest = q ? NULL : spn_nearest_word(name, result_name, task);
    if (why)
        return cli_error(values->command, "--y: %s needs %s", name, cli_phrase(text, why));
    if (q && q->kind == SPN_QUANTITY_COLUMN)
        return CLI_OK;
    if (q)
        return cli_error(values->command,
                         "--y: %s is no column of a curve; --grid NAME=VALUES draws it against a "
                         "setting",
                         name);
    return cli_error(values->command, "--y: there is no result '%s'%s%s%s", name,
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* Name k of --y, such as flips.accuracy; false past the last. */
static bool drawn_name(char out[96], const cli_values *values, size_t k)
{
    const char *text = cli_text(values, "y");
    for (; text && k > 0; k--)
        text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL;
    if (text)
        snprintf(out, 96, "%.*s", (int)strcspn(text, ","), text);
    return text != NULL;
}

/* Whether --plot draws the trace: there is no curve, or --y names a column of the trace. */
static bool draws_trace(const cli_values *values, const void *plan)
{
    static const char *const columns[] = {"energy", "best",    "best_energy", "acceptance",
                                          "beta",   "overlap", "gamma",       "seconds"};
    const spn_task *task = values->command->task;
    const char *y = cli_given(values, "y") ? cli_text(values, "y") : NULL;
    if (!task->chain || !cli_given(values, "trace"))
        return false;
    for (size_t k = 0; y && k < sizeof columns / sizeof *columns; k++)
        if (strcmp(y, columns[k]) == 0)
            return true;
    return !y && !has_curve(task, plan);
}

static int check_trace(const cli_values *values)
{
    const bool chain = values->command->task->chain;
    if (chain && cli_given(values, "trace"))
        return strcmp(cli_text(values, "trace"), "-") == 0
                   ? cli_error(values->command, "--plot: needs a trace in a file, not -")
                   : CLI_OK;
    return cli_error(values->command,
                     "--plot: this run has no curve; give %sa setting that measures one, such as "
                     "--flip, or --grid NAME=VALUES",
                     chain ? "--trace FILE to draw its energies, " : "");
}

int cli_check_plot(const cli_values *values, const void *plan)
{
    char first[96], name[96];
    int status = CLI_OK;
    if (!cli_given(values, "plot"))
        return CLI_OK;
    if (draws_trace(values, plan) ||
        (!cli_given(values, "y") && !has_curve(values->command->task, plan)))
        return check_trace(values);
    drawn_name(first, values, 0);
    for (size_t k = 0; !status && drawn_name(name, values, k); k++) {
        status = check_column(values, plan, name);
        if (!status && (strcspn(name, ".") != strcspn(first, ".") ||
                        strncmp(name, first, strcspn(name, ".")) != 0))
            status = cli_error(values->command, "--y: %s and %s are of two curves", first, name);
        if (!status && k == MOST_DRAWN)
            status = cli_error(values->command, "--y: more than %d columns", MOST_DRAWN);
    }
    return status;
}

/* The curve to draw and its columns; NULL if an interrupted run has none. */
static const spn_result_curve *find_drawn(size_t columns[MOST_DRAWN], size_t *count,
                                          const cli_values *values, const spn_call *call)
{
    const spn_task *task = call->job.task;
    char name[96];
    *count = 0;
    for (size_t k = 0; k < call->record.curve_count; k++) {
        const spn_result_curve *curve = &call->record.curves[k];
        const size_t length = strlen(curve->name);
        if (!cli_given(values, "y") && !cli_is_detail(task, curve) && curve->columns > 1 &&
            !spn_quantity_find(task, curve->name))
            columns[(*count)++] = main_column(task, curve);
        while (drawn_name(name, values, *count) && *count < MOST_DRAWN &&
               strncmp(name, curve->name, length) == 0 && name[length] == '.' &&
               spn_result_curve_column(curve, name + length + 1) != SIZE_MAX)
            columns[(*count)++] = spn_result_curve_column(curve, name + length + 1);
        if (*count > 0)
            return curve;
    }
    return NULL;
}

int cli_task_plot(const cli_values *values, const spn_call *call)
{
    const bool histogram = cli_flag(values, "histogram");
    size_t columns[MOST_DRAWN], count;
    spn_curve curves[MOST_DRAWN];
    char full[160], words[SPN_NAME_WORDS];
    if (draws_trace(values, call->plan))
        return cli_draw_trace(values, cli_text(values, "trace"),
                              cli_given(values, "y") ? cli_text(values, "y") : NULL);
    const spn_result_curve *curve = find_drawn(columns, &count, values, call);
    if (!curve)
        return call->outcome.complete ? cli_error(values->command, "--plot: the run has no curve")
                                      : CLI_OK;
    spn_figure figure = make_figure(curves, call->job.task, curve, columns, count, !histogram);
    if (histogram && count == 1) {
        snprintf(full, sizeof full, "%s.%s", curve->name, curve->names[columns[0]]);
        figure.y_label = spn_task_words(words, call->job.task->name, full, false);
    }
    figure.log_y = cli_flag(values, "log") && !histogram;
    return cli_draw_file(values, &figure, histogram);
}

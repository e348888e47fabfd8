/* What a job found, for people: its settings, a table of the replicas, the other numbers, curves as
   tables and in the terminal, and notes. All of it follows the tables of the task. */
#include "cli/records.h"
#include "cli/table.h"
#include "cli/task.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/lab/plot.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the head ---- */

static void print_rate(const cli_task_result *result)
{
    const spn_outcome *o = &result->outcome;
    const double seconds = o->seconds > 0 ? o->seconds : 1e-9;
    if (!result->job->task->chain) {
        printf("%.2f s\n", o->seconds);
        return;
    }
    if (o->resumed_step)
        printf("went on from step %" PRIu64 "; ", o->resumed_step);
    printf("%" PRIu64 " steps, %" PRIu64 " proposals in %.2f s (%.3g per second)%s\n", o->step,
           o->proposals, o->seconds, (double)o->proposals / seconds,
           o->complete ? "" : "; interrupted: these are the results so far");
}

/* Every setting, as cmdstan does: what was given, and what was not. */
static void print_head(const cli_task_result *result)
{
    const spn_record *record = &result->record;
    printf("spinney %s %s: %s\n", spn_version(), result->job->task->name,
           record->note_count ? record->notes[0] : result->job->task->summary);
    cli_print_fields("", record->settings, record->setting_count);
    cli_print_fields("by default ", result->resolved.settings, result->resolved.setting_count);
    printf("seed %" PRIu64 "; ", record->seed);
    print_rate(result);
}

/* ---- the table of the replicas ---- */

/* The result PREFIX_NAME, or NaN. */
static double prefixed(const spn_record *record, const char *prefix, const char *name)
{
    char full[96];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    return spn_record_number(record, full);
}

static double mean_of(const spn_result_curve *curve, size_t column)
{
    double sum = 0;
    for (size_t r = 0; r < curve->rows; r++)
        sum += curve->values[column][r];
    return sum / (double)curve->rows;
}

/* Whether the best and the centre have a row: where the results hold such a number, and it is not a
   column itself. */
static double special(const spn_record *record, const spn_result_curve *curve, const char *row,
                      size_t column)
{
    char full[96];
    snprintf(full, sizeof full, "%s_%s", row, curve->names[column]);
    if (spn_result_curve_column(curve, full) != SIZE_MAX)
        return NAN;
    return prefixed(record, row, curve->names[column]);
}

static void add_special(cli_table *table, const spn_record *record, const spn_result_curve *curve,
                        const char *row)
{
    bool any = false;
    for (size_t c = 0; c < curve->columns; c++)
        any = any || !isnan(special(record, curve, row, c));
    if (!any)
        return;
    cli_table_text(table, row);
    for (size_t c = 0; c < curve->columns; c++)
        cli_table_exact(table, special(record, curve, row, c));
}

static bool print_replicas(const spn_record *record, const spn_result_curve *curve)
{
    cli_table *table = cli_table_create();
    char name[32];
    if (!table)
        return false;
    cli_table_column(table, "replica", false);
    for (size_t c = 0; c < curve->columns; c++)
        cli_table_column(table, curve->names[c], true);
    for (size_t r = 0; r < curve->rows; r++) {
        snprintf(name, sizeof name, "%zu", r + 1);
        cli_table_text(table, name);
        for (size_t c = 0; c < curve->columns; c++)
            cli_table_exact(table, curve->values[c][r]);
    }
    if (curve->rows > 1) {
        cli_table_text(table, "mean");
        for (size_t c = 0; c < curve->columns; c++)
            cli_table_exact(table, mean_of(curve, c));
        add_special(table, record, curve, "centre");
        add_special(table, record, curve, "best");
    }
    putchar('\n');
    const bool ok = cli_table_print(table);
    cli_table_free(table);
    return ok;
}

/* ---- the other numbers ---- */

/* Whether the table of the replicas shows a result already. */
static bool is_shown(const spn_record *record, const char *name)
{
    const spn_result_curve *curve = spn_record_curve(record, "replicas");
    if (!curve || curve->rows < 2)
        return false;
    for (size_t c = 0; c < curve->columns; c++) {
        char full[2][96];
        snprintf(full[0], sizeof full[0], "centre_%s", curve->names[c]);
        snprintf(full[1], sizeof full[1], "best_%s", curve->names[c]);
        const bool column = spn_result_curve_column(curve, name) != SIZE_MAX;
        if (!column && (strcmp(full[0], name) == 0 || strcmp(full[1], name) == 0))
            return true;
        const double mean = mean_of(curve, c), value = spn_record_number(record, name);
        if (strcmp(curve->names[c], name) == 0 && fabs(value - mean) <= 1e-12 * fabs(mean))
            return true;
    }
    return false;
}

static const char *label_of(const spn_quantity *q)
{
    return q->label ? q->label : q->help ? q->help : "";
}

static bool print_numbers(const cli_task_result *result)
{
    const spn_record *record = &result->record;
    cli_table *table = cli_table_create();
    if (!table)
        return false;
    cli_table_column(table, "result", false);
    cli_table_column(table, "value", true);
    cli_table_column(table, "what it is", false);
    for (const spn_quantity *q = result->job->task->results; q->name || q->help; q++) {
        const double value = q->name ? spn_record_number(record, q->name) : NAN;
        const char *text = q->name ? spn_record_text(record, q->name) : NULL;
        if (!q->name || (!text && (q->kind != SPN_QUANTITY_NUMBER || isnan(value))) ||
            (!text && is_shown(record, q->name)))
            continue;
        cli_table_text(table, q->name);
        if (text)
            cli_table_word(table, text);
        else
            cli_table_exact(table, value);
        cli_table_text(table, label_of(q));
    }
    putchar('\n');
    const bool ok = cli_table_print(table);
    cli_table_free(table);
    return ok;
}

/* ---- curves and matrices ---- */

static bool print_matrix(const spn_result_curve *m)
{
    enum { MOST = 24 };
    cli_table *table = cli_table_create();
    if (!table)
        return false;
    printf("\n%s: rows are labels, columns predictions\n", m->name);
    if (m->columns > MOST) {
        printf("%zu by %zu; --json has them all\n", m->rows, m->columns);
        cli_table_free(table);
        return true;
    }
    cli_table_column(table, "", false);
    for (size_t c = 0; c < m->columns; c++)
        cli_table_column(table, m->names[c], true);
    for (size_t r = 0; r < m->rows; r++) {
        cli_table_text(table, r < m->columns ? m->names[r] : "");
        for (size_t c = 0; c < m->columns; c++)
            cli_table_exact(table, m->values[c][r]);
    }
    const bool ok = cli_table_print(table);
    cli_table_free(table);
    return ok;
}

static bool print_rows(const spn_result_curve *curve, size_t most)
{
    const size_t shown = curve->rows > most ? most : curve->rows;
    cli_table *table = cli_table_create();
    if (!table)
        return false;
    for (size_t c = 0; c < curve->columns; c++)
        cli_table_column(table, curve->names[c], true);
    for (size_t r = 0; r < shown; r++)
        for (size_t c = 0; c < curve->columns; c++)
            cli_table_number(table, curve->values[c][r]);
    printf("\n%s\n", curve->name);
    const bool ok = cli_table_print(table);
    if (shown < curve->rows)
        printf("%zu more rows are in the output of --json\n", curve->rows - shown);
    cli_table_free(table);
    return ok;
}

static const spn_quantity *column_quantity(const spn_task *task, const spn_result_curve *curve,
                                           size_t column)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s", curve->name, curve->names[column]);
    return spn_quantity_find(task, name);
}

/* What is drawn against the first column where nothing is asked for: the last one that has a label,
   as those that say how far to trust it have none. */
static size_t main_column(const spn_task *task, const spn_result_curve *curve)
{
    size_t column = curve->columns - 1;
    for (size_t c = 1; c < curve->columns; c++) {
        const spn_quantity *q = column_quantity(task, curve, c);
        if (q && q->label)
            column = c;
    }
    return column;
}

/* The figure of a curve; the interval around it is drawn where there is one. */
enum { MOST_DRAWN = 16 };
static spn_figure curve_figure(spn_curve curves[MOST_DRAWN], const spn_task *task,
                               const spn_result_curve *curve, size_t column)
{
    static const char *const bounds[] = {"low", "high"};
    const spn_quantity *x = column_quantity(task, curve, 0);
    const spn_quantity *y = column_quantity(task, curve, column);
    size_t count = 0;
    for (size_t k = 0; k < 2; k++) {
        const size_t c = spn_result_curve_column(curve, bounds[k]);
        if (c != SIZE_MAX)
            curves[count++] =
                (spn_curve){bounds[k], curve->rows, curve->values[0], curve->values[c]};
    }
    curves[count++] =
        (spn_curve){curve->names[column], curve->rows, curve->values[0], curve->values[column]};
    return (spn_figure){.title = curve->name,
                        .x_label = x && x->label ? x->label : curve->names[0],
                        .y_label = y && y->label ? y->label : curve->names[column],
                        .count = count,
                        .curves = curves};
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 30)
        return size.ws_col < 120 ? size.ws_col : 120;
    return 80;
}

static void draw_curve(const spn_task *task, const spn_result_curve *curve)
{
    enum { HEIGHT = 16 };
    spn_curve curves[MOST_DRAWN];
    char *text = NULL;
    if (curve->rows < 2 || curve->columns < 2)
        return;
    const spn_figure figure = curve_figure(curves, task, curve, main_column(task, curve));
    if (spn_figure_text(&text, &figure, terminal_width(), HEIGHT, isatty(STDOUT_FILENO), NULL) ==
        SPN_OK)
        printf("\n%s", text);
    free(text);
}

static bool print_curve(const spn_task *task, const spn_result_curve *curve)
{
    enum { MOST = 40, MOST_OF_DETAILS = 12 };
    const spn_quantity *q = spn_quantity_find(task, curve->name);
    if (q && q->kind == SPN_QUANTITY_MATRIX)
        return print_matrix(curve);
    q = column_quantity(task, curve, 0);
    const bool detail = q && q->flags & SPN_QUANTITY_DETAIL;
    if (!print_rows(curve, detail ? MOST_OF_DETAILS : MOST))
        return false;
    if (!detail)
        draw_curve(task, curve);
    return true;
}

/* ---- all of it ---- */

int cli_task_text(const cli_task_result *result)
{
    const spn_record *record = &result->record;
    const spn_result_curve *replicas = spn_record_curve(record, "replicas");
    const char *out = cli_text(result->values, "out");
    bool ok = true;
    print_head(result);
    if (replicas)
        ok = print_replicas(record, replicas);
    ok = ok && print_numbers(result);
    for (size_t k = 0; k < record->curve_count && ok; k++)
        if (&record->curves[k] != replicas)
            ok = print_curve(result->job->task, &record->curves[k]);
    for (size_t k = 1; k < record->note_count; k++)
        printf("%s%s\n", k == 1 ? "\n" : "", record->notes[k]);
    if (out)
        printf("\n%s: %s\n", out, result->job->task->product);
    if (ok)
        return cli_flush(result->values->command);
    cli_error(result->values->command, "out of memory");
    return CLI_FAILED;
}

/* ---- the figure of a run ---- */

int cli_check_figure(const cli_values *values, const char *option)
{
    const char *path = cli_text(values, option), *dot = path ? strrchr(path, '.') : NULL;
    if (!path || (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".pdf") || !strcmp(dot, ".png"))))
        return CLI_OK;
    return cli_error(values->command, "--%s: %s: a figure's name ends in .svg, .pdf or .png",
                     option, path);
}

/* The curve of a name such as stages.epsilon; of none the first that can be drawn. */
static const spn_result_curve *find_curve(const cli_task_result *result, const char *name)
{
    const spn_record *record = &result->record;
    for (size_t k = 0; k < record->curve_count; k++) {
        const spn_result_curve *one = &record->curves[k];
        const spn_quantity *q = spn_quantity_find(result->job->task, one->name);
        const size_t length = strlen(one->name);
        const bool asked =
            name && strncmp(one->name, name, length) == 0 && strcspn(name, ".,") == length;
        if (asked || (!name && strcmp(one->name, "replicas") != 0 && !q && one->columns > 1))
            return one;
    }
    return NULL;
}

/* The columns that --y names, of one curve; false, with a message, where one is not there. */
static bool find_columns(size_t columns[MOST_DRAWN], size_t *count, const spn_result_curve *curve,
                         const cli_task_result *result)
{
    const char *rest = cli_text(result->values, "y");
    *count = 0;
    if (!rest || !strchr(rest, '.')) {
        columns[(*count)++] = main_column(result->job->task, curve);
        return true;
    }
    while (rest) {
        char column[64];
        const size_t length = strcspn(rest, ","), dot = strcspn(rest, ".");
        const bool same =
            dot < length && strlen(curve->name) == dot && strncmp(rest, curve->name, dot) == 0;
        snprintf(column, sizeof column, "%.*s", same ? (int)(length - dot - 1) : 0,
                 rest + dot + same);
        const size_t c = same ? spn_result_curve_column(curve, column) : SIZE_MAX;
        if (c == SIZE_MAX || *count == MOST_DRAWN) {
            cli_error(result->values->command, "--y: the curve %s has no column %.*s", curve->name,
                      (int)length, rest);
            return false;
        }
        columns[(*count)++] = c;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return true;
}

int cli_task_plot(const cli_task_result *result)
{
    const cli_values *values = result->values;
    const char *y = cli_text(values, "y");
    const spn_result_curve *curve = find_curve(result, y);
    spn_curve curves[MOST_DRAWN];
    size_t columns[MOST_DRAWN], count;
    spn_error err = {0};
    if (!curve)
        return cli_error(values->command,
                         y ? "--y: the run has no curve %s" : "--plot: the run has no curve%s",
                         y ? y : "; give --grid NAME=VALUES, or a setting that measures one");
    if (!find_columns(columns, &count, curve, result))
        return CLI_USAGE;
    spn_figure figure = curve_figure(curves, result->job->task, curve, columns[0]);
    for (size_t k = 0; count > 1 && k < count; k++)
        curves[k] = (spn_curve){curve->names[columns[k]], curve->rows, curve->values[0],
                                curve->values[columns[k]]};
    figure.count = count > 1 ? count : figure.count;
    figure.log_y = cli_flag(values, "log");
    return spn_figure_file(&figure, cli_text(values, "plot"), &err) ? cli_fail(values, &err)
                                                                    : CLI_OK;
}

/* spinney plot: draw the trace of a run as curves. */
#include "base/tex.h"
#include "base/try.h"
#include "cli/terminal.h"

#include <spinney/lab/records.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

const spn_setting cli_plot_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("y", "NAME", "energy",
             "column to draw; energy and best draw a curve for each replica. Without energies, "
             "the second column"),
    CLI_TEXT("x", "NAME", "step", "column of the x axis, such as seconds; else the first column"),
    CLI_FLAG("log", "logarithmic y axis; only positive values are drawn"),
    CLI_FLAG("log-x", "logarithmic x axis"),
    CLI_FLAG("histogram", "draw a histogram of the column"),
    CLI_TEXT("title", "[TEXT]", NULL, "title of the figure (default: the file name)"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "FILE", NULL,
             "draw into FILE.svg, FILE.pdf or FILE.png; gnuplot's script is kept as FILE.gp"),
    CLI_OR_ELSE("width", "n", "its width", 30, 1000, "width in the terminal, in characters"),
    CLI_WHOLE("height", "n", "20", 8, 1000, "height in the terminal, in characters"),
    {.name = NULL}};

const char cli_plot_details[] =
    "The trace is what --trace of a task writes, or any CSV of numbers with a header.\n";

const char cli_plot_examples[] = "  spinney plot trace.csv --log\n"
                                 "  spinney plot trace.csv --y acceptance --out acceptance.svg\n"
                                 "  spinney plot trace.csv --x seconds --y best\n";

size_t cli_terminal_width(int stream, size_t above, size_t most)
{
    struct winsize size;
    if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col <= above)
        return 80;
    return size.ws_col < most ? size.ws_col : most;
}

/* Replace the curves of a figure by histograms of their y, in shared bins. Free *numbers, also
   after an error. Errors: MEMORY. */
static spn_status make_histograms(spn_figure *figure, spn_curve *curves, double **numbers,
                                  spn_error *err)
{
    const size_t count = figure->count;
    spn_bins bins;
    *numbers = NULL;
    SPN_TRY(spn_bins_choose(&bins, curves, count, err));
    const size_t points = 2 * bins.count + 2;
    SPN_NEED(*numbers = calloc(2 * points * count + 1, sizeof **numbers), err, "the figure");
    for (size_t k = 0; k < count; k++) {
        double *x = *numbers + 2 * points * k, *y = x + points;
        SPN_TRY(spn_bins_outline(x, y, &bins, &curves[k], err));
        curves[k] = (spn_curve){curves[k].name, bins.count ? points : 0, x, y};
    }
    figure->x_label = figure->y_label;
    figure->y_label = "share of the values";
    return SPN_OK;
}

int cli_draw_file(const cli_values *values, spn_figure *figure, bool histograms)
{
    double *numbers = NULL;
    spn_error err = {0};
    spn_status status = SPN_OK;
    if (histograms)
        status = make_histograms(figure, (spn_curve *)figure->curves, &numbers, &err);
    if (!status && histograms && figure->count > 0 && figure->curves[0].count == 0)
        status = spn_fail(&err, SPN_ERROR_ARGUMENT, "plot: there is no value to draw");
    if (!status)
        status = spn_figure_file(figure, cli_text(values, "plot"), &err);
    free(numbers);
    return status ? cli_fail(values, &err) : CLI_OK;
}

enum { MOST_CURVES = 255 };

/* The first column of a table without one of this name. */
static size_t x_column(const spn_result_curve *columns, const char *name)
{
    const size_t found = spn_result_curve_column(columns, name);
    return found == SIZE_MAX ? 0 : found;
}

/* The column of that name, or NAME_1, NAME_2, ... */
static size_t collect_curves(spn_curve *out, const spn_result_curve *columns, const char *name,
                             size_t x_at)
{
    size_t count = 0, length = strlen(name);
    const double *x = columns->values[x_at];
    for (size_t c = 0; c < columns->columns && count < MOST_CURVES; c++) {
        const char *column = columns->names[c];
        bool part = strncmp(column, name, length) == 0 && column[length] == '_' &&
                    strspn(column + length + 1, "0123456789") == strlen(column + length + 1);
        if (strcmp(column, name) == 0 || part) {
            out[count] = (spn_curve){
                .name = column, .count = columns->rows, .x = x, .y = columns->values[c]};
            count++;
        }
    }
    return count;
}

static const char *column_name(const void *columns, size_t i)
{
    const spn_result_curve *c = columns;
    return i < c->columns ? c->names[i] : NULL;
}

static int print_text(const cli_values *values, const spn_figure *figure, const char *path)
{
    uint64_t width = cli_terminal_width(STDOUT_FILENO, 30, 120), height = 20;
    cli_value(&width, values, "width");
    cli_value(&height, values, "height");
    spn_error err = {0};
    char *text;
    if (spn_figure_text(&text, figure, (size_t)width, (size_t)height, isatty(STDOUT_FILENO), &err))
        return cli_fail_about(values, path, &err);
    return cli_print(values->command, text, "");
}

static int draw_figure(const cli_values *values, const spn_figure *figure, const char *path)
{
    spn_error err = {0};
    if (!cli_given(values, "out"))
        return print_text(values, figure, path);
    return spn_figure_file(figure, cli_text(values, "out"), &err) ? cli_fail(values, &err) : CLI_OK;
}

static int no_column(const cli_values *values, const spn_result_curve *columns, const char *path,
                     const char *name)
{
    const char *nearest = spn_nearest_word(name, column_name, columns);
    return cli_error(values->command, "%s: there is no column '%s'%s%s", path, name,
                     nearest ? "; did you mean " : "", nearest ? nearest : "");
}

/* Curves of a trace; `name` is that of the y axis, NULL: not given. */
static int collect(spn_figure *figure, spn_curve *curves, const cli_values *values,
                   const spn_result_curve *columns, const char *path, const char *name,
                   const char *x_name)
{
    const size_t x = x_column(columns, x_name ? x_name : "step");
    if (x_name && strcmp(columns->names[x], x_name) != 0)
        return no_column(values, columns, path, x_name);
    const char *y = name ? name : "energy";
    figure->count = collect_curves(curves, columns, y, x);
    if (figure->count == 0 && !name && columns->columns > 1)
        figure->count = collect_curves(curves, columns, y = columns->names[x == 1 ? 0 : 1], x);
    if (figure->count == 0)
        return no_column(values, columns, path, y);
    figure->x_label = columns->names[x];
    figure->y_label = y;
    figure->curves = curves;
    return CLI_OK;
}

static int draw(const cli_values *values, const spn_result_curve *columns, const char *path)
{
    const char *title = cli_text(values, "title");
    char plain[512];
    const char *y = cli_given(values, "y") ? cli_text(values, "y") : NULL;
    const char *x = cli_given(values, "x") ? cli_text(values, "x") : NULL;
    spn_curve curves[MOST_CURVES];
    spn_figure figure = {.log_x = cli_flag(values, "log-x"), .log_y = cli_flag(values, "log")};
    int status = collect(&figure, curves, values, columns, path, y, x);
    double *numbers = NULL;
    spn_error err = {0};
    if (status)
        return status;
    if (title && spn_tex_plain(plain, sizeof plain, title, &err))
        return cli_error(values->command, "--title: %s", err.text);
    figure.title = title ? plain : path;
    const bool failed =
        cli_flag(values, "histogram") && make_histograms(&figure, curves, &numbers, &err);
    status = failed ? cli_fail_about(values, path, &err) : draw_figure(values, &figure, path);
    free(numbers);
    return status;
}

int cli_draw_trace(const cli_values *values, const char *path, const char *y)
{
    spn_result_curve columns;
    spn_curve curves[MOST_CURVES];
    spn_error err = {0};
    spn_figure figure = {.title = path, .log_y = cli_flag(values, "log")};
    if (spn_trace_read(&columns, path, &err))
        return cli_fail(values, &err);
    int status = collect(&figure, curves, values, &columns, path, y, NULL);
    if (!status)
        status = cli_draw_file(values, &figure, cli_flag(values, "histogram"));
    spn_result_curve_clear(&columns);
    return status;
}

int cli_plot(const cli_values *values)
{
    spn_error err = {0};
    spn_result_curve columns;
    if (spn_trace_read(&columns, values->arguments[0], &err))
        return cli_fail(values, &err);
    const int status = draw(values, &columns, values->arguments[0]);
    spn_result_curve_clear(&columns);
    return status;
}

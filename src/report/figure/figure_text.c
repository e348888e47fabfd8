/* Figures for a terminal: curves in braille, eight dots per character. */
#include "base/memory.h"
#include "base/number.h"
#include <spinney/lab/plot.h>

#include <math.h>
#include <string.h>

enum { LABEL = 10, DOTS_X = 2, DOTS_Y = 4 };

typedef struct axis {
    double least, most;
    bool log;
} axis;

typedef struct grid {
    size_t columns, rows; /* characters */
    uint8_t *dots;        /* braille dots of each character */
    uint8_t *ink;         /* the last curve drawn there, from 1 */
} grid;

static bool usable(const axis *a, double value)
{
    return isfinite(value) && (!a->log || value > 0);
}

static double scaled(const axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static void widen(axis *a, double value)
{
    double s = scaled(a, value);
    a->least = fmin(a->least, s);
    a->most = fmax(a->most, s);
}

static bool find_ranges(const spn_figure *figure, axis *x, axis *y)
{
    *x = (axis){HUGE_VAL, -HUGE_VAL, figure->log_x};
    *y = (axis){HUGE_VAL, -HUGE_VAL, figure->log_y};
    for (size_t c = 0; c < figure->count; c++)
        for (size_t k = 0; k < figure->curves[c].count; k++) {
            double px = figure->curves[c].x[k], py = figure->curves[c].y[k];
            if (usable(x, px) && usable(y, py)) {
                widen(x, px);
                widen(y, py);
            }
        }
    if (!(x->most >= x->least))
        return false;
    if (x->most == x->least)
        x->most = x->least + 1;
    if (y->most == y->least)
        y->most = y->least + 1;
    return true;
}

/* Coordinates are in dots. */
static void draw_line(grid *canvas, double x0, double y0, double x1, double y1, uint8_t ink)
{
    static const uint8_t bits[DOTS_Y][DOTS_X] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    double length = fmax(fabs(x1 - x0), fabs(y1 - y0));
    size_t steps = (size_t)length + 1;
    for (size_t k = 0; k <= steps; k++) {
        double share = (double)k / (double)steps;
        const size_t x = (size_t)lround(x0 + (x1 - x0) * share);
        const size_t y = (size_t)lround(y0 + (y1 - y0) * share);
        const size_t at = y / DOTS_Y * canvas->columns + x / DOTS_X;
        canvas->dots[at] |= bits[y % DOTS_Y][x % DOTS_X];
        canvas->ink[at] = ink;
    }
}

static void draw_curve(grid *canvas, const spn_curve *curve, const axis *x, const axis *y,
                       uint8_t ink)
{
    const double across = (double)(canvas->columns * DOTS_X - 1);
    const double down = (double)(canvas->rows * DOTS_Y - 1);
    bool before = false;
    double last_x = 0, last_y = 0;
    for (size_t k = 0; k < curve->count; k++) {
        bool here = usable(x, curve->x[k]) && usable(y, curve->y[k]);
        if (here) {
            double px = (scaled(x, curve->x[k]) - x->least) / (x->most - x->least) * across;
            double py = (y->most - scaled(y, curve->y[k])) / (y->most - y->least) * down;
            draw_line(canvas, before ? last_x : px, before ? last_y : py, px, py, ink);
            last_x = px;
            last_y = py;
        }
        before = here;
    }
}

static int colour_code(size_t curve)
{
    static const int codes[] = {36, 33, 35, 32, 34, 31};
    return codes[curve % 6];
}

static double tick(const axis *a, double share)
{
    double value = a->least + (a->most - a->least) * share;
    return a->log ? pow(10, value) : value;
}

static void put_row(FILE *out, const grid *canvas, size_t row, bool colour)
{
    for (size_t c = 0; c < canvas->columns; c++) {
        const uint8_t dots = canvas->dots[row * canvas->columns + c];
        const uint8_t ink = canvas->ink[row * canvas->columns + c];
        if (dots == 0) {
            fputc(' ', out);
            continue;
        }
        /* U+2800 + dots in UTF-8 */
        const char utf8[] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 63)), 0};
        if (colour)
            fprintf(out, "\033[%dm%s\033[0m", colour_code(ink - 1u), utf8);
        else
            fputs(utf8, out);
    }
}

static void put_figure(FILE *out, const spn_figure *figure, const grid *canvas, const axis *x,
                       const axis *y, bool colour)
{
    fprintf(out, "%*s  %s%s%s\n", LABEL, "", figure->title, figure->y_label ? ": " : "",
            figure->y_label ? figure->y_label : "");
    for (size_t row = 0; row < canvas->rows; row++) {
        bool labelled = row == 0 || row + 1 == canvas->rows || row == canvas->rows / 2;
        double share = 1 - (double)row / (double)(canvas->rows - 1);
        if (labelled)
            spn_print(out, "%*.4g ┤", LABEL, tick(y, share));
        else
            fprintf(out, "%*s │", LABEL, "");
        put_row(out, canvas, row, colour);
        fputc('\n', out);
    }
    fprintf(out, "%*s └", LABEL, "");
    for (size_t c = 0; c < canvas->columns; c++)
        fputs("─", out);
    char left[32], right[32];
    spn_print_text(left, sizeof left, "%.4g", tick(x, 0));
    spn_print_text(right, sizeof right, "%.4g", tick(x, 1));
    size_t used = strlen(left) + strlen(right) + strlen(figure->x_label);
    int gap = canvas->columns > used ? (int)(canvas->columns - used) : 2;
    fprintf(out, "\n%*s  %s%*s%s%*s%s\n", LABEL, "", left, gap / 2, "", figure->x_label,
            gap - gap / 2, "", right);
    if (figure->count > 1) {
        fprintf(out, "%*s ", LABEL, "");
        for (size_t c = 0; c < figure->count; c++)
            if (colour)
                fprintf(out, "  \033[%dm%s\033[0m", colour_code(c), figure->curves[c].name);
            else
                fprintf(out, "  %s", figure->curves[c].name);
        fputc('\n', out);
    }
}

spn_status spn_figure_text(char **out, const spn_figure *figure, size_t width, size_t height,
                           bool colour, spn_error *err)
{
    *out = NULL;
    axis x, y;
    if (width < 30 || height < 8 || width > 1000 || height > 1000)
        return spn_refuse(err, "a figure in text is 30 to 1000 by 8 to 1000 characters");
    if (!find_ranges(figure, &x, &y))
        return spn_fail(
            err, SPN_ERROR_ARGUMENT, "there is no point to draw%s",
            figure->log_x || figure->log_y ? "; a logarithmic axis has positive numbers only" : "");
    grid canvas = {.columns = width - LABEL - 2, .rows = height - 4};
    canvas.dots = spn_alloc(canvas.columns, canvas.rows);
    canvas.ink = spn_alloc(canvas.columns, canvas.rows);
    spn_memory_stream memory = {.failed = true};
    FILE *stream = canvas.dots && canvas.ink ? spn_memory_stream_open(&memory) : NULL;
    if (stream) {
        for (size_t c = 0; c < figure->count; c++)
            draw_curve(&canvas, &figure->curves[c], &x, &y, (uint8_t)(c % 255 + 1));
        put_figure(stream, figure, &canvas, &x, &y, colour);
    }
    *out = spn_memory_stream_finish(&memory);
    SPN_FREE_ALL(canvas.dots, canvas.ink);
    return *out ? SPN_OK : spn_no_memory(err, "a figure");
}

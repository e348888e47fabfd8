/* The table of a figure, and its comparison with the reference, as Markdown. */
#include "report/figure_files.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Text that stays text in a cell of a table. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]&", *text))
            fputc('\\', stream);
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    }
}

/* What a table shows in its cells: our means, or those of the reference. */
typedef struct view {
    bool reference, also;
    double factor, also_factor;
} view;

static void put_cell(FILE *stream, const spn_report_cell *cell, bool best, const view *v)
{
    char text[SPN_SHOWN_MEAN];
    const char *bold = best ? "**" : "";
    if (!cell) {
        fputs(" – |", stream);
        return;
    }
    if (v->reference)
        spn_show_reference(text, cell, v->factor);
    else
        spn_show_mean(text, cell->ours.mean, cell->ours.half, v->factor);
    fprintf(stream, " %s%s%s%s", bold, text, bold, v->reference ? "" : spn_cell_mark(cell));
    if (v->also && !isnan(cell->also.mean))
        fprintf(stream, " (%s)",
                spn_show_center(text, cell->also.mean, cell->also.half, v->also_factor));
    fputs(" |", stream);
}

static void put_table(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                      const view *v)
{
    const spn_sweep_figure *request = figure->request;
    char shown[SPN_SHOWN_VALUE];
    fputs("| ", stream);
    if (request->by)
        put_text(stream, spn_figure_by_label(request));
    fputs(request->by ? " \\\\ " : "", stream);
    put_text(stream, spn_figure_x_label(request));
    fputs(" |", stream);
    for (size_t c = 0; c < grid->columns; c++) {
        fputc(' ', stream);
        put_text(stream, spn_show_value(shown, grid->head[c]->x_text));
        fputs(" |", stream);
    }
    fputs("\n|---|", stream);
    for (size_t c = 0; c < grid->columns; c++)
        fputs("---|", stream);
    fputc('\n', stream);
    for (size_t k = 0; k < grid->rows; k++) {
        fputs("| ", stream);
        put_text(stream, request->by ? spn_show_value(shown, figure->curves[k].value)
                                     : figure->curves[k].name);
        fputs(" |", stream);
        for (size_t c = 0; c < grid->columns; c++)
            put_cell(stream, spn_grid_at(grid, k, c),
                     spn_grid_is_best(grid, figure, k, c, v->reference), v);
        fputc('\n', stream);
    }
}

static void put_comparison_row(FILE *stream, const spn_report_figure *figure,
                               const spn_report_curve *curve, const spn_report_cell *cell,
                               double factor)
{
    char text[SPN_SHOWN_MEAN], shown[SPN_SHOWN_VALUE];
    fputs("| ", stream);
    put_text(stream, spn_show_value(shown, cell->x_text));
    fputs(" | ", stream);
    if (figure->request->by) {
        put_text(stream, spn_show_value(shown, curve->value));
        fputs(" | ", stream);
    }
    fprintf(stream, "%s | ", spn_show_mean(text, cell->ours.mean, cell->ours.half, factor));
    fprintf(stream, "%s | ", spn_show_reference(text, cell, factor));
    fprintf(stream, "%s |\n", spn_show_difference(text, cell));
}

static void put_comparison(FILE *stream, const spn_report_figure *figure, double factor)
{
    const spn_sweep_figure *request = figure->request;
    const char *name = spn_figure_reference_name(request);
    char verdict[SPN_VERDICT];
    fputs("\n## Compared with the ", stream);
    put_text(stream, name);
    fputs("\n\n| ", stream);
    put_text(stream, spn_figure_x_label(request));
    fputs(" | ", stream);
    if (request->by) {
        put_text(stream, spn_figure_by_label(request));
        fputs(" | ", stream);
    }
    fputs("ours | ", stream);
    put_text(stream, name);
    fprintf(stream, " | difference |\n|---|---|---|---|%s\n", request->by ? "---|" : "");
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            if (figure->curves[k].cells[c].has_reference)
                put_comparison_row(stream, figure, &figure->curves[k], &figure->curves[k].cells[c],
                                   factor);
    if (!*spn_figure_verdict(verdict, figure)) {
        fputs(spn_figure_is_single(figure)
                  ? "\nWith one run of ours nothing is compared.\n"
                  : "\nNo joint 95% interval is wider than 0, so nothing is compared.\n",
              stream);
        return;
    }
    fputs("\nThe difference is in units of the joint 95% interval. ", stream);
    put_text(stream, verdict);
    fputs(".\n", stream);
}

static void put_caption(FILE *stream, const spn_report_figure *figure, const spn_sweep *sweep)
{
    const spn_sweep_figure *request = figure->request;
    char title[SPN_TITLE], label[SPN_LABEL], runs[SPN_RUNS_TEXT], mark[SPN_VERDICT];
    fputs("# ", stream);
    put_text(stream, spn_figure_title(title, request));
    fputs("\n\n", stream);
    put_text(stream, spn_figure_label(label, request));
    if (spn_figure_is_single(figure))
        fputs(": one run", stream);
    else
        fprintf(stream, ": mean ± half the 95%% interval (Student's t) over %s",
                spn_figure_runs(runs, figure));
    if (*spn_figure_mixed(label, figure, sweep)) {
        fputs(", all values of ", stream);
        put_text(stream, label);
        fputs(" taken together", stream);
    }
    if (request->also) {
        fputs("; in brackets ", stream);
        put_text(stream, request->also);
        fputs(spn_value_factor(request->also) == 100 ? " (%)" : "", stream);
    }
    const char *best = spn_figure_best_text(figure);
    fprintf(stream, ".%s%s%s", *best ? " The " : "", best, *best ? "." : "");
    if (*spn_figure_mark_text(mark, figure)) {
        fputc(' ', stream);
        put_text(stream, mark);
        fputc('.', stream);
    }
    fputs("\n\n", stream);
}

void spn_figure_markdown(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                         const spn_sweep *sweep)
{
    const spn_sweep_figure *request = figure->request;
    view v = {.factor = spn_value_factor(request->value),
              .also = request->also != NULL,
              .also_factor = request->also ? spn_value_factor(request->also) : 1};
    put_caption(stream, figure, sweep);
    put_table(stream, figure, grid, &v);
    if (!spn_figure_has_reference(figure))
        return;
    fputs("\nThe ", stream);
    put_text(stream, spn_figure_reference_name(request));
    fputs(":\n\n", stream);
    v.reference = true;
    v.also = false;
    put_table(stream, figure, grid, &v);
    put_comparison(stream, figure, v.factor);
}

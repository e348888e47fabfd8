/* Tables of means, with the best in bold: as Markdown, with the comparison with the reference, and
   on the page. */
#include "report/drawings.h"
#include "report/figure/figure.h"
#include "report/figure/hits.h"
#include "report/page/html.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- as Markdown ---- */

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

static void put_text_cell(FILE *stream, const spn_report_cell *cell, bool best, const view *v)
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
        spn_show_summary(text, &cell->ours, v->factor);
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
        put_text(stream, spn_figure_by_label((char[SPN_LABEL]){0}, request));
    fputs(request->by ? " \\\\ " : "", stream);
    put_text(stream, spn_figure_x_label((char[SPN_LABEL]){0}, request));
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
            put_text_cell(stream, spn_grid_at(grid, k, c),
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
    fprintf(stream, "%s | ", spn_show_summary(text, &cell->ours, factor));
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
    put_text(stream, spn_figure_x_label((char[SPN_LABEL]){0}, request));
    fputs(" | ", stream);
    if (request->by) {
        put_text(stream, spn_figure_by_label((char[SPN_LABEL]){0}, request));
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

static void put_caption(FILE *stream, const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char text[SPN_TITLE];
    fputs("# ", stream);
    put_text(stream, spn_figure_title(text, request));
    fputs("\n\n", stream);
    put_text(stream, spn_figure_label(text, request));
    if (spn_figure_is_single(figure))
        fputs(": one run", stream);
    else
        fprintf(stream, ": %s over %s", spn_figure_interval_text(figure),
                spn_figure_runs(text, figure));
    if (*spn_figure_mixed(text, figure)) {
        fputs(", all values of ", stream);
        put_text(stream, text);
        fputs(" taken together", stream);
    }
    if (request->also) {
        fputs("; in brackets ", stream);
        put_text(stream, spn_figure_also_label(text, request));
    }
    fputc('.', stream);
    if (*spn_figure_best_text(figure))
        fprintf(stream, " The %s.", spn_figure_best_text(figure));
    if (*spn_figure_mark_text(text, figure)) {
        fputc(' ', stream);
        put_text(stream, text);
        fputc('.', stream);
    }
    fputs("\n\n", stream);
}

/* What the fits came to, and which points are bounds. */
static void put_trends(FILE *stream, const spn_report_figure *figure)
{
    char text[SPN_TRENDS_TEXT], bounds[SPN_VERDICT];
    if (*spn_figure_bounds(bounds, figure))
        fprintf(stream, "\n%s.\n", bounds);
    for (size_t k = 0, lines = 0; k < figure->count; k++)
        if (*spn_curve_trends(text, figure, k)) {
            fputs(lines++ ? "- " : "\n- ", stream);
            put_text(stream, figure->curves[k].name);
            fputs(": ", stream);
            put_text(stream, text);
            fputc('\n', stream);
        }
}

static bool write_markdown(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    view v = {.factor = spn_value_factor(request->value),
              .also = request->also != NULL,
              .also_factor = request->also ? spn_value_factor(request->also) : 1};
    put_caption(stream, figure);
    put_table(stream, figure, grid, &v);
    put_trends(stream, figure);
    if (!spn_figure_hits_tables(stream, figure, false))
        return false;
    if (!spn_figure_has_reference(figure))
        return true;
    fputs("\nThe ", stream);
    put_text(stream, spn_figure_reference_name(request));
    fputs(":\n\n", stream);
    v.reference = true;
    v.also = false;
    put_table(stream, figure, grid, &v);
    put_comparison(stream, figure, v.factor);
    return true;
}

/* ---- on the page ---- */

static void put_cell(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     size_t row, size_t column)
{
    const spn_sweep_figure *request = figure->request;
    const spn_report_cell *cell = spn_grid_at(grid, row, column);
    const double factor = spn_value_factor(request->value);
    char text[SPN_SHOWN_MEAN];
    if (!cell) {
        fputs("<td>–</td>", stream);
        return;
    }
    const bool bold = spn_grid_is_best(grid, figure, row, column, false);
    const bool reference_bold = spn_grid_is_best(grid, figure, row, column, true);
    fprintf(stream, "<td>%s%s%s", bold ? "<strong>" : "",
            spn_show_summary(text, &cell->ours, factor), bold ? "</strong>" : "");
    if (*spn_cell_mark(cell))
        fprintf(stream, "<span class=\"outside\">%s</span>", spn_cell_mark(cell));
    if (request->also && !isnan(cell->also.mean))
        fprintf(stream, " (%s)",
                spn_show_center(text, cell->also.mean, cell->also.half,
                                spn_value_factor(request->also)));
    if (cell->has_reference) {
        fputs("<br><span class=\"reference\">", stream);
        spn_html_text(stream, spn_figure_reference_name(request));
        fprintf(stream, ": %s%s%s</span>", reference_bold ? "<strong>" : "",
                spn_show_reference(text, cell, factor), reference_bold ? "</strong>" : "");
    }
    fputs("</td>", stream);
}

static void append(char out[SPN_TITLE], const char *between, const char *text)
{
    const size_t used = strlen(out);
    snprintf(out + used, SPN_TITLE - used, "%s%s", between, text);
}

/* What the table shows: the label, what is in brackets, what is in bold, what the mark means. */
static const char *describe(char out[SPN_TITLE], const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char text[SPN_LABEL];
    *out = 0;
    append(out, "", spn_figure_label(text, request));
    if (request->also)
        append(out, ", in brackets ", spn_figure_also_label(text, request));
    if (*spn_figure_best_text(figure))
        append(out, "; the ", spn_figure_best_text(figure));
    if (*spn_figure_mark_text(text, figure))
        append(out, "; ", text);
    return out;
}

static bool write_page(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    char what[SPN_TITLE];
    describe(what, figure);
    spn_html_open_table(stream, "means", what);
    spn_html_grid_head(stream, figure, grid);
    for (size_t k = 0; k < grid->rows; k++) {
        spn_html_grid_row(stream, figure, k);
        for (size_t c = 0; c < grid->columns; c++)
            put_cell(stream, figure, grid, k, c);
        fputs("</tr>\n", stream);
    }
    spn_html_close_table(stream);
    return true;
}

const spn_drawing spn_drawing_table = {
    .what = "A table", .text_ending = ".md", .text = write_markdown, .page = write_page};

/* Tables of means with the best in bold: as a tabular of LaTeX without packages, as Markdown, and
   on the page. */
#include "base/number.h"
#include "base/tex.h"
#include "report/figure/figure.h"
#include "report/figure/hits.h"
#include "report/page/html.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- LaTeX ---- */

/* Letters of our texts in LaTeX. */
static const char *const signs[][2] = {{"±", "$\\pm$"},
                                       {"–", "--"},
                                       {"−", "$-$"},
                                       {"…", "\\dots{}"},
                                       {"†", "$^\\dagger$"},
                                       {"×", "$\\times$"},
                                       {"\\", "\\textbackslash{}"},
                                       {"~", "\\textasciitilde{}"},
                                       {"^", "\\textasciicircum{}"},
                                       {"<", "$<$"},
                                       {">", "$>$"},
                                       {"|", "$|$"}};
enum { SIGNS = sizeof signs / sizeof *signs };

/* Escape a text up to `end`. */
static void put_plain_tex(FILE *stream, const char *text, const char *end)
{
    while (text < end) {
        size_t k = 0;
        while (k < SIGNS && strncmp(text, signs[k][0], strlen(signs[k][0])) != 0)
            k++;
        if (k < SIGNS) {
            fputs(signs[k][1], stream);
            text += strlen(signs[k][0]);
            continue;
        }
        if (strchr("&%$#_{}", *text))
            fputc('\\', stream);
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
        text++;
    }
}

/* The same, but formulas stay. */
static void put_tex(FILE *stream, const char *text)
{
    const char *end, *start;
    while ((start = spn_tex_formula(&end, text))) {
        put_plain_tex(stream, text, start);
        fwrite(start, 1, (size_t)(end + 1 - start), stream);
        text = end + 1;
    }
    put_plain_tex(stream, text, text + strlen(text));
}

static void put_tex_cell(FILE *stream, const spn_report_cell *cell, bool best,
                         const spn_sweep_figure *request)
{
    char text[SPN_SHOWN_MEAN];
    fputs(" & ", stream);
    if (!cell) {
        fputs("--", stream);
        return;
    }
    fputs(best ? "\\textbf{" : "", stream);
    put_tex(stream, spn_show_summary(text, &cell->ours, spn_value_factor(request->value)));
    fputs(best ? "}" : "", stream);
    put_tex(stream, spn_cell_mark(cell));
    if (!request->also || isnan(cell->also.mean))
        return;
    fputs(" (", stream);
    put_tex(stream, spn_show_center(text, cell->also.mean, cell->also.half,
                                    spn_value_factor(request->also)));
    fputs(")", stream);
}

static void put_tex_head(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    char text[SPN_TITLE], shown[SPN_SHOWN_VALUE];
    fprintf(stream, "%% %s\n", spn_figure_title(text, request));
    fprintf(stream, "%% %s, ", spn_figure_label(text, request));
    fprintf(stream, "%s\n\\begin{tabular}{l", spn_figure_interval_text(figure));
    for (size_t c = 0; c < grid->columns; c++)
        fputc('r', stream);
    fputs("}\n\\hline\n", stream);
    if (request->by) {
        put_tex(stream, request->by_label ? request->by_label : spn_figure_by_label(text, request));
        fputs(" \\textbackslash{} ", stream);
    }
    put_tex(stream, request->x_label ? request->x_label : spn_figure_x_label(text, request));
    for (size_t c = 0; c < grid->columns; c++) {
        fputs(" & ", stream);
        put_tex(stream, spn_show_value(shown, grid->head[c]->x_text));
    }
    fputs(" \\\\\n\\hline\n", stream);
}

bool spn_figure_tex(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    char shown[SPN_SHOWN_VALUE];
    put_tex_head(stream, figure, grid);
    for (size_t k = 0; k < grid->rows; k++) {
        put_tex(stream, request->by ? spn_show_value(shown, figure->curves[k].value)
                                    : figure->curves[k].name);
        for (size_t c = 0; c < grid->columns; c++)
            put_tex_cell(stream, spn_grid_at(grid, k, c),
                         spn_grid_is_best(grid, figure, k, c, false), request);
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
    return true;
}

/* ---- Markdown, and the page ---- */

/* Escape text for a Markdown table. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]&", *text))
            fputc('\\', stream);
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    }
}

/* The same for %s in a format. */
static void __attribute__((format(printf, 2, 3))) put(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    spn_put_list(stream, put_text, format, args);
    va_end(args);
}

static void put_text_cell(FILE *stream, const spn_report_cell *cell, bool best, bool reference,
                          const spn_sweep_figure *request)
{
    const double factor = spn_value_factor(request->value);
    char text[SPN_SHOWN_MEAN];
    const char *bold = best ? "**" : "";
    if (!cell) {
        fputs(" – |", stream);
        return;
    }
    if (reference)
        spn_show_reference(text, cell, factor);
    else
        spn_show_summary(text, &cell->ours, factor);
    fprintf(stream, " %s%s%s%s", bold, text, bold, reference ? "" : spn_cell_mark(cell));
    if (request->also && !reference && !isnan(cell->also.mean))
        fprintf(stream, " (%s)",
                spn_show_center(text, cell->also.mean, cell->also.half,
                                spn_value_factor(request->also)));
    fputs(" |", stream);
}

static void put_table(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                      bool reference)
{
    const spn_sweep_figure *request = figure->request;
    char shown[SPN_SHOWN_VALUE];
    fputs("| ", stream);
    if (request->by)
        put(stream, "%s \\\\ ", spn_figure_by_label((char[SPN_LABEL]){0}, request));
    put(stream, "%s |", spn_figure_x_label((char[SPN_LABEL]){0}, request));
    for (size_t c = 0; c < grid->columns; c++)
        put(stream, " %s |", spn_show_value(shown, grid->head[c]->x_text));
    fputs("\n|---|", stream);
    for (size_t c = 0; c < grid->columns; c++)
        fputs("---|", stream);
    fputc('\n', stream);
    for (size_t k = 0; k < grid->rows; k++) {
        put(stream, "| %s |",
            request->by ? spn_show_value(shown, figure->curves[k].value) : figure->curves[k].name);
        for (size_t c = 0; c < grid->columns; c++)
            put_text_cell(stream, spn_grid_at(grid, k, c),
                          spn_grid_is_best(grid, figure, k, c, reference), reference, request);
        fputc('\n', stream);
    }
}

static void put_comparison_row(FILE *stream, const spn_report_figure *figure,
                               const spn_report_curve *curve, const spn_report_cell *cell,
                               double factor)
{
    char text[SPN_SHOWN_MEAN], shown[SPN_SHOWN_VALUE];
    put(stream, "| %s | ", spn_show_value(shown, cell->x_text));
    if (figure->request->by)
        put(stream, "%s | ", spn_show_value(shown, curve->value));
    fprintf(stream, "%s | ", spn_show_summary(text, &cell->ours, factor));
    fprintf(stream, "%s | ", spn_show_reference(text, cell, factor));
    fprintf(stream, "%s |\n", spn_show_difference(text, cell));
}

static void put_comparison(FILE *stream, const spn_report_figure *figure, double factor)
{
    const spn_sweep_figure *request = figure->request;
    const char *name = spn_figure_reference_name(request);
    char verdict[SPN_VERDICT];
    put(stream, "\n## Compared with the %s\n\n| %s | ", name,
        spn_figure_x_label((char[SPN_LABEL]){0}, request));
    if (request->by)
        put(stream, "%s | ", spn_figure_by_label((char[SPN_LABEL]){0}, request));
    put(stream, "ours | %s | difference |\n|---|---|---|---|", name);
    fputs(request->by ? "---|\n" : "\n", stream);
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
    put(stream, "\nThe difference is in units of the joint 95%% interval. %s.\n", verdict);
}

static void put_caption(FILE *stream, const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char text[SPN_TITLE];
    put(stream, "# %s\n\n", spn_figure_title(text, request));
    put_text(stream, spn_figure_label(text, request));
    if (spn_figure_is_single(figure))
        fputs(": one run", stream);
    else
        fprintf(stream, ": %s over %s", spn_figure_interval_text(figure),
                spn_figure_runs(text, figure));
    if (*spn_figure_mixed(text, figure))
        put(stream, ", all values of %s taken together", text);
    if (request->also)
        put(stream, "; in brackets %s", spn_figure_also_label(text, request));
    fputc('.', stream);
    if (*spn_figure_best_text(figure))
        fprintf(stream, " The %s.", spn_figure_best_text(figure));
    if (*spn_figure_mark_text(text, figure))
        put(stream, " %s.", text);
    fputs("\n\n", stream);
}

static bool write_markdown(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    put_caption(stream, figure);
    put_table(stream, figure, grid, false);
    char text[SPN_TRENDS_TEXT], bounds[SPN_VERDICT];
    if (*spn_figure_bounds(bounds, figure))
        fprintf(stream, "\n%s.\n", bounds);
    for (size_t k = 0, lines = 0; k < figure->count; k++)
        if (*spn_curve_trends(text, figure, k)) {
            fputs(lines++ ? "- " : "\n- ", stream);
            put(stream, "%s: %s\n", figure->curves[k].name, text);
        }
    if (!spn_figure_hits_tables(stream, figure, false))
        return false;
    if (!spn_figure_has_reference(figure))
        return true;
    put(stream, "\nThe %s:\n\n", spn_figure_reference_name(figure->request));
    put_table(stream, figure, grid, true);
    put_comparison(stream, figure, spn_value_factor(figure->request->value));
    return true;
}

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

/* Caption: label, brackets, bold type, and the mark. */
static const char *describe(char out[SPN_TITLE], const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char text[SPN_LABEL];
    *out = 0;
    spn_print_more(out, SPN_TITLE, "%s", spn_figure_label(text, request));
    if (request->also)
        spn_print_more(out, SPN_TITLE, ", in brackets %s", spn_figure_also_label(text, request));
    if (*spn_figure_best_text(figure))
        spn_print_more(out, SPN_TITLE, "; the %s", spn_figure_best_text(figure));
    if (*spn_figure_mark_text(text, figure))
        spn_print_more(out, SPN_TITLE, "; %s", text);
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

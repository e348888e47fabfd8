/* Tables of means with the best in bold, as a tabular of LaTeX without packages. */
#include "base/tex.h"
#include "report/figure/figure.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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
static void put_plain(FILE *stream, const char *text, const char *end)
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
static void put_text(FILE *stream, const char *text)
{
    const char *end, *start;
    while ((start = spn_tex_formula(&end, text))) {
        put_plain(stream, text, start);
        fwrite(start, 1, (size_t)(end + 1 - start), stream);
        text = end + 1;
    }
    put_plain(stream, text, text + strlen(text));
}

static void put_cell(FILE *stream, const spn_report_cell *cell, bool best,
                     const spn_sweep_figure *request)
{
    char text[SPN_SHOWN_MEAN];
    fputs(" & ", stream);
    if (!cell) {
        fputs("--", stream);
        return;
    }
    fputs(best ? "\\textbf{" : "", stream);
    put_text(stream, spn_show_summary(text, &cell->ours, spn_value_factor(request->value)));
    fputs(best ? "}" : "", stream);
    put_text(stream, spn_cell_mark(cell));
    if (!request->also || isnan(cell->also.mean))
        return;
    fputs(" (", stream);
    put_text(stream, spn_show_center(text, cell->also.mean, cell->also.half,
                                     spn_value_factor(request->also)));
    fputs(")", stream);
}

static void put_head(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
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
        put_text(stream,
                 request->by_label ? request->by_label : spn_figure_by_label(text, request));
        fputs(" \\textbackslash{} ", stream);
    }
    put_text(stream, request->x_label ? request->x_label : spn_figure_x_label(text, request));
    for (size_t c = 0; c < grid->columns; c++) {
        fputs(" & ", stream);
        put_text(stream, spn_show_value(shown, grid->head[c]->x_text));
    }
    fputs(" \\\\\n\\hline\n", stream);
}

bool spn_figure_tex(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    char shown[SPN_SHOWN_VALUE];
    put_head(stream, figure, grid);
    for (size_t k = 0; k < grid->rows; k++) {
        put_text(stream, request->by ? spn_show_value(shown, figure->curves[k].value)
                                     : figure->curves[k].name);
        for (size_t c = 0; c < grid->columns; c++)
            put_cell(stream, spn_grid_at(grid, k, c), spn_grid_is_best(grid, figure, k, c, false),
                     request);
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
    return true;
}

/* Tables of first hits, as Markdown, HTML and CSV. */

#include "base/number.h"
#include "base/text.h"
#include "report/figure/hits.h"
#include "report/page/html.h"

#include <math.h>

const char *spn_figure_unit(const spn_sweep_figure *request)
{
    const char *const *unit = spn_hit_unit(request->value);
    return unit ? unit[SPN_HIT_WORD] : "";
}

static void open_table(FILE *stream, bool html, const char *what, const char *const *heads,
                       size_t count)
{
    if (html) {
        spn_html_open_table(stream, "numbers by", what);
        fputs("<thead><tr>", stream);
        for (size_t k = 0; k < count; k++)
            spn_html_element(stream, "th scope=\"col\"", heads[k]);
        fputs("</tr></thead>\n<tbody>\n", stream);
        return;
    }
    fprintf(stream, "\n%s.\n\n|", what);
    for (size_t k = 0; k < count; k++)
        fprintf(stream, " %s |", heads[k]);
    fputs("\n|", stream);
    for (size_t k = 0; k < count; k++)
        fputs("---|", stream);
    fputc('\n', stream);
}

static void put_cell(FILE *stream, bool html, const char *text)
{
    if (html) {
        spn_html_element(stream, "td", text);
        return;
    }
    fputc(' ', stream);
    for (; *text; text++)
        fprintf(stream, *text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", stream);
}

static void put_count(FILE *stream, bool html, size_t count)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    put_cell(stream, html, text);
}

static void put_cost(FILE *stream, bool html, double cost)
{
    char text[SPN_NUMBER_TEXT];
    spn_print_text(text, sizeof text, "%.3g", cost);
    put_cell(stream, html, isfinite(cost) ? text : "–");
}

static const double SHARES[] = {0.1, 0.5, 0.9};

static bool put_survival(FILE *stream, bool html, const spn_report_figure *figure)
{
    const char *heads[] = {"", "runs", "solved", "10% by", "50% by", "90% by"};
    char what[160];
    snprintf(what, sizeof what, "Runs, those solved, and the %s by which that share of them was",
             spn_figure_unit(figure->request));
    open_table(stream, html, what, heads, sizeof heads / sizeof *heads);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        spn_survival survival;
        if (spn_survival_make(&survival, curve->hits, curve->hit_count, NULL))
            return false;
        fputs(html ? "<tr>" : "|", stream);
        put_cell(stream, html, curve->name);
        put_count(stream, html, survival.runs);
        put_count(stream, html, survival.hits);
        for (size_t s = 0; s < sizeof SHARES / sizeof *SHARES; s++)
            put_cost(stream, html, spn_survival_solved_by(&survival, SHARES[s]));
        fputs(html ? "</tr>\n" : "\n", stream);
        spn_survival_clear(&survival);
    }
    if (html)
        spn_html_close_table(stream);
    return true;
}

const char *spn_curve_hits(char out[SPN_HITS_TEXT], const spn_report_figure *figure, size_t curve)
{
    const spn_report_curve *of = &figure->curves[curve];
    spn_survival survival;
    *out = 0;
    if (!figure->request->as[SPN_FIGURE_SURVIVAL])
        return out;
    if (spn_survival_make(&survival, of->hits, of->hit_count, NULL))
        return NULL;
    const double half = spn_survival_solved_by(&survival, 0.5);
    snprintf(out, SPN_HITS_TEXT, "%zu run%s, %zu solved", survival.runs,
             survival.runs == 1 ? "" : "s", survival.hits);
    if (!isnan(half))
        spn_print_more(out, SPN_HITS_TEXT, ", half of all by %.3g %s", half,
                       spn_figure_unit(figure->request));
    spn_survival_clear(&survival);
    return out;
}

static void put_length(FILE *stream, bool html, const spn_report_figure *figure,
                       const spn_report_curve *curve, const spn_report_cell *cell, size_t k)
{
    const spn_tts_estimate *length = &cell->lengths[k];
    char shown[SPN_SHOWN_VALUE], text[200];
    fputs(html ? "<tr>" : "|", stream);
    if (figure->request->by)
        put_cell(stream, html, spn_show_value(shown, curve->value));
    put_cell(stream, html, spn_show_value(shown, cell->x_text));
    snprintf(text, sizeof text, "%s%s", *length->text ? length->text : "all",
             !length->best || cell->length_count < 2 ? ""
             : k == 0 || k + 1 == cell->length_count ? " (best, at the end of the grid)"
                                                     : " (best)");
    put_cell(stream, html, text);
    put_count(stream, html, length->runs);
    put_count(stream, html, length->hits);
    put_cost(stream, html, length->cut);
    spn_summary time = spn_summarise(NULL, 0);
    time.mean = isinf(length->tts) ? NAN : length->tts;
    time.low = length->low;
    time.high = length->high;
    put_cell(stream, html, spn_show_summary(text, &time, 1));
    fputs(html ? "</tr>\n" : "\n", stream);
}

static void put_lengths(FILE *stream, bool html, const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char by[SPN_LABEL], x[SPN_LABEL], what[240];
    const char *heads[7];
    size_t count = 0;
    if (request->by)
        heads[count++] = spn_figure_by_label(by, request);
    heads[count++] = spn_figure_x_label(x, request);
    heads[count++] = request->each ? "instances" : "length";
    heads[count++] = "runs";
    heads[count++] = "solved before it";
    heads[count++] = "a run ends after";
    heads[count++] = "time to solution";
    snprintf(
        what, sizeof what,
        "Each length of a run, in %s, with the interval of its share of solved runs (Wilson's)",
        spn_figure_unit(request));
    open_table(stream, html, what, heads, count);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            for (size_t i = 0; i < figure->curves[k].cells[c].length_count; i++)
                put_length(stream, html, figure, &figure->curves[k], &figure->curves[k].cells[c],
                           i);
    if (html)
        spn_html_close_table(stream);
}

bool spn_figure_hits_tables(FILE *stream, const spn_report_figure *figure, bool html)
{
    if (figure->request->tts != SPN_TTS_NONE)
        put_lengths(stream, html, figure);
    else if (figure->request->as[SPN_FIGURE_SURVIVAL])
        return put_survival(stream, html, figure);
    return true;
}

bool spn_figure_lengths_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("runs,solved,share,cut,tts,low,high,best,length,x,by\n", stream);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            for (size_t i = 0; i < cell->length_count; i++) {
                const spn_tts_estimate *estimate = &cell->lengths[i];
                fprintf(stream, "%zu,%zu,", estimate->runs, estimate->hits);
                spn_csv_numbers(stream,
                                (double[]){estimate->share, estimate->cut, estimate->tts,
                                           estimate->low, estimate->high},
                                5);
                fprintf(stream, ",%d,", cell->lengths[i].best);
                spn_csv_put_quoted(stream, cell->lengths[i].text);
                fputc(',', stream);
                spn_csv_put_quoted(stream, cell->x_text);
                fputc(',', stream);
                spn_csv_put_quoted(stream, figure->curves[k].value);
                fputc('\n', stream);
            }
        }
    return true;
}

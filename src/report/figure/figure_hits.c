/* Tables of figures of first hits. */

#include "base/number.h"
#include "base/text.h"
#include "report/figure/hits.h"
#include "report/page/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *spn_figure_unit(const spn_sweep_figure *request)
{
    for (size_t k = 0; spn_hit_unit_at(k); k++)
        if (strcmp(spn_hit_unit_at(k)->hit, request->value) == 0)
            return spn_hit_unit_at(k)->word;
    return "";
}

/* ---- tables, as Markdown or HTML ---- */

typedef struct table {
    FILE *stream;
    bool html;
} table;

static void open_table(const table *t, const char *what, const char *const *heads, size_t count)
{
    if (t->html) {
        spn_html_open_table(t->stream, "numbers by", what);
        fputs("<thead><tr>", t->stream);
        for (size_t k = 0; k < count; k++)
            spn_html_element(t->stream, "th scope=\"col\"", heads[k]);
        fputs("</tr></thead>\n<tbody>\n", t->stream);
        return;
    }
    fprintf(t->stream, "\n%s.\n\n|", what);
    for (size_t k = 0; k < count; k++)
        fprintf(t->stream, " %s |", heads[k]);
    fputs("\n|", t->stream);
    for (size_t k = 0; k < count; k++)
        fputs("---|", t->stream);
    fputc('\n', t->stream);
}

static void put_cell(const table *t, const char *text)
{
    if (t->html) {
        spn_html_element(t->stream, "td", text);
        return;
    }
    fputc(' ', t->stream);
    for (; *text; text++)
        fprintf(t->stream, *text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", t->stream);
}

static void put_count(const table *t, size_t count)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    put_cell(t, text);
}

/* A cost in three digits; "–" for none. */
static void put_cost(const table *t, double cost)
{
    char text[SPN_NUMBER_TEXT];
    spn_print_text(text, sizeof text, "%.3g", cost);
    put_cell(t, isfinite(cost) ? text : "–");
}

/* ---- survival ---- */

static const double SHARES[] = {0.1, 0.5, 0.9};

/* false without memory. */
static bool put_survival(const table *t, const spn_report_figure *figure)
{
    const char *heads[] = {"", "runs", "solved", "10% by", "50% by", "90% by"};
    char what[160];
    snprintf(what, sizeof what, "Runs, those solved, and the %s by which that share of them was",
             spn_figure_unit(figure->request));
    open_table(t, what, heads, sizeof heads / sizeof *heads);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        spn_survival survival;
        if (spn_survival_make(&survival, curve->hits, curve->hit_count, NULL))
            return false;
        fputs(t->html ? "<tr>" : "|", t->stream);
        put_cell(t, curve->name);
        put_count(t, survival.runs);
        put_count(t, survival.hits);
        for (size_t s = 0; s < sizeof SHARES / sizeof *SHARES; s++)
            put_cost(t, spn_survival_solved_by(&survival, SHARES[s]));
        fputs(t->html ? "</tr>\n" : "\n", t->stream);
        spn_survival_clear(&survival);
    }
    if (t->html)
        spn_html_close_table(t->stream);
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
    const int used = snprintf(out, SPN_HITS_TEXT, "%zu run%s, %zu solved", survival.runs,
                              survival.runs == 1 ? "" : "s", survival.hits);
    if (!isnan(half))
        spn_print_text(out + used, SPN_HITS_TEXT - (size_t)used, ", half of all by %.3g %s", half,
                       spn_figure_unit(figure->request));
    spn_survival_clear(&survival);
    return out;
}

/* ---- times to solution ---- */

static void put_length(const table *t, const spn_report_figure *figure,
                       const spn_report_curve *curve, const spn_report_cell *cell, size_t k)
{
    const spn_report_length *length = &cell->lengths[k];
    char shown[SPN_SHOWN_VALUE], text[200];
    fputs(t->html ? "<tr>" : "|", t->stream);
    if (figure->request->by)
        put_cell(t, spn_show_value(shown, curve->value));
    put_cell(t, spn_show_value(shown, cell->x_text));
    snprintf(text, sizeof text, "%s%s", *length->text ? length->text : "all",
             !length->best || cell->length_count < 2 ? ""
             : k == 0 || k + 1 == cell->length_count ? " (best, at the end of the grid)"
                                                     : " (best)");
    put_cell(t, text);
    put_count(t, length->estimate.runs);
    put_count(t, length->estimate.hits);
    put_cost(t, length->estimate.cut);
    spn_summary time = spn_summarise(NULL, 0);
    time.mean = isinf(length->estimate.tts) ? NAN : length->estimate.tts;
    time.low = length->estimate.low;
    time.high = length->estimate.high;
    put_cell(t, spn_show_summary(text, &time, 1));
    fputs(t->html ? "</tr>\n" : "\n", t->stream);
}

static void put_lengths(const table *t, const spn_report_figure *figure)
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
    open_table(t, what, heads, count);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            for (size_t i = 0; i < figure->curves[k].cells[c].length_count; i++)
                put_length(t, figure, &figure->curves[k], &figure->curves[k].cells[c], i);
    if (t->html)
        spn_html_close_table(t->stream);
}

bool spn_figure_hits_tables(FILE *stream, const spn_report_figure *figure, bool html)
{
    const table t = {stream, html};
    if (figure->request->tts != SPN_TTS_NONE)
        put_lengths(&t, figure);
    else if (figure->request->as[SPN_FIGURE_SURVIVAL])
        return put_survival(&t, figure);
    return true;
}

/* ---- as CSV ---- */

bool spn_figure_lengths_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("runs,solved,share,cut,tts,low,high,best,length,x,by\n", stream);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            for (size_t i = 0; i < cell->length_count; i++) {
                const spn_tts_estimate *estimate = &cell->lengths[i].estimate;
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

#include "base/file.h"
#include "base/memory.h"
#include "record/record.h"
#include "report/figure/hits.h"
#include "report/figure/script.h"
#include "report/page/html.h"
#include "report/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- files within the page, as data URLs: pictures, and links that save a figure ---- */

static void put_base64(FILE *out, FILE *in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char three[3];
    size_t size;
    while ((size = fread(three, 1, 3, in)) > 0) {
        const unsigned long bits = (unsigned long)three[0] << 16 |
                                   (size > 1 ? (unsigned long)three[1] << 8 : 0) |
                                   (size > 2 ? (unsigned long)three[2] : 0);
        fputc(digits[bits >> 18], out);
        fputc(digits[bits >> 12 & 63], out);
        fputc(size > 1 ? digits[bits >> 6 & 63] : '=', out);
        fputc(size > 2 ? digits[bits & 63] : '=', out);
    }
}

/* A picture as part of the page. Errors: IO, MEMORY. */
static spn_status put_picture(FILE *stream, const char *path, const char *alternative,
                              spn_error *err)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return spn_file_fail(path, "cannot be read", err);
    spn_html_print(stream, "<img class=\"picture\" alt=\"%s\" src=\"data:image/svg+xml;base64,",
                   alternative);
    put_base64(stream, in);
    fputs("\">\n", stream);
    const spn_status status = ferror(in) ? spn_file_fail(path, "cannot be read", err) : SPN_OK;
    fclose(in);
    return status;
}

typedef struct format {
    const char *ending, *name, *type;
} format;
static const format svg = {".svg", "SVG", "image/svg+xml"},
                    pdf = {".pdf", "PDF", "application/pdf"},
                    csv = {".csv", "CSV", "text/csv;charset=utf-8"};

/* The line of links of one figure and kind; `stem` is what the kind adds to names of files. */
typedef struct line {
    FILE *stream;
    const char *figure, *stem;
    size_t links;
} line;

static void put_link(line *l, FILE *in, const char *stem, const format *as)
{
    if (l->links++ == 0)
        fputs("<p class=\"downloads\">Save as", l->stream);
    spn_html_print(l->stream,
                   " <a download=\"%s%s%s\" aria-label=\"Save %s%s as %s\" href=\"data:%s",
                   l->figure, stem, as->ending, l->figure, stem, as->name, as->type);
    fputs(";base64,", l->stream);
    put_base64(l->stream, in);
    fprintf(l->stream, "\">%s</a>", as->name);
}

/* A picture that was drawn beside the page; there may be none. */
static spn_status put_drawn(line *l, const char *folder, const format *as, spn_error *err)
{
    char *path = spn_text_new("%s/%s%s%s", folder, l->figure, l->stem, as->ending);
    SPN_NEED(path, err, "the page");
    spn_status status = SPN_OK;
    FILE *in = fopen(path, "r");
    if (in)
        put_link(l, in, l->stem, as);
    if (in ? ferror(in) : errno != ENOENT)
        status = spn_file_fail(path, "cannot be read", err);
    if (in)
        fclose(in);
    free(path);
    return status;
}

static spn_status put_csv(line *l, const spn_report_figure *figure, const spn_grid *grid,
                          const char *stem, spn_figure_writer *write, spn_error *err)
{
    spn_memory_stream memory;
    FILE *made = spn_memory_stream_open(&memory);
    SPN_NEED(made, err, "the page");
    const bool written = write(made, figure, grid);
    char *text = spn_memory_stream_finish(&memory);
    FILE *in = written && text ? fmemopen(text, strlen(text), "r") : NULL;
    if (in) {
        put_link(l, in, stem, &csv);
        fclose(in);
    }
    free(text);
    return in ? SPN_OK : spn_no_memory(err, "the page");
}

/* The figure's own numbers are saved from what it shows first. */
static bool is_first(const spn_sweep_figure *request, size_t kind)
{
    for (size_t earlier = 0; earlier < kind; earlier++)
        if (request->as[earlier])
            return false;
    return true;
}

/* Links that save a figure of a kind as SVG, PDF and CSV, as far as these files were drawn. Errors:
   IO, MEMORY. */
static spn_status put_downloads(FILE *stream, const spn_page *page, size_t k, size_t kind,
                                const spn_grid *grid, spn_error *err)
{
    const spn_report_figure *figure = &page->figures[k];
    const spn_drawing *drawing = spn_drawings[kind];
    line l = {.stream = stream,
              .figure = figure->request->name,
              .stem = spn_figure_kind_at(kind)->ending};
    if (drawing->script && page->pictures && !(page->undrawn && page->undrawn[k][kind])) {
        SPN_TRY(put_drawn(&l, page->pictures, &svg, err));
        SPN_TRY(put_drawn(&l, page->pictures, &pdf, err));
    }
    if (drawing->text && strcmp(drawing->text_ending, csv.ending) == 0)
        SPN_TRY(put_csv(&l, figure, grid, l.stem, drawing->text, err));
    else if (is_first(figure->request, kind) && !spn_sweep_figure_is_spread(figure->request))
        SPN_TRY(put_csv(&l, figure, grid, "", spn_figure_csv, err));
    if (l.links > 0)
        fputs("</p>\n", stream);
    return SPN_OK;
}

/* ---- numbers ---- */

static void put_number_row(FILE *stream, const spn_report_figure *figure,
                           const spn_report_curve *curve, const spn_report_cell *cell,
                           bool compared)
{
    const double factor = spn_value_factor(figure->request->value);
    char text[SPN_SHOWN_MEAN], shown[SPN_SHOWN_VALUE];
    fputs("<tr>", stream);
    if (figure->request->by)
        spn_html_element(stream, "th scope=\"row\"", spn_show_value(shown, curve->value));
    spn_html_element(stream, "th scope=\"row\"", spn_show_value(shown, cell->x_text));
    fprintf(stream, "<td>%s</td><td>%zu</td>", spn_show_summary(text, &cell->ours, factor),
            cell->ours.count);
    if (compared) {
        fprintf(stream, "<td>%s</td>", spn_show_reference(text, cell, factor));
        fprintf(stream, "<td%s>%s</td>", *spn_cell_mark(cell) ? " class=\"outside\"" : "",
                spn_show_difference(text, cell));
    }
    fputs("</tr>\n", stream);
}

static void put_number_heads(FILE *stream, const spn_sweep_figure *request, bool compared)
{
    static const char head[] = "th scope=\"col\"";
    char label[SPN_LABEL];
    fputs("<thead><tr>", stream);
    if (request->by)
        spn_html_element(stream, head, spn_figure_by_label((char[SPN_LABEL]){0}, request));
    spn_html_element(stream, head, spn_figure_x_label((char[SPN_LABEL]){0}, request));
    spn_html_element(stream, head, spn_figure_label(label, request));
    spn_html_element(stream, head, "runs");
    if (compared) {
        spn_html_element(stream, head, spn_figure_reference_name(request));
        spn_html_element(stream, head, "difference");
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
}

static const char *what_numbers(const spn_report_figure *figure, bool compared)
{
    if (spn_figure_is_single(figure))
        return compared ? "One run for each point, with which nothing is compared"
                        : "One run for each point";
    if (figure->request->tts != SPN_TTS_NONE)
        return "Time to solution and its 95% interval";
#define IN_UNITS "; the difference is in units of the joint 95% interval"
    if (*spn_figure_interval_text(figure) == 's') /* a share */
        return compared ? "Share and its 95% interval" IN_UNITS : "Share and its 95% interval";
    return compared ? "Mean ± half the 95% interval" IN_UNITS : "Mean ± half the 95% interval";
}

static void put_numbers(FILE *stream, const spn_report_figure *figure, bool open)
{
    const bool compared = spn_figure_has_reference(figure);
    fprintf(stream, "<details%s><summary>%s</summary>\n", open ? " open" : "",
            compared ? "The numbers, compared" : "The numbers");
    spn_html_open_table(stream, figure->request->by ? "numbers by" : "numbers",
                        what_numbers(figure, compared));
    put_number_heads(stream, figure->request, compared);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            put_number_row(stream, figure, &figure->curves[k], &figure->curves[k].cells[c],
                           compared);
    spn_html_close_table(stream);
    fputs("</details>\n", stream);
}

static void put_caption(FILE *stream, const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char label[SPN_LABEL], runs[SPN_RUNS_TEXT], unshown[SPN_VERDICT];
    const bool spread = spn_sweep_figure_is_spread(request);
    spn_html_print(stream, "<p class=\"caption\">%s", spn_figure_label(label, request));
    if (request->as[SPN_FIGURE_SURVIVAL]) {
        fputs(
            ": share of the runs not yet solved (Kaplan and Meier) with 95% intervals; a tick is a "
            "run that ended unsolved",
            stream);
    } else if (spread) {
        size_t values = 0;
        for (size_t k = 0; k < figure->count; k++)
            values += figure->curves[k].value_count;
        fprintf(stream, ": distribution of %zu values", values);
    } else {
        spn_html_print(stream, " against %s", spn_figure_x_label((char[SPN_LABEL]){0}, request));
        if (spn_figure_is_single(figure))
            fputs(", one run", stream);
        else
            fprintf(stream, ", %s %s with 95%% intervals",
                    request->tts == SPN_TTS_NONE ? "mean over" : "of",
                    spn_figure_runs(runs, figure));
    }
    if (*spn_figure_mixed(label, figure))
        spn_html_print(stream, "; all values of %s taken together", label);
    for (size_t w = 0; w < request->where_count; w++)
        spn_html_print(stream, "%s%s", w ? ", " : "; only runs with ", request->where[w]);
    if (*spn_figure_unshown(unshown, figure))
        fprintf(stream, "; %s", unshown);
    if (*spn_figure_bounds(unshown, figure))
        fprintf(stream, "; %s", unshown);
    fputs(".</p>\n", stream);
}

/* Alternative text of a chart or picture; the caller frees it. */
static char *alternative_of(const spn_report_figure *figure, const char *what)
{
    char label[SPN_LABEL];
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    if (!stream)
        return NULL;
    if (spn_sweep_figure_is_spread(figure->request))
        fprintf(stream, "%s of %s", what, spn_figure_label(label, figure->request));
    else
        fprintf(stream, "%s of %s against %s", what, spn_figure_label(label, figure->request),
                spn_figure_x_label((char[SPN_LABEL]){0}, figure->request));
    for (size_t k = 0; k < figure->count && figure->request->by; k++)
        fprintf(stream, "%s%s", k ? ", " : " for ", figure->curves[k].name);
    if (spn_figure_has_reference(figure))
        fprintf(stream, ", with those of the %s", spn_figure_reference_name(figure->request));
    fputs(spn_sweep_figure_is_spread(figure->request) ? "."
                                                      : ". The numbers are in the table below.",
          stream);
    return spn_memory_stream_finish(&memory);
}

static bool has_chart(const spn_page *page, size_t kind)
{
    return spn_drawings[kind]->chart && page->assets->chart_script.size > 0;
}

static bool has_picture(const spn_page *page, size_t k, size_t kind)
{
    return page->pictures && !(page->undrawn && page->undrawn[k][kind]);
}

static spn_status put_seen(FILE *stream, const spn_page *page, size_t k, size_t kind,
                           spn_error *err)
{
    const spn_report_figure *figure = &page->figures[k];
    char *path = NULL, *alternative = alternative_of(figure, spn_drawings[kind]->what);
    spn_status status = SPN_OK;
    if (!alternative || asprintf(&path, "%s/%s%s.svg", page->pictures ? page->pictures : "",
                                 figure->request->name, spn_figure_kind_at(kind)->ending) < 0) {
        path = NULL;
        status = spn_no_memory(err, "the page");
    } else if (has_chart(page, kind)) {
        spn_html_print(stream,
                       "<div class=\"chart\" data-figure=\"%zu\" data-alternative=\"%s\"></div>\n"
                       "<noscript><p>The chart needs JavaScript.</p></noscript>\n",
                       k, alternative);
    } else if (has_picture(page, k, kind)) {
        status = put_picture(stream, path, alternative, err);
    } else {
        fputs(spn_sweep_figure_is_spread(figure->request)
                  ? "<p class=\"aside\">No picture was drawn; the numbers are in its CSV "
                    "file.</p>\n"
                  : "<p class=\"aside\">No picture was drawn; the numbers are in the "
                    "table.</p>\n",
              stream);
    }
    SPN_FREE_ALL(path, alternative);
    return status;
}

static void put_fits(FILE *stream, const spn_report_figure *figure)
{
    char text[SPN_TRENDS_TEXT];
    _Static_assert((int)SPN_TRENDS_TEXT >= (int)SPN_FIT_TEXT, "room for either");
    for (size_t k = 0; k < figure->count; k++)
        if (*spn_curve_fit(text, figure, k) || *spn_curve_trends(text, figure, k))
            spn_html_print(stream, "<p class=\"aside\">%s: %s.</p>\n", figure->curves[k].name,
                           text);
}

static spn_status put_figure(FILE *stream, const spn_page *page, size_t k, spn_error *err)
{
    const spn_report_figure *figure = &page->figures[k];
    spn_status status = SPN_OK;
    bool seen = true;
    char verdict[SPN_VERDICT];
    spn_grid grid;
    if (!spn_grid_make(&grid, figure))
        return spn_no_memory(err, "the page");
    put_caption(stream, figure);
    if (*spn_figure_verdict(verdict, figure))
        spn_html_print(stream, "<p class=\"verdict\">%s.</p>\n", verdict);
    put_fits(stream, figure);
    for (size_t kind = 0; kind < SPN_FIGURE_KINDS && !status; kind++) {
        if (!figure->request->as[kind])
            continue;
        if (!spn_drawings[kind]->page) {
            status = put_seen(stream, page, k, kind, err);
            seen = seen && (has_chart(page, kind) || has_picture(page, k, kind));
        } else if (!spn_drawings[kind]->page(stream, figure, &grid)) {
            status = spn_no_memory(err, "the page");
        }
        if (!status)
            status = put_downloads(stream, page, k, kind, &grid, err);
    }
    if (!status && !spn_figure_hits_tables(stream, figure, true))
        status = spn_no_memory(err, "the page");
    if (!spn_sweep_figure_is_spread(figure->request))
        put_numbers(stream, figure, !seen);
    spn_grid_clear(&grid);
    return status;
}

spn_status spn_page_figures(FILE *stream, const spn_page *page, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < page->count && !status; k++) {
        const spn_sweep_figure *request = &page->records->sweep->figures[k];
        char title[SPN_TITLE];
        spn_html_print(stream,
                       "<section class=\"figure\" id=\"figure-%s\" "
                       "aria-labelledby=\"title-%s\">\n<h2 id=\"title-%s\">%s</h2>\n",
                       request->name, request->name, request->name,
                       spn_figure_title(title, request));
        if (page->missing[k])
            spn_html_print(stream, "<p class=\"aside\">Nothing to show%s (%s).</p>\n",
                           spn_page_is_complete(page) ? "" : " yet", page->missing[k]);
        else
            status = put_figure(stream, page, k, err);
        fputs("</section>\n", stream);
    }
    return status;
}

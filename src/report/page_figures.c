/* The figures on the page: a section for each, with its chart, its heat map, its tables. */
#include "report/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures ---- */

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

spn_status spn_page_picture(FILE *stream, const char *path, const char *alternative, spn_error *err)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    fputs("<img class=\"picture\" alt=\"", stream);
    spn_html_text(stream, alternative);
    fputs("\" src=\"data:image/svg+xml;base64,", stream);
    put_base64(stream, in);
    fputs("\">\n", stream);
    const int failed = ferror(in);
    fclose(in);
    return failed ? spn_fail(err, SPN_ERROR_IO, "%s: cannot be read", path) : SPN_OK;
}

/* ---- sections ---- */

static void put_caption(FILE *stream, const spn_report_figure *figure, const spn_sweep *sweep)
{
    const spn_sweep_figure *request = figure->request;
    char label[SPN_LABEL], runs[SPN_RUNS_TEXT];
    fputs("<p class=\"caption\">", stream);
    spn_html_text(stream, spn_figure_label(label, request));
    fputs(" against ", stream);
    spn_html_text(stream, spn_figure_x_label(request));
    if (spn_figure_is_single(figure))
        fputs(", one run", stream);
    else
        fprintf(stream, ", mean over %s with 95%% intervals", spn_figure_runs(runs, figure));
    if (*spn_figure_mixed(label, figure, sweep)) {
        fputs("; all values of ", stream);
        spn_html_text(stream, label);
        fputs(" taken together", stream);
    }
    for (size_t w = 0; w < request->where_count; w++) {
        fputs(w ? ", " : "; only runs with ", stream);
        spn_html_text(stream, request->where[w]);
    }
    fputs(".</p>\n", stream);
}

/* What a chart or a picture shows, for those who cannot see it; the caller frees. */
static char *alternative_of(const spn_report_figure *figure)
{
    char *out = NULL, label[SPN_LABEL];
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "Lines of %s against %s", spn_figure_label(label, figure->request),
            spn_figure_x_label(figure->request));
    for (size_t k = 0; k < figure->count && figure->request->by; k++)
        fprintf(stream, "%s%s", k ? ", " : " for ", figure->curves[k].name);
    if (spn_figure_has_reference(figure))
        fprintf(stream, ", with those of the %s", spn_figure_reference_name(figure->request));
    fprintf(stream, ". The numbers are in the table below.");
    if (fclose(stream) == 0)
        return out;
    free(out);
    return NULL;
}

static bool has_picture(const spn_page *page, size_t k)
{
    return page->pictures && !(page->undrawn && page->undrawn[k]);
}

static spn_status put_lines(FILE *stream, const spn_page *page, size_t k, spn_error *err)
{
    const spn_report_figure *figure = &page->figures[k];
    char *path = NULL, *alternative = alternative_of(figure);
    spn_status status = SPN_OK;
    if (!alternative) {
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the page");
    } else if (page->assets->chart_script.size > 0) {
        fprintf(stream, "<div class=\"chart\" data-figure=\"%zu\" data-alternative=\"", k);
        spn_html_text(stream, alternative);
        fputs("\"></div>\n<noscript><p>The chart needs JavaScript.</p></noscript>\n", stream);
    } else if (!has_picture(page, k)) {
        fputs("<p class=\"aside\">No picture was drawn; the numbers are in the table.</p>\n",
              stream);
    } else if (asprintf(&path, "%s/%s.svg", page->pictures, figure->request->name) < 0) {
        path = NULL;
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the page");
    } else {
        status = spn_page_picture(stream, path, alternative, err);
    }
    free(path);
    free(alternative);
    return status;
}

static void put_verdict(FILE *stream, const spn_report_figure *figure)
{
    char verdict[SPN_VERDICT];
    if (!*spn_figure_verdict(verdict, figure))
        return;
    fputs("<p class=\"verdict\">", stream);
    spn_html_text(stream, verdict);
    fputs(".</p>\n", stream);
}

static spn_status put_figure(FILE *stream, const spn_page *page, size_t k, spn_error *err)
{
    const spn_report_figure *figure = &page->figures[k];
    const spn_sweep_figure *request = figure->request;
    spn_grid grid;
    if (!spn_grid_make(&grid, figure))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the page");
    put_caption(stream, figure, page->records->sweep);
    put_verdict(stream, figure);
    spn_status status = request->lines ? put_lines(stream, page, k, err) : SPN_OK;
    if (request->heat)
        spn_page_heat(stream, figure, &grid);
    if (request->table)
        spn_page_table(stream, figure, &grid);
    const bool seen =
        page->assets->chart_script.size > 0 || has_picture(page, k) || !request->lines;
    spn_page_numbers(stream, figure, !seen);
    spn_grid_clear(&grid);
    return status;
}

spn_status spn_page_figures(FILE *stream, const spn_page *page, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < page->count && !status; k++) {
        const spn_sweep_figure *request = &page->records->sweep->figures[k];
        char title[SPN_TITLE];
        fputs("<section class=\"figure\" id=\"figure-", stream);
        spn_html_text(stream, request->name);
        fputs("\">\n<h2>", stream);
        spn_html_text(stream, spn_figure_title(title, request));
        fputs("</h2>\n", stream);
        if (page->missing[k]) {
            fprintf(stream, "<p class=\"aside\">Nothing to show%s (",
                    spn_page_is_complete(page) ? "" : " yet");
            spn_html_text(stream, page->missing[k]);
            fputs(").</p>\n", stream);
        } else {
            status = put_figure(stream, page, k, err);
        }
        fputs("</section>\n", stream);
    }
    return status;
}

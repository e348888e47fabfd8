/* Files within the page, as data URLs: pictures, and links that save a figure from where it stands.
 */
#include "base/file.h"
#include "base/memory.h"
#include "record/record.h"
#include "report/figure/script.h"
#include "report/page/html.h"
#include "report/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static spn_status put_numbers(line *l, const spn_report_figure *figure, const spn_grid *grid,
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

spn_status spn_page_downloads(FILE *stream, const spn_page *page, size_t k, size_t kind,
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
        SPN_TRY(put_numbers(&l, figure, grid, l.stem, drawing->text, err));
    else if (is_first(figure->request, kind) && !spn_sweep_figure_is_spread(figure->request))
        SPN_TRY(put_numbers(&l, figure, grid, "", spn_figure_csv, err));
    if (l.links > 0)
        fputs("</p>\n", stream);
    return SPN_OK;
}

/* A list: one line of text for each mean. */
#include "base/number.h"
#include "report/figure/script.h"
#include "report/page/html.h"

static bool write_text(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            spn_print(stream, "%s: %.10g\n", figure->curves[k].cells[c].x_text,
                      figure->curves[k].cells[c].ours.mean);
    return true;
}

static bool write_page(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    fputs("<pre class=\"list\">\n", stream);
    const bool done = write_text(stream, figure, grid);
    fputs("</pre>\n", stream);
    return done;
}

const spn_drawing spn_drawing_list = {
    .what = "A list", .text_ending = ".txt", .text = write_text, .page = write_page};

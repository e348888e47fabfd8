/* The start and the end of gnuplot's scripts, which lines and heat maps share. */
#include "report/figure_script.h"

#include <math.h>

enum { LEFT = 75 }; /* for the labels of an axis */

double spn_layout_width(const spn_layout *layout)
{
    return SPN_PICTURE_WIDTH - LEFT - layout->right;
}

/* A title is centred over the plot, and goes on beyond it on both sides. */
size_t spn_layout_letters(const spn_layout *layout)
{
    const double centre = LEFT + spn_layout_width(layout) / 2;
    const double room = 2 * fmin(centre, SPN_PICTURE_WIDTH - centre);
    return (size_t)(room / spn_letters(1, SPN_LETTER));
}

void spn_script_begin(FILE *stream, const spn_report_figure *figure, const char *stem,
                      spn_layout *layout)
{
    const char *name = figure->request->name;
    char terminal[SPN_TERMINAL], title[SPN_TITLE];
    fprintf(stream,
            "# Draws %s.svg, .pdf and .png from %s.csv: gnuplot %s.gp, in this folder.\n"
            "data = '%s.csv'\n"
            "if (!exists('ending')) ending = ''\n"
            "set datafile separator comma\n",
            stem, name, stem, name);
    fprintf(stream, "set terminal %s\n", spn_gnuplot_terminal(terminal, ".svg", layout->height));
    fprintf(stream, "set output '%s.svg'.ending\n\n# The looks\n", stem);
    spn_gnuplot_style(stream);
    const size_t letters = spn_layout_letters(layout);
    spn_gnuplot_set_text(stream, "title", spn_figure_title(title, figure->request), letters);
    layout->label =
        spn_gnuplot_set_text(stream, "xlabel", spn_figure_x_label(figure->request), letters);
}

/* gnuplot keeps room for one line. */
void spn_script_y_label(FILE *stream, const char *text, size_t letters)
{
    enum { GAP = 24 };
    const double high = spn_gnuplot_set_text(stream, "ylabel", text, SPN_SIDE_LETTERS);
    const double left = high + spn_letters(letters, SPN_LETTER) + GAP;
    if (high > 1.5 * SPN_LETTER)
        fprintf(stream, "set ylabel offset -1.5\nset lmargin at screen %.4f\n",
                left / SPN_PICTURE_WIDTH);
}

void spn_script_end(FILE *stream, const char *stem, const spn_layout *layout)
{
    static const char *const endings[] = {".pdf", ".png"};
    char terminal[SPN_TERMINAL];
    fputs("\n\n# The same for the other files\n", stream);
    for (size_t k = 0; k < 2; k++)
        fprintf(stream, "set terminal %s\nset output '%s%s'.ending\nreplot\n",
                spn_gnuplot_terminal(terminal, endings[k], layout->height), stem, endings[k]);
    fputs("set output\n", stream);
}

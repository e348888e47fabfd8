/* Figures as files, drawn by gnuplot: the script carries its data and is kept beside the figure. */
#include "base/file.h"
#include "base/number.h"
#include "base/try.h"
#include "report/figure/gnuplot.h"
#include <spinney/lab/plot.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void write_curve_data(FILE *stream, const spn_curve *curve)
{
    for (size_t k = 0; k < curve->count; k++)
        if (isfinite(curve->x[k]) && isfinite(curve->y[k]))
            spn_print(stream, "%.17g %.17g\n", curve->x[k], curve->y[k]);
}

static void write_script(FILE *stream, const spn_figure *figure, const char *terminal,
                         const char *output)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                          "#cc79a7", "#e69f00", "#56b4e9"};
    for (size_t c = 0; c < figure->count; c++) {
        fprintf(stream, "$curve%zu << END\n", c);
        write_curve_data(stream, &figure->curves[c]);
        fprintf(stream, "END\n");
    }
    fprintf(stream, "if (!exists('ending')) ending = ''\nset terminal %s\nset output ", terminal);
    spn_gnuplot_quote(stream, output);
    fputs(".ending\n", stream);
    spn_gnuplot_style(stream);
    fprintf(stream, "set key outside right top\n");
    spn_gnuplot_set_text(stream, "title", figure->title, 70);
    spn_gnuplot_set_text(stream, "xlabel", figure->x_label ? figure->x_label : "", 70);
    spn_gnuplot_set_text(stream, "ylabel", figure->y_label ? figure->y_label : "", 48);
    fprintf(stream, "%s%splot ", figure->log_x ? "set logscale x\n" : "",
            figure->log_y ? "set logscale y\n" : "");
    for (size_t c = 0; c < figure->count; c++) {
        fprintf(stream, "%s$curve%zu with lines lw 1.6 lc rgb '%s' title ", c ? ", " : "", c,
                colours[c % 6]);
        spn_gnuplot_quote(stream, figure->curves[c].name);
    }
    fprintf(stream, "\n");
}

static spn_status write_script_file(const spn_figure *figure, const char *path,
                                    const char *terminal, const char *script, spn_error *err)
{
    spn_file *file;
    SPN_TRY(spn_file_create(&file, script, err));
    write_script(spn_file_stream(file), figure, terminal, path);
    return spn_file_commit(file, err);
}

/* Drawn under another name first, so that the figure appears whole or not at all. */
static spn_status draw(const char *path, const char *script, spn_error *err)
{
    char ending[SPN_FILE_ENDING], settings[SPN_FILE_ENDING + 16];
    spn_file *file;
    if (!spn_file_ending(ending))
        return spn_file_fail(path, "no random numbers", err);
    snprintf(settings, sizeof settings, "ending='%s'", ending);
    spn_status status = spn_file_create_under(&file, path, ending, err);
    if (status)
        return status;
    if ((status = spn_gnuplot_run(NULL, settings, script, path, err)))
        spn_file_discard(file);
    else
        status = spn_file_commit(file, err);
    return status;
}

spn_status spn_figure_file(const spn_figure *figure, const char *path, spn_error *err)
{
    char terminal[SPN_TERMINAL], *script = NULL;
    struct stat info;
    if (!spn_gnuplot_terminal(terminal, path, SPN_PICTURE_HEIGHT))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: a figure's name ends in .svg, .pdf or .png",
                        path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    if (asprintf(&script, "%s.gp", path) < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    spn_status status = write_script_file(figure, path, terminal, script, err);
    if (!status)
        status = draw(path, script, err);
    free(script);
    return status;
}

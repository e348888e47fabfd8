/* Figures as files, drawn by gnuplot: the script carries its data and is kept beside the figure. */
#include "base/file.h"
#include <spinney/plot.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Text for a gnuplot string in double quotes. */
static void write_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

static const char *terminal_for(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".svg") == 0)
        return "svg size 720,440 font 'sans-serif,13' background '#ffffff'";
    if (dot && strcmp(dot, ".pdf") == 0)
        return "pdfcairo size 6in,3.7in font 'sans-serif,11'";
    if (dot && strcmp(dot, ".png") == 0)
        return "pngcairo size 1080,660 font 'sans-serif,15'";
    return NULL;
}

static void write_curve_data(FILE *stream, const spn_curve *curve)
{
    for (size_t k = 0; k < curve->count; k++)
        if (isfinite(curve->x[k]) && isfinite(curve->y[k]))
            fprintf(stream, "%.17g %.17g\n", curve->x[k], curve->y[k]);
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
    /* noenhanced: names are shown as they are, with no subscript after a _ */
    fprintf(stream, "set terminal %s\nset termoption noenhanced\nset output ", terminal);
    write_quoted(stream, output);
    fprintf(stream, "\nset border 3 lc rgb '#555555'\nset tics nomirror\n"
                    "set grid back lc rgb '#dddddd' lt 1\nset format '%%g'\n"
                    "set key outside right top\nset title ");
    write_quoted(stream, figure->title);
    fprintf(stream, "\nset xlabel ");
    write_quoted(stream, figure->x_label ? figure->x_label : "");
    fprintf(stream, "\nset ylabel ");
    write_quoted(stream, figure->y_label ? figure->y_label : "");
    fprintf(stream, "\n%s%splot ", figure->log_x ? "set logscale x\n" : "",
            figure->log_y ? "set logscale y\n" : "");
    for (size_t c = 0; c < figure->count; c++) {
        fprintf(stream, "%s$curve%zu with lines lw 1.6 lc rgb '%s' title ", c ? ", " : "", c,
                colours[c % 6]);
        write_quoted(stream, figure->curves[c].name);
    }
    fprintf(stream, "\n");
}

/* Run gnuplot on a script; its complaints go nowhere, its exit status says enough. */
static spn_status run_gnuplot(const char *script, const char *path, spn_error *err)
{
    pid_t child = fork();
    if (child < 0)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot start gnuplot: %s", path, strerror(errno));
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(126);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return SPN_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return spn_fail(err, SPN_ERROR_IO,
                        "%s: gnuplot is not installed (Debian: gnuplot-nox); the script is in %s",
                        path, script);
    return spn_fail(err, SPN_ERROR_IO, "%s: gnuplot failed on %s", path, script);
}

static spn_status write_and_run(const spn_figure *figure, const char *path, const char *terminal,
                                const char *script, const char *part, spn_error *err)
{
    spn_file *file;
    spn_status status = spn_file_create(&file, script, err);
    if (status)
        return status;
    write_script(spn_file_stream(file), figure, terminal, part);
    if ((status = spn_file_commit(file, err)) || (status = run_gnuplot(script, path, err))) {
        unlink(part);
        return status;
    }
    if (rename(part, path) != 0)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
    /* the script that stays names the figure itself */
    if ((status = spn_file_create(&file, script, err)))
        return status;
    write_script(spn_file_stream(file), figure, terminal, path);
    return spn_file_commit(file, err);
}

spn_status spn_figure_file(const spn_figure *figure, const char *path, spn_error *err)
{
    const char *terminal = terminal_for(path);
    if (!terminal)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: a figure's name ends in .svg, .pdf or .png",
                        path);
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    size_t size = strlen(path) + 16;
    char *script = malloc(size), *part = malloc(size);
    spn_status status;
    if (!script || !part) {
        status = spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    } else {
        snprintf(script, size, "%s.gp", path);
        snprintf(part, size, "%s.part", path);
        status = write_and_run(figure, path, terminal, script, part, err);
    }
    free(script);
    free(part);
    return status;
}

#include "base/file.h"
#include "base/number.h"
#include "base/try.h"
#include "report/figure/script.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spinney/lab/plot.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a byte of UTF-8 starts a character. */
static bool starts_letter(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

size_t spn_text_letters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += starts_letter(*text);
    return count;
}

/* An apostrophe gets double quotes of its own. If doubled, as gnuplot's manual says, it is misread
   at the start of a string and beside another. */
static void put_quoted(FILE *stream, const char *text, size_t length)
{
    fputc('\'', stream);
    for (size_t k = 0; k < length; k++)
        if (text[k] == '\'')
            fputs("'.\"'\".'", stream);
        else
            fputc(iscntrl((unsigned char)text[k]) ? ' ' : text[k], stream);
    fputc('\'', stream);
}

void spn_gnuplot_quote(FILE *stream, const char *text)
{
    put_quoted(stream, text, strlen(text));
}

void spn_gnuplot_quote_name(FILE *stream, const char *text)
{
    enum { MOST = 24 };
    size_t letters = 0, length = 0;
    for (; text[length] && letters + starts_letter(text[length]) <= MOST; length++)
        letters += starts_letter(text[length]);
    put_quoted(stream, text, length);
    fputs(text[length] ? ".'…'" : "", stream);
}

/* Bytes of the next line: up to the last space that fits, or to the edge within a longer word. */
static size_t line_of(const char *text, size_t letters)
{
    size_t used = 0, length = 0, space = 0;
    for (; text[length]; length++) {
        used += starts_letter(text[length]);
        if (text[length] == ' ')
            space = length;
        if (used > letters)
            break;
    }
    return text[length] && space ? space : length;
}

size_t spn_gnuplot_set_text(FILE *stream, const char *setting, const char *text, size_t letters)
{
    size_t lines = 0;
    text += strspn(text, " ");
    fprintf(stream, "set %s ", setting);
    do {
        const size_t length = line_of(text, letters);
        fputs(lines ? ".\"\\n\"." : "", stream);
        put_quoted(stream, text, length);
        text += length;
        text += strspn(text, " ");
    } while (++lines < SPN_MOST_LINES && *text);
    fputs(*text ? ".'…'\n" : "\n", stream);
    return lines;
}

#define FONT "font 'sans-serif,13'"

const char *spn_gnuplot_terminal(char out[SPN_TERMINAL], const char *path, unsigned height)
{
    const char *dot = strrchr(path, '.');
    const double inches = 6.0 * height / SPN_PICTURE_WIDTH;
    if (dot && strcmp(dot, ".svg") == 0)
        snprintf(out, SPN_TERMINAL, "svg noenhanced size 720,%u " FONT " background '#ffffff'",
                 height);
    else if (dot && strcmp(dot, ".pdf") == 0)
        spn_print_text(out, SPN_TERMINAL,
                       "pdfcairo noenhanced size 6in,%.3gin " FONT " fontscale 0.46", inches);
    else if (dot && strcmp(dot, ".png") == 0)
        snprintf(out, SPN_TERMINAL,
                 "pngcairo noenhanced size 1080,%u " FONT
                 " fontscale 1.15 pointscale 1.9 linewidth 1.4",
                 height * 3 / 2);
    else
        return NULL;
    return out;
}

void spn_gnuplot_style(FILE *stream)
{
    fputs("set encoding utf8\n"
          "set border 3 lc rgb '#555555'\n"
          "set tics nomirror\n"
          "set grid back lc rgb '#dddddd' lt 1\n"
          "set format '%g'\n",
          stream);
}

enum { COMPLAINT = 256 };

/* The last line says why gnuplot stopped, such as: "a.gp" line 3: invalid command. Keep it without
   the name, which the error has; empty if there is none. */
static void read_complaint(char out[COMPLAINT], int from)
{
    char line[COMPLAINT];
    *out = 0;
    FILE *stream = fdopen(from, "r");
    if (!stream) {
        close(from);
        return;
    }
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = 0;
        if (line[strspn(line, " \t")])
            strcpy(out, line);
    }
    fclose(stream);
    const char *rest = *out == '"' ? strstr(out, "\" ") : NULL;
    if (rest)
        memmove(out, rest + 2, strlen(rest + 2) + 1);
    for (char *c = out; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
}

static void become_gnuplot(const char *folder, const char *settings, const char *script,
                           int complaints)
{
    char *here = NULL; /* so that a name starting with - is not an option */
    if ((folder && (chdir(folder) != 0 || asprintf(&here, "./%s", script) < 0)) ||
        dup2(complaints, STDERR_FILENO) < 0)
        _exit(126);
    signal(SIGXFSZ, SIG_DFL); /* gnuplot would not notice a truncated picture */
    if (settings)
        execlp("gnuplot", "gnuplot", "-e", settings, here ? here : script, (char *)NULL);
    else
        execlp("gnuplot", "gnuplot", here ? here : script, (char *)NULL);
    _exit(127);
}

spn_status spn_gnuplot_run(const char *folder, const char *settings, const char *script,
                           const char *path, spn_error *err)
{
    int ends[2], status = 0;
    pid_t child = -1;
    if (pipe2(ends, O_CLOEXEC) == 0 && (child = fork()) < 0) {
        close(ends[0]);
        close(ends[1]);
    }
    if (child < 0)
        return spn_file_fail(path, "cannot start gnuplot", err);
    if (child == 0)
        become_gnuplot(folder, settings, script, ends[1]);
    close(ends[1]);
    char complaint[COMPLAINT];
    read_complaint(complaint, ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return SPN_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return spn_fail(err, SPN_ERROR_IO,
                        "%s: gnuplot is not installed (Debian: gnuplot-nox); the script is in %s",
                        path, script);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be written: %s", path, strerror(EFBIG));
    return spn_fail(err, SPN_ERROR_IO, "%s: gnuplot failed on %s%s%s%s%s", path,
                    folder ? folder : "", folder ? "/" : "", script, *complaint ? ", " : "",
                    complaint);
}

bool spn_gnuplot_found(void)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");
        char path[4096];
        const int size = snprintf(path, sizeof path, "%.*s/gnuplot", (int)length, folders);
        if (size > 0 && (size_t)size < sizeof path && access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static void write_script(FILE *stream, const spn_figure *figure, const char *terminal,
                         const char *output)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                          "#cc79a7", "#e69f00", "#56b4e9"};
    for (size_t c = 0; c < figure->count; c++) {
        fprintf(stream, "$curve%zu << END\n", c);
        for (size_t k = 0; k < figure->curves[c].count; k++)
            if (isfinite(figure->curves[c].x[k]) && isfinite(figure->curves[c].y[k]))
                spn_print(stream, "%.17g %.17g\n", figure->curves[c].x[k], figure->curves[c].y[k]);
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

spn_status spn_figure_file(const spn_figure *figure, const char *path, spn_error *err)
{
    char terminal[SPN_TERMINAL], *script = NULL;
    char ending[SPN_FILE_ENDING], settings[SPN_FILE_ENDING + 16];
    spn_file *file;
    struct stat info;
    if (!spn_gnuplot_terminal(terminal, path, SPN_PICTURE_HEIGHT))
        return spn_refuse(err, "%s: a figure's name ends in .svg, .pdf or .png", path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    if (asprintf(&script, "%s.gp", path) < 0)
        return spn_no_memory(err, "%s", path);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_file_create(&file, script, err));
    write_script(spn_file_stream(file), figure, terminal, path);
    SPN_TRY_OR(cleanup, spn_file_commit(file, err));
    if (!spn_file_ending(ending))
        SPN_TRY_OR(cleanup, spn_file_fail(path, "no random numbers", err));
    /* drawn under a temporary name, so that the figure appears whole or not at all */
    snprintf(settings, sizeof settings, "ending='%s'", ending);
    SPN_TRY_OR(cleanup, spn_file_create_under(&file, path, ending, err));
    status = spn_file_end(file, spn_gnuplot_run(NULL, settings, script, path, err), err);
cleanup:
    free(script);
    return status;
}

/* Text files line by line. */
#include "data/lines.h"

#include "base/memory.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

struct spn_lines {
    gzFile file; /* zlib reads plain files as they are */
    char *path;
    char *buffer;
    size_t capacity;
    unsigned long number;
};

spn_status spn_lines_open(spn_lines **out, const char *path, spn_error *err)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    spn_lines *lines = calloc(1, sizeof *lines);
    if (!lines || !(lines->path = strdup(path))) {
        free(lines);
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    }
    errno = 0;
    lines->file = gzopen(path, "rb");
    if (!lines->file) {
        spn_status status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", path,
                                     errno ? strerror(errno) : "out of memory");
        spn_lines_close(lines);
        return status;
    }
    gzbuffer(lines->file, 1 << 16);
    *out = lines;
    return SPN_OK;
}

spn_status spn_lines_fail(const spn_lines *lines, spn_error *err, const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_INPUT, "%s:%lu: %s", lines->path, lines->number, text);
}

/* Why gzgetc stopped: SPN_OK at the end of the file. */
static spn_status check_end(spn_lines *lines, spn_error *err)
{
    int code;
    const char *message = gzerror(lines->file, &code);
    if (code == Z_BUF_ERROR || code == Z_DATA_ERROR)
        return spn_lines_fail(lines, err, "the gzip stream is cut short or damaged");
    if (code < 0)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", lines->path,
                        code == Z_ERRNO ? strerror(errno) : message);
    return SPN_OK;
}

/* One raw line into the buffer, ended by a zero byte; false in *more after the last. */
static spn_status read_raw(bool *more, spn_lines *lines, spn_error *err)
{
    size_t length = 0;
    int c;
    while ((c = gzgetc(lines->file)) != -1 && c != '\n') {
        if (c == 0)
            return spn_lines_fail(lines, err, "a zero byte: this is not a text file");
        if (!spn_grow(&lines->buffer, &lines->capacity, length + 2, 1))
            return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", lines->path);
        lines->buffer[length++] = (char)c;
    }
    if (!spn_grow(&lines->buffer, &lines->capacity, length + 1, 1))
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", lines->path);
    lines->buffer[length] = 0;
    *more = c != -1 || length > 0;
    return c == -1 ? check_end(lines, err) : SPN_OK;
}

spn_status spn_lines_next(char **line, spn_lines *lines, spn_error *err)
{
    for (;;) {
        bool more = false;
        *line = NULL;
        lines->number++;
        spn_status status = read_raw(&more, lines, err);
        if (status || !more)
            return status;
        size_t length = strlen(lines->buffer);
        while (length > 0 && isspace((unsigned char)lines->buffer[length - 1]))
            lines->buffer[--length] = 0;
        char *start = lines->buffer;
        while (isspace((unsigned char)*start))
            start++;
        if (*start && *start != '#') {
            *line = start;
            return SPN_OK;
        }
    }
}

static void skip_blanks(char **text)
{
    while (**text == ' ' || **text == '\t')
        ++*text;
}

bool spn_read_real(double *out, char **text)
{
    char *end;
    *out = strtod(*text, &end);
    if (end == *text || !isfinite(*out))
        return false;
    *text = end;
    skip_blanks(text);
    return true;
}

bool spn_read_index(unsigned long *out, char **text)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *out = strtoul(*text, &end, 10);
    if (errno || *out > 0xFFFFFFFFul || (*end && *end != ' ' && *end != '\t'))
        return false;
    *text = end;
    skip_blanks(text);
    return true;
}

const char *spn_lines_path(const spn_lines *lines)
{
    return lines->path;
}

void spn_lines_close(spn_lines *lines)
{
    if (!lines)
        return;
    if (lines->file)
        gzclose(lines->file);
    free(lines->buffer);
    free(lines->path);
    free(lines);
}

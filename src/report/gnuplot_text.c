/* Texts in gnuplot's scripts: quoted, and broken into lines that fit the picture. */
#include "report/gnuplot.h"

#include <ctype.h>
#include <string.h>

/* Written so that gnuplot shows it as it is; control characters become spaces. cut: more follows
   that is not shown. */
static void put_quoted(FILE *stream, const char *text, size_t length, bool cut)
{
    fputc('\'', stream);
    for (size_t k = 0; k < length; k++) {
        if (text[k] == '\'')
            fputc('\'', stream);
        fputc(iscntrl((unsigned char)text[k]) ? ' ' : text[k], stream);
    }
    fputs(cut ? "…'" : "'", stream);
}

void spn_gnuplot_quote(FILE *stream, const char *text)
{
    put_quoted(stream, text, strlen(text), false);
}

/* How many letters wide the character is that starts with a byte of UTF-8; bytes that follow are
   none. Those of East Asia are two. */
static size_t letters(char byte)
{
    const unsigned char c = (unsigned char)byte;
    return (c & 0xC0) == 0x80 ? 0 : c >= 0xE3 ? 2 : 1;
}

size_t spn_text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += letters(*text);
    return width;
}

/* How many bytes of a text are a line of at most `width` letters: to the last space, or, in a word
   that is longer than a line, to its edge. */
static size_t line_of(const char *text, size_t width)
{
    size_t used = 0, length = 0, space = 0;
    for (; text[length]; length++) {
        if (used + letters(text[length]) > width)
            break;
        used += letters(text[length]);
        if (text[length] == ' ')
            space = length;
    }
    if (!text[length] || text[length] == ' ')
        return length;
    return space ? space : length ? length : 1;
}

static size_t count_lines(const char *text, size_t width)
{
    size_t lines = 0;
    while (*text) {
        text += line_of(text, width);
        text += strspn(text, " ");
        lines++;
    }
    return lines;
}

static void put_lines(FILE *stream, const char *text, size_t width, size_t most)
{
    for (size_t k = 0; k < most && (*text || k == 0); k++) {
        const bool cut = k + 1 == most && spn_text_width(text) > width;
        const size_t length = line_of(text, cut ? width - 1 : width);
        fputs(k ? ".\"\\n\"." : "", stream);
        put_quoted(stream, text, length, cut);
        text += length;
        text += strspn(text, " ");
    }
}

double spn_gnuplot_set_text(FILE *stream, const char *setting, const char *text, size_t width)
{
    static const struct {
        unsigned size;
        size_t most; /* lines */
    } tries[] = {{SPN_LETTER, 2}, {11, 2}, {9, 3}};
    size_t k = 0, room = width;
    text += strspn(text, " ");
    while (k < 2 && count_lines(text, room) > tries[k].most) {
        k++;
        room = width * SPN_LETTER / tries[k].size;
    }
    fprintf(stream, "set %s ", setting);
    put_lines(stream, text, room, tries[k].most);
    if (k > 0)
        fprintf(stream, " font ',%u'", tries[k].size);
    fputc('\n', stream);
    const size_t lines = count_lines(text, room);
    return 1.4 * tries[k].size * (double)(lines < tries[k].most ? lines : tries[k].most);
}

void spn_gnuplot_quote_name(FILE *stream, const char *text)
{
    const bool cut = spn_text_width(text) > SPN_NAME;
    size_t length = strlen(text), used = 0;
    for (size_t k = 0; cut && k < length; k++) {
        used += letters(text[k]);
        if (used > SPN_NAME - 1)
            length = k;
    }
    put_quoted(stream, text, length, cut);
}

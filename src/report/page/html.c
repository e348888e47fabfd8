#include "report/page/html.h"

#include <assert.h>
#include <string.h>

void spn_html_text(FILE *stream, const char *text)
{
    static const char letters[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *letter = strchr(letters, *text);
        if (letter)
            fputs(entities[letter - letters], stream);
        else
            fputc((unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text, stream);
    }
}

void spn_put_list(FILE *stream, void (*put)(FILE *stream, const char *text), const char *format,
                  va_list args)
{
    for (; *format; format++) {
        if (*format != '%') {
            fputc(*format, stream);
            continue;
        }
        format++;
        assert(*format == 's' || *format == 'z' || *format == '%');
        if (*format == 's')
            put(stream, va_arg(args, const char *));
        else if (*format == 'z')
            fprintf(stream, "%zu", va_arg(args, size_t));
        else
            fputc('%', stream);
        format += *format == 'z';
    }
}

void spn_html_print(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    spn_put_list(stream, spn_html_text, format, args);
    va_end(args);
}

void spn_html_element(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    spn_html_text(stream, text);
    fprintf(stream, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void spn_html_open_table(FILE *stream, const char *class, const char *what)
{
    spn_html_element(stream, "p class=\"what\"", what);
    spn_html_print(stream,
                   "\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                   "<table class=\"%s\">\n",
                   what, class);
}

void spn_html_close_table(FILE *stream)
{
    fputs("</tbody></table></div>\n", stream);
}

void spn_html_grid_head(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    char shown[SPN_SHOWN_VALUE];
    fputs("<thead><tr><th scope=\"col\">", stream);
    if (figure->request->by)
        spn_html_print(stream, "%s \\ ",
                       spn_figure_by_label((char[SPN_LABEL]){0}, figure->request));
    spn_html_print(stream, "%s</th>", spn_figure_x_label((char[SPN_LABEL]){0}, figure->request));
    for (size_t c = 0; c < grid->columns; c++)
        spn_html_element(stream, "th scope=\"col\"", spn_show_value(shown, grid->head[c]->x_text));
    fputs("</tr></thead>\n<tbody>\n", stream);
}

void spn_html_grid_row(FILE *stream, const spn_report_figure *figure, size_t k)
{
    const spn_report_curve *curve = &figure->curves[k];
    char shown[SPN_SHOWN_VALUE];
    fputs("<tr>", stream);
    spn_html_element(stream, "th scope=\"row\"",
                     figure->request->by ? spn_show_value(shown, curve->value) : curve->name);
}

/* Texts as cells of CSV files. */
#include "base/csv.h"

#include "base/number.h"

#include <ctype.h>
#include <string.h>

const char *spn_csv_guard(const char *text)
{
    double value;
    if (!*text || !strchr("=+-@\t\r", *text) || spn_number_parse(&value, text))
        return "";
    return "'";
}

void spn_csv_put(FILE *stream, const char *text)
{
    const char *guard = spn_csv_guard(text);
    if (*text != ' ' && !text[strcspn(text, ",\"\r\n")]) {
        fprintf(stream, "%s%s", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void spn_csv_put_quoted(FILE *stream, const char *text)
{
    fprintf(stream, "\"%s", spn_csv_guard(text));
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

/* Lines and numbers of files, cells of CSV files, UTF-8. */
#include "base/text.h"

#include "base/number.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

spn_lines spn_lines_of(const spn_source *source)
{
    spn_lines lines = {{(const char *)source->data, source->size}, 0};
    if (source->size >= 3 && memcmp(source->data, "\xef\xbb\xbf", 3) == 0) {
        lines.rest.text += 3;
        lines.rest.size -= 3;
    }
    return lines;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

spn_span spn_trim(spn_span span)
{
    while (span.size > 0 && is_blank(span.text[0])) {
        span.text++;
        span.size--;
    }
    while (span.size > 0 && is_blank(span.text[span.size - 1]))
        span.size--;
    return span;
}

bool spn_span_is(spn_span span, const char *text)
{
    return strlen(text) == span.size && memcmp(span.text, text, span.size) == 0;
}

bool spn_span_is_word(spn_span span, const char *text)
{
    return strlen(text) == span.size && strncasecmp(span.text, text, span.size) == 0;
}

bool spn_span_starts(spn_span span, const char *text)
{
    const size_t size = strlen(text);
    return span.size >= size && strncasecmp(span.text, text, size) == 0;
}

bool spn_span_ends(spn_span span, const char *text)
{
    const size_t size = strlen(text);
    return span.size >= size && strncasecmp(span.text + span.size - size, text, size) == 0;
}

bool spn_lines_next_whole(spn_lines *lines, spn_span *out)
{
    while (lines->rest.size > 0) {
        const char *start = lines->rest.text;
        const char *end = memchr(start, '\n', lines->rest.size);
        size_t size = end ? (size_t)(end - start) : lines->rest.size;
        size_t step = end ? size + 1 : size;
        lines->rest.text += step;
        lines->rest.size -= step;
        lines->number++;
        *out = (spn_span){start, size > 0 && start[size - 1] == '\r' ? size - 1 : size};
        if (spn_trim(*out).size > 0)
            return true;
    }
    return false;
}

bool spn_lines_next(spn_lines *lines, spn_span *out)
{
    const bool any = spn_lines_next_whole(lines, out);
    if (any)
        *out = spn_trim(*out);
    return any;
}

void spn_take_text(char *out, size_t size, const char *text, size_t length)
{
    const size_t taken = strnlen(text, length < size ? length : size - 1);
    memcpy(out, text, taken);
    out[taken] = 0;
}

spn_number spn_number_read(double *out, spn_span span)
{
    const char *name = span.text;
    size_t size = span.size;
    if (size > 0 && spn_number_scan(out, span.text, size) == size)
        return isfinite(*out) ? SPN_NUMBER_FINITE : SPN_NUMBER_NOT_FINITE;
    if (size > 0 && (*name == '-' || *name == '+')) {
        name++;
        size--;
    }
    const bool named =
        (size == 3 && (strncasecmp(name, "nan", 3) == 0 || strncasecmp(name, "inf", 3) == 0)) ||
        (size == 8 && strncasecmp(name, "infinity", 8) == 0);
    return named ? SPN_NUMBER_NOT_FINITE : SPN_NUMBER_NONE;
}

bool spn_number_vanishes(double read, spn_span span)
{
    for (size_t k = 0; k < span.size && span.text[k] != 'e' && span.text[k] != 'E'; k++)
        if (span.text[k] >= '1' && span.text[k] <= '9')
            return read == 0;
    return false;
}

const char *spn_show(char out[SPN_SHOWN], spn_span span)
{
    size_t size = span.size < SPN_SHOWN - 4 ? span.size : SPN_SHOWN - 4;
    for (size_t k = 0; k < size; k++) {
        unsigned char c = (unsigned char)span.text[k];
        out[k] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    strcpy(out + size, size < span.size ? "..." : "");
    return out;
}

uint64_t spn_hash_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
        return seed;
    struct timespec now; /* the clock replaces missing random numbers */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec;
}

static const char *guard_of(const char *text)
{
    double value;
    return *text && strchr("=+-@\t\r", *text) && !spn_number_parse(&value, text) ? "'" : "";
}

static void put_quoted(FILE *stream, const char *text, bool one_line)
{
    fprintf(stream, "\"%s", guard_of(text));
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(one_line && iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

void spn_csv_put(FILE *stream, const char *text)
{
    if (*text != ' ' && !text[strcspn(text, ",\"\r\n")])
        fprintf(stream, "%s%s", guard_of(text), text);
    else
        put_quoted(stream, text, false);
}

void spn_csv_put_quoted(FILE *stream, const char *text)
{
    put_quoted(stream, text, true);
}

size_t spn_utf8_size(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    if (size == 0)
        return 0;
    const unsigned char c = at[0];
    const size_t length = c < 0x80                ? 1
                          : c >= 0xc2 && c < 0xe0 ? 2
                          : c < 0xe0              ? 0
                          : c < 0xf0              ? 3
                                                  : 4;
    if (length == 0 || length > size || c > 0xf4)
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    /* overlong forms, surrogates, and what lies beyond the last character */
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] >= 0xa0) ||
        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] >= 0x90))
        return 0;
    return length;
}

bool spn_span_is_utf8(spn_span span)
{
    for (size_t size; span.size > 0; span.text += size, span.size -= size) {
        size = spn_utf8_size(span.text, span.size);
        if (size == 0)
            return false;
    }
    return true;
}

bool spn_is_utf8(const char *text)
{
    return spn_span_is_utf8((spn_span){text, strlen(text)});
}

/* Lines and numbers of text files. */
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

bool spn_lines_next(spn_lines *lines, spn_span *out)
{
    while (lines->rest.size > 0) {
        const char *start = lines->rest.text;
        const char *end = memchr(start, '\n', lines->rest.size);
        size_t size = end ? (size_t)(end - start) : lines->rest.size;
        size_t step = end ? size + 1 : size;
        lines->rest.text += step;
        lines->rest.size -= step;
        lines->number++;
        *out = spn_trim((spn_span){start, size});
        if (out->size > 0)
            return true;
    }
    return false;
}

/* ---- numbers ---- */

/* Characters of the longest number that is read; what a double holds needs fewer. */
enum { LONGEST = 1100 };

/* A decimal number taken apart: mantissa * 10^exponent, exact unless digits were dropped. */
typedef struct decimal {
    uint64_t mantissa;
    int exponent;
    bool negative;
    bool exact;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(decimal *d, char c, bool fraction)
{
    if (d->mantissa > (UINT64_MAX - 9) / 10) {
        d->exact = false;
        return;
    }
    d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
    d->exponent -= fraction;
}

static bool read_exponent(decimal *d, const char *at, const char *end)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int exponent = 0;
    for (; at < end; at++) {
        if (!is_digit(*at))
            return false;
        if (exponent < 100000)
            exponent = exponent * 10 + (*at - '0');
    }
    d->exponent += negative ? -exponent : exponent;
    return true;
}

/* The grammar: sign, digits with at most one point, exponent. No hexadecimal, no names. */
static bool take_apart(decimal *d, spn_span span)
{
    const char *at = span.text, *end = span.text + span.size;
    *d = (decimal){.negative = at < end && *at == '-', .exact = true};
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    bool fraction = false, any = false;
    for (; at < end; at++) {
        if (is_digit(*at)) {
            add_digit(d, *at, fraction);
            any = true;
        } else if (*at == '.' && !fraction) {
            fraction = true;
        } else {
            break;
        }
    }
    if (at < end && any && (*at == 'e' || *at == 'E'))
        return read_exponent(d, at + 1, end);
    return any && at == end;
}

/* Mantissa and power of ten are exact doubles, so one rounding is all there is (Clinger 1990,
   doi:10.1145/93548.93557). */
static bool convert_fast(double *out, const decimal *d)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->exact || d->mantissa > (UINT64_C(1) << 53) || abs(d->exponent) > 22)
        return false;
    double value = (double)d->mantissa;
    value = d->exponent < 0 ? value / power[-d->exponent] : value * power[d->exponent];
    *out = d->negative ? -value : value;
    return true;
}

/* strtod in the C locale: a program's locale may have a decimal comma. */
static bool convert_slow(double *out, spn_span span)
{
    char copy[LONGEST + 1];
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    memcpy(copy, span.text, span.size);
    copy[span.size] = '\0';
    *out = strtod_l(copy, NULL, locale);
    freelocale(locale);
    return true;
}

static bool is_not_finite(spn_span span)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    if (span.size > 0 && (span.text[0] == '-' || span.text[0] == '+'))
        span = (spn_span){span.text + 1, span.size - 1};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (span.size == strlen(names[k]) && strncasecmp(span.text, names[k], span.size) == 0)
            return true;
    return false;
}

spn_number spn_number_read(double *out, spn_span span)
{
    decimal d;
    if (span.size > LONGEST || !take_apart(&d, span))
        return is_not_finite(span) ? SPN_NUMBER_NOT_FINITE : SPN_NUMBER_NONE;
    if (!convert_fast(out, &d) && !convert_slow(out, span))
        return SPN_NUMBER_NONE;
    return isfinite(*out) ? SPN_NUMBER_FINITE : SPN_NUMBER_NOT_FINITE;
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

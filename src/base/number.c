/* Numbers as texts, the same under every locale. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Most characters of a number; doubles need fewer. */
enum { LONGEST = 1100 };

/* mantissa * 10^exponent, exact unless digits were dropped. */
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
        d->exact = d->exact && c == '0';
        d->exponent += !fraction;
        return;
    }
    d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
    d->exponent -= fraction;
}

/* Read e or E and digits at `at`. Returns the end, or `at` if there is none. */
static const char *take_exponent(decimal *d, const char *at, const char *end)
{
    const char *next = at;
    int exponent = 0;
    if (next == end || (*next != 'e' && *next != 'E'))
        return at;
    next++;
    const bool negative = next < end && *next == '-';
    if (next < end && (*next == '-' || *next == '+'))
        next++;
    if (next == end || !is_digit(*next))
        return at;
    for (; next < end && is_digit(*next); next++)
        if (exponent < 100000)
            exponent = exponent * 10 + (*next - '0');
    d->exponent += negative ? -exponent : exponent;
    return next;
}

/* Grammar: sign, digits with at most one point, exponent. Returns the number of characters. */
static size_t take_apart(decimal *d, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
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
    return any ? (size_t)(take_exponent(d, at, end) - text) : 0;
}

/* Mantissa and power of ten are exact doubles, so there is one rounding (Clinger 1990,
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

/* The C locale, for freelocale. It exists already, so this is cheap. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static bool convert_slow(double *out, const char *text, size_t size)
{
    char copy[LONGEST + 1];
    locale_t locale = c_locale();
    if (locale == (locale_t)0)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    *out = strtod_l(copy, NULL, locale);
    freelocale(locale);
    return true;
}

size_t spn_number_scan(double *out, const char *text, size_t size)
{
    decimal d;
    const size_t used = take_apart(&d, text, size);
    if (used == 0 || used > LONGEST)
        return 0;
    return convert_fast(out, &d) || convert_slow(out, text, used) ? used : 0;
}

size_t spn_number_scan_any(double *out, const char *text)
{
    const bool negative = *text == '-';
    const char *name = text + (negative || *text == '+');
    const size_t used = spn_number_scan(out, text, strlen(text));
    size_t letters = 0;
    if (used)
        return used;
    if (strncasecmp(name, "nan", 3) == 0)
        letters = 3;
    else if (strncasecmp(name, "inf", 3) == 0)
        letters = strncasecmp(name, "infinity", 8) == 0 ? 8 : 3;
    if (!letters)
        return 0;
    *out = *name == 'n' || *name == 'N' ? NAN : INFINITY;
    *out = negative ? -*out : *out;
    return (size_t)(name - text) + letters;
}

bool spn_number_parse_part(double *out, const char *text, size_t size)
{
    return size && spn_number_scan(out, text, size) == size && isfinite(*out);
}

bool spn_number_parse(double *out, const char *text)
{
    return spn_number_parse_part(out, text, strlen(text));
}

bool spn_whole_parse(uint64_t *out, const char *text)
{
    decimal d;
    const size_t size = strlen(text);
    if (*text == '-' || take_apart(&d, text, size) != size || size == 0 || !d.exact)
        return false;
    for (; d.exponent < 0 && d.mantissa % 10 == 0 && d.mantissa; d.exponent++)
        d.mantissa /= 10;
    for (; d.exponent > 0 && d.mantissa && d.mantissa <= INT64_MAX / 10; d.exponent--)
        d.mantissa *= 10;
    if (d.mantissa > INT64_MAX || (d.mantissa && d.exponent))
        return false;
    *out = d.mantissa;
    return true;
}

/* Only for this thread; others keep their locale. */
static locale_t enter(locale_t locale)
{
    return locale == (locale_t)0 ? locale : uselocale(locale);
}

static void leave(locale_t locale, locale_t before)
{
    if (locale == (locale_t)0)
        return;
    uselocale(before);
    freelocale(locale);
}

int spn_print(FILE *stream, const char *format, ...)
{
    const locale_t locale = c_locale(), before = enter(locale);
    va_list args;
    va_start(args, format);
    const int size = vfprintf(stream, format, args);
    va_end(args);
    leave(locale, before);
    return size;
}

int spn_print_text_list(char *out, size_t size, const char *format, va_list args)
{
    const locale_t locale = c_locale(), before = enter(locale);
    const int needed = vsnprintf(out, size, format, args);
    leave(locale, before);
    return needed;
}

int spn_print_text(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int needed = spn_print_text_list(out, size, format, args);
    va_end(args);
    return needed;
}

void spn_print_more(char *out, size_t size, const char *format, ...)
{
    const size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    spn_print_text_list(out + used, size - used, format, args);
    va_end(args);
}

void spn_whole_text(char out[SPN_NUMBER_TEXT], uint64_t value)
{
    char reversed[SPN_NUMBER_TEXT];
    size_t count = 0;
    do
        reversed[count++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t k = 0; k < count; k++)
        out[k] = reversed[count - 1 - k];
    out[count] = 0;
}

/* A number m/10^k of at most 15 digits, with the least k from 0 to 6: m with a point before its
   last k digits. No other number of so few digits reads as the same double, so printf with enough
   digits gives the same if it needs no exponent. This is much faster, above all if a library has
   registered its own printf formats, which slows down every printf. */
static bool put_decimal(char out[SPN_NUMBER_TEXT], double value)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    const double size = fabs(value);
    const int powers = sizeof power / sizeof *power;
    int k = 0;
    if (!(size < 1e9) || (size != 0 && size < 1e-4) || (size == 0 && signbit(value)))
        return false;
    while (k < powers && nearbyint(size * power[k]) / power[k] != size)
        k++;
    if (k == powers)
        return false;
    const uint64_t unit = (uint64_t)power[k], m = (uint64_t)nearbyint(size * power[k]);
    char *at = out;
    if (value < 0)
        *at++ = '-';
    spn_whole_text(at, m / unit);
    if (k == 0)
        return true;
    at += strlen(at);
    spn_whole_text(at, unit + m % unit); /* 1 and the k digits after the point */
    *at = '.';
    return true;
}

/* By printf, with the fewest digits, at least `least`, that read back exactly. */
static void print_shortest(char out[SPN_NUMBER_TEXT], double value, int least)
{
    double back;
    for (int precision = least; precision <= 17; precision++) {
        spn_print_text(out, SPN_NUMBER_TEXT, "%.*g", precision, value);
        if (spn_number_parse(&back, out) && back == value)
            return;
    }
}

void spn_number_text(char out[SPN_NUMBER_TEXT], double value)
{
    if (put_decimal(out, value == 0 ? 0.0 : value)) /* no -0 */
        return;
    if (value == floor(value) && fabs(value) < 1e15)
        spn_print_text(out, SPN_NUMBER_TEXT, "%.0f", value);
    else /* a normal number of at most 15 digits keeps its digits in %.15g */
        print_shortest(out, value, isnormal(value) ? 15 : 1);
}

void spn_number_short(char out[SPN_NUMBER_TEXT], double value)
{
    const bool exponent = value == floor(value) && fabs(value) >= 1e6; /* 1e+06 */
    if (exponent || !put_decimal(out, value))
        print_shortest(out, value, 6);
}

int spn_number_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double spn_number_round(double value, int digits)
{
    char text[SPN_NUMBER_TEXT];
    double rounded;
    spn_print_text(text, sizeof text, "%.*g", digits, value);
    return spn_number_scan_any(&rounded, text) ? rounded : value;
}

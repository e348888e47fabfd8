/* What the readers of problems with constraints share: places, numbers, lines, variables and
   rows. */
#include "problem/read/reading.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

spn_status spn_reading_fail(const spn_reading *reading, const char *place, spn_error *err,
                            const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    size_t line = 1, column = 1;
    for (const char *at = reading->start; at < place; at++) {
        const bool ends = *at == '\n';
        line += ends;
        column = ends ? 1 : column + (((unsigned char)*at & 0xc0) != 0x80); /* characters */
    }
    va_list args;
    va_start(args, format);
    spn_print_text_list(text, sizeof text, format, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_INPUT, "%s:%zu:%zu: %s", reading->source->name, line, column,
                    text);
}

/* ---- numbers ---- */

/* Whether a number of digits only is not exactly what they say. */
static bool is_rounded(double value, spn_span number)
{
    char exact[SPN_SHOWN];
    while (number.size > 1 && strchr("+-0", number.text[0]))
        number = (spn_span){number.text + 1, number.size - 1};
    for (size_t k = 0; k < number.size; k++)
        if (number.text[k] < '0' || number.text[k] > '9')
            return false;
    if (fabs(value) < 0x1p53)
        return false;
    spn_print_text(exact, sizeof exact, "%.0f", fabs(value));
    return !spn_span_is(number, exact);
}

/* A number that is not what its digits say is refused. */
static spn_status check_number(const spn_reading *reading, double value, spn_span token,
                               spn_error *err)
{
    char shown[SPN_SHOWN];
    if (!isfinite(value))
        return spn_reading_fail(reading, token.text, err, "%s is too large for a number",
                                spn_show(shown, token));
    if (spn_number_vanishes(value, token))
        return spn_reading_fail(reading, token.text, err,
                                "%s is too small for a number; write 0 if it is meant",
                                spn_show(shown, token));
    if (is_rounded(value, token))
        return spn_reading_fail(reading, token.text, err,
                                "%s is not exact: whole numbers are up to 2^53; divide all by a "
                                "power of ten, or give it a point if it may be rounded",
                                spn_show(shown, token));
    return SPN_OK;
}

spn_status spn_reading_number(double *out, spn_reading *reading, spn_error *err)
{
    const char *start = reading->at;
    const size_t size = spn_number_scan(out, start, (size_t)(reading->end - start));
    reading->at += size;
    return check_number(reading, *out, (spn_span){start, size}, err);
}

spn_status spn_reading_number_of(double *out, const spn_reading *reading, spn_span token,
                                 const char *what, spn_error *err)
{
    char shown[SPN_SHOWN];
    if (token.size == 0 || spn_number_scan(out, token.text, token.size) != token.size)
        return spn_reading_fail(reading, token.text, err, "'%s'; expected %s",
                                spn_show(shown, token), what);
    return check_number(reading, *out, token, err);
}

spn_status spn_reading_whole_of(uint64_t *out, const spn_reading *reading, spn_span token,
                                uint64_t least, uint64_t most, const char *what, spn_error *err)
{
    char shown[SPN_SHOWN];
    uint64_t value = 0;
    bool right = token.size > 0;
    for (size_t k = 0; k < token.size && right; k++) {
        right = token.text[k] >= '0' && token.text[k] <= '9' && value <= most;
        value = value * 10 + (uint64_t)(token.text[k] - '0');
    }
    if (!right || value < least || value > most)
        return spn_reading_fail(reading, token.text, err, "'%s'; expected %s, from %llu to %llu",
                                spn_show(shown, token), what, (unsigned long long)least,
                                (unsigned long long)most);
    *out = value;
    return SPN_OK;
}

/* ---- lines ---- */

bool spn_reading_line(spn_span *out, spn_reading *reading)
{
    while (reading->at < reading->end) {
        const char *start = reading->at;
        const char *stop = memchr(start, '\n', (size_t)(reading->end - start));
        reading->at = stop ? stop + 1 : reading->end;
        *out = spn_trim((spn_span){start, (size_t)((stop ? stop : reading->end) - start)});
        if (out->size > 0)
            return true;
    }
    *out = (spn_span){reading->end, 0};
    return false;
}

bool spn_reading_word(spn_span *out, spn_span *line)
{
    *line = spn_trim(*line);
    *out = (spn_span){line->text, 0};
    while (out->size < line->size && out->text[out->size] != ' ' && out->text[out->size] != '\t')
        out->size++;
    *line = (spn_span){line->text + out->size, line->size - out->size};
    return out->size > 0;
}

size_t spn_reading_most(const spn_reading *reading)
{
    const size_t free = 1 << 16, most = SPN_READING_MOST, size = reading->source->size;
    return size > most ? most : size > free ? size : free;
}

/* ---- variables ---- */

spn_status spn_reading_variable(uint32_t *out, spn_reading *reading, spn_span name, spn_error *err)
{
    char shown[SPN_SHOWN];
    *out = spn_texts_find(&reading->names, name);
    if (*out != SPN_NO_TEXT)
        return SPN_OK;
    const char *fault = spn_text_fault(name);
    if (!fault && !spn_span_is_utf8(name))
        fault = "is not UTF-8";
    if (fault)
        return spn_reading_fail(reading, name.text, err, "the name '%s' %s", spn_show(shown, name),
                                fault);
    const size_t count = reading->names.count;
    if (count == SPN_READING_MOST)
        return spn_reading_fail(reading, name.text, err, "more than 2^30 - 1 variables");
    SPN_NEED(spn_grow(&reading->variables, &reading->variable_capacity, count + 1,
                      sizeof *reading->variables) &&
                 spn_texts_add(out, &reading->names, name),
             err, "%s", reading->source->name);
    reading->variables[count] = (spn_read_variable){.place = name.text, .low = 0, .high = INFINITY};
    return SPN_OK;
}

/* ---- terms and rows ---- */

spn_status spn_sum_add(spn_sum *sum, double coefficient, const uint32_t *variables, size_t degree,
                       spn_error *err)
{
    size_t *capacities = sum->capacities;
    if (coefficient == 0)
        return SPN_OK;
    SPN_NEED(
        spn_grow(&sum->coefficients, &capacities[0], sum->count + 1, sizeof(double)) &&
            spn_grow(&sum->starts, &capacities[1], sum->count + 2, sizeof(size_t)) &&
            spn_grow(&sum->variables, &capacities[2], sum->factors + degree + 1, sizeof(uint32_t)),
        err, "terms");
    sum->coefficients[sum->count] = coefficient;
    sum->starts[sum->count] = sum->factors;
    for (size_t k = 0; k < degree; k++)
        sum->variables[sum->factors++] = variables[k];
    sum->starts[++sum->count] = sum->factors;
    return SPN_OK;
}

static spn_status check_row_name(const spn_reading *reading, spn_span name, const char *place,
                                 spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *fault = spn_text_fault(name);
    if (!fault && !spn_span_is_utf8(name))
        fault = "is not UTF-8";
    if (!fault && spn_texts_find(&reading->row_names, name) != SPN_NO_TEXT)
        fault = "is that of another one; each needs its own";
    return fault ? spn_reading_fail(reading, place, err, "the name '%s' of a constraint %s",
                                    spn_show(shown, name), fault)
                 : SPN_OK;
}

spn_status spn_reading_row(spn_reading *reading, spn_span name, spn_read_row row, spn_error *err)
{
    const size_t count = reading->row_count;
    char own[32];
    uint32_t k;
    if (name.size == 0)
        name = (spn_span){own, (size_t)spn_print_text(own, sizeof own, "c%zu", count + 1)};
    if (count == SPN_READING_MOST)
        return spn_reading_fail(reading, row.place, err, "more than 2^30 - 1 constraints");
    SPN_TRY(check_row_name(reading, name, row.place, err));
    SPN_NEED(spn_grow(&reading->rows, &reading->row_capacity, count + 1, sizeof *reading->rows) &&
                 spn_grow(&reading->firsts, &reading->first_capacity, count + 2, sizeof(size_t)) &&
                 spn_texts_add(&k, &reading->row_names, name),
             err, "%s", reading->source->name);
    reading->firsts[0] = 0;
    reading->rows[count] = row;
    reading->firsts[++reading->row_count] = reading->row_terms.count;
    return SPN_OK;
}

void spn_reading_drop_row(spn_reading *reading)
{
    spn_sum *sum = &reading->row_terms;
    sum->count = reading->row_count > 0 ? reading->firsts[reading->row_count] : 0;
    sum->factors = sum->starts ? sum->starts[sum->count] : 0;
}

/* Add the terms of the last row once more. */
static spn_status repeat_terms(spn_reading *reading, spn_error *err)
{
    spn_sum *sum = &reading->row_terms;
    const size_t *firsts = &reading->firsts[reading->row_count - 1];
    for (size_t t = firsts[0]; t < firsts[1]; t++) {
        const size_t start = sum->starts[t], degree = sum->starts[t + 1] - start;
        SPN_NEED(spn_grow(&sum->variables, &sum->capacities[2], sum->factors + degree + 1,
                          sizeof(uint32_t)),
                 err, "terms");
        SPN_TRY(spn_sum_add(sum, sum->coefficients[t], sum->variables + start, degree, err));
    }
    return SPN_OK;
}

static spn_status half_range(spn_reading *reading, spn_span name, const char *ending,
                             spn_read_row row, spn_error *err)
{
    char text[SPN_ERROR_TEXT];
    const int size =
        name.size > 0
            ? spn_print_text(text, sizeof text, "%.*s%s", (int)name.size, name.text, ending)
            : spn_print_text(text, sizeof text, "c%zu%s", reading->row_count + 1, ending);
    const size_t most = sizeof text - 1;
    return spn_reading_row(reading, (spn_span){text, (size_t)size < most ? (size_t)size : most},
                           row, err);
}

spn_status spn_reading_range(spn_reading *reading, spn_span name, double low, double high,
                             const char *place, spn_error *err)
{
    const spn_read_row least = {place, SPN_SENSE_AT_LEAST, low, INFINITY},
                       most = {place, SPN_SENSE_AT_MOST, high, INFINITY},
                       equal = {place, SPN_SENSE_EQUAL, low, INFINITY};
    if (low > high)
        return spn_reading_fail(reading, place, err,
                                "no value is at least the lower and at most the upper limit");
    if (isinf(low) && isinf(high)) {
        spn_reading_drop_row(reading);
        return SPN_OK;
    }
    if (isinf(low) || isinf(high) || low == high)
        return spn_reading_row(reading, name, isinf(low) ? most : isinf(high) ? least : equal, err);
    SPN_TRY(half_range(reading, name, ".low", least, err));
    SPN_TRY(repeat_terms(reading, err));
    return half_range(reading, name, ".high", most, err);
}

/* Numbers of CSV as people write them: decimal commas, thousands, percents. */
#include "data/read/csv.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Characters of a number with separated thousands, or with a decimal comma. */
enum { LONGEST = 64 };

static size_t count_digits(spn_span text, size_t from)
{
    size_t k = from;
    while (k < text.size && text.text[k] >= '0' && text.text[k] <= '9')
        k++;
    return k - from;
}

/* The digits before the decimals, in groups of three after the first. *end: where they end.
   Returns how many groups there are, 0 for none and for wrong ones. */
static size_t count_groups(spn_span text, size_t from, char mark, size_t *end)
{
    const size_t first = count_digits(text, from);
    size_t groups = 1, k = from + first;
    if (first < 1 || first > 3 || text.text[from] == '0')
        return 0;
    for (; k < text.size && text.text[k] == mark; k += 4, groups++)
        if (count_digits(text, k + 1) != 3)
            return 0;
    *end = k;
    return groups;
}

/* Write a number without marks between groups and with a decimal point. Points of thousands are
   taken only if they can be nothing else, as 1.234 is another number in most files. */
static bool rewrite(char out[LONGEST], spn_span text, char point, bool grouped)
{
    const char mark = point == ',' ? '.' : ',';
    const size_t sign = text.size > 0 && (text.text[0] == '-' || text.text[0] == '+');
    size_t end = 0, size = 0;
    if (text.size >= LONGEST)
        return false;
    const size_t groups = count_groups(text, sign, mark, &end);
    if (groups > 1) {
        const bool decimals = end < text.size && text.text[end] == point;
        if (!grouped || (point == ',' && groups == 2 && !decimals) ||
            end + decimals + (decimals ? count_digits(text, end + 1) : 0) != text.size)
            return false;
    }
    for (size_t k = 0; k < text.size; k++) {
        if (text.text[k] == mark && k < end)
            continue;
        if (text.text[k] == mark)
            return false;
        out[size++] = text.text[k] == point ? '.' : text.text[k];
    }
    out[size] = '\0';
    return true;
}

spn_number spn_csv_number(double *out, const spn_csv *csv, spn_span cell)
{
    const spn_decimal decimal = csv->options->decimal;
    const char point = decimal == SPN_DECIMAL_COMMA ? ',' : '.';
    char plain[LONGEST];
    spn_number kind = SPN_NUMBER_NONE;
    if (point == '.' || !memchr(cell.text, '.', cell.size))
        kind = spn_number_read(out, cell);
    if (kind != SPN_NUMBER_NONE || cell.size == 0)
        return kind;
    const bool percent = spn_csv_is_percent(cell);
    if (percent)
        cell = spn_trim((spn_span){cell.text, cell.size - 1});
    const bool grouped = decimal != SPN_DECIMAL_AUTO || csv->separator == ',';
    if (!rewrite(plain, cell, point, grouped))
        return SPN_NUMBER_NONE;
    kind = spn_number_read(out, (spn_span){plain, strlen(plain)});
    if (percent && kind == SPN_NUMBER_FINITE)
        *out /= 100;
    return percent && kind == SPN_NUMBER_NOT_FINITE ? SPN_NUMBER_NONE : kind;
}

/* Digits with this mark somewhere, points and signs. */
static bool looks_like_number(spn_span cell, char mark)
{
    bool digits = false, marked = false;
    for (size_t k = 0; k < cell.size; k++) {
        const char c = cell.text[k];
        digits = digits || (c >= '0' && c <= '9');
        marked = marked || c == mark;
        if (!(c >= '0' && c <= '9') && !strchr(",.+-", c))
            return false;
    }
    return digits && marked;
}

bool spn_csv_has_decimal_comma(spn_span cell)
{
    return looks_like_number(cell, ',');
}

/* What a comma, or a point where commas are decimal, can be; NULL if there is none. */
static const char *hint_of(const spn_csv *csv, spn_span cell)
{
    char plain[LONGEST];
    const bool comma = csv->options->decimal == SPN_DECIMAL_COMMA;
    if (comma && looks_like_number(cell, '.'))
        return "has a point, but numbers have decimal commas (`decimal comma`); remove points "
               "between thousands, or give `decimal point`";
    if (comma || !spn_csv_has_decimal_comma(cell))
        return NULL;
    if (csv->options->decimal == SPN_DECIMAL_AUTO && rewrite(plain, cell, '.', true))
        return "has a comma; give `decimal comma` if it stands for a decimal point, or `decimal "
               "point` if it separates thousands";
    return "has a comma; give `decimal comma` if it stands for a decimal point";
}

/* A text among numbers may be a typing error: it is not for a program to say. */
spn_status spn_csv_not_a_number(const spn_csv *csv, size_t line, size_t column, spn_span cell,
                                spn_error *err)
{
    char place[SPN_CSV_PLACE], shown[SPN_SHOWN], word[SPN_SHOWN];
    const char *hint = hint_of(csv, cell);
    spn_csv_place(place, csv, line, column);
    spn_csv_word(word, csv, column);
    spn_show(shown, cell);
    if (hint)
        return spn_source_fail(csv->source, err, "%s: '%s' %s", place, shown, hint);
    if (csv->options->columns || csv->options->features != 0)
        return spn_source_fail(csv->source, err,
                               "%s: '%s' is not a number such as -1.5 or 2e3, as it was in the "
                               "training data",
                               place, shown);
    return spn_source_fail(csv->source, err,
                           "%s: '%s' is not a number, though others in its column are; correct it, "
                           "give `drop %s` to leave the column out, or list it in `categories`",
                           place, shown, word);
}

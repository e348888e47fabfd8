/* Rows and fields of CSV. */
#include "data/read/csv.h"

#include <stdio.h>
#include <string.h>

spn_csv_row spn_csv_row_of(const spn_csv *csv, spn_span line, size_t number)
{
    return (spn_csv_row){.rest = line, .line = number, .separator = csv->separator};
}

const char *spn_csv_place(char out[SPN_CSV_PLACE], const spn_csv *csv, size_t line, size_t column)
{
    char shown[SPN_SHOWN];
    const char *name = csv->names ? csv->names[column] : "";
    snprintf(out, SPN_CSV_PLACE, "line %zu, column %zu%s%s%s", line, column + 1, *name ? " ('" : "",
             spn_show(shown, (spn_span){name, strlen(name)}), *name ? "')" : "");
    return out;
}

const char *spn_csv_word(char out[SPN_SHOWN], const spn_csv *csv, size_t column)
{
    const char *name = csv->names ? csv->names[column] : "";
    if (!*name || strpbrk(name, ", '\"$&;()<>|*?`\\") || strlen(name) >= SPN_SHOWN - 4)
        snprintf(out, SPN_SHOWN, "%zu", column + 1);
    else
        snprintf(out, SPN_SHOWN, "%s", name);
    return out;
}

/* ---- fields ---- */

/* Blanks around a field mean nothing, unless they separate. */
static bool is_blank(char separator, char c)
{
    return c == ' ' || (c == '\t' && separator != '\t');
}

/* Whether a field may end here: a separator or the end of the line, perhaps after blanks. */
static bool may_end(spn_span text, size_t k, char separator)
{
    while (separator != ' ' && k < text.size && is_blank(separator, text.text[k]))
        k++;
    return k >= text.size || spn_csv_separates(separator, text.text[k]) || text.text[k] == '\n' ||
           text.text[k] == '\r';
}

/* A quote within is doubled, or written \" as R does. As a text may also end with a backslash, such
   a quote closes if the field may end there. */
size_t spn_csv_quote_end(spn_span text, size_t from, char separator)
{
    for (size_t k = from; k < text.size; k++) {
        if (text.text[k] != '"')
            continue;
        const bool escaped = k > from && text.text[k - 1] == '\\';
        if (k + 1 < text.size && text.text[k + 1] == '"') {
            k++;
            if (escaped && may_end(text, k + 1, separator))
                return k;
        } else if (!escaped || may_end(text, k + 1, separator)) {
            return k;
        }
    }
    return text.size;
}

/* Move past the separator at `size` characters, or end the row. */
static void pass_over(spn_csv_row *row, size_t size)
{
    spn_span *rest = &row->rest;
    row->ended = size == rest->size;
    size += !row->ended;
    rest->text += size;
    rest->size -= size;
}

static void skip_blanks(spn_csv_row *row)
{
    size_t count = 0;
    while (count < row->rest.size && is_blank(row->separator, row->rest.text[count]))
        count++;
    row->rest.text += count;
    row->rest.size -= count;
}

/* The text given keeps the doubled quotes. */
static void take_quoted(spn_csv_row *row, spn_csv_field *out)
{
    size_t end = spn_csv_quote_end(row->rest, 1, row->separator);
    if (end >= row->rest.size) {
        row->fault = "a quote is not closed";
        end = row->rest.size - 1;
    }
    *out = (spn_csv_field){{row->rest.text + 1, end > 0 ? end - 1 : 0}, true};
    size_t next = end + 1;
    while (next < row->rest.size && !spn_csv_separates(row->separator, row->rest.text[next]) &&
           is_blank(row->separator, row->rest.text[next]))
        next++;
    if (next < row->rest.size && !spn_csv_separates(row->separator, row->rest.text[next])) {
        row->fault = "something follows a closing quote";
        next = row->rest.size;
    }
    pass_over(row, next);
}

static size_t plain_size(const spn_csv_row *row)
{
    size_t size = 0;
    if (row->separator != ' ') {
        const char *end =
            row->rest.size > 0 ? memchr(row->rest.text, row->separator, row->rest.size) : NULL;
        return end ? (size_t)(end - row->rest.text) : row->rest.size;
    }
    while (size < row->rest.size && !spn_csv_separates(' ', row->rest.text[size]))
        size++;
    return size;
}

bool spn_csv_next(spn_csv_row *row, spn_csv_field *out)
{
    if (row->ended || row->fault)
        return false;
    row->column++;
    skip_blanks(row);
    if (row->rest.size > 0 && row->rest.text[0] == '"') {
        take_quoted(row, out);
    } else {
        const size_t size = plain_size(row);
        *out = (spn_csv_field){spn_trim((spn_span){row->rest.text, size}), false};
        pass_over(row, size);
    }
    if (row->separator ==
        ' ') { /* several in a row are one, and at the end they separate nothing */
        skip_blanks(row);
        row->ended = row->rest.size == 0;
    }
    return !row->fault;
}

spn_span spn_csv_plain(char out[SPN_CSV_PLAIN], const spn_csv_field *field)
{
    const spn_span text = field->text;
    size_t size = 0;
    if (!field->quoted ||
        (!memchr(text.text, '"', text.size) && !memchr(text.text, '\n', text.size)))
        return text;
    for (size_t k = 0; k < text.size && size < SPN_CSV_PLAIN; k++) {
        const char c = text.text[k], next = k + 1 < text.size ? text.text[k + 1] : 0;
        if (c == '\r' && next == '\n')
            continue;
        if (c == '"' && next == '"')
            k++; /* doubled */
        else if (c == '"' && size > 0 && out[size - 1] == '\\')
            size--; /* escaped */
        out[size++] = c == '\n' ? ' ' : c;
    }
    return (spn_span){out, size};
}

spn_status spn_csv_count(size_t *out, const spn_csv *csv, spn_span line, size_t number,
                         spn_error *err)
{
    size_t count = 1;
    if (csv->separator != ' ' && !memchr(line.text, '"', line.size)) {
        for (size_t k = 0; k < line.size; k++)
            count += line.text[k] == csv->separator;
        *out = count;
        return SPN_OK;
    }
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    while (spn_csv_next(&row, &field))
        ;
    *out = row.column;
    return row.fault ? spn_source_fail(csv->source, err,
                                       "line %zu, column %zu: %s; double it or remove it", row.line,
                                       row.column, row.fault)
                     : SPN_OK;
}

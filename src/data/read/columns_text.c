/* The text form of columns: a line for each, in the order of the table.

       columns 1
       header yes
       missing mean
       indices 1
       number "age" 29.7
       category "sex" "female" "male"
       label "survived"
       dropped "id"

   A name is - where there was no header; a number is followed by what stands in for missing values,
   where that is known. In quotes \" and \\ stand for " and \, and \xHH for another byte. */
#include "base/memory.h"
#include "base/number.h"
#include "data/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void put_text(FILE *stream, const char *text)
{
    if (!text) {
        fputs(" -", stream);
        return;
    }
    fputs(" \"", stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, stream);
    }
    fputc('"', stream);
}

static void put_column(FILE *stream, const spn_columns *columns, const spn_column *column)
{
    char number[SPN_NUMBER_TEXT];
    fputs(spn_column_kind_name(column->kind), stream);
    put_text(stream, column->name);
    for (uint32_t k = 0; k < column->categories.count; k++)
        put_text(stream, column->categories.texts[k]);
    if (column->kind == SPN_COLUMN_NUMBER && columns->fills) {
        spn_number_text(number, columns->fills[column->feature]);
        fprintf(stream, " %s", number);
    }
    fputc('\n', stream);
}

spn_status spn_columns_to_text(char **out, const spn_columns *columns, spn_error *err)
{
    *out = NULL;
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    SPN_NEED(stream, err, "the columns of a table");
    fprintf(stream, "columns 1\nheader %s\nmissing %s\nindices %u\n",
            columns->header ? "yes" : "no", spn_missing_name(columns->missing),
            columns->first_index);
    for (size_t c = 0; c < columns->count; c++)
        put_column(stream, columns, &columns->list[c]);
    if ((*out = spn_memory_stream_finish(&memory)))
        return SPN_OK;
    return spn_no_memory(err, "the columns of a table");
}

/* ---- reading ---- */

typedef struct reader {
    const char *name;
    spn_span rest;  /* of the text */
    spn_span line;  /* what is left of the line */
    size_t number;  /* of the line */
    char *unquoted; /* room for the longest text */
    spn_error *err;
} reader;

static spn_status fault(const reader *r, const char *what)
{
    return spn_fail(r->err, SPN_ERROR_INPUT, "%s: line %zu of the columns: %s", r->name, r->number,
                    what);
}

static bool next_line(reader *r)
{
    if (r->rest.size == 0)
        return false;
    const char *end = memchr(r->rest.text, '\n', r->rest.size);
    const size_t size = end ? (size_t)(end - r->rest.text) : r->rest.size;
    r->line = (spn_span){r->rest.text, size};
    r->rest.text += size + (end != NULL);
    r->rest.size -= size + (end != NULL);
    r->number++;
    return true;
}

static void pass(spn_span *span, size_t size)
{
    span->text += size;
    span->size -= size;
}

/* The word up to the next blank, and the blank. */
static spn_span next_word(reader *r)
{
    const char *blank = r->line.size ? memchr(r->line.text, ' ', r->line.size) : NULL;
    const size_t size = blank ? (size_t)(blank - r->line.text) : r->line.size;
    const spn_span word = {r->line.text, size};
    pass(&r->line, size + (blank != NULL));
    return word;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character after a backslash; 0 if there is none. */
static char take_escape(reader *r)
{
    if (r->line.size >= 1 && (r->line.text[0] == '"' || r->line.text[0] == '\\')) {
        const char c = r->line.text[0];
        pass(&r->line, 1);
        return c;
    }
    if (r->line.size < 3 || r->line.text[0] != 'x')
        return 0;
    const int high = hex_digit(r->line.text[1]), low = hex_digit(r->line.text[2]);
    pass(&r->line, 3);
    return high < 0 || low < 0 ? 0 : (char)(high * 16 + low);
}

/* A text in quotes and the blank after it, without NUL. */
static bool take_quoted(reader *r, spn_span *out)
{
    size_t size = 0;
    if (r->line.size == 0 || r->line.text[0] != '"')
        return false;
    pass(&r->line, 1);
    while (r->line.size > 0 && r->line.text[0] != '"') {
        char c = r->line.text[0];
        pass(&r->line, 1);
        if (c == '\\')
            c = take_escape(r);
        if (c == 0)
            return false;
        r->unquoted[size++] = c;
    }
    if (r->line.size == 0 || (r->line.size > 1 && r->line.text[1] != ' '))
        return false;
    pass(&r->line, r->line.size > 1 ? 2 : 1);
    *out = (spn_span){r->unquoted, size};
    return true;
}

/* The lines before those of the columns. */
static spn_status read_head(spn_columns *columns, reader *r)
{
    static const char *const keys[] = {"columns", "header", "missing", "indices"};
    spn_span value[4];
    for (size_t k = 0; k < 4; k++) {
        if (!next_line(r) || !spn_span_is(next_word(r), keys[k]))
            return fault(r, "expected columns, header, missing and indices at the start");
        value[k] = r->line;
    }
    columns->header = spn_span_is(value[1], "yes");
    columns->first_index = spn_span_is(value[3], "1");
    for (spn_missing m = SPN_MISSING_REFUSE; m <= SPN_MISSING_ZERO; m++)
        if (spn_span_is(value[2], spn_missing_name(m)))
            columns->missing = m;
    if (!spn_span_is(value[0], "1") || (!columns->header && !spn_span_is(value[1], "no")) ||
        !spn_span_is(value[2], spn_missing_name(columns->missing)) ||
        (!columns->first_index && !spn_span_is(value[3], "0")))
        return fault(r, "an unknown version or word in the lines before");
    return SPN_OK;
}

static spn_status read_name(spn_column *column, const spn_columns *columns, reader *r)
{
    spn_span name;
    if (!columns->header)
        return spn_span_is(next_word(r), "-") ? SPN_OK
                                              : fault(r, "a name, though there is no header");
    if (!take_quoted(r, &name))
        return fault(r, "expected a name in quotes");
    column->name = strndup(name.text, name.size);
    return column->name ? SPN_OK : spn_no_memory(r->err, "%s", r->name);
}

static spn_status read_categories(spn_column *column, reader *r)
{
    spn_span text;
    uint32_t number;
    while (r->line.size > 0) {
        if (!take_quoted(r, &text) || spn_text_fault(text))
            return fault(r, "expected categories in quotes");
        const uint32_t before = column->categories.count;
        SPN_NEED(spn_texts_add(&number, &column->categories, text), r->err, "%s", r->name);
        if (number != before)
            return fault(r, "a category comes twice");
    }
    return column->categories.count > 0 ? SPN_OK : fault(r, "no categories");
}

/* What stands in for missing values: of all columns of numbers or of none. */
static spn_status read_fill(double *out, bool *known, reader *r)
{
    *out = 0;
    *known = r->line.size > 0;
    if (*known && spn_number_read(out, r->line) != SPN_NUMBER_FINITE)
        return fault(r, "what stands in for missing values is not a number");
    return SPN_OK;
}

static spn_status read_column(spn_columns *columns, size_t c, double *fill, bool *known, reader *r)
{
    spn_column *column = &columns->list[c];
    const spn_span kind = next_word(r);
    size_t k = 0;
    while (spn_column_kind_name((spn_column_kind)k) &&
           !spn_span_is(kind, spn_column_kind_name((spn_column_kind)k)))
        k++;
    if (!spn_column_kind_name((spn_column_kind)k))
        return fault(r, "expected number, category, label or dropped");
    column->kind = (spn_column_kind)k;
    SPN_TRY(read_name(column, columns, r));
    if (column->kind == SPN_COLUMN_CATEGORY)
        SPN_TRY(read_categories(column, r));
    if (column->kind == SPN_COLUMN_NUMBER)
        return read_fill(fill, known, r);
    return r->line.size > 0 ? fault(r, "something follows the name") : SPN_OK;
}

/* One fill for each column of numbers, moved to its feature. */
static spn_status keep_fills(spn_columns *columns, const double *fills, const reader *r)
{
    columns->fills = calloc(columns->features, sizeof *columns->fills);
    SPN_NEED(columns->fills, r->err, "%s", r->name);
    for (size_t c = 0; c < columns->count; c++)
        if (columns->list[c].kind == SPN_COLUMN_NUMBER)
            columns->fills[columns->list[c].feature] = fills[c];
    return SPN_OK;
}

static spn_status read_columns(spn_columns *columns, double *fills, reader *r)
{
    size_t numbers = 0, filled = 0, labels = 0;
    for (size_t c = 0; c < columns->count; c++) {
        bool known = false;
        SPN_TRY(next_line(r) ? read_column(columns, c, &fills[c], &known, r)
                             : fault(r, "cut short"));
        numbers += columns->list[c].kind == SPN_COLUMN_NUMBER;
        labels += columns->list[c].kind == SPN_COLUMN_LABEL;
        filled += known;
    }
    if (labels > 1 || (filled != 0 && filled != numbers))
        return fault(r, "two labels, or only some columns with what stands in");
    SPN_NEED(spn_columns_finish(columns), r->err, "%s", r->name);
    if (columns->features == 0)
        return fault(r, "no features");
    return filled ? keep_fills(columns, fills, r) : SPN_OK;
}

/* The lines after the head: one for each column. */
static size_t count_lines(spn_span rest)
{
    size_t count = 0;
    for (size_t k = 0; k < rest.size; k++)
        count += rest.text[k] == '\n' || k + 1 == rest.size;
    return count;
}

spn_status spn_columns_from_text(spn_columns **out, const char *text, size_t size, const char *name,
                                 spn_error *err)
{
    spn_columns head = {0};
    reader r = {.name = name, .rest = {text, size}, .err = err};
    *out = NULL;
    SPN_TRY(read_head(&head, &r));
    const size_t count = count_lines(r.rest);
    spn_columns *columns = spn_columns_alloc(count);
    double *fills = spn_alloc(count, sizeof *fills);
    r.unquoted = malloc(size);
    spn_status status;
    SPN_NEED_OR(cleanup, columns && fills && r.unquoted, err, "%s", name);
    columns->header = head.header;
    columns->missing = head.missing;
    columns->first_index = head.first_index;
    SPN_TRY_OR(cleanup, read_columns(columns, fills, &r));
    *out = columns;
    columns = NULL;
cleanup:
    spn_columns_free(columns);
    SPN_FREE_ALL(fills, r.unquoted);
    return status;
}

/* The header of CSV: whether there is one, the names of the columns, and which of them is the
   label. */
#include "data/read/csv.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <assert.h>
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Bytes of a name; longer names are cut off. */
enum { LONGEST_NAME = 255 };

/* A name as it is kept: printable, not too long. */
static char *name_of(const spn_csv_field *field)
{
    char plain[SPN_CSV_PLAIN];
    spn_span text = spn_csv_plain(plain, field);
    char *name = strndup(text.text, text.size < LONGEST_NAME ? text.size : LONGEST_NAME);
    for (char *c = name; c && *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return name;
}

static spn_status read_names(spn_csv *csv, spn_span line, size_t number, spn_error *err)
{
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    csv->names = spn_alloc(csv->columns, sizeof *csv->names);
    while (csv->names && spn_csv_next(&row, &field))
        if (!(csv->names[row.column - 1] = name_of(&field)))
            break;
    if (csv->names && csv->names[csv->columns - 1])
        return SPN_OK;
    return spn_no_memory(err, "the header of %s", csv->source->name);
}

/* A number from 1, or from -1 backwards from the end. */
static bool read_number(size_t *out, const spn_csv *csv, spn_span text)
{
    char number[24];
    uint64_t value;
    const bool from_end = text.size > 1 && text.text[0] == '-';
    if (text.size == 0 || text.size >= sizeof number)
        return false;
    memcpy(number, text.text + from_end, text.size - from_end);
    number[text.size - from_end] = '\0';
    if (strspn(number, "0123456789") != strlen(number) || !spn_whole_parse(&value, number) ||
        value == 0 || value > csv->columns)
        return false;
    *out = from_end ? csv->columns - (size_t)value : (size_t)value - 1;
    return true;
}

typedef struct name_list {
    char **names;
    size_t count;
} name_list;

static const char *name_at(const void *words, size_t i)
{
    const name_list *list = words;
    return i < list->count ? list->names[i] : NULL;
}

static spn_status not_found(const spn_csv *csv, spn_span text, const char *option, spn_error *err)
{
    char shown[SPN_SHOWN], near[SPN_SHOWN];
    const name_list list = {csv->names, csv->names ? csv->columns : 0};
    spn_show(shown, text);
    const char *nearest = csv->names ? spn_nearest_word(shown, name_at, &list) : NULL;
    if (nearest && *nearest)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: no column is called '%s'; did you mean '%s'?", csv->source->name,
                        option, shown, spn_show(near, (spn_span){nearest, strlen(nearest)}));
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: %s: no column is called '%s'%s; a number is from 1 to %zu, or from -1 "
        "backwards from the end",
        csv->source->name, option, shown,
        csv->names ? "" : ": there is no header with names (give `header yes` if there is one)",
        csv->columns);
}

spn_status spn_csv_find(size_t *out, const spn_csv *csv, spn_span text, const char *option,
                        spn_error *err)
{
    char shown[SPN_SHOWN];
    size_t found = SPN_NO_COLUMN;
    for (size_t c = 0; csv->names && c < csv->columns; c++) {
        if (!spn_span_is(text, csv->names[c]))
            continue;
        if (found != SPN_NO_COLUMN)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: %s: columns %zu and %zu are both called '%s'; give the number",
                            csv->source->name, option, found + 1, c + 1, spn_show(shown, text));
        found = c;
    }
    if (found == SPN_NO_COLUMN && !read_number(&found, csv, text))
        return not_found(csv, text, option, err);
    *out = found;
    return SPN_OK;
}

/* ---- whether there is a header ---- */

/* How many lines after the first to look at. */
enum { LOOK = 1000 };

typedef enum cell_kind { NOTHING, NUMBER, TEXT } cell_kind;

/* What a column holds, in the first line and below it. */
typedef struct looks {
    spn_span first;
    cell_kind kind;
    bool numbers_below, texts_below, again; /* again: the same text as in the first line */
    bool number_next;                       /* in the second line */
} looks;

static cell_kind kind_of(spn_span cell)
{
    double value;
    if (spn_is_missing(cell))
        return NOTHING;
    const bool number = spn_number_read(&value, cell) != SPN_NUMBER_NONE;
    return number || spn_csv_has_decimal_comma(cell) ? NUMBER : TEXT;
}

static void look_below(looks *l, const spn_csv *csv, spn_lines lines)
{
    spn_span line;
    size_t columns;
    for (size_t n = 0; n < LOOK && spn_lines_next_whole(&lines, &line); n++) {
        if (spn_csv_count(&columns, csv, line, 0, NULL) || columns != csv->columns)
            continue; /* an error comes later */
        spn_csv_row row = spn_csv_row_of(csv, line, lines.number);
        spn_csv_field field;
        while (spn_csv_next(&row, &field)) {
            looks *column = &l[row.column - 1];
            const cell_kind kind = kind_of(field.text);
            column->numbers_below = column->numbers_below || kind == NUMBER;
            column->texts_below = column->texts_below || kind == TEXT;
            column->number_next = column->number_next || (n == 0 && kind == NUMBER);
            column->again = column->again ||
                            (kind == TEXT && field.text.size == column->first.size &&
                             memcmp(field.text.text, column->first.text, field.text.size) == 0);
        }
    }
}

static looks *look_at(const spn_csv *csv, spn_lines lines, spn_span first)
{
    looks *l = spn_alloc(csv->columns, sizeof *l);
    spn_csv_row row = spn_csv_row_of(csv, first, 0);
    spn_csv_field field;
    while (l && spn_csv_next(&row, &field)) {
        l[row.column - 1].first = field.text;
        l[row.column - 1].kind = kind_of(field.text);
    }
    if (l)
        look_below(l, csv, lines);
    return l;
}

/* What the columns say together. */
typedef struct verdict {
    size_t numbers, texts; /* features of the first line */
    size_t only_text;      /* the first feature that is a text in line 1 and a number below */
    bool label_only_text;  /* the same for the label, in line 2 */
    bool again;            /* a text of the first line comes again in its column */
} verdict;

static verdict judge(const spn_csv *csv, const looks *l)
{
    verdict v = {.only_text = SPN_NO_COLUMN};
    for (size_t c = 0; c < csv->columns; c++) {
        v.again = v.again || (l[c].kind == TEXT && l[c].again);
        if (c == csv->label_column) {
            v.label_only_text = l[c].kind == TEXT && l[c].number_next;
            continue;
        }
        v.numbers += l[c].kind == NUMBER;
        v.texts += l[c].kind == TEXT;
        if (v.only_text == SPN_NO_COLUMN && l[c].kind == TEXT && l[c].numbers_below &&
            !l[c].texts_below)
            v.only_text = c;
    }
    return v;
}

/* A wrong guess would drop a sample or make one up unnoticed: if in doubt, ask. */
static spn_status decide(spn_csv *csv, const verdict *v, size_t line, spn_error *err)
{
    char place[SPN_CSV_PLACE];
    if (v->only_text != SPN_NO_COLUMN && v->numbers > 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: not a number, though other features are; correct it, or give "
                        "`header yes` if the first line is a header",
                        csv->source->name, spn_csv_place(place, csv, line, v->only_text));
    if (v->label_only_text && v->numbers > 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: a text, but a number in the next line; give `header yes` if the "
                        "first line is a header, otherwise `header no`",
                        csv->source->name, spn_csv_place(place, csv, line, csv->label_column));
    csv->header = v->only_text != SPN_NO_COLUMN ||
                  (v->numbers == 0 && (v->texts > 0 || v->label_only_text) && !v->again);
    return SPN_OK;
}

static spn_status guess_header(spn_csv *csv, spn_lines lines, spn_span first, spn_error *err)
{
    const size_t line = lines.number;
    looks *l = look_at(csv, lines, first);
    if (!l)
        return spn_no_memory(err, "the header of %s", csv->source->name);
    const verdict v = judge(csv, l);
    free(l);
    return decide(csv, &v, line, err);
}

/* ---- where the labels are ---- */

static spn_status check_width(const spn_csv *csv, size_t line, spn_error *err)
{
    const size_t labels = csv->label_column != SPN_NO_COLUMN;
    const size_t features = csv->options->features;
    if (csv->columns == labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line %zu: one column, which is the label; expected features too, "
                        "separated by commas, semicolons or tabs",
                        csv->source->name, line);
    if (features != 0 && !csv->options->drop && csv->columns - labels != features)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %zu columns; expected %zu features%s",
                        csv->source->name, line, csv->columns, features,
                        labels ? " and a label" : " and no label");
    return SPN_OK;
}

/* Use `labels`, as no name or number is given. */
static void place_labels(spn_csv *csv)
{
    const spn_read_options *o = csv->options;
    spn_label_place place = o->labels;
    if (o->labels_optional && o->features != 0 && csv->columns == o->features)
        place = SPN_LABELS_NONE;
    csv->label_column = place == SPN_LABELS_NONE    ? SPN_NO_COLUMN
                        : place == SPN_LABELS_FIRST ? 0
                                                    : csv->columns - 1;
}

/* With a name or a number for the label, a first line that has the name is a header. */
static spn_status find_label(spn_csv *csv, spn_lines lines, spn_span first, spn_error *err)
{
    const spn_span text = {csv->options->label_column, strlen(csv->options->label_column)};
    csv->label_column = SPN_NO_COLUMN;
    if (csv->options->header == SPN_HEADER_AUTO && !read_number(&csv->label_column, csv, text))
        csv->header = true;
    else if (csv->options->header == SPN_HEADER_AUTO)
        SPN_TRY(guess_header(csv, lines, first, err));
    if (csv->header)
        SPN_TRY(read_names(csv, first, lines.number, err));
    return spn_csv_find(&csv->label_column, csv, text, "label-column", err);
}

/* ---- with a recipe ---- */

/* Whether the first line holds the names of all columns that make features. */
static bool has_all_names(const spn_csv *csv, const spn_columns *recipe)
{
    for (size_t c = 0; c < recipe->count; c++) {
        const spn_column *column = &recipe->list[c];
        bool found = column->kind == SPN_COLUMN_LABEL || column->kind == SPN_COLUMN_DROPPED;
        for (size_t k = 0; k < csv->columns && !found; k++)
            found = strcmp(csv->names[k], column->name) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* The recipe decides where the labels are, unless the options do. */
static spn_status read_by_recipe(spn_csv *csv, spn_lines lines, spn_span first, spn_error *err)
{
    const spn_read_options *o = csv->options;
    const bool guess = o->header == SPN_HEADER_AUTO;
    spn_status status = read_names(csv, first, lines.number, err);
    csv->label_column = SPN_NO_COLUMN;
    if (!status && guess && o->columns->header)
        csv->header = has_all_names(csv, o->columns);
    if (!status && guess && !csv->header)
        status = guess_header(csv, lines, first, err);
    if (!csv->header) {
        spn_list_free(csv->names, csv->columns);
        csv->names = NULL;
    }
    if (status || o->labels == SPN_LABELS_NONE)
        return status;
    if (o->label_column)
        return spn_csv_find(&csv->label_column, csv,
                            (spn_span){o->label_column, strlen(o->label_column)}, "label-column",
                            err);
    if (o->labels == SPN_LABELS_FIRST)
        csv->label_column = 0;
    return SPN_OK;
}

static spn_status read_first_line(spn_csv *csv, spn_lines lines, spn_span first, spn_error *err)
{
    SPN_TRY(spn_csv_count(&csv->columns, csv, first, lines.number, err));
    csv->header = csv->options->header == SPN_HEADER_YES;
    if (csv->options->columns)
        return read_by_recipe(csv, lines, first, err);
    if (csv->options->label_column && csv->options->labels != SPN_LABELS_NONE) {
        SPN_TRY(find_label(csv, lines, first, err));
        return check_width(csv, lines.number, err);
    }
    place_labels(csv);
    SPN_TRY(check_width(csv, lines.number, err));
    if (csv->options->header == SPN_HEADER_AUTO)
        SPN_TRY(guess_header(csv, lines, first, err));
    return csv->header ? read_names(csv, first, lines.number, err) : SPN_OK;
}

spn_status spn_csv_read_header(spn_csv *csv, spn_error *err)
{
    spn_lines lines = spn_lines_of(csv->source);
    spn_span first;
    if (!spn_lines_next_whole(&lines, &first))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line 1: no samples; a data set needs at least one", csv->source->name);
    csv->separator = spn_csv_separator(csv);
    return read_first_line(csv, lines, first, err);
}

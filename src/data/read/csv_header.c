/* The header of CSV: whether there is one, the names of the columns, and which of them is the
   label. */
#include "data/read/csv.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Bytes of a name; longer names are cut off. */
enum { LONGEST_NAME = 255 };

/* What the column of row names is called, which R does not write. */
static const char ROW_NAMES[] = "row.names";

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
    if (csv->names && csv->row_names)
        csv->names[0] = strdup(ROW_NAMES);
    while (csv->names && spn_csv_next(&row, &field))
        if (!(csv->names[row.column - 1 + csv->row_names] = name_of(&field)))
            break;
    if (csv->names && csv->names[0] && csv->names[csv->columns - 1])
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

static const char *name_at(const void *csv, size_t i)
{
    const spn_csv *own = csv;
    return i < own->columns ? own->names[i] : NULL;
}

static spn_status not_found(const spn_csv *csv, spn_span text, const char *option, spn_error *err)
{
    char shown[SPN_SHOWN], near[SPN_SHOWN];
    spn_show(shown, text);
    const char *nearest = csv->names ? spn_nearest_word(shown, name_at, csv) : NULL;
    if (nearest && *nearest)
        return spn_source_fail(csv->source, err, "%s: no column is called '%s'; did you mean '%s'?",
                               option, shown, spn_show(near, (spn_span){nearest, strlen(nearest)}));
    return spn_source_fail(
        csv->source, err,
        "%s: no column is called '%s'%s; a number is from 1 to %zu, or from -1 "
        "backwards from the end",
        option, shown,
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
            return spn_source_fail(csv->source, err,
                                   "%s: columns %zu and %zu are both called '%s'; give the number",
                                   option, found + 1, c + 1, spn_show(shown, text));
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

static spn_column_kind kind_of(const spn_csv *csv, spn_span cell)
{
    double value;
    if (spn_is_missing(cell))
        return SPN_COLUMN_DROPPED;
    const bool number = spn_csv_number(&value, csv, cell) != SPN_NUMBER_NONE;
    return number || spn_csv_has_decimal_comma(cell) ? SPN_COLUMN_NUMBER : SPN_COLUMN_CATEGORY;
}

static void look_below(spn_csv_looks *l, const spn_csv *csv, spn_csv_records rows)
{
    spn_span line;
    size_t columns;
    for (size_t n = 0; n < LOOK && spn_csv_records_next(&rows, &line); n++) {
        if (spn_csv_count(&columns, csv, line, 0, NULL) || columns != csv->columns)
            continue; /* an error comes later */
        spn_csv_row row = spn_csv_row_of(csv, line, rows.line);
        spn_csv_field field;
        while (spn_csv_next(&row, &field)) {
            spn_csv_looks *column = &l[row.column - 1];
            const spn_column_kind kind = kind_of(csv, field.text);
            column->numbers_below |= kind == SPN_COLUMN_NUMBER;
            column->texts_below += kind == SPN_COLUMN_CATEGORY;
            column->number_next |= n == 0 && kind == SPN_COLUMN_NUMBER;
            column->again |= kind == SPN_COLUMN_CATEGORY && field.text.size == column->first.size &&
                             memcmp(field.text.text, column->first.text, field.text.size) == 0;
        }
    }
}

/* Whether the first line is 0, 1, 2 and so on, as pandas numbers columns without names. */
static bool counts_columns(const spn_csv_looks *l, const spn_csv *csv)
{
    double value;
    if (csv->options->columns || csv->options->features != 0)
        return false; /* a sample of a model */
    for (size_t c = 0; c < csv->columns; c++)
        if (spn_number_read(&value, l[c].first) != SPN_NUMBER_FINITE || value != (double)c)
            return false;
    return csv->columns > 2;
}

/* A wrong guess would drop a sample or make one up unnoticed: if in doubt, ask. */
static spn_status decide(spn_csv *csv, const spn_csv_looks *l, size_t line, spn_error *err)
{
    char place[SPN_CSV_PLACE];
    size_t numbers = 0, texts = 0;      /* features of the first line */
    size_t only_text = SPN_NO_COLUMN;   /* a feature that is a text in line 1 and a number below */
    bool label_only_text = false;       /* the same for the label, in line 2 */
    bool alike = false;                 /* a feature that is a number in line 1 and below */
    bool again = false;                 /* a text of the first line comes again in its column */
    size_t only_number = SPN_NO_COLUMN; /* a number in line 1 and texts below: a year, a place */
    for (size_t c = 0; c < csv->columns; c++) {
        const bool text = l[c].kind == SPN_COLUMN_CATEGORY;
        again |= text && l[c].again;
        alike |= c != csv->label_column && l[c].kind == SPN_COLUMN_NUMBER && l[c].numbers_below;
        if (only_number == SPN_NO_COLUMN && l[c].kind == SPN_COLUMN_NUMBER && l[c].texts_below &&
            !l[c].numbers_below)
            only_number = c;
        if (c == csv->label_column) {
            label_only_text = text && l[c].number_next;
            continue;
        }
        numbers += l[c].kind == SPN_COLUMN_NUMBER;
        texts += text;
        if (only_text == SPN_NO_COLUMN && text && l[c].numbers_below && !l[c].texts_below)
            only_text = c;
    }
    if (only_text != SPN_NO_COLUMN && numbers > 0)
        return spn_source_fail(csv->source, err,
                               "%s: not a number, though other features are; correct it, or give "
                               "`header yes` if the first line is a header",
                               spn_csv_place(place, csv, line, only_text));
    if (label_only_text && numbers > 0)
        return spn_source_fail(csv->source, err,
                               "%s: a text, but a number in the next line; give `header yes` if "
                               "the first line is a header, otherwise `header no`",
                               spn_csv_place(place, csv, line, csv->label_column));
    if (only_number != SPN_NO_COLUMN && (numbers > 0 || texts == 0) &&
        (!alike || l[only_number].texts_below > 1 || only_number == csv->label_column))
        return spn_source_fail(csv->source, err,
                               "%s: a number, but texts in the lines below; give `header yes` if "
                               "the first line is a header, otherwise `header no`",
                               spn_csv_place(place, csv, line, only_number));
    if (counts_columns(l, csv))
        return spn_source_fail(csv->source, err,
                               "line %zu: it numbers the columns from 0; give `header yes` if it "
                               "is a header, otherwise `header no`",
                               line);
    csv->header =
        only_text != SPN_NO_COLUMN || (numbers == 0 && (texts > 0 || label_only_text) && !again);
    return SPN_OK;
}

static spn_status guess_header(spn_csv *csv, spn_csv_records rows, spn_span first, spn_error *err)
{
    spn_csv_looks *l = spn_alloc(csv->columns, sizeof *l);
    spn_csv_row row = spn_csv_row_of(csv, first, 0);
    spn_csv_field field;
    SPN_NEED(l, err, "the header of %s", csv->source->name);
    while (spn_csv_next(&row, &field)) {
        l[row.column - 1].first = field.text;
        l[row.column - 1].kind = kind_of(csv, field.text);
    }
    look_below(l, csv, rows);
    const spn_status status = decide(csv, l, rows.line, err);
    free(l);
    return status;
}

/* R's write.table names the columns but not the one with the names of the rows, so the first line
   has one cell fewer. It is a header only if it holds nothing but texts. */
static bool has_row_names(const spn_csv *csv, spn_csv_records rows, spn_span first)
{
    spn_csv_row row = spn_csv_row_of(csv, first, 0);
    spn_csv_field field;
    spn_span second;
    size_t columns;
    if (csv->options->header == SPN_HEADER_NO || !spn_csv_records_next(&rows, &second) ||
        spn_csv_count(&columns, csv, second, 0, NULL) || columns != csv->columns + 1)
        return false;
    while (csv->options->header == SPN_HEADER_AUTO && spn_csv_next(&row, &field))
        if (kind_of(csv, field.text) != SPN_COLUMN_CATEGORY)
            return false;
    return true;
}

/* ---- where the labels are ---- */

static spn_status check_width(const spn_csv *csv, size_t line, spn_error *err)
{
    const size_t labels = csv->label_column != SPN_NO_COLUMN;
    const size_t features = csv->options->features;
    const size_t columns = csv->columns - csv->row_names;
    if (columns == labels)
        return spn_source_fail(csv->source, err,
                               "line %zu: one column, which is the label; expected features too, "
                               "separated by commas, semicolons, tabs, | or blanks",
                               line);
    if (features != 0 && !csv->options->drop && columns - labels != features)
        return spn_source_fail(csv->source, err, "line %zu: %zu columns; expected %zu features%s",
                               line, columns, features, labels ? " and a label" : " and no label");
    return SPN_OK;
}

/* Use `labels`, as no name or number is given. */
static void place_labels(spn_csv *csv)
{
    const spn_read_options *o = csv->options;
    spn_label_place place = o->labels;
    if (o->labels_optional && o->features != 0 && csv->columns - csv->row_names == o->features)
        place = SPN_LABELS_NONE;
    csv->label_column = place == SPN_LABELS_NONE    ? SPN_NO_COLUMN
                        : place == SPN_LABELS_FIRST ? (size_t)csv->row_names
                                                    : csv->columns - 1;
}

/* With a name or a number for the label, a first line that has the name is a header. */
static spn_status find_label(spn_csv *csv, spn_csv_records rows, spn_span first, spn_error *err)
{
    const spn_span text = {csv->options->label_column, strlen(csv->options->label_column)};
    csv->label_column = SPN_NO_COLUMN;
    const bool guess = csv->options->header == SPN_HEADER_AUTO && !csv->row_names;
    if (guess && !read_number(&csv->label_column, csv, text))
        csv->header = true;
    else if (guess)
        SPN_TRY(guess_header(csv, rows, first, err));
    if (csv->header)
        SPN_TRY(read_names(csv, first, rows.line, err));
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
static spn_status read_by_recipe(spn_csv *csv, spn_csv_records rows, spn_span first, spn_error *err)
{
    const spn_read_options *o = csv->options;
    const bool guess = o->header == SPN_HEADER_AUTO && !csv->row_names;
    spn_status status = read_names(csv, first, rows.line, err);
    csv->label_column = SPN_NO_COLUMN;
    if (!status && guess && o->columns->header)
        csv->header = has_all_names(csv, o->columns);
    if (!status && guess && !csv->header)
        status = guess_header(csv, rows, first, err);
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
        csv->label_column = csv->row_names;
    return SPN_OK;
}

spn_status spn_csv_read_header(spn_csv *csv, spn_error *err)
{
    csv->separator = spn_csv_separator(csv);
    spn_csv_records rows = spn_csv_records_of(csv->source, csv->separator);
    spn_span first;
    if (!spn_csv_records_next(&rows, &first))
        return spn_source_fail(csv->source, err,
                               "line 1: no samples; a data set needs at least one");
    SPN_TRY(spn_csv_count(&csv->columns, csv, first, rows.line, err));
    csv->row_names = has_row_names(csv, rows, first);
    csv->columns += csv->row_names;
    csv->header = csv->row_names || csv->options->header == SPN_HEADER_YES;
    if (csv->options->columns)
        return read_by_recipe(csv, rows, first, err);
    if (csv->options->label_column && csv->options->labels != SPN_LABELS_NONE) {
        SPN_TRY(find_label(csv, rows, first, err));
        return check_width(csv, rows.line, err);
    }
    place_labels(csv);
    SPN_TRY(check_width(csv, rows.line, err));
    if (csv->options->header == SPN_HEADER_AUTO && !csv->row_names)
        SPN_TRY(guess_header(csv, rows, first, err));
    return csv->header ? read_names(csv, first, rows.line, err) : SPN_OK;
}

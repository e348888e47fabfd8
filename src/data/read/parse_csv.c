/* CSV: one sample per line.

   Two passes. The first counts lines, checks that all have the same number of columns and finds out
   which are numbers (csv_columns.c); the second, here, reads the cells. */
#include "data/read/cells.h"
#include "data/read/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The second pass. */
typedef struct filling {
    const spn_csv *csv;
    spn_cells cells;
    spn_labels labels;
    spn_missing how; /* what is done about missing values */
    size_t start;    /* of the features of the sample */
    size_t missing, nan;
    size_t first_line, first_column; /* of the first that is missing */
} filling;

/* ---- cells ---- */

static spn_status number_fault(const filling *f, const spn_csv_row *row, spn_span text,
                               spn_number kind, spn_error *err)
{
    char shown[SPN_SHOWN], place[SPN_CSV_PLACE];
    if (kind == SPN_NUMBER_NONE)
        return spn_csv_not_a_number(f->csv, row->line, row->column - 1, text, err);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %s: '%s' is not finite; correct or remove such values",
                    f->csv->source->name, spn_csv_place(place, f->csv, row->line, row->column - 1),
                    spn_show(shown, text));
}

/* A missing number; a missing category is 0 in all features, which they are already. */
static spn_status put_missing(filling *f, const spn_csv_row *row, const spn_column *column,
                              spn_error *err)
{
    const double *fills = f->csv->recipe->fills;
    if (f->missing++ == 0) {
        f->first_line = row->line;
        f->first_column = row->column - 1;
    }
    if (f->how != SPN_MISSING_MEAN || column->kind == SPN_COLUMN_CATEGORY)
        return SPN_OK;
    f->nan += fills == NULL;
    return spn_cells_put(&f->cells, f->start + column->feature,
                         fills ? fills[column->feature] : (double)NAN, err);
}

static spn_status unknown_category(const filling *f, const spn_csv_row *row,
                                   const spn_column *column, spn_span text, spn_error *err)
{
    char shown[SPN_SHOWN], place[SPN_CSV_PLACE], first[SPN_SHOWN], last[SPN_SHOWN];
    const char *low = column->categories.texts[0];
    const char *high = column->categories.texts[column->categories.count - 1];
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %s: '%s' is none of the %u categories in training ('%s' to '%s'); correct "
                    "it, or give `missing zero` to count it as missing",
                    f->csv->source->name, spn_csv_place(place, f->csv, row->line, row->column - 1),
                    spn_show(shown, text), (unsigned)column->categories.count,
                    spn_show(first, (spn_span){low, strlen(low)}),
                    spn_show(last, (spn_span){high, strlen(high)}));
}

static spn_status put_category(filling *f, const spn_csv_row *row, const spn_column *column,
                               const spn_csv_field *field, spn_error *err)
{
    char plain[SPN_CSV_PLAIN];
    const spn_span text = spn_csv_plain(plain, field);
    const uint32_t number = spn_texts_find(&column->categories, text);
    if (number == SPN_NO_TEXT && f->how == SPN_MISSING_REFUSE)
        return unknown_category(f, row, column, text, err);
    if (number == SPN_NO_TEXT)
        return put_missing(f, row, column, err);
    return spn_cells_put(&f->cells, f->start + column->feature + number, 1, err);
}

static spn_status put_cell(filling *f, const spn_csv_row *row, const spn_column *column,
                           const spn_csv_field *field, spn_error *err)
{
    double value;
    if (column->kind == SPN_COLUMN_CATEGORY)
        return spn_is_missing(field->text) ? put_missing(f, row, column, err)
                                           : put_category(f, row, column, field, err);
    const spn_number kind = spn_number_read(&value, field->text);
    if (kind == SPN_NUMBER_FINITE)
        return spn_cells_put(&f->cells, f->start + column->feature, value, err);
    return spn_is_missing(field->text) ? put_missing(f, row, column, err)
                                       : number_fault(f, row, field->text, kind, err);
}

/* ---- rows ---- */

static spn_status add_label(filling *f, const spn_csv_field *field, size_t line, spn_error *err)
{
    char place[40], plain[SPN_CSV_PLAIN];
    snprintf(place, sizeof place, "line %zu", line);
    return spn_labels_add(&f->labels, spn_csv_plain(plain, field), place, err);
}

static spn_status read_row(filling *f, spn_csv_row *row, spn_error *err)
{
    const spn_csv *csv = f->csv;
    spn_csv_field field;
    while (spn_csv_next(row, &field)) {
        const size_t target = csv->target[row->column - 1];
        if (row->column - 1 == csv->label_column)
            SPN_TRY(add_label(f, &field, row->line, err));
        else if (target != SPN_NO_COLUMN && csv->recipe->list[target].kind <= SPN_COLUMN_CATEGORY)
            SPN_TRY(put_cell(f, row, &csv->recipe->list[target], &field, err));
    }
    return SPN_OK;
}

static spn_status missing_fault(const filling *f, spn_error *err)
{
    char place[SPN_CSV_PLACE], word[SPN_SHOWN];
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: %s: %s%zu missing value%s (empty, NA, NaN, null or ?); fill in or remove "
        "such values, give `drop %s` to leave the column out, or give `missing mean` or "
        "`missing zero`",
        f->csv->source->name, spn_csv_place(place, f->csv, f->first_line, f->first_column),
        f->missing == 1 ? "" : "the first of ", f->missing, f->missing == 1 ? "" : "s",
        spn_csv_word(word, f->csv, f->first_column));
}

static spn_status read_rows(filling *f, spn_error *err)
{
    spn_lines lines = spn_lines_of(f->csv->source);
    spn_span line;
    if (f->csv->header)
        spn_lines_next_whole(&lines, &line);
    spn_status status = SPN_OK;
    while (!status && spn_lines_next_whole(&lines, &line)) {
        spn_csv_row row = spn_csv_row_of(f->csv, line, lines.number);
        status = read_row(f, &row, err);
        f->start += f->csv->recipe->features;
    }
    return f->missing > 0 && f->how == SPN_MISSING_REFUSE ? missing_fault(f, err) : status;
}

/* ---- the dataset ---- */

static spn_status fill(spn_dataset *dataset, spn_csv *csv, spn_error *err)
{
    const spn_read_options *o = csv->options;
    const bool labelled = csv->label_column != SPN_NO_COLUMN;
    filling f = {.csv = csv, .how = o->missing ? o->missing : csv->recipe->missing};
    dataset->samples = csv->samples;
    dataset->features = csv->recipe->features;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_cells_begin(&f.cells, csv->source->name, dataset->samples,
                                        dataset->features, o->max_bytes, err));
    if (labelled)
        SPN_TRY_OR(cleanup, spn_labels_begin(&f.labels, csv->source->name, csv->samples, err));
    SPN_TRY_OR(cleanup, read_rows(&f, err));
    if (labelled)
        SPN_TRY_OR(cleanup, spn_labels_finish(&f.labels, dataset, err));
    spn_cells_finish(&f.cells, dataset);
    dataset->missing = f.nan;
cleanup:
    spn_cells_free(&f.cells);
    spn_labels_free(&f.labels);
    return status;
}

spn_status spn_parse_csv(spn_dataset *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: CSV holds its labels in a column; leave out the file of labels",
                        source->name);
    spn_csv csv = {.source = source, .options = options};
    spn_status status;
    SPN_TRY_OR(cleanup, spn_csv_read_header(&csv, err));
    SPN_TRY_OR(cleanup, spn_csv_measure(&csv, err));
    SPN_TRY_OR(cleanup, fill(out, &csv, err));
    if (!csv.plain) {
        out->columns = csv.recipe;
        csv.recipe = NULL;
    }
cleanup:
    spn_csv_clear(&csv);
    return status;
}

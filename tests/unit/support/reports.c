#include "support/reports.h"
#include "record/record.h"

#include "support/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    char *out = strdup(text);
    assert_non_null(out);
    return out;
}

spn_records *spn_test_records(const char *folder)
{
    spn_records *records = calloc(1, sizeof *records);
    assert_non_null(records);
    records->folder = copy(folder);
    records->sweep = calloc(1, sizeof *records->sweep);
    assert_non_null(records->sweep);
    records->sweep->name = copy("test");
    records->sweep->task = copy("train");
    records->sweep->version = copy("0.2.0");
    records->sweep->runs = 1;
    return records;
}

spn_record *spn_test_run(spn_records *records, const char *gamma, const char *replicas,
                         const char *result, double value)
{
    spn_error err = {0};
    spn_record *grown = realloc(records->records, (records->count + 1) * sizeof *records->records);
    assert_non_null(grown);
    records->records = grown;
    spn_record *record = &records->records[records->count++];
    *record = (spn_record){.key = records->count,
                           .seed = 5,
                           .run = records->count,
                           .version = copy("0.2.0"),
                           .machine = copy("node"),
                           .finished = copy("2026-01-31T12:00:00Z"),
                           .seconds = 2};
    if (gamma)
        assert_ok(spn_record_add_setting(record, "gamma", gamma, &err), err);
    if (replicas)
        assert_ok(spn_record_add_setting(record, "replicas", replicas, &err), err);
    assert_ok(spn_record_add_result(record, result, value, &err), err);
    return record;
}

void spn_test_flips(spn_record *record, size_t rows, const double *p, const double *accuracy)
{
    spn_error err = {0};
    const char *const names[] = {"p", "accuracy"};
    const double *const values[] = {p, accuracy};
    assert_ok(spn_record_add_curve(record, "flips", 2, names, rows, values, &err), err);
}

void spn_test_axis(spn_records *records, const char *setting, const char *const *values)
{
    spn_sweep *sweep = records->sweep;
    spn_axis *axes = realloc(sweep->axes, (sweep->axis_count + 1) * sizeof *axes);
    assert_non_null(axes);
    sweep->axes = axes;
    spn_axis *axis = &axes[sweep->axis_count++];
    *axis = (spn_axis){.setting = copy(setting)};
    while (values[axis->count])
        axis->count++;
    axis->values = calloc(axis->count, sizeof *axis->values);
    assert_non_null(axis->values);
    for (size_t k = 0; k < axis->count; k++)
        axis->values[k] = copy(values[k]);
}

const spn_report_cell *spn_test_cell(const spn_report_figure *figure, const char *value,
                                     const char *x)
{
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            if (strcmp(figure->curves[k].value, value) == 0 &&
                strcmp(figure->curves[k].cells[c].x_text, x) == 0)
                return &figure->curves[k].cells[c];
    fail_msg("no cell at %s in %s", x, value);
    return NULL;
}

char *spn_test_written(bool (*write)(FILE *, const spn_report_figure *, const spn_grid *),
                       const spn_report_figure *figure)
{
    char *text = NULL;
    size_t size;
    spn_grid grid;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_true(spn_grid_make(&grid, figure));
    assert_true(write(stream, figure, &grid));
    assert_int_equal(fclose(stream), 0);
    spn_grid_clear(&grid);
    return text;
}

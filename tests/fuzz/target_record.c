/* What is read beside records: conditions, views, references of figures, traces. */
#include "check.h"
#include "record/record.h"
#include "targets.h"

#include "base/number.h"
#include "query/query.h"

#include <math.h>
#include <spinney/lab/view.h>
#include <stdio.h>

/* ---- conditions ---- */

static void add_record(spn_record *record, size_t run)
{
    static const char *const gammas[] = {"0", "0.5", "1e-3"};
    const double column[] = {0.1, (double)run}, *const values[] = {column, column};
    static const char *const names[] = {"p", "accuracy"};
    spn_error err = {0};
    *record = (spn_record){.key = 7 + run, .seed = run, .run = run, .seconds = 0.25};
    require(!spn_record_add_setting(record, "gamma", gammas[run % 3], &err) &&
            !spn_record_add_setting(record, "data", run % 2 ? "digits" : "a,b", &err) &&
            !spn_record_add_result(record, "energy", -1.5 * (double)run, &err) &&
            !spn_record_add_result(record, "nothing", NAN, &err) &&
            !spn_record_add_text(record, "stopped", "steps", &err) &&
            !spn_record_add_curve(record, "flips", 2, names, 2, values, &err));
    require((record->version = strdup("0.0.0")) && (record->machine = strdup("m")) &&
            (record->finished = strdup("2026-01-01T00:00:00Z")));
}

static char zero[] = "0", half[] = "0.5", gamma_name[] = "gamma", sweep_name[] = "s",
            task_name[] = "anneal", version[] = "0.0.0", folder[] = "folder";
static char *gamma_values[] = {zero, half};
static spn_axis axes[] = {{.setting = gamma_name, .count = 2, .values = gamma_values}};
static spn_sweep sweep = {.name = sweep_name,
                          .task = task_name,
                          .version = version,
                          .runs = 2,
                          .axis_count = 1,
                          .axes = axes};

/* A folder in memory; made anew each time, so that no input sees what another left. */
enum { RUNS = 3 };
typedef struct runs {
    spn_record records[RUNS];
    spn_records all;
} runs;

static void make_runs(runs *out)
{
    for (size_t k = 0; k < RUNS; k++)
        add_record(&out->records[k], k + 1);
    out->all =
        (spn_records){.folder = folder, .sweep = &sweep, .count = RUNS, .records = out->records};
}

static void clear_runs(runs *r)
{
    for (size_t k = 0; k < RUNS; k++)
        spn_record_clear(&r->records[k]);
}

/* Whether the condition NAME OP VALUE holds; *known is false where it is none. */
static bool holds(bool *known, const spn_record *record, const char *name, const char *op,
                  const char *value)
{
    char *text;
    bool out;
    spn_error err = {0};
    require(asprintf(&text, "%s%s%s", name, op, value) >= 0);
    const spn_status status = spn_record_matches(&out, record, text, &err);
    check_error(status, &err, NULL);
    *known = *known && status == SPN_OK;
    free(text);
    return out;
}

/* The six comparisons of one name with one value agree with each other. */
static void compare_all(const spn_record *record, const char *name, const char *value)
{
    bool texts = true, numbers = true;
    const bool equal = holds(&texts, record, name, "=", value);
    const bool unequal = holds(&texts, record, name, "!=", value);
    const bool below = holds(&numbers, record, name, "<", value);
    const bool above = holds(&numbers, record, name, ">", value);
    const bool at_most = holds(&numbers, record, name, "<=", value);
    const bool at_least = holds(&numbers, record, name, ">=", value);
    require(!(equal && unequal) && !(below && above));
    if (texts && numbers)
        require(at_most == (below || (equal && at_most)) &&
                at_least == (above || (equal && at_least)));
    require(!(below || above) || !(texts && equal));
}

static void check_condition(const spn_records *records, const char *text)
{
    bool matches;
    spn_error err = {0};
    const spn_status status = spn_record_matches(&matches, &records->records[0], text, &err);
    check_error(status, &err, "'");
    const size_t size = strcspn(text, "=!<>");
    if (status)
        return;
    char *name = strndup(text, size);
    require(name != NULL);
    compare_all(&records->records[1], name, text + size + strspn(text + size, "=!<>"));
    free(name);
}

static void check_groups(const spn_view *view)
{
    spn_groups groups;
    spn_error err = {0};
    size_t members = 0;
    require(spn_view_group(&groups, view, &err) == SPN_OK);
    for (size_t k = 0; k < groups.count; k++)
        members += groups.groups[k].count;
    require(members == view->count);
    spn_groups_clear(&groups);
}

/* The first line is a condition, the second the columns, the third what groups are told by. */
void spn_fuzz_condition(const uint8_t *data, size_t size)
{
    runs r;
    char *text = text_of(data, size), *rest = text;
    const char *where = next_line(&rest);
    const char *columns = rest ? next_line(&rest) : NULL, *by = rest ? next_line(&rest) : NULL;
    const spn_view_options options = {.where_count = 1,
                                      .where = &where,
                                      .columns = columns && *columns ? columns : NULL,
                                      .by = by && *by ? by : NULL};
    spn_view view;
    spn_error err = {0};
    char doubt[SPN_ERROR_TEXT];
    make_runs(&r);
    check_condition(&r.all, where);
    const spn_status status = spn_view_make(&view, &r.all, &options, &err);
    check_error(status, &err, NULL);
    if (status == SPN_OK) {
        require(view.count <= RUNS);
        check_groups(&view);
        (void)spn_view_doubt(doubt, &view, where);
    }
    spn_view_clear(&view);
    clear_runs(&r);
    free(text);
}

/* ---- references ---- */

static char accuracy[] = "test_accuracy", energy[] = "energy", replicas[] = "replicas",
            first_where[] = "data=digits", second_where[] = "gamma<=3";
static char *conditions[] = {first_where, second_where};

/* A cell in quotes. */
static void put_cell(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, 0}, stream);
    fputc('"', stream);
}

static char *write_reference(size_t *size, const spn_reference *reference,
                             const spn_sweep_figure *request)
{
    char *text;
    FILE *stream = open_memstream(&text, size);
    require(stream != NULL);
    fprintf(stream, "%s,%s_half,%s%s%s\n", request->value, request->value, request->x,
            request->by ? "," : "", request->by ? request->by : "");
    for (size_t k = 0; k < reference->count; k++) {
        const spn_reference_row *row = &reference->rows[k];
        spn_print(stream, "%.17g,", row->value);
        if (!isnan(row->half))
            spn_print(stream, "%.17g", row->half);
        fputc(',', stream);
        put_cell(stream, row->x);
        if (request->by) {
            fputc(',', stream);
            put_cell(stream, row->by);
        }
        fputc('\n', stream);
    }
    require(fclose(stream) == 0);
    return text;
}

/* The conditions were met already, by columns that are not written. */
static void read_reference_again(const spn_reference *reference, spn_sweep_figure request)
{
    spn_reference again;
    spn_error err = {0};
    size_t size;
    request.where_count = 0;
    char *text = write_reference(&size, reference, &request);
    const spn_source source = {"again", (uint8_t *)text, size, NULL};
    require(spn_reference_parse(&again, &source, &request, &err) == SPN_OK);
    require(again.count == reference->count);
    for (size_t k = 0; k < again.count; k++) {
        const spn_reference_row *a = &again.rows[k], *b = &reference->rows[k];
        require(strcmp(a->x, b->x) == 0 && strcmp(a->by, b->by) == 0 && a->value == b->value);
        require(a->half == b->half || (isnan(a->half) && isnan(b->half)));
    }
    spn_reference_clear(&again);
    free(text);
}

/* Byte 0: bit 0 a figure with curves, bit 1 of shares, bits 2 and 3 its conditions. */
void spn_fuzz_reference(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    const spn_sweep_figure request = {.x = gamma_name,
                                      .by = data[0] & 1 ? replicas : NULL,
                                      .value = data[0] & 2 ? accuracy : energy,
                                      .where = conditions,
                                      .where_count = data[0] / 4 % 3};
    spn_source source = copy_of(data + 1, size - 1);
    spn_reference reference;
    spn_error err = {0};
    const spn_status status = spn_reference_parse(&reference, &source, &request, &err);
    check_error(status, &err, INPUT);
    if (status == SPN_OK)
        read_reference_again(&reference, request);
    else
        require(reference.count == 0);
    spn_reference_clear(&reference);
    spn_source_unload(&source);
}

/* ---- traces ---- */

static spn_status parse_trace(spn_result_curve *out, const void *bytes, size_t size, spn_error *err)
{
    FILE *stream = fmemopen((void *)bytes, size, "r");
    require(stream != NULL);
    const spn_status status = spn_trace_parse(out, stream, INPUT, err);
    fclose(stream);
    return status;
}

static char *write_trace(size_t *size, const spn_result_curve *columns)
{
    char *text;
    FILE *stream = open_memstream(&text, size);
    require(stream != NULL);
    for (size_t c = 0; c < columns->columns; c++)
        fprintf(stream, "%s%s", c ? "," : "", columns->names[c]);
    for (size_t r = 0; r < columns->rows; r++)
        for (size_t c = 0; c < columns->columns; c++)
            spn_print(stream, "%s%.17g", c ? "," : "\n", columns->values[c][r]);
    require(fclose(stream) == 0);
    return text;
}

static void read_trace_again(const spn_result_curve *columns)
{
    spn_result_curve again;
    spn_error err = {0};
    size_t size;
    char *text = write_trace(&size, columns);
    require(parse_trace(&again, text, size, &err) == SPN_OK);
    require(again.columns == columns->columns && again.rows == columns->rows);
    for (size_t c = 0; c < columns->columns; c++) {
        require(strcmp(again.names[c], columns->names[c]) == 0);
        for (size_t r = 0; r < columns->rows; r++) {
            const double a = again.values[c][r], b = columns->values[c][r];
            require(a == b || (isnan(a) && isnan(b)));
        }
    }
    spn_result_curve_clear(&again);
    free(text);
}

void spn_fuzz_trace(const uint8_t *data, size_t size)
{
    spn_result_curve columns;
    spn_error err = {0};
    spn_source source = copy_of(data, size);
    const spn_status status = parse_trace(&columns, source.data, source.size, &err);
    require((status == SPN_OK) == (columns.columns > 0));
    check_error(status, &err, INPUT);
    if (!status)
        read_trace_again(&columns);
    spn_result_curve_clear(&columns);
    spn_source_unload(&source);
}

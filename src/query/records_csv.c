#include "base/file.h"
#include "base/text.h"
#include "base/try.h"
#include "query/query.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>

static const char *const FIELDS[] = {
    "key",     "run",     "seed",         "instance_seed", "seconds", "first_hit_seconds",
    "machine", "version", "instructions", "finished"};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };

enum { FIELD, SETTING, RESULT, TEXT };

typedef struct column {
    int kind;
    const char *name;
    bool prefixed; /* a setting with the name of another column */
} column;

typedef struct table {
    size_t count;
    column *columns;
    const char *curve; /* NULL: none */
    const spn_result_curve
        *first; /* of the first run that has it, which sets the columns; or NULL */
} table;

static void add(table *out, int what, const char *name)
{
    out->columns[out->count++] = (column){.kind = what, .name = name};
}

static void add_settings(table *out, const spn_record_names *names, bool results)
{
    for (size_t k = 0; k < names->settings.count; k++) {
        const char *name = names->settings.names[k];
        add(out, SETTING, name);
        out->columns[out->count - 1].prefixed =
            spn_names_have(FIELDS, FIELD_COUNT, name) ||
            (results && spn_names_have(names->results.names, names->results.count, name));
    }
}

/* Add a field unless all records lack it, as older ones lack some. */
static void add_field(table *out, const char *name, const spn_record *const *records, size_t count)
{
    static const char *const rare[] = {"instance_seed", "instructions", "first_hit_seconds"};
    char text[SPN_FIELD_TEXT];
    bool any = !spn_names_have(rare, sizeof rare / sizeof *rare, name);
    for (size_t k = 0; k < count && !any; k++)
        any = spn_record_field(text, records[k], name) != NULL ||
              (strcmp(name, "first_hit_seconds") == 0 && spn_record_has_hit(records[k]));
    if (any)
        add(out, FIELD, name);
}

static void add_all(table *out, const spn_record_names *names, const spn_record *const *records,
                    size_t count)
{
    enum { BEFORE = 4 }; /* fields before the settings */
    for (size_t k = 0; k < BEFORE; k++)
        add_field(out, FIELDS[k], records, count);
    add_settings(out, names, !out->curve);
    if (out->curve)
        return;
    for (size_t k = 0; k < names->results.count; k++)
        add(out, RESULT, names->results.names[k]);
    for (size_t k = 0; k < names->texts.count; k++)
        add(out, TEXT, names->texts.names[k]);
    for (size_t k = BEFORE; k < FIELD_COUNT; k++)
        add_field(out, FIELDS[k], records, count);
}

/* Add a requested column: a result, else a setting of that name, else a field. */
static void add_named(table *out, const spn_record_names *names, const spn_record *const *records,
                      size_t count, const char *name)
{
    bool setting = false; /* of some run, at least by default */
    for (size_t k = 0; k < count && !setting; k++)
        setting = spn_record_setting(records[k], name);
    int what = RESULT; /* perhaps one that no run has */
    if (spn_names_have(names->results.names, names->results.count, name))
        what = RESULT;
    else if (spn_names_have(names->texts.names, names->texts.count, name))
        what = TEXT;
    else if (setting)
        what = SETTING;
    else if (spn_names_have(FIELDS, FIELD_COUNT, name))
        what = FIELD;
    add(out, what, name);
}

/* The names belong to the records. */
static spn_status make_table(table *out, const spn_record *const *records, size_t count,
                             const char *const *columns, size_t column_count, spn_error *err)
{
    spn_record_names names;
    for (size_t k = 0; out->curve && k < count && !out->first; k++)
        out->first = spn_record_curve(records[k], out->curve);
    SPN_TRY(spn_record_names_of(&names, records, count, err));
    const size_t most =
        FIELD_COUNT + names.settings.count + names.results.count + names.texts.count + column_count;
    out->columns = spn_alloc(most, sizeof *out->columns);
    if (out->columns && column_count == 0)
        add_all(out, &names, records, count);
    for (size_t k = 0; out->columns && k < column_count; k++)
        add_named(out, &names, records, count, columns[k]);
    spn_record_names_clear(&names);
    return out->columns ? SPN_OK : spn_no_memory(err, "a table");
}

static void put_text(FILE *stream, const char *text)
{
    spn_csv_put(stream, text ? text : "");
}

static void put_number(FILE *stream, double value)
{
    char text[SPN_NUMBER_TEXT];
    if (!isfinite(value))
        return;
    spn_real_text(text, value);
    fputs(text, stream);
}

static void put_cell(FILE *stream, const spn_record *record, const column *c)
{
    char text[SPN_FIELD_TEXT];
    for (size_t k = 0; c->kind == RESULT && k < record->result_count; k++)
        if (strcmp(record->results[k].name, c->name) == 0)
            put_number(stream, record->results[k].value);
    if (c->kind == RESULT)
        return;
    if (c->kind == TEXT)
        put_text(stream, spn_record_text(record, c->name));
    else if (c->kind == SETTING)
        put_text(stream, spn_record_setting(record, c->name));
    else if (strcmp(c->name, "seconds") == 0 || strcmp(c->name, "first_hit_seconds") == 0)
        put_number(stream, spn_record_number(record, c->name));
    else
        put_text(stream, spn_record_field(text, record, c->name));
}

static void put_name(FILE *stream, const char *prefix, const char *name)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", prefix, name);
    put_text(stream, text);
}

static void put_head(FILE *stream, const table *t)
{
    char prefix[256];
    for (size_t c = 0; c < t->count; c++) {
        fputs(c ? "," : "", stream);
        put_name(stream, t->columns[c].prefixed ? "setting_" : "", t->columns[c].name);
    }
    snprintf(prefix, sizeof prefix, "%s.", t->curve ? t->curve : "");
    for (size_t c = 0; t->first && c < t->first->columns; c++) {
        fputc(',', stream);
        put_name(stream, prefix, t->first->names[c]);
    }
    fputc('\n', stream);
}

static void put_record(FILE *stream, const table *t, const spn_record *record)
{
    for (size_t c = 0; c < t->count; c++) {
        fputs(c ? "," : "", stream);
        put_cell(stream, record, &t->columns[c]);
    }
}

static void put_curve(FILE *stream, const table *t, const spn_record *record)
{
    const spn_result_curve *curve = spn_record_curve(record, t->curve);
    for (size_t r = 0; curve && r < curve->rows; r++) {
        put_record(stream, t, record);
        for (size_t c = 0; c < t->first->columns; c++) {
            const size_t at = spn_result_curve_column(curve, t->first->names[c]);
            fputc(',', stream);
            if (at != SIZE_MAX)
                put_number(stream, curve->values[at][r]);
        }
        fputc('\n', stream);
    }
}

static spn_status put_table(FILE *stream, const spn_record *const *records, size_t count,
                            const char *curve, const char *const *columns, size_t column_count,
                            spn_error *err)
{
    table t = {.curve = curve};
    spn_status status = make_table(&t, records, count, columns, column_count, err);
    if (!status)
        put_head(stream, &t);
    for (size_t k = 0; k < count && !status; k++) {
        if (t.curve) {
            put_curve(stream, &t, records[k]);
            continue;
        }
        put_record(stream, &t, records[k]);
        fputc('\n', stream);
    }
    free(t.columns);
    return status;
}

spn_status spn_records_csv(char **out, const spn_record *const *records, size_t count,
                           const char *curve, const char *const *columns, size_t column_count,
                           spn_error *err)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    spn_status status =
        stream ? put_table(stream, records, count, curve, columns, column_count, err) : SPN_OK;
    *out = spn_memory_stream_finish(&memory);
    if (!status && *out)
        return SPN_OK;
    free(*out);
    *out = NULL;
    return status ? status : spn_no_memory(err, "a table");
}

spn_status spn_records_csv_file(const char *path, const spn_record *const *records, size_t count,
                                const char *curve, const char *const *columns, size_t column_count,
                                spn_error *err)
{
    spn_file *file;
    SPN_TRY(spn_file_create(&file, path, err));
    return spn_file_end(
        file, put_table(spn_file_stream(file), records, count, curve, columns, column_count, err),
        err);
}

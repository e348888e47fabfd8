#include "record/record.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Append a zeroed element; NULL without memory, with the array unchanged. Records are small, so it
   grows by one. */
static void *append(void *array, size_t *count, size_t size)
{
    void **slot = array;
    char *grown = realloc(*slot, (*count + 1) * size);
    if (!grown)
        return NULL;
    *slot = grown;
    return memset(grown + (*count)++ * size, 0, size);
}

/* ---- clearing ---- */

void spn_result_curve_clear(spn_result_curve *curve)
{
    spn_list_free(curve->names, curve->columns);
    for (size_t c = 0; c < curve->columns; c++)
        free(curve->values[c]);
    SPN_FREE_ALL(curve->values, curve->name);
    *curve = (spn_result_curve){0};
}

static void clear_fields(spn_field *fields, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        SPN_FREE_ALL(fields[k].name, fields[k].text);
    }
}

void spn_record_clear(spn_record *record)
{
    spn_record_cut(record, &(spn_record){0});
    clear_fields(record->settings, record->setting_count);
    SPN_FREE_ALL(record->settings, record->results, record->texts, record->curves, record->notes,
                 record->version, record->instructions, record->machine, record->finished);
    *record = (spn_record){0};
}

void spn_record_cut(spn_record *record, const spn_record *before)
{
    while (record->result_count > before->result_count)
        free(record->results[--record->result_count].name);
    while (record->text_count > before->text_count)
        clear_fields(&record->texts[--record->text_count], 1);
    while (record->curve_count > before->curve_count)
        spn_result_curve_clear(&record->curves[--record->curve_count]);
    while (record->note_count > before->note_count)
        free(record->notes[--record->note_count]);
}

/* ---- finding ---- */

static spn_field *find_field(spn_field *fields, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0)
            return &fields[k];
    return NULL;
}

static spn_result *find_result(const spn_record *record, const char *name)
{
    for (size_t k = 0; k < record->result_count; k++)
        if (strcmp(record->results[k].name, name) == 0)
            return &record->results[k];
    return NULL;
}

const char *spn_record_setting(const spn_record *record, const char *name)
{
    const spn_field *field = find_field(record->settings, record->setting_count, name);
    if (!field)
        field = find_field((spn_field *)record->defaults, record->default_count, name);
    return field ? field->text : NULL;
}

const char *spn_record_text(const spn_record *record, const char *name)
{
    const spn_field *field = find_field(record->texts, record->text_count, name);
    return field ? field->text : NULL;
}

const spn_result_curve *spn_record_curve(const spn_record *record, const char *name)
{
    for (size_t k = 0; k < record->curve_count; k++)
        if (strcmp(record->curves[k].name, name) == 0)
            return &record->curves[k];
    return NULL;
}

size_t spn_result_curve_column(const spn_result_curve *curve, const char *name)
{
    for (size_t c = 0; c < curve->columns; c++)
        if (strcmp(curve->names[c], name) == 0)
            return c;
    return SIZE_MAX;
}

bool spn_sweep_figure_is_spread(const spn_sweep_figure *figure)
{
    bool any = false;
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++) {
        if (figure->as[k] && !spn_figure_kind_at(k)->spread)
            return false;
        any = any || figure->as[k];
    }
    return any;
}

size_t spn_curve_length(const char *name)
{
    const char *point = name ? strchr(name, '.') : NULL;
    return point ? (size_t)(point - name) + 1 : 0;
}

bool spn_sweep_figure_has_row(const spn_sweep_figure *figure, const char *text)
{
    const size_t length = spn_curve_length(figure->value);
    return length > 0 && text && strncmp(text, figure->value, length) == 0;
}

static bool is_equality(const char *condition)
{
    return condition[strcspn(condition, "=!<>")] == '=';
}

bool spn_sweep_figure_holds_row(const spn_sweep_figure *figure)
{
    for (size_t w = 0; w < figure->where_count; w++)
        if (spn_sweep_figure_has_row(figure, figure->where[w]) && is_equality(figure->where[w]))
            return true;
    return false;
}

bool spn_condition_fixes(const char *condition, const char *name)
{
    const size_t length = strcspn(condition, "=!<> ");
    return is_equality(condition) && strlen(name) == length &&
           strncmp(condition, name, length) == 0;
}

bool spn_record_has_hit(const spn_record *record)
{
    const spn_result *steps = find_result(record, "first_hit_steps");
    return steps && isfinite(steps->value);
}

double spn_record_number(const spn_record *record, const char *name)
{
    double value;
    const char *text = spn_record_setting(record, name);
    if (text && spn_number_read(&value, (spn_span){text, strlen(text)}) == SPN_NUMBER_FINITE)
        return value;
    const spn_result *result = find_result(record, name); /* "energy" is a result and a setting */
    if (result)
        return result->value;
    if (strcmp(name, "run") == 0)
        return (double)record->run;
    if (strcmp(name, "seed") == 0)
        return (double)record->seed;
    if (strcmp(name, "instance_seed") == 0 && record->instance_seed)
        return (double)record->instance_seed;
    if (strcmp(name, "first_hit_seconds") == 0 && spn_record_has_hit(record))
        return record->first_hit_seconds;
    return strcmp(name, "seconds") == 0 ? record->seconds : NAN;
}

const char *spn_record_field(char out[SPN_FIELD_TEXT], const spn_record *record, const char *name)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"machine", record->machine},
                 {"version", record->version},
                 {"instructions", record->instructions},
                 {"finished", record->finished}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(texts[k].name, name) == 0)
            return texts[k].text;
    if (strcmp(name, "key") == 0)
        snprintf(out, SPN_FIELD_TEXT, "%016" PRIx64, record->key);
    else if (strcmp(name, "run") == 0)
        snprintf(out, SPN_FIELD_TEXT, "%" PRIu64, record->run);
    else if (strcmp(name, "seed") == 0) /* all digits, so that the run can be repeated */
        snprintf(out, SPN_FIELD_TEXT, "%" PRIu64, record->seed);
    else if (strcmp(name, "instance_seed") == 0 && record->instance_seed)
        snprintf(out, SPN_FIELD_TEXT, "%" PRIu64, record->instance_seed);
    else
        return NULL;
    return out;
}

const char *spn_record_any_text(char out[SPN_FIELD_TEXT], const spn_record *record,
                                const char *name)
{
    const char *text = spn_record_setting(record, name);
    text = text ? text : spn_record_text(record, name);
    return text ? text : spn_record_field(out, record, name);
}

/* ---- building ---- */

static spn_status add_field(spn_field **fields, size_t *count, const char *name, const char *text,
                            spn_error *err)
{
    spn_field *field = find_field(*fields, *count, name);
    if (!field && !(field = append(fields, count, sizeof *field)))
        return spn_no_memory(err, "a record");
    char *copy = strdup(text);
    if (!field->name)
        field->name = strdup(name);
    free(field->text);
    field->text = copy;
    if (field->name && field->text)
        return SPN_OK;
    free(field->name); /* the last field fills the gap */
    free(field->text);
    *field = (*fields)[--*count];
    return spn_no_memory(err, "a record");
}

spn_status spn_record_add_setting(spn_record *record, const char *name, const char *text,
                                  spn_error *err)
{
    return add_field(&record->settings, &record->setting_count, name, text, err);
}

void spn_record_remove_setting(spn_record *record, const char *name)
{
    spn_field *field = find_field(record->settings, record->setting_count, name);
    if (!field)
        return;
    SPN_FREE_ALL(field->name, field->text);
    const size_t behind = record->setting_count-- - (size_t)(field - record->settings) - 1;
    memmove(field, field + 1, behind * sizeof *field);
}

spn_status spn_record_add_text(spn_record *record, const char *name, const char *text,
                               spn_error *err)
{
    return add_field(&record->texts, &record->text_count, name, text, err);
}

spn_status spn_record_add_note(spn_record *record, spn_error *err, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    const int made = vasprintf(&text, format, args);
    va_end(args);
    char **note =
        made < 0 ? NULL : append(&record->notes, &record->note_count, sizeof *record->notes);
    if (note)
        *note = text;
    else if (made >= 0)
        free(text);
    return note ? SPN_OK : spn_no_memory(err, "a record");
}

spn_status spn_record_add_result(spn_record *record, const char *name, double value, spn_error *err)
{
    spn_result *result = find_result(record, name);
    if (!result) {
        result = append(&record->results, &record->result_count, sizeof *result);
        if (result && !(result->name = strdup(name)))
            record->result_count--;
        SPN_NEED(result && result->name, err, "a record");
    }
    result->value = value;
    return SPN_OK;
}

double *spn_result_curve_add(spn_result_curve *curve, const char *name)
{
    const size_t columns = curve->columns + 1;
    char **names = realloc(curve->names, columns * sizeof *names);
    if (names)
        curve->names = names;
    double **values = realloc(curve->values, columns * sizeof *values);
    if (values)
        curve->values = values;
    char *copy = strdup(name);
    double *column = calloc(curve->rows + 1, sizeof *column);
    if (!names || !values || !copy || !column) {
        SPN_FREE_ALL(copy, column);
        return NULL;
    }
    names[curve->columns] = copy;
    values[curve->columns++] = column;
    return column;
}

static bool copy_curve(spn_result_curve *out, const char *name, size_t columns,
                       const char *const *names, size_t rows, const double *const *values)
{
    *out = (spn_result_curve){.rows = rows, .name = strdup(name)};
    for (size_t c = 0; out->name && c < columns; c++) {
        double *column = spn_result_curve_add(out, names[c]);
        if (!column)
            return false;
        if (rows > 0)
            memcpy(column, values[c], rows * sizeof *column);
    }
    return out->name != NULL;
}

spn_status spn_record_add_curve(spn_record *record, const char *name, size_t columns,
                                const char *const *names, size_t rows, const double *const *values,
                                spn_error *err)
{
    spn_result_curve copy, *curve = (spn_result_curve *)spn_record_curve(record, name);
    if (!copy_curve(&copy, name, columns, names, rows, values) ||
        (!curve && !(curve = append(&record->curves, &record->curve_count, sizeof *curve)))) {
        spn_result_curve_clear(&copy);
        return spn_no_memory(err, "a record");
    }
    spn_result_curve_clear(curve);
    *curve = copy;
    return SPN_OK;
}

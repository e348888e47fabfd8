/* Records in memory: built piece by piece, looked up by name. */
#include "record/record.h"
#include "base/text.h"
#include "base/try.h"
#include <spinney/lab/records.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One more zeroed element at the end of *array; NULL, with the array left as it was, without
   memory. Records are small, so that it grows by one. */
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

static void clear_curve(spn_result_curve *curve)
{
    for (size_t c = 0; c < curve->columns; c++) {
        free(curve->names[c]);
        free(curve->values[c]);
    }
    free(curve->names);
    free(curve->values);
    free(curve->name);
    *curve = (spn_result_curve){0};
}

void spn_record_clear(spn_record *record)
{
    spn_record_cut(record, &(spn_record_size){0});
    for (size_t k = 0; k < record->setting_count; k++) {
        free(record->settings[k].name);
        free(record->settings[k].text);
    }
    free(record->settings);
    free(record->results);
    free(record->texts);
    free(record->curves);
    free(record->notes);
    free(record->version);
    free(record->instructions);
    free(record->machine);
    free(record->finished);
    *record = (spn_record){0};
}

spn_record_size spn_record_size_of(const spn_record *record)
{
    return (spn_record_size){record->result_count, record->text_count, record->curve_count,
                             record->note_count};
}

void spn_record_cut(spn_record *record, const spn_record_size *size)
{
    while (record->result_count > size->results)
        free(record->results[--record->result_count].name);
    while (record->text_count > size->texts) {
        const spn_field *text = &record->texts[--record->text_count];
        free(text->name);
        free(text->text);
    }
    while (record->curve_count > size->curves)
        clear_curve(&record->curves[--record->curve_count]);
    while (record->note_count > size->notes)
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
    const spn_result *result = find_result(record, name); /* "energy" is both, and the one a word */
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
        snprintf(out, SPN_FIELD_TEXT, "%zu", record->run);
    else if (strcmp(name, "seed") == 0) /* all of its digits, so that the run can be done again */
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
    free(field->name); /* what is in a record is whole: the last goes into the gap */
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
    free(field->name);
    free(field->text);
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
        if (!result || !result->name)
            return spn_no_memory(err, "a record");
    }
    result->value = value;
    return SPN_OK;
}

static bool copy_curve(spn_result_curve *out, const char *name, size_t columns,
                       const char *const *names, size_t rows, const double *const *values)
{
    *out = (spn_result_curve){.rows = rows};
    out->name = strdup(name);
    out->names = calloc(columns + 1, sizeof *out->names);
    out->values = calloc(columns + 1, sizeof *out->values);
    if (!out->name || !out->names || !out->values)
        return false;
    for (size_t c = 0; c < columns; c++, out->columns++) {
        out->names[c] = strdup(names[c]);
        out->values[c] = calloc(rows + 1, sizeof **out->values);
        if (!out->names[c] || !out->values[c]) {
            out->columns++; /* so that clearing sees both */
            return false;
        }
        if (rows > 0)
            memcpy(out->values[c], values[c], rows * sizeof **out->values);
    }
    return true;
}

spn_status spn_record_add_curve(spn_record *record, const char *name, size_t columns,
                                const char *const *names, size_t rows, const double *const *values,
                                spn_error *err)
{
    spn_result_curve copy, *curve = (spn_result_curve *)spn_record_curve(record, name);
    if (!copy_curve(&copy, name, columns, names, rows, values) ||
        (!curve && !(curve = append(&record->curves, &record->curve_count, sizeof *curve)))) {
        clear_curve(&copy);
        return spn_no_memory(err, "a record");
    }
    clear_curve(curve);
    *curve = copy;
    return SPN_OK;
}

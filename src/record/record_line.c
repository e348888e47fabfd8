/* One record as one line of JSON. Fields that may differ when a run is repeated come last, then
   the checksum of the line, which is checked before anything else. */
#include "base/memory.h"
#include "record/record.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The end of a line: ,"check":"0123456789abcdef"} */
static const char CHECK[] = ",\"check\":\"";
enum { CHECK_SIZE = sizeof CHECK - 1, HEX_SIZE = 16, TAIL_SIZE = CHECK_SIZE + HEX_SIZE + 2 };

enum {
    KEY,
    SEED,
    INSTANCE_SEED,
    RUN,
    SETTINGS,
    RESULTS,
    CURVES,
    NOTES,
    VERSION,
    INSTRUCTIONS, /* the last field that is the same wherever and whenever the run is done */
    MACHINE,
    FINISHED,
    SECONDS,
    FIRST_HIT_SECONDS,
    FIELDS
};

/* Fields of a line in order, their place in a record, and whether older records may lack them. */
enum { HEX, WHOLE, REAL, TEXT, LIST };
static const struct {
    const char *name;
    size_t place;
    int kind;
    bool may_miss;
} fields[FIELDS] = {
    [KEY] = {"key", offsetof(spn_record, key), HEX, false},
    [SEED] = {"seed", offsetof(spn_record, seed), WHOLE, false},
    [INSTANCE_SEED] = {"instance_seed", offsetof(spn_record, instance_seed), WHOLE, true},
    [RUN] = {"run", offsetof(spn_record, run), WHOLE, false},
    [SETTINGS] = {"settings", 0, LIST, false},
    [RESULTS] = {"results", 0, LIST, false},
    [CURVES] = {"curves", 0, LIST, false},
    [NOTES] = {"notes", 0, LIST, true},
    [VERSION] = {"version", offsetof(spn_record, version), TEXT, false},
    [INSTRUCTIONS] = {"instructions", offsetof(spn_record, instructions), TEXT, true},
    [MACHINE] = {"machine", offsetof(spn_record, machine), TEXT, false},
    [FINISHED] = {"finished", offsetof(spn_record, finished), TEXT, false},
    [SECONDS] = {"seconds", offsetof(spn_record, seconds), REAL, false},
    [FIRST_HIT_SECONDS] = {"first_hit_seconds", offsetof(spn_record, first_hit_seconds), REAL,
                           true}};

/* ---- writing ---- */

static bool is_there(const spn_record *record, size_t field)
{
    return field == INSTANCE_SEED       ? record->instance_seed != 0
           : field == NOTES             ? record->note_count > 0
           : field == INSTRUCTIONS      ? record->instructions != NULL
           : field == FIRST_HIT_SECONDS ? spn_record_has_hit(record)
                                        : true;
}

static void put_texts(spn_json *json, const spn_field *texts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        spn_json_text(json, texts[k].name, texts[k].text);
}

static void put_curve(spn_json *json, const spn_result_curve *curve)
{
    spn_json_open(json, curve->name, '{');
    for (size_t c = 0; c < curve->columns; c++) {
        spn_json_open(json, curve->names[c], '[');
        for (size_t r = 0; r < curve->rows; r++)
            spn_json_real(json, NULL, curve->values[c][r]);
        spn_json_close(json, ']');
    }
    spn_json_close(json, '}');
}

static void put_list(spn_json *json, const spn_record *record, size_t field)
{
    spn_json_open(json, fields[field].name, field == NOTES ? '[' : '{');
    if (field == SETTINGS)
        put_texts(json, record->settings, record->setting_count);
    for (size_t k = 0; field == RESULTS && k < record->result_count; k++)
        spn_json_real(json, record->results[k].name, record->results[k].value);
    if (field == RESULTS)
        put_texts(json, record->texts, record->text_count);
    for (size_t k = 0; field == CURVES && k < record->curve_count; k++)
        put_curve(json, &record->curves[k]);
    for (size_t k = 0; field == NOTES && k < record->note_count; k++)
        spn_json_text(json, NULL, record->notes[k]);
    spn_json_close(json, field == NOTES ? ']' : '}');
}

static void put_field(spn_json *json, const spn_record *record, size_t field)
{
    const char *name = fields[field].name, *text;
    const void *at = (const char *)record + fields[field].place;
    char hex[HEX_SIZE + 1];
    if (!is_there(record, field))
        return;
    const int kind = fields[field].kind;
    if (kind == HEX) {
        snprintf(hex, sizeof hex, "%016" PRIx64, *(const uint64_t *)at);
        spn_json_text(json, name, hex);
    } else if (kind == TEXT) {
        text = *(char *const *)at;
        spn_json_text(json, name, text ? text : "");
    } else if (kind == WHOLE) {
        spn_json_whole(json, name, *(const uint64_t *)at);
    } else if (kind == REAL) {
        spn_json_real(json, name, *(const double *)at);
    } else {
        put_list(json, record, field);
    }
}

/* Leave the object open. */
static void put_fields(spn_json *json, const spn_record *record, size_t count)
{
    spn_json_open(json, NULL, '{');
    for (size_t field = 0; field < count; field++)
        put_field(json, record, field);
}

spn_status spn_record_line_write(char **out, size_t *size, const spn_record *record, spn_error *err)
{
    spn_json json = {0};
    char check[HEX_SIZE + 1];
    *out = NULL;
    const uint64_t seeds = record->seed | record->instance_seed;
    if (seeds > INT64_MAX)
        return spn_refuse(err, "a record cannot hold the seed %" PRIu64 "; seeds are below 2^63",
                          record->seed > INT64_MAX ? record->seed : record->instance_seed);
    SPN_TRY(spn_json_begin(&json, err));
    put_fields(&json, record, FIELDS);
    if (fflush(json.stream) == 0) { /* so that the memory holds the bytes of the checksum */
        snprintf(check, sizeof check, "%016" PRIx64,
                 (uint64_t)XXH3_64bits(json.memory.text, json.memory.size));
        spn_json_text(&json, "check", check);
    }
    spn_json_close(&json, '}');
    fputc('\n', json.stream);
    return spn_json_finish(out, size, &json, err);
}

void spn_record_put(spn_json *json, const spn_record *record)
{
    put_fields(json, record, FIELDS);
    spn_json_close(json, '}');
}

void spn_record_put_found(spn_json *json, const spn_record *record)
{
    static const size_t found[] = {RESULTS, CURVES, NOTES, SEED, INSTANCE_SEED, FIRST_HIT_SECONDS};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        put_field(json, record, found[k]);
    if (record->note_count == 0)
        put_list(json, record, NOTES); /* always present */
}

/* The part that is the same wherever and whenever the run is done. */
static spn_status run_text(char **out, size_t *size, const spn_record *record, spn_error *err)
{
    spn_json json = {0};
    SPN_TRY(spn_json_begin(&json, err));
    put_fields(&json, record, INSTRUCTIONS + 1);
    return spn_json_finish(out, size, &json, err);
}

spn_status spn_record_same(bool *out, const spn_record *a, const spn_record *b, spn_error *err)
{
    char *text[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    spn_status status;
    *out = false;
    SPN_TRY_OR(cleanup, run_text(&text[0], &size[0], a, err));
    SPN_TRY_OR(cleanup, run_text(&text[1], &size[1], b, err));
    *out = size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0;
cleanup:
    SPN_FREE_ALL(text[0], text[1]);
    return status;
}

/* ---- reading ---- */

/* name: the field at fault, or NULL. */
static spn_status wrong(spn_line_place place, const char *name, const char *what, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: line %zu: %s%s%s; delete the line to have its run repeated", place.file,
                    place.line, name ? name : "", name ? " " : "", what);
}

static spn_status no_memory(spn_line_place place, spn_error *err)
{
    return spn_no_memory(err, "%s: line %zu", place.file, place.line);
}

static bool read_hex(uint64_t *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    *out = 0;
    for (size_t k = 0; k < HEX_SIZE; k++) {
        const char *digit = memchr(digits, text[k], sizeof digits - 1);
        if (!digit)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static spn_status check_sum(const char *text, size_t size, spn_line_place place, spn_error *err)
{
    uint64_t sum;
    const char *tail = text + size - (size < TAIL_SIZE ? size : TAIL_SIZE);
    if (size < TAIL_SIZE || memcmp(tail, CHECK, CHECK_SIZE) != 0 ||
        !read_hex(&sum, tail + CHECK_SIZE) || memcmp(text + size - 2, "\"}", 2) != 0)
        return wrong(place, NULL, "is not a record, or was changed after it was written", err);
    if (sum != XXH3_64bits(text, size - TAIL_SIZE))
        return wrong(place, NULL, "was changed after it was written", err);
    return SPN_OK;
}

/* ---- fields ---- */

static spn_status take_real(double *out, const spn_json_value *value, const char *name,
                            spn_line_place place, spn_error *err)
{
    if (value->kind != SPN_JSON_WHOLE && value->kind != SPN_JSON_REAL &&
        value->kind != SPN_JSON_NULL)
        return wrong(place, name, "is not a number", err);
    *out = spn_json_get_real(value);
    return SPN_OK;
}

static spn_status check_names(const spn_json_value *object, const char *name, spn_line_place place,
                              spn_error *err)
{
    if (object->kind != SPN_JSON_OBJECT)
        return wrong(place, name, "is not an object", err);
    if (object->count > SPN_RECORD_MOST_NAMES)
        return wrong(place, name, "has more names than a run has: over 1000", err);
    return SPN_OK;
}

/* A setting is a text; a result is a number or a text. */
static spn_status take_value(spn_record *out, const spn_json_value *v, bool setting,
                             spn_line_place place, spn_error *err)
{
    double number = NAN;
    if (setting && v->kind != SPN_JSON_TEXT)
        return wrong(place, v->name, "is not a text", err);
    if (setting)
        return spn_record_add_setting(out, v->name, v->text, err);
    if (v->kind == SPN_JSON_TEXT)
        return spn_record_add_text(out, v->name, v->text, err);
    SPN_TRY(take_real(&number, v, v->name, place, err));
    return spn_record_add_result(out, v->name, number, err);
}

static spn_status take_notes(spn_record *out, const spn_json_value *list, spn_line_place place,
                             spn_error *err)
{
    if (list->kind != SPN_JSON_LIST)
        return wrong(place, "notes", "is not a list", err);
    for (const spn_json_value *note = spn_json_first(list); note;
         note = spn_json_next(list, note)) {
        if (note->kind != SPN_JSON_TEXT)
            return wrong(place, "notes", "holds what is no text", err);
        SPN_TRY(spn_record_add_note(out, err, "%s", note->text));
    }
    return SPN_OK;
}

static spn_status take_column(spn_result_curve *out, const spn_json_value *list,
                              spn_line_place place, spn_error *err)
{
    if (list->kind != SPN_JSON_LIST || (out->columns > 0 && list->count != out->rows))
        return wrong(place, list->name, "is not a list as long as the curve", err);
    out->rows = list->count;
    double *values = spn_result_curve_add(out, list->name);
    if (!values)
        return no_memory(place, err);
    for (const spn_json_value *v = spn_json_first(list); v; v = spn_json_next(list, v))
        SPN_TRY(take_real(values++, v, list->name, place, err));
    return SPN_OK;
}

static spn_status take_curve(spn_record *out, const spn_json_value *object, spn_line_place place,
                             spn_error *err)
{
    spn_result_curve curve = {0};
    spn_status status;
    SPN_TRY(check_names(object, object->name, place, err));
    for (const spn_json_value *v = spn_json_first(object); v; v = spn_json_next(object, v))
        SPN_TRY_OR(cleanup, take_column(&curve, v, place, err));
    status =
        spn_record_add_curve(out, object->name, curve.columns, (const char *const *)curve.names,
                             curve.rows, (const double *const *)curve.values, err);
cleanup:
    spn_result_curve_clear(&curve);
    return status;
}

/* ---- the line ---- */

static spn_status take_field(spn_record *out, size_t field, const spn_json_value *value,
                             spn_line_place place, spn_error *err)
{
    const char *name = fields[field].name, *text;
    const int kind = fields[field].kind;
    void *at = (char *)out + fields[field].place;
    if (kind == HEX) {
        text = spn_json_get_text(value);
        return text && strlen(text) == HEX_SIZE && read_hex(at, text)
                   ? SPN_OK
                   : wrong(place, name, "is not a text of 16 hexadecimal digits", err);
    }
    if (kind == WHOLE) {
        if (value->kind != SPN_JSON_WHOLE || value->whole < 0)
            return wrong(place, name, "is not a whole number", err);
        *(uint64_t *)at = (uint64_t)value->whole;
        return SPN_OK;
    }
    if (kind == TEXT) {
        if (value->kind != SPN_JSON_TEXT)
            return wrong(place, name, "is not a text", err);
        return (*(char **)at = strdup(value->text)) ? SPN_OK : no_memory(place, err);
    }
    if (kind == REAL)
        return take_real(at, value, name, place, err);
    if (field == NOTES)
        return take_notes(out, value, place, err);
    SPN_TRY(check_names(value, name, place, err));
    for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v))
        SPN_TRY(field == CURVES ? take_curve(out, v, place, err)
                                : take_value(out, v, field == SETTINGS, place, err));
    return SPN_OK;
}

static spn_status take_record(spn_record *out, const spn_json_value *root, spn_line_place place,
                              spn_error *err)
{
    if (root->kind != SPN_JSON_OBJECT)
        return wrong(place, NULL, "is not a record: it is no JSON object", err);
    size_t found = 0;
    for (size_t field = 0; field < FIELDS; field++) {
        const spn_json_value *value = spn_json_get(root, fields[field].name);
        if (!value && fields[field].may_miss)
            continue;
        if (!value)
            return wrong(place, fields[field].name, "is missing", err);
        SPN_TRY(take_field(out, field, value, place, err));
        found++;
    }
    if (root->count != found + 1) /* the fields and the check */
        return wrong(place, NULL, "holds fields that a record does not have", err);
    return SPN_OK;
}

/* Until 0.3 `solved` was the share of the replicas without an error at the end, now solved_share.
   Records with neither solved_share nor a first hit are from then. */
static spn_status rename_results(spn_record *record, spn_error *err)
{
    spn_result *solved = NULL;
    for (size_t k = 0; k < record->result_count; k++) {
        const char *name = record->results[k].name;
        if (strcmp(name, "solved_share") == 0 || strcmp(name, "first_hit_steps") == 0)
            return SPN_OK;
        if (strcmp(name, "solved") == 0)
            solved = &record->results[k];
    }
    if (!solved)
        return SPN_OK;
    char *name = strdup("solved_share");
    SPN_NEED(name, err, "a record");
    free(solved->name);
    solved->name = name;
    return SPN_OK;
}

spn_status spn_record_line_read(spn_record *out, const char *text, size_t size,
                                spn_line_place place, spn_error *err)
{
    spn_json_fault fault;
    spn_json_tree tree;
    *out = (spn_record){0};
    SPN_TRY(check_sum(text, size, place, err));
    spn_status status = spn_json_load(&tree, text, size, &fault);
    if (status)
        return status == SPN_ERROR_MEMORY ? no_memory(place, err)
                                          : wrong(place, "is not JSON:", fault.what, err);
    SPN_TRY_OR(cleanup, take_record(out, tree.root, place, err));
    status = rename_results(out, err);
cleanup:
    spn_json_unload(&tree);
    if (status)
        spn_record_clear(out);
    return status;
}

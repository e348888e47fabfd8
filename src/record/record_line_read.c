/* One line of JSON to one record. Nothing is taken from a line before its checksum is right. */
#include "record/record.h"

#include "base/try.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The end of a line: ,"check":"0123456789abcdef"} */
static const char CHECK[] = ",\"check\":\"";
enum { CHECK_SIZE = sizeof CHECK - 1, HEX_SIZE = 16, TAIL_SIZE = CHECK_SIZE + HEX_SIZE + 2 };

/* A line that is not a record: what is wrong with it, and, where name is given, with what. */
static spn_status wrong(spn_line_place place, const char *name, const char *what, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: line %zu: %s%s%s; delete the line to have its run repeated", place.file,
                    place.line, name ? name : "", name ? " " : "", what);
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

static spn_status take_whole(uint64_t *out, const spn_json_value *value, const char *name,
                             spn_line_place place, spn_error *err)
{
    if (value->kind != SPN_JSON_WHOLE || value->whole < 0)
        return wrong(place, name, "is not a whole number", err);
    *out = (uint64_t)value->whole;
    return SPN_OK;
}

static spn_status take_real(double *out, const spn_json_value *value, const char *name,
                            spn_line_place place, spn_error *err)
{
    if (value->kind != SPN_JSON_WHOLE && value->kind != SPN_JSON_REAL &&
        value->kind != SPN_JSON_NULL)
        return wrong(place, name, "is not a number", err);
    *out = spn_json_get_real(value);
    return SPN_OK;
}

static spn_status take_text(char **out, const spn_json_value *value, const char *name,
                            spn_line_place place, spn_error *err)
{
    if (value->kind != SPN_JSON_TEXT)
        return wrong(place, name, "is not a text", err);
    *out = strdup(value->text);
    return *out ? SPN_OK : spn_no_memory(err, "%s: line %zu", place.file, place.line);
}

/* An object of names, each of which is looked for among those before it. */
static spn_status check_names(const spn_json_value *object, const char *name, spn_line_place place,
                              spn_error *err)
{
    if (object->kind != SPN_JSON_OBJECT)
        return wrong(place, name, "is not an object", err);
    if (object->count > SPN_RECORD_MOST_NAMES)
        return wrong(place, name, "has more names than a run has: over 1000", err);
    return SPN_OK;
}

/* Settings, which are texts, or results, which are numbers or texts. */
static spn_status take_values(spn_record *out, const spn_json_value *object, bool settings,
                              spn_line_place place, spn_error *err)
{
    SPN_TRY(check_names(object, object->name, place, err));
    for (const spn_json_value *v = spn_json_first(object); v; v = spn_json_next(object, v)) {
        double number = NAN;
        if (settings && v->kind != SPN_JSON_TEXT)
            return wrong(place, v->name, "is not a text", err);
        if (settings) {
            SPN_TRY(spn_record_add_setting(out, v->name, v->text, err));
        } else if (v->kind == SPN_JSON_TEXT) {
            SPN_TRY(spn_record_add_text(out, v->name, v->text, err));
        } else {
            SPN_TRY(take_real(&number, v, v->name, place, err));
            SPN_TRY(spn_record_add_result(out, v->name, number, err));
        }
    }
    return SPN_OK;
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

/* ---- curves ---- */

/* The columns of a curve before they are copied into the record. */
typedef struct columns {
    size_t count, rows;
    const char **names;
    double **values;
} columns;

static spn_status take_column(columns *out, const spn_json_value *list, spn_line_place place,
                              spn_error *err)
{
    if (list->kind != SPN_JSON_LIST || (out->count > 0 && list->count != out->rows))
        return wrong(place, list->name, "is not a list as long as the curve", err);
    out->rows = list->count;
    double *values = malloc((out->rows + 1) * sizeof *values);
    if (!values)
        return spn_no_memory(err, "%s: line %zu", place.file, place.line);
    out->names[out->count] = list->name;
    out->values[out->count++] = values;
    for (const spn_json_value *v = spn_json_first(list); v; v = spn_json_next(list, v))
        SPN_TRY(take_real(values++, v, list->name, place, err));
    return SPN_OK;
}

static spn_status take_curve(spn_record *out, const spn_json_value *object, spn_line_place place,
                             spn_error *err)
{
    spn_status status;
    SPN_TRY(check_names(object, object->name, place, err));
    columns c = {.names = malloc((object->count + 1) * sizeof *c.names),
                 .values = malloc((object->count + 1) * sizeof *c.values)};
    if (!c.names || !c.values)
        SPN_TRY_OR(cleanup, spn_no_memory(err, "%s: line %zu", place.file, place.line));
    for (const spn_json_value *v = spn_json_first(object); v; v = spn_json_next(object, v))
        SPN_TRY_OR(cleanup, take_column(&c, v, place, err));
    status = spn_record_add_curve(out, object->name, c.count, c.names, c.rows,
                                  (const double *const *)c.values, err);
cleanup:
    for (size_t k = 0; k < c.count; k++)
        free(c.values[k]);
    free(c.names);
    free(c.values);
    return status;
}

/* ---- the line ---- */

enum {
    KEY,
    SEED,
    INSTANCE_SEED, /* may be missing */
    RUN,
    SETTINGS,
    RESULTS,
    CURVES,
    NOTES, /* may be missing */
    VERSION,
    INSTRUCTIONS, /* may be missing: older records do not have it */
    MACHINE,
    FINISHED,
    SECONDS,
    FIRST_HIT_SECONDS, /* may be missing */
    FIELDS
};
static const char *const FIELD_NAMES[FIELDS] = {
    "key",   "seed",    "instance_seed", "run",     "settings", "results", "curves",
    "notes", "version", "instructions",  "machine", "finished", "seconds", "first_hit_seconds"};

static spn_status take_field(spn_record *out, size_t field, const spn_json_value *value,
                             spn_line_place place, spn_error *err)
{
    const char *name = FIELD_NAMES[field];
    const char *text;
    uint64_t run = 0;
    spn_status status;
    switch (field) {
    case KEY:
        text = spn_json_get_text(value);
        return text && strlen(text) == HEX_SIZE && read_hex(&out->key, text)
                   ? SPN_OK
                   : wrong(place, name, "is not a text of 16 hexadecimal digits", err);
    case SEED:
        return take_whole(&out->seed, value, name, place, err);
    case INSTANCE_SEED:
        return take_whole(&out->instance_seed, value, name, place, err);
    case RUN:
        status = take_whole(&run, value, name, place, err);
        out->run = (size_t)run;
        return status;
    case SETTINGS:
    case RESULTS:
        return take_values(out, value, field == SETTINGS, place, err);
    case CURVES:
        SPN_TRY(check_names(value, name, place, err));
        for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v))
            SPN_TRY(take_curve(out, v, place, err));
        return SPN_OK;
    case NOTES:
        return take_notes(out, value, place, err);
    case INSTRUCTIONS:
        return take_text(&out->instructions, value, name, place, err);
    case VERSION:
        return take_text(&out->version, value, name, place, err);
    case MACHINE:
        return take_text(&out->machine, value, name, place, err);
    case FINISHED:
        return take_text(&out->finished, value, name, place, err);
    case SECONDS:
        return take_real(&out->seconds, value, name, place, err);
    default:
        return take_real(&out->first_hit_seconds, value, name, place, err);
    }
}

static spn_status take_record(spn_record *out, const spn_json_value *root, spn_line_place place,
                              spn_error *err)
{
    if (root->kind != SPN_JSON_OBJECT)
        return wrong(place, NULL, "is not a record: it is no JSON object", err);
    size_t found = 0;
    for (size_t field = 0; field < FIELDS; field++) {
        const spn_json_value *value = spn_json_get(root, FIELD_NAMES[field]);
        if (!value && (field == INSTANCE_SEED || field == NOTES || field == INSTRUCTIONS ||
                       field == FIRST_HIT_SECONDS))
            continue;
        if (!value)
            return wrong(place, FIELD_NAMES[field], "is missing", err);
        SPN_TRY(take_field(out, field, value, place, err));
        found++;
    }
    if (root->count != found + 1) /* and the check */
        return wrong(place, NULL, "holds fields that a record does not have", err);
    return SPN_OK;
}

/* Until 0.3 `solved` was the share of the replicas that make no error at the end, which is now
   solved_share; records that have neither that nor a first hit are of then. */
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
    if (!name)
        return spn_no_memory(err, "a record");
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
        return status == SPN_ERROR_MEMORY
                   ? spn_no_memory(err, "%s: line %zu", place.file, place.line)
                   : wrong(place, "is not JSON:", fault.what, err);
    SPN_TRY_OR(cleanup, take_record(out, tree.root, place, err));
    status = rename_results(out, err);
cleanup:
    spn_json_unload(&tree);
    if (status)
        spn_record_clear(out);
    return status;
}

/* One line of JSON to one record. Nothing is taken from a line before its checksum is right. */
#include "record/record_line.h"

#include "record/json_tree.h"

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

static spn_status no_memory(spn_line_place place, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: line %zu: out of memory", place.file, place.line);
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

static spn_status take_key(uint64_t *out, const json_t *value, spn_line_place place, spn_error *err)
{
    if (json_is_string(value) && json_string_length(value) == HEX_SIZE &&
        read_hex(out, json_string_value(value)))
        return SPN_OK;
    return wrong(place, "key", "is not a text of 16 hexadecimal digits", err);
}

static spn_status take_whole(uint64_t *out, const json_t *value, const char *name,
                             spn_line_place place, spn_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return wrong(place, name, "is not a whole number", err);
    *out = (uint64_t)json_integer_value(value);
    return SPN_OK;
}

static spn_status take_real(double *out, const json_t *value, const char *name,
                            spn_line_place place, spn_error *err)
{
    if (!json_is_number(value) && !json_is_null(value))
        return wrong(place, name, "is not a number", err);
    *out = json_is_null(value) ? NAN : json_number_value(value);
    return SPN_OK;
}

static spn_status take_text(char **out, const json_t *value, const char *name, spn_line_place place,
                            spn_error *err)
{
    if (!json_is_string(value))
        return wrong(place, name, "is not a text", err);
    *out = strdup(json_string_value(value));
    return *out ? SPN_OK : no_memory(place, err);
}

/* An object of names, each of which is looked for among those before it. */
static spn_status check_names(const json_t *object, const char *name, spn_line_place place,
                              spn_error *err)
{
    if (!json_is_object(object))
        return wrong(place, name, "is not an object", err);
    if (json_object_size(object) > SPN_RECORD_MOST_NAMES)
        return wrong(place, name, "has more names than a run has: over 1000", err);
    return SPN_OK;
}

static spn_status take_settings(spn_record *out, json_t *object, spn_line_place place,
                                spn_error *err)
{
    const char *name;
    json_t *value;
    spn_status status = check_names(object, "settings", place, err);
    if (status)
        return status;
    json_object_foreach(object, name, value)
    {
        if (!json_is_string(value))
            status = wrong(place, name, "is not a text", err);
        if (!status)
            status = spn_record_add_setting(out, name, json_string_value(value), err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_status take_results(spn_record *out, json_t *object, spn_line_place place,
                               spn_error *err)
{
    const char *name;
    json_t *value;
    spn_status status = check_names(object, "results", place, err);
    if (status)
        return status;
    json_object_foreach(object, name, value)
    {
        double number = NAN;
        const char *word = json_string_value(value);
        status = word ? SPN_OK : take_real(&number, value, name, place, err);
        if (!status)
            status = word ? spn_record_add_text(out, name, word, err)
                          : spn_record_add_result(out, name, number, err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_status take_notes(spn_record *out, const json_t *array, spn_line_place place,
                             spn_error *err)
{
    spn_status status = SPN_OK;
    if (!json_is_array(array))
        return wrong(place, "notes", "is not a list", err);
    for (size_t k = 0; k < json_array_size(array) && !status; k++) {
        const char *note = json_string_value(json_array_get(array, k));
        status = note ? spn_record_add_note(out, err, "%s", note)
                      : wrong(place, "notes", "holds what is no text", err);
    }
    return status;
}

/* ---- curves ---- */

/* The columns of a curve before they are copied into the record. */
typedef struct columns {
    size_t count, rows;
    const char **names;
    double **values;
} columns;

static void free_columns(columns *c)
{
    for (size_t k = 0; c->values && k < c->count; k++)
        free(c->values[k]);
    free(c->names);
    free(c->values);
}

static spn_status take_column(columns *out, const char *name, const json_t *array,
                              spn_line_place place, spn_error *err)
{
    if (!json_is_array(array) || (out->count > 0 && json_array_size(array) != out->rows))
        return wrong(place, name, "is not a list as long as the curve", err);
    out->rows = json_array_size(array);
    double *values = malloc((out->rows + 1) * sizeof *values);
    if (!values)
        return no_memory(place, err);
    out->names[out->count] = name;
    out->values[out->count++] = values;
    for (size_t r = 0; r < out->rows; r++) {
        spn_status status = take_real(&values[r], json_array_get(array, r), name, place, err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_status take_columns(columns *out, json_t *object, const char *curve,
                               spn_line_place place, spn_error *err)
{
    const char *name;
    json_t *array;
    spn_status status = SPN_OK;
    if ((status = check_names(object, curve, place, err)))
        return status;
    out->names = malloc((json_object_size(object) + 1) * sizeof *out->names);
    out->values = malloc((json_object_size(object) + 1) * sizeof *out->values);
    if (!out->names || !out->values)
        return no_memory(place, err);
    json_object_foreach(object, name, array) if (!status) status =
        take_column(out, name, array, place, err);
    return status;
}

static spn_status take_curves(spn_record *out, json_t *object, spn_line_place place, spn_error *err)
{
    const char *name;
    json_t *value;
    spn_status status = check_names(object, "curves", place, err);
    if (status)
        return status;
    json_object_foreach(object, name, value)
    {
        columns c = {0};
        status = take_columns(&c, value, name, place, err);
        if (!status)
            status = spn_record_add_curve(out, name, c.count, c.names, c.rows,
                                          (const double *const *)c.values, err);
        free_columns(&c);
        if (status)
            return status;
    }
    return SPN_OK;
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

static bool may_be_missing(size_t field)
{
    return field == INSTANCE_SEED || field == NOTES || field == INSTRUCTIONS ||
           field == FIRST_HIT_SECONDS;
}

static spn_status take_field(spn_record *out, size_t field, json_t *value, spn_line_place place,
                             spn_error *err)
{
    const char *name = FIELD_NAMES[field];
    uint64_t run = 0;
    spn_status status;
    switch (field) {
    case KEY:
        return take_key(&out->key, value, place, err);
    case SEED:
        return take_whole(&out->seed, value, name, place, err);
    case INSTANCE_SEED:
        return take_whole(&out->instance_seed, value, name, place, err);
    case RUN:
        status = take_whole(&run, value, name, place, err);
        out->run = (size_t)run;
        return status;
    case SETTINGS:
        return take_settings(out, value, place, err);
    case RESULTS:
        return take_results(out, value, place, err);
    case CURVES:
        return take_curves(out, value, place, err);
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

static spn_status take_record(spn_record *out, const json_t *root, spn_line_place place,
                              spn_error *err)
{
    if (!json_is_object(root))
        return wrong(place, NULL, "is not a record: it is no JSON object", err);
    size_t found = 0;
    for (size_t field = 0; field < FIELDS; field++) {
        json_t *value = json_object_get(root, FIELD_NAMES[field]);
        if (!value && may_be_missing(field))
            continue;
        if (!value)
            return wrong(place, FIELD_NAMES[field], "is missing", err);
        spn_status status = take_field(out, field, value, place, err);
        if (status)
            return status;
        found++;
    }
    if (json_object_size(root) != found + 1) /* and the check */
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
    char *name = solved ? strdup("solved_share") : NULL;
    if (solved && !name)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a record");
    if (solved) {
        free(solved->name);
        solved->name = name;
    }
    return SPN_OK;
}

spn_status spn_record_line_read(spn_record *out, const char *text, size_t size,
                                spn_line_place place, spn_error *err)
{
    *out = (spn_record){0};
    spn_status status = check_sum(text, size, place, err);
    if (status)
        return status;
    spn_json_fault fault;
    json_t *root;
    status = spn_json_load(&root, text, size, &fault);
    if (status == SPN_ERROR_MEMORY)
        return no_memory(place, err);
    status =
        root ? take_record(out, root, place, err) : wrong(place, "is not JSON:", fault.what, err);
    if (!status)
        status = rename_results(out, err);
    json_decref(root);
    if (status)
        spn_record_clear(out);
    return status;
}

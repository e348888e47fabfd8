/* One record to one line of JSON. What may differ when a run is repeated comes last, then the
   checksum of the line. */
#include "record/record.h"

#include "base/try.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Results that are numbers, then those that are words. */
static void put_results(spn_json *json, const spn_record *record)
{
    spn_json_open(json, "results", '{');
    for (size_t k = 0; k < record->result_count; k++)
        spn_json_real(json, record->results[k].name, record->results[k].value);
    for (size_t k = 0; k < record->text_count; k++)
        spn_json_text(json, record->texts[k].name, record->texts[k].text);
    spn_json_close(json, '}');
}

static void put_notes(spn_json *json, const spn_record *record)
{
    spn_json_open(json, "notes", '[');
    for (size_t k = 0; k < record->note_count; k++)
        spn_json_text(json, NULL, record->notes[k]);
    spn_json_close(json, ']');
}

static void put_curves(spn_json *json, const spn_record *record)
{
    spn_json_open(json, "curves", '{');
    for (size_t k = 0; k < record->curve_count; k++) {
        const spn_result_curve *curve = &record->curves[k];
        spn_json_open(json, curve->name, '{');
        for (size_t c = 0; c < curve->columns; c++) {
            spn_json_open(json, curve->names[c], '[');
            for (size_t r = 0; r < curve->rows; r++)
                spn_json_real(json, NULL, curve->values[c][r]);
            spn_json_close(json, ']');
        }
        spn_json_close(json, '}');
    }
    spn_json_close(json, '}');
}

static void put_seeds(spn_json *json, const spn_record *record)
{
    spn_json_whole(json, "seed", record->seed);
    if (record->instance_seed)
        spn_json_whole(json, "instance_seed", record->instance_seed);
}

/* What is the same whenever and wherever the run is done. */
static void put_run(spn_json *json, const spn_record *record)
{
    char key[17];
    snprintf(key, sizeof key, "%016" PRIx64, record->key);
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "key", key);
    put_seeds(json, record);
    spn_json_whole(json, "run", record->run);
    spn_json_open(json, "settings", '{');
    for (size_t k = 0; k < record->setting_count; k++)
        spn_json_text(json, record->settings[k].name, record->settings[k].text);
    spn_json_close(json, '}');
    put_results(json, record);
    put_curves(json, record);
    if (record->note_count > 0)
        put_notes(json, record);
    spn_json_text(json, "version", record->version ? record->version : "");
    if (record->instructions)
        spn_json_text(json, "instructions", record->instructions);
}

static void put_circumstances(spn_json *json, const spn_record *record)
{
    spn_json_text(json, "machine", record->machine ? record->machine : "");
    spn_json_text(json, "finished", record->finished ? record->finished : "");
    spn_json_real(json, "seconds", record->seconds);
    if (spn_record_has_hit(record))
        spn_json_real(json, "first_hit_seconds", record->first_hit_seconds);
}

spn_status spn_record_line_write(char **out, size_t *size, const spn_record *record, spn_error *err)
{
    spn_json json = {0};
    char check[17];
    *out = NULL;
    const uint64_t seeds = record->seed | record->instance_seed;
    if (seeds > INT64_MAX)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a record cannot hold the seed %" PRIu64 "; seeds are below 2^63",
                        record->seed > INT64_MAX ? record->seed : record->instance_seed);
    SPN_TRY(spn_json_begin(&json, err));
    put_run(&json, record);
    put_circumstances(&json, record);
    if (fflush(json.stream) == 0) { /* now the memory holds what the checksum is of */
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
    put_run(json, record);
    put_circumstances(json, record);
    spn_json_close(json, '}');
}

void spn_record_put_found(spn_json *json, const spn_record *record)
{
    put_results(json, record);
    put_curves(json, record);
    if (record->note_count > 0)
        put_notes(json, record);
    put_seeds(json, record);
    if (spn_record_has_hit(record))
        spn_json_real(json, "first_hit_seconds", record->first_hit_seconds);
    if (record->note_count == 0)
        put_notes(json, record); /* always there */
}

/* What put_run writes. */
static spn_status run_text(char **out, size_t *size, const spn_record *record, spn_error *err)
{
    spn_json json = {0};
    SPN_TRY(spn_json_begin(&json, err));
    put_run(&json, record);
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
    free(text[0]);
    free(text[1]);
    return status;
}

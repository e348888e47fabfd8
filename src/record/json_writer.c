/* Writes JSON. */
#include "record/json_writer.h"

#include "data/text.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text in quotes. Errors of the stream stay in it until it is finished. */
static void put_text(spn_json *json, const char *text, const char *what)
{
    json_t *value = json_string(text); /* checks the UTF-8 */
    if (!value && !json->bad)
        json->bad = what;
    if (value)
        json_dumpf(value, json->stream, JSON_ENCODE_ANY);
    json_decref(value);
}

static void new_line(spn_json *json)
{
    if (json->depth > 0 && json->depth <= json->broken)
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
}

/* What stands before a value. */
static void put_name(spn_json *json, const char *name)
{
    if (json->filled)
        fputs(json->broken > 0 && json->depth > json->broken ? ", " : ",", json->stream);
    new_line(json);
    json->filled = true;
    if (!name)
        return;
    put_text(json, name, name);
    fputs(json->broken > 0 ? ": " : ":", json->stream);
}

void spn_json_open(spn_json *json, const char *name, char bracket)
{
    put_name(json, name);
    fputc(bracket, json->stream);
    json->depth++;
    json->filled = false;
}

void spn_json_close(spn_json *json, char bracket)
{
    const bool line = json->filled && json->depth <= json->broken;
    json->depth--;
    if (line)
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    fputc(bracket, json->stream);
    json->filled = true;
}

void spn_json_text(spn_json *json, const char *name, const char *text)
{
    put_name(json, name);
    put_text(json, text, name ? name : text);
}

void spn_json_whole(spn_json *json, const char *name, uint64_t value)
{
    put_name(json, name);
    fprintf(json->stream, "%" PRIu64, value);
}

void spn_json_flag(spn_json *json, const char *name, bool value)
{
    put_name(json, name);
    fputs(value ? "true" : "false", json->stream);
}

/* printf follows the locale; JSON does not. */
static void use_point(char *text)
{
    for (; *text; text++)
        if (!strchr("0123456789+-e", *text))
            *text = '.';
}

void spn_json_real(spn_json *json, const char *name, double value)
{
    char text[32] = "null";
    double back = NAN;
    put_name(json, name);
    if (value == 0) /* an integer has no negative zero */
        snprintf(text, sizeof text, "%s", signbit(value) ? "-0.0" : "0");
    for (int digits = 6; digits <= 17 && isfinite(value) && value != 0 && back != value; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        use_point(text);
        spn_number_read(&back, (spn_span){text, strlen(text)});
    }
    fputs(text, json->stream);
}

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for JSON");
}

spn_status spn_json_begin(spn_json *json, char **text, size_t *size, spn_error *err)
{
    *text = NULL;
    json->stream = open_memstream(text, size);
    return json->stream ? SPN_OK : no_memory(err);
}

spn_status spn_json_finish(spn_json *json, char **text, spn_error *err)
{
    bool failed = ferror(json->stream) != 0;
    failed |= fclose(json->stream) != 0;
    json->stream = NULL;
    if (!failed && !json->bad)
        return SPN_OK;
    free(*text);
    *text = NULL;
    if (failed)
        return no_memory(err);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "%s is not UTF-8 text; rename it", json->bad);
}

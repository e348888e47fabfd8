/* Writes JSON. */
#include "base/json_writer.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A character that a text of JSON cannot hold as it is. */
static void put_escaped(FILE *stream, char c)
{
    static const char letters[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                      {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (letters[k][0] == c) {
            fprintf(stream, "\\%c", letters[k][1]);
            return;
        }
    fprintf(stream, "\\u%04X", (unsigned)c);
}

/* A text in quotes. Errors of the stream stay in it until it is finished. */
static void put_text(spn_json *json, const char *text, const char *what)
{
    if (!spn_is_utf8(text)) {
        json->bad = json->bad ? json->bad : what;
        return;
    }
    fputc('"', json->stream);
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20)
            put_escaped(json->stream, *text);
        else
            fputc(*text, json->stream);
    fputc('"', json->stream);
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

void spn_real_text(char out[SPN_NUMBER_TEXT], double value)
{
    if (value == 0 && signbit(value)) {
        snprintf(out, SPN_NUMBER_TEXT, "-0.0"); /* as an integer it would lose its sign */
        return;
    }
    spn_number_text(out, value);
    for (char *c = out; *c; c++)
        if (!strchr("0123456789+-e", *c))
            *c = '.'; /* printf follows the locale; files do not */
}

void spn_json_real(spn_json *json, const char *name, double value)
{
    char text[SPN_NUMBER_TEXT] = "null";
    put_name(json, name);
    if (isfinite(value))
        spn_real_text(text, value);
    fputs(text, json->stream);
}

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for JSON");
}

spn_status spn_json_begin(spn_json *json, spn_error *err)
{
    json->stream = spn_memory_stream_open(&json->memory);
    return json->stream ? SPN_OK : no_memory(err);
}

spn_status spn_json_finish(char **text, size_t *size, spn_json *json, spn_error *err)
{
    *text = spn_memory_stream_finish(&json->memory);
    *size = json->memory.size;
    json->stream = NULL;
    if (*text && !json->bad)
        return SPN_OK;
    const spn_status status =
        *text ? spn_fail(err, SPN_ERROR_ARGUMENT, "%s is not UTF-8 text; rename it", json->bad)
              : no_memory(err);
    free(*text);
    *text = NULL;
    return status;
}

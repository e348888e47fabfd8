/* Writes JSON. */
#include "base/json.h"

#include "base/text.h"
#include "base/try.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_character(FILE *stream, char c)
{
    static const char letters[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                      {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (letters[k][0] == c) {
            fprintf(stream, "\\%c", letters[k][1]);
            return;
        }
    if ((unsigned char)c < 0x20)
        fprintf(stream, "\\u%04X", (unsigned)c);
    else
        fputc(c, stream);
}

/* Stream errors are reported when it is finished. */
static void put_text(spn_json *json, const char *text, const char *what)
{
    if (!spn_is_utf8(text)) {
        json->bad = json->bad ? json->bad : what;
        return;
    }
    fputc('"', json->stream);
    for (; *text; text++)
        put_character(json->stream, *text);
    fputc('"', json->stream);
}

static void put_name(spn_json *json, const char *name)
{
    if (json->filled)
        fputs(json->broken > 0 && json->depth > json->broken ? ", " : ",", json->stream);
    if (json->depth > 0 && json->depth <= json->broken)
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
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

void spn_json_any_text(spn_json *json, const char *name, const char *text)
{
    if (spn_is_utf8(text)) {
        spn_json_text(json, name, text);
        return;
    }
    put_name(json, name);
    fputc('"', json->stream);
    for (; *text; text++)
        put_character(json->stream, (unsigned char)*text > 127 ? '?' : *text);
    fputc('"', json->stream);
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

void spn_json_null(spn_json *json, const char *name)
{
    put_name(json, name);
    fputs("null", json->stream);
}

/* printf follows the locale; files do not. */
static void put_point(char *text)
{
    for (; *text; text++)
        if (!strchr("0123456789+-e", *text))
            *text = '.';
}

void spn_real_text(char out[SPN_NUMBER_TEXT], double value)
{
    if (value == 0 && signbit(value)) {
        snprintf(out, SPN_NUMBER_TEXT, "-0.0"); /* as an integer it would lose its sign */
        return;
    }
    spn_number_text(out, value);
    put_point(out);
}

void spn_decimal_text(char out[SPN_NUMBER_TEXT], double value, int digits)
{
    const int length = snprintf(out, SPN_NUMBER_TEXT, "%.*g", digits, value);
    put_point(out);
    char *exponent = strchr(out, 'e');
    if (!exponent && !strchr(out, '.'))
        memcpy(out + length, ".0", 3);
    if (!exponent)
        return;
    char *first = exponent + 1 + (exponent[1] == '-'), *digit = exponent + 2;
    digit += strspn(digit, "0");
    memmove(first, digit, strlen(digit) + 1); /* 1e+05 becomes 1e5 */
}

void spn_json_real(spn_json *json, const char *name, double value)
{
    char text[SPN_NUMBER_TEXT] = "null";
    put_name(json, name);
    if (isfinite(value)) {
        spn_real_text(text, value);
        if (json->seventeen && strpbrk(text, ".e"))
            spn_decimal_text(text, value, 17);
    }
    fputs(text, json->stream);
}

void spn_json_decimal(spn_json *json, const char *name, double value)
{
    char text[SPN_NUMBER_TEXT] = "null";
    put_name(json, name);
    if (isfinite(value))
        spn_decimal_text(text, value, 17);
    fputs(text, json->stream);
}

spn_status spn_json_begin(spn_json *json, spn_error *err)
{
    json->stream = spn_memory_stream_open(&json->memory);
    return json->stream ? SPN_OK : spn_no_memory(err, "JSON");
}

spn_status spn_json_finish(char **text, size_t *size, spn_json *json, spn_error *err)
{
    *text = spn_memory_stream_finish(&json->memory);
    if (size)
        *size = json->memory.size;
    json->stream = NULL;
    if (*text && !json->bad)
        return SPN_OK;
    const spn_status status = *text ? spn_refuse(err, "%s is not UTF-8 text; rename it", json->bad)
                                    : spn_no_memory(err, "JSON");
    free(*text);
    *text = NULL;
    return status;
}

void spn_json_drop(spn_json *json)
{
    free(spn_memory_stream_finish(&json->memory));
    json->stream = NULL;
}

void spn_json_value_put(spn_json *json, const char *name, const spn_json_value *value)
{
    const bool list = value->kind == SPN_JSON_LIST;
    switch (value->kind) {
    case SPN_JSON_NULL:
        spn_json_null(json, name);
        break;
    case SPN_JSON_FALSE:
    case SPN_JSON_TRUE:
        spn_json_flag(json, name, value->kind == SPN_JSON_TRUE);
        break;
    case SPN_JSON_WHOLE:
        put_name(json, name);
        fprintf(json->stream, "%" PRId64, value->whole);
        break;
    case SPN_JSON_REAL:
        spn_json_decimal(json, name, value->real);
        break;
    case SPN_JSON_TEXT:
        spn_json_text(json, name, value->text);
        break;
    case SPN_JSON_LIST:
    case SPN_JSON_OBJECT:
        spn_json_open(json, name, list ? '[' : '{');
        for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v))
            spn_json_value_put(json, v->name, v);
        spn_json_close(json, list ? ']' : '}');
        break;
    }
}

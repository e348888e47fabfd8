/* Reads JSON into jansson's values. jansson's own reader, of 2.14, ignores that its buffers cannot
   grow: it drops letters, or reads behind the end of a text. Here every step is checked. */
#include "record/json_tree.h"

#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 256 }; /* levels; the files of this program have few */

typedef struct parser {
    const char *at, *end;
    char *text; /* room for the longest text */
    size_t depth;
    const char *what; /* what is wrong with it; NULL: nothing but memory may be lacking */
} parser;

static json_t *read_value(parser *p);

/* Keep the first fault that is found; always false. */
static bool fault(parser *p, const char *what)
{
    p->what = p->what ? p->what : what;
    return false;
}

static json_t *no_value(parser *p, const char *what)
{
    fault(p, what);
    return NULL;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n'))
        p->at++;
}

/* Pass over a character, and the blanks before it, if it comes next. */
static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* ---- texts ---- */

/* The number behind \u; false where there are not four digits. */
static bool read_unit(uint32_t *out, parser *p)
{
    *out = 0;
    for (int k = 0; k < 4; k++, p->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = p->at < p->end ? memchr(digits, *p->at, sizeof digits - 1) : NULL;
        if (!digit)
            return false;
        *out = *out << 4 | (uint32_t)((digit - digits) & 15);
    }
    return true;
}

/* A character by its number, as UTF-8. */
static char *put_character(char *out, uint32_t number)
{
    if (number < 0x80) {
        *out++ = (char)number;
        return out;
    }
    const int more = number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
    *out++ = (char)((0xff00u >> (more + 1) & 0xffu) | number >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        *out++ = (char)(0x80u | (number >> 6 * k & 0x3fu));
    return out;
}

/* What \u and its digits stand for; two of them for one beyond 0xffff. NULL: for nothing. */
static char *read_number(char *out, parser *p)
{
    uint32_t high, low;
    if (!read_unit(&high, p) || high == 0 || (high >= 0xdc00 && high < 0xe000))
        return NULL;
    if (high < 0xd800 || high >= 0xe000)
        return put_character(out, high);
    if (p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u')
        return NULL;
    p->at += 2;
    if (!read_unit(&low, p) || low < 0xdc00 || low >= 0xe000)
        return NULL;
    return put_character(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

/* What stands behind a backslash. */
static char *read_escaped(char *out, parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char c = p->at < p->end ? *p->at++ : 0;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (c == 'u')
        return read_number(out, p);
    if (!letter)
        return NULL;
    *out++ = meant[letter - letters];
    return out;
}

/* The text behind a quote, in p->text, which holds it as long as no other is read; its length. */
static bool read_text(size_t *length, parser *p)
{
    char *out = p->text;
    *length = 0;
    while (p->at < p->end && *p->at != '"') {
        const size_t size = spn_utf8_size(p->at, (size_t)(p->end - p->at));
        if (size == 0 || (unsigned char)*p->at < 0x20)
            return fault(p, "a text that is not UTF-8, or has control characters");
        if (*p->at == '\\') {
            p->at++;
            if (!(out = read_escaped(out, p)))
                return fault(p, "an escape that means nothing");
            continue;
        }
        memcpy(out, p->at, size); /* never more than is read */
        out += size;
        p->at += size;
    }
    if (p->at == p->end)
        return fault(p, "a text without its end");
    p->at++;
    *length = (size_t)(out - p->text);
    return true;
}

/* ---- numbers ---- */

static size_t count_digits(const parser *p, size_t from)
{
    size_t count = 0;
    while (p->at + from + count < p->end && p->at[from + count] >= '0' &&
           p->at[from + count] <= '9')
        count++;
    return count;
}

static char at(const parser *p, size_t place)
{
    return p->at + place < p->end ? p->at[place] : 0;
}

/* The characters of a number, 0 where it is none; *whole: without fraction and exponent. */
static size_t number_size(bool *whole, const parser *p)
{
    size_t size = at(p, 0) == '-', digits = count_digits(p, size);
    *whole = true;
    if (digits == 0 || (digits > 1 && at(p, size) == '0'))
        return 0;
    size += digits;
    if (at(p, size) == '.') {
        *whole = false;
        if ((digits = count_digits(p, size + 1)) == 0)
            return 0;
        size += 1 + digits;
    }
    if (at(p, size) == 'e' || at(p, size) == 'E') {
        *whole = false;
        size += at(p, size + 1) == '+' || at(p, size + 1) == '-' ? 2 : 1;
        if ((digits = count_digits(p, size)) == 0)
            return 0;
        size += digits;
    }
    return size;
}

static json_t *read_whole(parser *p, size_t size)
{
    char text[32];
    if (size >= sizeof text)
        return no_value(p, "too big integer");
    memcpy(text, p->at, size);
    text[size] = 0;
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (errno)
        return no_value(p, "too big integer");
    p->at += size;
    return json_integer(value);
}

static json_t *read_digits(parser *p)
{
    bool whole;
    double value = 0;
    const size_t size = number_size(&whole, p);
    if (size == 0)
        return no_value(p, "a number that is none");
    if (whole)
        return read_whole(p, size);
    if (spn_number_scan(&value, p->at, size) != size || !isfinite(value))
        return no_value(p, "real number overflow");
    p->at += size;
    return json_real(value);
}

/* ---- lists and objects ---- */

static json_t *read_word(parser *p)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t k = 0; k < 3; k++) {
        const size_t size = strlen(words[k]);
        if ((size_t)(p->end - p->at) >= size && memcmp(p->at, words[k], size) == 0) {
            p->at += size;
            return k == 0 ? json_true() : k == 1 ? json_false() : json_null();
        }
    }
    return no_value(p, "expected a value");
}

static json_t *dropped(json_t *value)
{
    json_decref(value);
    return NULL;
}

static json_t *read_list(parser *p)
{
    json_t *list = json_array();
    if (take(p, ']'))
        return list;
    do {
        if (json_array_append_new(list, read_value(p)) != 0)
            return dropped(list);
    } while (take(p, ','));
    if (take(p, ']'))
        return list;
    fault(p, "expected , or ]");
    return dropped(list);
}

static bool read_member(json_t *object, parser *p)
{
    size_t length;
    if (!take(p, '"'))
        return fault(p, "expected a name in quotes");
    if (!read_text(&length, p))
        return false;
    char *name = strndup(p->text, length);
    bool done = name != NULL;
    if (done && json_object_get(object, name))
        done = fault(p, "duplicate name");
    if (done && !take(p, ':'))
        done = fault(p, "expected :");
    done = done && json_object_set_new(object, name, read_value(p)) == 0;
    free(name);
    return done;
}

static json_t *read_object(parser *p)
{
    json_t *object = json_object();
    if (take(p, '}'))
        return object;
    do {
        if (!object || !read_member(object, p))
            return dropped(object);
    } while (take(p, ','));
    if (take(p, '}'))
        return object;
    fault(p, "expected , or }");
    return dropped(object);
}

/* The value that comes next; NULL where there is none, or no memory. */
static json_t *read_value(parser *p)
{
    size_t length;
    if (p->depth == DEEPEST)
        return no_value(p, "too many levels");
    p->depth++;
    json_t *value = NULL;
    if (take(p, '{'))
        value = read_object(p);
    else if (take(p, '['))
        value = read_list(p);
    else if (take(p, '"'))
        value = read_text(&length, p) ? json_stringn_nocheck(p->text, length) : NULL;
    else if (p->at < p->end && (*p->at == '-' || (*p->at >= '0' && *p->at <= '9')))
        value = read_digits(p);
    else
        value = read_word(p);
    p->depth--;
    return value;
}

static size_t line_at(const char *text, const char *place)
{
    size_t line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

spn_status spn_json_load(json_t **out, const char *text, size_t size, spn_json_fault *why)
{
    parser p = {.at = text, .end = text + size, .text = malloc(size + 1)};
    *out = NULL;
    *why = (spn_json_fault){.what = "", .line = 0};
    if (!p.text)
        return SPN_ERROR_MEMORY;
    skip_blanks(&p);
    if (p.at == p.end || (*p.at != '{' && *p.at != '['))
        fault(&p, "expected { or [");
    else
        *out = read_value(&p);
    skip_blanks(&p);
    if (*out && p.at < p.end)
        fault(&p, "text behind its end");
    free(p.text);
    if (p.what) {
        *why = (spn_json_fault){p.what, line_at(text, p.at)};
        *out = dropped(*out);
        return SPN_ERROR_INPUT;
    }
    return *out ? SPN_OK : SPN_ERROR_MEMORY;
}

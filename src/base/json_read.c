/* Reads JSON into an array of values and a buffer of texts. A text is never longer than its source
   with quotes, so a buffer of the input's size is enough. */
#include "base/json.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 256 }; /* levels; files of this program have few */

typedef struct parser {
    const char *at, *end;
    uint32_t line;
    char *texts; /* end of the texts so far */
    spn_json_value *values;
    size_t count, capacity;
    size_t depth;
    const char *what; /* the fault; NULL: none, or no memory */
} parser;

static bool read_value(parser *p, const char *name);

/* Keep the first fault; returns false. */
static bool fault(parser *p, const char *what)
{
    p->what = p->what ? p->what : what;
    return false;
}

/* Newlines are only in blanks: texts with control characters are refused. */
static void skip_blanks(parser *p)
{
    for (; p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n');
         p->at++)
        p->line += *p->at == '\n';
}

/* Returns false without memory. */
static bool add(parser *p, spn_json_value value)
{
    if (!spn_grow(&p->values, &p->capacity, p->count + 1, sizeof value))
        return false;
    value.line = p->line;
    value.span = 1;
    p->values[p->count++] = value;
    return true;
}

/* Skip blanks, and the character if it comes next. */
static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* ---- texts ---- */

/* The number after \u; false unless there are four digits. */
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

/* The character after \u; two units for one beyond 0xffff. NULL: invalid. */
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

/* The text after a quote; NULL if invalid. */
static const char *read_text(parser *p)
{
    char *out = p->texts;
    const char *start = out;
    while (p->at < p->end && *p->at != '"') {
        const size_t size = spn_utf8_size(p->at, (size_t)(p->end - p->at));
        if (size == 0 || (unsigned char)*p->at < 0x20) {
            fault(p, "a text that is not UTF-8, or has control characters");
            return NULL;
        }
        if (*p->at == '\\') {
            p->at++;
            if (!(out = read_escaped(out, p))) {
                fault(p, "an escape that means nothing");
                return NULL;
            }
            continue;
        }
        memcpy(out, p->at, size); /* never more than is read */
        out += size;
        p->at += size;
    }
    if (p->at == p->end) {
        fault(p, "a text without its end");
        return NULL;
    }
    p->at++;
    *out++ = 0;
    p->texts = out;
    return start;
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

/* Characters of a number, 0 if there is none; *whole: no fraction or exponent. */
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

static bool read_whole(parser *p, const char *name, size_t size)
{
    char text[32];
    if (size >= sizeof text)
        return fault(p, "too big integer");
    memcpy(text, p->at, size);
    text[size] = 0;
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (errno)
        return fault(p, "too big integer");
    p->at += size;
    return add(p, (spn_json_value){.kind = SPN_JSON_WHOLE, .name = name, .whole = value});
}

static bool read_digits(parser *p, const char *name)
{
    bool whole;
    double value = 0;
    const size_t size = number_size(&whole, p);
    if (size == 0)
        return fault(p, "a number that is none");
    if (whole)
        return read_whole(p, name, size);
    if (spn_number_scan(&value, p->at, size) != size || !isfinite(value))
        return fault(p, "real number overflow");
    p->at += size;
    return add(p, (spn_json_value){.kind = SPN_JSON_REAL, .name = name, .real = value});
}

/* ---- lists and objects ---- */

static bool read_word(parser *p, const char *name)
{
    static const struct {
        const char *word;
        spn_json_kind kind;
    } words[] = {{"true", SPN_JSON_TRUE}, {"false", SPN_JSON_FALSE}, {"null", SPN_JSON_NULL}};
    for (size_t k = 0; k < 3; k++) {
        const size_t size = strlen(words[k].word);
        if ((size_t)(p->end - p->at) >= size && memcmp(p->at, words[k].word, size) == 0) {
            p->at += size;
            return add(p, (spn_json_value){.kind = words[k].kind, .name = name});
        }
    }
    return fault(p, "expected a value");
}

static bool read_member(parser *p)
{
    if (!take(p, '"'))
        return fault(p, "expected a name in quotes");
    const char *name = read_text(p);
    return name && (take(p, ':') || fault(p, "expected :")) && read_value(p, name);
}

static int by_name(const void *a, const void *b)
{
    const spn_json_value *x = *(spn_json_value *const *)a, *y = *(spn_json_value *const *)b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* Names in an object must be distinct. */
static bool check_names(parser *p, const spn_json_value *object)
{
    if (object->count < 2)
        return true;
    const spn_json_value **members = malloc(object->count * sizeof(spn_json_value *));
    size_t count = 0;
    bool right = members;
    if (!members)
        return false;
    for (const spn_json_value *v = spn_json_first(object); v; v = spn_json_next(object, v))
        members[count++] = v;
    qsort(members, count, sizeof *members, by_name); /* NOLINT(bugprone-sizeof-expression) */
    for (size_t k = 1; k < count && right; k++)
        if (strcmp(members[k - 1]->name, members[k]->name) == 0) {
            p->line = members[k]->line;
            right = fault(p, "duplicate name");
        }
    free(members);
    return right;
}

/* Read up to the closing bracket. */
static bool read_values(parser *p, const char *name, spn_json_kind kind)
{
    const bool list = kind == SPN_JSON_LIST;
    const char close = list ? ']' : '}';
    const size_t own = p->count;
    size_t count = 0;
    if (!add(p, (spn_json_value){.kind = kind, .name = name}))
        return false;
    if (!take(p, close)) {
        do {
            if (!(list ? read_value(p, NULL) : read_member(p)))
                return false;
            count++;
        } while (take(p, ','));
        if (!take(p, close))
            return fault(p, list ? "expected , or ]" : "expected , or }");
    }
    p->values[own].count = count;
    p->values[own].span = p->count - own;
    return list || check_names(p, &p->values[own]);
}

/* Read the next value; false if there is none, or no memory. */
static bool read_value(parser *p, const char *name)
{
    if (p->depth == DEEPEST)
        return fault(p, "too many levels");
    p->depth++;
    bool done;
    if (take(p, '{')) {
        done = read_values(p, name, SPN_JSON_OBJECT);
    } else if (take(p, '[')) {
        done = read_values(p, name, SPN_JSON_LIST);
    } else if (take(p, '"')) {
        const char *text = read_text(p);
        done = text && add(p, (spn_json_value){.kind = SPN_JSON_TEXT, .name = name, .text = text});
    } else if (p->at < p->end && (*p->at == '-' || (*p->at >= '0' && *p->at <= '9'))) {
        done = read_digits(p, name);
    } else {
        done = read_word(p, name);
    }
    p->depth--;
    return done;
}

spn_status spn_json_load(spn_json_tree *out, const char *text, size_t size, spn_json_fault *why)
{
    parser p = {.at = text, .end = text + size, .line = 1, .texts = malloc(size + 1)};
    bool done = false;
    *out = (spn_json_tree){.texts = p.texts};
    *why = (spn_json_fault){.what = "", .line = 0};
    if (!p.texts)
        return SPN_ERROR_MEMORY;
    skip_blanks(&p);
    if (p.at == p.end || (*p.at != '{' && *p.at != '['))
        fault(&p, "expected { or [");
    else
        done = read_value(&p, NULL);
    if (done)
        skip_blanks(&p);
    if (done && p.at < p.end)
        done = fault(&p, "text after its end");
    out->root = p.values;
    if (done)
        return SPN_OK;
    spn_json_unload(out);
    if (!p.what)
        return SPN_ERROR_MEMORY;
    *why = (spn_json_fault){p.what, p.line};
    return SPN_ERROR_INPUT;
}

void spn_json_unload(spn_json_tree *tree)
{
    SPN_FREE_ALL(tree->root, tree->texts);
    *tree = (spn_json_tree){0};
}

/* ---- looking ---- */

bool spn_json_is(const spn_json_value *value, spn_json_kind kind)
{
    return value && value->kind == kind;
}

const spn_json_value *spn_json_first(const spn_json_value *in)
{
    return (spn_json_is(in, SPN_JSON_LIST) || spn_json_is(in, SPN_JSON_OBJECT)) && in->count > 0
               ? in + 1
               : NULL;
}

const spn_json_value *spn_json_next(const spn_json_value *in, const spn_json_value *after)
{
    const spn_json_value *next = after + after->span;
    return next < in + in->span ? next : NULL;
}

const spn_json_value *spn_json_get(const spn_json_value *value, const char *name)
{
    const spn_json_value *member =
        spn_json_is(value, SPN_JSON_OBJECT) ? spn_json_first(value) : NULL;
    while (member && strcmp(member->name, name) != 0)
        member = spn_json_next(value, member);
    return member;
}

const char *spn_json_get_text(const spn_json_value *value)
{
    return spn_json_is(value, SPN_JSON_TEXT) ? value->text : NULL;
}

double spn_json_get_real(const spn_json_value *value)
{
    if (spn_json_is(value, SPN_JSON_WHOLE))
        return (double)value->whole;
    return spn_json_is(value, SPN_JSON_REAL) ? value->real : NAN;
}

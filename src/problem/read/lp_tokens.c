/* The tokens of CPLEX's LP format. A name may hold an index in brackets, as in x[1,2]. */
#include "problem/read/lp_tokens.h"

#include <string.h>
#include <strings.h>

/* A second word follows a blank. */
static const struct {
    const char *text;
    spn_lp_section section;
} keywords[] = {{"minimize", SPN_LP_MINIMIZE},
                {"minimise", SPN_LP_MINIMIZE},
                {"minimum", SPN_LP_MINIMIZE},
                {"min", SPN_LP_MINIMIZE},
                {"maximize", SPN_LP_MAXIMIZE},
                {"maximise", SPN_LP_MAXIMIZE},
                {"maximum", SPN_LP_MAXIMIZE},
                {"max", SPN_LP_MAXIMIZE},
                {"subject to", SPN_LP_ROWS},
                {"such that", SPN_LP_ROWS},
                {"st", SPN_LP_ROWS},
                {"st.", SPN_LP_ROWS},
                {"s.t.", SPN_LP_ROWS},
                {"bounds", SPN_LP_BOUNDS},
                {"bound", SPN_LP_BOUNDS},
                {"binary", SPN_LP_BINARY},
                {"binaries", SPN_LP_BINARY},
                {"bin", SPN_LP_BINARY},
                {"general", SPN_LP_INTEGER},
                {"generals", SPN_LP_INTEGER},
                {"gen", SPN_LP_INTEGER},
                {"integer", SPN_LP_INTEGER},
                {"integers", SPN_LP_INTEGER},
                {"int", SPN_LP_INTEGER},
                {"end", SPN_LP_END},
                {"lazy constraints", SPN_LP_REFUSED},
                {"user cuts", SPN_LP_REFUSED},
                {"semi-continuous", SPN_LP_REFUSED},
                {"semis", SPN_LP_REFUSED},
                {"semi", SPN_LP_REFUSED},
                {"sos", SPN_LP_REFUSED},
                {"sos1", SPN_LP_REFUSED},
                {"sos2", SPN_LP_REFUSED},
                {"pwlobj", SPN_LP_REFUSED},
                {"multi-objectives", SPN_LP_REFUSED},
                {"general constraints", SPN_LP_REFUSED}};

enum { KEYWORDS = sizeof keywords / sizeof *keywords };

/* ---- characters ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of names in CPLEX, and all but ASCII. */
static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (unsigned char)c >= 0x80 || (c && strchr("!\"#$%&()/,.;?@_`'{}|~", c));
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Blanks, line ends and comments. */
static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (is_blank(*at) || *at == '\n' || *at == '\\')) {
        if (*at == '\\') {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            at = line_end ? line_end : end;
        } else
            at++;
    }
    return at;
}

/* The end of an index in brackets that starts here, or its start if there is none. */
static const char *skip_index(const char *at, const char *end)
{
    const char *next = at + 1;
    while (next < end && is_name_character(*next))
        next++;
    return next < end && *next == ']' && next > at + 1 ? next + 1 : at;
}

static const char *skip_name(const char *at, const char *end)
{
    while (at < end && is_name_character(*at))
        at++;
    while (at < end && *at == '[') {
        const char *next = skip_index(at, end);
        if (next == at)
            break;
        at = next;
    }
    return at;
}

/* ---- keywords ---- */

static bool starts_line(const spn_reading *reading, const char *at)
{
    while (at > reading->start && is_blank(at[-1]))
        at--;
    return at == reading->start || at[-1] == '\n';
}

/* The end of a keyword at this place, or NULL. Between its words there may be any blanks. */
static const char *match(const char *keyword, const char *at, const char *end)
{
    for (; *keyword; keyword++) {
        if (*keyword == ' ') {
            if (at == end || !is_blank(*at))
                return NULL;
            at = skip_blanks(at, end);
        } else {
            if (at == end || strncasecmp(at, keyword, 1) != 0)
                return NULL;
            at++;
        }
    }
    return at == end || (!is_name_character(*at) && *at != '-') ? at : NULL;
}

/* The keyword with the most characters, and its end; -1: none. */
static int find_keyword(const char **stop, const char *at, const char *end)
{
    int found = -1;
    for (int k = 0; k < KEYWORDS; k++) {
        const char *next = match(keywords[k].text, at, end);
        if (next && (found < 0 || next > *stop)) {
            found = k;
            *stop = next;
        }
    }
    return found;
}

bool spn_lp_is_reserved(spn_span name)
{
    const char *end = name.text + name.size, *stop = end;
    return (find_keyword(&stop, name.text, end) >= 0 && stop == end) ||
           spn_span_is_word(name, "free") || spn_span_is_word(name, "inf") ||
           spn_span_is_word(name, "infinity");
}

/* After e or E no name: with a number before it, it would be an exponent. */
bool spn_lp_is_name(spn_span name)
{
    const char first = name.size > 0 ? name.text[0] : '0';
    const bool exponent =
        (first == 'e' || first == 'E') &&
        (name.size == 1 || is_digit(name.text[1]) || name.text[1] == 'e' || name.text[1] == 'E');
    return !is_digit(first) && first != '.' && first != '/' && !exponent &&
           skip_name(name.text, name.text + name.size) == name.text + name.size;
}

/* ---- tokens ---- */

static bool take_section(spn_lp_token *out, spn_reading *reading)
{
    const char *stop = reading->at;
    if (!starts_line(reading, reading->at))
        return false;
    const int found = find_keyword(&stop, reading->at, reading->end);
    if (found < 0)
        return false;
    const char *next = skip_blanks(stop, reading->end);
    if (next < reading->end && *next == ':') /* the name of a row */
        return false;
    out->kind = SPN_LP_SECTION;
    out->is.section = keywords[found].section;
    reading->at = stop;
    return true;
}

static bool take_sense(spn_lp_token *out, spn_reading *reading)
{
    const char first = *reading->at;
    if (first != '<' && first != '>' && first != '=')
        return false;
    reading->at++;
    const char second = reading->at < reading->end ? *reading->at : ' ';
    const bool two = second == '=' || (first == '=' && (second == '<' || second == '>'));
    reading->at += two;
    const char told = first == '=' && two ? second : first;
    out->kind = SPN_LP_SENSE;
    out->is.sense = told == '<'   ? SPN_SENSE_AT_MOST
                    : told == '>' ? SPN_SENSE_AT_LEAST
                                  : SPN_SENSE_EQUAL;
    return true;
}

static bool starts_number(const spn_reading *reading)
{
    const char *at = reading->at;
    return is_digit(*at) || (*at == '.' && at + 1 < reading->end && is_digit(at[1]));
}

spn_status spn_lp_next(spn_lp_token *out, spn_reading *reading, spn_error *err)
{
    reading->at = skip_space(reading->at, reading->end);
    const char *start = reading->at;
    *out = (spn_lp_token){.kind = SPN_LP_FILE_END, .text = {start, 0}};
    if (start == reading->end)
        return SPN_OK;
    if (starts_number(reading)) {
        out->kind = SPN_LP_NUMBER;
        SPN_TRY(spn_reading_number(&out->is.number, reading, err));
    } else if (!take_section(out, reading) && !take_sense(out, reading)) {
        reading->at = *start == '/' ? start : skip_name(start, reading->end);
        out->kind = reading->at > start              ? SPN_LP_NAME
                    : *start == '+' || *start == '-' ? SPN_LP_SIGN
                                                     : SPN_LP_MARK;
        reading->at += reading->at == start;
    }
    out->text.size = (size_t)(reading->at - start);
    return SPN_OK;
}

spn_status spn_lp_peek(spn_lp_token *out, spn_reading *reading, spn_error *err)
{
    const char *at = reading->at;
    const spn_status status = spn_lp_next(out, reading, err);
    reading->at = at;
    return status;
}

bool spn_lp_take_mark(spn_reading *reading, char mark)
{
    const char *at = skip_space(reading->at, reading->end);
    if (at == reading->end || *at != mark)
        return false;
    reading->at = at + 1;
    return true;
}

spn_status spn_lp_expected(const spn_reading *reading, spn_lp_token token, const char *expected,
                           spn_error *err)
{
    char shown[SPN_SHOWN];
    if (token.kind == SPN_LP_FILE_END)
        return spn_reading_fail(reading, token.text.text, err,
                                "the file ends; expected %s: cut short?", expected);
    return spn_reading_fail(reading, token.text.text, err, "'%s'; expected %s",
                            spn_show(shown, token.text), expected);
}

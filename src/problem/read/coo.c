/* A polynomial as a list of terms: on each line the names of variables and a coefficient. Variables
   are binary, or spins if a comment `# vartype=SPIN` says so, as in coo graphs. */
#include "problem/read/reading.h"

#include "base/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The words of a line. */
typedef struct words {
    spn_span *list;
    size_t count, capacity;
} words;

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* Blanks are between words, perhaps with one comma or semicolon. */
static spn_status split(words *out, const spn_reading *reading, spn_span line, spn_error *err)
{
    const char *at = line.text, *end = line.text + line.size;
    out->count = 0;
    while (at < end) {
        const char *start = at;
        bool marked = false;
        while (at < end && !is_between(*at))
            at++;
        SPN_NEED(spn_grow(&out->list, &out->capacity, out->count + 1, sizeof *out->list), err, "%s",
                 reading->source->name);
        out->list[out->count++] = (spn_span){start, (size_t)(at - start)};
        for (; at < end && is_between(*at) && (!marked || *at == ' ' || *at == '\t'); at++)
            marked = marked || *at == ',' || *at == ';';
    }
    return SPN_OK;
}

/* ---- comments ---- */

/* `offset 1.5`, `offset = 1.5`, `offset: 1.5`; another sentence that starts so is a comment. */
static spn_status take_offset(spn_reading *reading, spn_span text, spn_error *err)
{
    double value;
    text = spn_trim((spn_span){text.text + strlen("offset"), text.size - strlen("offset")});
    const bool assigned = text.size > 0 && (text.text[0] == '=' || text.text[0] == ':');
    if (assigned)
        text = spn_trim((spn_span){text.text + 1, text.size - 1});
    if (!assigned && spn_number_read(&value, text) == SPN_NUMBER_NONE)
        return SPN_OK;
    SPN_TRY(spn_reading_number_of(&value, reading, text, "the offset, a number", err));
    reading->constant += value;
    return SPN_OK;
}

static spn_status take_comment(spn_reading *reading, spn_variable_kind *kind, spn_span text,
                               spn_error *err)
{
    while (text.size > 0 && text.text[0] == '#')
        text = (spn_span){text.text + 1, text.size - 1};
    text = spn_trim(text);
    if (spn_span_starts(text, "vartype=spin"))
        *kind = SPN_VARIABLE_SPIN;
    else if (spn_span_starts(text, "vartype=binary"))
        *kind = SPN_VARIABLE_BINARY;
    const size_t size = strlen("offset");
    if (spn_span_starts(text, "offset") && text.size > size && strchr(" \t=:", text.text[size]))
        return take_offset(reading, text, err);
    return SPN_OK;
}

/* ---- terms ---- */

typedef struct polynomial {
    words words;
    uint32_t *variables; /* of a term */
    size_t capacity;
    size_t sites; /* by index: the largest one and 1; 0: by name, or not known yet */
    bool decided; /* whether the first line with variables came */
    bool named;
} polynomial;

static bool is_number(spn_span word)
{
    double value;
    return spn_number_read(&value, word) != SPN_NUMBER_NONE;
}

static spn_status take_variable(uint32_t *out, polynomial *p, spn_reading *reading, spn_span word,
                                spn_error *err)
{
    uint64_t index;
    if (p->named)
        return spn_reading_variable(out, reading, word, err);
    SPN_TRY(spn_reading_whole_of(&index, reading, word, 0, spn_reading_most(reading) - 1,
                                 "the index of a variable", err));
    *out = (uint32_t)index;
    if (index >= p->sites)
        p->sites = (size_t)index + 1;
    return SPN_OK;
}

/* All words but the last are variables: names, or numbers if those of the first line are. */
static spn_status take_term(polynomial *p, spn_reading *reading, spn_error *err)
{
    assert(p->words.count > 0 && p->words.list); /* lines are not blank */
    const size_t degree = p->words.count - 1;
    double value;
    SPN_TRY(spn_reading_number_of(&value, reading, p->words.list[degree],
                                  "a coefficient as the last of the line", err));
    if (degree == 0) {
        reading->constant += value;
        return SPN_OK;
    }
    SPN_NEED(spn_grow(&p->variables, &p->capacity, degree, sizeof *p->variables), err, "%s",
             reading->source->name);
    for (size_t k = 0; !p->decided && k < degree; k++)
        p->named = p->named || !is_number(p->words.list[k]);
    p->decided = true;
    for (size_t k = 0; k < degree; k++)
        SPN_TRY(take_variable(&p->variables[k], p, reading, p->words.list[k], err));
    return spn_sum_add(&reading->objective, value, p->variables, degree, err);
}

static spn_status read_lines(polynomial *p, spn_variable_kind *kind, spn_reading *reading,
                             spn_error *err)
{
    spn_span line;
    bool any = false;
    while (spn_reading_line(&line, reading)) {
        if (line.text[0] == '#') {
            SPN_TRY(take_comment(reading, kind, line, err));
            continue;
        }
        any = true;
        SPN_TRY(split(&p->words, reading, line, err));
        SPN_TRY(take_term(p, reading, err));
    }
    return any ? SPN_OK
               : spn_reading_fail(reading, reading->end, err,
                                  "no terms; expected lines `names coefficient`");
}

/* Variables known by their indices are called 0, 1, ... */
static spn_status name_indices(spn_reading *reading, size_t sites, spn_error *err)
{
    for (size_t k = 0; k < sites; k++) {
        char name[SPN_NUMBER_TEXT];
        uint32_t i;
        spn_whole_text(name, k);
        SPN_TRY(spn_reading_variable(&i, reading, (spn_span){name, strlen(name)}, err));
    }
    return SPN_OK;
}

spn_status spn_read_polynomial(spn_reading *reading, spn_error *err)
{
    polynomial p = {.named = false};
    spn_variable_kind kind = SPN_VARIABLE_BINARY;
    spn_status status = read_lines(&p, &kind, reading, err);
    if (!status)
        status = name_indices(reading, p.sites, err);
    SPN_FREE_ALL(p.words.list, p.variables);
    for (size_t i = 0; i < reading->names.count; i++) {
        reading->variables[i].kind = kind;
        reading->variables[i].is_known = true;
    }
    return status;
}

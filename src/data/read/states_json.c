/* Reader of states in JSON: an object whose `states` is a list of objects with a list `state` each,
   as `spinney anneal` writes with --json and into .json, or a list of lists of numbers. Only what
   leads to the states is looked at; all else is skipped. */
#include "data/problem.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

/* Where the text is being read. */
typedef struct scan {
    const spn_source *source;
    const char *at, *end;
    spn_walk *walk;
    spn_problem *problem; /* of the walk */
    size_t capacity;
    unsigned seen;
} scan;

static spn_status fault(const scan *s, const char *what, spn_error *err)
{
    return spn_source_fail(s->source, err, "byte %zu: %s",
                           (size_t)(s->at - (const char *)s->source->data), what);
}

/* ---- tokens ---- */

static char peek(scan *s)
{
    while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
        s->at++;
    return s->at < s->end ? *s->at : '\0';
}

static bool accept(scan *s, char c)
{
    if (peek(s) != c)
        return false;
    s->at++;
    return true;
}

/* A text in quotes, as it is; false if it has no end. */
static bool accept_text(scan *s, spn_span *out)
{
    if (!accept(s, '"'))
        return false;
    const char *start = s->at;
    while (s->at < s->end && *s->at != '"')
        s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
    *out = (spn_span){start, (size_t)(s->at - start)};
    return accept(s, '"');
}

/* A number, true, false or null. */
static bool skip_word(scan *s)
{
    const char *start = s->at;
    while (s->at < s->end && *s->at && !strchr(" \t\r\n,:[]{}\"", *s->at))
        s->at++;
    return s->at > start;
}

/* Pass over a value, whatever it is: brackets are counted, not matched. */
static bool skip_value(scan *s)
{
    size_t depth = 0;
    do {
        spn_span text;
        const char c = peek(s);
        if (c == '[' || c == '{') {
            depth++;
            s->at++;
        } else if (depth > 0 && (c == ']' || c == '}')) {
            depth--;
            s->at++;
        } else if (depth > 0 && (c == ',' || c == ':')) {
            s->at++;
        } else if (c == '"' ? !accept_text(s, &text) : !skip_word(s)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

/* ---- states ---- */

static spn_status read_state(scan *s, spn_error *err)
{
    spn_problem *p = s->problem;
    size_t sites = 0;
    while (!accept(s, ']')) {
        double value = NAN;
        if (sites > 0 && !accept(s, ','))
            return fault(s, "expected , or ] in the list of a state", err);
        peek(s);
        s->at += spn_number_scan(&value, s->at, (size_t)(s->end - s->at));
        if (!spn_grow(&p->rows, &s->capacity, p->count * p->sites + sites + 1, 1))
            return spn_no_memory(err, "%s", s->source->name);
        if (!spn_state_value(&p->rows[p->count * p->sites + sites], value, &s->seen))
            return fault(s, "expected +1 or -1, or 0 or 1, in the list of a state", err);
        sites++;
    }
    if (sites == 0 || (p->count > 0 && sites != p->sites))
        return fault(s,
                     sites ? "this state has another number of spins than those before"
                           : "a state without spins",
                     err);
    p->sites = sites;
    p->count++;
    return SPN_OK;
}

/* The list of names. */
static spn_status read_names(scan *s, spn_error *err)
{
    spn_json_fault why;
    spn_json_tree tree;
    const char *start = s->at;
    spn_status status = SPN_OK;
    if (s->walk->names.count > 0 || !skip_value(s) ||
        spn_json_load(&tree, start, (size_t)(s->at - start), &why) != SPN_OK)
        return fault(s, "expected one list of names in `variables`", err);
    for (const spn_json_value *name = spn_json_first(tree.root); name && !status;
         name = spn_json_next(tree.root, name)) {
        const char *text = spn_json_get_text(name);
        status = text ? spn_states_add_name(s->walk, (spn_span){text, strlen(text)}, err)
                      : fault(s, "a variable whose name is no text", err);
    }
    spn_json_unload(&tree);
    return status;
}

/* The members of an object, in which the value of `wanted` is read by `read`. */
static spn_status read_object(scan *s, const char *wanted,
                              spn_status (*read)(scan *s, spn_error *err), spn_error *err)
{
    bool found = false;
    for (bool first = true; !accept(s, '}'); first = false) {
        spn_span name;
        spn_status status = SPN_OK;
        if ((!first && !accept(s, ',')) || !accept_text(s, &name) || !accept(s, ':'))
            return fault(s, "not JSON: expected a name in quotes and :", err);
        if (spn_span_is(name, "variables") && peek(s) == '[')
            status = read_names(s, err);
        else if (!spn_span_is(name, wanted))
            status = skip_value(s) ? SPN_OK : fault(s, "not JSON: expected a value", err);
        else if ((found = accept(s, '[')))
            status = read(s, err);
        else
            status = fault(s, "expected a list of states or of spins", err);
        if (status)
            return status;
    }
    if (found)
        return SPN_OK;
    return spn_source_fail(s->source, err, "byte %zu: an object without a list `%s`",
                           (size_t)(s->at - (const char *)s->source->data), wanted);
}

/* Behind the [ of the list of states. */
static spn_status read_list(scan *s, spn_error *err)
{
    spn_status status = SPN_OK;
    for (bool first = true; !status && !accept(s, ']'); first = false) {
        if (!first && !accept(s, ','))
            return fault(s, "expected , or ] in the list of states", err);
        if (accept(s, '['))
            status = read_state(s, err);
        else if (accept(s, '{'))
            status = read_object(s, "state", read_state, err);
        else
            status = fault(s, "expected a state: a list of numbers, or an object", err);
    }
    return status;
}

spn_status spn_read_states_json(spn_walk *walk, spn_error *err)
{
    const spn_source *source = walk->source;
    const char *text = (const char *)source->data;
    spn_problem *problem = walk->problem;
    scan s = {
        .source = source, .at = text, .end = text + source->size, .walk = walk, .problem = problem};
    spn_status status = accept(&s, '[') ? read_list(&s, err)
                        : accept(&s, '{')
                            ? read_object(&s, "states", read_list, err)
                            : fault(&s, "not JSON: expected an object or a list", err);
    if (!status && peek(&s))
        status = fault(&s, "not JSON: text behind its end", err);
    if (!status && problem->count == 0)
        status = spn_source_fail(source, err, "no states");
    return status ? status : spn_states_check(s.seen, source, err);
}

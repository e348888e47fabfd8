/* Clauses in the formats of SAT and MaxSAT solvers:
     p cnf VARIABLES CLAUSES          every clause must hold
     p wcnf VARIABLES CLAUSES [TOP]   a weight before each clause, which must hold from TOP on
     neither                          h before a clause that must hold, otherwise its weight
   A clause becomes a sum of literals that is at least 1. Variable K is called xK and clause K cK,
   unless a comment `c variable K is NAME` or `c clause K is NAME` says otherwise, as in the files
   that spinney writes. https://maxsat-evaluations.github.io/2022/rules.html */
#include "problem/read/reading.h"

#include "base/number.h"

#include <stdlib.h>

/* Most of a weight: it is exact. */
#define MOST_WEIGHT (UINT64_C(1) << 53)

/* Names that comments give, from number 1 on; those without text are not given. */
typedef struct given_names {
    spn_span *list;
    size_t count, capacity;
} given_names;

typedef struct clauses {
    spn_reading *reading;
    spn_span line; /* the rest of the current one */
    bool headed;   /* there is a line p; it says the next three */
    uint64_t variables, count, top;
    bool weighted;    /* each clause has a weight */
    size_t done;      /* clauses that were read */
    size_t largest;   /* variable */
    size_t *last;     /* by variable: its last clause, from 1 on, twice; and 1 if it is negated */
    size_t last_size; /* variables that have one */
    size_t last_capacity;
    given_names variable_names, clause_names;
} clauses;

/* ---- comments ---- */

static bool is_comment(spn_span line)
{
    return line.text[0] == 'c' && (line.size == 1 || line.text[1] == ' ' || line.text[1] == '\t');
}

static spn_status give_name(given_names *names, size_t k, spn_span name, spn_error *err)
{
    SPN_NEED(spn_grow(&names->list, &names->capacity, k, sizeof *names->list), err, "names");
    while (names->count < k)
        names->list[names->count++] = (spn_span){NULL, 0};
    names->list[k - 1] = name;
    return SPN_OK;
}

/* `c variable 3 is NAME`, `c clause 3 is NAME`; others have no meaning. */
static spn_status take_comment(clauses *c, spn_span line, spn_error *err)
{
    spn_span word, what, number, is;
    double k;
    spn_reading_word(&word, &line);
    spn_reading_word(&what, &line);
    const bool variable = spn_span_is(what, "variable");
    if ((!variable && !spn_span_is(what, "clause")) || !spn_reading_word(&number, &line) ||
        !spn_reading_word(&is, &line) || !spn_span_is(is, "is") ||
        spn_number_read(&k, number) != SPN_NUMBER_FINITE || k != floor(k) || k < 1 ||
        k > (double)spn_reading_most(c->reading))
        return SPN_OK;
    return give_name(variable ? &c->variable_names : &c->clause_names, (size_t)k, spn_trim(line),
                     err);
}

/* ---- words ---- */

/* The next word, over the ends of lines; empty at the end of the file. */
static spn_status take_word(spn_span *out, clauses *c, spn_error *err)
{
    while (!spn_reading_word(out, &c->line)) {
        if (!spn_reading_line(&c->line, c->reading)) {
            *out = c->line;
            return SPN_OK;
        }
        if (is_comment(c->line)) {
            SPN_TRY(take_comment(c, c->line, err));
            c->line.size = 0;
        } else if (spn_span_is(c->line, "%")) { /* SATLIB's files end so, and then have a 0 */
            c->reading->at = c->reading->end;
            c->line.size = 0;
        }
    }
    return SPN_OK;
}

static spn_status take_header(clauses *c, spn_error *err)
{
    const uint64_t most = spn_reading_most(c->reading);
    spn_span word;
    SPN_TRY(take_word(&word, c, err));
    c->weighted = spn_span_is(word, "wcnf");
    if (!c->weighted && !spn_span_is(word, "cnf"))
        return spn_reading_fail(c->reading, word.text, err,
                                "expected `p cnf variables clauses` or `p wcnf variables clauses "
                                "top`");
    spn_reading_word(&word, &c->line);
    SPN_TRY(spn_reading_whole_of(&c->variables, c->reading, word, 0, most,
                                 "the number of variables", err));
    spn_reading_word(&word, &c->line);
    SPN_TRY(
        spn_reading_whole_of(&c->count, c->reading, word, 0, most, "the number of clauses", err));
    if (c->weighted && spn_reading_word(&word, &c->line))
        SPN_TRY(spn_reading_whole_of(&c->top, c->reading, word, 1, INT64_MAX,
                                     "the weight of clauses that must hold", err));
    if (spn_reading_word(&word, &c->line))
        return spn_reading_fail(c->reading, word.text, err, "more words than `p ...` has");
    c->headed = true;
    return SPN_OK;
}

/* ---- clauses ---- */

/* Mark a variable of the current clause. met: what it was in it before: 0 nothing, 1 the same
   literal, 2 its opposite. */
static spn_status mark(int *met, clauses *c, size_t variable, bool negated, spn_error *err)
{
    const size_t now = 2 * (c->done + 1);
    SPN_NEED(spn_grow(&c->last, &c->last_capacity, variable, sizeof *c->last), err, "%s",
             c->reading->source->name);
    while (c->last_size < variable)
        c->last[c->last_size++] = 0;
    size_t *last = &c->last[variable - 1];
    *met = *last < now ? 0 : *last == now + negated ? 1 : 2;
    if (*met == 0)
        *last = now + negated;
    return SPN_OK;
}

/* Add a literal that is not 0. right: that of the clause. */
static spn_status take_literal(clauses *c, spn_span word, double *right, bool *always,
                               spn_error *err)
{
    const uint64_t most = c->headed ? c->variables : spn_reading_most(c->reading);
    const bool negated = word.size > 0 && word.text[0] == '-';
    uint64_t variable;
    int met = 0;
    spn_span digits = {word.text + negated, word.size - negated};
    SPN_TRY(spn_reading_whole_of(&variable, c->reading, digits, 1, most,
                                 "a literal, a variable with or without -, or 0 as the end of the "
                                 "clause",
                                 err));
    SPN_TRY(mark(&met, c, (size_t)variable, negated, err));
    *always = *always || met == 2;
    if (met > 0)
        return SPN_OK;
    *right -= negated;
    c->largest = variable > c->largest ? (size_t)variable : c->largest;
    return spn_sum_add(&c->reading->row_terms, negated ? -1 : 1,
                       &(uint32_t){(uint32_t)variable - 1}, 1, err);
}

static spn_status take_weight(double *out, clauses *c, spn_span *word, spn_error *err)
{
    uint64_t weight;
    *out = INFINITY;
    if (!c->weighted)
        return SPN_OK;
    if (c->headed || !spn_span_is(*word, "h")) {
        const uint64_t most = c->top > MOST_WEIGHT ? c->top : MOST_WEIGHT;
        SPN_TRY(spn_reading_whole_of(
            &weight, c->reading, *word, 1, most,
            c->headed ? "the weight of a clause" : "h or the weight of a clause", err));
        if (c->top == 0 || weight < c->top)
            *out = (double)weight;
        if (isfinite(*out) && weight > MOST_WEIGHT)
            return spn_reading_fail(c->reading, word->text, err,
                                    "a weight above 2^53 is not exact; divide all by a number");
    }
    return take_word(word, c, err);
}

static spn_status take_clause(clauses *c, spn_span word, spn_error *err)
{
    spn_read_row row = {word.text, SPN_SENSE_AT_LEAST, 1, INFINITY};
    char own[32];
    bool always = false;
    SPN_TRY(take_weight(&row.weight, c, &word, err));
    while (!spn_span_is(word, "0")) {
        if (word.size == 0)
            return spn_reading_fail(c->reading, word.text, err,
                                    "the file ends within a clause; expected 0: cut short?");
        SPN_TRY(take_literal(c, word, &row.right, &always, err));
        SPN_TRY(take_word(&word, c, err));
    }
    const size_t k = c->done++;
    if (always) { /* x or not x */
        spn_reading_drop_row(c->reading);
        return SPN_OK;
    }
    spn_span name = {own, (size_t)spn_print_text(own, sizeof own, "c%zu", k + 1)};
    if (k < c->clause_names.count && c->clause_names.list[k].text)
        name = c->clause_names.list[k];
    return spn_reading_row(c->reading, name, row, err);
}

static spn_status name_variables(clauses *c, spn_error *err)
{
    const size_t named = c->variable_names.count, count = c->headed ? (size_t)c->variables
                                                          : named > c->largest ? named
                                                                               : c->largest;
    for (size_t k = 0; k < count; k++) {
        char own[32];
        uint32_t i;
        spn_span name = {own, (size_t)spn_print_text(own, sizeof own, "x%zu", k + 1)};
        if (k < c->variable_names.count && c->variable_names.list[k].text)
            name = c->variable_names.list[k];
        SPN_TRY(spn_reading_variable(&i, c->reading, name, err));
        if (i != k)
            return spn_reading_fail(
                c->reading, name.text == own ? c->reading->variables[i].place : name.text, err,
                "two variables have the name %.*s", (int)name.size, name.text);
        c->reading->variables[i].kind = SPN_VARIABLE_BINARY;
        c->reading->variables[i].is_known = true;
        c->reading->variables[i].place = name.text == own ? c->reading->start : name.text;
    }
    return SPN_OK;
}

static spn_status read_clauses(clauses *c, spn_error *err)
{
    spn_span word;
    SPN_TRY(take_word(&word, c, err));
    if (spn_span_is(word, "p")) {
        SPN_TRY(take_header(c, err));
        SPN_TRY(take_word(&word, c, err));
    } else
        c->weighted = true;
    while (word.size > 0) {
        if (c->headed && c->done == c->count)
            return spn_reading_fail(c->reading, word.text, err,
                                    "more clauses than the %llu that the line p announces",
                                    (unsigned long long)c->count);
        SPN_TRY(take_clause(c, word, err));
        SPN_TRY(take_word(&word, c, err));
    }
    if (c->headed ? c->done < c->count : c->done == 0)
        return spn_reading_fail(c->reading, c->reading->end, err,
                                "%zu clauses, but %llu were announced: cut short?", c->done,
                                (unsigned long long)c->count);
    return name_variables(c, err);
}

static spn_status read_as(spn_reading *reading, bool weighted, spn_error *err)
{
    clauses c = {.reading = reading, .line = {reading->at, 0}};
    spn_status status = read_clauses(&c, err);
    if (!status && c.weighted != weighted)
        status = spn_reading_fail(reading, reading->start, err,
                                  weighted ? "the clauses have no weights; read it as cnf"
                                           : "the clauses have weights; read it as wcnf");
    SPN_FREE_ALL(c.last, c.variable_names.list, c.clause_names.list);
    return status;
}

spn_status spn_read_cnf(spn_reading *reading, spn_error *err)
{
    return read_as(reading, false, err);
}

spn_status spn_read_wcnf(spn_reading *reading, spn_error *err)
{
    return read_as(reading, true, err);
}

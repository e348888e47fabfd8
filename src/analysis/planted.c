/* Planted landscapes: the codewords of a linear code and a ball around one of them. The energy is
   the distance to the nearest, by a breadth-first search from all minima at once. */
#include "analysis/common.h"

#include <spinney/density.h>
#include <stdlib.h>
#include <string.h>

static spn_status parse_row(uint32_t *out, const char *text, size_t row, size_t sites,
                            spn_error *err)
{
    SPN_REFUSE_IF(strlen(text) != sites, err, "generator %zu has %zu bits, expected %zu", row + 1,
                  strlen(text), sites);
    *out = 0;
    for (size_t i = 0; i < sites; i++) {
        SPN_REFUSE_IF(text[i] != '0' && text[i] != '1', err,
                      "generator %zu: character %zu is not 0 or 1", row + 1, i + 1);
        if (text[i] == '1')
            *out |= 1u << i;
    }
    return SPN_OK;
}

/* Fails at the first row that is a sum of earlier ones (elimination by highest bit). */
static spn_status parse_rows(uint32_t *out, const char *const *generators, size_t count,
                             size_t sites, spn_error *err)
{
    uint32_t pivot[SPN_EXACT_SITES] = {0};
    for (size_t row = 0; row < count; row++) {
        SPN_TRY(parse_row(&out[row], generators[row], row, sites, err));
        uint32_t rest = out[row];
        while (rest && pivot[31 - __builtin_clz(rest)])
            rest ^= pivot[31 - __builtin_clz(rest)];
        SPN_REFUSE_IF(!rest, err, "generator %zu depends on the ones before it: %s", row + 1,
                      out[row] ? "it is the sum of some of them" : "it is zero");
        pivot[31 - __builtin_clz(rest)] = rest;
    }
    return SPN_OK;
}

/* A new array of the states marked with a bit of `kind`, ascending. */
static uint32_t *collect(size_t *out_count, const uint8_t *marks, size_t states, unsigned kind)
{
    size_t count = 0;
    for (size_t k = 0; k < states; k++)
        count += (marks[k] & kind) != 0;
    uint32_t *list = spn_alloc(count, sizeof *list);
    *out_count = count;
    for (size_t k = 0, n = 0; list && k < states; k++)
        if (marks[k] & kind)
            list[n++] = (uint32_t)k;
    return list;
}

enum { CODEWORD = 1, BALL = 2 };

static void mark(uint8_t *marks, const uint32_t *rows, const spn_planted *p)
{
    uint32_t word = 0;
    marks[0] |= CODEWORD;
    for (size_t step = 1; step < (size_t)1 << p->dimension; step++) {
        word ^= rows[__builtin_ctzll(step)]; /* all sums, along a Gray code */
        marks[word] |= CODEWORD;
    }
    for (size_t k = 0; k < p->states; k++)
        if ((size_t)__builtin_popcountll(k) <= p->radius)
            marks[k] |= BALL;
}

/* A queue that starts with all minima reaches every state along a shortest path. */
static bool search(double *energy, const spn_planted *p)
{
    uint32_t *queue = spn_alloc(p->states, sizeof *queue);
    if (!queue)
        return false;
    for (size_t k = 0; k < p->states; k++)
        energy[k] = -1;
    size_t tail = p->minima_count;
    memcpy(queue, p->minima, tail * sizeof *queue);
    for (size_t j = 0; j < tail; j++)
        energy[queue[j]] = 0;
    for (size_t head = 0; head < tail; head++)
        for (size_t i = 0; i < p->sites; i++) {
            const uint32_t next = queue[head] ^ 1u << i;
            if (energy[next] < 0) {
                energy[next] = energy[queue[head]] + 1;
                queue[tail++] = next;
            }
        }
    free(queue);
    return true;
}

static bool build(spn_planted *p, const uint32_t *rows)
{
    uint8_t *marks = spn_alloc(p->states, 1);
    p->energy = spn_alloc(p->states, sizeof *p->energy);
    if (!marks || !p->energy) {
        free(marks);
        return false;
    }
    mark(marks, rows, p);
    p->codewords = collect(&p->codeword_count, marks, p->states, CODEWORD);
    p->ball = collect(&p->ball_count, marks, p->states, BALL);
    p->minima = collect(&p->minima_count, marks, p->states, CODEWORD | BALL);
    free(marks);
    return p->codewords && p->ball && p->minima && search(p->energy, p);
}

spn_status spn_planted_create(spn_planted **out, const char *const *generators, size_t count,
                              size_t radius, spn_error *err)
{
    const size_t sites = count ? strlen(generators[0]) : 0;
    SPN_REFUSE_IF(sites < 1 || sites > SPN_EXACT_SITES, err,
                  "a planted landscape needs generators of 1 to %d bits, not %zu", SPN_EXACT_SITES,
                  sites);
    SPN_REFUSE_IF(radius > sites, err, "the ball's radius must be 0 to %zu, not %zu", sites,
                  radius);
    uint32_t rows[SPN_EXACT_SITES + 1]; /* one more than can be independent: that one fails */
    const size_t used = count < SPN_EXACT_SITES + 1 ? count : SPN_EXACT_SITES + 1;
    SPN_TRY(parse_rows(rows, generators, used, sites, err));
    spn_planted *p = spn_alloc(1, sizeof *p);
    if (p) {
        p->sites = sites;
        p->states = (size_t)1 << sites;
        p->dimension = count;
        p->radius = radius;
    }
    if (!p || !build(p, rows)) {
        spn_planted_free(p);
        return spn_exact_no_memory(err, "a planted landscape", (size_t)13 << sites);
    }
    *out = p;
    return SPN_OK;
}

void spn_planted_free(spn_planted *planted)
{
    if (!planted)
        return;
    SPN_FREE_ALL(planted->codewords, planted->ball, planted->minima, planted->energy, planted);
}

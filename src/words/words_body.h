/* Words by vectors, written once. The file that includes this has defined `vector`, 64-bit words
   side by side; LANES, how many; PAIRS_AT_ONCE, how many blocks of Philox fit its registers; and
   vector_multiply (of the low halves), vector_xor3, vector_majority, vector_or_and (a | b & c),
   vector_any and vector_count (the bits of each word, added to memory). */
#ifndef SPN_WORDS_WORDS_BODY_H
#define SPN_WORDS_WORDS_BODY_H

#include "core/philox_vector.h"
#include "words/words.h"
#include <assert.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE vector load(const uint64_t *at)
{
    return *(const vector *)(const void *)at;
}

INLINE void store(uint64_t *at, vector x)
{
    *(vector *)(void *)at = x;
}

/* a becomes the low digit of a + b + c; returns the high one. */
INLINE vector add3(vector *a, vector b, vector c)
{
    const vector carry = vector_majority(*a, b, c);
    *a = vector_xor3(*a, b, c);
    return carry;
}

/* ---- random words ---- */

enum { FIRST_PAIRS = 6, MORE_PAIRS = 2 };

/* The random words of PAIRS_AT_ONCE or fewer blocks. Most of the first two rounds is the same for
   all words. Each block makes two words of 64 bits: in each the first output is the high half. */
INLINE void draw_blocks(const spn_stream *s, uint64_t block, vector run_product, int count,
                        vector *out)
{
    const vector m0 = vector_all(SPN_PHILOX_M0), m1 = vector_all(SPN_PHILOX_M1);
    uint32_t key0 = s->key[0] + 2 * SPN_PHILOX_W0, key1 = s->key[1] + 2 * SPN_PHILOX_W1;
    const uint32_t second0 = s->key[0] + SPN_PHILOX_W0, second1 = s->key[1] + SPN_PHILOX_W1;
    const vector p =
        vector_multiply(m0, run_product >> 32 ^ vector_all((uint32_t)(block >> 32) ^ s->key[0]));
    philox_lanes lanes[PAIRS_AT_ONCE];
    for (int j = 0; j < count; j++) {
        const uint64_t p0 = (uint64_t)SPN_PHILOX_M0 * (uint32_t)(block + (unsigned)j);
        const uint64_t p1 = (uint64_t)SPN_PHILOX_M1 * ((uint32_t)(p0 >> 32) ^ s->lane ^ s->key[1]);
        const vector c0 = run_product ^ vector_all((uint32_t)(p1 >> 32) ^ second0);
        const vector c2 = p >> 32 ^ vector_all((uint32_t)p0 ^ second1);
        const vector q0 = vector_multiply(m0, c0), q1 = vector_multiply(m1, c2);
        lanes[j] = (philox_lanes){.c0 = q1 >> 32 ^ vector_all((uint32_t)p1 ^ key0),
                                  .c1 = q1,
                                  .c2 = vector_xor3(q0 >> 32, p, vector_all(key1)),
                                  .c3 = q0};
    }
    for (int round = 3; round < SPN_PHILOX_ROUNDS; round++) {
        key0 += SPN_PHILOX_W0;
        key1 += SPN_PHILOX_W1;
        if (round < SPN_PHILOX_ROUNDS - 1)
            philox_round(lanes, count, key0, key1);
    }
    const vector last0 = vector_all((uint64_t)key0 << 32), last1 = vector_all((uint64_t)key1 << 32);
    for (int j = 0; j < count; j++) {
        const philox_lanes *c = &lanes[j];
        out[2 * j] = vector_xor3(vector_multiply(m1, c->c2), c->c1 << 32, last0);
        out[2 * j + 1] = vector_xor3(vector_multiply(m0, c->c0), c->c3 << 32, last1);
    }
}

/* ---- decisions ---- */

/* The lanes whose random number is below the threshold of their cell, by digits `first` ..
   first+count-1; the undecided are those for which all of them are equal. */
INLINE vector compare(const vector *cell, size_t cells, const uint64_t *digits, int first,
                      int count, const vector *random, vector *undecided)
{
    vector digit[2 * FIRST_PAIRS], below = vector_all(0), equal = *undecided;
    for (int d = 0; d < count; d++)
        digit[d] = vector_all(0);
    for (size_t k = 0; k < cells; k++)
        for (int d = 0; d < count; d++)
            digit[d] = vector_or_and(
                digit[d], cell[k], vector_all(digits[k * SPN_WORD_DIGITS + (unsigned)(first + d)]));
    for (int d = count - 1; d >= 0; d--) {
        below = vector_majority(digit[d], ~random[d], below);
        equal &= ~(digit[d] ^ random[d]);
    }
    below &= *undecided;
    *undecided = equal;
    return below;
}

/* The highest digits decide nearly always. */
INLINE vector draw_below(const spn_stream *stream, uint64_t block, vector run_product,
                         const vector *cell, size_t cells, const uint64_t *digits, vector undecided)
{
    vector random[2 * FIRST_PAIRS];
    for (int j = 0; j < FIRST_PAIRS; j += PAIRS_AT_ONCE)
        draw_blocks(stream, block + (unsigned)j, run_product, PAIRS_AT_ONCE, random + 2 * j);
    vector below = compare(cell, cells, digits, 0, 2 * FIRST_PAIRS, random, &undecided);
    for (int j = FIRST_PAIRS; j < SPN_WORD_BLOCKS && vector_any(undecided); j += MORE_PAIRS) {
        draw_blocks(stream, block + (unsigned)j, run_product, MORE_PAIRS, random);
        below |= compare(cell, cells, digits, 2 * j, 2 * MORE_PAIRS, random, &undecided);
    }
    return below;
}

/* From digits to one vector for each value first .. last, to out[0] and on; returns the lanes below
   `first`. The prefixes of the values in question are split digit by digit. */
INLINE vector split(const vector *digit, int planes, unsigned first, unsigned last, vector *out)
{
    vector below = vector_all(0);
    unsigned low = 0;
    assert(first <= last && last >> planes == 0);
    out[0] = ~below;
    for (int p = planes - 1; p >= 0; p--) {
        const unsigned next = first >> p;
        if (next & 1)
            below = vector_or_and(below, out[0], ~digit[p]);
        for (unsigned q = last >> p;; q--) {
            out[q - next] = out[(q >> 1) - low] & (q & 1 ? digit[p] : ~digit[p]);
            if (q == next)
                break;
        }
        low = next;
    }
    return below;
}

/* The same of all values of a few digits, at out + value. */
INLINE vector split_few(const vector *digit, int planes, unsigned first, vector *out)
{
    vector below = vector_all(0);
    out[0] = ~below;
    for (int p = planes - 1; p >= 0; p--)
        for (int q = (1 << (planes - 1 - p)) - 1; q >= 0; q--) {
            const vector prefix = out[q];
            out[2 * q + 1] = prefix & digit[p];
            out[2 * q] = prefix & ~digit[p];
        }
    for (unsigned q = 0; q < first; q++)
        below |= out[q];
    return below;
}

/* The lanes of each class. */
INLINE void split_classes(const vector *digit, int planes, const spn_word_table *table, size_t most,
                          vector *out)
{
    out[0] = ~vector_all(0);
    if (table->classes > 1)
        out[0] = split(digit, planes, table->class_first, (unsigned)most, out + 1);
}

INLINE int planes_for(size_t most)
{
    return most ? 64 - __builtin_clzll(most) : 0;
}

INLINE void count_one(vector *digit, int planes, vector one)
{
    for (int k = 0; k < planes; k++) {
        const vector carry = digit[k] & one;
        digit[k] ^= one;
        one = carry;
    }
}

enum { CLASS_PLANES = 8 };

/* The class of every lane of a replica at a site. */
INLINE void find_classes(const spn_words *words, const uint64_t *row, size_t centre, size_t a,
                         const spn_word_table *table, vector *out)
{
    vector digit[CLASS_PLANES];
    const vector self = load(row + a * words->words);
    if (words->coupling == SPN_WORD_CENTRE) {
        digit[0] = ~(self ^ load(words->centre + centre));
        split_classes(digit, 1, table, 1, out);
        return;
    }
    const int planes = planes_for(words->replicas - 1);
    for (int k = 0; k < planes; k++)
        digit[k] = vector_all(0);
    for (size_t b = 0; b < words->replicas; b++)
        if (b != a)
            count_one(digit, planes, ~(self ^ load(row + b * words->words)));
    split_classes(digit, planes, table, words->replicas - 1, out);
}

/* ---- fields ---- */

INLINE vector resists(const spn_word_term *term, const uint64_t *spins, size_t stride, vector self)
{
    return vector_xor3(load(spins + term->site * stride), self, vector_all(term->sign));
}

/* Count the terms of a run in digits `plane` and up; digits beyond the last stay 0. */
INLINE void count_run(vector *digit, int planes, const spn_word_term *term, uint32_t count,
                      const uint64_t *spins, size_t stride, vector self)
{
#define TERM(k) resists(term + (k), spins, stride, self)
    for (; count >= 8; count -= 8, term += 8) {
        const vector a = add3(&digit[0], TERM(0), TERM(1)), b = add3(&digit[0], TERM(2), TERM(3));
        const vector c = add3(&digit[1], a, b);
        const vector d = add3(&digit[0], TERM(4), TERM(5)), e = add3(&digit[0], TERM(6), TERM(7));
        const vector f = add3(&digit[1], d, e);
        count_one(digit + 3, planes - 3, add3(&digit[2], c, f));
    }
    if (count >= 4) {
        const vector a = add3(&digit[0], TERM(0), TERM(1)), b = add3(&digit[0], TERM(2), TERM(3));
        count_one(digit + 2, planes - 2, add3(&digit[1], a, b));
        term += 4;
    }
    if (count & 2) {
        count_one(digit + 1, planes - 1, add3(&digit[0], TERM(0), TERM(1)));
        term += 2;
    }
    if (count & 1)
        count_one(digit, planes, TERM(0));
#undef TERM
}

/* The digits of n + zero of a site. */
INLINE void count_terms(vector *digit, const spn_word_graph *graph, const spn_word_site *site,
                        int planes, const uint64_t *spins, size_t stride, vector self)
{
    const unsigned start = site->zero - (site->reach + 1u) / 2;
    const spn_word_term *term = graph->terms + site->term;
    for (int k = 0; k < planes; k++)
        digit[k] = vector_all(0 - (uint64_t)(start >> k & 1));
    for (uint32_t r = site->run; r < site->run + site->runs; r++) {
        const spn_word_run run = graph->runs[r];
        count_run(digit + run.plane, planes - (int)run.plane, term, run.count, spins, stride, self);
        term += run.count;
    }
}

/* ---- a proposal ---- */

/* What the levels of a table are at a site: those from `begin` to before `end`. */
typedef struct span {
    size_t begin, end;
    bool all; /* level 0 holds every n */
    unsigned first, last;
} span;

INLINE span levels_at(const spn_word_table *table, const spn_word_site *site)
{
    const int zero = site->zero, least = -zero, most = site->reach / 2;
    const int highest = table->first + (int)table->levels - 2;
    const int last = highest < most ? highest : most;
    span s = {.end = last < table->first ? 1 : (size_t)(last - table->first + 2)};
    s.begin = table->first > least ? 0 : (size_t)(least - table->first + 1);
    s.all = table->first >= zero;
    s.first = (unsigned)(s.begin ? 0 : table->first + zero);
    s.last = last < table->first ? s.first : (unsigned)(last + zero);
    return s;
}

/* Who accepts, given the digits of n + zero. */
INLINE vector accept(const spn_word_table *table, const spn_word_site *site, const vector *digit,
                     int planes, const vector *class, const spn_stream *stream, uint64_t step,
                     vector run_product, vector active, const bool coupled)
{
    vector levels[SPN_WORD_REACH + 3], both[SPN_WORD_CELLS];
    vector *level = levels, sure = vector_all(0), drawn = sure;
    const span s = levels_at(table, site);
    if (s.all) {
        level[0] = ~vector_all(0);
    } else if (planes <= 3) {
        const vector below = split_few(digit, planes, s.first, levels);
        if (!s.begin) {
            level += s.first - 1;
            level[0] = below;
        }
    } else if (s.begin)
        split(digit, planes, s.first, s.last, level);
    else
        level[0] = split(digit, planes, s.first, s.last, level + 1);
    const uint32_t begin = table->cells_to[s.begin], end = table->cells_to[s.end];
    const vector *cell = level + (begin < end ? table->cell[begin].level - s.begin : 0);
    for (uint32_t k = table->sure_to[s.begin]; k < table->sure_to[s.end]; k++)
        sure =
            vector_or_and(sure, level[table->sure[k].level - s.begin], class[table->sure[k].class]);
    if (coupled)
        cell = both;
    for (uint32_t k = begin; k < end; k++) {
        if (coupled)
            both[k - begin] = level[table->cell[k].level - s.begin] & class[table->cell[k].class];
        drawn |= cell[k - begin];
    }
    drawn &= active;
    sure &= active;
    if (begin == end || !vector_any(drawn))
        return sure;
    return sure | draw_below(stream, step * SPN_WORD_BLOCKS, run_product, cell, end - begin,
                             table->digits + (size_t)begin * SPN_WORD_DIGITS, drawn);
}

/* One digit of both energies. */
typedef struct digit_sum {
    uint64_t *energy, *above;
    vector carry, carry_above, reset, last; /* last: the digit of the second */
} digit_sum;

INLINE void add_digit(digit_sum *s, vector x, size_t stride)
{
    vector sum = load(s->energy), over = load(s->above) & s->reset;
    s->carry = add3(&sum, x, s->carry);
    s->carry_above = add3(&over, x, s->carry_above);
    store(s->energy, sum);
    store(s->above, over);
    s->last = over;
    s->energy += stride;
    s->above += stride;
}

/* Add the change to the energies; returns for whom it is a new lowest. */
INLINE vector add_change(spn_words *words, size_t w, size_t a, const spn_word_site *site,
                         const vector *digit, int planes, vector flips)
{
    const size_t stride = words->replicas * words->words, at = a * words->words + w;
    uint64_t *now = words->better_now + at, *improved = words->improved + at;
    size_t left = words->planes - (size_t)planes + 1;
    digit_sum s = {words->energy + at, words->above + at, vector_all(0),
                   vector_all(0),      ~load(now),        vector_all(0)};
    if (words->graph->odd) {
        add_digit(&s, site->reach % 2 ? flips : vector_all(0), stride);
        left--;
    }
    for (int k = 0; k < planes - 1; k++)
        add_digit(&s, digit[k] & flips, stride);
    const vector sign = flips & ~digit[planes - 1];
    for (; left > 0; left--)
        add_digit(&s, sign, stride);
    store(now, s.last);
    store(improved, load(improved) | s.last);
    return s.last;
}

INLINE vector above_zero(const spn_word_site *site, const vector *digit, int planes)
{
    vector some = vector_all(site->reach % 2 ? UINT64_MAX : 0);
    for (int k = 0; k < planes - 1; k++)
        some |= digit[k];
    return some & digit[planes - 1];
}

INLINE void propose(spn_words *words, size_t w, size_t i, size_t a, uint64_t step, size_t row,
                    vector run_product, const int planes, const bool coupled)
{
    const spn_word_graph *graph = words->graph;
    const spn_word_site *site = &graph->site[i];
    const spn_word_table *table = &words->table[site->reach % 2];
    const size_t stride = words->replicas * words->words;
    uint64_t *here = words->spins + i * stride + w;
    const vector self = load(here + a * words->words);
    const spn_stream stream = spn_word_stream(words, a);
    vector digit[SPN_WORD_PLANES], class[SPN_MAX_REPLICAS + 1];
    count_terms(digit, graph, site, planes, words->spins + a * words->words + w, stride, self);
    class[0] = ~vector_all(0);
    if (coupled && table->classes > 1)
        find_classes(words, here, i * words->words + w, a, table, class);
    const vector flips = accept(table, site, digit, planes, class, &stream, step, run_product,
                                load(words->active + w), coupled);
    vector_count(words->accepted + w, flips);
    vector_count(words->uphill + w, flips & above_zero(site, digit, planes));
    store(here + a * words->words, self ^ flips);
    const size_t at = row * stride + a * words->words + w;
    store(words->flips + at, flips);
    store(words->better + at, add_change(words, w, a, site, digit, planes, flips));
}

/* A function of its own for the usual numbers of digits. */
INLINE void propose_by_planes(spn_words *words, size_t w, size_t i, size_t a, uint64_t step,
                              size_t row, vector run_product, const bool coupled)
{
    const int planes = words->graph->site[i].planes;
    if (planes == 3)
        propose(words, w, i, a, step, row, run_product, 3, coupled);
    else
        propose(words, w, i, a, step, row, run_product, planes, coupled);
}

INLINE void make_steps_of(spn_words *words, size_t w, uint64_t first, size_t count, size_t row,
                          const bool coupled)
{
    const vector run_product = load(words->run_products + w);
    size_t i = (size_t)(first % words->graph->sites);
    for (size_t j = 0; j < count; j++) {
        for (size_t a = 0; a < (coupled ? words->replicas : 1); a++)
            propose_by_planes(words, w, i, a, first + j, row + j, run_product, coupled);
        if (words->has_target)
            spn_words_rest(words, w, LANES, first + j);
        i = i + 1 == words->graph->sites ? 0 : i + 1;
    }
}

static __attribute__((noinline)) void make_steps_alone(spn_words *words, size_t w, uint64_t first,
                                                       size_t count, size_t row)
{
    make_steps_of(words, w, first, count, row, false);
}

static __attribute__((noinline)) void make_steps_coupled(spn_words *words, size_t w, uint64_t first,
                                                         size_t count, size_t row)
{
    make_steps_of(words, w, first, count, row, true);
}

static void make_steps(spn_words *words, uint64_t first, size_t count, size_t row)
{
    assert(words->words % LANES == 0);
    for (size_t w = 0; w < words->words; w += LANES)
        if (words->coupling == SPN_WORD_ALONE)
            make_steps_alone(words, w, first, count, row);
        else
            make_steps_coupled(words, w, first, count, row);
}

/* ---- the end of a window ---- */

/* The state at the last new lowest energy is the state now without the flips after it. Going back
   from the end, `after` holds the lanes whose last one is still to come. */
static void keep_best(spn_words *words, uint64_t end, size_t count, size_t a, size_t w)
{
    const size_t sites = words->graph->sites, stride = words->replicas * words->words;
    const size_t start = (size_t)((end - count) % sites), at = a * words->words + w;
    const vector improved = load(words->improved + at);
    vector after = improved;
    if (!vector_any(improved))
        return;
    for (size_t row = sites; row-- > 0;) {
        const size_t i = start + row < sites ? start + row : start + row - sites;
        vector state = load(words->spins + i * stride + at);
        if (row < count) {
            after &= ~load(words->better + row * stride + at);
            state ^= load(words->flips + row * stride + at) & after;
        }
        uint64_t *best = words->best + i * stride + at;
        store(best, (load(best) & ~improved) | (state & improved));
    }
    assert(!vector_any(after));
}

static void add_moves(spn_words *words, size_t w, size_t k, vector carry)
{
    for (; vector_any(carry); k++) {
        uint64_t *at = words->moves + k * words->words + w;
        const vector sum = load(at);
        assert(k < SPN_WORD_MOVES);
        store(at, sum ^ carry);
        carry &= sum;
    }
}

/* Add the flips of the window to the counts of the reads. */
static void count_moves(spn_words *words, size_t rows, size_t w)
{
    const uint64_t *flips = words->flips + w;
    const size_t stride = words->words;
    const vector zero = vector_all(0);
    vector digit[2] = {zero, zero};
    for (size_t row = 0; row < rows; row += 4) {
        vector x[4] = {zero, zero, zero, zero};
        for (size_t k = 0; k < 4 && row + k < rows; k++)
            x[k] = load(flips + (row + k) * stride);
        const vector a = add3(&digit[0], x[0], x[1]), b = add3(&digit[0], x[2], x[3]);
        add_moves(words, w, 2, add3(&digit[1], a, b));
    }
    add_moves(words, w, 0, digit[0]);
    add_moves(words, w, 1, digit[1]);
}

static void close_window(spn_words *words, uint64_t end, size_t count)
{
    const size_t stride = words->replicas * words->words;
    for (size_t w = 0; w < words->words; w += LANES) {
        for (size_t a = 0; a < words->replicas; a++) {
            const size_t at = a * words->words + w;
            const vector reset = ~load(words->better_now + at);
            keep_best(words, end, count, a, w);
            for (size_t k = 0; k < words->planes; k++)
                store(words->above + k * stride + at, load(words->above + k * stride + at) & reset);
            store(words->better_now + at, vector_all(0));
            store(words->improved + at, vector_all(0));
        }
        count_moves(words, count * words->replicas, w);
    }
}

/* ---- the centre ---- */

static void draw_centre(spn_words *words, uint64_t draw, const spn_word_table *table)
{
    const size_t sites = words->graph->sites, replicas = words->replicas;
    const spn_stream stream = spn_word_stream(words, SPN_WORD_CENTRE_STREAM);
    const int planes = planes_for(replicas);
    for (size_t w = 0; w < words->words; w += LANES)
        for (size_t i = 0; i < sites; i++) {
            vector digit[CLASS_PLANES + 1], class[SPN_MAX_REPLICAS + 1];
            for (int k = 0; k < planes; k++)
                digit[k] = vector_all(0);
            for (size_t a = 0; a < replicas; a++)
                count_one(digit, planes,
                          load(words->spins + (i * replicas + a) * words->words + w));
            split_classes(digit, planes, table, replicas, class);
            vector up = vector_all(0), cell[SPN_MAX_REPLICAS + 1], drawn = up;
            for (uint32_t k = 0; k < table->sure_to[1]; k++)
                up |= class[table->sure[k].class];
            for (uint32_t k = 0; k < table->cells_to[1]; k++)
                drawn |= cell[k] = class[table->cell[k].class];
            up |= draw_below(&stream, (draw * sites + i) * SPN_WORD_BLOCKS,
                             load(words->run_products + w), cell, table->cells_to[1], table->digits,
                             drawn);
            store(words->centre + i * words->words + w, up);
        }
}

#endif

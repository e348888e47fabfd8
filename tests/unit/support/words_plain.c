/* Words spin by spin: the reference that every version of the library must agree with. */
#include "support/words.h"

#include <assert.h>

static int bit(const uint64_t *row, size_t lane)
{
    return (int)(row[lane / SPN_WORD_BITS] >> lane % SPN_WORD_BITS & 1);
}

static void flip(uint64_t *row, size_t lane)
{
    row[lane / SPN_WORD_BITS] ^= 1ull << lane % SPN_WORD_BITS;
}

static uint64_t *row_of(const spn_words *words, uint64_t *rows, size_t number, size_t a)
{
    return rows + (number * words->replicas + a) * words->words;
}

/* The random number of a lane: its digits are its bits in the words of 16 blocks. */
static uint32_t draw(const spn_words *words, size_t replica, uint64_t number, size_t lane)
{
    spn_stream stream = spn_word_stream(words, replica);
    uint32_t random = 0;
    stream.run += (uint32_t)(lane / SPN_WORD_BITS);
    for (uint64_t j = 0; j < SPN_WORD_BLOCKS; j++) {
        uint32_t out[4];
        spn_stream_block(&stream, number * SPN_WORD_BLOCKS + j, out);
        for (int k = 0; k < 4; k += 2) {
            const uint64_t word = (uint64_t)out[k] << 32 | out[k + 1];
            random = random << 1 | (uint32_t)(word >> lane % SPN_WORD_BITS & 1);
        }
    }
    return random;
}

/* n of a flip: the terms that resist it, less half of all. */
static int cost_of(const spn_words *words, size_t i, size_t a, size_t lane)
{
    const spn_word_graph *graph = words->graph;
    const spn_word_site *site = &graph->site[i];
    const spn_word_term *term = graph->terms + site->term;
    const int self = bit(row_of(words, words->spins, i, a), lane);
    int resist = 0;
    for (uint32_t r = site->run; r < site->run + site->runs; r++)
        for (uint32_t k = 0; k < graph->runs[r].count; k++, term++)
            if ((bit(row_of(words, words->spins, term->site, a), lane) != self) ^ (term->sign != 0))
                resist += 1 << graph->runs[r].plane;
    return resist - (site->reach + 1) / 2;
}

static unsigned class_of(const spn_words *words, size_t i, size_t a, size_t lane)
{
    const int self = bit(row_of(words, words->spins, i, a), lane);
    unsigned agree = 0;
    if (words->coupling == SPN_WORD_CENTRE)
        return bit(words->centre + i * words->words, lane) == self;
    for (size_t b = 0; words->coupling == SPN_WORD_REPLICAS && b < words->replicas; b++)
        agree += b != a && bit(row_of(words, words->spins, i, b), lane) == self;
    return agree;
}

static uint64_t threshold_of(const spn_word_table *table, int n, unsigned class)
{
    const size_t level = n < table->first ? 0 : (size_t)(n - table->first + 1);
    const size_t c = class < table->class_first ? 0 : class - table->class_first + 1;
    assert(c < table->classes);
    return level < table->levels ? table->threshold[level * table->classes + c] : 0;
}

/* A number in digits, each a row of all replicas. */
static int64_t number_of(const spn_words *words, uint64_t *digits, size_t a, size_t lane)
{
    int64_t number = 0;
    for (size_t k = 0; k < words->planes; k++)
        number += (int64_t)bit(row_of(words, digits, k, a), lane) *
                  (k + 1 < words->planes ? 1ll << k : -(1ll << k));
    return number;
}

static void set_number(const spn_words *words, uint64_t *digits, size_t a, size_t lane,
                       int64_t number)
{
    for (size_t k = 0; k < words->planes; k++)
        if (bit(row_of(words, digits, k, a), lane) != (number >> k & 1))
            flip(row_of(words, digits, k, a), lane);
}

static void propose(spn_words *words, size_t i, size_t a, uint64_t step, size_t row, size_t lane)
{
    const int parity = words->graph->site[i].reach % 2, n = cost_of(words, i, a, lane);
    const uint64_t threshold = threshold_of(&words->table[parity], n, class_of(words, i, a, lane));
    if (!bit(words->active, lane) ||
        (threshold >> SPN_WORD_DIGITS == 0 && draw(words, a, step, lane) >= threshold))
        return;
    const int64_t change = words->graph->odd ? 2 * n + parity : n;
    const int64_t above = number_of(words, words->above, a, lane) + change;
    flip(row_of(words, words->spins, i, a), lane);
    flip(row_of(words, words->flips, row, a), lane);
    words->accepted[lane / SPN_WORD_BITS]++;
    words->uphill[lane / SPN_WORD_BITS] += 2 * n + parity > 0;
    set_number(words, words->energy, a, lane, number_of(words, words->energy, a, lane) + change);
    set_number(words, words->above, a, lane, above < 0 ? 0 : above);
    if (above < 0)
        flip(row_of(words, words->better, row, a), lane);
}

static void make_steps(spn_words *words, uint64_t first, size_t count, size_t row)
{
    const size_t width = words->replicas * words->words;
    for (size_t j = 0; j < count; j++, row++) {
        for (size_t w = 0; w < width; w++)
            words->flips[row * width + w] = words->better[row * width + w] = 0;
        for (size_t a = 0; a < words->replicas; a++)
            for (size_t lane = 0; lane < words->words * SPN_WORD_BITS; lane++)
                propose(words, (size_t)((first + j) % words->graph->sites), a, first + j, row,
                        lane);
        if (words->has_target)
            spn_words_rest(words, 0, words->words, first + j);
    }
}

/* Go back from the end to the last new lowest energy of a lane, and take the spins of that time. */
static void keep_best(spn_words *words, uint64_t end, size_t count, size_t a, size_t lane)
{
    const size_t sites = words->graph->sites;
    const size_t start = (size_t)((end - count) % sites);
    size_t last = count;
    while (last > 0 && !bit(row_of(words, words->better, last - 1, a), lane))
        last--;
    for (size_t i = 0; last > 0 && i < sites; i++)
        if (bit(row_of(words, words->best, i, a), lane) !=
            bit(row_of(words, words->spins, i, a), lane))
            flip(row_of(words, words->best, i, a), lane);
    for (size_t row = last; last > 0 && row < count; row++)
        if (bit(row_of(words, words->flips, row, a), lane))
            flip(row_of(words, words->best, start + row < sites ? start + row : start + row - sites,
                        a),
                 lane);
}

static void close_window(spn_words *words, uint64_t end, size_t count)
{
    for (size_t lane = 0; lane < words->words * SPN_WORD_BITS; lane++) {
        uint64_t moves = 0;
        for (size_t a = 0; a < words->replicas; a++) {
            keep_best(words, end, count, a, lane);
            for (size_t row = 0; row < count; row++)
                moves += (uint64_t)bit(row_of(words, words->flips, row, a), lane);
        }
        for (size_t k = 0; k < SPN_WORD_MOVES; k++)
            moves += (uint64_t)bit(words->moves + k * words->words, lane) << k;
        for (size_t k = 0; k < SPN_WORD_MOVES; k++)
            if (bit(words->moves + k * words->words, lane) != (int)(moves >> k & 1))
                flip(words->moves + k * words->words, lane);
    }
}

static void draw_centre(spn_words *words, uint64_t number, const spn_word_table *table)
{
    for (size_t i = 0; i < words->graph->sites; i++)
        for (size_t lane = 0; lane < words->words * SPN_WORD_BITS; lane++) {
            unsigned up = 0;
            for (size_t a = 0; a < words->replicas; a++)
                up += (unsigned)bit(row_of(words, words->spins, i, a), lane);
            const uint64_t threshold = threshold_of(table, 0, up);
            const bool is_up = draw(words, SPN_WORD_CENTRE_STREAM, number * words->graph->sites + i,
                                    lane) < threshold;
            if (bit(words->centre + i * words->words, lane) != is_up)
                flip(words->centre + i * words->words, lane);
        }
}

const spn_word_version spn_words_plain = {1, make_steps, close_window, draw_centre};

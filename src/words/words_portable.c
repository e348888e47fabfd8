/* Words one by one, in plain C. */
#include "words/words.h"

typedef uint64_t vector;
enum { LANES = 1, PAIRS_AT_ONCE = 2 };

#include "core/vector_logic.h"

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)(uint32_t)a * (uint32_t)b;
}

static inline bool vector_any(vector a)
{
    return a != 0;
}

static inline void vector_count(uint64_t *sum, vector a)
{
    *sum += (uint64_t)__builtin_popcountll(a);
}

#include "words/words_body.h"

const spn_word_version spn_words_portable = {LANES, make_steps, close_window, draw_centre};

/* What perceptron_body.h needs, one word at a time: the compiler widens what it can. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t pack;
typedef int64_t packed;
typedef bool mask;
enum { WORDS = 1 };

static inline mask there(size_t w, size_t words)
{
    return w < words;
}

static inline pack load(const uint64_t *from, mask some)
{
    (void)some;
    return *from;
}

static inline void store(uint64_t *to, mask some, pack value)
{
    (void)some;
    *to = value;
}

static inline packed count_ones(pack value)
{
    return __builtin_popcountll(value);
}

static inline int64_t total(packed sum)
{
    return sum;
}

static inline pack choose(pack some, pack a, pack b)
{
    return (a & some) | (b & ~some);
}

static inline pack odd(pack a, pack b, pack c)
{
    return a ^ b ^ c;
}

static inline pack majority(pack a, pack b, pack c)
{
    return (a & b) | ((a ^ b) & c);
}

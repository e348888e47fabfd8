/* What perceptron_body.h needs, one word at a time: the compiler widens what it can. */
#include <stddef.h>
#include <stdint.h>

typedef uint64_t pack;
enum { WORDS = 1 };

static inline uint8_t there(size_t w, size_t words)
{
    return w < words;
}

static inline pack load(const uint64_t *from, uint8_t some)
{
    (void)some;
    return *from;
}

static inline void store(uint64_t *to, uint8_t some, pack value)
{
    (void)some;
    *to = value;
}

static inline pack count_ones(pack value)
{
    return (pack)__builtin_popcountll(value);
}

static inline int64_t total(pack sum)
{
    return (int64_t)sum;
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

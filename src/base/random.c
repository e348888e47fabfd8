/* Random streams: see spinney/random.h. */
#include <spinney/random.h>

#include "base/philox.h"
#include "base/text.h"

const spn_names spn_purpose_names = SPN_NAME_LIST(
    "purpose of random numbers", [SPN_PURPOSE_PROPOSALS] = "proposals",
    [SPN_PURPOSE_START] = "start", [SPN_PURPOSE_INSTANCE] = "instance", [SPN_PURPOSE_USER] = "user",
    [SPN_PURPOSE_CENTRE] = "centre", [SPN_PURPOSE_REDRAW] = "redraw", [SPN_PURPOSE_SWAPS] = "swaps",
    [SPN_PURPOSE_MOVES] = "moves", [SPN_PURPOSE_WORDS] = "words", [SPN_PURPOSE_WORLD] = "world");

spn_stream spn_stream_make(uint64_t seed, uint32_t run, uint32_t replica, spn_purpose purpose)
{
    spn_stream stream = {.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                         .run = run,
                         .lane = (replica & 0xFFFFu) | (uint32_t)purpose << 16};
    return stream;
}

void spn_stream_block(const spn_stream *stream, uint64_t index, uint32_t out[4])
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), stream->run,
                                 stream->lane};
    spn_philox(stream->key, counter, out);
}

spn_random spn_random_make(uint64_t seed, uint32_t run, uint32_t replica, spn_purpose purpose)
{
    spn_random random = {.stream = spn_stream_make(seed, run, replica, purpose), .used = 4};
    return random;
}

uint32_t spn_random_u32(spn_random *random)
{
    if (random->used == 4) {
        spn_stream_block(&random->stream, random->index++, random->words);
        random->used = 0;
    }
    return random->words[random->used++];
}

uint64_t spn_random_u64(spn_random *random)
{
    uint64_t low = spn_random_u32(random);
    return low | (uint64_t)spn_random_u32(random) << 32;
}

uint32_t spn_random_below(spn_random *random, uint32_t bound)
{
    const uint32_t reject_below = (0u - bound) % bound; /* 2^32 mod bound */
    for (;;) {
        uint64_t product = (uint64_t)spn_random_u32(random) * bound;
        if ((uint32_t)product >= reject_below)
            return (uint32_t)(product >> 32);
    }
}

double spn_random_uniform(spn_random *random)
{
    return ((double)(spn_random_u64(random) >> 12) + 0.5) * 0x1p-52;
}

void spn_random_spins(spn_random *random, int8_t *out, size_t count)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 32 == 0)
            bits = spn_random_u32(random);
        out[i] = (bits >> (i % 32)) & 1u ? 1 : -1;
    }
}

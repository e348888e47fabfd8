/* Words: the choice of a version, and what all versions share. */
#include "words/words.h"

const spn_word_version *spn_words_select(spn_isa isa, size_t words)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512 && spn_cpu_counts_bits() && words > 4)
        return &spn_words_avx512;
    if (isa >= SPN_ISA_AVX2 && words > 1)
        return &spn_words_avx2;
#elif defined(__aarch64__)
    if (words > 1)
        return &spn_words_neon;
#endif
    (void)isa;
    (void)words;
    return &spn_words_portable;
}

static void note(uint64_t *of_reads, size_t w, uint64_t reads, uint64_t step)
{
    for (; reads; reads &= reads - 1)
        of_reads[w * SPN_WORD_BITS + (size_t)__builtin_ctzll(reads)] = step;
}

void spn_words_rest(spn_words *words, size_t first, size_t count, uint64_t step)
{
    const uint64_t *sign = words->energy + (words->planes - 1) * words->replicas * words->words;
    for (size_t w = first; w < first + count; w++) {
        uint64_t any = 0, all = UINT64_MAX;
        for (size_t a = 0; a < words->replicas; a++) {
            any |= sign[a * words->words + w];
            all &= sign[a * words->words + w];
        }
        const uint64_t ends = words->active[w] & (words->all_replicas ? all : any);
        note(words->hit, w, any & words->active[w] & ~words->seen[w], step + 1);
        note(words->ended, w, ends, step + 1);
        words->seen[w] |= any & words->active[w];
        words->active[w] &= ~ends;
    }
}

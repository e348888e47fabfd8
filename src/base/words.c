/* The nearest of some words. */
#include <spinney/words.h>

#include <string.h>

/* Levenshtein's distance of two short words. */
static size_t word_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1], length = strlen(b);
    if (length > LONGEST || strlen(a) > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[length];
}

const char *spn_nearest_word(const char *text, const char *(*next)(const void *words, size_t i),
                             const void *words)
{
    const char *nearest = NULL;
    size_t least = strlen(text) / 2 + 1; /* half the letters wrong is no resemblance */
    for (size_t i = 0; next(words, i); i++) {
        const char *word = next(words, i);
        size_t distance = word_distance(text, word);
        if (distance < least) {
            least = distance;
            nearest = word;
        }
    }
    return nearest;
}

static const char *word_at(const void *words, size_t i)
{
    return ((const char *const *)words)[i];
}

const char *spn_nearest_of(const char *text, const char *const *words)
{
    return spn_nearest_word(text, word_at, words);
}

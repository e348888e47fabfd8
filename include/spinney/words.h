/* The nearest word, for error messages. */
#ifndef SPINNEY_WORDS_H
#define SPINNEY_WORDS_H

#include <spinney/status.h>

SPN_BEGIN_C

/* The word with the fewest letters to insert, delete or replace (Levenshtein's distance); NULL if
   half the letters of text are wrong in all of them. next: returns word i, NULL after the last. */
SPN_API const char *spn_nearest_word(const char *text,
                                     const char *(*next)(const void *words, size_t i),
                                     const void *words);

/* The same for an array that ends with NULL. */
SPN_API const char *spn_nearest_of(const char *text, const char *const *words);

SPN_END_C
#endif

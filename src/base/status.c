/* Error texts, the names of enums, and the nearest word. */
#include <spinney/status.h>

#include "base/number.h"
#include "base/text.h"
#include "base/try.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const spn_names spn_status_names = SPN_NAME_LIST(
    "status", [SPN_OK] = "ok", [SPN_ERROR_ARGUMENT] = "argument", [SPN_ERROR_INPUT] = "input",
    [SPN_ERROR_IO] = "io", [SPN_ERROR_MEMORY] = "memory", [SPN_ERROR_ENERGY] = "energy");

#undef spn_fail
spn_status spn_fail(spn_error *err, spn_status status, const char *format, ...)
{
    if (err) {
        err->status = status;
        va_list args;
        va_start(args, format);
        spn_print_text_list(err->text, sizeof err->text, format, args);
        va_end(args);
        for (char *c = err->text; *c; c++)
            if ((unsigned char)*c < 0x20 ||
                *c == 0x7f) /* from a file or an argument; the text is one line */
                *c = '?';
    }
    return status;
}

#undef spn_no_memory
spn_status spn_no_memory(spn_error *err, const char *what, ...)
{
    char text[SPN_ERROR_TEXT / 2];
    va_list args;
    va_start(args, what);
    spn_print_text_list(text, sizeof text, what, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %s", text);
}

/* Levenshtein distance of two short words. */
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
    size_t least = strlen(text) / 2 + 1; /* more than half the letters wrong is no resemblance */
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

const char *spn_name(const spn_names *names, int value)
{
    return value >= 0 && (size_t)value < names->count ? names->names[value] : NULL;
}

static const char *name_at(const void *names, size_t i)
{
    return i < INT_MAX ? spn_name(names, (int)i) : NULL;
}

/* "a, b or c" */
static void join(char *out, size_t size, const spn_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *joint = i == 0 ? "" : i + 1 < names->count ? ", " : " or ";
        spn_print_more(out, size, "%s%s", joint, names->names[i]);
    }
}

spn_status spn_name_parse(int *out, const spn_names *names, const char *text, spn_error *err)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], text) == 0) {
            *out = (int)i;
            return SPN_OK;
        }
    const char *nearest = spn_nearest_word(text, name_at, names);
    if (nearest)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no %s '%s'; did you mean %s?",
                        names->what, text, nearest);
    char all[SPN_ERROR_TEXT] = "";
    join(all, sizeof all, names);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no %s '%s'; expected %s", names->what, text,
                    all);
}

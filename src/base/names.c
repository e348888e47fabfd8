/* The names of an enum's values. */
#include "base/names.h"

#include <limits.h>
#include <spinney/words.h>
#include <stdio.h>
#include <string.h>

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
    size_t used = 0;
    for (size_t i = 0; i < names->count && used < size; i++) {
        const char *joint = i == 0 ? "" : i + 1 < names->count ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", joint, names->names[i]);
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

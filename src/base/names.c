/* The names of an enum's values. */
#include "base/names.h"

#include <spinney/words.h>
#include <stdio.h>
#include <string.h>

const char *spn_names_at(const char *const *names, size_t count, size_t i)
{
    return i < count ? names[i] : NULL;
}

typedef struct name_list {
    const char *const *names;
    size_t count;
} name_list;

static const char *name_at(const void *list, size_t i)
{
    const name_list *l = list;
    return spn_names_at(l->names, l->count, i);
}

/* "a, b or c" */
static void join(char *out, size_t size, const char *const *names, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        const char *joint = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", joint, names[i]);
    }
}

spn_status spn_names_find(size_t *out, const char *const *names, size_t count, const char *what,
                          const char *text, spn_error *err)
{
    const name_list list = {names, count};
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0) {
            *out = i;
            return SPN_OK;
        }
    const char *nearest = spn_nearest_word(text, name_at, &list);
    if (nearest)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no %s '%s'; did you mean %s?", what,
                        text, nearest);
    char all[SPN_ERROR_TEXT] = "";
    join(all, sizeof all, names, count);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no %s '%s'; expected %s", what, text, all);
}

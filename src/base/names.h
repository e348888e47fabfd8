/* The names of an enum's values, both ways, from one table beside the code that implements them. */
#ifndef SPN_BASE_NAMES_H
#define SPN_BASE_NAMES_H

#include <spinney/status.h>

/* Name i of a list of count, or NULL past the last. */
const char *spn_names_at(const char *const *names, size_t count, size_t i);

/* The number of a name. what: the kind of thing, for errors, such as "format". Errors: ARGUMENT,
   with the nearest name, or all of them where none is near; *out is unchanged then. */
spn_status spn_names_find(size_t *out, const char *const *names, size_t count, const char *what,
                          const char *text, spn_error *err);

/* Define spn_X_name and spn_X_parse of an enum whose values count from 0, from the array of its
   names. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type has none */
#define SPN_DEFINE_NAMES(type, what, names)                                                        \
    const char *type##_name(type value)                                                            \
    {                                                                                              \
        return spn_names_at(names, sizeof(names) / sizeof *(names), (size_t)value);                \
    }                                                                                              \
    spn_status type##_parse(type *out, const char *text, spn_error *err)                           \
    {                                                                                              \
        size_t value;                                                                              \
        const spn_status status =                                                                  \
            spn_names_find(&value, names, sizeof(names) / sizeof *(names), what, text, err);       \
        if (!status)                                                                               \
            *out = (type)value;                                                                    \
        return status;                                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif

/* Status codes and error texts. Every function that can fail returns a status, and writes what went
   wrong to the caller's spn_error, if any. The library never prints or exits. */
#ifndef SPINNEY_STATUS_H
#define SPINNEY_STATUS_H

#include <stddef.h>
#include <string.h>

/* Around the declarations of every header: C++ takes them as those of C. */
#ifdef __cplusplus
#define SPN_BEGIN_C extern "C" {
#define SPN_END_C }
#else
#define SPN_BEGIN_C
#define SPN_END_C
#endif

SPN_BEGIN_C

#define SPN_API __attribute__((visibility("default")))

typedef enum spn_status {
    SPN_OK = 0,
    SPN_ERROR_ARGUMENT, /* an argument or a setting is out of range */
    SPN_ERROR_INPUT,    /* the content of a file is not as expected */
    SPN_ERROR_IO,       /* a file cannot be opened, read or written */
    SPN_ERROR_MEMORY,   /* out of memory */
    SPN_ERROR_ENERGY    /* an energy that returned NaN */
} spn_status;

enum { SPN_ERROR_TEXT = 512 };

/* The last error of a call. Start with {0}; a call that succeeds leaves it alone. */
typedef struct spn_error {
    spn_status status;
    char text[SPN_ERROR_TEXT]; /* one line, no newline: file, place, what was expected */
} spn_error;

/* The names of an enum's values, in their order from 0. */
typedef struct spn_names {
    const char *what; /* the kind of thing, for errors, such as "kernel" */
    size_t count;
    const char *const *names;
} spn_names;

/* The name of a value, or NULL if it has none. */
SPN_API const char *spn_name(const spn_names *names, int value);

/* The value of a name. Errors: ARGUMENT, with the nearest name, or all names if none is near; *out
   is unchanged then. */
SPN_API spn_status spn_name_parse(int *out, const spn_names *names, const char *text,
                                  spn_error *err);

/* For an enum spn_X, declare its names spn_X_names, and the two functions
     const char *spn_X_name(spn_X value);
     spn_status spn_X_parse(spn_X *out, const char *text, spn_error *err); */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type has none */
#define SPN_NAMES(type)                                                                            \
    extern SPN_API const spn_names type##_names;                                                   \
    static inline const char *type##_name(type value)                                              \
    {                                                                                              \
        return spn_name(&type##_names, (int)value);                                                \
    }                                                                                              \
    static inline spn_status type##_parse(type *out, const char *text, spn_error *err)             \
    {                                                                                              \
        int value = 0;                                                                             \
        const spn_status status = spn_name_parse(&value, &type##_names, text, err);                \
        if (status == SPN_OK)                                                                      \
            *out = (type)value;                                                                    \
        return status;                                                                             \
    }

/* Define function(), which gives a struct that starts with its size, otherwise zeros but for a list
   of changes, such as o.seed = 1, o.threads = 1. */
#define SPN_DEFAULTS(type, function, ...)                                                          \
    static inline type function(void)                                                              \
    {                                                                                              \
        type o;                                                                                    \
        memset(&o, 0, sizeof o);                                                                   \
        o.size = sizeof o;                                                                         \
        __VA_ARGS__;                                                                               \
        return o;                                                                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* "ok", "argument", "input", "io", "memory", "energy" */
SPN_NAMES(spn_status)

/* Free an array or text that a function of the library allocated for you. Accepts NULL. The same as
   free() if program and library share one C library. */
SPN_API void spn_free(void *memory);

/* Fill err (may be NULL) with status and a formatted line, and return status. For energies and
   observers of your own. */
SPN_API spn_status spn_fail(spn_error *err, spn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word with the fewest letters to insert, delete or replace (Levenshtein's distance); NULL if
   half the letters of text are wrong in all of them. next: returns word i, NULL after the last. */
SPN_API const char *spn_nearest_word(const char *text,
                                     const char *(*next)(const void *words, size_t i),
                                     const void *words);

/* The same for an array that ends with NULL. */
SPN_API const char *spn_nearest_of(const char *text, const char *const *words);

SPN_END_C
#endif

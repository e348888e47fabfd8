/* Status codes and error texts. Every function that can fail returns a status; the text of what
   went wrong goes to the spn_error that the caller passed, if any. The library never prints or
   exits. */
#ifndef SPINNEY_STATUS_H
#define SPINNEY_STATUS_H

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPN_API __attribute__((visibility("default")))

typedef enum spn_status {
    SPN_OK = 0,
    SPN_ERROR_ARGUMENT, /* an argument or a setting out of its range */
    SPN_ERROR_INPUT,    /* a file whose content is not what it should be */
    SPN_ERROR_IO,       /* a file that cannot be opened, read or written */
    SPN_ERROR_MEMORY,   /* memory cannot be had */
    SPN_ERROR_ENERGY    /* an energy that returned NaN */
} spn_status;

enum { SPN_ERROR_TEXT = 512 };

/* The last error of a call. Start with {0}; a call that succeeds leaves it alone. */
typedef struct spn_error {
    spn_status status;
    char text[SPN_ERROR_TEXT]; /* one line, no newline: file, place, what was expected */
} spn_error;

/* A short name such as "input" for a status, NULL past the last; and back. Errors: ARGUMENT, with
   the nearest name. */
SPN_API const char *spn_status_name(spn_status status);
SPN_API spn_status spn_status_parse(spn_status *out, const char *text, spn_error *err);

/* Free what the library allocated for the caller: arrays and texts that a function hands over.
   Accepts NULL. The same as free() where program and library share one C library. */
SPN_API void spn_free(void *memory);

/* Fill err (may be NULL) with status and a formatted line, and return status. For energies and
   observers written outside the library. */
SPN_API spn_status spn_fail(spn_error *err, spn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif
#endif

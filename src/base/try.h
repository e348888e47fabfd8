/* Handling a call that can fail: return, or unwind; and one text for lack of memory. */
#ifndef SPN_BASE_TRY_H
#define SPN_BASE_TRY_H

#include <spinney/status.h>

/* Return the status of a call if it failed. */
#define SPN_TRY(call)                                                                              \
    do {                                                                                           \
        const spn_status spn_try_status = (call);                                                  \
        if (spn_try_status != SPN_OK)                                                              \
            return spn_try_status;                                                                 \
    } while (0)

/* The same in a function with something to free: set `status` and go to a label, usually
   `cleanup`. */
#define SPN_TRY_OR(label, call)                                                                    \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SPN_OK)                                                                      \
            goto label;                                                                            \
    } while (0)

/* spn_fail with ARGUMENT: an argument or a setting is not as it should be. */
#define spn_refuse(err, ...) spn_fail(err, SPN_ERROR_ARGUMENT, __VA_ARGS__)
#define SPN_REFUSE_IF(wrong, err, ...)                                                             \
    do {                                                                                           \
        if (wrong)                                                                                 \
            return spn_refuse(err, __VA_ARGS__);                                                   \
    } while (0)

/* Fill err (may be NULL) with "out of memory for WHAT", and return SPN_ERROR_MEMORY. */
spn_status spn_no_memory(spn_error *err, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

/* Return "out of memory for WHAT" if a pointer is NULL, or an allocating call gives false. */
#define SPN_NEED(made, err, ...)                                                                   \
    do {                                                                                           \
        if (!(made))                                                                               \
            return spn_no_memory(err, __VA_ARGS__);                                                \
    } while (0)

/* The same with something to free, as SPN_TRY_OR. */
#define SPN_NEED_OR(label, made, err, ...)                                                         \
    SPN_TRY_OR(label, (made) ? SPN_OK : spn_no_memory(err, __VA_ARGS__))

/* End a function that makes an object: set *out to it, or free it with `discard` if the call
   failed; return the status. */
#define SPN_HAND_OVER(out, made, discard, call)                                                    \
    do {                                                                                           \
        const spn_status spn_over_status = (call);                                                 \
        if (spn_over_status != SPN_OK)                                                             \
            discard(made);                                                                         \
        else                                                                                       \
            *(out) = (made);                                                                       \
        return spn_over_status;                                                                    \
    } while (0)

#ifdef __clang_analyzer__ /* it does not see that neither returns SPN_OK */
#define spn_no_memory(...) ((void)spn_no_memory(__VA_ARGS__), SPN_ERROR_MEMORY)
#define spn_fail(err, status, ...) ((void)spn_fail(err, status, __VA_ARGS__), status)
#endif

#endif

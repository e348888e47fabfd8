/* What the parts of fail_at share: operations are counted, and one of them has to fail. */
#ifndef FAIL_AT_H
#define FAIL_AT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden) /* the program has names of its own */

enum { MEMORY, OPEN, READ, WRITE, FSYNC, RENAME, THREAD, KINDS };

/* Whether main() has begun; whether the caller is of a library that does not count. */
bool fail_at_counting(void);
bool fail_at_is_excluded(const void *caller);

/* Count an operation: whether it has to fail. */
bool fail_at_is_due(int kind, const void *caller);

/* The same for what fails with an error; errno is set. */
bool fail_at_fails(int kind, const void *caller);

/* The same for what moves bytes: -1, or how many it may move at most. */
ssize_t fail_at_allowed(int kind, size_t size, const void *caller);

/* The function that one of ours stands before; looked up once, by NEXT(name). */
void *fail_at_next(void *_Atomic *slot, const char *name);

/* Let a stream, such as stdout, move its bytes by the operations that are counted. */
FILE *fail_at_own_stream(int file, const char *mode);

#pragma GCC visibility pop

#define CALLER __builtin_return_address(0)
#define NEXT(name) ((__typeof__(&(name)))fail_at_next(&next_##name, #name))
#define DECLARE_NEXT(name) static void *_Atomic next_##name

#endif

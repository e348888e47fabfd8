/* Structs that cross the border of the library, and say their size so that they can grow. */
#ifndef SPN_BASE_SIZED_H
#define SPN_BASE_SIZED_H

#include <spinney/status.h>

/* Take over what a caller gave. own: holds the defaults, own_size bytes that begin with their
   size_t size; the caller's bytes, as many as both have, are copied over them, and size stays
   own's. given: NULL for the defaults. defaults: the function to start from, for errors. Errors:
   ARGUMENT for a size of 0 or smaller than the size itself. */
spn_status spn_sized_take(void *own, size_t own_size, const void *given, const char *defaults,
                          spn_error *err);

/* Fill memory of a caller, size bytes, with what the library made: the bytes that both have, and
   zeros beyond. */
void spn_sized_give(void *out, size_t size, const void *own, size_t own_size);

#endif

/* Checked allocation. Everything allocated here is freed with free(). */
#ifndef SPN_BASE_MEMORY_H
#define SPN_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* count objects of size bytes, zeroed, aligned to 64 bytes; NULL when that overflows or there is no
   memory. At least one byte is allocated, so NULL always means failure. */
void *spn_alloc(size_t count, size_t size);

/* Grow *array (from malloc or NULL) so that it holds at least needed objects of size bytes,
 *doubling capacity; false, with the array left as it was, when memory cannot be had. */
bool spn_grow(void *array, size_t *capacity, size_t needed, size_t size);

#endif

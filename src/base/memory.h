/* Memory: checked allocation, structs that say their size, and texts written as streams. */
#ifndef SPN_BASE_MEMORY_H
#define SPN_BASE_MEMORY_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

/* Zeroed memory for count objects of size bytes, aligned to 64 bytes; free it with free(). NULL if
   the product overflows or there is no memory: at least one byte is allocated. */
void *spn_alloc(size_t count, size_t size);

/* Grow *array (from malloc or NULL) so that it holds at least needed objects of size bytes, by
   doubling the capacity. Without memory: false, and the array is as before. */
bool spn_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* Copy a list of texts; NULL without memory. Free such a list, or part of one; accepts NULL. */
char **spn_list_copy(const char *const *texts, size_t count);
void spn_list_free(char **texts, size_t count);

/* ---- structs that cross the border of the library, and say their size so that they can grow ----
 */

/* Copy a caller's options over our defaults. own: the defaults, own_size bytes, of which the first
   are `size_t size`. given: starts with its size too; the bytes that both have are copied, and size
   stays own's. NULL: keep the defaults. defaults: the function to start from, for errors. Errors:
   ARGUMENT if the given size is less than that of a size_t. */
spn_status spn_sized_take(void *own, size_t own_size, const void *given, const char *defaults,
                          spn_error *err);

/* Fill size bytes of a caller's with our own_size bytes, and zeros after them. */
void spn_sized_give(void *out, size_t size, const void *own, size_t own_size);

/* ---- texts written as streams ---- */

/* In the GNU C library, open_memstream loses letters if memory runs out, and neither ferror nor
   fclose says so. This stream does. Do not move it while it is open. */
typedef struct spn_memory_stream {
    FILE *stream;
    char *text; /* what was flushed, ended by a zero; NULL at first */
    size_t size;
    size_t capacity;
    bool failed; /* memory ran out: the text is not whole */
} spn_memory_stream;

/* Start a text, and return the stream to write it to. NULL without memory; finishing it is then
   allowed, but not needed. */
FILE *spn_memory_stream_open(spn_memory_stream *out);

/* Close the stream and return the text, which the caller frees; NULL if memory ran out at any
   time. */
char *spn_memory_stream_finish(spn_memory_stream *memory);

#endif

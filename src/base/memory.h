/* Memory: checked allocation, structs that say their size, and texts written as streams. Whoever
   takes memory handles its lack: so SPN_TRY and its like come with it. */
#ifndef SPN_BASE_MEMORY_H
#define SPN_BASE_MEMORY_H

#include "base/try.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed memory for count objects of size bytes, aligned to 64 bytes, at least one byte; free it
   with free(). NULL if the product overflows or memory is lacking. */
void *spn_alloc(size_t count, size_t size);

/* Free pointers; NULL is allowed. */
void spn_free_each(void *const *memory, size_t count);
#define SPN_FREE_ALL(...)                                                                          \
    spn_free_each((void *const[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* A text as by printf, to be freed; NULL without memory. */
char *spn_text_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Grow *array (from malloc or NULL) to hold at least needed objects, by doubling the capacity.
   False without memory; the array is then unchanged. */
bool spn_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* A growing buffer: start with {0}, and free(data). Without memory `failed` is set, and nothing
   more is added. */
typedef struct spn_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} spn_bytes;

/* Append bytes; a number of `size` bytes, lowest first; a double likewise. */
void spn_bytes_put(spn_bytes *bytes, const void *data, size_t size);
void spn_bytes_number(spn_bytes *bytes, uint64_t value, size_t size);
void spn_bytes_real(spn_bytes *bytes, double value);

/* Copy a list of texts, NULL without memory; free one, even in part; accepts NULL. */
char **spn_list_copy(const char *const *texts, size_t count);
void spn_list_free(char **texts, size_t count);

/* ---- structs that cross the border of the library, and say their size so that they can grow ----
 */

/* Copy a caller's options over our defaults. own: the defaults, own_size bytes, starting with
   `size_t size`. given: starts with its size, too; bytes that both have are copied, and own keeps
   its size. NULL: keep the defaults. defaults: the function to start from, for errors. Errors:
   ARGUMENT if the given size is less than that of a size_t. */
spn_status spn_sized_take(void *own, size_t own_size, const void *given, const char *defaults,
                          spn_error *err);

/* Fill size bytes of a caller's struct with our own_size bytes, then zeros. */
void spn_sized_give(void *out, size_t size, const void *own, size_t own_size);

/* If memory runs out, open_memstream of the GNU C library loses characters, and neither ferror nor
   fclose reports it. This stream does. Do not move it while it is open. */
typedef struct spn_memory_stream {
    FILE *stream;
    char *text; /* flushed text, ended by a zero; NULL at first */
    size_t size;
    size_t capacity;
    bool failed; /* out of memory: the text is incomplete */
} spn_memory_stream;

/* Start a text, and return its stream. NULL without memory; finishing is then optional. */
FILE *spn_memory_stream_open(spn_memory_stream *out);

/* Close the stream and return the text; free it. NULL if memory ran out at any time. */
char *spn_memory_stream_finish(spn_memory_stream *memory);

#endif

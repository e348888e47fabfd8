/* The decompressed content of a file in memory, for the parsers. */
#ifndef SPN_BASE_SOURCE_H
#define SPN_BASE_SOURCE_H

#include <spinney/status.h>
#include <stdint.h>

typedef struct spn_source {
    const char *name; /* for errors; borrowed */
    const uint8_t *data;
    size_t size;
    uint8_t *owned; /* NULL: data is borrowed */
} spn_source;

/* The most that `packed` bytes may unpack to: SPN_UNPACKED_RATIO times as many, or
   SPN_UNPACKED_FREE bytes if that is more. Few data shrink by more, and users unpack them first; a
   file made to fill the memory shrinks by a thousand. */
enum { SPN_UNPACKED_RATIO = 32, SPN_UNPACKED_FREE = 64 << 20 };
size_t spn_unpacked_most(size_t packed);

/* INPUT: a file unpacks to more than that. remedy: how to unpack it. */
spn_status spn_unpacks_to_too_much(const char *name, size_t packed, const char *remedy,
                                   spn_error *err);

/* Read a whole file; "-" is the standard input. Gzipped content is decompressed, whatever the
   name. Neither file nor content may exceed max_bytes, nor the content spn_unpacked_most. */
spn_status spn_source_load(spn_source *out, const char *path, size_t max_bytes, spn_error *err);

/* Set who hears what this thread loads, by path, with the unpacked content; loaded NULL: nobody.
   Returns the listener before. */
typedef struct spn_source_listener {
    void (*loaded)(void *context, const char *path, const spn_source *source);
    void *context;
} spn_source_listener;
spn_source_listener spn_source_listen(spn_source_listener listener);

/* The same for bytes in memory; they are borrowed unless gzipped. */
spn_status spn_source_wrap(spn_source *out, const char *name, const uint8_t *data, size_t size,
                           size_t max_bytes, spn_error *err);

void spn_source_unload(spn_source *source);

/* Fail with INPUT and a text that starts with the file's name. */
spn_status spn_source_fail(const spn_source *source, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

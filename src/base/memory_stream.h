/* Texts that are written as a stream. In the GNU C library a stream of open_memstream that finds no
   memory loses letters, and neither ferror nor fclose says so; this one does. */
#ifndef SPN_BASE_MEMORY_STREAM_H
#define SPN_BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* Must not be moved while its stream is open. */
typedef struct spn_memory_stream {
    FILE *stream;
    char *text; /* what was flushed, ended by a zero; NULL while it is nothing */
    size_t size;
    size_t capacity;
    bool failed; /* memory was lacking: the text is not whole */
} spn_memory_stream;

/* Begin a text, and give the stream to write it to; NULL without memory: then nothing has to be
   finished, but may be. */
FILE *spn_memory_stream_open(spn_memory_stream *out);

/* Close the stream and give the text, which may be empty, and is to be freed; NULL where memory was
   lacking anywhere on the way. */
char *spn_memory_stream_finish(spn_memory_stream *memory);

#endif

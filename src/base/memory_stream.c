/* Texts that are written as a stream. */
#include "base/memory_stream.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    spn_memory_stream *m = cookie;
    if (m->failed || size > SIZE_MAX - m->size - 1 ||
        !spn_grow(&m->text, &m->capacity, m->size + size + 1, 1)) {
        m->failed = true;
        return 0;
    }
    memcpy(m->text + m->size, bytes, size);
    m->size += size;
    m->text[m->size] = 0;
    return (ssize_t)size;
}

FILE *spn_memory_stream_open(spn_memory_stream *out)
{
    *out = (spn_memory_stream){0};
    out->stream = fopencookie(out, "w", (cookie_io_functions_t){.write = append});
    out->failed = !out->stream;
    return out->stream;
}

char *spn_memory_stream_finish(spn_memory_stream *memory)
{
    if (memory->stream && (ferror(memory->stream) | fclose(memory->stream)))
        memory->failed = true;
    memory->stream = NULL;
    if (!memory->failed && !memory->text)
        append(memory, "", 0);
    char *text = memory->text;
    memory->text = NULL;
    if (!memory->failed)
        return text;
    free(text);
    return NULL;
}

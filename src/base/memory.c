/* Memory: allocation, sized structs, texts written as streams. */
#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void spn_free(void *memory)
{
    free(memory);
}

void spn_free_each(void *const *memory, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(memory[k]);
}

void *spn_alloc(size_t count, size_t size)
{
    /* large arrays are accessed at random, and huge pages save address translations */
    const size_t unit = size != 0 && count >= 2 * (size_t)HUGE_PAGE / size ? HUGE_PAGE : LINE;
    if (size != 0 && count > (SIZE_MAX - unit) / size)
        return NULL;
    size_t bytes = (count * size + unit - 1) / unit * unit;
    bytes = bytes ? bytes : LINE;
    void *memory = aligned_alloc(unit, bytes);
    if (!memory)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (unit == HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE); /* advice only; it may be refused */
#endif
    memset(memory, 0, bytes);
    return memory;
}

char *spn_text_new(const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    const int size = vasprintf(&text, format, args);
    va_end(args);
    return size < 0 ? NULL : text;
}

bool spn_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    void **slot = array;
    if (needed <= *capacity)
        return true;
    size_t larger = *capacity < 16 ? 16 : *capacity;
    while (larger < needed) {
        if (larger > SIZE_MAX / 2)
            return false;
        larger *= 2;
    }
    if (larger > SIZE_MAX / size)
        return false;
    void *grown = realloc(*slot, larger * size);
    if (!grown)
        return false;
    *slot = grown;
    *capacity = larger;
    return true;
}

void spn_bytes_put(spn_bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || bytes->failed)
        return;
    bytes->failed = size > SIZE_MAX - bytes->size ||
                    !spn_grow(&bytes->data, &bytes->capacity, bytes->size + size, 1);
    if (bytes->failed)
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void spn_bytes_number(spn_bytes *bytes, uint64_t value, size_t size)
{
    uint8_t number[8];
    for (size_t b = 0; b < size; b++)
        number[b] = (uint8_t)(value >> 8 * b);
    spn_bytes_put(bytes, number, size);
}

void spn_bytes_real(spn_bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    spn_bytes_number(bytes, bits, sizeof bits);
}

void spn_list_free(char **texts, size_t count)
{
    for (size_t k = 0; texts && k < count; k++)
        free(texts[k]);
    free(texts);
}

char **spn_list_copy(const char *const *texts, size_t count)
{
    char **copy = spn_alloc(count, sizeof *copy);
    for (size_t k = 0; copy && k < count; k++)
        if (!(copy[k] = strdup(texts[k]))) {
            spn_list_free(copy, count);
            return NULL;
        }
    return copy;
}

spn_status spn_sized_take(void *own, size_t own_size, const void *given, const char *defaults,
                          spn_error *err)
{
    size_t size;
    if (!given)
        return SPN_OK;
    memcpy(&size, given, sizeof size);
    SPN_REFUSE_IF(size < sizeof size, err, "a struct of options has the size %zu; start from %s()",
                  size, defaults);
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return SPN_OK;
}

void spn_sized_give(void *out, size_t size, const void *own, size_t own_size)
{
    memcpy(out, own, size < own_size ? size : own_size);
    if (size > own_size)
        memset((unsigned char *)out + own_size, 0, size - own_size);
}

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

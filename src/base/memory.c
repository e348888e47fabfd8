/* Checked allocation. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *spn_alloc(size_t count, size_t size)
{
    const size_t line = 64;
    if (size != 0 && count > (SIZE_MAX - line) / size)
        return NULL;
    size_t bytes = (count * size + line - 1) / line * line;
    void *memory = aligned_alloc(line, bytes ? bytes : line);
    if (memory)
        memset(memory, 0, bytes ? bytes : line);
    return memory;
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

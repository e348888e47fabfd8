/* Checked allocation. */
#include "base/memory.h"

#include <spinney/status.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void spn_free(void *memory)
{
    free(memory);
}

void *spn_alloc(size_t count, size_t size)
{
    /* large arrays are walked at random: huge pages spare address translations */
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
        madvise(memory, bytes, MADV_HUGEPAGE); /* advice: where it is refused nothing is lost */
#endif
    memset(memory, 0, bytes);
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

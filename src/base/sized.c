/* Structs that cross the border of the library. */
#include "base/sized.h"

#include <string.h>

spn_status spn_sized_take(void *own, size_t own_size, const void *given, const char *defaults,
                          spn_error *err)
{
    size_t size;
    if (!given)
        return SPN_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a struct of options has the size %zu; start from %s()", size, defaults);
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

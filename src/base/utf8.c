/* Characters of UTF-8. */
#include "base/utf8.h"

#include <string.h>

size_t spn_utf8_size(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    if (size == 0)
        return 0;
    const unsigned char c = at[0];
    const size_t length = c < 0x80                ? 1
                          : c >= 0xc2 && c < 0xe0 ? 2
                          : c < 0xe0              ? 0
                          : c < 0xf0              ? 3
                                                  : 4;
    if (length == 0 || length > size || c > 0xf4)
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    /* overlong forms, surrogates, and what lies beyond the last character */
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] >= 0xa0) ||
        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] >= 0x90))
        return 0;
    return length;
}

bool spn_is_utf8(const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const size_t size = spn_utf8_size(text, left);
        if (size == 0)
            return false;
        text += size;
        left -= size;
    }
    return true;
}

/* Characters of UTF-8. */
#ifndef SPN_BASE_UTF8_H
#define SPN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character that text, of size bytes, starts with; 0 where it is none: an overlong
   form, a surrogate, what lies beyond the last character, or no start of one. */
size_t spn_utf8_size(const char *text, size_t size);

/* Whether all of a text is UTF-8. */
bool spn_is_utf8(const char *text);

#endif

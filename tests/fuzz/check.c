/* What all targets of the fuzzers share. */
#include "check.h"

#include <stdio.h>

void require_at(bool promise, const char *words, const char *file, int line)
{
    if (promise)
        return;
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, words);
    abort();
}

void check_error(spn_status status, const spn_error *err, const char *place)
{
    if (status == SPN_OK)
        return;
    require(err->status == status && err->text[0]);
    for (const char *c = err->text; *c; c++)
        require((unsigned char)*c >= ' ' && *c != 0x7f);
    if (!place || status == SPN_ERROR_MEMORY || strncmp(err->text, place, strlen(place)) == 0)
        return;
    fprintf(stderr, "an error without its place, %s: %s\n", place, err->text);
    abort();
}

spn_source copy_of(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    require(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    return (spn_source){INPUT, copy, size, copy};
}

char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    for (size_t k = 0; k < size; k++)
        text[k] = data[k] ? (char)data[k] : ' ';
    text[size] = 0;
    return text;
}

char *next_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return line;
}

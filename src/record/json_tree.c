/* Trees of JSON, made so that no lack of memory goes unnoticed. */
#include "record/json_tree.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spn_json_set(spn_json_tree *tree, json_t *object, const char *name, json_t *value)
{
    if (json_object_set_new(object, name, value) != 0)
        tree->failed = true;
}

void spn_json_append(spn_json_tree *tree, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0)
        tree->failed = true;
}

json_t *spn_json_string(const char *text)
{
    if (spn_is_utf8(text))
        return json_string(text);
    char *plain = strdup(text);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    json_t *string = plain ? json_string(plain) : NULL;
    free(plain);
    return string;
}

json_t *spn_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static int put(const char *text, size_t size, void *stream)
{
    return fwrite(text, 1, size, stream) == size ? 0 : -1;
}

/* json_dumps, of 2.14, drops names where its own text cannot grow. */
char *spn_json_dump(const spn_json_tree *tree, json_t *root, size_t flags)
{
    spn_memory_stream memory = {.failed = true};
    FILE *stream = tree->failed ? NULL : spn_memory_stream_open(&memory);
    const bool failed = !stream || json_dump_callback(root, put, stream, flags) != 0;
    json_decref(root);
    char *text = spn_memory_stream_finish(&memory);
    if (!failed)
        return text;
    free(text);
    return NULL;
}

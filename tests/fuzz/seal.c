/* The right checksums of lines of records and of sweep.json. */
#include "seal.h"

#include "check.h"
#include "sweep/folder.h"

#include <stdio.h>
#include <xxhash.h>

spn_source with_checks(const uint8_t *data, size_t size)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    require(stream != NULL);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t line = end ? (size_t)(end - data) : size;
        fwrite(data, 1, line, stream);
        fprintf(stream, ",\"check\":\"%016llx\"}\n", (unsigned long long)XXH3_64bits(data, line));
        data += line + (end != NULL);
        size -= line + (end != NULL);
    }
    fclose(stream);
    return (spn_source){INPUT, (uint8_t *)text, length, (uint8_t *)text};
}

spn_source with_check(const uint8_t *data, size_t size)
{
    spn_json_tree tree;
    spn_json_fault fault;
    char *text = NULL;
    if (spn_json_load(&tree, (const char *)data, size, &fault) == SPN_OK &&
        tree.root->kind == SPN_JSON_OBJECT)
        require(spn_sweep_seal(&text, tree.root, NULL) == SPN_OK);
    spn_json_unload(&tree);
    return text ? (spn_source){INPUT, (uint8_t *)text, strlen(text), (uint8_t *)text}
                : copy_of(data, size);
}

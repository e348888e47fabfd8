/* JSON in tests: what is missing fails, or is no value. */
#ifndef SPN_TEST_JSON_H
#define SPN_TEST_JSON_H

#include "base/json.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline spn_json_tree json_of(const char *text, size_t size)
{
    spn_json_tree tree;
    spn_json_fault fault;
    if (spn_json_load(&tree, text, size, &fault))
        fail_msg("line %zu: %s", fault.line, fault.what);
    return tree;
}

static inline spn_json_tree json_of_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(stream);
    char *text = malloc(size + 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, size, stream), size);
    fclose(stream);
    const spn_json_tree tree = json_of(text, size);
    free(text);
    return tree;
}

static inline bool json_is_list(const spn_json_value *value)
{
    return spn_json_is(value, SPN_JSON_LIST);
}

static inline bool json_is_true(const spn_json_value *value)
{
    return spn_json_is(value, SPN_JSON_TRUE);
}

static inline size_t json_count(const spn_json_value *list)
{
    return json_is_list(list) ? list->count : 0;
}

/* Element k of a list, or NULL. */
static inline const spn_json_value *json_at(const spn_json_value *list, size_t k)
{
    const spn_json_value *value = json_is_list(list) ? spn_json_first(list) : NULL;
    for (; value && k > 0; k--)
        value = spn_json_next(list, value);
    return value;
}

#endif

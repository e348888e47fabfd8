/* Names of variables: numbered as they come, found by hashing. */
#include "data/graph/graph.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct spn_name_map {
    char **names;
    size_t count, capacity;
    uint32_t *slots;   /* number + 1 of a name; 0: free */
    size_t slot_count; /* a power of two, more than twice the names */
    uint64_t seed;     /* of the hashes */
};

enum { FIRST_SLOTS = 1024 };

spn_name_map *spn_name_map_create(void)
{
    spn_name_map *map = calloc(1, sizeof *map);
    uint32_t *slots = map ? calloc(FIRST_SLOTS, sizeof *slots) : NULL;
    if (!slots) {
        free(map);
        return NULL;
    }
    map->slots = slots;
    map->slot_count = FIRST_SLOTS;
    map->seed = spn_hash_seed();
    return map;
}

void spn_name_map_free(spn_name_map *map)
{
    if (!map)
        return;
    for (size_t k = 0; k < map->count; k++)
        free(map->names[k]);
    free(map->names);
    free(map->slots);
    free(map);
}

size_t spn_name_map_count(const spn_name_map *map)
{
    return map->count;
}

const char *spn_name_map_at(const spn_name_map *map, size_t i)
{
    return map->names[i];
}

/* The slot of a name: its own, or the free one for it. */
static uint32_t *slot_of(const spn_name_map *map, spn_span name)
{
    size_t at =
        (size_t)XXH3_64bits_withSeed(name.text, name.size, map->seed) & (map->slot_count - 1);
    while (map->slots[at] && !spn_span_is(name, map->names[map->slots[at] - 1]))
        at = (at + 1) & (map->slot_count - 1);
    return &map->slots[at];
}

static bool widen(spn_name_map *map)
{
    uint32_t *wider = calloc(2 * map->slot_count, sizeof *wider);
    if (!wider)
        return false;
    free(map->slots);
    map->slots = wider;
    map->slot_count *= 2;
    for (size_t k = 0; k < map->count; k++)
        *slot_of(map, (spn_span){map->names[k], strlen(map->names[k])}) = (uint32_t)k + 1;
    return true;
}

/* The length of the UTF-8 character that text starts with; 0 if it is none, or is a control
   character. */
static size_t character(const char *text, size_t size)
{
    const unsigned char c = (unsigned char)text[0];
    return c < 0x20 || c == 0x7f ? 0 : spn_utf8_size(text, size);
}

static bool is_name(spn_span name)
{
    size_t at = 0, step = 1;
    while (at < name.size && step > 0)
        at += step = character(name.text + at, name.size - at);
    return name.size > 0 && step > 0;
}

static spn_status add(uint32_t *slot, spn_name_map *map, spn_span name, const spn_walk *walk,
                      spn_error *err)
{
    char shown[SPN_SHOWN];
    if (!is_name(name))
        return spn_walk_fail(walk, err,
                             "'%s' is no name: it is empty, not UTF-8 or has control characters",
                             spn_show(shown, name));
    if (map->count == SPN_GRAPH_MOST_SITES)
        return spn_walk_fail(walk, err, "more than %d names", SPN_GRAPH_MOST_SITES);
    char *copy = strndup(name.text, name.size);
    if (!copy || !spn_grow(&map->names, &map->capacity, map->count + 1, sizeof *map->names)) {
        free(copy);
        return spn_walk_no_memory(walk, err);
    }
    map->names[map->count++] = copy;
    *slot = (uint32_t)map->count;
    if (2 * map->count >= map->slot_count && !widen(map))
        return spn_walk_no_memory(walk, err);
    return SPN_OK;
}

spn_status spn_name_map_put(uint32_t *out, bool *added, spn_name_map *map, spn_span name,
                            const spn_walk *walk, spn_error *err)
{
    uint32_t *slot = slot_of(map, name);
    *added = *slot == 0;
    *out = *added ? (uint32_t)map->count : *slot - 1;
    return *added ? add(slot, map, name, walk, err) : SPN_OK;
}

void spn_name_map_give(spn_problem *problem, spn_name_map *map)
{
    problem->names = map->names;
    map->names = NULL;
    map->count = 0;
}

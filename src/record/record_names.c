/* The names that records hold. */
#include "base/memory.h"
#include <spinney/lab/records.h>

#include <stdlib.h>
#include <string.h>

/* Names in the order in which they were met. */
typedef struct list {
    const char **names;
    size_t count, capacity;
} list;

/* guess: where the name probably is; most records hold the same names in the same order. */
static bool add(list *out, const char *name, size_t guess)
{
    if (guess < out->count && strcmp(out->names[guess], name) == 0)
        return true;
    for (size_t k = 0; k < out->count; k++)
        if (strcmp(out->names[k], name) == 0)
            return true;
    if (!spn_grow(&out->names, &out->capacity, out->count + 1, sizeof *out->names))
        return false;
    out->names[out->count++] = name;
    return true;
}

static bool add_record(list out[3], const spn_record *record)
{
    bool fits = true;
    for (size_t k = 0; k < record->setting_count && fits; k++)
        fits = add(&out[0], record->settings[k].name, k);
    for (size_t k = 0; k < record->result_count && fits; k++)
        fits = add(&out[1], record->results[k].name, k);
    for (size_t k = 0; k < record->curve_count && fits; k++)
        fits = add(&out[2], record->curves[k].name, k);
    return fits;
}

spn_status spn_record_names_of(spn_record_names *out, const spn_record *const *records,
                               size_t count, spn_error *err)
{
    list lists[3] = {{0}, {0}, {0}};
    bool fits = true;
    for (size_t k = 0; k < count && fits; k++)
        fits = add_record(lists, records[k]);
    *out = (spn_record_names){
        .setting_count = lists[0].count,
        .settings = lists[0].names,
        .result_count = lists[1].count,
        .results = lists[1].names,
        .curve_count = lists[2].count,
        .curves = lists[2].names,
    };
    if (fits)
        return SPN_OK;
    spn_record_names_clear(out);
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the names of records");
}

void spn_record_names_clear(spn_record_names *names)
{
    free(names->settings);
    free(names->results);
    free(names->curves);
    *names = (spn_record_names){0};
}

/* spinney records: runs that agree in some settings. */
#include "cli/records.h"

#include <stdlib.h>
#include <string.h>

/* The values of a setting that are met, those of an axis in its order. */
typedef struct values {
    const char **texts;
    size_t count, capacity;
} values;

static bool append(values *out, const char *text)
{
    if (out->count == out->capacity) {
        const size_t larger = out->capacity ? 2 * out->capacity : 16;
        const char **grown = realloc(out->texts, larger * sizeof *grown);
        if (!grown)
            return false;
        out->texts = grown;
        out->capacity = larger;
    }
    out->texts[out->count++] = text;
    return true;
}

/* The number of a text; SIZE_MAX without memory. Numbers such as those of runs are in a buffer and
   have to be copied. */
static size_t number_of(values *out, const char *text, bool copy)
{
    for (size_t k = 0; k < out->count; k++)
        if (strcmp(out->texts[k], text) == 0)
            return k;
    if (copy && !(text = strdup(text)))
        return SIZE_MAX;
    return append(out, text) ? out->count - 1 : SIZE_MAX;
}

static bool add_axis(values *out, const spn_sweep *sweep, const char *name)
{
    bool fits = true;
    for (size_t k = 0; k < sweep->axis_count; k++)
        for (size_t v = 0; v < sweep->axes[k].count && fits; v++)
            if (strcmp(sweep->axes[k].setting, name) == 0)
                fits = append(out, sweep->axes[k].values[v]);
    return fits;
}

/* Numbers for one setting of all records, into every stride-th place. */
static bool rank(size_t *out, size_t stride, const cli_view *view, const char *name)
{
    values met = {0};
    char buffer[CLI_FIELD];
    bool fits = add_axis(&met, view->all->sweep, name);
    const size_t known = met.count;
    const bool copy = strcmp(name, "run") == 0;
    for (size_t k = 0; k < view->count && fits; k++) {
        const char *text = cli_record_text(view->chosen[k], name, buffer);
        const bool missing = text == buffer && !copy;
        out[k * stride] = number_of(&met, missing ? "-" : text, copy);
        fits = out[k * stride] != SIZE_MAX;
    }
    for (size_t k = known; k < met.count && copy; k++)
        free((char *)met.texts[k]);
    free(met.texts);
    return fits;
}

/* ---- sorting ---- */

/* A record and where its values stand: `depth` numbers, then its place before. */
typedef struct entry {
    const size_t *numbers;
    size_t depth, place;
} entry;

static int compare_values(const entry *x, const entry *y)
{
    for (size_t k = 0; k < x->depth; k++)
        if (x->numbers[k] != y->numbers[k])
            return x->numbers[k] < y->numbers[k] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int order = compare_values(x, y);
    if (order)
        return order;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void collect(cli_groups *out, const cli_view *view, entry *entries)
{
    qsort(entries, view->count, sizeof *entries, compare);
    for (size_t k = 0; k < view->count; k++) {
        out->records[k] = view->chosen[entries[k].place];
        if (k == 0 || compare_values(&entries[k - 1], &entries[k]) != 0)
            out->groups[out->count++] = (cli_group){.records = out->records + k};
        out->groups[out->count - 1].count++;
    }
}

bool cli_records_group(cli_groups *out, const cli_view *view)
{
    const size_t depth = view->by.count;
    size_t *numbers = calloc(view->count * depth + 1, sizeof *numbers);
    entry *entries = calloc(view->count + 1, sizeof *entries);
    *out = (cli_groups){.records = calloc(view->count + 1, sizeof *out->records),
                        .groups = calloc(view->count + 1, sizeof *out->groups)};
    bool fits = numbers && entries && out->records && out->groups;
    for (size_t k = 0; k < depth && fits; k++)
        fits = rank(numbers + k, depth, view, view->by.names[k]);
    for (size_t k = 0; k < view->count && fits; k++)
        entries[k] = (entry){numbers + k * depth, depth, k};
    if (fits)
        collect(out, view, entries);
    free(entries);
    free(numbers);
    return fits;
}

void cli_groups_clear(cli_groups *groups)
{
    free(groups->records);
    free(groups->groups);
}

spn_summary cli_group_summary(const cli_group *group, const char *name, bool *ok)
{
    double *numbers = malloc((group->count + 1) * sizeof *numbers);
    spn_summary summary = {0};
    *ok = numbers != NULL;
    for (size_t k = 0; k < group->count && numbers; k++)
        numbers[k] = spn_record_number(group->records[k], name);
    if (numbers)
        summary = spn_summarise(numbers, group->count);
    free(numbers);
    return summary;
}

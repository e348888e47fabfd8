#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "query/query.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Accepted orders. Longer operators come first, so that <= is not read as <. */
static const struct {
    const char *text;
    bool below, equal, above;
} operations[] = {{"!=", true, false, true}, {"<=", true, true, false}, {">=", false, true, true},
                  {"=", false, true, false}, {"<", true, false, false}, {">", false, false, true}};

enum { LONGEST_NAME = 127 };

typedef struct condition {
    char name[LONGEST_NAME + 1];
    size_t operation; /* index into the table */
    spn_span value;
    bool is_number;
    double number;
} condition;

static spn_status no_condition(const char *text, const char *why, spn_error *err)
{
    return spn_refuse(err,
                      "'%s' is no condition: %s; expected NAME OP VALUE with OP one of = != < <= > "
                      ">=, such as gamma<=3.2",
                      text, why);
}

static spn_status parse(condition *out, const char *text, spn_error *err)
{
    const size_t size = strcspn(text, "=!<>");
    const spn_span name = spn_trim((spn_span){text, size});
    const char *value = NULL;
    for (size_t k = 0; k < sizeof operations / sizeof *operations && !value; k++) {
        const size_t length = strlen(operations[k].text);
        if (strncmp(text + size, operations[k].text, length) != 0)
            continue;
        out->operation = k;
        value = text + size + length;
    }
    if (!value)
        return no_condition(text, "it has no comparison", err);
    if (name.size == 0 || name.size > LONGEST_NAME)
        return no_condition(text, name.size ? "its name is too long" : "it has no name", err);
    out->value = spn_trim((spn_span){value, strlen(value)});
    if (out->value.size == 0 || strchr("=<>", out->value.text[0]))
        return no_condition(text, "it has no value", err);
    memcpy(out->name, name.text, name.size);
    out->name[name.size] = 0;
    out->is_number = spn_number_read(&out->number, out->value) == SPN_NUMBER_FINITE;
    if (!out->is_number && operations[out->operation].below != operations[out->operation].above)
        return no_condition(text, "only numbers are less or greater", err);
    return SPN_OK;
}

spn_status spn_record_matches(bool *out, const spn_record *record, const char *text, spn_error *err)
{
    condition c = {0};
    *out = false;
    SPN_TRY(parse(&c, text, err));
    char buffer[SPN_FIELD_TEXT];
    const double number = spn_record_number(record, c.name);
    const char *found = spn_record_any_text(buffer, record, c.name);
    if (c.is_number && !isnan(number)) {
        *out = number < c.number   ? operations[c.operation].below
               : number > c.number ? operations[c.operation].above
                                   : operations[c.operation].equal;
    } else if (found) {
        const bool equal =
            strlen(found) == c.value.size && memcmp(found, c.value.text, c.value.size) == 0;
        *out = operations[c.operation].below == operations[c.operation].above &&
               (equal ? operations[c.operation].equal : operations[c.operation].below);
    }
    return SPN_OK;
}

/* The curve and column of a name such as flips.p; NULL: the run has none. */
static const spn_result_curve *curve_of(size_t *column, const spn_record *record, const char *name)
{
    const size_t length = strcspn(name, ".");
    for (size_t c = 0; name[length] && c < record->curve_count; c++) {
        const spn_result_curve *curve = &record->curves[c];
        if (strlen(curve->name) != length || strncmp(curve->name, name, length) != 0)
            continue;
        *column = spn_result_curve_column(curve, name + length + 1);
        return *column == SIZE_MAX ? NULL : curve;
    }
    return NULL;
}

double spn_observation_number(spn_observation at, const char *name)
{
    size_t column;
    const spn_result_curve *curve = curve_of(&column, at.record, name);
    if (curve)
        return at.row < curve->rows ? curve->values[column][at.row] : NAN;
    return spn_record_number(at.record, name);
}

bool spn_record_has(const spn_record *record, const char *name)
{
    size_t column;
    char text[SPN_FIELD_TEXT];
    for (size_t k = 0; k < record->result_count; k++)
        if (strcmp(record->results[k].name, name) == 0)
            return true; /* it may be NaN */
    return curve_of(&column, record, name) || spn_record_any_text(text, record, name) ||
           !isnan(spn_record_number(record, name));
}

const char *spn_observation_text(char out[SPN_FIELD_TEXT], spn_observation at, const char *name)
{
    const char *text = spn_record_any_text(out, at.record, name);
    if (text)
        return text;
    if (!spn_record_has(at.record, name))
        return "-";
    spn_print_text(out, SPN_FIELD_TEXT, "%.10g", spn_observation_number(at, name));
    return out;
}

/* Distinct values of a name: those of an axis in its order, others in order of first use. Numbers
   are compared as numbers, others as texts. */
typedef struct values {
    char **texts;
    double *numbers; /* NaN: not a number */
    size_t count, text_room, number_room;
    size_t *slots; /* hash table with linear probing: place + 1; 0: free */
    size_t slot_count;
} values;

static size_t *slot_of(const values *v, const char *text, double number)
{
    const bool finite = !isnan(number);
    const uint64_t hash =
        finite ? XXH3_64bits(&number, sizeof number) : XXH3_64bits(text, strlen(text));
    for (size_t s = hash % v->slot_count;; s = (s + 1) % v->slot_count) {
        const size_t k = v->slots[s];
        if (k == 0 || (finite ? v->numbers[k - 1] == number : strcmp(v->texts[k - 1], text) == 0))
            return &v->slots[s];
    }
}

/* Make room for a value; at most half of the slots are used. */
static bool grow(values *v)
{
    if (!spn_grow(&v->texts, &v->text_room, v->count + 1, sizeof *v->texts) ||
        !spn_grow(&v->numbers, &v->number_room, v->count + 1, sizeof *v->numbers))
        return false;
    if (2 * (v->count + 1) <= v->slot_count)
        return true;
    const size_t count = v->slot_count ? 2 * v->slot_count : 64;
    size_t *slots = spn_alloc(count, sizeof *slots);
    if (!slots)
        return false;
    free(v->slots);
    v->slots = slots;
    v->slot_count = count;
    for (size_t k = 0; k < v->count; k++)
        *slot_of(v, v->texts[k], v->numbers[k]) = k + 1;
    return true;
}

/* Find or add a value; SIZE_MAX without memory. */
static size_t place_of(values *v, const char *text)
{
    double number;
    if (spn_number_read(&number, (spn_span){text, strlen(text)}) == SPN_NUMBER_FINITE)
        number += 0.0; /* no -0 */
    else
        number = NAN;
    if (!grow(v))
        return SIZE_MAX;
    size_t *slot = slot_of(v, text, number);
    if (*slot > 0)
        return *slot - 1;
    if (!(v->texts[v->count] = strdup(text)))
        return SIZE_MAX;
    v->numbers[v->count] = number;
    *slot = ++v->count;
    return v->count - 1;
}

/* Places of one name for all observations, into every stride-th of out. */
static bool find_places(size_t *out, size_t stride, const spn_observation *of, size_t count,
                        const char *name, const spn_sweep *sweep)
{
    values met = {0};
    char buffer[SPN_FIELD_TEXT];
    bool fits = true;
    for (size_t a = 0; a < sweep->axis_count; a++)
        for (size_t v = 0; v < sweep->axes[a].count && fits; v++)
            if (strcmp(sweep->axes[a].setting, name) == 0)
                fits = place_of(&met, sweep->axes[a].values[v]) != SIZE_MAX;
    for (size_t k = 0; k < count && fits; k++) {
        out[k * stride] = place_of(&met, spn_observation_text(buffer, of[k], name));
        fits = out[k * stride] != SIZE_MAX;
    }
    for (size_t k = 0; k < met.count; k++)
        free(met.texts[k]);
    SPN_FREE_ALL(met.texts, met.numbers, met.slots);
    return fits;
}

typedef struct entry {
    const size_t *places;
    size_t depth, index;
} entry;

static int compare_places(const entry *x, const entry *y)
{
    for (size_t k = 0; k < x->depth; k++)
        if (x->places[k] != y->places[k])
            return x->places[k] < y->places[k] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int order = compare_places(x, y);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

spn_status spn_groups_make(spn_groups *out, const spn_observation *of, size_t count,
                           const char *const *names, size_t name_count, const spn_sweep *sweep,
                           spn_error *err)
{
    spn_status status = SPN_OK;
    size_t *places = spn_alloc(count * name_count, sizeof *places);
    entry *entries = spn_alloc(count, sizeof *entries);
    *out = (spn_groups){.members = spn_alloc(count, sizeof *out->members),
                        .groups = spn_alloc(count, sizeof *out->groups)};
    bool fits = places && entries && out->members && out->groups;
    for (size_t k = 0; k < name_count && fits; k++)
        fits = find_places(places + k, name_count, of, count, names[k], sweep);
    if (!fits) {
        status = spn_no_memory(err, "groups of runs");
        goto cleanup;
    }
    for (size_t k = 0; k < count; k++)
        entries[k] = (entry){places + k * name_count, name_count, k};
    qsort(entries, count, sizeof *entries, compare);
    for (size_t k = 0; k < count; k++) {
        out->members[k] = of[entries[k].index];
        if (k == 0 || compare_places(&entries[k - 1], &entries[k]) != 0)
            out->groups[out->count++] = (spn_group){.members = out->members + k};
        out->groups[out->count - 1].count++;
    }
cleanup:
    SPN_FREE_ALL(places, entries);
    if (status)
        spn_groups_clear(out);
    return status;
}

void spn_groups_clear(spn_groups *groups)
{
    SPN_FREE_ALL(groups->groups, groups->members);
    *groups = (spn_groups){0};
}

spn_status spn_group_summarise(spn_summary *out, const spn_group *group, const char *name,
                               bool share, spn_error *err)
{
    double *numbers = spn_alloc(group->count, sizeof *numbers);
    SPN_NEED(numbers, err, "groups of runs");
    for (size_t k = 0; k < group->count; k++)
        numbers[k] = spn_observation_number(group->members[k], name);
    *out =
        share ? spn_summarise_shares(numbers, group->count) : spn_summarise(numbers, group->count);
    free(numbers);
    return SPN_OK;
}

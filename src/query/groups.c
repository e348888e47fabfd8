#include "base/memory.h"
#include "base/number.h"
#include "base/texts.h"
#include "query/query.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The place of a value among the distinct ones met so far; equal numbers are one value. False
   without memory. */
static bool place_of(size_t *out, spn_texts *met, const char *text)
{
    char same[SPN_NUMBER_TEXT];
    double number;
    uint32_t place = 0;
    if (spn_number_read(&number, (spn_span){text, strlen(text)}) == SPN_NUMBER_FINITE) {
        spn_print_text(same, sizeof same, "%.17g", number + 0.0); /* no -0 */
        text = same;
    }
    const bool fits = spn_texts_add(&place, met, (spn_span){text, strlen(text)});
    *out = place;
    return fits;
}

/* Places of one name for all observations, into every stride-th of out: axis values come in their
   order, others in order of first use. */
static bool find_places(size_t *out, size_t stride, const spn_observation *of, size_t count,
                        const char *name, const spn_sweep *sweep)
{
    spn_texts met = {0};
    size_t place;
    char buffer[SPN_FIELD_TEXT];
    bool fits = true;
    for (size_t a = 0; a < sweep->axis_count; a++)
        for (size_t v = 0; v < sweep->axes[a].count && fits; v++)
            if (strcmp(sweep->axes[a].setting, name) == 0)
                fits = place_of(&place, &met, sweep->axes[a].values[v]);
    for (size_t k = 0; k < count && fits; k++)
        fits = place_of(&out[k * stride], &met, spn_observation_text(buffer, of[k], name));
    spn_texts_free(&met);
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

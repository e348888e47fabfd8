/* The sets that moves keep: constraints "low to high of these bits are 1" that do not overlap.

   Exact ones come first, in the order of the problem, except that very large ones wait, so that one
   total over all does not rule out many one-hot sets. Columns are one-hot sets, or at most one of a
   set, that cross kept one-hot sets: together they are an assignment, and its permutations are
   moves. */
#include "problem/build.h"

#include "base/memory.h"
#include <stdlib.h>

enum { VERY_LARGE = 8 }; /* times the median size */

typedef struct candidate {
    uint32_t constraint, size, low, high;
    uint8_t class; /* 0: exact; 1: exact, very large; 2: a range */
} candidate;

/* Whether constraint k says how many of at least two bits are 1. */
static bool is_candidate(candidate *out, const spn_build *b, size_t k)
{
    const double slack = 1e-9;
    const spn_draft *draft = &b->draft[k];
    const spn_own_constraint *own = &b->c->program->constraint[k];
    const size_t size = b->draft[k + 1].first - draft->first;
    if (!draft->is_linear || draft->is_dropped || own->weight < INFINITY || size < 2)
        return false;
    const spn_entry *entry = b->entry + draft->first;
    const double change = entry[0].change, limit = -draft->start / change;
    for (size_t e = 1; e < size; e++)
        if (entry[e].change != change)
            return false;
    double low = 0, high = (double)size;
    if (own->sense == SPN_SENSE_EQUAL || change < 0)
        low = fmax(0, ceil(limit - slack));
    if (own->sense == SPN_SENSE_EQUAL || change > 0)
        high = fmin(high, floor(limit + slack));
    if (low > high)
        return false;
    *out =
        (candidate){(uint32_t)k, (uint32_t)size, (uint32_t)low, (uint32_t)high, low < high ? 2 : 0};
    return true;
}

static int by_size(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int by_class(const void *a, const void *b)
{
    const candidate *left = a, *right = b;
    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return (left->constraint > right->constraint) - (left->constraint < right->constraint);
}

/* Exact candidates that are very large get a class of their own. */
static bool classify(candidate *list, size_t count)
{
    uint32_t *sizes = spn_alloc(count, sizeof *sizes);
    size_t exact = 0;
    if (!sizes)
        return false;
    for (size_t k = 0; k < count; k++)
        if (list[k].class == 0)
            sizes[exact++] = list[k].size;
    if (exact > 0)
        qsort(sizes, exact, sizeof *sizes, by_size);
    for (size_t k = 0; k < count; k++)
        if (list[k].class == 0 && list[k].size / VERY_LARGE > sizes[exact / 2])
            list[k].class = 1;
    free(sizes);
    return true;
}

/* Whether no bit of a constraint has a number yet; then give them all this one. */
static bool claim(uint32_t *numbers, const spn_build *b, uint32_t constraint, size_t number)
{
    const size_t first = b->draft[constraint].first, end = b->draft[constraint + 1].first;
    for (size_t e = first; e < end; e++)
        if (numbers[b->entry[e].row] != SPN_NO_SET)
            return false;
    for (size_t e = first; e < end; e++)
        numbers[b->entry[e].row] = (uint32_t)number;
    return true;
}

static void keep(spn_build *b, const candidate *list, size_t count)
{
    spn_compiled *c = b->c;
    size_t members = 0;
    for (size_t k = 0; k < count; k++) {
        const candidate *own = &list[k];
        if (own->low == 0 && own->high == own->size) {
            b->draft[own->constraint].is_dropped = true; /* it always holds */
            continue;
        }
        if (!claim(c->set_of, b, own->constraint, c->sets))
            continue;
        c->set[c->sets++] =
            (spn_kept_set){members, own->size, own->low, own->high, own->constraint};
        members += own->size;
        b->draft[own->constraint].is_kept = true;
    }
}

/* Whether a constraint crosses kept one-hot sets, and each in one bit. stamp: of each set. */
static bool crosses(const spn_build *b, uint32_t constraint, uint32_t *stamp)
{
    const spn_compiled *c = b->c;
    bool found = false;
    for (size_t e = b->draft[constraint].first; e < b->draft[constraint + 1].first; e++) {
        const uint32_t set = c->set_of[b->entry[e].row];
        if (set == SPN_NO_SET)
            continue;
        if (stamp[set] == constraint + 1)
            return false;
        stamp[set] = constraint + 1;
        found = found || (c->set[set].low == 1 && c->set[set].high == 1);
    }
    return found;
}

static bool choose_columns(spn_build *b, const candidate *list, size_t count)
{
    spn_compiled *c = b->c;
    uint32_t *stamp = spn_alloc(c->sets, sizeof *stamp);
    if (!stamp)
        return false;
    for (size_t k = 0; k < count; k++) {
        const spn_draft *draft = &b->draft[list[k].constraint];
        if (!draft->is_kept && !draft->is_dropped && list[k].high == 1 &&
            crosses(b, list[k].constraint, stamp) &&
            claim(c->column_of, b, list[k].constraint, c->columns))
            c->columns++;
    }
    free(stamp);
    return true;
}

typedef struct placed {
    uint32_t set, column, bit;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *left = a, *right = b;
    if (left->set != right->set)
        return left->set < right->set ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->bit > right->bit) - (left->bit < right->bit);
}

/* The members of all sets, sorted by their columns. */
static bool list_members(spn_compiled *c)
{
    placed *list = spn_alloc(c->bits, sizeof *list);
    c->set_members = spn_alloc(c->bits, sizeof *c->set_members);
    size_t count = 0;
    if (list && c->set_members) {
        for (uint32_t i = 0; i < c->bits; i++)
            if (c->set_of[i] != SPN_NO_SET)
                list[count++] = (placed){c->set_of[i], c->column_of[i], i};
        if (count > 0)
            qsort(list, count, sizeof *list, by_place);
        for (size_t k = 0; k < count; k++)
            c->set_members[k] = list[k].bit;
    }
    free(list);
    return list && c->set_members;
}

static bool allocate(spn_compiled *c)
{
    c->set = spn_alloc(c->program->constraints, sizeof *c->set);
    c->set_of = spn_alloc(c->bits + 1, sizeof *c->set_of);
    c->column_of = spn_alloc(c->bits + 1, sizeof *c->column_of);
    if (!c->set || !c->set_of || !c->column_of)
        return false;
    for (size_t i = 0; i <= c->bits; i++)
        c->set_of[i] = c->column_of[i] = SPN_NO_SET;
    return true;
}

spn_status spn_build_sets(spn_build *b, bool keeps, spn_error *err)
{
    const size_t constraints = b->c->program->constraints;
    candidate *list = spn_alloc(constraints, sizeof *list);
    size_t count = 0;
    bool made = list && allocate(b->c);
    if (made && keeps)
        for (size_t k = 0; k < constraints; k++)
            count += is_candidate(&list[count], b, k);
    made = made && classify(list, count);
    if (made && count > 0) {
        qsort(list, count, sizeof *list, by_class);
        keep(b, list, count);
        made = choose_columns(b, list, count);
    }
    made = made && list_members(b->c);
    free(list);
    return made ? SPN_OK : spn_no_memory(err, "the sets of a problem");
}

/* What no state can beat. Half of each link counts at each of its bits, so the objective is a sum
   over the bits that are 1 of

     h_i = field_i + sum_j J_ij x_j / 2

   and at its least if every h_i is, of the states in which the kept sets hold, and then of each set
   the bits with the least h_i are 1. Products count at their best, soft constraints nothing. */
#include "problem/solver.h"

#include "base/memory.h"
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The least sum of low to high of `count` numbers and of `zeros` more, which are 0. */
static double least_sum(double *numbers, size_t count, size_t zeros, size_t low, size_t high)
{
    size_t negative = 0;
    double sum = 0;
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, by_size);
    while (negative < count && numbers[negative] < 0)
        negative++;
    const size_t free = negative + zeros; /* that raise nothing */
    for (size_t k = 0; k < negative && k < high; k++)
        sum += numbers[k];
    for (size_t k = free; k < low; k++)
        sum += numbers[k - zeros];
    return sum;
}

typedef struct grouped {
    uint32_t set;
    double half; /* of a coupling */
} grouped;

static int by_set(const void *a, const void *b)
{
    const grouped *left = a, *right = b;
    return (left->set > right->set) - (left->set < right->set);
}

/* The least h_i if bit i is 1. In its own set one bit less is 1 than else. */
static double least_effect(const spn_compiled *c, uint32_t i, grouped *links, double *numbers)
{
    size_t count = 0;
    double sum = c->field[i];
    for (size_t l = c->link_first[i]; l < c->link_first[i + 1]; l++)
        links[count++] = (grouped){c->set_of[c->links[l].bit], c->links[l].coupling / 2};
    if (count > 1)
        qsort(links, count, sizeof *links, by_set);
    for (size_t k = 0; k < count;) {
        const uint32_t own = links[k].set;
        size_t found = 0;
        for (; k < count && links[k].set == own; k++)
            numbers[found++] = links[k].half;
        const bool is_free = own == SPN_NO_SET, is_in = !is_free && own == c->set_of[i];
        const spn_kept_set *set = is_free ? NULL : &c->set[own];
        const size_t others = is_free ? found : set->count - is_in;
        const size_t low = is_free || set->low < is_in ? 0 : set->low - is_in;
        sum += least_sum(numbers, found, others - found, low, is_free ? found : set->high - is_in);
    }
    return sum;
}

static double of_products(const spn_compiled *c)
{
    double bound = 0;
    for (size_t t = 0; t < c->products; t++) {
        bool has_spin = false;
        for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++)
            has_spin = has_spin || c->is_spin[c->members[m]];
        const double coefficient = c->product[t].coefficient;
        if (c->product[t].row == SPN_NO_ROW)
            bound -= has_spin ? fabs(coefficient) : fmax(0, -coefficient);
    }
    return bound;
}

static double sum_up(const spn_compiled *c, double *effect)
{
    double bound = c->constant + of_products(c);
    for (size_t k = 0; k < c->sets; k++) {
        const spn_kept_set *set = &c->set[k];
        for (size_t m = 0; m < set->count; m++)
            effect[c->bits + m] = effect[c->set_members[set->first + m]];
        bound += least_sum(effect + c->bits, set->count, 0, set->low, set->high);
    }
    for (size_t i = 0; i < c->bits; i++)
        bound += c->set_of[i] == SPN_NO_SET ? fmin(0, effect[i]) : 0;
    return c->exact ? ceil(bound) : bound; /* halves are exact, too */
}

spn_status spn_compiled_bound(double *out, const spn_compiled *c, spn_error *err)
{
    *out = -INFINITY;
    if (c->energy)
        return SPN_OK;
    grouped *links = spn_alloc(c->bits, sizeof *links);
    double *numbers = spn_alloc(c->bits, sizeof *numbers);
    double *effect = spn_alloc(2 * c->bits, sizeof *effect);
    if (links && numbers && effect) {
        for (uint32_t i = 0; i < c->bits; i++)
            effect[i] = least_effect(c, i, links, numbers);
        *out = sum_up(c, effect);
    }
    const bool made = links && numbers && effect;
    SPN_FREE_ALL(links, numbers, effect);
    return made ? SPN_OK : spn_no_memory(err, "the bound of a problem");
}

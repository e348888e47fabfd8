/* Products of variables as sums of products of bits: fixed values become factors, integers sums. */
#include "problem/expand.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PRODUCTS = 1 << 26 };

typedef struct expansion {
    spn_expanded *out;
    const uint32_t *list; /* variables of the term */
    size_t count;
    uint32_t *bits; /* of the product so far */
    spn_error *err;
} expansion;

static int compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Append a product of bits; repeated ones are reduced. */
static spn_status append(expansion *e, double coefficient, size_t count)
{
    spn_rows *rows = &e->out->rows;
    const uint8_t *is_spin = e->out->compiled->is_spin;
    SPN_REFUSE_IF(rows->count >= MOST_PRODUCTS, e->err,
                  "products of integer variables have more than %d terms of bits: lower their "
                  "degree or their ranges",
                  (int)MOST_PRODUCTS);
    SPN_NEED(
        spn_grow(&rows->coefficients, &rows->capacity, rows->count + 1,
                 sizeof *rows->coefficients) &&
            spn_grow(&rows->starts, &rows->start_capacity, rows->count + 2, sizeof *rows->starts) &&
            spn_grow(&rows->variables, &rows->room, rows->length + count + 1,
                     sizeof *rows->variables),
        e->err, "the terms of a problem");
    uint32_t *list = rows->variables + rows->length;
    size_t kept = 0;
    memcpy(list, e->bits, count * sizeof *list);
    if (count > 1)
        qsort(list, count, sizeof *list, compare);
    for (size_t k = 0; k < count; k++) {
        if (kept == 0 || list[kept - 1] != list[k])
            list[kept++] = list[k];
        else if (is_spin[list[k]])
            kept--;
    }
    rows->starts[0] = 0;
    rows->coefficients[rows->count++] = coefficient;
    rows->length += kept;
    rows->starts[rows->count] = rows->length;
    return SPN_OK;
}

/* The product of the variables from `at` on, each power multiplied out. A variable with low and
   bits is a sum, of which each part is followed in turn. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the term's degree */
static spn_status multiply(expansion *e, size_t at, double coefficient, size_t count)
{
    const spn_compiled *c = e->out->compiled;
    if (coefficient == 0)
        return SPN_OK;
    if (at == e->count)
        return append(e, coefficient, count);
    const spn_bit_range *of = &c->of[e->list[at]];
    if (of->end > of->first && c->is_spin[of->first]) {
        e->bits[count] = of->first;
        return multiply(e, at + 1, coefficient * of->sign, count + 1);
    }
    SPN_TRY(multiply(e, at + 1, coefficient * of->lowest, count));
    for (uint32_t b = of->first; b < of->end; b++) {
        e->bits[count] = b;
        SPN_TRY(multiply(e, at + 1, coefficient * of->sign * c->weight[b], count + 1));
    }
    return SPN_OK;
}

spn_status spn_expand(spn_expanded *out, const spn_rows *rows, size_t t, double factor,
                      spn_error *err)
{
    const size_t start = rows->starts[t], count = rows->starts[t + 1] - start;
    uint32_t few[16], *bits = count <= 16 ? few : malloc(count * sizeof *bits);
    SPN_NEED(bits, err, "a term of a problem");
    expansion e = {out, rows->variables + start, count, bits, err};
    const spn_status status = multiply(&e, 0, factor * rows->coefficients[t], 0);
    if (bits != few)
        free(bits);
    return status;
}

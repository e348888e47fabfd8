/* From a problem to bits, fields, links, products and rows. */
#include "problem/build.h"

#include "base/memory.h"
#include "problem/expand.h"
#include "problem/presolve.h"
#include <stdlib.h>
#include <string.h>

enum { DENSE_BITS = 1024 };

void spn_compiled_free(spn_compiled *c)
{
    if (!c)
        return;
    SPN_FREE_ALL(c->of, c->weight, c->variable, c->is_spin, c->field, c->link_first, c->links,
                 c->dense, c->product, c->member_first, c->members, c->in_first, c->in, c->far_end,
                 c->near_first, c->near, c->row, c->entry_first, c->entries, c->set, c->set_members,
                 c->set_of, c->column_of, c->site_of, c);
}

/* ---- bits ---- */

/* The values that a variable may have. */
typedef struct value_range {
    int32_t low, high;
    bool is_spin;
} value_range;

static value_range range_of(const spn_program *p, const spn_presolved *presolved, size_t i)
{
    const spn_own_variable *v = &p->variables[i];
    const bool is_spin = v->kind == SPN_VARIABLE_SPIN;
    if (v->is_fixed)
        return (value_range){v->value, v->value, is_spin};
    if (presolved)
        return (value_range){presolved->low[i], presolved->high[i], is_spin};
    return (value_range){v->low, v->high, is_spin};
}

/* The number of bits of a range, and, if weight is not NULL, their weights. */
static uint32_t bits_of(value_range values, int32_t *weight)
{
    uint32_t count = 0;
    for (int64_t left = (int64_t)values.high - values.low; left > 0; count++) {
        const int64_t next = values.is_spin ? 2 : (int64_t)1 << count;
        const int64_t own = next < left ? next : left;
        if (weight)
            weight[count] = (int32_t)own;
        left -= own;
    }
    return count;
}

/* Roots come before the variables that follow them. */
static spn_status number_bits(spn_compiled *c, const spn_presolved *presolved, spn_error *err)
{
    const spn_program *p = c->program;
    SPN_NEED(c->of = spn_alloc(p->count, sizeof *c->of), err, "the variables of a problem");
    for (size_t i = 0; i < p->count; i++) {
        const value_range values = range_of(p, presolved, i);
        const uint32_t first = (uint32_t)c->bits,
                       root = presolved ? presolved->root[i] : (uint32_t)i;
        c->of[i] = (spn_bit_range){first, first, values.low, 1};
        if (root != i) {
            const bool turned = presolved->turned[i];
            c->of[i] = (spn_bit_range){c->of[root].first, c->of[root].end,
                                       turned ? values.high : values.low, turned ? -1 : 1};
            continue;
        }
        c->bits += bits_of(values, NULL);
        c->of[i].end = (uint32_t)c->bits;
        SPN_REFUSE_IF(c->bits >= INT32_MAX, err, "the problem has more than 2^31 bits");
    }
    return SPN_OK;
}

static spn_status make_bits(spn_compiled *c, const spn_presolved *presolved, spn_error *err)
{
    const spn_program *p = c->program;
    SPN_TRY(number_bits(c, presolved, err));
    c->weight = spn_alloc(c->bits + 1, sizeof *c->weight);
    c->variable = spn_alloc(c->bits + 1, sizeof *c->variable);
    c->is_spin = spn_alloc(c->bits + 1, 1);
    SPN_NEED(c->weight && c->variable && c->is_spin, err, "the bits of a problem");
    for (size_t i = 0; i < p->count; i++) {
        if (presolved && presolved->root[i] != i)
            continue;
        if (c->of[i].first < c->of[i].end)
            bits_of(range_of(p, presolved, i), c->weight + c->of[i].first);
        for (uint32_t b = c->of[i].first; b < c->of[i].end; b++) {
            c->variable[b] = (uint32_t)i;
            c->is_spin[b] = p->variables[i].kind == SPN_VARIABLE_SPIN;
        }
    }
    return SPN_OK;
}

void spn_compiled_values(int32_t *values, const spn_compiled *c, const int8_t *spins)
{
    for (size_t i = 0; i < c->program->count; i++) {
        const spn_bit_range *of = &c->of[i];
        values[i] = of->lowest;
        for (uint32_t b = of->first; b < of->end; b++)
            values[i] += spins[b] > 0 ? of->sign * c->weight[b] : 0;
    }
}

/* ---- the objective ---- */

static spn_status add_pair(spn_build *b, uint32_t i, uint32_t j, double coupling, spn_error *err)
{
    SPN_NEED(spn_grow(&b->pair, &b->pair_room, b->pairs + 1, sizeof *b->pair), err,
             "the links of a problem");
    b->pair[b->pairs++] = (spn_pair){i < j ? i : j, i < j ? j : i, coupling};
    return SPN_OK;
}

/* A term of degree 1: a spin is 2 x - 1. */
static void add_single(spn_compiled *c, double coefficient, uint32_t i)
{
    c->field[i] += c->is_spin[i] ? 2 * coefficient : coefficient;
    c->constant -= c->is_spin[i] ? coefficient : 0;
}

static spn_status add_double(spn_build *b, double coefficient, uint32_t i, uint32_t j,
                             spn_error *err)
{
    spn_compiled *c = b->c;
    const double of_i = c->is_spin[i] ? 2 : 1, of_j = c->is_spin[j] ? 2 : 1;
    c->field[i] -= c->is_spin[j] ? of_i * coefficient : 0;
    c->field[j] -= c->is_spin[i] ? of_j * coefficient : 0;
    c->constant += c->is_spin[i] && c->is_spin[j] ? coefficient : 0;
    return add_pair(b, i, j, of_i * of_j * coefficient, err);
}

static spn_status add_product(spn_build *b, const spn_rows *rows, size_t t, uint32_t row,
                              spn_error *err)
{
    spn_rows *own = &b->products;
    const size_t start = rows->starts[t], count = rows->starts[t + 1] - start;
    SPN_NEED(
        spn_grow(&own->coefficients, &own->capacity, own->count + 1, sizeof *own->coefficients) &&
            spn_grow(&own->starts, &own->start_capacity, own->count + 2, sizeof *own->starts) &&
            spn_grow(&own->variables, &own->room, own->length + count, sizeof *own->variables) &&
            spn_grow(&b->product_row, &b->row_room, own->count + 1, sizeof *b->product_row),
        err, "the products of a problem");
    own->starts[0] = 0;
    memcpy(own->variables + own->length, rows->variables + start, count * sizeof *own->variables);
    own->length += count;
    own->coefficients[own->count] = rows->coefficients[t];
    b->product_row[own->count++] = row;
    own->starts[own->count] = own->length;
    return SPN_OK;
}

static spn_status add_objective_term(spn_build *b, const spn_rows *rows, size_t t, spn_error *err)
{
    const size_t start = rows->starts[t], count = rows->starts[t + 1] - start;
    const uint32_t *list = rows->variables + start;
    const double coefficient = rows->coefficients[t];
    b->c->bound += fabs(coefficient);
    if (count == 0)
        b->c->constant += coefficient;
    else if (count == 1)
        add_single(b->c, coefficient, list[0]);
    else if (count == 2)
        return add_double(b, coefficient, list[0], list[1], err);
    else
        return add_product(b, rows, t, SPN_NO_ROW, err);
    return SPN_OK;
}

static spn_status build_objective(spn_build *b, spn_error *err)
{
    spn_compiled *c = b->c;
    const spn_rows *rows = &c->program->objective;
    spn_expanded expanded = {.compiled = c};
    spn_status status = SPN_OK;
    SPN_NEED(c->field = spn_alloc(c->bits + 1, sizeof *c->field), err, "the fields of a problem");
    c->constant = c->sign * c->program->constant;
    for (size_t t = 0; t < rows->count; t++) {
        expanded.rows.count = expanded.rows.length = 0;
        SPN_TRY_OR(cleanup, spn_expand(&expanded, rows, t, c->sign, err));
        for (size_t k = 0; k < expanded.rows.count; k++)
            SPN_TRY_OR(cleanup, add_objective_term(b, &expanded.rows, k, err));
    }
cleanup:
    spn_rows_free(&expanded.rows);
    return status;
}

static int by_bits(const void *a, const void *b)
{
    const spn_pair *left = a, *right = b;
    if (left->i != right->i)
        return left->i < right->i ? -1 : 1;
    return (left->j > right->j) - (left->j < right->j);
}

/* Add up pairs of the same bits. */
static void merge_pairs(spn_build *b)
{
    size_t kept = 0;
    if (b->pairs > 0)
        qsort(b->pair, b->pairs, sizeof *b->pair, by_bits);
    for (size_t k = 0; k < b->pairs; k++) {
        if (kept > 0 && b->pair[kept - 1].i == b->pair[k].i && b->pair[kept - 1].j == b->pair[k].j)
            b->pair[kept - 1].coupling += b->pair[k].coupling;
        else
            b->pair[kept++] = b->pair[k];
    }
    b->pairs = kept;
}

static spn_status make_links(spn_build *b, spn_error *err)
{
    spn_compiled *c = b->c;
    merge_pairs(b);
    c->link_first = spn_alloc(c->bits + 2, sizeof *c->link_first);
    c->links = spn_alloc(2 * b->pairs, sizeof *c->links);
    SPN_NEED(c->link_first && c->links, err, "the links of a problem");
    size_t *next = c->link_first + 1; /* counts, then where the next link of a bit goes */
    for (size_t k = 0; k < b->pairs; k++) {
        next[b->pair[k].i + 1]++;
        next[b->pair[k].j + 1]++;
    }
    for (size_t i = 0; i < c->bits; i++)
        next[i + 1] += next[i];
    for (size_t k = 0; k < b->pairs; k++) /* sorted: first those from below, then from above */
        c->links[next[b->pair[k].j]++] = (spn_link){b->pair[k].i, b->pair[k].coupling};
    for (size_t k = 0; k < b->pairs; k++)
        c->links[next[b->pair[k].i]++] = (spn_link){b->pair[k].j, b->pair[k].coupling};
    if (c->bits > DENSE_BITS || b->pairs == 0)
        return SPN_OK;
    SPN_NEED(c->dense = spn_alloc(c->bits * c->bits, sizeof *c->dense), err,
             "the links of a problem");
    for (size_t k = 0; k < b->pairs; k++)
        c->dense[b->pair[k].i * c->bits + b->pair[k].j] =
            c->dense[b->pair[k].j * c->bits + b->pair[k].i] = b->pair[k].coupling;
    return SPN_OK;
}

double spn_compiled_coupling(const spn_compiled *c, uint32_t i, uint32_t j)
{
    if (c->dense)
        return c->dense[i * c->bits + j];
    size_t low = c->link_first[i], high = c->link_first[i + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->links[middle].bit < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->link_first[i + 1] && c->links[low].bit == j ? c->links[low].coupling : 0;
}

/* ---- constraints ---- */

static bool is_linear(const spn_rows *rows)
{
    for (size_t t = 0; t < rows->count; t++)
        if (rows->starts[t + 1] - rows->starts[t] > 1)
            return false;
    return true;
}

static int by_row(const void *a, const void *b)
{
    const spn_entry *left = a, *right = b;
    return (left->row > right->row) - (left->row < right->row);
}

/* The entries of a linear constraint, with equal bits added up. */
static spn_status add_entries(spn_build *b, spn_draft *draft, const spn_rows *rows, spn_error *err)
{
    const uint8_t *is_spin = b->c->is_spin;
    SPN_NEED(spn_grow(&b->entry, &b->entry_room, b->entries + rows->count, sizeof *b->entry), err,
             "the rows of a problem");
    spn_entry *own = b->entry + b->entries;
    size_t count = 0, kept = 0;
    for (size_t t = 0; t < rows->count; t++) {
        const double coefficient = rows->coefficients[t];
        if (rows->starts[t + 1] == rows->starts[t]) {
            draft->start += coefficient;
            continue;
        }
        const uint32_t bit = rows->variables[rows->starts[t]];
        draft->start -= is_spin[bit] ? coefficient : 0;
        own[count++] = (spn_entry){bit, is_spin[bit] ? 2 * coefficient : coefficient};
    }
    if (count > 1)
        qsort(own, count, sizeof *own, by_row);
    for (size_t k = 0; k < count; k++) {
        if (kept > 0 && own[kept - 1].row == own[k].row)
            own[kept - 1].change += own[k].change;
        else
            own[kept++] = own[k];
        if (own[kept - 1].change == 0)
            kept--;
    }
    b->entries += kept;
    return SPN_OK;
}

/* Constraint k as u <= 0 or u = 0. */
static spn_status build_constraint(spn_build *b, spn_expanded *expanded, size_t k, spn_error *err)
{
    const spn_program *p = b->c->program;
    const spn_own_constraint *own = &p->constraint[k];
    const spn_row_range range = spn_constraint_range(p, k);
    const double sign = own->sense == SPN_SENSE_AT_LEAST ? -1 : 1;
    spn_draft *draft = &b->draft[k];
    *draft = (spn_draft){.first = b->entries, .start = -sign * own->right};
    expanded->rows.count = expanded->rows.length = 0;
    for (size_t t = range.first; t < range.end; t++)
        SPN_TRY(spn_expand(expanded, &p->rows, t, sign, err));
    draft->is_linear = is_linear(&expanded->rows);
    if (draft->is_linear)
        return add_entries(b, draft, &expanded->rows, err);
    for (size_t t = 0; t < expanded->rows.count; t++) {
        if (expanded->rows.starts[t + 1] == expanded->rows.starts[t])
            draft->start += expanded->rows.coefficients[t];
        else
            SPN_TRY(add_product(b, &expanded->rows, t, (uint32_t)k, err));
    }
    return SPN_OK;
}

static spn_status build_constraints(spn_build *b, const spn_presolved *presolved, spn_error *err)
{
    const spn_program *p = b->c->program;
    spn_expanded expanded = {.compiled = b->c};
    spn_status status = SPN_OK;
    SPN_NEED(b->draft = spn_alloc(p->constraints + 1, sizeof *b->draft), err,
             "the rows of a problem");
    for (size_t k = 0; k < p->constraints; k++) {
        if (presolved && presolved->dropped[k])
            b->draft[k] = (spn_draft){.first = b->entries, .is_dropped = true, .is_linear = true};
        else
            SPN_TRY_OR(cleanup, build_constraint(b, &expanded, k, err));
    }
    b->draft[p->constraints].first = b->entries;
cleanup:
    spn_rows_free(&expanded.rows);
    return status;
}

/* Rows for all constraints that are neither kept nor dropped. row_of: of each constraint. */
static spn_status make_rows(spn_build *b, uint32_t *row_of, spn_error *err)
{
    enum { HALF = 2 };
    spn_compiled *c = b->c;
    const spn_program *p = c->program;
    SPN_NEED(c->row = spn_alloc(p->constraints, sizeof *c->row), err, "the rows of a problem");
    for (size_t k = 0; k < p->constraints; k++) {
        const spn_own_constraint *own = &p->constraint[k];
        row_of[k] = SPN_NO_ROW;
        if (b->draft[k].is_dropped || b->draft[k].is_kept)
            continue;
        row_of[k] = (uint32_t)c->rows;
        c->row[c->rows++] = (spn_row){.start = b->draft[k].start,
                                      .both = own->sense == SPN_SENSE_EQUAL,
                                      .rounding = own->integral ? 0 : HALF * 1e-12 * own->bound,
                                      .soft = own->weight < INFINITY ? own->weight : 0,
                                      .constraint = (uint32_t)k};
    }
    return SPN_OK;
}

static spn_status make_entries(spn_build *b, const uint32_t *row_of, spn_error *err)
{
    spn_compiled *c = b->c;
    c->entry_first = spn_alloc(c->bits + 2, sizeof *c->entry_first);
    c->entries = spn_alloc(b->entries, sizeof *c->entries);
    SPN_NEED(c->entry_first && c->entries, err, "the rows of a problem");
    size_t *next = c->entry_first + 1;
    for (size_t k = 0; k < c->program->constraints; k++)
        for (size_t e = b->draft[k].first; e < b->draft[k + 1].first; e++)
            next[b->entry[e].row + 1] += row_of[k] != SPN_NO_ROW;
    for (size_t i = 0; i < c->bits; i++)
        next[i + 1] += next[i];
    for (size_t k = 0; k < c->program->constraints; k++)
        for (size_t e = b->draft[k].first; e < b->draft[k + 1].first; e++)
            if (row_of[k] != SPN_NO_ROW)
                c->entries[next[b->entry[e].row]++] = (spn_entry){row_of[k], b->entry[e].change};
    return SPN_OK;
}

static bool is_near(const spn_compiled *c, size_t t)
{
    const size_t degree = c->member_first[t + 1] - c->member_first[t];
    return c->product[t].row == SPN_NO_ROW && degree <= SPN_NEAR_OTHERS + 1;
}

static spn_near near_of(const spn_compiled *c, size_t t, uint32_t bit)
{
    spn_near near = {c->product[t].coefficient, {SPN_NO_BIT, SPN_NO_BIT, SPN_NO_BIT}, 0};
    size_t others = 0;
    for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++) {
        const uint32_t k = c->members[m];
        if (k == bit)
            continue;
        near.spins |= (uint32_t)c->is_spin[k] << others;
        near.other[others++] = k;
    }
    return near;
}

/* Bits list the products whose state is needed first. */
static spn_status make_near(spn_compiled *c, spn_error *err)
{
    c->far_end = spn_alloc(c->bits, sizeof *c->far_end);
    c->near_first = spn_alloc(c->bits + 1, sizeof *c->near_first);
    SPN_NEED(c->far_end && c->near_first, err, "the products of a problem");
    for (size_t i = 0; i < c->bits; i++) {
        size_t end = c->in_first[i];
        for (size_t k = end; k < c->in_first[i + 1]; k++)
            if (!is_near(c, c->in[k])) {
                const uint32_t far = c->in[k];
                c->in[k] = c->in[end];
                c->in[end++] = far;
            }
        c->far_end[i] = end;
        c->near_first[i + 1] = c->near_first[i] + c->in_first[i + 1] - end;
    }
    SPN_NEED(c->near = spn_alloc(c->near_first[c->bits], sizeof *c->near), err,
             "the products of a problem");
    for (uint32_t i = 0; i < c->bits; i++)
        for (size_t k = c->far_end[i]; k < c->in_first[i + 1]; k++)
            c->near[c->near_first[i] + k - c->far_end[i]] = near_of(c, c->in[k], i);
    return SPN_OK;
}

static spn_status make_products(spn_build *b, const uint32_t *row_of, spn_error *err)
{
    spn_compiled *c = b->c;
    c->products = b->products.count;
    c->product = spn_alloc(c->products, sizeof *c->product);
    c->in_first = spn_alloc(c->bits + 2, sizeof *c->in_first);
    c->in = spn_alloc(b->products.length, sizeof *c->in);
    SPN_NEED(c->product && c->in_first && c->in, err, "the products of a problem");
    c->member_first = b->products.starts;
    c->members = b->products.variables;
    b->products.starts = NULL;
    b->products.variables = NULL;
    size_t *next = c->in_first + 1;
    for (size_t m = 0; m < b->products.length; m++)
        next[c->members[m] + 1]++;
    for (size_t i = 0; i < c->bits; i++)
        next[i + 1] += next[i];
    for (size_t t = 0; t < c->products; t++) {
        const uint32_t k = b->product_row[t];
        c->product[t] = (spn_product){b->products.coefficients[t], k == SPN_NO_ROW ? k : row_of[k]};
        for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++)
            c->in[next[c->members[m]]++] = (uint32_t)t;
    }
    return make_near(c, err);
}

static spn_status take_energy(spn_compiled *c, spn_error *err)
{
    c->energy = c->program->energy;
    if (!c->energy)
        return SPN_OK;
    SPN_NEED(c->site_of = spn_alloc(c->bits + 1, sizeof *c->site_of), err, "an energy's spins");
    for (size_t i = 0; i < c->bits; i++)
        c->site_of[i] = c->variable[i] < spn_energy_sites(c->energy) ? c->variable[i] : SPN_NO_BIT;
    return SPN_OK;
}

static bool all_integral(const spn_compiled *c)
{
    const spn_program *p = c->program;
    bool integral = p->integral && (!c->energy || spn_energy_integral(c->energy));
    for (size_t k = 0; k < p->constraints; k++)
        integral = integral && p->constraint[k].integral;
    return integral;
}

static spn_status build_all(spn_build *b, const spn_compile_options *options, spn_error *err)
{
    spn_compiled *c = b->c;
    SPN_TRY(make_bits(c, options->presolved, err));
    SPN_TRY(build_objective(b, err));
    SPN_TRY(make_links(b, err));
    SPN_TRY(build_constraints(b, options->presolved, err));
    SPN_TRY(spn_build_sets(b, options->keeps_sets, err));
    uint32_t *row_of = spn_alloc(c->program->constraints + 1, sizeof *row_of);
    SPN_NEED(row_of, err, "the rows of a problem");
    spn_status status;
    SPN_TRY_OR(cleanup, make_rows(b, row_of, err));
    SPN_TRY_OR(cleanup, make_entries(b, row_of, err));
    SPN_TRY_OR(cleanup, make_products(b, row_of, err));
    SPN_TRY_OR(cleanup, take_energy(c, err));
    c->integral = all_integral(c);
    c->exact = c->integral && c->bound < 0x1p50; /* spins make up to four times as much of a term */
cleanup:
    free(row_of);
    return status;
}

spn_status spn_compile(spn_compiled **out, const spn_program *program,
                       const spn_compile_options *options, spn_error *err)
{
    spn_build b = {0};
    SPN_NEED(*out = b.c = spn_alloc(1, sizeof **out), err, "a problem");
    b.c->program = program;
    b.c->sign = program->maximises ? -1 : 1;
    const spn_status status = build_all(&b, options, err);
    spn_rows_free(&b.products);
    SPN_FREE_ALL(b.pair, b.product_row, b.draft, b.entry);
    if (status) {
        spn_compiled_free(*out);
        *out = NULL;
    }
    return status;
}

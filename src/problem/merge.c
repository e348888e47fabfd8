/* Presolve: variables of two values that are equal or opposite, by what constraints of two of them
   allow together: x = y, x + y = 1, x <= y and y <= x, or the clauses that say so. */
#include "problem/presolve.h"

#include "base/memory.h"
#include <stdlib.h>

/* What two roots may be: bit 2 a + b is set if i may be at its end a, 0 the lower one, and j at b.
 */
enum {
    ALL = 0xf,
    EQUAL = 0x9,
    OPPOSITE = 0x6,
    I_LOW = 0x3,
    I_HIGH = 0xc,
    J_LOW = 0x5,
    J_HIGH = 0xa
};

typedef struct pair {
    uint32_t i, j, allowed;
    size_t constraint;
} pair;

typedef struct merging {
    spn_presolved *out;
    const spn_program *program;
    pair *pairs; /* one for each constraint */
    size_t count;
    bool fixed, merged;
} merging;

/* A constraint as start + of[0] a + of[1] b, a and b 0 or 1, of two roots. */
typedef struct sum {
    double start, of[2];
    uint32_t root[2];
    size_t roots;
} sum;

void spn_presolve_part(spn_presolved *out, const spn_program *p)
{
    for (size_t i = 0; i < p->count; i++)
        out->root[i] = (uint32_t)i;
    for (size_t k = 0; k < p->constraints; k++)
        if (out->dropped[k] == SPN_DROPPED_BY_MERGES)
            out->dropped[k] = SPN_NOT_DROPPED;
}

/* The root of a variable, with the turns on the way. */
static uint32_t find(spn_presolved *p, uint32_t i, bool *turned)
{
    *turned = false;
    while (p->root[i] != i) {
        *turned ^= p->turned[i];
        i = p->root[i];
    }
    return i;
}

static bool has_two_values(const merging *m, uint32_t i)
{
    const bool is_spin = m->program->variables[i].kind == SPN_VARIABLE_SPIN;
    const size_t spins = m->program->energy ? spn_energy_sites(m->program->energy) : 0;
    return i >= spins && (int64_t)m->out->high[i] - m->out->low[i] == (is_spin ? 2 : 1);
}

/* False: there are more than two roots, or other variables. */
static bool add_term(sum *s, const merging *m, double coefficient, uint32_t i)
{
    const int32_t low = m->out->low[i], high = m->out->high[i];
    bool turned;
    if (low == high) {
        s->start += coefficient * low;
        return true;
    }
    if (!has_two_values(m, i))
        return false;
    const uint32_t root = find(m->out, i, &turned);
    size_t at = 0;
    while (at < s->roots && s->root[at] != root)
        at++;
    if (at == 2)
        return false;
    s->root[at] = root;
    s->roots += at == s->roots;
    s->start += coefficient * (turned ? high : low);
    s->of[at] += coefficient * ((double)high - low) * (turned ? -1 : 1);
    return true;
}

static bool sum_of(sum *s, const merging *m, size_t k)
{
    const spn_row_range range = spn_constraint_range(m->program, k);
    *s = (sum){.start = -m->program->constraint[k].right};
    for (size_t t = range.first; t < range.end; t++) {
        const size_t first = range.rows->starts[t];
        if (range.rows->starts[t + 1] == first)
            s->start += range.rows->coefficients[t];
        else if (!add_term(s, m, range.rows->coefficients[t], range.rows->variables[first]))
            return false;
    }
    return true;
}

static uint32_t allowed_of(const sum *s, const spn_own_constraint *own)
{
    const double margin = spn_presolve_margin(own);
    uint32_t allowed = 0;
    for (uint32_t state = 0; state <= 3; state++) {
        const double value = s->start + (state & 2 ? s->of[0] : 0) + (state & 1 ? s->of[1] : 0);
        const bool holds = (own->sense == SPN_SENSE_AT_LEAST || value <= margin) &&
                           (own->sense == SPN_SENSE_AT_MOST || value >= -margin);
        allowed |= (uint32_t)holds << state;
    }
    return allowed;
}

static void gather(merging *m)
{
    const spn_program *p = m->program;
    m->count = 0;
    for (size_t k = 0; k < p->constraints; k++) {
        sum s;
        if (p->constraint[k].weight < INFINITY || m->out->dropped[k] != SPN_NOT_DROPPED ||
            !spn_constraint_is_linear(p, k) || !sum_of(&s, m, k))
            continue;
        const uint32_t allowed = allowed_of(&s, &p->constraint[k]);
        if (s.roots < 2)
            s.root[1] = s.root[0] = s.roots ? s.root[0] : 0;
        if (allowed == ALL)
            m->out->dropped[k] = SPN_DROPPED_BY_MERGES;
        else if (s.root[0] <= s.root[1])
            m->pairs[m->count++] = (pair){s.root[0], s.root[1], allowed, k};
        else /* bits 1 and 2 change places */
            m->pairs[m->count++] =
                (pair){s.root[1], s.root[0],
                       (allowed & EQUAL) | (allowed & 2) << 1 | (allowed & 4) >> 1, k};
    }
}

static int by_roots(const void *a, const void *b)
{
    const pair *left = a, *right = b;
    if (left->i != right->i)
        return left->i < right->i ? -1 : 1;
    if (left->j != right->j)
        return left->j < right->j ? -1 : 1;
    return (left->constraint > right->constraint) - (left->constraint < right->constraint);
}

static void fix(merging *m, uint32_t i, bool high)
{
    if (m->out->low[i] == m->out->high[i]) /* another constraint has; a next pass compares them */
        return;
    if (high)
        m->out->low[i] = m->out->high[i];
    else
        m->out->high[i] = m->out->low[i];
    m->fixed = true;
}

static bool is_open_root(const merging *m, uint32_t i)
{
    return m->out->root[i] == i && has_two_values(m, i);
}

/* What all constraints of two roots allow together. */
static void conclude(merging *m, const pair *of)
{
    const uint32_t allowed = of->allowed;
    const spn_own_variable *variables = m->program->variables;
    if (allowed == 0)
        m->out->impossible = of->constraint;
    else if (!(allowed & I_LOW) || !(allowed & I_HIGH))
        fix(m, of->i, !(allowed & I_LOW));
    else if (!(allowed & J_LOW) || !(allowed & J_HIGH))
        fix(m, of->j, !(allowed & J_LOW));
    else if ((allowed == EQUAL || allowed == OPPOSITE) && is_open_root(m, of->i) &&
             is_open_root(m, of->j) &&
             (variables[of->i].kind == SPN_VARIABLE_SPIN) ==
                 (variables[of->j].kind == SPN_VARIABLE_SPIN)) {
        m->out->root[of->j] = of->i;
        m->out->turned[of->j] = allowed == OPPOSITE;
        m->merged = true;
    }
}

static void conclude_all(merging *m)
{
    if (m->count > 0)
        qsort(m->pairs, m->count, sizeof *m->pairs, by_roots);
    for (size_t k = 0; k < m->count && m->out->impossible == SIZE_MAX;) {
        pair all = m->pairs[k];
        for (k++; k < m->count && m->pairs[k].i == all.i && m->pairs[k].j == all.j; k++) {
            all.allowed &= m->pairs[k].allowed;
            all.constraint = m->pairs[k].constraint;
        }
        conclude(m, &all);
    }
}

spn_status spn_presolve_merge(bool *fixed, spn_presolved *out, const spn_program *p, spn_error *err)
{
    merging m = {.out = out, .program = p, .merged = true};
    spn_presolve_part(out, p);
    SPN_NEED(m.pairs = spn_alloc(p->constraints, sizeof *m.pairs), err,
             "the presolve of a problem");
    while (m.merged && out->impossible == SIZE_MAX) {
        m.merged = false;
        gather(&m);
        conclude_all(&m);
    }
    free(m.pairs);
    for (uint32_t i = 0; i < p->count; i++) { /* each follows its last root */
        bool turned;
        const uint32_t root = find(out, i, &turned);
        out->root[i] = root;
        out->turned[i] = turned;
    }
    *fixed = m.fixed;
    return SPN_OK;
}

/* Presolve: what follows from each of the two values of a variable. A value from which the
   constraints make a contradiction is none, and a variable of two values that has another one with
   each is equal or opposite to it: x = y, x + y = 1, x <= y <= z <= x, or the clauses that say so.
 */
#include "problem/presolve.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { VISITS = 1 << 23, VISITS_PER_TERM = 4 }; /* of terms, in all passes */

typedef struct probing {
    spn_presolving *w;
    size_t *first;  /* of each variable, its constraints in `rows` */
    uint32_t *rows; /* linear ones that must hold */
    uint32_t *queue;
    size_t waiting;
    uint8_t *queued; /* of each constraint */
    size_t *stamp;   /* of each variable: 1 plus the last one whose lower value changed it */
    int32_t *value;  /* and what it fixed it at, if it did */
    double *factor;  /* of each root, in a constraint */
} probing;

void spn_presolve_part(spn_presolved *out, const spn_program *p)
{
    for (size_t i = 0; i < p->count; i++)
        out->root[i] = (uint32_t)i;
    memset(out->turned, 0, p->count);
}

/* ---- consequences ---- */

static void enqueue(probing *p, uint32_t i)
{
    for (size_t k = p->first[i]; k < p->first[i + 1]; k++)
        if (!p->queued[p->rows[k]]) {
            p->queued[p->rows[k]] = 1;
            p->queue[p->waiting++] = p->rows[k];
        }
}

static uint32_t dequeue(probing *p)
{
    const uint32_t row = p->queue[--p->waiting];
    p->queued[row] = 0;
    return row;
}

/* Set a variable to one end of its range, and all that follows. False: a contradiction. */
static bool suppose(probing *p, uint32_t i, bool high)
{
    spn_presolving *w = p->w;
    const int32_t value = high ? w->out->high[i] : w->out->low[i];
    spn_presolve_set(w, i, value, value);
    for (size_t at = 0; w->visits < w->most && w->out->impossible == SIZE_MAX;) {
        for (; at < w->cuts; at++)
            enqueue(p, w->cut[at].variable);
        if (p->waiting == 0)
            break;
        spn_presolve_propagate(w, dequeue(p));
    }
    while (p->waiting > 0)
        dequeue(p);
    return w->out->impossible == SIZE_MAX;
}

static void take_back(spn_presolving *w)
{
    while (w->cuts > 0) {
        const spn_cut *last = &w->cut[--w->cuts];
        w->out->low[last->variable] = last->low;
        w->out->high[last->variable] = last->high;
    }
    w->out->impossible = SIZE_MAX;
}

/* ---- merges ---- */

static bool has_two_values(const spn_presolving *w, uint32_t i, int32_t low, int32_t high)
{
    const bool is_spin = w->program->variables[i].kind == SPN_VARIABLE_SPIN;
    return (int64_t)high - low == (is_spin ? 2 : 1);
}

/* The root of a variable, with the turns on the way. */
static uint32_t find(const spn_presolved *p, uint32_t i, bool *turned)
{
    *turned = false;
    while (p->root[i] != i) {
        *turned ^= p->turned[i];
        i = p->root[i];
    }
    return i;
}

static void merge(spn_presolving *w, uint32_t i, uint32_t j, bool opposite)
{
    const spn_own_variable *variables = w->program->variables;
    const size_t spins = w->program->energy ? spn_energy_sites(w->program->energy) : 0;
    bool turned_i, turned_j;
    if (i < spins || j < spins ||
        (variables[i].kind == SPN_VARIABLE_SPIN) != (variables[j].kind == SPN_VARIABLE_SPIN))
        return;
    const uint32_t a = find(w->out, i, &turned_i), b = find(w->out, j, &turned_j);
    const uint32_t root = a < b ? a : b, other = a < b ? b : a;
    if (a == b)
        return;
    w->out->root[other] = root;
    w->out->turned[other] = opposite ^ turned_i ^ turned_j;
}

/* Whether a linear constraint always holds, given what was merged. */
static bool holds_merged(probing *p, size_t k)
{
    const spn_presolved *out = p->w->out;
    const spn_own_constraint *own = &p->w->program->constraint[k];
    const spn_row_range range = spn_constraint_range(p->w->program, k);
    double low = -own->right, high;
    for (size_t t = range.first; t < range.end; t++) {
        const double coefficient = range.rows->coefficients[t];
        const size_t at = range.rows->starts[t];
        const bool is_constant = range.rows->starts[t + 1] == at;
        const uint32_t i = is_constant ? 0 : range.rows->variables[at];
        low += is_constant      ? coefficient
               : out->turned[i] ? coefficient * out->high[i]
                                : coefficient * out->low[i];
        if (!is_constant)
            p->factor[out->root[i]] += out->turned[i] ? -coefficient : coefficient;
    }
    high = low;
    for (size_t t = range.first; t < range.end; t++) {
        if (range.rows->starts[t + 1] == range.rows->starts[t])
            continue;
        const uint32_t root = out->root[range.rows->variables[range.rows->starts[t]]];
        const double most = p->factor[root] * ((double)out->high[root] - out->low[root]);
        low += fmin(0, most);
        high += fmax(0, most);
        p->factor[root] = 0;
    }
    return (own->sense == SPN_SENSE_AT_LEAST || high <= 0) &&
           (own->sense == SPN_SENSE_AT_MOST || low >= 0);
}

/* Each variable follows its last root; then constraints that hold by that are dropped. */
static void finish_merges(probing *p)
{
    spn_presolved *out = p->w->out;
    size_t merged = 0;
    for (uint32_t i = 0; i < p->w->program->count; i++) {
        bool turned;
        out->root[i] = find(out, i, &turned);
        out->turned[i] = turned;
        merged += out->root[i] != i;
    }
    for (size_t k = 0; merged > 0 && k < p->w->program->constraints; k++)
        if (out->dropped[k] == SPN_NOT_DROPPED && spn_presolve_counts(p->w->program, k) &&
            holds_merged(p, k))
            out->dropped[k] = SPN_DROPPED_BY_MERGES;
}

/* ---- probes ---- */

/* What the lower value of variable i fixes. */
static void note(probing *p, uint32_t i)
{
    const spn_presolving *w = p->w;
    for (size_t at = 0; at < w->cuts; at++) {
        const uint32_t j = w->cut[at].variable;
        p->stamp[j] = w->out->low[j] == w->out->high[j] ? (size_t)i + 1 : 0;
        p->value[j] = w->out->low[j];
    }
}

/* Merge what the higher value fixes elsewhere: of each variable, the first cut has its range. */
static void merge_others(probing *p, uint32_t i)
{
    spn_presolving *w = p->w;
    for (size_t at = 0; at < w->cuts; at++) {
        const spn_cut *own = &w->cut[at];
        const uint32_t j = own->variable;
        const int32_t value = w->out->low[j];
        if (j != i && p->stamp[j] == (size_t)i + 1 && value == w->out->high[j] &&
            value != p->value[j] && has_two_values(w, j, own->low, own->high))
            merge(w, i, j, value == own->low);
        p->stamp[j] = 0;
    }
}

/* Both values of a variable. */
static void probe(probing *p, uint32_t i)
{
    spn_presolving *w = p->w;
    const bool takes_low = suppose(p, i, false);
    note(p, i);
    take_back(w);
    const bool takes_high = suppose(p, i, true);
    const size_t impossible = w->out->impossible;
    if (takes_low && takes_high)
        merge_others(p, i);
    take_back(w);
    if (takes_low && takes_high)
        return;
    if (takes_low || takes_high)
        (void)suppose(p, i, takes_high);
    else
        w->out->impossible = impossible;
    w->cuts = 0;
    w->changed = true;
}

static void probe_all(probing *p)
{
    const spn_presolving *w = p->w;
    for (uint32_t i = 0; i < w->program->count; i++)
        if (w->visits < w->most && w->out->impossible == SIZE_MAX &&
            has_two_values(w, i, w->out->low[i], w->out->high[i]) && w->out->root[i] == i &&
            p->first[i] < p->first[i + 1])
            probe(p, i);
}

/* Count the constraints of each variable, or list them: next[i] is where its next one goes. */
static void list_rows(const spn_presolving *w, size_t *next, uint32_t *rows)
{
    for (size_t k = 0; k < w->program->constraints; k++) {
        const spn_row_range range = spn_constraint_range(w->program, k);
        const bool counts =
            w->out->dropped[k] == SPN_NOT_DROPPED && spn_presolve_counts(w->program, k);
        for (size_t t = range.first; counts && t < range.end; t++) {
            const size_t at = range.rows->starts[t];
            if (range.rows->starts[t + 1] == at)
                continue;
            if (rows)
                rows[next[range.rows->variables[at]]] = (uint32_t)k;
            next[range.rows->variables[at]]++;
        }
    }
}

spn_status spn_presolve_probe(spn_presolving *w, spn_error *err)
{
    const size_t count = w->program->count, constraints = w->program->constraints;
    const size_t terms = w->program->rows.length;
    probing p = {.w = w,
                 .first = spn_alloc(count + 2, sizeof *p.first),
                 .rows = spn_alloc(terms, sizeof *p.rows),
                 .queue = spn_alloc(constraints, sizeof *p.queue),
                 .queued = spn_alloc(constraints, 1),
                 .stamp = spn_alloc(count, sizeof *p.stamp),
                 .value = spn_alloc(count, sizeof *p.value),
                 .factor = spn_alloc(count, sizeof *p.factor)};
    w->room = 2 * count + 1;
    w->cut = spn_alloc(w->room, sizeof *w->cut);
    const bool made =
        p.first && p.rows && p.queue && p.queued && p.stamp && p.value && p.factor && w->cut;
    if (made) {
        w->most = VISITS + VISITS_PER_TERM * (uint64_t)terms;
        spn_presolve_part(w->out, w->program);
        list_rows(w, p.first + 2, NULL);
        for (size_t i = 0; i < count; i++)
            p.first[i + 2] += p.first[i + 1];
        list_rows(w, p.first + 1, p.rows);
        probe_all(&p);
        finish_merges(&p);
    }
    SPN_FREE_ALL(p.first, p.rows, p.queue, p.queued, p.stamp, p.value, p.factor, w->cut);
    w->cut = NULL;
    return made ? SPN_OK : spn_no_memory(err, "the presolve of a problem");
}

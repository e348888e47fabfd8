/* The energy of a linear classifier that expects faults: the problem, the cache, changes. */
#include "energy/softmax/faulty.h"

#include "base/memory.h"
#include "energy/softmax/softmax.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct faulty {
    spn_energy base;
    const spn_faulty_loops *loops;
    size_t stride, inputs, columns; /* positions; inputs of a class; stored columns */
    uint32_t classes;
    size_t *column; /* of each input */
    int16_t *x;     /* column c at c * stride */
    float *slope;   /* of each position */
    float *worth;   /* its weight times `scale`; 0 for padding */
    float scale;
    double total; /* of the weights */
    spn_class_part *parts;
    size_t part_count;
} faulty;

/* ---- the cache ---- */

typedef struct faulty_cache {
    int32_t *logits; /* class k at k * stride */
    float *share;    /* likewise */
    float *loss;
} faulty_cache;

static faulty_cache view(const faulty *p, void *cache)
{
    int32_t *logits = cache;
    float *share = (float *)(void *)(logits + p->classes * p->stride);
    return (faulty_cache){logits, share, share + p->classes * p->stride};
}

/* What follows from the logits; and the energy. */
static double settle(const faulty *p, const faulty_cache *c)
{
    int64_t total = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t at = part->first;
        p->loops->settle(c->share + at, c->loss + at, c->logits + at, p->stride, p->classes,
                         part->label, p->slope + at, part->count);
        total += p->loops->sum(c->loss + at, p->worth + at, part->count);
    }
    return (double)total / ((double)p->scale * p->total);
}

/* Add `times` the input to logits of a class. */
static void add_input(const faulty *p, int32_t *logits, size_t input, int times)
{
    const int16_t *x = p->x + p->column[input] * p->stride;
    for (size_t n = 0; n < p->stride; n++)
        logits[n] += times * x[n];
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const faulty *p = (const faulty *)self;
    memset(cache, 0, self->cache_size);
    const faulty_cache c = view(p, cache);
    for (size_t site = 0; site < self->sites; site++)
        add_input(p, c.logits + site / p->inputs * p->stride, site % p->inputs, spins[site]);
    return settle(p, &c);
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const faulty *p = (const faulty *)self;
    const faulty_cache c = view(p, cache);
    const size_t k = site / p->inputs;
    const int16_t *x = p->x + p->column[site % p->inputs] * p->stride;
    int64_t total = 0;
    assert(site < self->sites && spn_is_spin(spins[site]));
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t at = part->first;
        total +=
            p->loops->change(x + at, -2 * spins[site], c.share + k * p->stride + at, c.loss + at,
                             p->slope + at, p->worth + at, part->label == k, part->count);
    }
    return (double)total / ((double)p->scale * p->total);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const faulty *p = (const faulty *)self;
    const faulty_cache c = view(p, cache);
    assert(site < self->sites && spn_is_spin(spins[site]));
    add_input(p, c.logits + site / p->inputs * p->stride, site % p->inputs, 2 * spins[site]);
    return settle(p, &c);
}

/* ---- from scratch ---- */

/* The chance of a wrong answer at a position, in double precision. */
static double chance_of(const faulty *p, const int8_t *spins, size_t n, uint32_t label)
{
    double own = 0, others = 0;
    int64_t mine = 0;
    for (size_t i = 0; i < p->inputs; i++)
        mine += spins[label * p->inputs + i] * p->x[p->column[i] * p->stride + n];
    for (uint32_t k = 0; k < p->classes; k++) {
        int64_t z = 0;
        for (size_t i = 0; i < p->inputs; i++)
            z += spins[k * p->inputs + i] * p->x[p->column[i] * p->stride + n];
        const double power = exp(fmin((double)p->slope[n] * (double)(z - mine), 700));
        *(k == label ? &own : &others) += power;
    }
    return others / (own + others);
}

static double reference(const spn_energy *self, const int8_t *spins)
{
    const faulty *p = (const faulty *)self;
    double total = 0;
    for (size_t j = 0; j < p->part_count; j++)
        for (size_t n = p->parts[j].first; n < p->parts[j].first + p->parts[j].samples; n++)
            total += (double)p->worth[n] * chance_of(p, spins, n, p->parts[j].label);
    return total / ((double)p->scale * p->total);
}

static void destroy(spn_energy *self)
{
    faulty *p = (faulty *)self;
    SPN_FREE_ALL(p->column, p->x, p->slope, p->worth, p->parts, p);
}

static const spn_energy_slots slots = {"softmax", reference, attach,
                                       delta,     commit,    .destroy = destroy};

/* ---- the problem ---- */

/* Input i of sample n as the classifier sees it; those after the features are the constant. */
static double input_of(const spn_dataset *train, const spn_scaling *scaling, size_t n, size_t i)
{
    return i < train->features
               ? (spn_dataset_cell(train, n, i) - scaling->shift[i]) / scaling->scale[i]
               : 1;
}

static double largest_input(const spn_dataset *train, const spn_scaling *scaling, size_t inputs)
{
    double largest = inputs > train->features ? 1 : 0;
    for (size_t n = 0; n < train->samples; n++)
        for (size_t i = 0; i < train->features; i++)
            largest = fmax(largest, fabs(input_of(train, scaling, n, i)));
    return largest;
}

/* Columns as whole numbers, and the slope of each sample. */
static void store(faulty *p, const spn_dataset *train, const spn_scaling *scaling,
                  const uint32_t *position, const spn_fault_moments *faults)
{
    const double most = fmin(INT16_MAX, 0x1p29 / (double)p->inputs);
    const double largest = largest_input(train, scaling, p->inputs);
    const double unit = largest > 0 ? largest / most : 1;
    for (size_t n = 0; n < train->samples; n++) {
        const size_t at = position[n];
        double squares = 0;
        for (size_t i = 0; i < p->inputs; i++) {
            int16_t *x = &p->x[p->column[i] * p->stride + at];
            *x = (int16_t)lrint(input_of(train, scaling, n, i) / unit);
            squares += (double)*x * *x;
        }
        p->slope[at] =
            squares > 0 ? (float)(1.702 * faults->keep / sqrt(2 * faults->variance * squares)) : 0;
    }
}

/* The weights of samples and classes; losses times `scale` are at most 2^24. */
static void weigh(faulty *p, const spn_dataset *train, const uint32_t *position,
                  const double *class_weights)
{
    double heaviest = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t n = 0; n < train->samples; n++) {
            double weight = class_weights ? class_weights[train->labels[n]] : 1;
            if (train->weights)
                weight *= train->weights[n];
            if (pass == 0) {
                heaviest = fmax(heaviest, weight);
                p->total += weight;
                continue;
            }
            p->scale = (float)ldexp(1, 23 - ilogb(heaviest));
            p->worth[position[n]] = (float)weight * p->scale;
        }
}

static spn_status build(faulty *p, const spn_dataset *train, const spn_scaling *scaling,
                        const spn_softmax_options *o, spn_error *err)
{
    const spn_fault_moments faults = spn_fault_moments_of(&o->fault_model, o->faults);
    p->parts = spn_class_parts(&p->part_count, &p->stride, train, true, NULL);
    uint32_t *position = p->parts ? spn_part_positions(p->parts, p->part_count, train) : NULL;
    p->column = spn_alloc(p->inputs, sizeof *p->column);
    p->x = spn_alloc(p->columns, p->stride * sizeof *p->x);
    p->slope = spn_alloc(p->stride, sizeof *p->slope);
    p->worth = spn_alloc(p->stride, sizeof *p->worth);
    const bool room = position && p->column && p->x && p->slope && p->worth;
    for (size_t i = 0; room && i < p->inputs; i++)
        p->column[i] = i < train->features ? spn_dataset_stored_at(train, i) : p->columns - 1;
    if (room) {
        store(p, train, scaling, position, &faults);
        weigh(p, train, position, o->class_weights);
    }
    free(position);
    p->base = (spn_energy){.slots = &slots,
                           .sites = p->classes * p->inputs,
                           .accuracy = 0x1p-18,
                           .cache_size = (2 * p->classes + 1) * p->stride * sizeof(float)};
    return room ? SPN_OK : spn_no_memory(err, "%zu x %zu inputs", train->samples, p->columns);
}

spn_status spn_faulty_create_by(spn_energy **out, const spn_dataset *train,
                                const spn_scaling *scaling, const spn_softmax_options *options,
                                spn_isa isa, spn_error *err)
{
    *out = NULL;
    if (!(options->faults > 0) || options->faults > SPN_MOST_FAULTS || options->fault_model.rows)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "softmax: the share of faults is %g, expected 0 to %g, and not of rows",
                        options->faults, SPN_MOST_FAULTS);
    faulty *p = spn_alloc(1, sizeof *p);
    if (!p)
        return spn_no_memory(err, "the energy 'softmax'");
    p->loops = &spn_softmax_select(isa)->faulty;
    p->inputs = train->features + options->bias;
    p->columns = spn_dataset_stored(train) + 1;
    p->classes = train->classes;
    const spn_status status = build(p, train, scaling, options, err);
    if (status)
        destroy(&p->base);
    else
        *out = &p->base;
    return status;
}

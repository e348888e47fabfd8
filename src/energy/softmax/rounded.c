/* Rounded features: a column of 16-bit numbers for each feature, evenly spaced from its least to
   its largest value, and what follows from them. The energy is that of the rounded features. */
#include "energy/softmax/softmax.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { FARTHEST = INT16_MAX };

double spn_softmax_widest(const spn_softmax *p, const spn_dataset *train)
{
    double widest = 0;
    for (size_t i = train->features; i < p->features; i++)
        widest = fmax(widest, fabs(p->origin[i]));
    for (size_t i = 0; i < train->features; i += p->copies)
        for (size_t n = 0; n < p->samples; n++) {
            const double part = p->slope[i] * spn_dataset_cell(train, n, i) - p->origin[i];
            if (!isfinite(part))
                return INFINITY;
            widest = fmax(widest, fabs(part));
        }
    return 2 * widest;
}

/* Round column c, and change slope and origin of its feature so that slope q - origin is what
   slope x - origin was. */
static void round_column(spn_softmax *p, const spn_dataset *train, size_t c)
{
    const size_t i = c * p->copies;
    double least = INFINITY, most = -INFINITY;
    for (size_t n = 0; n < p->samples; n++) {
        const double x = spn_dataset_cell(train, n, i);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    const double middle = least / 2 + most / 2, half = most / 2 - least / 2;
    const double step = half > 0 ? half / FARTHEST : 1;
    for (size_t n = 0; n < p->samples; n++)
        p->wide[c * p->stride + n] =
            (int16_t)lrint((spn_dataset_cell(train, n, i) - middle) / step);
    for (size_t j = i; j < i + p->copies; j++) {
        p->origin[j] -= p->slope[j] * middle;
        p->slope[j] *= step;
    }
}

/* The label sums and largest change of column c, or of the bias, in the inputs first .. first +
   count - 1. Add to `reach` of the samples. */
static void measure_column(spn_softmax *p, size_t c, size_t first, size_t count, double *reach)
{
    const double slope = p->slope[first], origin = p->origin[first];
    for (size_t n = 0; n < p->samples; n++) {
        const double part = slope * p->wide[c * p->stride + n] - origin;
        p->label_sum[p->labels[n] * p->features + first] += spn_softmax_weight(p, n) * part;
        p->max_change[first] = fmax(p->max_change[first], 2 * fabs(part));
        reach[n] += (double)count * fabs(part);
    }
    for (size_t j = first + 1; j < first + count; j++) {
        p->max_change[j] = p->max_change[first];
        for (uint32_t k = 0; k < p->classes; k++)
            p->label_sum[k * p->features + j] = p->label_sum[k * p->features + first];
    }
    p->reach += (double)count * (FARTHEST * fabs(slope) + fabs(origin));
}

spn_status spn_softmax_round(spn_softmax *p, const spn_dataset *train, double *highest,
                             spn_error *err)
{
    const size_t of_data = train->features / p->copies;
    double *reach = spn_alloc(p->samples, sizeof *reach);
    if (!reach)
        return spn_no_memory(err, "%zu samples", p->samples);
    assert(p->stride >= p->samples && p->columns >= of_data && train->features % p->copies == 0);
    for (size_t n = 0; n < p->samples; n++)
        p->labels[n] = train->labels[n];
    for (size_t c = 0; c < of_data; c++) {
        round_column(p, train, c);
        measure_column(p, c, c * p->copies, p->copies, reach);
    }
    if (p->features > train->features)
        measure_column(p, of_data, train->features, p->features - train->features, reach);
    *highest = 0;
    for (size_t n = 0; n < p->samples; n++)
        *highest = isfinite(reach[n]) ? fmax(*highest, reach[n]) : INFINITY;
    free(reach);
    for (size_t n = 0; p->sample_weight && n < p->samples; n++)
        p->float_weight[n] = (float)p->sample_weight[n];
    return SPN_OK;
}

/* ---- partners ---- */

/* Column c at `count` samples, with mean 0 and sum of squares 1, or 0. */
static void normalise(float *out, const spn_softmax *p, size_t c, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t j = 0; j < count; j++)
        mean += p->wide[c * p->stride + j * p->samples / count] / (double)count;
    for (size_t j = 0; j < count; j++) {
        const double x = p->wide[c * p->stride + j * p->samples / count] - mean;
        out[j] = (float)x;
        squares += x * x;
    }
    for (size_t j = 0; j < count; j++)
        out[j] = squares > 0 ? (float)((double)out[j] / sqrt(squares)) : 0;
}

/* Put column d among the partners of c, of which the strongest is first. */
static void consider(spn_softmax *p, float *strength, size_t c, size_t d, double correlation)
{
    int32_t *partner = p->partner + c * p->partners;
    int32_t name = correlation < 0 ? -(int32_t)(d + 1) : (int32_t)(d + 1);
    float size = (float)fabs(correlation);
    strength += c * p->partners;
    for (size_t j = 0; j < p->partners && name; j++) {
        if (partner[j] && size <= strength[j])
            continue;
        const float weaker = strength[j];
        const int32_t next = partner[j];
        strength[j] = size;
        partner[j] = name;
        size = weaker;
        name = next;
    }
}

/* The most correlated columns of each, by as many samples as take some 10^8 products. */
bool spn_softmax_find_partners(spn_softmax *p)
{
    const size_t columns = p->column[p->features - 1] + (p->features == p->columns * p->copies);
    const double products = 1e8, room = products / ((double)columns * (double)columns);
    const size_t count = room < (double)p->samples ? (size_t)room : p->samples;
    p->partners = columns <= SPN_SOFTMAX_PARTNERS ? columns - 1 : SPN_SOFTMAX_PARTNERS;
    if (columns < 2 || count < 64) {
        p->partners = 0;
        return true;
    }
    float *cells = spn_alloc(columns, count * sizeof *cells);
    float *strength = spn_alloc(columns, p->partners * sizeof *strength);
    p->partner = spn_alloc(columns, p->partners * sizeof *p->partner);
    const bool done = cells && strength && p->partner;
    for (size_t c = 0; done && c < columns; c++) {
        normalise(cells + c * count, p, c, count);
        for (size_t d = 0; d < c; d++) {
            double sum = 0;
            for (size_t j = 0; j < count; j++)
                sum += (double)(cells[c * count + j] * cells[d * count + j]);
            consider(p, strength, c, d, sum);
            consider(p, strength, d, c, sum);
        }
    }
    SPN_FREE_ALL(cells, strength);
    return done;
}

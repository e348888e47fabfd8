/* The energy softmax from scratch, in double precision and with the C library's functions: what the
   faster paths are compared with. */
#include "energy/softmax/softmax.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 64 };

/* What W = 1 adds to the logit, for `count` positions from `first`. */
static void contributions(const spn_softmax *p, size_t feature, size_t first, size_t count,
                          double *out)
{
    const double slope = p->slope[feature], origin = p->origin[feature];
    for (size_t n = 0; n < count; n++) {
        const size_t at = p->column[feature] * p->stride + first + n;
        const double x = p->values ? p->values[at]
                         : p->wide ? p->wide[at]
                                   : spn_softmax_byte(p->bytes + p->column[feature] * p->stride,
                                                      first + n, p->kernels->lanes);
        out[n] = slope * x - origin;
    }
}

void spn_softmax_logits(const spn_softmax *p, const int8_t *spins, size_t first, size_t count,
                        size_t stride, double *out)
{
    assert(first + count <= p->stride && count <= stride);
    for (uint32_t k = 0; k < p->classes; k++)
        memset(out + k * stride, 0, count * sizeof *out);
    for (size_t start = 0; start < count; start += PART) {
        const size_t part = count - start < PART ? count - start : PART;
        for (size_t i = 0; i < p->features; i++) {
            double x[PART];
            contributions(p, i, first + start, part, x);
            for (uint32_t k = 0; k < p->classes; k++) {
                const double spin = spins[k * p->features + i];
                for (size_t n = 0; n < part; n++)
                    out[k * stride + start + n] += spin * x[n];
            }
        }
    }
}

/* log sum_k e^(z_k), the classes `apart` */
static double log_sum_exp(const double *z, size_t classes, size_t apart)
{
    double top = z[0], total = 0;
    for (size_t k = 1; k < classes; k++)
        top = fmax(top, z[k * apart]);
    for (size_t k = 0; k < classes; k++)
        total += exp(z[k * apart] - top);
    /* cppcheck-suppress invalidFunctionArg ; the term of top is 1, so total is not 0 */
    return top + log(total);
}

/* The losses of one part of the samples. z: a logit for each class and sample. */
static double part_loss(const spn_softmax *p, const int8_t *spins, size_t first, size_t count,
                        double *z)
{
    double loss = 0;
    spn_softmax_logits(p, spins, first, count, count, z);
    for (size_t n = 0; n < count; n++)
        loss += spn_softmax_weight(p, first + n) *
                (log_sum_exp(z + n, p->classes, count) - z[p->labels[first + n] * count + n]);
    return loss;
}

double spn_softmax_reference(const spn_energy *self, const int8_t *spins)
{
    /* An energy is checked at the end of a run, where a lack of memory could be taken for a wrong
       change: with less than thousands of classes, it needs none. */
    enum { FEW = 8192 };
    const spn_softmax *p = (const spn_softmax *)self;
    const size_t fit = FEW / p->classes, most = fit > 0 && fit < PART ? fit : PART;
    double loss = 0, few[FEW], *z = fit > 0 ? few : spn_alloc(p->classes, most * sizeof *z);
    if (!z)
        return NAN;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        for (size_t done = 0; done < part->samples; done += most) {
            const size_t left = part->samples - done;
            loss += part_loss(p, spins, part->first + done, left < most ? left : most, z);
        }
    }
    if (z != few)
        free(z);
    return loss / p->total;
}

double spn_softmax_label_score(const spn_softmax *p, const int8_t *spins)
{
    double total = 0;
    for (size_t k = 0; k < p->classes; k++) {
        double class_total = 0;
        for (size_t i = k * p->features; i < (k + 1) * p->features; i++)
            class_total += spins[i] * p->label_sum[i];
        total += class_total;
    }
    return total;
}

/* Faults of the memory that holds one-bit weights: which weights a fault changes, and the mean of a
   weight under faults. Used both to break classifiers (<spinney/robustness.h>) and to train them
   for it (<spinney/train.h>). */
#ifndef SPINNEY_FAULTS_H
#define SPINNEY_FAULTS_H

#include <spinney/status.h>
#include <stddef.h>

SPN_BEGIN_C

/* The largest share of faults to train for. */
#define SPN_MOST_FAULTS 0.49

/* With a share p of faults, each weight is chosen with probability p; a chosen one changes its sign
   with probability `rise` if it is -1 (a 0 in memory), `fall` if it is +1 (a 1). Flips: rise = fall
   = 1. Cells stuck at 0: rise 0, fall 1; at 1: rise 1, fall 0. */
typedef struct spn_fault_model {
    double rise, fall; /* 0 to 1 (both 0: flips, as 1 and 1) */
    size_t rows; /* 1: whole rows are chosen, the weights of a hidden unit or of a class (0) */
} spn_fault_model;

/* The same model, flips with 1 and 1. */
static inline spn_fault_model spn_fault_model_whole(spn_fault_model model)
{
    if (model.rise == 0 && model.fall == 0)
        model.rise = model.fall = 1;
    return model;
}

/* A model from text: flips, stuck-0, stuck-1, rows, or asymmetric:p01,p10 with rise and fall.
   Errors: ARGUMENT. */
SPN_API spn_status spn_fault_model_parse(spn_fault_model *out, const char *text, spn_error *err);

/* With a share p of faults a weight w has the mean keep w + drift, and its variance averages
   `variance` over both signs. */
typedef struct spn_fault_moments {
    double keep, drift, variance;
} spn_fault_moments;

static inline spn_fault_moments spn_fault_moments_of(const spn_fault_model *model, double p)
{
    const spn_fault_model whole = spn_fault_model_whole(*model);
    const double rise = p * whole.rise, fall = p * whole.fall;
    const spn_fault_moments moments = {1 - (rise + fall), rise - fall,
                                       2 * rise * (1 - rise) + 2 * fall * (1 - fall)};
    return moments;
}

SPN_END_C
#endif

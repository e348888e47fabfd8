/* Kernels: how a proposal is accepted. What the chain knows of one is here; its exact law is in
   analysis/operator.c. */
#ifndef SPN_CORE_KERNEL_H
#define SPN_CORE_KERNEL_H

#include "core/draws.h"
#include <spinney/sampler.h>

typedef struct spn_kernel_traits {
    /* What the cost of a move is compared with. */
    spn_threshold threshold;
    /* The coupling and the energy each cost only where they resist, and the coupling is tested
       first; else the two may make up for each other. */
    bool two_stage;
} spn_kernel_traits;

/* Those of a kernel, or NULL for a number that is none. */
const spn_kernel_traits *spn_kernel_traits_of(spn_kernel kernel);

#endif

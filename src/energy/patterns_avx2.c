/* The same compiled with AVX2 and the population count instruction. */
#include "energy/committee_body.h"
#include "energy/patterns_scalar.h"
#include "energy/perceptron_body.h"

DEFINE_ALL_SLOTS(avx2);

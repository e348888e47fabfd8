/* The committee's inner loops compiled with AVX2 and the population count instruction. */
#include "energy/committee_body.h"

const spn_committee_kernels spn_committee_avx2 = {change, flip};

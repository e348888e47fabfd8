/* The committee's inner loops compiled with AVX-512 and its population count of whole vectors. */
#include "energy/committee_body.h"

const spn_committee_kernels spn_committee_avx512 = {change, flip};

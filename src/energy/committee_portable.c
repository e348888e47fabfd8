/* The committee's inner loops in plain C. */
#include "energy/committee_body.h"

const spn_committee_kernels spn_committee_portable = {change, flip};

/* The loops of the energy network: avx2. */
#include "energy/network_body.h"

const spn_network_kernels spn_network_avx2 = SPN_NETWORK_TABLE;

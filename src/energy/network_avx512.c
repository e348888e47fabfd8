/* The loops of the energy network: avx512. */
#include "energy/network_body.h"

const spn_network_kernels spn_network_avx512 = SPN_NETWORK_TABLE;

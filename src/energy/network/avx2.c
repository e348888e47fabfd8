/* The loops of the energy network: avx2. */
#include "energy/network/body.h"

const spn_network_loops spn_network_loops_avx2 = SPN_NETWORK_LOOPS(collect);

/* The loops of the energy network: portable. */
#include "energy/network/body.h"

const spn_network_loops spn_network_loops_portable = SPN_NETWORK_LOOPS(collect);

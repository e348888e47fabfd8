/* The loops of the energy network: portable. */
#include "energy/network_body.h"

const spn_network_kernels spn_network_portable = SPN_NETWORK_TABLE;

/* Networks in plain C. */
#include "energy/network/evaluate_body.h"

const spn_network_counting spn_network_counting_portable = SPN_NETWORK_COUNTING;

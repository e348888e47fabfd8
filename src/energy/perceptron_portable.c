/* The perceptron's inner loops in plain C. */
#include "energy/perceptron_body.h"

const spn_perceptron_kernels spn_perceptron_portable = {change, flip};

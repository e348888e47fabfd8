/* The perceptron's inner loops in plain C. */
#include "energy/perceptron_body.h"

const spn_perceptron_kernels spn_perceptron_portable = {change, flip, loop};
const spn_perceptron_kernels spn_window_portable = {change_in_window, flip_in_window,
                                                    loop_in_window};

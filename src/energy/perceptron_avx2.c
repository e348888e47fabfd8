/* The perceptron's inner loops compiled with AVX2 and the population count instruction. */
#include "energy/perceptron_body.h"

const spn_perceptron_kernels spn_perceptron_avx2 = {change, flip, loop};
const spn_perceptron_kernels spn_window_avx2 = {change_in_window, flip_in_window, loop_in_window};

/* The same compiled with AVX2 and the population count instruction. */
#include "energy/committee_body.h"
#include "energy/patterns_scalar.h"
#include "energy/perceptron_body.h"

const spn_perceptron_kernels spn_perceptron_avx2 = {change, flip, loop};
const spn_perceptron_kernels spn_window_avx2 = {change_in_window, flip_in_window, loop_in_window};
const spn_committee_kernels spn_committee_avx2 = {committee_change, committee_flip};

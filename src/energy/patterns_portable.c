/* The inner loops of perceptrons and committees in plain C. */
#include "energy/committee_body.h"
#include "energy/patterns_scalar.h"
#include "energy/perceptron_body.h"

const spn_perceptron_kernels spn_perceptron_portable = {change, flip, loop};
const spn_perceptron_kernels spn_window_portable = {change_in_window, flip_in_window,
                                                    loop_in_window};
const spn_committee_kernels spn_committee_portable = {committee_change, committee_flip};

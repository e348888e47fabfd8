/* The inner loops of perceptrons and committees in plain C. */
#include "energy/committee_body.h"
#include "energy/patterns_scalar.h"
#include "energy/perceptron_body.h"

DEFINE_ALL_SLOTS(portable);

/* Schedules for tests, freed when the program ends. */
#ifndef SPN_TEST_SCHEDULES_H
#define SPN_TEST_SCHEDULES_H

#include <spinney/schedule.h>

const spn_schedule *spn_test_constant(double value);
const spn_schedule *spn_test_linear(double start, double end);
const spn_schedule *spn_test_quadratic(double start, double end);
const spn_schedule *spn_test_exponential(double start, double end);
const spn_schedule *spn_test_logarithmic(double m, double C);
const spn_schedule *spn_test_scoping(double start, double factor, uint64_t every);
const spn_schedule *spn_test_pieces(const spn_piece *pieces, size_t count);

#endif

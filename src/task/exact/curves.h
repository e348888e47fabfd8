/* The curves that the task exact leaves in its record. */
#ifndef SPN_TASK_EXACT_CURVES_H
#define SPN_TASK_EXACT_CURVES_H

#include <spinney/exact.h>
#include <spinney/lab/records.h>

/* A curve from `rows` rows of numbers, which are freed; NULL where there was no memory for them.
   Errors: MEMORY. */
spn_status spn_exact_add_rows(spn_record *out, const char *name, size_t columns,
                              const char *const *names, size_t rows, double *values,
                              spn_error *err);

/* `states`: energy, Phi and P of each. */
spn_status spn_exact_add_states(spn_record *out, const spn_landscape *landscape, const spn_law *law,
                                spn_error *err);

/* With a density `density`, how many minima lie near each minimum; with details `minima`, and where
   there is a density `balls` and `within`. Errors: ARGUMENT (too many minima), MEMORY. */
spn_status spn_exact_add_minima(spn_record *out, const spn_landscape *landscape, bool density,
                                bool details, spn_error *err);

#endif

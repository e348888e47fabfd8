/* The two ways to fill a law whose arrays are allocated and whose parameters are set. */
#ifndef SPN_ANALYSIS_LAW_H
#define SPN_ANALYSIS_LAW_H

#include <spinney/exact.h>

spn_status spn_law_transform(spn_law *law, const spn_landscape *landscape, spn_error *err);
spn_status spn_law_enumerate(spn_law *law, const spn_landscape *landscape, spn_error *err);

/* The log of the weight exp(-beta U + H) of replicas that share one minimum, E - E_min for E: the
   largest, since U and H are both extreme there. */
double spn_law_log_top(size_t sites, size_t replicas, double gamma);

/* beta E_min, or 0 at beta = infinity, where E_min is subtracted. */
double spn_law_shift(const spn_landscape *landscape, double beta);

#endif

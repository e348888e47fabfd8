/* Simulated tempering (Marinari, Parisi, Europhys. Lett. 19, 451 (1992),
   doi:10.1209/0295-5075/19/6/002): a chain that also walks over the rungs of a ladder. The state is
   (sigma, k) with the law

     p(sigma, k) ~ exp(w_k - beta_k U(sigma) + H_{gamma_k}(sigma))

   for weights w_k of our choice. Given sigma a move proposes one of the two neighbours of k, with
   equal chances, and accepts j with min(1, exp(w_j - w_k - (beta_j - beta_k) U + H_{gamma_j} -
   H_{gamma_k})); what lies beyond the ends is rejected. This is exact for any weights; with w_k =
   -log Z_k all rungs are visited equally often, and wrong ones leave some of them out. Chains that
   walk so need not know of each other.

   The visits tell log Z as well: the mean over (sigma, k) of the chance of rung j given sigma is
   the share of j, e^{w_j} Z_j / sum_i e^{w_i} Z_i. */
#ifndef SPN_CORE_SIMULATED_H
#define SPN_CORE_SIMULATED_H

#include "core/chain_point.h"

enum {
    SPN_SIMULATED_BATCHES = 32 /* of equal length, whose spread tells the errors */
};

/* Plain arrays, one value per rung; weight and the counts belong to it, the points to the caller.
 */
typedef struct spn_simulated {
    size_t rungs;
    const double *beta, *gamma;
    double *weight;   /* w_k */
    uint64_t *visits; /* scans that ended at the rung, */
    uint64_t *tries;  /* moves from a rung to the next colder one or back that were proposed, */
    uint64_t *moves;  /* and accepted: rungs - 1 of each */
    double *shares;   /* summed chances of the rungs, SPN_SIMULATED_BATCHES rows */
    double *logs;     /* work space */
} spn_simulated;

/* log_z: of each rung, up to a common constant; the weights are minus these. beta and gamma are
   borrowed. Errors: MEMORY. */
spn_status spn_simulated_init(spn_simulated *out, size_t rungs, const double *beta,
                              const double *gamma, const double *log_z, spn_error *err);
void spn_simulated_clear(spn_simulated *simulated);

/* The scan of this number of a chain at `rung` has ended: count the visit and the chances of all
   rungs in batch `batch`, then perhaps move. Returns the rung of the next scan; the caller sets the
   chain's point. O(N + y rungs) where gamma differs between rungs, else O(rungs). */
size_t spn_simulated_move(spn_simulated *simulated, const spn_chain *chain, size_t rung,
                          uint64_t scan, size_t batch);

/* log Z of each rung minus that of the first, by the shares, and its standard error by leaving out
   batches (jackknife; NAN where fewer than two batches were counted). -INFINITY and NAN for a rung
   whose share is too small for a double. error may be NULL. O(rungs batches). */
void spn_simulated_log_z(double *out, double *error, const spn_simulated *simulated);

#endif

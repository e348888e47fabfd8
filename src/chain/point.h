/* A chain at a point (beta, gamma), which you can walk, move to another point, or give another
   state. Ladders and populations are made of them. Make it by spn_chain_create with constant
   schedules (or none) and steps = INT64_MAX; never run it by spn_sampler_run. */
#ifndef SPN_CHAIN_POINT_H
#define SPN_CHAIN_POINT_H

#include "chain/chain.h"

/* Remove from options what a chain at a point cannot have: an end, schedules, threads. */
void spn_chain_options_at_point(spn_chain_options *options);

/* Become a chain of another run, at a step of its own, with new best states and no hit. What
   follows depends on the run, the step and the state put in, not on the past. redraws: how often
   spn_chain_redraw and spn_chain_place were used so far. O(y). */
void spn_chain_become(spn_chain *chain, uint32_t run, uint64_t step, uint64_t redraws);

/* log Z of a group at beta = 0: y N log(2 cosh gamma), and N log 2 more with an explicit centre. */
double spn_chain_log_z_at_zero(const spn_chain_options *options, size_t sites, double gamma);

/* Set beta and gamma, finite and not negative, from the next step on. O(1), plus O(y) at the next
   step if gamma differs. */
void spn_chain_set_point(spn_chain *chain, double beta, double gamma);

/* Make `steps` steps; fewer, perhaps none, if the target is reached or the stop of the run is set
   (spn_sampler_follow). Errors: ENERGY. */
spn_status spn_chain_walk(spn_chain *chain, uint64_t steps, spn_error *err);

/* Put in a state of y N spins, replica a at spins + a * sites. Attaches caches; updates best states
   and the first hit; redraws the centre of SPN_COUPLING_CENTRE, given the replicas, at the chain's
   gamma. May be the chain's own spins, changed from outside. Cost: y attaches. Errors: ENERGY
   (NaN). */
spn_status spn_chain_place(spn_chain *chain, const int8_t *spins, spn_error *err);

/* Draw the state from the law at beta = 0: s_i = +1 or -1 with equal chances, then each replica's
   spin with probability proportional to exp(gamma s_i sigma). A given centre is s; an explicit
   centre becomes s. Independent of the past; uses a random stream of its own, whose position is
   chain->redraws: save it with the chain. Costs spn_chain_place, plus 5 ns per spin. Errors:
   ENERGY. */
spn_status spn_chain_redraw(spn_chain *chain, double gamma, spn_error *err);

/* U, the sum of the replicas' energies. O(y). */
double spn_chain_total_energy(const spn_chain *chain);

/* The counts from which H_gamma for any gamma, and the overlap of the replicas, follow. */
typedef struct spn_coupling_counts {
    size_t sites, replicas;
    bool has_centre;
    int64_t towards;                     /* with a centre: sum_i c_i s_i */
    uint32_t sums[SPN_MAX_REPLICAS + 1]; /* without: sites with this |s_i| */
} spn_coupling_counts;

/* O(N + y); O(y N) with a centre. */
void spn_chain_coupling_counts(spn_coupling_counts *out, const spn_chain *chain);

/* H_gamma: sum_i log cosh(gamma s_i), or gamma sum_i c_i s_i with a centre. O(y). */
double spn_coupling_counts_value(const spn_coupling_counts *counts, double gamma);

/* The mean overlap of pairs of replicas, as spn_snapshot_overlap; with a centre, of replicas and
   centre. O(y). */
double spn_coupling_counts_overlap(const spn_coupling_counts *counts);

#endif

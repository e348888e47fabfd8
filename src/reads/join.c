/* One state from the best states of all reads. The sites where the best of all and another state
   differ fall into clusters that no coupling connects (as in Houdayer's moves, ladder/clusters.c),
   so each lowers or raises the energy whatever the others do, and the best takes over those that
   lower it. Where reads err in different places, as on large lattices, this mends nearly all
   errors. On dense graphs a cluster is all differing sites, and nothing is gained. */
#include "reads/reads.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct joining {
    spn_sparse_terms terms;
    int8_t *best, *other, *marked;
    uint32_t *cluster;
} joining;

static double change_by_cluster(const joining *j, size_t size)
{
    const spn_sparse_terms *t = &j->terms;
    double sum = 0;
    for (size_t k = 0; k < size; k++) {
        const size_t i = j->cluster[k];
        double field = t->exact_field[i];
        for (size_t e = t->first[i]; e < t->first[i + 1]; e++)
            field += j->marked[t->site[e]] ? t->exact_coupling[e] * j->best[t->site[e]] : 0;
        sum -= 2 * j->best[i] * field;
    }
    return sum;
}

/* Of a state and its reverse, the one nearer to the best has the smaller clusters. */
static bool take_over(joining *j, const int8_t *spins)
{
    const size_t sites = j->terms.sites;
    int64_t overlap = 0;
    bool gained = false;
    for (size_t i = 0; i < sites; i++)
        overlap += j->best[i] * spins[i];
    for (size_t i = 0; i < sites; i++)
        j->other[i] = (int8_t)(overlap < 0 ? -spins[i] : spins[i]);
    memcpy(j->marked, j->best, sites);
    for (size_t i = 0; i < sites; i++) {
        if (j->marked[i] == 0 || j->marked[i] == j->other[i])
            continue;
        const size_t size =
            spn_cluster_grow(j->cluster, &j->terms, j->marked, j->other, (uint32_t)i);
        if (!(change_by_cluster(j, size) < 0))
            continue;
        for (size_t k = 0; k < size; k++)
            j->best[j->cluster[k]] = (int8_t)-j->best[j->cluster[k]];
        gained = true;
    }
    return gained;
}

static const int8_t *best_state(const spn_sampler *reads)
{
    spn_read best = {.best_energy = INFINITY}, read;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        spn_reads_look(&read, reads, r);
        best = read.best_spins && read.best_energy < best.best_energy ? read : best;
    }
    return best.best_spins;
}

static bool join(joining *j, const spn_sampler *reads)
{
    enum { PASSES = 2 };
    bool gained = false, more = true;
    for (int pass = 0; more && pass < PASSES; pass++) {
        more = false;
        for (size_t r = 0; r < spn_reads_count(reads); r++) {
            spn_read read;
            spn_reads_look(&read, reads, r);
            more = (read.best_spins && take_over(j, read.best_spins)) || more;
        }
        gained = gained || more;
    }
    return gained;
}

spn_status spn_reads_join(bool *gained, int8_t *out, const spn_sampler *reads, spn_error *err)
{
    enum { MOST_DEGREE = 16 };
    const spn_energy *energy = spn_reads_of(reads)->energy;
    const size_t sites = energy->sites;
    const int8_t *best = best_state(reads);
    joining j = {.best = out};
    spn_status status = SPN_OK;
    *gained = false;
    if (!best || !energy->slots->exact_terms)
        return SPN_OK;
    SPN_NEED(energy->slots->exact_terms(energy, &j.terms), err, "the couplings of %zu spins",
             sites);
    if (j.terms.first[sites] > MOST_DEGREE * sites)
        goto cleanup;
    j.other = spn_alloc(sites, 1);
    j.marked = spn_alloc(sites, 1);
    j.cluster = spn_alloc(sites + 1, sizeof *j.cluster);
    if (!j.other || !j.marked || !j.cluster) {
        status = spn_no_memory(err, "clusters of %zu spins", sites);
        goto cleanup;
    }
    memcpy(out, best, sites);
    *gained = join(&j, reads) && spn_energy_value(energy, out) < spn_energy_value(energy, best);
cleanup:
    spn_sparse_terms_clear(&j.terms);
    SPN_FREE_ALL(j.other, j.marked, j.cluster);
    return status;
}

/* A law by either method. */
#include "analysis/common.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/try.h"

#include <math.h>
#include <spinney/coupling.h>

const spn_names spn_law_method_names =
    SPN_NAME_LIST("method", [SPN_LAW_AUTO] = "auto", [SPN_LAW_ENUMERATE] = "enumerate",
                  [SPN_LAW_TRANSFORM] = "transform");

double spn_law_log_top(size_t sites, size_t replicas, double gamma)
{
    return (double)sites * spn_log_cosh(gamma * (double)replicas);
}

double spn_law_shift(const spn_landscape *landscape, double beta)
{
    return isinf(beta) ? 0 : beta * landscape->minimum;
}

/* One block of memory holds the struct and its arrays. */
static spn_law *allocate(const spn_landscape *landscape, size_t replicas, double beta, double gamma)
{
    const size_t states = landscape->states;
    spn_law *law = spn_alloc(1, sizeof *law + 3 * states * sizeof(double));
    if (!law)
        return NULL;
    double *arrays = (double *)(void *)(law + 1);
    *law = (spn_law){.sites = landscape->sites,
                     .replicas = replicas,
                     .beta = beta,
                     .gamma = gamma,
                     .phi = arrays,
                     .centre = arrays + states,
                     .marginal = arrays + 2 * states};
    return law;
}

static double entropy_sum(const void *context, size_t begin, size_t end)
{
    const double *p = context;
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total -= p[k] > 0 ? p[k] * log(p[k]) : 0;
    return total;
}

static void finish(spn_law *law, const spn_landscape *landscape)
{
    const double n = (double)law->sites, y = (double)law->replicas;
    law->log_gamma = y * n * (spn_log_cosh(law->gamma) + log(2.0));
    law->aligned_minimum = (double)landscape->minima_count * law->max_probability;
    law->centre_entropy = spn_ordered_sum(entropy_sum, law->centre, landscape->states);
}

/* 2^(N y) for Qbar, and 4^N for Phi by its definition. */
static size_t enumeration_bits(const spn_landscape *landscape, size_t replicas)
{
    return landscape->sites * (replicas > 2 ? replicas : 2);
}

spn_status spn_law_create(spn_law **out, const spn_landscape *landscape, size_t replicas,
                          double beta, double gamma, spn_law_method method, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, false, err));
    const size_t bits = enumeration_bits(landscape, replicas);
    if (method == SPN_LAW_AUTO)
        method = bits <= 16 ? SPN_LAW_ENUMERATE : SPN_LAW_TRANSFORM;
    if (method == SPN_LAW_ENUMERATE && bits > SPN_EXACT_BITS)
        return spn_refuse(
            err,
            "a law by enumeration takes N max(y, 2) up to %d, here %zu, which would "
            "take %.3g GB; at y=%zu N may be up to %zu, and by the transform up to %d",
            SPN_EXACT_BITS, bits, 16e-9 * pow(2.0, (double)bits), replicas,
            SPN_EXACT_BITS / (replicas > 2 ? replicas : 2), SPN_EXACT_SITES);
    spn_law *law = allocate(landscape, replicas, beta, gamma);
    if (!law)
        return spn_exact_no_memory(err, "a law", 24 * landscape->states);
    const spn_status status = method == SPN_LAW_ENUMERATE ? spn_law_enumerate(law, landscape, err)
                                                          : spn_law_transform(law, landscape, err);
    if (status) {
        spn_law_free(law);
        return status;
    }
    finish(law, landscape);
    *out = law;
    return SPN_OK;
}

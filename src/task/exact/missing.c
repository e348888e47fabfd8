/* What a plan of the task exact costs, and which results it does without. */
#include "task/exact/plan.h"

#include <math.h>
#include <string.h>

/* Roughly in operations: the law by butterflies, an eigenvalue by some hundred proposals. */
spn_cost spn_exact_cost(const void *plan, uint64_t steps)
{
    const spn_exact_plan *p = plan;
    (void)steps;
    const double n = (double)p->sites, bits = n * (double)p->replicas;
    double work = (n + 8) * pow(2, n) * (p->no_law ? 4 : 8);
    for (size_t k = 0; p->chains && k < SPN_EXACT_KERNELS; k++)
        work += p->kernels[k] ? (p->gap == SPN_EXACT_GAP_NEVER ? 8 : 400) * bits * pow(2, bits) : 0;
    return (spn_cost){.work = work + (double)p->gamma_count * 2 * n * pow(2, n)};
}

/* The heading that a result stands under. */
static const char *section_of(const char *result)
{
    const char *heading = "";
    spn_quantity_walk walk = spn_quantity_walk_start(spn_exact_results);
    while (spn_quantity_walk_next(&walk)) {
        if (!walk.row->name)
            heading = walk.row->help;
        else if (strcmp(walk.row->name, result) == 0)
            return heading;
    }
    return "";
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the chain of the kernel that a result is named after was left out. */
static bool without_kernel(const spn_exact_plan *p, const char *result)
{
    static const char *const endings[SPN_EXACT_KERNELS] = {"_two_stage", "_one_stage",
                                                           "_heat_bath"};
    const size_t length = strlen(result), each = strlen(endings[0]);
    for (size_t k = 0; k < SPN_EXACT_KERNELS; k++)
        if (length > each && strcmp(result + length - each, endings[k]) == 0)
            return !p->kernels[k];
    return false;
}

static const char *missing_chain(const spn_exact_plan *p, const char *result)
{
    if (p->no_chain)
        return "no-chain leaves it out";
    if (!p->chains)
        return isinf(p->beta) ? "a chain needs a finite beta" : p->no_chain_text;
    if (p->gap == SPN_EXACT_GAP_NEVER &&
        (starts(result, "gap") || starts(result, "lambda") || strcmp(result, "psi") == 0))
        return "gap: never leaves it out";
    return without_kernel(p, result) ? "name its kernel in the setting kernel" : NULL;
}

static const char *missing_dense(const spn_exact_plan *p, const char *result)
{
    if (starts(result, "density.") || starts(result, "balls.") || starts(result, "minima.") ||
        strcmp(result, "within") == 0)
        return p->density ? NULL : "set density";
    if (!p->has_ball && !p->dense)
        return "give a dense set: dense-center or dense";
    if (p->no_law && strcmp(result, "dense_mass_marginal") == 0)
        return "no-law leaves it out";
    return starts(result, "best_") && !p->best_gamma ? "give best-gamma" : NULL;
}

static const char *missing_joint(const spn_exact_plan *p, const char *result)
{
    const spn_joint_options *o = &p->ladder_chain.options;
    if (p->joint == SPN_EXACT_JOINT_NONE)
        return "joint";
    if (strcmp(result, "joint_cold_share") == 0 || strcmp(result, "rungs.share") == 0)
        return o->kind == SPN_JOINT_SIMULATED ? NULL : "joint simulated";
    if (starts(result, "joint_rate_"))
        return spn_exact_joint_scans(&p->ladder_chain, p->sites)
                   ? NULL
                   : "joint swapping over at least 3 rungs, N y K up to 9";
    return NULL;
}

static const char *missing_convergence(const spn_exact_plan *p, const char *result)
{
    static const char *const of_kappa3[] = {"log_kappa3", "condition3_met", "stages.condition3",
                                            "stages.log_bound3"};
    if (!p->schedule)
        return "give a schedule";
    for (size_t k = 0; k < sizeof of_kappa3 / sizeof of_kappa3[0]; k++)
        if (strcmp(result, of_kappa3[k]) == 0 && p->sites * p->replicas > SPN_KAPPA3_BITS)
            return "a chain of N y up to 8";
    return NULL;
}

const char *spn_exact_missing(const void *plan, const char *result)
{
    const spn_exact_plan *p = plan;
    const char *section = section_of(result);
    if (strcmp(result, "seconds") == 0)
        return NULL;
    if (strcmp(section, "Law") == 0)
        return p->no_law ? "no-law leaves it out" : NULL;
    if (strcmp(section, "Chains") == 0)
        return missing_chain(p, result);
    if (strcmp(section, "Dense regions") == 0)
        return missing_dense(p, result);
    if (strcmp(section, "Joint chain") == 0)
        return missing_joint(p, result);
    if (strcmp(section, "Convergence") == 0)
        return missing_convergence(p, result);
    return NULL;
}

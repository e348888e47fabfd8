/* What the environment says about ranks. Open MPI, MPICH and its relatives, and PMIx under a batch
   system have different variables. */
#include "sweep/ranks.h"

#include <spinney/lab/sweep.h>
#include <stdlib.h>

static size_t number_of(const char *const *names, size_t none)
{
    for (size_t k = 0; names[k]; k++) {
        const char *text = getenv(names[k]);
        if (text && *text >= '0' && *text <= '9')
            return strtoul(text, NULL, 10);
    }
    return none;
}

size_t spn_sweep_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
    return spn_ranks_expected() ? number_of(names, 0) : 0;
}

size_t spn_sweep_ranks(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    /* PMIx does not give the number of ranks; MPI will */
    return number_of(sizes, getenv("PMIX_RANK") ? 0 : 1);
}

bool spn_ranks_expected(void)
{
    return spn_sweep_ranks() != 1;
}

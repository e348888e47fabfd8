/* What the environment says about ranks. Open MPI, MPICH and its kin, and PMIx under a batch
   system each have variables of their own. */
#include "sweep/ranks.h"

#include <stdlib.h>

/* The number in the first variable that is set; `none` where none is. */
static size_t number_of(const char *const *names, size_t none)
{
    for (size_t k = 0; names[k]; k++) {
        const char *text = getenv(names[k]);
        if (text && *text >= '0' && *text <= '9')
            return strtoul(text, NULL, 10);
    }
    return none;
}

size_t spn_ranks_expected_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
    return number_of(names, 0);
}

size_t spn_ranks_expected_count(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    /* PMIx does not say how many there are; MPI will */
    return number_of(sizes, getenv("PMIX_RANK") ? 0 : 1);
}

bool spn_ranks_expected(void)
{
    return spn_ranks_expected_count() != 1;
}

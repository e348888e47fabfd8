/* Datasets: ownership. */
#include <spinney/dataset.h>

#include <stdlib.h>

void spn_dataset_free(spn_dataset *dataset)
{
    if (!dataset)
        return;
    for (uint32_t k = 0; dataset->class_names && k < dataset->classes; k++)
        free(dataset->class_names[k]);
    free(dataset->class_names);
    free(dataset->labels);
    free(dataset->values);
    free(dataset->bytes);
    free(dataset);
}

void spn_scaling_free(spn_scaling *scaling)
{
    if (!scaling)
        return;
    free(scaling->shift);
    free(scaling->scale);
    free(scaling);
}

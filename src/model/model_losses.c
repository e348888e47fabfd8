/* The training losses in a model's manifest. */
#include "model/model.h"

#include <jansson.h>
#include <stdlib.h>

/* "results" holds "replicas", an array of objects with "train_loss". */
double *spn_model_train_losses(const spn_model *model)
{
    json_t *root = json_loads(model->manifest, 0, NULL);
    json_t *list = json_object_get(json_object_get(root, "results"), "replicas");
    double *losses = NULL;
    if (json_is_array(list) && json_array_size(list) == model->replicas)
        losses = calloc(model->replicas, sizeof *losses);
    for (size_t a = 0; losses && a < model->replicas; a++) {
        json_t *loss = json_object_get(json_array_get(list, a), "train_loss");
        losses[a] = json_number_value(loss);
        if (!json_is_number(loss)) {
            free(losses);
            losses = NULL;
        }
    }
    json_decref(root);
    return losses;
}

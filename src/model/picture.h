/* The shape of the pictures of a model's weights. */
#ifndef SPN_MODEL_PICTURE_H
#define SPN_MODEL_PICTURE_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/export.h>

/* One class: `width` by `height` cells, of which the first `cells` hold a weight. */
typedef struct spn_picture {
    size_t width, height, cells;
} spn_picture;

/* An image as it is; other features as a bar of up to `most` cells that wraps. */
spn_picture spn_picture_of(const spn_model *model, size_t most);

/* The weight of a cell, -1 or +1; 0 outside of the features. */
static inline int8_t spn_picture_cell(const spn_picture *picture, const int8_t *weights, size_t x,
                                      size_t y)
{
    const size_t at = y * picture->width + x;
    return x < picture->width && y < picture->height && at < picture->cells ? weights[at] : 0;
}

#endif

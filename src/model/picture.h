/* Pictures of a model's weights: of each class, or of each hidden unit. */
#ifndef SPN_MODEL_PICTURE_H
#define SPN_MODEL_PICTURE_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/export.h>

/* Pictures of the classes of a linear classifier, or of hidden units. Each has `width` by `height`
   cells; the first `cells` hold weights. */
typedef struct spn_pictures {
    const spn_model *model;
    const int8_t *weights; /* of the classifier */
    size_t first, count;
    size_t width, height, cells;
    const size_t *starts; /* cell i holds weights starts[i] to starts[i + 1] - 1; NULL: weight i */
} spn_pictures;

/* Hidden units first .. first + count - 1; 0 and 0: all. Images keep their shape, each pixel with
   its encoded inputs; other features become a bar of up to `most` cells that wraps. Errors:
   ARGUMENT (units of a linear classifier, or that do not exist). */
spn_status spn_pictures_make(spn_pictures *out, const spn_model *model, const int8_t *weights,
                             size_t first, size_t count, size_t most, spn_error *err);

enum { SPN_SHADE_NONE = -128, SPN_SHADE_MOST = 100 };

/* Mean weight of a cell of picture j, from -SPN_SHADE_MOST for -1 to SPN_SHADE_MOST for +1;
   SPN_SHADE_NONE outside the features, and for a feature without inputs. */
int spn_picture_shade(const spn_pictures *pictures, size_t j, size_t x, size_t y);

/* Weight of picture j, a unit, to a class. */
int spn_picture_output(const spn_pictures *pictures, size_t j, size_t class);

#endif

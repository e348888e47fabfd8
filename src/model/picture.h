/* Pictures of a model's weights: of each class, or of each hidden unit. */
#ifndef SPN_MODEL_PICTURE_H
#define SPN_MODEL_PICTURE_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/export.h>

/* One of them: `width` by `height` cells, of which the first `cells` hold weights. */
typedef struct spn_picture {
    size_t width, height, cells;
    const size_t *starts; /* cell i holds weights starts[i] to starts[i + 1] - 1; NULL: weight i */
} spn_picture;

/* An image as it is, each pixel with the inputs that an encoding makes of it; other features as a
   bar of up to `most` cells that wraps. */
spn_picture spn_picture_of(const spn_model *model, size_t most);

enum { SPN_SHADE_NONE = -128, SPN_SHADE_MOST = 100 };

/* The mean of the weights of a cell, -SPN_SHADE_MOST for -1 to SPN_SHADE_MOST for +1;
   SPN_SHADE_NONE outside of the features, and for one that has no input. */
int spn_picture_shade(const spn_picture *picture, const int8_t *weights, size_t x, size_t y);

/* The pictures that are drawn: of the classes of a linear classifier, or of hidden units. */
typedef struct spn_picture_list {
    const spn_model *model;
    const int8_t *weights; /* of the classifier */
    size_t first, count;
} spn_picture_list;

/* Hidden units first .. first + count - 1; 0 and 0: everything. Errors: ARGUMENT for units of a
   linear classifier, and for units that do not exist. */
spn_status spn_picture_list_make(spn_picture_list *out, const spn_model *model,
                                 const int8_t *weights, size_t first, size_t count, spn_error *err);

/* The weights of number j of the list, from 0, on the inputs. */
const int8_t *spn_picture_weights(const spn_picture_list *list, size_t j);

/* The weight of number j, a unit, to a class. */
int spn_picture_output(const spn_picture_list *list, size_t j, size_t class);

/* What number j is called; scratch: for the name of a unit. */
const char *spn_picture_name(const spn_picture_list *list, size_t j, char scratch[32]);

#endif

/* What the pictures of a model's weights show. */
#include "model/picture.h"

#include <assert.h>
#include <spinney/encoding.h>
#include <stdio.h>

spn_picture spn_picture_of(const spn_model *model, size_t most)
{
    const size_t inputs = model->scaling->features;
    if (model->width > 0)
        return (spn_picture){model->width, model->height, model->features,
                             model->encoding ? model->encoding->start : NULL};
    const size_t width = inputs < most ? inputs : most;
    return (spn_picture){width, (inputs + width - 1) / width, inputs, NULL};
}

int spn_picture_shade(const spn_picture *picture, const int8_t *weights, size_t x, size_t y)
{
    const size_t cell = y * picture->width + x;
    if (x >= picture->width || y >= picture->height || cell >= picture->cells)
        return SPN_SHADE_NONE;
    const size_t first = picture->starts ? picture->starts[cell] : cell;
    const size_t end = picture->starts ? picture->starts[cell + 1] : cell + 1;
    int sum = 0;
    for (size_t i = first; i < end; i++)
        sum += weights[i];
    return first < end ? SPN_SHADE_MOST * sum / (int)(end - first) : SPN_SHADE_NONE;
}

spn_status spn_picture_list_make(spn_picture_list *out, const spn_model *model,
                                 const int8_t *weights, size_t first, size_t count, spn_error *err)
{
    const size_t all = model->hidden ? model->hidden : model->classes;
    *out = (spn_picture_list){model, weights, first, count};
    if (first == 0 && count == 0)
        out->count = all;
    else if (model->hidden == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a linear classifier has no hidden units to draw");
    else if (count < 1 || first >= all || count > all - first)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the hidden units are 1 to %zu: there are no %zu from number %zu on", all,
                        count, first + 1);
    return SPN_OK;
}

const int8_t *spn_picture_weights(const spn_picture_list *list, size_t j)
{
    const spn_model *m = list->model;
    const size_t apart = m->hidden ? m->scaling->features + m->hidden_bias : spn_model_row(m);
    assert(j < list->count);
    return list->weights + (list->first + j) * apart;
}

int spn_picture_output(const spn_picture_list *list, size_t j, size_t class)
{
    const spn_model *m = list->model;
    const size_t row = spn_model_row(m), units = spn_model_sites(m) - m->classes * row;
    assert(m->hidden && j < list->count && class < m->classes);
    return list->weights[units + class * row + list->first + j];
}

const char *spn_picture_name(const spn_picture_list *list, size_t j, char scratch[32])
{
    if (!list->model->hidden)
        return list->model->class_names[list->first + j];
    snprintf(scratch, 32, "unit %zu", list->first + j + 1);
    return scratch;
}

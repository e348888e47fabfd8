/* The columns of the table that a model was trained on, as a section of its file. */
#include "model/model_sections.h"

#include <stdlib.h>
#include <string.h>

const spn_columns *spn_model_columns(const spn_model *model)
{
    return model->columns;
}

spn_status spn_model_set_columns(spn_model *model, const spn_columns *columns, spn_error *err)
{
    spn_columns *copy = NULL;
    if (columns && columns->features != model->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "columns that make %zu features, for a model of %zu", columns->features,
                        model->features);
    if (columns) {
        const spn_status status = spn_columns_copy(&copy, columns, err);
        if (status)
            return status;
    }
    spn_columns_free(model->columns);
    model->columns = copy;
    return SPN_OK;
}

bool spn_model_columns_write(spn_bytes *out, const spn_model *model)
{
    char *text = NULL;
    if (!model->columns)
        return true;
    const bool good = spn_columns_to_text(&text, model->columns, NULL) == SPN_OK &&
                      spn_bytes_put(out, text, strlen(text));
    free(text);
    return good;
}

spn_status spn_model_columns_read(spn_model *model, const uint8_t *data, size_t size,
                                  const char *file, spn_error *err)
{
    const spn_status status =
        spn_columns_from_text(&model->columns, (const char *)data, size, file, err);
    if (status || model->columns->features == model->features)
        return status;
    return spn_fail(err, SPN_ERROR_INPUT, "%s: columns that make %zu features, for a model of %zu",
                    file, model->columns->features, model->features);
}

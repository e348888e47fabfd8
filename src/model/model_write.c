/* Write model files. */
#include "model/model_format.h"

#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const char *manifest_of(const spn_model *model)
{
    return model->manifest ? model->manifest : "{}";
}

static spn_model_head head_of(const spn_model *model, size_t named_size)
{
    const bool plain = model->bias == 0 && named_size == 0;
    spn_model_head head = {.version = model->hidden ? SPN_MODEL_VERSION
                                      : plain       ? SPN_MODEL_PLAIN_VERSION
                                                    : SPN_MODEL_LINEAR_VERSION,
                           .classes = model->classes,
                           .features = model->scaling->features,
                           .replicas = model->replicas,
                           .width = model->width,
                           .height = model->height,
                           .preprocess = (uint64_t)model->preprocess.kind,
                           .manifest_size = strlen(manifest_of(model)),
                           .bias = model->bias,
                           .named_size = named_size,
                           .hidden = model->hidden,
                           .hidden_bias = model->hidden_bias};
    for (uint32_t k = 0; k < model->classes; k++)
        head.names_size += strlen(model->class_names[k]) + 1;
    return head;
}

static void put_scaling(uint8_t *at, const spn_model *model)
{
    const double first[] = {model->logit_scale, model->preprocess.shift, model->preprocess.scale,
                            model->preprocess.threshold};
    for (size_t j = 0; j < 4; j++, at += 8)
        spn_put_real(at, first[j]);
    for (size_t i = 0; i < model->scaling->features; i++, at += 8)
        spn_put_real(at, model->scaling->shift[i]);
    for (size_t i = 0; i < model->scaling->features; i++, at += 8)
        spn_put_real(at, model->scaling->scale[i]);
}

/* All bytes except checksums. */
static void put_all(uint8_t *data, const spn_model *model, const spn_model_head *head,
                    const spn_model_layout *layout, const spn_bytes *named)
{
    spn_model_put_head(data, head);
    memcpy(data + layout->start[SPN_MODEL_MANIFEST], manifest_of(model), head->manifest_size);
    put_scaling(data + layout->start[SPN_MODEL_SCALING], model);
    uint8_t *at = data + layout->start[SPN_MODEL_NAMES];
    for (uint32_t k = 0; k < model->classes; k++) {
        const size_t size = strlen(model->class_names[k]) + 1;
        memcpy(at, model->class_names[k], size);
        at += size;
    }
    for (size_t a = 0; a < model->replicas; a++)
        spn_put_real(data + layout->start[SPN_MODEL_LOSSES] + 8 * a,
                     model->train_losses ? model->train_losses[a] : NAN);
    if (named->size)
        memcpy(data + layout->start[SPN_MODEL_NAMED], named->data, named->size);
    assert(spn_model_packed_size(head) == spn_model_replica_bytes(model));
    memcpy(data + layout->start[SPN_MODEL_WEIGHTS], model->packed,
           model->replicas * spn_model_replica_bytes(model));
}

spn_status spn_model_bytes(uint8_t **out, size_t *size, const spn_model *model, const char *path,
                           spn_error *err)
{
    *out = NULL;
    spn_bytes named = {0};
    uint8_t *data = NULL;
    spn_status status = SPN_OK;
    spn_model_write_sections(&named, model);
    if (named.failed) {
        status = spn_no_memory(err, "%s", path);
        goto cleanup;
    }
    const spn_model_head head = head_of(model, named.size);
    spn_model_layout layout;
    if (!spn_model_layout_of(&layout, &head)) {
        status = spn_refuse(err, "%s: the model is too large for a file", path);
        goto cleanup;
    }
    SPN_NEED_OR(cleanup, (data = spn_alloc(layout.total, 1)), err, "%s", path);
    put_all(data, model, &head, &layout, &named);
    spn_model_seal(data, &layout);
    *out = data;
    *size = layout.total;
    data = NULL;
cleanup:
    SPN_FREE_ALL(named.data, data);
    return status;
}

spn_status spn_model_pack(uint8_t **out, size_t *size, const spn_model *model, spn_error *err)
{
    *out = NULL;
    SPN_TRY(spn_model_check(model, SPN_ERROR_ARGUMENT, "the model", err));
    return spn_model_bytes(out, size, model, "the model", err);
}

spn_status spn_model_write(const spn_model *model, const char *path, spn_error *err)
{
    uint8_t *data;
    size_t size = 0;
    spn_file *file;
    SPN_TRY(spn_model_check(model, SPN_ERROR_ARGUMENT, path, err));
    SPN_TRY(spn_model_bytes(&data, &size, model, path, err));
    spn_status status = spn_file_create(&file, path, err);
    if (!status) {
        fwrite(data, 1, size, spn_file_stream(file));
        status = spn_file_commit(file, err);
    }
    free(data);
    return status;
}

/* Model files, with right checksums where the first byte says so. */
#include "check.h"
#include "targets.h"

#include "model/model_format.h"

#include <math.h>
#include <spinney/network.h>

static void check_model(const spn_model *m)
{
    require(m->classes >= 2 && m->features > 0 && m->replicas > 0 && m->manifest);
    require(m->width * m->height == 0 || m->width * m->height == m->features);
    require(m->logit_scale > 0 && m->scaling->features > 0);
    for (uint32_t k = 0; k < m->classes; k++)
        require(m->class_names[k][0] != '\0');
    for (size_t i = 0; i < m->scaling->features; i++)
        require(isfinite(m->scaling->shift[i]) && m->scaling->scale[i] != 0);
    require(m->hidden <= SPN_MOST_HIDDEN && (m->hidden > 0 || m->hidden_bias == 0));
    for (size_t a = 0; m->train_losses && a < m->replicas; a++)
        require(isfinite(m->train_losses[a]));
}

/* Put the right checksums into a file whose sizes fit, as no fuzzer could by chance. */
static void seal(uint8_t *data, size_t size)
{
    spn_model_head head;
    spn_model_layout layout;
    if (size < SPN_MODEL_HEAD_SIZE)
        return;
    spn_model_get_head(&head, data, size);
    if (spn_model_layout_of(&layout, &head) && layout.total == size)
        spn_model_seal(data, &layout);
    else
        spn_put_number(data + SPN_MODEL_HEAD_SIZE - SPN_MODEL_SUM_SIZE, spn_model_head_sum(data),
                       8);
}

/* What was read can be written, and is the same when it is read again. */
static void write_again(const spn_model *model)
{
    spn_error err = {0};
    spn_model *again;
    uint8_t *bytes, *same;
    size_t size, same_size;
    require(spn_model_bytes(&bytes, &size, model, "again", &err) == SPN_OK);
    require(spn_model_parse(&again, bytes, size, "again", &err) == SPN_OK);
    require(spn_model_bytes(&same, &same_size, again, "again", &err) == SPN_OK);
    require(size == same_size && memcmp(bytes, same, size) == 0);
    require(memcmp(model->packed, again->packed,
                   model->replicas * spn_model_replica_bytes(model)) == 0);
    spn_model_free(again);
    free(bytes);
    free(same);
}

void spn_fuzz_model(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_source file = copy_of(data + 1, size - 1);
    if (data[0] & 1)
        seal(file.owned, file.size);
    spn_model *model;
    spn_error err = {0};
    spn_status status = spn_model_parse(&model, file.data, file.size, file.name, &err);
    require((status == SPN_OK) == (model != NULL));
    check_error(status, &err, INPUT);
    if (model) {
        check_model(model);
        write_again(model);
    }
    spn_model_free(model);
    spn_source_unload(&file);
}

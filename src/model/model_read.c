/* Read a model file: the head, the size of the file, the checksums, then the content. No content
   is used before its checksum is right. */
#include "model/model_format.h"

#include "base/memory.h"
#include "base/source.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES ((size_t)4 << 30)

static const char *const section_names[SPN_MODEL_SECTIONS] = {
    [SPN_MODEL_MANIFEST] = "manifest",
    [SPN_MODEL_SCALING] = "preprocessing",
    [SPN_MODEL_NAMES] = "list of class names",
    [SPN_MODEL_WEIGHTS] = "weights",
    [SPN_MODEL_LOSSES] = "losses",
    [SPN_MODEL_NAMED] = "list of named sections"};

typedef struct input {
    const uint8_t *data;
    size_t size;
    const char *name;
    uint8_t *
        *owned; /* memory with the data, which the model may keep; NULL: the data is borrowed */
    spn_model_head head;
    spn_model_layout layout;
} input;

static spn_status damaged(const input *in, const char *what, size_t from, size_t size,
                          spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the %s (bytes %zu to %zu) is damaged: its checksum is wrong", in->name,
                    what, from, from + size - 1);
}

/* ---- head and sizes ---- */

static spn_status read_head(input *in, spn_error *err)
{
    const size_t known = in->size < SPN_MODEL_MAGIC_SIZE ? in->size : SPN_MODEL_MAGIC_SIZE;
    const bool magic = in->size > 0 && memcmp(in->data, spn_model_magic, known) == 0;
    if (in->size < SPN_MODEL_HEAD_SIZE && magic)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the model is cut short: %zu bytes", in->name,
                        in->size);
    if (in->size < SPN_MODEL_HEAD_SIZE)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: is not a spinney model%s", in->name,
                        in->size ? "" : ": it is empty");
    const size_t sum_at = SPN_MODEL_HEAD_SIZE - SPN_MODEL_SUM_SIZE;
    const bool sum = spn_get_number(in->data + sum_at, 8) == spn_model_head_sum(in->data);
    if (!magic && !sum)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: is not a spinney model", in->name);
    if (!magic)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the magic (bytes 0 to 7) of the model is damaged", in->name);
    if (!sum)
        return damaged(in, "head", 0, SPN_MODEL_HEAD_SIZE, err);
    spn_model_get_head(&in->head, in->data, in->size);
    if (in->head.version < SPN_MODEL_OLDEST_VERSION || in->head.version > SPN_MODEL_VERSION)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: is a model of version %u; this program reads versions %d to %d",
                        in->name, (unsigned)in->head.version, SPN_MODEL_OLDEST_VERSION,
                        SPN_MODEL_VERSION);
    return SPN_OK;
}

static spn_status read_more(const input *in, spn_error *err)
{
    const size_t end = spn_model_head_size(&in->head);
    if (in->size < end)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the model is cut short: %zu bytes", in->name,
                        in->size);
    if (end > SPN_MODEL_HEAD_SIZE &&
        spn_get_number(in->data + end - SPN_MODEL_SUM_SIZE, 8) != spn_model_more_sum(in->data))
        return damaged(in, "second head", SPN_MODEL_HEAD_SIZE, end - SPN_MODEL_HEAD_SIZE, err);
    return SPN_OK;
}

static spn_status impossible(const input *in, spn_error *err)
{
    const spn_model_head *head = &in->head;
    char hidden[64] = "";
    if (head->version > SPN_MODEL_LINEAR_VERSION)
        snprintf(hidden, sizeof hidden, "%llu hidden units, ", (unsigned long long)head->hidden);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the head holds impossible sizes: %u classes, %s%llu features, %llu "
                    "replicas",
                    in->name, (unsigned)head->classes, hidden, (unsigned long long)head->features,
                    (unsigned long long)head->replicas);
}

static spn_status check_size(input *in, spn_error *err)
{
    if (in->head.reserved != 0 || !spn_model_layout_of(&in->layout, &in->head))
        return impossible(in, err);
    if (in->size < in->layout.total)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the model is cut short: %zu of %zu bytes",
                        in->name, in->size, in->layout.total);
    if (in->size > in->layout.total)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %zu bytes follow the end of the model", in->name,
                        in->size - in->layout.total);
    return SPN_OK;
}

static spn_status check_sums(const input *in, spn_error *err)
{
    for (size_t s = 0; s < in->layout.sections; s++) {
        const size_t start = in->layout.start[s], size = in->layout.size[s];
        if (spn_get_number(in->data + start + size, 8) !=
            spn_model_section_sum(in->data, &in->layout, s))
            return damaged(in, section_names[s], start, size + SPN_MODEL_SUM_SIZE, err);
    }
    const size_t end = in->layout.total - SPN_MODEL_SUM_SIZE;
    if (spn_get_number(in->data + end, 8) != spn_model_file_sum(in->data, &in->layout))
        return damaged(in, "checksum at the end", end, SPN_MODEL_SUM_SIZE, err);
    return SPN_OK;
}

/* ---- content ---- */

static spn_status take_manifest(spn_model *model, const input *in, spn_error *err)
{
    const uint8_t *at = in->data + in->layout.start[SPN_MODEL_MANIFEST];
    const size_t size = in->layout.size[SPN_MODEL_MANIFEST];
    if (memchr(at, 0, size))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the manifest is not a text", in->name);
    SPN_NEED(model->manifest = spn_alloc(size + 1, 1), err, "%s", in->name);
    memcpy(model->manifest, at, size);
    return SPN_OK;
}

static spn_status take_scaling(spn_model *model, const input *in, spn_error *err)
{
    const uint8_t *at = in->data + in->layout.start[SPN_MODEL_SCALING];
    const size_t features = (size_t)in->head.features;
    model->logit_scale = spn_get_real(at);
    model->preprocess = (spn_preprocess){.kind = (spn_preprocess_kind)in->head.preprocess,
                                         .shift = spn_get_real(at + 8),
                                         .scale = spn_get_real(at + 16),
                                         .threshold = spn_get_real(at + 24)};
    spn_scaling *scaling = model->scaling = spn_scaling_alloc(features);
    SPN_NEED(scaling, err, "%s", in->name);
    for (size_t i = 0; i < features; i++) {
        scaling->shift[i] = spn_get_real(at + 8 * (4 + i));
        scaling->scale[i] = spn_get_real(at + 8 * (4 + features + i));
    }
    return SPN_OK;
}

static spn_status take_names(spn_model *model, const input *in, spn_error *err)
{
    const char *at = (const char *)in->data + in->layout.start[SPN_MODEL_NAMES];
    size_t left = in->layout.size[SPN_MODEL_NAMES];
    model->class_names = spn_alloc(model->classes, sizeof *model->class_names);
    SPN_NEED(model->class_names, err, "%s", in->name);
    for (uint32_t k = 0; k < model->classes; k++) {
        const char *end = memchr(at, 0, left);
        if (!end)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: %u class names where %u are expected",
                            in->name, (unsigned)k, (unsigned)model->classes);
        SPN_NEED(model->class_names[k] = strdup(at), err, "%s", in->name);
        left -= (size_t)(end - at) + 1;
        at = end + 1;
    }
    if (left > 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: more than %u class names", in->name,
                        (unsigned)model->classes);
    return SPN_OK;
}

/* The weights stay in the memory of the file. */
static spn_status take_weights(spn_model *model, const input *in, spn_error *err)
{
    const uint8_t *at = in->data + in->layout.start[SPN_MODEL_WEIGHTS];
    const size_t rest = (size_t)spn_model_head_sites(&in->head) % 8;
    const size_t packed = spn_model_packed_size(&in->head);
    for (size_t a = 0; rest && a < model->replicas; a++)
        if (at[(a + 1) * packed - 1] >> rest != 0)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: bits follow the weights of replica %zu",
                            in->name, a + 1);
    model->packed = at;
    if (in->owned) {
        model->memory = *in->owned;
        *in->owned = NULL;
        return SPN_OK;
    }
    SPN_NEED(model->memory = spn_alloc(model->replicas, packed), err, "%s", in->name);
    model->packed = memcpy(model->memory, at, model->replicas * packed);
    return SPN_OK;
}

/* ---- losses ---- */

/* The number after the next "train_loss": before `end`; NaN if there is none. *at moves past it,
   or becomes NULL. */
static double next_loss(const char **at, const char *end)
{
    static const char name[] = "\"train_loss\":";
    double value = NAN;
    const char *found = strstr(*at, name);
    *at = NULL;
    if (!found || found >= end)
        return NAN;
    const char *start = found + strlen(name);
    start += strspn(start, " ");
    const size_t size = strcspn(start, ",} \n");
    *at = start + size;
    return spn_number_read(&value, (spn_span){start, size}) == SPN_NUMBER_FINITE ? value : NAN;
}

/* Version 1 has the losses in the manifest: "results" holds "replicas", a list of objects with
   "train_loss". False if they are missing. */
static bool find_losses(double *out, const char *manifest, size_t replicas)
{
    const char *at = strstr(manifest, "\"results\":");
    at = at ? strstr(at, "\"replicas\": [") : NULL;
    const char *end = at ? strchr(at, ']') : NULL;
    if (!end)
        return false;
    for (size_t a = 0; a < replicas; a++)
        if (isnan(out[a] = next_loss(&at, end)))
            return false;
    next_loss(&at, end);
    return at == NULL; /* exactly one for each replica */
}

static bool read_losses(double *out, const input *in)
{
    const uint8_t *at = in->data + in->layout.start[SPN_MODEL_LOSSES];
    bool known = false;
    for (size_t a = 0; a < in->head.replicas; a++) {
        out[a] = spn_get_real(at + 8 * a);
        known = known || !isnan(out[a]);
    }
    return known;
}

static spn_status take_losses(spn_model *model, const input *in, spn_error *err)
{
    double *losses = spn_alloc(model->replicas, sizeof *losses);
    SPN_NEED(losses, err, "%s", in->name);
    assert(model->manifest);
    if (in->head.version > 1 ? read_losses(losses, in)
                             : find_losses(losses, model->manifest, model->replicas))
        model->train_losses = losses;
    else
        free(losses);
    return SPN_OK;
}

static spn_status take_content(spn_model *model, const input *in, spn_error *err)
{
    model->classes = (uint32_t)in->head.classes;
    model->features = (size_t)in->head.features;
    model->bias = (size_t)in->head.bias;
    model->hidden = (size_t)in->head.hidden;
    model->hidden_bias = (size_t)in->head.hidden_bias;
    model->replicas = (size_t)in->head.replicas;
    model->width = (size_t)in->head.width;
    model->height = (size_t)in->head.height;
    SPN_TRY(take_manifest(model, in, err));
    SPN_TRY(take_scaling(model, in, err));
    SPN_TRY(take_names(model, in, err));
    SPN_TRY(take_losses(model, in, err));
    if (in->layout.sections > SPN_MODEL_NAMED)
        SPN_TRY(spn_model_read_sections(model, in->data + in->layout.start[SPN_MODEL_NAMED],
                                        in->layout.size[SPN_MODEL_NAMED], in->name, err));
    SPN_TRY(take_weights(model, in, err));
    return spn_model_check(model, SPN_ERROR_INPUT, in->name, err);
}

static spn_status parse(spn_model **out, input *in, spn_error *err)
{
    *out = NULL;
    SPN_TRY(read_head(in, err));
    SPN_TRY(read_more(in, err));
    SPN_TRY(check_size(in, err));
    SPN_TRY(check_sums(in, err));
    spn_model *model = calloc(1, sizeof *model);
    SPN_NEED(model, err, "%s", in->name);
    SPN_HAND_OVER(out, model, spn_model_free, take_content(model, in, err));
}

spn_status spn_model_parse(spn_model **out, const uint8_t *data, size_t size, const char *name,
                           spn_error *err)
{
    return parse(out, &(input){.data = data, .size = size, .name = name}, err);
}

spn_status spn_model_read(spn_model **out, const char *path, spn_error *err)
{
    *out = NULL;
    spn_source source;
    SPN_TRY(spn_source_load(&source, path, MOST_BYTES, err));
    input in = {
        .data = source.data, .size = source.size, .name = source.name, .owned = &source.owned};
    const spn_status status = parse(out, &in, err);
    spn_source_unload(&source);
    return status;
}

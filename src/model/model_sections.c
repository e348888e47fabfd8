/* The named sections of a model file. */
#include "model/model_sections.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/try.h"
#include "model/model_format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_SIZE = 16, MOST_NAME = 64, MOST_STRANGERS = 64 };

bool spn_bytes_put(spn_bytes *bytes, const void *data, size_t size)
{
    if (size > SIZE_MAX - bytes->size ||
        !spn_grow(&bytes->data, &bytes->capacity, bytes->size + size, 1))
        return false;
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

/* ---- the encoding ---- */

/* u64, the features D; D times u32, the thresholds of each; all thresholds, doubles. */
static bool write_encoding(spn_bytes *out, const spn_model *model)
{
    const spn_encoding *e = model->encoding;
    uint8_t number[8];
    if (!e || e->copies > 0)
        return true;
    const size_t features = e->features, *start = e->start;
    spn_put_u64(number, features);
    bool good = spn_bytes_put(out, number, 8);
    for (size_t i = 0; i < features && good; i++) {
        spn_put_u32(number, (uint32_t)(start[i + 1] - start[i]));
        good = spn_bytes_put(out, number, 4);
    }
    for (size_t j = 0; j < e->inputs && good; j++) {
        spn_put_real(number, e->thresholds[j]);
        good = spn_bytes_put(out, number, 8);
    }
    return good;
}

static spn_status read_encoding(spn_model *model, const uint8_t *data, size_t size,
                                const char *file, spn_error *err)
{
    const size_t inputs = model->scaling->features;
    const uint64_t features = size < 8 ? 0 : spn_get_u64(data);
    spn_error why = {0};
    if (model->encoding || features < 1 || features > size / 4 || inputs > size / 8 ||
        size != 8 + 4 * (size_t)features + 8 * inputs)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the encoding has an impossible size", file);
    uint32_t *counts = spn_alloc((size_t)features, sizeof *counts);
    double *thresholds = spn_alloc(inputs, sizeof *thresholds);
    uint64_t sum = 0;
    spn_status status = SPN_OK;
    if (!counts || !thresholds) {
        free(counts);
        free(thresholds);
        return spn_no_memory(err, "%s", file);
    }
    for (size_t i = 0; i < features; i++)
        sum += counts[i] = spn_get_u32(data + 8 + 4 * i);
    for (size_t j = 0; j < inputs; j++)
        thresholds[j] = spn_get_real(data + 8 + 4 * features + 8 * j);
    if (sum != inputs)
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: the encoding has %llu thresholds, not %zu",
                          file, (unsigned long long)sum, inputs);
    if (!status &&
        spn_encoding_create(&model->encoding, (size_t)features, counts, thresholds, &why))
        status = spn_fail(err, why.status == SPN_ERROR_MEMORY ? SPN_ERROR_MEMORY : SPN_ERROR_INPUT,
                          "%s: %s", file, why.text);
    model->features = (size_t)features;
    free(counts);
    free(thresholds);
    return status;
}

/* Copies: u64, the features D; u64, how many of each. */
static bool write_copies(spn_bytes *out, const spn_model *model)
{
    const size_t copies = model->encoding ? model->encoding->copies : 0;
    uint8_t numbers[16];
    if (copies == 0)
        return true;
    spn_put_u64(numbers, model->features);
    spn_put_u64(numbers + 8, copies);
    return spn_bytes_put(out, numbers, sizeof numbers);
}

static spn_status read_copies(spn_model *model, const uint8_t *data, size_t size, const char *file,
                              spn_error *err)
{
    const uint64_t features = size == 16 ? spn_get_u64(data) : 0;
    const uint64_t copies = size == 16 ? spn_get_u64(data + 8) : 0;
    spn_error why = {0};
    if (model->encoding || copies < 1 || copies > SPN_MOST_COPIES || features < 1 ||
        features > SIZE_MAX / SPN_MOST_COPIES || features * copies != model->scaling->features)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the copies of features do not fit the model",
                        file);
    if (spn_encoding_copies(&model->encoding, (size_t)features, (size_t)copies, &why))
        return spn_fail(err, why.status, "%s: %s", file, why.text);
    model->features = (size_t)features;
    return SPN_OK;
}

/* The columns of the training table, as a text. */
static bool write_columns(spn_bytes *out, const spn_model *model)
{
    char *text = NULL;
    if (!model->columns)
        return true;
    const bool good = spn_columns_to_text(&text, model->columns, NULL) == SPN_OK &&
                      spn_bytes_put(out, text, strlen(text));
    free(text);
    return good;
}

static spn_status read_columns(spn_model *model, const uint8_t *data, size_t size, const char *file,
                               spn_error *err)
{
    SPN_TRY(spn_columns_from_text(&model->columns, (const char *)data, size, file, err));
    if (model->columns->features == model->features)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the columns make %zu features, and the model has %zu", file,
                    model->columns->features, model->features);
}

/* The sections that this program knows, in the order in which they are written and numbered. */
static const spn_model_section_kind kinds[] = {
    {"encoding", true, write_encoding, read_encoding},
    {"copies", true, write_copies, read_copies},
    {"columns", true, write_columns, read_columns},
    {.name = NULL},
};

/* ---- writing ---- */

static bool put_section(spn_bytes *out, const char *name, bool needed, const uint8_t *content,
                        size_t size)
{
    uint8_t head[HEAD_SIZE];
    spn_put_u32(head, (uint32_t)strlen(name));
    spn_put_u32(head + 4, needed);
    spn_put_u64(head + 8, size);
    return spn_bytes_put(out, head, sizeof head) && spn_bytes_put(out, name, strlen(name)) &&
           spn_bytes_put(out, content, size);
}

static bool put_kind(spn_bytes *out, const spn_model_section_kind *kind, const spn_model *model)
{
    spn_bytes content = {0};
    const bool good = kind->write(&content, model) &&
                      (content.size == 0 ||
                       put_section(out, kind->name, kind->needed, content.data, content.size));
    free(content.data);
    return good;
}

bool spn_model_write_sections(spn_bytes *out, const spn_model *model)
{
    for (const spn_model_section_kind *kind = kinds; kind->name; kind++)
        if (!put_kind(out, kind, model))
            return false;
    for (size_t j = 0; j < model->stranger_count; j++) {
        const spn_model_stranger *s = &model->strangers[j];
        if (!put_section(out, s->name, false, s->data, s->size))
            return false;
    }
    return true;
}

/* ---- reading ---- */

/* A section as it stands in the file. */
typedef struct section {
    spn_span name;
    uint32_t needed;
    const uint8_t *data;
    size_t size;
} section;

/* Take the section at the start of the bytes that are left. */
static spn_status next_section(section *out, const uint8_t **at, size_t *left, const char *file,
                               spn_error *err)
{
    const uint64_t name = *left < HEAD_SIZE ? 0 : spn_get_u32(*at);
    const uint64_t size = *left < HEAD_SIZE ? 0 : spn_get_u64(*at + 8);
    if (*left < HEAD_SIZE || name > *left - HEAD_SIZE || size > *left - HEAD_SIZE - name)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: a named section does not end where it should",
                        file);
    *out = (section){.name = {(const char *)*at + HEAD_SIZE, (size_t)name},
                     .needed = spn_get_u32(*at + 4),
                     .data = *at + HEAD_SIZE + name,
                     .size = (size_t)size};
    if (name == 0 || name > MOST_NAME || memchr(out->name.text, 0, (size_t)name) || out->needed > 1)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: a named section has an impossible head", file);
    *at = out->data + size;
    *left -= HEAD_SIZE + (size_t)name + (size_t)size;
    return SPN_OK;
}

static spn_status keep_stranger(spn_model *model, const section *s, const char *file,
                                spn_error *err)
{
    char shown[SPN_SHOWN];
    if (s->needed)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the model cannot be used without its section '%s', which this program "
                        "does not know; a newer spinney may",
                        file, spn_show(shown, s->name));
    for (size_t j = 0; j < model->stranger_count; j++)
        if (spn_span_is(s->name, model->strangers[j].name))
            return spn_fail(err, SPN_ERROR_INPUT, "%s: there are two sections '%s'", file,
                            spn_show(shown, s->name));
    if (model->stranger_count == MOST_STRANGERS)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: more than %d sections are unknown", file,
                        MOST_STRANGERS);
    if (!model->strangers &&
        !(model->strangers = spn_alloc(MOST_STRANGERS, sizeof *model->strangers)))
        return spn_no_memory(err, "%s", file);
    char *name = strndup(s->name.text, s->name.size);
    uint8_t *data = spn_alloc(s->size, 1);
    if (!name || !data) {
        free(name);
        free(data);
        return spn_no_memory(err, "%s", file);
    }
    memcpy(data, s->data, s->size);
    model->strangers[model->stranger_count++] = (spn_model_stranger){name, data, s->size};
    return SPN_OK;
}

spn_status spn_model_read_sections(spn_model *model, const uint8_t *data, size_t size,
                                   const char *file, spn_error *err)
{
    uint64_t seen = 0; /* a bit for each known kind */
    spn_status status = SPN_OK;
    while (size > 0 && !status) {
        section s = {0};
        SPN_TRY(next_section(&s, &data, &size, file, err));
        assert(s.name.text && s.data);
        const spn_model_section_kind *kind = kinds;
        while (kind->name && !spn_span_is(s.name, kind->name))
            kind++;
        const uint64_t bit = (uint64_t)1 << (kind - kinds);
        if (!kind->name)
            status = keep_stranger(model, &s, file, err);
        else if (seen & bit)
            status =
                spn_fail(err, SPN_ERROR_INPUT, "%s: there are two sections '%s'", file, kind->name);
        else
            status = kind->read(model, s.data, s.size, file, err);
        seen |= bit;
    }
    return status;
}

void spn_model_strangers_free(spn_model *model)
{
    for (size_t j = 0; j < model->stranger_count; j++) {
        free(model->strangers[j].name);
        free(model->strangers[j].data);
    }
    free(model->strangers);
}

/* Named sections of a model file, which only some models have. A section is
     u32  bytes of the name
     u32  1: readers that do not know the section must refuse the model; 0: they may skip it
     u64  bytes of the content
   then the name, without a NUL, and the content. To add one, add a row to the table below, with a
   writer and a reader. */
#include "model/model_format.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_SIZE = 16, MOST_NAME = 64, MOST_STRANGERS = 64 };

/* u64, the features D; D times u32, the thresholds of each; all thresholds, doubles. */
static void write_encoding(spn_bytes *out, const spn_model *model)
{
    const spn_encoding *e = model->encoding;
    if (!e || e->copies > 0)
        return;
    spn_bytes_number(out, e->features, 8);
    for (size_t i = 0; i < e->features; i++)
        spn_bytes_number(out, e->start[i + 1] - e->start[i], 4);
    for (size_t j = 0; j < e->inputs; j++)
        spn_bytes_real(out, e->thresholds[j]);
}

static spn_status read_encoding(spn_model *model, const uint8_t *data, size_t size,
                                const char *file, spn_error *err)
{
    const size_t inputs = model->scaling->features;
    const uint64_t features = size < 8 ? 0 : spn_get_number(data, 8);
    spn_error why = {0};
    if (model->encoding || features < 1 || features > size / 4 || inputs > size / 8 ||
        size != 8 + 4 * (size_t)features + 8 * inputs)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the encoding has an impossible size", file);
    uint32_t *counts = spn_alloc((size_t)features, sizeof *counts);
    double *thresholds = spn_alloc(inputs, sizeof *thresholds);
    uint64_t sum = 0;
    spn_status status = SPN_OK;
    if (!counts || !thresholds) {
        SPN_FREE_ALL(counts, thresholds);
        return spn_no_memory(err, "%s", file);
    }
    for (size_t i = 0; i < features; i++)
        sum += counts[i] = (uint32_t)spn_get_number(data + 8 + 4 * i, 4);
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
    SPN_FREE_ALL(counts, thresholds);
    return status;
}

/* u64, the features D; u64, copies of each. */
static void write_copies(spn_bytes *out, const spn_model *model)
{
    if (!model->encoding || model->encoding->copies == 0)
        return;
    spn_bytes_number(out, model->features, 8);
    spn_bytes_number(out, model->encoding->copies, 8);
}

static spn_status read_copies(spn_model *model, const uint8_t *data, size_t size, const char *file,
                              spn_error *err)
{
    const uint64_t features = size == 16 ? spn_get_number(data, 8) : 0;
    const uint64_t copies = size == 16 ? spn_get_number(data + 8, 8) : 0;
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

static void write_columns(spn_bytes *out, const spn_model *model)
{
    char *text = NULL;
    if (model->columns && spn_columns_to_text(&text, model->columns, NULL))
        out->failed = true;
    if (text)
        spn_bytes_put(out, text, strlen(text));
    free(text);
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

/* Known sections, in the order in which they are written and numbered. */
static const struct {
    const char *name;
    /* Append the content, if the model has it. */
    void (*write)(spn_bytes *out, const spn_model *model);
    /* Read the content. Its checksum was right, but it may be anything. Errors: INPUT, starting
       with file; MEMORY. */
    spn_status (*read)(spn_model *model, const uint8_t *data, size_t size, const char *file,
                       spn_error *err);
} kinds[] = {{"encoding", write_encoding, read_encoding},
             {"copies", write_copies, read_copies},
             {"columns", write_columns, read_columns}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void put_section(spn_bytes *out, spn_span name, bool needed, const uint8_t *content,
                        size_t size)
{
    spn_bytes_number(out, name.size, 4);
    spn_bytes_number(out, needed, 4);
    spn_bytes_number(out, size, 8);
    spn_bytes_put(out, name.text, name.size);
    spn_bytes_put(out, content, size);
}

/* All known sections are needed: predictions would be wrong without them. */
void spn_model_write_sections(spn_bytes *out, const spn_model *model)
{
    for (size_t k = 0; k < KINDS; k++) {
        spn_bytes content = {0};
        kinds[k].write(&content, model);
        if (content.size > 0)
            put_section(out, (spn_span){kinds[k].name, strlen(kinds[k].name)}, true, content.data,
                        content.size);
        out->failed = out->failed || content.failed;
        free(content.data);
    }
    spn_bytes_put(out, model->strangers.data, model->strangers.size);
}

typedef struct section {
    spn_span name;
    uint64_t needed;
    const uint8_t *data;
    size_t size;
} section;

static spn_status next_section(section *out, const uint8_t **at, size_t *left, const char *file,
                               spn_error *err)
{
    const uint64_t name = *left < HEAD_SIZE ? 0 : spn_get_number(*at, 4);
    const uint64_t size = *left < HEAD_SIZE ? 0 : spn_get_number(*at + 8, 8);
    if (*left < HEAD_SIZE || name > *left - HEAD_SIZE || size > *left - HEAD_SIZE - name)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: a named section does not end where it should",
                        file);
    *out = (section){.name = {(const char *)*at + HEAD_SIZE, (size_t)name},
                     .needed = spn_get_number(*at + 4, 4),
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
    const uint8_t *at = model->strangers.data;
    size_t count = 0;
    section other = {0};
    for (size_t left = model->strangers.size; left > 0; count++) {
        SPN_TRY(next_section(&other, &at, &left, file, err));
        if (other.name.size == s->name.size &&
            memcmp(other.name.text, s->name.text, s->name.size) == 0)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: there are two sections '%s'", file,
                            spn_show(shown, s->name));
    }
    if (count == MOST_STRANGERS)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: more than %d sections are unknown", file,
                        MOST_STRANGERS);
    put_section(&model->strangers, s->name, false, s->data, s->size);
    return model->strangers.failed ? spn_no_memory(err, "%s", file) : SPN_OK;
}

spn_status spn_model_read_sections(spn_model *model, const uint8_t *data, size_t size,
                                   const char *file, spn_error *err)
{
    bool seen[KINDS] = {false};
    while (size > 0) {
        section s = {0};
        SPN_TRY(next_section(&s, &data, &size, file, err));
        assert(s.name.text && s.data);
        size_t k = 0;
        while (k < KINDS && !spn_span_is(s.name, kinds[k].name))
            k++;
        if (k < KINDS && seen[k])
            return spn_fail(err, SPN_ERROR_INPUT, "%s: there are two sections '%s'", file,
                            kinds[k].name);
        SPN_TRY(k < KINDS ? kinds[k].read(model, s.data, s.size, file, err)
                          : keep_stranger(model, &s, file, err));
        if (k < KINDS)
            seen[k] = true;
    }
    return SPN_OK;
}

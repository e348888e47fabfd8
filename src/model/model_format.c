/* The layout of a model file. */
#include "model/model_format.h"

#include <spinney/network.h>
#include <xxhash.h>

const uint8_t spn_model_magic[SPN_MODEL_MAGIC_SIZE] = {'S', 'P', 'N', 'M', 'O', 'D', 'E', 'L'};

/* The magic is not under the head's checksum: a file whose checksum is right and whose magic is
   wrong is a damaged model, not something else. */
enum {
    SUMMED = SPN_MODEL_MAGIC_SIZE,
    SUM_AT = SPN_MODEL_HEAD_SIZE - SPN_MODEL_SUM_SIZE,
    MORE_AT = SPN_MODEL_HEAD_SIZE,
    HIDDEN_AT = MORE_AT + SPN_MODEL_MORE_SIZE - SPN_MODEL_SUM_SIZE
};

static size_t heads_size(uint32_t version)
{
    return version > SPN_MODEL_LINEAR_VERSION
               ? SPN_MODEL_HEAD_SIZE + SPN_MODEL_MORE_SIZE + SPN_MODEL_HIDDEN_SIZE
           : version > SPN_MODEL_PLAIN_VERSION ? SPN_MODEL_HEAD_SIZE + SPN_MODEL_MORE_SIZE
                                               : SPN_MODEL_HEAD_SIZE;
}

size_t spn_model_head_size(const spn_model_head *head)
{
    return heads_size(head->version);
}

void spn_model_get_head(spn_model_head *out, const uint8_t *data, size_t size)
{
    *out = (spn_model_head){.version = spn_get_u32(data + 8),
                            .classes = spn_get_u32(data + 12),
                            .features = spn_get_u64(data + 16),
                            .replicas = spn_get_u64(data + 24),
                            .width = spn_get_u64(data + 32),
                            .height = spn_get_u64(data + 40),
                            .preprocess = spn_get_u32(data + 48),
                            .reserved = spn_get_u32(data + 52),
                            .manifest_size = spn_get_u64(data + 56),
                            .names_size = spn_get_u64(data + 64)};
    if (out->version <= SPN_MODEL_PLAIN_VERSION || size < heads_size(out->version))
        return;
    out->bias = spn_get_u64(data + MORE_AT);
    out->named_size = spn_get_u64(data + MORE_AT + 8);
    if (out->version <= SPN_MODEL_LINEAR_VERSION)
        return;
    out->hidden = spn_get_u64(data + HIDDEN_AT);
    out->hidden_bias = spn_get_u64(data + HIDDEN_AT + 8);
}

void spn_model_put_head(uint8_t *data, const spn_model_head *head)
{
    memcpy(data, spn_model_magic, SPN_MODEL_MAGIC_SIZE);
    spn_put_u32(data + 8, head->version);
    spn_put_u32(data + 12, head->classes);
    spn_put_u64(data + 16, head->features);
    spn_put_u64(data + 24, head->replicas);
    spn_put_u64(data + 32, head->width);
    spn_put_u64(data + 40, head->height);
    spn_put_u32(data + 48, head->preprocess);
    spn_put_u32(data + 52, head->reserved);
    spn_put_u64(data + 56, head->manifest_size);
    spn_put_u64(data + 64, head->names_size);
    if (head->version <= SPN_MODEL_PLAIN_VERSION)
        return;
    spn_put_u64(data + MORE_AT, head->bias);
    spn_put_u64(data + MORE_AT + 8, head->named_size);
    if (head->version <= SPN_MODEL_LINEAR_VERSION)
        return;
    spn_put_u64(data + HIDDEN_AT, head->hidden);
    spn_put_u64(data + HIDDEN_AT + 8, head->hidden_bias);
}

uint64_t spn_model_sites_of(const spn_model_sizes *s)
{
    const uint64_t most = UINT32_MAX;
    if (s->classes < 1 || s->classes > SPN_MAX_CLASSES || s->inputs < 1 || s->inputs > most ||
        s->bias > most || s->hidden > SPN_MOST_HIDDEN || s->hidden_bias > most ||
        (s->hidden == 0 && s->hidden_bias > 0))
        return 0;
    /* the first term is below 2^47, the second below 2^50 */
    const uint64_t seen = s->hidden ? s->hidden : s->inputs;
    const uint64_t sites = s->hidden * (s->inputs + s->hidden_bias) + s->classes * (seen + s->bias);
    return sites > most ? 0 : sites;
}

uint64_t spn_model_head_sites(const spn_model_head *head)
{
    const spn_model_sizes sizes = {.classes = head->classes,
                                   .inputs = head->features,
                                   .bias = head->bias,
                                   .hidden = head->hidden,
                                   .hidden_bias = head->hidden_bias};
    const bool network = head->version > SPN_MODEL_LINEAR_VERSION;
    return network == (head->hidden > 0) ? spn_model_sites_of(&sizes) : 0;
}

size_t spn_model_packed_size(const spn_model_head *head)
{
    return (size_t)((spn_model_head_sites(head) + 7) / 8);
}

bool spn_model_layout_of(spn_model_layout *out, const spn_model_head *head)
{
    /* with these bounds no product below exceeds 2^61; the sizes of texts are bounded alike */
    const uint64_t most = (uint64_t)1 << 40;
    if (spn_model_head_sites(head) == 0 || head->replicas < 1 ||
        head->replicas > SPN_MODEL_MOST_REPLICAS || head->manifest_size > most ||
        head->names_size > most || head->named_size > most)
        return false;
    out->size[SPN_MODEL_MANIFEST] = (size_t)head->manifest_size;
    out->size[SPN_MODEL_SCALING] = 8 * (4 + 2 * (size_t)head->features);
    out->size[SPN_MODEL_NAMES] = (size_t)head->names_size;
    out->size[SPN_MODEL_WEIGHTS] = (size_t)head->replicas * spn_model_packed_size(head);
    out->size[SPN_MODEL_LOSSES] = 8 * (size_t)head->replicas;
    out->size[SPN_MODEL_NAMED] = (size_t)head->named_size;
    out->sections = head->version > SPN_MODEL_PLAIN_VERSION ? SPN_MODEL_SECTIONS
                    : head->version > 1                     ? SPN_MODEL_NAMED
                                                            : SPN_MODEL_LOSSES;
    size_t place = spn_model_head_size(head);
    for (size_t s = 0; s < out->sections; s++) {
        out->start[s] = place;
        place += out->size[s] + SPN_MODEL_SUM_SIZE;
    }
    out->total = place + SPN_MODEL_SUM_SIZE;
    return true;
}

uint64_t spn_model_head_sum(const uint8_t *data)
{
    return XXH3_64bits(data + SUMMED, SUM_AT - SUMMED);
}

uint64_t spn_model_more_sum(const uint8_t *data)
{
    const size_t size = heads_size(spn_get_u32(data + 8)) - MORE_AT;
    return XXH3_64bits(data + MORE_AT, size - SPN_MODEL_SUM_SIZE);
}

/* The seed keeps two sections of equal content from being exchanged. */
uint64_t spn_model_section_sum(const uint8_t *data, const spn_model_layout *layout,
                               spn_model_section section)
{
    return XXH3_64bits_withSeed(data + layout->start[section], layout->size[section],
                                (uint64_t)section + 1);
}

uint64_t spn_model_file_sum(const uint8_t *data, const spn_model_layout *layout)
{
    return XXH3_64bits(data, layout->total - SPN_MODEL_SUM_SIZE);
}

void spn_model_seal(uint8_t *data, const spn_model_layout *layout)
{
    spn_put_u64(data + SUM_AT, spn_model_head_sum(data));
    if (layout->sections > SPN_MODEL_NAMED)
        spn_put_u64(data + layout->start[0] - SPN_MODEL_SUM_SIZE, spn_model_more_sum(data));
    for (size_t s = 0; s < layout->sections; s++)
        spn_put_u64(data + layout->start[s] + layout->size[s],
                    spn_model_section_sum(data, layout, (spn_model_section)s));
    spn_put_u64(data + layout->total - SPN_MODEL_SUM_SIZE, spn_model_file_sum(data, layout));
}

/* Heads, layout and checksums of a model file. */
#include "model/model_format.h"

#include <spinney/network.h>
#include <stddef.h>
#include <xxhash.h>

const uint8_t spn_model_magic[SPN_MODEL_MAGIC_SIZE] = {'S', 'P', 'N', 'M', 'O', 'D', 'E', 'L'};

/* The head's checksum does not cover the magic: a file with a right checksum and a wrong magic is
   a damaged model, not another kind of file. */
enum {
    SUMMED = SPN_MODEL_MAGIC_SIZE,
    SUM_AT = SPN_MODEL_HEAD_SIZE - SPN_MODEL_SUM_SIZE,
    MORE_AT = SPN_MODEL_HEAD_SIZE,
    HIDDEN_AT = MORE_AT + SPN_MODEL_MORE_SIZE - SPN_MODEL_SUM_SIZE
};

static size_t heads_size(uint64_t version)
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

/* Fields of the heads, all uint64_t: place in the file and number of bytes. */
#define FIELD(name, at, bytes)                                                                     \
    {                                                                                              \
        offsetof(spn_model_head, name), at, bytes                                                  \
    }
static const struct {
    size_t place, at, bytes;
} fields[] = {FIELD(version, 8, 4),        FIELD(classes, 12, 4),
              FIELD(features, 16, 8),      FIELD(replicas, 24, 8),
              FIELD(width, 32, 8),         FIELD(height, 40, 8),
              FIELD(preprocess, 48, 4),    FIELD(reserved, 52, 4),
              FIELD(manifest_size, 56, 8), FIELD(names_size, 64, 8),
              FIELD(bias, MORE_AT, 8),     FIELD(named_size, MORE_AT + 8, 8),
              FIELD(hidden, HIDDEN_AT, 8), FIELD(hidden_bias, HIDDEN_AT + 8, 8)};
enum { FIELDS = sizeof fields / sizeof *fields };

void spn_model_get_head(spn_model_head *out, const uint8_t *data, size_t size)
{
    const size_t heads = heads_size(spn_get_number(data + 8, 4));
    const size_t end = (size < heads ? SPN_MODEL_HEAD_SIZE : heads) - SPN_MODEL_SUM_SIZE;
    *out = (spn_model_head){0};
    for (size_t k = 0; k < FIELDS; k++)
        if (fields[k].at + fields[k].bytes <= end)
            *(uint64_t *)((char *)out + fields[k].place) =
                spn_get_number(data + fields[k].at, fields[k].bytes);
}

void spn_model_put_head(uint8_t *data, const spn_model_head *head)
{
    const size_t end = heads_size(head->version) - SPN_MODEL_SUM_SIZE;
    memcpy(data, spn_model_magic, SPN_MODEL_MAGIC_SIZE);
    for (size_t k = 0; k < FIELDS; k++)
        if (fields[k].at + fields[k].bytes <= end)
            spn_put_number(data + fields[k].at,
                           *(const uint64_t *)((const char *)head + fields[k].place),
                           fields[k].bytes);
}

uint64_t spn_model_head_sites(const spn_model_head *head)
{
    const uint64_t most = UINT32_MAX, hidden = head->hidden;
    if ((head->version > SPN_MODEL_LINEAR_VERSION) != (hidden > 0) || head->classes < 1 ||
        head->classes > SPN_MAX_CLASSES || head->features < 1 || head->features > most ||
        head->bias > most || hidden > SPN_MOST_HIDDEN || head->hidden_bias > most ||
        (hidden == 0 && head->hidden_bias > 0))
        return 0;
    /* the first term is below 2^47, the second below 2^50 */
    const uint64_t seen = hidden ? hidden : head->features;
    const uint64_t sites =
        hidden * (head->features + head->hidden_bias) + head->classes * (seen + head->bias);
    return sites > most ? 0 : sites;
}

size_t spn_model_packed_size(const spn_model_head *head)
{
    return (size_t)((spn_model_head_sites(head) + 7) / 8);
}

bool spn_model_layout_of(spn_model_layout *out, const spn_model_head *head)
{
    /* with these bounds no product below exceeds 2^61; sizes of texts have the same bound */
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
    const size_t size = heads_size(spn_get_number(data + 8, 4)) - MORE_AT;
    return XXH3_64bits(data + MORE_AT, size - SPN_MODEL_SUM_SIZE);
}

/* The seed keeps sections of equal content from being exchanged. */
uint64_t spn_model_section_sum(const uint8_t *data, const spn_model_layout *layout, size_t section)
{
    return XXH3_64bits_withSeed(data + layout->start[section], layout->size[section], section + 1);
}

uint64_t spn_model_file_sum(const uint8_t *data, const spn_model_layout *layout)
{
    return XXH3_64bits(data, layout->total - SPN_MODEL_SUM_SIZE);
}

void spn_model_seal(uint8_t *data, const spn_model_layout *layout)
{
    spn_put_number(data + SUM_AT, spn_model_head_sum(data), 8);
    if (layout->sections > SPN_MODEL_NAMED)
        spn_put_number(data + layout->start[0] - SPN_MODEL_SUM_SIZE, spn_model_more_sum(data), 8);
    for (size_t s = 0; s < layout->sections; s++)
        spn_put_number(data + layout->start[s] + layout->size[s],
                       spn_model_section_sum(data, layout, s), 8);
    spn_put_number(data + layout->total - SPN_MODEL_SUM_SIZE, spn_model_file_sum(data, layout), 8);
}

/* The layout of a model file, shared by its writer, its reader and the fuzzer. All numbers are
   little-endian. A head of fixed size comes first, then the sections, each followed by the XXH3
   of its bytes, then the XXH3 of everything before it. Every later version keeps the place of
   magic, version and the head's checksum, so that an older program can say what it met.

   Version 1 has no section of losses. Version 3 has a second head behind the first, and named
   sections at its end (model/model_sections.h); a model that needs neither is written as version 2,
   for programs that know no other. Version 4, of networks with a hidden layer alone, has their two
   sizes in its second head as well. */
#ifndef SPN_MODEL_MODEL_FORMAT_H
#define SPN_MODEL_MODEL_FORMAT_H

#include "data/dataset.h"
#include "model/model.h"
#include <stdbool.h>
#include <string.h>

enum {
    SPN_MODEL_VERSION = 4,
    SPN_MODEL_LINEAR_VERSION = 3, /* of models without a hidden layer */
    SPN_MODEL_PLAIN_VERSION = 2,  /* of those without bias and named sections, too */
    SPN_MODEL_OLDEST_VERSION = 1,
    SPN_MODEL_MAGIC_SIZE = 8,
    SPN_MODEL_HEAD_SIZE = 80,   /* with its checksum in the last 8 bytes */
    SPN_MODEL_MORE_SIZE = 24,   /* of the second head, likewise */
    SPN_MODEL_HIDDEN_SIZE = 16, /* by which it is longer for networks */
    SPN_MODEL_SUM_SIZE = 8,
    SPN_MODEL_MOST_REPLICAS = 65535
};

extern const uint8_t spn_model_magic[SPN_MODEL_MAGIC_SIZE];

/* What the head says. */
typedef struct spn_model_head {
    uint32_t version;
    uint32_t classes;
    uint64_t features; /* that are scaled: those of the data, or what they are encoded as */
    uint64_t replicas;
    uint64_t width;
    uint64_t height;
    uint32_t preprocess; /* spn_preprocess_kind */
    uint32_t reserved;   /* 0 */
    uint64_t manifest_size;
    uint64_t names_size;
    /* The second head; zeros before version 3. */
    uint64_t bias; /* weights of each class after those of its features */
    uint64_t named_size;
    /* and before version 4 */
    uint64_t hidden; /* units, and weights of each after those of its features */
    uint64_t hidden_bias;
} spn_model_head;

typedef enum spn_model_section {
    SPN_MODEL_MANIFEST = 0, /* the text, without a NUL */
    SPN_MODEL_SCALING,      /* logit scale, shift, scale, threshold; D shifts; D scales */
    SPN_MODEL_NAMES,        /* K names, each with its NUL */
    SPN_MODEL_WEIGHTS,      /* per replica ceil(sites/8) bytes, lowest bit first, 1 is +1 */
    SPN_MODEL_LOSSES,       /* the training loss of every replica; all NaN: not known */
    SPN_MODEL_NAMED,        /* the named sections, one after the other */
    SPN_MODEL_SECTIONS
} spn_model_section;

/* Where everything is. */
typedef struct spn_model_layout {
    size_t sections; /* that this version has */
    size_t start[SPN_MODEL_SECTIONS];
    size_t size[SPN_MODEL_SECTIONS]; /* without the checksum after it */
    size_t total;                    /* bytes of the whole file */
} spn_model_layout;

/* The sizes that say how many weights a replica has. */
typedef struct spn_model_sizes {
    uint64_t classes, inputs, bias;
    uint64_t hidden, hidden_bias; /* 0 and 0: a linear classifier */
} spn_model_sizes;

/* Weights of one replica, 1 to 2^32-1; 0 if they would be more, or a size is out of range.
 */
uint64_t spn_model_sites_of(const spn_model_sizes *sizes);

/* The same of a head, with version and sizes held against each other, and of a model; and the bytes
   of its packed weights. */
uint64_t spn_model_head_sites(const spn_model_head *head);
size_t spn_model_packed_size(const spn_model_head *head);

/* Bytes of the head, or of both. */
size_t spn_model_head_size(const spn_model_head *head);

/* The head of a file; data has at least SPN_MODEL_HEAD_SIZE bytes. Nothing is checked. The second
   head stays zero if the data is too short for it. */
void spn_model_get_head(spn_model_head *out, const uint8_t *data, size_t size);
void spn_model_put_head(uint8_t *data, const spn_model_head *head);

/* False if a size is out of range or the sum overflows; no other number is checked. */
bool spn_model_layout_of(spn_model_layout *out, const spn_model_head *head);

/* The checksums of heads, section and file as they should be. */
uint64_t spn_model_head_sum(const uint8_t *data);
uint64_t spn_model_more_sum(const uint8_t *data);
uint64_t spn_model_section_sum(const uint8_t *data, const spn_model_layout *layout,
                               spn_model_section section);
uint64_t spn_model_file_sum(const uint8_t *data, const spn_model_layout *layout);

/* Write all checksums into a file whose other bytes are in place. */
void spn_model_seal(uint8_t *data, const spn_model_layout *layout);

/* Check what the reader and the writer both demand of sizes and numbers; `status` is returned,
   with a line that starts with name, if one is wrong. */
spn_status spn_model_check(const spn_model *model, spn_status status, const char *name,
                           spn_error *err);

/* The bytes of the file of a model that passes the check; free them. path: what errors call it.
   Errors: ARGUMENT, MEMORY. */
spn_status spn_model_bytes(uint8_t **out, size_t *size, const spn_model *model, const char *path,
                           spn_error *err);

/* ---- numbers ---- */

static inline void spn_put_u64(uint8_t *at, uint64_t value)
{
    for (int b = 0; b < 8; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

static inline uint64_t spn_get_u64(const uint8_t *at)
{
    uint64_t value = 0;
    for (int b = 0; b < 8; b++)
        value |= (uint64_t)at[b] << 8 * b;
    return value;
}

static inline void spn_put_u32(uint8_t *at, uint32_t value)
{
    for (int b = 0; b < 4; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

static inline uint32_t spn_get_u32(const uint8_t *at)
{
    uint32_t value = 0;
    for (int b = 0; b < 4; b++)
        value |= (uint32_t)at[b] << 8 * b;
    return value;
}

static inline void spn_put_real(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    spn_put_u64(at, bits);
}

static inline double spn_get_real(const uint8_t *at)
{
    const uint64_t bits = spn_get_u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

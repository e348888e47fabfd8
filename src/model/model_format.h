/* Layout of a model file, shared by writer, reader and fuzzer. All numbers are little-endian. A
   head of fixed size comes first, then the sections, each followed by the XXH3 of its bytes, then
   the XXH3 of everything before. Later versions keep the place of magic, version and the head's
   checksum, so that an older program can name what it found.

   Version 1 has no section of losses. Version 3 has a second head after the first, and named
   sections at its end (model_sections.c). A model that needs neither is written as version 2, for
   older programs. Version 4, only for networks with a hidden layer, has two more sizes in its
   second head. */
#ifndef SPN_MODEL_MODEL_FORMAT_H
#define SPN_MODEL_MODEL_FORMAT_H

#include "data/dataset.h"
#include "model/model.h"
#include <stdbool.h>
#include <string.h>

enum {
    SPN_MODEL_VERSION = 4,
    SPN_MODEL_LINEAR_VERSION = 3, /* of models without a hidden layer */
    SPN_MODEL_PLAIN_VERSION = 2,  /* of those also without bias and named sections */
    SPN_MODEL_OLDEST_VERSION = 1,
    SPN_MODEL_MAGIC_SIZE = 8,
    SPN_MODEL_HEAD_SIZE = 80,   /* with its checksum in the last 8 bytes */
    SPN_MODEL_MORE_SIZE = 24,   /* of the second head, likewise */
    SPN_MODEL_HIDDEN_SIZE = 16, /* added to it for networks */
    SPN_MODEL_SUM_SIZE = 8,
    SPN_MODEL_MOST_REPLICAS = 65535
};

extern const uint8_t spn_model_magic[SPN_MODEL_MAGIC_SIZE];

typedef struct spn_model_head {
    uint64_t version;
    uint64_t classes;
    uint64_t features; /* features that are scaled: those of the data, or encoded ones */
    uint64_t replicas;
    uint64_t width;
    uint64_t height;
    uint64_t preprocess; /* spn_preprocess_kind */
    uint64_t reserved;   /* 0 */
    uint64_t manifest_size;
    uint64_t names_size;
    /* The second head; zeros before version 3. */
    uint64_t bias; /* weights of each class after those of its features */
    uint64_t named_size;
    /* zeros before version 4 */
    uint64_t hidden; /* units, and weights of each after those of its features */
    uint64_t hidden_bias;
} spn_model_head;

enum {
    SPN_MODEL_MANIFEST = 0, /* text without a NUL */
    SPN_MODEL_SCALING,      /* logit scale, shift, scale, threshold; D shifts; D scales */
    SPN_MODEL_NAMES,        /* K names, each with its NUL */
    SPN_MODEL_WEIGHTS,      /* per replica ceil(sites/8) bytes, lowest bit first, 1 is +1 */
    SPN_MODEL_LOSSES,       /* training loss of every replica; all NaN: unknown */
    SPN_MODEL_NAMED,        /* named sections, one after the other */
    SPN_MODEL_SECTIONS
};

typedef struct spn_model_layout {
    size_t sections; /* of this version */
    size_t start[SPN_MODEL_SECTIONS];
    size_t size[SPN_MODEL_SECTIONS]; /* without its checksum */
    size_t total;                    /* bytes of the whole file */
} spn_model_layout;

/* Weights of one replica, 1 to 2^32-1; 0 if there are more, or a size is out of range or does not
   fit the version. Bytes of its packed weights. */
uint64_t spn_model_head_sites(const spn_model_head *head);
size_t spn_model_packed_size(const spn_model_head *head);

/* Bytes of the head, or of both. */
size_t spn_model_head_size(const spn_model_head *head);

/* Read the head; data has at least SPN_MODEL_HEAD_SIZE bytes. Nothing is checked. The second head
   stays zero if the data is too short. */
void spn_model_get_head(spn_model_head *out, const uint8_t *data, size_t size);
void spn_model_put_head(uint8_t *data, const spn_model_head *head);

/* False if a size is out of range or the sum overflows; nothing else is checked. */
bool spn_model_layout_of(spn_model_layout *out, const spn_model_head *head);

/* The right checksums of heads, section and file. */
uint64_t spn_model_head_sum(const uint8_t *data);
uint64_t spn_model_more_sum(const uint8_t *data);
uint64_t spn_model_section_sum(const uint8_t *data, const spn_model_layout *layout, size_t section);
uint64_t spn_model_file_sum(const uint8_t *data, const spn_model_layout *layout);

/* Write all checksums; the other bytes must be in place. */
void spn_model_seal(uint8_t *data, const spn_model_layout *layout);

/* Check the sizes and numbers for reader and writer. Returns `status`, with a line that starts
   with name, if one is wrong. */
spn_status spn_model_check(const spn_model *model, spn_status status, const char *name,
                           spn_error *err);

/* Bytes of the file of a checked model; free them. path: for errors. Errors: ARGUMENT, MEMORY. */
spn_status spn_model_bytes(uint8_t **out, size_t *size, const spn_model *model, const char *path,
                           spn_error *err);

/* Append all named sections, known ones first. */
void spn_model_write_sections(spn_bytes *out, const spn_model *model);

/* Read all named sections. Unknown ones that may be skipped are kept and written again. Errors:
   INPUT if one does not fit, is repeated, or is needed and unknown; MEMORY. */
spn_status spn_model_read_sections(spn_model *model, const uint8_t *data, size_t size,
                                   const char *file, spn_error *err);

static inline void spn_put_number(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

static inline uint64_t spn_get_number(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t b = 0; b < bytes; b++)
        value |= (uint64_t)at[b] << 8 * b;
    return value;
}

static inline void spn_put_real(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    spn_put_number(at, bits, 8);
}

static inline double spn_get_real(const uint8_t *at)
{
    const uint64_t bits = spn_get_number(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

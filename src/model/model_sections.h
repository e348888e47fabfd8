/* Named sections of a model file: what only some models hold. A section is
     u32  bytes of the name
     u32  1: a reader that does not know the section must refuse the model; 0: it may skip it
     u64  bytes of the content
   and then the name, without a NUL, and the content. To add one: a row in the table of
   model_sections.c, with a writer and a reader. */
#ifndef SPN_MODEL_MODEL_SECTIONS_H
#define SPN_MODEL_MODEL_SECTIONS_H

#include "model/model.h"
#include <stdbool.h>

/* Bytes that grow; free(data). */
typedef struct spn_bytes {
    uint8_t *data;
    size_t size, capacity;
} spn_bytes;

/* Append; false without memory. */
bool spn_bytes_put(spn_bytes *bytes, const void *data, size_t size);

/* A section that this program knows. */
typedef struct spn_model_section_kind {
    const char *name;
    bool needed; /* predictions would be wrong without it */
    /* Append the content, if the model has such a section. False: no memory. */
    bool (*write)(spn_bytes *out, const spn_model *model);
    /* Take the content. Its checksum was right, but it may be anything. Errors: INPUT, starting
       with file; MEMORY. */
    spn_status (*read)(spn_model *model, const uint8_t *data, size_t size, const char *file,
                       spn_error *err);
} spn_model_section_kind;

/* Append all sections of a model, known ones first. False: no memory. */
bool spn_model_write_sections(spn_bytes *out, const spn_model *model);

/* Take all sections. Unknown ones that may be skipped are kept, and written again. Errors: INPUT
   for one that does not fit, comes twice, or is needed and unknown; MEMORY. */
spn_status spn_model_read_sections(spn_model *model, const uint8_t *data, size_t size,
                                   const char *file, spn_error *err);

void spn_model_strangers_free(spn_model *model);

#endif

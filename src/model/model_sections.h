/* Named sections of a model file: what a model holds beyond what every model has. Each has a name,
   a mark that says whether a program that does not know it may pass over it, and its bytes: u32
   bytes of the name u32  1: a reader must know this section, or refuse the model; 0: it may pass
   over it u64  bytes of the content the name, without a NUL; the content To add one: a row in the
   table of model_sections.c, with a writer and a reader. */
#ifndef SPN_MODEL_MODEL_SECTIONS_H
#define SPN_MODEL_MODEL_SECTIONS_H

#include "model/model.h"
#include <stdbool.h>

/* Bytes that grow; free(data). */
typedef struct spn_bytes {
    uint8_t *data;
    size_t size, capacity;
} spn_bytes;

/* Append; false where there is no memory. */
bool spn_bytes_put(spn_bytes *bytes, const void *data, size_t size);

/* A section that this program knows. */
typedef struct spn_model_section_kind {
    const char *name;
    bool needed; /* predictions would be wrong without it */
    /* Append the content; nothing where the model has no such section. False: no memory. */
    bool (*write)(spn_bytes *out, const spn_model *model);
    /* Take the content, whose checksum was right but which may be anything. Errors: INPUT, starting
       with file; MEMORY. */
    spn_status (*read)(spn_model *model, const uint8_t *data, size_t size, const char *file,
                       spn_error *err);
} spn_model_section_kind;

/* All sections of a model, known ones first; nothing where it has none. False: no memory. */
bool spn_model_write_sections(spn_bytes *out, const spn_model *model);

/* Take all sections. Unknown ones that may be passed over are kept, to be written again. Errors:
   INPUT for one that does not fit, comes twice or is needed and unknown; MEMORY. */
spn_status spn_model_read_sections(spn_model *model, const uint8_t *data, size_t size,
                                   const char *file, spn_error *err);

/* The section `columns`: the recipe of the table, as a text. */
bool spn_model_columns_write(spn_bytes *out, const spn_model *model);
spn_status spn_model_columns_read(spn_model *model, const uint8_t *data, size_t size,
                                  const char *file, spn_error *err);

void spn_model_strangers_free(spn_model *model);

#endif

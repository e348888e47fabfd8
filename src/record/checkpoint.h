/* A saved state with the settings it belongs to, in a file that appears whole or not at all. See
   docs/file-formats.md. */
#ifndef SPN_RECORD_CHECKPOINT_H
#define SPN_RECORD_CHECKPOINT_H

#include <spinney/status.h>
#include <stdint.h>

typedef struct spn_checkpoint {
    char *settings; /* lines "name value\n" */
    void *state;
    size_t state_size;
    uint64_t step;
} spn_checkpoint;

spn_status spn_checkpoint_write(const spn_checkpoint *checkpoint, const char *path, spn_error *err);

/* Sizes are checked before memory is taken, and a changed byte is detected. Clear out. Errors: IO,
   INPUT, MEMORY. */
spn_status spn_checkpoint_read(spn_checkpoint *out, const char *path, spn_error *err);

/* The same for a file in memory; name: for errors. */
spn_status spn_checkpoint_parse(spn_checkpoint *out, const char *bytes, size_t size,
                                const char *name, spn_error *err);

/* Steps done by a checkpoint, read from its head; 0 if there is none. */
uint64_t spn_checkpoint_step(const char *path);

/* INPUT, naming the first setting that differs, if the checkpoint has other settings. */
spn_status spn_checkpoint_match(const spn_checkpoint *checkpoint, const char *settings,
                                const char *path, spn_error *err);

void spn_checkpoint_clear(spn_checkpoint *checkpoint);

#endif

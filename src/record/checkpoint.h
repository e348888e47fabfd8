/* Checkpoints: a saved state together with the settings that it belongs to, in a file that appears
   whole or not at all. docs/file-formats.md gives the bytes. */
#ifndef SPN_RECORD_CHECKPOINT_H
#define SPN_RECORD_CHECKPOINT_H

#include <spinney/status.h>
#include <stdint.h>

typedef struct spn_checkpoint {
    char *settings; /* lines "name value\n"; ended by 0 */
    void *state;
    size_t state_size;
    uint64_t step; /* steps done */
} spn_checkpoint;

spn_status spn_checkpoint_write(const spn_checkpoint *checkpoint, const char *path, spn_error *err);

/* Read a checkpoint, to be cleared. Sizes are checked before memory is taken, and a changed byte is
   detected. Errors: IO, INPUT, MEMORY. */
spn_status spn_checkpoint_read(spn_checkpoint *out, const char *path, spn_error *err);

/* The same of a file that is in memory; name: how errors call it. */
spn_status spn_checkpoint_parse(spn_checkpoint *out, const char *bytes, size_t size,
                                const char *name, spn_error *err);

/* The steps that a checkpoint has done, by its head alone; 0 where there is none. */
uint64_t spn_checkpoint_step(const char *path);

/* INPUT, naming the first setting that differs, unless the checkpoint was made with these settings.
 */
spn_status spn_checkpoint_match(const spn_checkpoint *checkpoint, const char *settings,
                                const char *path, spn_error *err);

void spn_checkpoint_clear(spn_checkpoint *checkpoint);

#endif

/* sweep.json, and the records beside it. */
#ifndef SPN_SWEEP_SWEEP_FILE_H
#define SPN_SWEEP_SWEEP_FILE_H

#include "base/json.h"
#include "record/manifest.h"
#include "sweep/spec/tree.h"
#include <spinney/lab/records.h>
#include <stdbool.h>

/* Format of the whole folder: sweep.json and the lines of the manifests. It grows if older
   programs would misread what is written now. */
enum { SPN_SWEEP_FORMAT = 3 };

/* Write sweep.json into a folder, which is created if missing; read it back. Errors of reading: IO
   (no such folder or file), INPUT (damaged, or of an unknown format; the text says which version
   wrote it). */
spn_status spn_sweep_write(const spn_sweep *sweep, const char *folder, spn_error *err);
spn_status spn_sweep_read(spn_sweep **out, const char *folder, spn_error *err);

/* The specification as YAML, which gives the same sweep if parsed; free it. Defaults and the like
   are comments. NULL without memory. */
char *spn_sweep_show(const spn_sweep *sweep);

/* Read the text of sweep.json. name: for errors. */
spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err);

/* Text of sweep.json with its checksum; free it. Errors: ARGUMENT (a text is not UTF-8, the seed
   is too large), MEMORY. */
spn_status spn_sweep_json(char **out, const spn_sweep *sweep, spn_error *err);

/* Text of an object with the checksum of its content, replacing any other; free it. Errors:
   MEMORY. */
spn_status spn_sweep_seal(char **out, const spn_json_value *root, spn_error *err);

/* Convert format 1 to format 2: measures become settings, flags become lists of words. What is not
   valid in format 1 stays, and the reader refuses it. False without memory. */
bool spn_sweep_convert_first(spn_node *root);

/* Convert format 2 to format 3: in figures of `anneal`, `solved` becomes solved_share, the share
   of the replicas without an error at the end, because `solved` is now about the run. The reader
   of records does the same. */
bool spn_sweep_convert_second(spn_node *root);

/* Move the runs of the manifests into grid order. folder: for errors. Takes the sweep, also after
   an error. Errors: MEMORY. */
spn_status spn_records_make(spn_records **out, const char *folder, spn_sweep *sweep,
                            spn_manifests *manifests, spn_error *err);

/* spn_records_join for a specification in memory; folders are looked up beside its name. */
spn_status spn_records_join_text(spn_records **out, const spn_source *source, spn_error *err);

#endif

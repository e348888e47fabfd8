/* The file of a sweep, sweep.json, and the records beside it. */
#ifndef SPN_SWEEP_SWEEP_FILE_H
#define SPN_SWEEP_SWEEP_FILE_H

#include "base/json.h"
#include "record/manifest.h"
#include "sweep/spec/tree.h"
#include <spinney/lab/records.h>
#include <stdbool.h>

/* The format of the whole folder: of sweep.json and of the lines of the manifests. It grows
   whenever a program that knows the format before would misread what is written now. */
enum { SPN_SWEEP_FORMAT = 3 };

/* Write sweep.json into a folder, which is made if it is missing; read it back. Errors of reading:
   IO (no such folder or file), INPUT (damaged, or of a format that this version does not know: the
   text says which version wrote it). */
spn_status spn_sweep_write(const spn_sweep *sweep, const char *folder, spn_error *err);
spn_status spn_sweep_read(spn_sweep **out, const char *folder, spn_error *err);

/* The specification as YAML; free it: parsed, it gives the same sweep. What was found out, such
   as defaults, is in comments. NULL without memory. */
char *spn_sweep_show(const spn_sweep *sweep);

/* Read the text of a sweep.json; name: how errors call it. */
spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err);

/* The text of sweep.json, with its checksum; free it. Errors: ARGUMENT (a text is not UTF-8,
   the seed is too large), MEMORY. */
spn_status spn_sweep_json(char **out, const spn_sweep *sweep, spn_error *err);

/* The text of an object with the checksum of its content, in place of one that it has; free it.
   Errors: MEMORY. */
spn_status spn_sweep_seal(char **out, const spn_json_value *root, spn_error *err);

/* Make a tree of format 1 one of format 2: measures become settings, flags become lists of words.
   What is not as format 1 has it stays, and the reader refuses it. False without memory. */
bool spn_sweep_convert_first(spn_node *root);

/* Make a tree of format 2 one of format 3: in figures of `anneal`, `solved` becomes solved_share,
   the share of the replicas without an error at the end, since `solved` is now of the run. The
   reader of records does the same. */
bool spn_sweep_convert_second(spn_node *root);

/* ---- the records of a folder ---- */

/* The runs of the manifests, which lose them, in the order of the grid; folder: how errors call it.
   The sweep is taken, also after an error. Errors: MEMORY. */
spn_status spn_records_make(spn_records **out, const char *folder, spn_sweep *sweep,
                            spn_manifests *manifests, spn_error *err);

/* spn_records_join of a specification that is in memory; folders are looked for beside its name. */
spn_status spn_records_join_text(spn_records **out, const spn_source *source, spn_error *err);

#endif

/* The folder of a sweep while it is filled: whether it is the right one, its lock, reference
   files, and checkpoints of running jobs. */
#ifndef SPN_SWEEP_FOLDER_H
#define SPN_SWEEP_FOLDER_H

#include "base/json.h"
#include "record/manifest.h"
#include "sweep/spec/spec.h"
#include <spinney/lab/records.h>
#include <stdbool.h>

/* Inspect a folder without writing. *found: it has a sweep already; false if there is no folder.
   Errors: IO (not a folder, or not readable), INPUT (it has another version, instruction set or
   sweep, or something else). */
spn_status spn_folder_check(bool *found, const char *folder, const spn_sweep *sweep,
                            spn_error *err);

/* INPUT, naming what differs, unless all jobs of theirs, from the folder, are among ours, and
   files have the same content. */
spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err);

/* Sorted keys of the jobs with records in the folder; free them. */
spn_status spn_folder_finished(uint64_t **out, size_t *count, const char *folder, spn_error *err);

/* Create or enter the folder, for this process alone or, if shards is above 1, together with other
   shards of the same number. Write sweep.json and the reference files, which are looked up beside
   specification. *lock: for spn_folder_leave. Errors: as above; ARGUMENT if another process works
   there, or another number of shards did. */
spn_status spn_folder_enter(int *lock, const char *folder, const spn_sweep *sweep, size_t shards,
                            const char *specification, spn_error *err);

/* Release the folder. complete: all jobs are finished, and only their records are kept. lock: -1
   does nothing. */
void spn_folder_leave(int lock, const char *folder, bool complete);

/* Copy the reference files of the figures; with an empty folder name only check that they can be
   copied. Errors: IO, INPUT (two files of one name). */
spn_status spn_folder_copy_references(const char *folder, const spn_sweep *sweep,
                                      const char *specification, spn_error *err);

/* ARGUMENT if an incomplete sweep has runs from another number of shards: the runs of both
   together would not be all. */
spn_status spn_folder_check_division(const char *folder, size_t shards, spn_error *err);

/* Errors: ARGUMENT (another process has it), IO. */
spn_status spn_folder_lock(int *out, const char *folder, size_t shards, spn_error *err);

/* Whether no other process shares the lock. If so, none can take it until it is closed. */
bool spn_folder_lock_alone(int lock);

/* Whether interrupted runs can resume there. */
bool spn_folder_has_checkpoints(const char *folder);

/* Path of a job's checkpoint; free it. NULL without memory. */
char *spn_folder_checkpoint(const char *folder, uint64_t key);

/* Remove checkpoints of jobs with these sorted keys. alone: also remove files that a killed
   process left half written. */
void spn_folder_tidy(const char *folder, const uint64_t *finished, size_t count, bool alone);

/* sweep.json, and the records beside it. */

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

/* The folder of a sweep while it is being filled: whether it is the right one, the lock that keeps
   other processes out, reference files, checkpoints of running jobs. */
#ifndef SPN_SWEEP_FOLDER_H
#define SPN_SWEEP_FOLDER_H

#include <spinney/lab/records.h>

/* Look at a folder, writing nothing. *found: whether it has a sweep already; false also if there
   is no folder. Errors: IO (not a folder, or not to be read), INPUT (of another version,
   instruction set or sweep, or of something else). */
spn_status spn_folder_check(bool *found, const char *folder, const spn_sweep *sweep,
                            spn_error *err);

/* INPUT, naming what differs, unless all jobs of theirs, found in the folder, are among ours, and
   files have the content that they had. */
spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err);

/* The keys of the jobs whose records are in the folder, sorted; free it. */
spn_status spn_folder_finished(uint64_t **out, size_t *count, const char *folder, spn_error *err);

/* Make or enter the folder, for this process alone or, with shards above 1, together with others
   that do other shards of as many; write sweep.json and the reference files.
   specification: the file beside which reference files are looked for. *lock: for
   spn_folder_leave. Errors: as above, and ARGUMENT if another process is at work there, or
   shards of another number were. */
spn_status spn_folder_enter(int *lock, const char *folder, const spn_sweep *sweep, size_t shards,
                            const char *specification, spn_error *err);

/* Release the folder. complete: all jobs are finished, and only their records are kept. lock: -1
   does nothing. */
void spn_folder_leave(int lock, const char *folder, bool complete);

/* Copy the reference files of the figures; with an empty folder name only look whether they can be
   copied. Errors: IO, INPUT (two files of one name). */
spn_status spn_folder_copy_references(const char *folder, const spn_sweep *sweep,
                                      const char *specification, spn_error *err);

/* ARGUMENT if shards of another number have left finished runs in the folder, whose sweep is not
   complete: together, the runs of both would not be all. */
spn_status spn_folder_check_division(const char *folder, size_t shards, spn_error *err);

/* The lock of a folder. Errors: ARGUMENT (another process has it), IO. */
spn_status spn_folder_lock(int *out, const char *folder, size_t shards, spn_error *err);

/* Whether no other process shares the lock; then, none can take it until it is closed. */
bool spn_folder_lock_alone(int lock);

/* Whether runs were interrupted there, and can go on. */
bool spn_folder_has_checkpoints(const char *folder);

/* The path of the checkpoint of a job; free it. NULL without memory. */
char *spn_folder_checkpoint(const char *folder, uint64_t key);

/* Remove checkpoints of jobs whose keys, sorted, are given. alone: and everything that a killed
   process left half written. */
void spn_folder_tidy(const char *folder, const uint64_t *finished, size_t count, bool alone);

#endif

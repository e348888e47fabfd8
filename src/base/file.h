/* Output files that appear whole or not at all: written under a temporary name, then renamed. */
#ifndef SPN_BASE_FILE_H
#define SPN_BASE_FILE_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct spn_file spn_file;

/* The error of the system that errno tells, about a file: "NAME: WHAT: why". Errors: IO; MEMORY
   if memory ran out. */
spn_status spn_file_fail(const char *name, const char *what, spn_error *err);

/* Start writing the file that will be called path; "-" is the standard output, which is written to
   as it goes. Until then it has a temporary name that nobody can predict, PATH.<16 digits>.part, in
   the same folder; what killed processes left under such names is removed. */
spn_status spn_file_create(spn_file **out, const char *path, spn_error *err);

/* An ending of a temporary name that nobody can predict; false without random numbers.
 */
enum { SPN_FILE_ENDING = 24 };
bool spn_file_ending(char out[SPN_FILE_ENDING]);

/* The same under PATH and such an ending, for another program to write into: an empty file. */
spn_status spn_file_create_under(spn_file **out, const char *path, const char *ending,
                                 spn_error *err);

/* The stream to write to; it belongs to file. */
FILE *spn_file_stream(spn_file *file);

/* Flush, sync, rename to the final name, and free file. On failure, also of an earlier write, which
   the error tells, nothing appears under the name. */
spn_status spn_file_commit(spn_file *file, spn_error *err);

/* Remove what was written and free file. Accepts NULL. */
void spn_file_discard(spn_file *file);

/* Whether the file could be written, found out before there is anything to write; path may be NULL.
 */
spn_status spn_file_try(const char *path, spn_error *err);

/* Sync the folder that holds path, so that a name made in it survives a power cut. Not every file
   system can; then nothing is lost but that. */
void spn_file_sync_folder(const char *path);

/* Make a folder, and those above it, if they do not exist. */
spn_status spn_file_make_folders(const char *folder, spn_error *err);

#endif

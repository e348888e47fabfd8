/* Output files that appear whole or not at all: written under a temporary name, then renamed. */
#ifndef SPN_BASE_FILE_H
#define SPN_BASE_FILE_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct spn_file spn_file;

/* Report errno about a file: "NAME: WHAT: why". Errors: IO; MEMORY if memory ran out. */
spn_status spn_file_fail(const char *name, const char *what, spn_error *err);

/* Start writing a file that gets the name path on commit; "-" is the standard output, written
   directly. Before, it has an unpredictable temporary name PATH.<16 digits>.part in the same
   folder. Removes files that killed processes left under such names. */
spn_status spn_file_create(spn_file **out, const char *path, spn_error *err);

/* Called with the path if a pipe has had no reader for a second. For the program, which sets it
   once; the libraries never do. */
void spn_file_on_wait(void (*say)(const char *path));

/* An unpredictable ending for a temporary name; false without random numbers. */
enum { SPN_FILE_ENDING = 24 };
bool spn_file_ending(char out[SPN_FILE_ENDING]);

/* Create an empty file PATH plus such an ending, for another program to write into. */
spn_status spn_file_create_under(spn_file **out, const char *path, const char *ending,
                                 spn_error *err);

/* The file owns the stream. */
FILE *spn_file_stream(spn_file *file);

/* Flush, sync, rename, and free file. After any failure, also of an earlier write, nothing appears
   under the name. */
spn_status spn_file_commit(spn_file *file, spn_error *err);

/* Commit the file if status is OK; else discard it and return status. */
spn_status spn_file_end(spn_file *file, spn_status status, spn_error *err);

/* Remove what was written and free file. Accepts NULL. */
void spn_file_discard(spn_file *file);

/* Whether the file can be written, to find out early; path may be NULL. */
spn_status spn_file_try(const char *path, spn_error *err);

/* Sync the folder of path, so that a new name survives a power cut, if the file system can. */
void spn_file_sync_folder(const char *path);

/* Create a folder, and those above it, if missing. */
spn_status spn_file_make_folders(const char *folder, spn_error *err);

#endif

/* The manifests of a folder: their names, their lines, and the locks that keep writers apart.

   A manifest is locked (flock) by whoever appends to it or replaces it. Merging renames a new file
   over manifest.jsonl and removes the parts, so that an open file may have lost its name: after
   locking, a writer makes sure that the name still leads to the file that it locked. An archive,
   all of it gzipped, may stand beside them; nobody appends to it. */
#ifndef SPN_RECORD_MANIFEST_H
#define SPN_RECORD_MANIFEST_H

#include "base/source.h"
#include "record/record.h"

#define SPN_MANIFEST "manifest.jsonl"
#define SPN_ARCHIVE SPN_MANIFEST ".gz"

/* FOLDER/NAME; free it. NULL without memory. */
char *spn_folder_path(const char *folder, const char *name);

/* Open for reading and appending, made if it is missing, and lock. *out is -1 if another
   process holds the lock. Errors: IO. */
spn_status spn_manifest_lock(int *out, const char *path, spn_error *err);

/* Whether the name leads to the open file; file -1: whether there is none of that name. */
bool spn_manifest_is_named(int file, const char *path);

/* The bytes of a manifest up to the end of its last whole line; what follows is a torn line. */
size_t spn_manifest_whole(const char *text, size_t size);

/* A line of one of the manifests, and the record that it holds. */
typedef struct spn_manifest_line {
    spn_record record;
    const char *text; /* with its newline; in files */
    size_t size;
    spn_line_place place;
} spn_manifest_line;

/* The key of a line, or its place in an order, and the number of the line. For qsort: by key, then
   by number. */
typedef struct spn_ranked {
    uint64_t key;
    size_t index;
} spn_ranked;
int spn_ranked_compare(const void *a, const void *b);

/* All manifests of a folder, with every run once. */
typedef struct spn_manifests {
    size_t file_count, plain_count; /* all; those that writers append to */
    char **paths; /* manifest.jsonl, whether it is there or not, the parts by name, the archive */
    spn_source *files;
    size_t count, capacity;
    spn_manifest_line *lines; /* in the order of the files */
    size_t torn;
} spn_manifests;

/* List and read. Errors: IO, INPUT, MEMORY; clear *out in any case. */
spn_status spn_manifests_read(spn_manifests *out, const char *folder, spn_error *err);
void spn_manifests_clear(spn_manifests *manifests);

/* The steps of that: list the files; append the lines of one that is in memory; keep the first of
   the lines that have the same key, which must be of the same run. */
spn_status spn_manifests_list(spn_manifests *out, const char *folder, spn_error *err);
spn_status spn_manifests_add(spn_manifests *out, const char *text, size_t size, const char *path,
                             spn_error *err);
spn_status spn_manifests_unify(spn_manifests *out, spn_error *err);

#endif

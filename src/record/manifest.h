/* Manifests of a folder: names, lines, and the locks that keep writers apart.

   Whoever appends to a manifest or replaces it holds a lock (flock). Merging renames a new file
   over manifest.jsonl and removes the parts, so an open file may have lost its name. After
   locking, a writer checks that the name still leads to the locked file. A gzipped archive may
   stand beside them; nobody appends to it. */
#ifndef SPN_RECORD_MANIFEST_H
#define SPN_RECORD_MANIFEST_H

#include "base/source.h"
#include "record/record.h"

#define SPN_MANIFEST "manifest.jsonl"
#define SPN_ARCHIVE SPN_MANIFEST ".gz"

/* FOLDER/NAME; free it. NULL without memory. */
char *spn_folder_path(const char *folder, const char *name);

/* Open for reading and appending, create if missing, and lock. *out is -1 if another process holds
   the lock. Errors: IO. */
spn_status spn_manifest_lock(int *out, const char *path, spn_error *err);

/* Whether the name leads to the open file; file -1: whether no file has the name. */
bool spn_manifest_is_named(int file, const char *path);

/* Bytes up to the end of the last whole line; the rest is a torn line. */
size_t spn_manifest_whole(const char *text, size_t size);

/* A line of a manifest, and its record. */
typedef struct spn_manifest_line {
    spn_record record;
    const char *text; /* with its newline; points into files */
    size_t size;
    spn_line_place place;
} spn_manifest_line;

/* The key of a line, or its place in an order, and the number of the line. Sorted by key, then by
   number. */
typedef struct spn_ranked {
    uint64_t key;
    size_t index;
} spn_ranked;
int spn_ranked_compare(const void *a, const void *b);

/* All manifests of a folder, with every run once. */
typedef struct spn_manifests {
    size_t file_count, plain_count; /* all; those that writers append to */
    char **paths; /* manifest.jsonl, even if missing; the parts by name; the archive */
    spn_source *files;
    size_t count, capacity;
    spn_manifest_line *lines; /* in the order of the files */
    size_t torn;
} spn_manifests;

/* List and read. Clear *out in any case. Errors: IO, INPUT, MEMORY. */
spn_status spn_manifests_read(spn_manifests *out, const char *folder, spn_error *err);
void spn_manifests_clear(spn_manifests *manifests);

/* The steps of spn_manifests_read: list the files; add the lines of a file in memory; keep the
   first line of each key, whose lines must hold the same run. */
spn_status spn_manifests_list(spn_manifests *out, const char *folder, spn_error *err);
spn_status spn_manifests_add(spn_manifests *out, const char *text, size_t size, const char *path,
                             spn_error *err);
spn_status spn_manifests_unify(spn_manifests *out, spn_error *err);

#endif

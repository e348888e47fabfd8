#include "base/file.h"
#include "base/memory.h"
#include "record/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)64 << 30)

/* How often a folder is read again because it was merged meanwhile. */
enum { ATTEMPTS = 100 };

char *spn_folder_path(const char *folder, const char *name)
{
    const bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
    return spn_text_new("%s%s%s", folder, slash ? "" : "/", name);
}

static bool add_path(spn_manifests *out, size_t *capacity, const char *folder, const char *name)
{
    if (!spn_grow(&out->paths, capacity, out->file_count + 1, sizeof *out->paths))
        return false;
    char *path = spn_folder_path(folder, name);
    if (path)
        out->paths[out->file_count++] = path;
    return path != NULL;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

spn_status spn_manifests_list(spn_manifests *out, const char *folder, spn_error *err)
{
    size_t capacity = 0;
    DIR *entries = opendir(folder);
    if (!entries)
        return spn_file_fail(folder, "cannot be read", err);
    bool fits = add_path(out, &capacity, folder, SPN_MANIFEST);
    bool archived = false;
    for (struct dirent *entry; fits && (entry = readdir(entries));) {
        archived = archived || strcmp(entry->d_name, SPN_ARCHIVE) == 0;
        const size_t size = strlen(entry->d_name), start = strlen("manifest-");
        const size_t end = strlen(".jsonl");
        if (size > start + end && strncmp(entry->d_name, "manifest-", start) == 0 &&
            strcmp(entry->d_name + size - end, ".jsonl") == 0)
            fits = add_path(out, &capacity, folder, entry->d_name);
    }
    closedir(entries);
    if (fits)
        qsort(out->paths + 1, out->file_count - 1, sizeof *out->paths, compare_paths);
    out->plain_count = out->file_count;
    if (!fits || (archived && !add_path(out, &capacity, folder, SPN_ARCHIVE)))
        return spn_no_memory(err, "the records of %s", folder);
    return SPN_OK;
}

void spn_manifests_clear(spn_manifests *manifests)
{
    for (size_t k = 0; k < manifests->count; k++)
        spn_record_clear(&manifests->lines[k].record);
    for (size_t k = 0; k < manifests->file_count; k++) {
        if (manifests->files)
            spn_source_unload(&manifests->files[k]);
        free(manifests->paths[k]);
    }
    SPN_FREE_ALL(manifests->lines, manifests->files, manifests->paths);
    *manifests = (spn_manifests){0};
}

size_t spn_manifest_whole(const char *text, size_t size)
{
    const char *end = size > 0 ? memrchr(text, '\n', size) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

static spn_status add_line(spn_manifests *out, const char *text, size_t size, spn_line_place place,
                           spn_error *err)
{
    if (!spn_grow(&out->lines, &out->capacity, out->count + 1, sizeof *out->lines))
        return spn_no_memory(err, "%s", place.file);
    spn_manifest_line *line = &out->lines[out->count];
    *line = (spn_manifest_line){.text = text, .size = size + 1, .place = place};
    spn_status status = spn_record_line_read(&line->record, text, size, place, err);
    out->count += status == SPN_OK;
    return status;
}

spn_status spn_manifests_add(spn_manifests *out, const char *text, size_t size, const char *path,
                             spn_error *err)
{
    const size_t whole = spn_manifest_whole(text, size);
    spn_line_place place = {path, 1};
    out->torn += whole < size;
    for (size_t at = 0, length; at < whole; at += length + 1, place.line++) {
        const char *end = memchr(text + at, '\n', whole - at);
        length = (size_t)(end - (text + at));
        if (length > 0) /* a line deleted by hand may leave an empty one */
            SPN_TRY(add_line(out, text + at, length, place, err));
    }
    return SPN_OK;
}

int spn_ranked_compare(const void *a, const void *b)
{
    const spn_ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static spn_status find_repeats(bool *repeats, spn_ranked *entries, const spn_manifests *m,
                               spn_error *err)
{
    size_t first = 0;
    for (size_t k = 0; k < m->count; k++)
        entries[k] = (spn_ranked){m->lines[k].record.key, k};
    qsort(entries, m->count, sizeof *entries, spn_ranked_compare);
    for (size_t k = 1; k < m->count; k++) {
        if (entries[k].key != entries[first].key) {
            first = k;
            continue;
        }
        repeats[entries[k].index] = true;
        const spn_manifest_line *once = &m->lines[entries[first].index];
        const spn_manifest_line *again = &m->lines[entries[k].index];
        bool same;
        SPN_TRY(spn_record_same(&same, &once->record, &again->record, err));
        if (!same)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: line %zu: is another outcome of the run in %s: line %zu; delete "
                            "both lines to have it repeated",
                            again->place.file, again->place.line, once->place.file,
                            once->place.line);
    }
    return SPN_OK;
}

spn_status spn_manifests_unify(spn_manifests *out, spn_error *err)
{
    spn_ranked *entries = spn_alloc(out->count, sizeof *entries);
    bool *repeats = spn_alloc(out->count, sizeof *repeats);
    size_t kept = 0;
    spn_status status;
    SPN_TRY_OR(cleanup, entries && repeats ? find_repeats(repeats, entries, out, err)
                                           : spn_no_memory(err, "records"));
    for (size_t k = 0; k < out->count; k++) {
        if (repeats[k])
            spn_record_clear(&out->lines[k].record);
        else
            out->lines[kept++] = out->lines[k];
    }
    out->count = kept;
cleanup:
    SPN_FREE_ALL(entries, repeats);
    return status;
}

/* Read a listed file. *merged: it is gone. manifest.jsonl may be missing: nothing is finished, or
   parts hold the lines. */
static spn_status read_file(spn_manifests *out, size_t k, bool *merged, spn_error *err)
{
    const char *path = out->paths[k];
    spn_source *file = &out->files[k];
    spn_status status = SPN_OK;
    bool there = access(path, F_OK) == 0;
    if (there) {
        status = spn_source_load(file, path, MOST_BYTES, err);
        there = !status || access(path, F_OK) == 0;
    }
    *merged = !there && k > 0;
    if (status || !there)
        return there ? status : SPN_OK;
    return spn_manifests_add(out, (const char *)file->data, file->size, path, err);
}

static spn_status read_files(spn_manifests *out, bool *merged, spn_error *err)
{
    SPN_NEED(out->files = spn_alloc(out->file_count, sizeof *out->files), err, "records");
    for (size_t k = 0; k < out->file_count && !*merged; k++)
        SPN_TRY(read_file(out, k, merged, err));
    return SPN_OK;
}

bool spn_manifest_is_named(int file, const char *path)
{
    struct stat before, now;
    if (file < 0)
        return access(path, F_OK) != 0;
    return fstat(file, &before) == 0 && stat(path, &now) == 0 && before.st_dev == now.st_dev &&
           before.st_ino == now.st_ino;
}

/* A merge renames a new manifest.jsonl into place and then removes the parts, whose names may be
   reused at once. Archiving makes the archive, then removes manifest.jsonl. So one of them
   happened exactly if manifest.jsonl is another file afterwards; while the first is open, its
   inode is not reused. It is opened before the files are listed: if it is gone, the archive with
   its lines exists. */
static spn_status read_once(spn_manifests *out, const char *folder, bool *merged, spn_error *err)
{
    char *path = spn_folder_path(folder, SPN_MANIFEST);
    SPN_NEED(path, err, "the records of %s", folder);
    spn_status status;
    const int first = open(path, O_RDONLY | O_CLOEXEC);
    if (first < 0 && errno != ENOENT)
        SPN_TRY_OR(cleanup, spn_file_fail(path, "cannot be opened", err));
    SPN_TRY_OR(cleanup, spn_manifests_list(out, folder, err));
    status = read_files(out, merged, err);
    *merged |= !spn_manifest_is_named(first, path);
    if (*merged)
        status = SPN_OK;
    else if (!status)
        status = spn_manifests_unify(out, err);
cleanup:
    if (first >= 0)
        close(first);
    free(path);
    return status;
}

spn_status spn_manifests_read(spn_manifests *out, const char *folder, spn_error *err)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool merged = false;
        spn_manifests read = {0};
        spn_status status = read_once(&read, folder, &merged, err);
        if (!merged) {
            *out = read;
            return status;
        }
        spn_manifests_clear(&read);
    }
    *out = (spn_manifests){0};
    return spn_fail(err, SPN_ERROR_IO, "%s: its manifests come and go; give the command again",
                    folder);
}

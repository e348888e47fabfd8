/* All manifests of a folder into one. What a kill leaves behind is harmless at every point: before
   the rename, the files of before; after it, parts that repeat lines of manifest.jsonl. */
#include "base/file.h"
#include "base/memory.h"
#include "record/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- locks ---- */

typedef struct locks {
    size_t count;
    int *files;
} locks;

static void release(locks *held)
{
    for (size_t k = 0; k < held->count; k++)
        close(held->files[k]);
    free(held->files);
}

/* Lock every manifest. *all: false where another process has one of them. */
static spn_status lock_all(locks *out, bool *all, const spn_manifests *manifests, spn_error *err)
{
    out->files = spn_alloc(manifests->file_count, sizeof *out->files);
    if (!out->files)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for records");
    *all = true;
    for (size_t k = 0; k < manifests->file_count && *all; k++) {
        spn_status status = spn_manifest_lock(&out->files[k], manifests->paths[k], err);
        if (status)
            return status;
        *all = out->files[k] >= 0;
        out->count += *all;
    }
    return SPN_OK;
}

/* ---- order ---- */

/* A line and its place in the merged file; equal places by the order of reading. */
typedef struct rank {
    size_t place, index;
} rank;

typedef struct wanted {
    uint64_t key;
    size_t place;
} wanted;

static int compare_wanted(const void *a, const void *b)
{
    const wanted *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int compare_keys(const void *a, const void *b)
{
    const wanted *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static spn_status order_lines(rank *out, const spn_manifests *m, const uint64_t *keys, size_t count,
                              spn_error *err)
{
    wanted *list = spn_alloc(count, sizeof *list);
    if (!list)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for records");
    for (size_t k = 0; k < count; k++)
        list[k] = (wanted){keys[k], k};
    qsort(list, count, sizeof *list, compare_wanted);
    for (size_t k = 0; k < m->count; k++) {
        const wanted key = {.key = m->lines[k].record.key};
        const wanted *found = bsearch(&key, list, count, sizeof *list, compare_keys);
        out[k] = (rank){found ? found->place : count, k};
    }
    qsort(out, m->count, sizeof *out, compare_ranks);
    free(list);
    return SPN_OK;
}

/* ---- writing ---- */

/* Whether manifest.jsonl is already what would be written. */
static bool is_merged(const spn_manifests *m, const rank *order)
{
    const spn_source *file = &m->files[0];
    size_t at = 0;
    for (size_t k = 0; k < m->count; k++) {
        const spn_manifest_line *line = &m->lines[order[k].index];
        if (line->text != (const char *)file->data + at)
            return false;
        at += line->size;
    }
    return at == file->size;
}

static spn_status write_merged(const spn_manifests *m, const rank *order, spn_error *err)
{
    spn_file *file;
    spn_status status = spn_file_create(&file, m->paths[0], err);
    for (size_t k = 0; k < m->count && !status; k++) {
        const spn_manifest_line *line = &m->lines[order[k].index];
        if (fwrite(line->text, 1, line->size, spn_file_stream(file)) != line->size)
            status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be written: %s", m->paths[0],
                              strerror(errno));
    }
    if (!status)
        return spn_file_commit(file, err);
    spn_file_discard(file);
    return status;
}

/* Remove what a merge that was killed left under a temporary name. Nobody else is merging. */
static void remove_leftovers(const char *folder)
{
    const char start[] = SPN_MANIFEST ".", end[] = ".part";
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const size_t size = strlen(entry->d_name);
        if (size > sizeof start + sizeof end &&
            strncmp(entry->d_name, start, sizeof start - 1) == 0 &&
            strcmp(entry->d_name + size - (sizeof end - 1), end) == 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

/* manifest.jsonl, then the parts are not needed. All files are locked. */
static spn_status merge_files(const spn_manifests *m, const uint64_t *keys, size_t count,
                              spn_error *err)
{
    rank *order = spn_alloc(m->count, sizeof *order);
    if (!order)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for records");
    spn_status status = order_lines(order, m, keys, count, err);
    if (!status && !is_merged(m, order))
        status = write_merged(m, order, err);
    for (size_t k = 1; k < m->file_count && !status; k++)
        if (unlink(m->paths[k]) != 0 && errno != ENOENT)
            status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be removed: %s", m->paths[k],
                              strerror(errno));
    free(order);
    return status;
}

static spn_status merge_locked(const char *folder, const uint64_t *keys, size_t count,
                               spn_error *err)
{
    spn_manifests listed = {0}, read = {0};
    locks held = {0};
    bool all = false;
    spn_status status = spn_manifests_list(&listed, folder, err);
    if (!status)
        status = lock_all(&held, &all, &listed, err);
    if (!status && all)
        status = spn_manifests_read(&read, folder, err);
    /* a part that came after the locks is somebody's who is writing */
    if (!status && all && read.file_count == listed.file_count)
        status = merge_files(&read, keys, count, err);
    spn_manifests_clear(&read);
    spn_manifests_clear(&listed);
    release(&held);
    return status;
}

spn_status spn_records_merge(const char *folder, const uint64_t *keys, size_t count, spn_error *err)
{
    int lock = -1;
    char *path = spn_folder_path(folder, "lock");
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    spn_status status = spn_manifest_lock(&lock, path, err);
    if (!status && lock >= 0) {
        remove_leftovers(folder);
        status = merge_locked(folder, keys, count, err);
    }
    if (lock >= 0)
        close(lock);
    free(path);
    return status;
}

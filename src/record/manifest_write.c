#include "base/file.h"
#include "base/memory.h"
#include "record/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct spn_records_writer {
    int file;
    char *path;
    off_t size; /* of the whole lines */
};

spn_status spn_manifest_lock(int *out, const char *path, spn_error *err)
{
    for (;;) {
        *out = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (*out < 0)
            return spn_file_fail(path, "cannot be opened", err);
        const bool locked = flock(*out, LOCK_EX | LOCK_NB) == 0;
        const int why = errno;
        if (locked && spn_manifest_is_named(*out, path))
            return SPN_OK;
        close(*out);
        *out = -1;
        if (!locked && why != EWOULDBLOCK && why != EINTR)
            return spn_fail(err, SPN_ERROR_IO,
                            "%s: cannot be locked: %s; put the folder on a file system that can",
                            path, strerror(why));
        if (!locked && why == EWOULDBLOCK)
            return SPN_OK;
    }
}

/* Reads may be partial. */
static bool read_all(int file, char *out, size_t size, off_t place)
{
    while (size > 0) {
        const ssize_t got = pread(file, out, size, place);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        out += got;
        size -= (size_t)got;
        place += got;
    }
    return true;
}

/* End of the last whole line, searched backwards. */
static spn_status find_end(off_t *out, int file, const char *path, spn_error *err)
{
    char block[4096];
    struct stat info;
    if (fstat(file, &info) != 0)
        return spn_file_fail(path, "cannot be read", err);
    for (off_t end = info.st_size; end > 0;) {
        const off_t start = end > (off_t)sizeof block ? end - (off_t)sizeof block : 0;
        if (!read_all(file, block, (size_t)(end - start), start))
            return spn_file_fail(path, "cannot be read", err);
        const size_t whole = spn_manifest_whole(block, (size_t)(end - start));
        if (whole > 0) {
            *out = start + (off_t)whole;
            return SPN_OK;
        }
        end = start;
    }
    *out = 0;
    return SPN_OK;
}

spn_status spn_records_open(spn_records_writer **out, const char *folder, const char *part,
                            spn_error *err)
{
    char name[128] = SPN_MANIFEST;
    struct stat info;
    spn_status status;
    *out = NULL;
    if (part)
        snprintf(name, sizeof name, "manifest-%s.jsonl", part);
    spn_records_writer *writer = calloc(1, sizeof *writer);
    if (!writer || !(writer->path = spn_folder_path(folder, name))) {
        free(writer);
        return spn_no_memory(err, "the records of %s", folder);
    }
    SPN_TRY_OR(failed, spn_manifest_lock(&writer->file, writer->path, err));
    if (writer->file < 0)
        SPN_TRY_OR(failed, spn_refuse(err,
                                      "another process is writing to %s; wait for it, or give each "
                                      "its own shard",
                                      writer->path));
    SPN_TRY_OR(failed, find_end(&writer->size, writer->file, writer->path, err));
    /* cut off a torn line; the next append syncs that too */
    if (fstat(writer->file, &info) != 0 ||
        (info.st_size > writer->size && ftruncate(writer->file, writer->size) != 0))
        SPN_TRY_OR(failed, spn_file_fail(writer->path, "cannot be mended", err));
    if (writer->size == 0) /* it may be new */
        spn_file_sync_folder(writer->path);
    *out = writer;
    return SPN_OK;
failed:
    spn_records_close(writer);
    return status;
}

void spn_records_close(spn_records_writer *writer)
{
    if (!writer)
        return;
    if (writer->file >= 0)
        close(writer->file); /* also releases the lock */
    SPN_FREE_ALL(writer->path, writer);
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(file, text, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        size -= (size_t)done;
    }
    return true;
}

spn_status spn_records_append(spn_records_writer *writer, const spn_record *record, spn_error *err)
{
    char *line;
    size_t size;
    spn_status status = SPN_OK;
    SPN_TRY(spn_record_line_write(&line, &size, record, err));
    errno = 0;
    if (write_all(writer->file, line, size) && fsync(writer->file) == 0) {
        writer->size += (off_t)size;
    } else {
        const bool full = errno == ENOSPC || errno == EDQUOT;
        status = spn_fail(err, SPN_ERROR_IO,
                          "%s: %s; the runs that are finished stay, %sgive the same command again",
                          writer->path, errno ? strerror(errno) : "cannot be written",
                          full ? "free some space and " : "");
        if (ftruncate(writer->file, writer->size) == 0) /* else the next writer does it */
            fsync(writer->file);
    }
    free(line);
    return status;
}

/* ---- merging all manifests of a folder into one, or into its archive. A kill does no harm: before
   the rename the old files are there; after it, files that repeat lines of the new one ---- */

/* Lock all manifests that writers append to. *all: false if another process holds one. */
static spn_status lock_all(int **files, size_t *count, bool *all, const spn_manifests *manifests,
                           spn_error *err)
{
    int *locks = *files = spn_alloc(manifests->plain_count, sizeof *locks);
    SPN_NEED(locks, err, "records");
    *all = true;
    for (size_t k = 0; k < manifests->plain_count && *all; k++) {
        SPN_TRY(spn_manifest_lock(&locks[k], manifests->paths[k], err));
        *all = locks[k] >= 0;
        *count += *all;
    }
    return SPN_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const spn_ranked *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Lines that are not in the archive, whose lines come last. */
static size_t plain_lines(const spn_manifests *m)
{
    const char *archive = m->plain_count < m->file_count ? m->paths[m->plain_count] : NULL;
    size_t count = m->count;
    while (archive && count > 0 && m->lines[count - 1].place.file == archive)
        count--;
    return count;
}

static spn_status order_lines(spn_ranked *out, const spn_manifests *m, size_t lines,
                              const uint64_t *keys, size_t count, spn_error *err)
{
    spn_ranked *list = spn_alloc(count, sizeof *list);
    SPN_NEED(list, err, "records");
    for (size_t k = 0; k < count; k++)
        list[k] = (spn_ranked){keys[k], k};
    qsort(list, count, sizeof *list, spn_ranked_compare);
    for (size_t k = 0; k < lines; k++) {
        const spn_ranked key = {.key = m->lines[k].record.key};
        const spn_ranked *found = bsearch(&key, list, count, sizeof *list, compare_keys);
        out[k] = (spn_ranked){found ? found->index : count, k};
    }
    qsort(out, lines, sizeof *out, spn_ranked_compare);
    free(list);
    return SPN_OK;
}

/* Whether manifest.jsonl already has the content to be written. */
static bool is_merged(const spn_manifests *m, const spn_ranked *order, size_t lines)
{
    const spn_source *file = &m->files[0];
    size_t at = 0;
    for (size_t k = 0; k < lines; k++) {
        const spn_manifest_line *line = &m->lines[order[k].index];
        if (line->text != (const char *)file->data + at)
            return false;
        at += line->size;
    }
    return at == file->size;
}

static spn_status write_merged(const spn_manifests *m, const spn_ranked *order, size_t lines,
                               spn_error *err)
{
    spn_file *file;
    spn_status status = spn_file_create(&file, m->paths[0], err);
    for (size_t k = 0; k < lines && !status; k++) {
        const spn_manifest_line *line = &m->lines[order[k].index];
        if (fwrite(line->text, 1, line->size, spn_file_stream(file)) != line->size)
            status = spn_file_fail(m->paths[0], "cannot be written", err);
    }
    return spn_file_end(file, status, err);
}

/* Remove temporary files of a killed merge. The locks exclude other merges. */
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

/* Remove plain files from the k-th on; their lines are elsewhere. */
static spn_status remove_files(const spn_manifests *m, size_t k, spn_error *err)
{
    for (; k < m->plain_count; k++)
        if (unlink(m->paths[k]) != 0 && errno != ENOENT)
            return spn_file_fail(m->paths[k], "cannot be removed", err);
    return SPN_OK;
}

/* Write manifest.jsonl, and remove the parts. It is not needed if it is empty and there is an
   archive. */
static spn_status merge_files(const spn_manifests *m, const uint64_t *keys, size_t count,
                              spn_error *err)
{
    const size_t lines = plain_lines(m);
    const bool needed = lines > 0 || m->plain_count == m->file_count;
    spn_ranked *order = spn_alloc(lines, sizeof *order);
    SPN_NEED(order, err, "records");
    spn_status status;
    SPN_TRY_OR(cleanup, order_lines(order, m, lines, keys, count, err));
    if (needed && !is_merged(m, order, lines))
        SPN_TRY_OR(cleanup, write_merged(m, order, lines, err));
    status = remove_files(m, needed, err);
cleanup:
    free(order);
    return status;
}

static bool compress_into(FILE *stream, z_stream *z, const char *text, size_t size, bool last)
{
    unsigned char block[1 << 14] = {0};
    z->next_in = (unsigned char *)text;
    z->avail_in = (uInt)size;
    do {
        z->next_out = block;
        z->avail_out = sizeof block;
        deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
        const size_t made = sizeof block - z->avail_out;
        if (fwrite(block, 1, made, stream) != made)
            return false;
    } while (z->avail_out == 0);
    return true;
}

/* Lines of an existing archive come first. */
static spn_status write_archive(const spn_manifests *m, const char *path, spn_error *err)
{
    enum { BEST = 9, GZIP = 16 + MAX_WBITS };
    const size_t plain = plain_lines(m);
    z_stream z = {0};
    spn_file *file;
    SPN_TRY(spn_file_create(&file, path, err));
    if (deflateInit2(&z, BEST, Z_DEFLATED, GZIP, BEST, Z_DEFAULT_STRATEGY) != Z_OK)
        return spn_file_end(file, spn_no_memory(err, "records"), err);
    bool written = true;
    for (size_t k = 0; k < m->count && written; k++) {
        const spn_manifest_line *line = &m->lines[(plain + k) % m->count];
        written = compress_into(spn_file_stream(file), &z, line->text, line->size, false);
    }
    written = written && compress_into(spn_file_stream(file), &z, "", 0, true);
    deflateEnd(&z);
    return spn_file_end(file, written ? SPN_OK : spn_file_fail(path, "cannot be written", err),
                        err);
}

static spn_status archive_files(const spn_manifests *m, const char *folder, spn_error *err)
{
    if (m->count == 0)
        return spn_refuse(err, "%s: no run is finished yet; there is nothing to archive", folder);
    char *path = spn_folder_path(folder, SPN_ARCHIVE);
    SPN_NEED(path, err, "the records of %s", folder);
    spn_status status;
    if (plain_lines(m) > 0)
        SPN_TRY_OR(cleanup, write_archive(m, path, err));
    status = remove_files(m, 0, err);
cleanup:
    free(path);
    return status;
}

/* Merge in the order of the keys, or archive. *busy: another process holds a manifest, and nothing
   was done. */
static spn_status do_locked(const char *folder, const uint64_t *keys, size_t count, bool archive,
                            bool *busy, spn_error *err)
{
    spn_manifests listed = {0}, read = {0};
    int *locks = NULL;
    size_t locked = 0;
    bool all = false;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_manifests_list(&listed, folder, err));
    SPN_TRY_OR(cleanup, lock_all(&locks, &locked, &all, &listed, err));
    if (!all)
        goto cleanup;
    SPN_TRY_OR(cleanup, spn_manifests_read(&read, folder, err));
    /* a part that appeared after the locks belongs to a writer */
    all = read.plain_count == listed.plain_count;
    if (all)
        status = archive ? archive_files(&read, folder, err) : merge_files(&read, keys, count, err);
cleanup:
    *busy = !all;
    spn_manifests_clear(&read);
    spn_manifests_clear(&listed);
    for (size_t k = 0; k < locked; k++)
        close(locks[k]);
    free(locks);
    return status;
}

static spn_status do_alone(const char *folder, const uint64_t *keys, size_t count, bool archive,
                           bool *busy, spn_error *err)
{
    int lock = -1;
    *busy = true;
    char *path = spn_folder_path(folder, "lock");
    SPN_NEED(path, err, "the records of %s", folder);
    spn_status status = spn_manifest_lock(&lock, path, err);
    if (lock >= 0) {
        remove_leftovers(folder);
        status = do_locked(folder, keys, count, archive, busy, err);
        close(lock);
    }
    free(path);
    return status;
}

spn_status spn_records_merge(const char *folder, const uint64_t *keys, size_t count, spn_error *err)
{
    bool busy;
    return do_alone(folder, keys, count, false, &busy, err);
}

spn_status spn_records_archive(const char *folder, spn_error *err)
{
    bool busy;
    SPN_TRY(do_alone(folder, NULL, 0, true, &busy, err));
    if (busy)
        return spn_refuse(err, "%s: another process is writing there; wait for it", folder);
    return SPN_OK;
}

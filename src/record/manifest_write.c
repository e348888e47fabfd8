#include "base/file.h"
#include "base/memory.h"
#include "record/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

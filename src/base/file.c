/* Output files that appear whole or not at all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct spn_file {
    FILE *stream;
    char *path;
    char *temporary; /* NULL for a device */
};

static void file_free(spn_file *file)
{
    free(file->path);
    free(file->temporary);
    free(file);
}

/* A device or a pipe is written to as it is: a rename would replace the device by a file. So is
   /dev/stdout and its like, links that may lead to a file. */
static bool is_special(const char *path)
{
    struct stat info;
    bool device = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    if (device && lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static spn_file *file_alloc(const char *path)
{
    spn_file *file = calloc(1, sizeof *file);
    size_t size = strlen(path) + sizeof ".part" + 24;
    if (!file)
        return NULL;
    file->path = strdup(path);
    if (!is_special(path) && (file->temporary = malloc(size)))
        snprintf(file->temporary, size, "%s.%ld.part", path, (long)getpid());
    if (file->path && (file->temporary || is_special(path)))
        return file;
    file_free(file);
    return NULL;
}

spn_status spn_file_create(spn_file **out, const char *path, spn_error *err)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    spn_file *file = file_alloc(path);
    if (!file)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    file->stream = fopen(file->temporary ? file->temporary : path, "w");
    if (!file->stream) {
        spn_status status =
            spn_fail(err, SPN_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
        file_free(file);
        return status;
    }
    *out = file;
    return SPN_OK;
}

FILE *spn_file_stream(spn_file *file)
{
    return file->stream;
}

void spn_file_sync_folder(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

spn_status spn_file_commit(spn_file *file, spn_error *err)
{
    errno = 0;
    int failed = ferror(file->stream);
    failed |= fflush(file->stream) != 0;
    failed |= file->temporary && fsync(fileno(file->stream)) != 0;
    failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    failed = failed || (file->temporary && rename(file->temporary, file->path) != 0);
    if (failed) {
        spn_status status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be written: %s", file->path,
                                     errno ? strerror(errno) : "write error");
        spn_file_discard(file);
        return status;
    }
    spn_file_sync_folder(file->path); /* a rename survives a power cut only then */
    file_free(file);
    return SPN_OK;
}

void spn_file_discard(spn_file *file)
{
    if (!file)
        return;
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    file_free(file);
}

spn_status spn_file_try(const char *path, spn_error *err)
{
    spn_file *file = NULL;
    const spn_status status = path ? spn_file_create(&file, path, err) : SPN_OK;
    if (!status)
        spn_file_discard(file);
    return status;
}

spn_status spn_file_make_folders(const char *folder, spn_error *err)
{
    char *path = strdup(folder);
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    spn_status status = SPN_OK;
    for (size_t k = 1, size = strlen(path); k <= size && !status; k++) {
        if (path[k] != '/' && path[k] != 0)
            continue;
        const char kept = path[k];
        path[k] = 0;
        if (mkdir(path, 0777) == 0)
            spn_file_sync_folder(path);
        else if (errno != EEXIST)
            status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be made: %s", path, strerror(errno));
        path[k] = kept;
    }
    free(path);
    return status;
}

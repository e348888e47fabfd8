/* Output files that appear whole or not at all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct spn_file {
    FILE *stream;
    char *path;
    char *temporary; /* NULL for a device and the standard output */
};

spn_status spn_file_fail(const char *name, const char *what, spn_error *err)
{
    const int number = errno;
    return spn_fail(err, number == ENOMEM ? SPN_ERROR_MEMORY : SPN_ERROR_IO, "%s: %s: %s", name,
                    what, number ? strerror(number) : "write error");
}

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

/* Open the file of a temporary name that nobody can foresee: PATH.<16 digits>.part, in the same
   folder. A file or a link that is there already is never opened. */
static int open_temporary(spn_file *file)
{
    enum { TRIES = 16 };
    for (int k = 0; k < TRIES; k++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            return -1;
        free(file->temporary);
        file->temporary = NULL;
        if (asprintf(&file->temporary, "%s.%016" PRIx64 ".part", file->path, number) < 0) {
            file->temporary = NULL;
            return -1;
        }
        const int fd =
            open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int open_for_writing(spn_file *file)
{
    if (strcmp(file->path, "-") == 0)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (is_special(file->path))
        return open(file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return open_temporary(file);
}

static const char *name_of(const spn_file *file)
{
    return strcmp(file->path, "-") == 0 ? "standard output" : file->path;
}

static spn_status open_stream(spn_file *file, spn_error *err)
{
    const int fd = open_for_writing(file);
    file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file->stream)
        return SPN_OK;
    const spn_status status = spn_file_fail(name_of(file), "cannot be written", err);
    if (fd >= 0) {
        close(fd);
        if (file->temporary)
            unlink(file->temporary);
    }
    return status;
}

spn_status spn_file_create(spn_file **out, const char *path, spn_error *err)
{
    *out = NULL;
    struct stat info;
    if (strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    spn_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    }
    const spn_status status = open_stream(file, err);
    if (status)
        file_free(file);
    else
        *out = file;
    return status;
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
        spn_status status = spn_file_fail(name_of(file), "cannot be written", err);
        spn_file_discard(file);
        return status;
    }
    if (file->temporary)
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
            status = spn_file_fail(path, "cannot be made", err);
        path[k] = kept;
    }
    free(path);
    return status;
}

/* Output files that appear whole or not at all. */
#include "base/file.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

struct spn_file {
    FILE *stream;
    int fd;  /* of the stream */
    int why; /* errno of the first failed write; 0: none */
    char *path;
    char *temporary; /* NULL for devices and the standard output */
};

spn_status spn_file_fail(const char *name, const char *what, spn_error *err)
{
    const int number = errno;
    return spn_fail(err, number == ENOMEM ? SPN_ERROR_MEMORY : SPN_ERROR_IO, "%s: %s: %s", name,
                    what, number ? strerror(number) : "write error");
}

static void file_free(spn_file *file)
{
    SPN_FREE_ALL(file->path, file->temporary, file);
}

/* Devices and pipes are written directly, because a rename would replace a device by a file. So
   are links such as /dev/stdout, which may lead to a file. */
static bool is_special(const char *path)
{
    struct stat info;
    bool device = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    if (device && lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* ---- temporary names ---- */

static const char PART[] = ".part";
enum { DIGITS = 16 };

bool spn_file_ending(char out[SPN_FILE_ENDING])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return false;
    snprintf(out, SPN_FILE_ENDING, ".%0*" PRIx64 "%s", DIGITS, number, PART);
    return true;
}

static bool is_ending(const char *text)
{
    return *text == '.' && strspn(text + 1, "0123456789abcdef") == DIGITS &&
           strcmp(text + 1 + DIGITS, PART) == 0;
}

/* A process that writes a temporary file holds a lock on it. A file without a lock is a leftover,
   or its maker has not locked it yet; the maker then finds that it is gone. */
static void remove_leftover(int folder, const char *name)
{
    struct stat info;
    const int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(fd);
}

static void remove_leftovers(const char *path)
{
    char *copy = strdup(path), *other = strdup(path);
    DIR *entries = copy && other ? opendir(dirname(copy)) : NULL;
    const char *name = entries ? basename(other) : "";
    const size_t length = strlen(name);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (strncmp(entry->d_name, name, length) == 0 && is_ending(entry->d_name + length))
            remove_leftover(dirfd(entries), entry->d_name);
    if (entries)
        closedir(entries);
    SPN_FREE_ALL(copy, other);
}

/* Whether a file just created is ours; without locks in the file system it always is. */
static bool hold(int fd)
{
    struct stat info;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* Open PATH plus an ending. An existing file or link is never opened: EEXIST. */
static int open_under(spn_file *file, const char *ending)
{
    free(file->temporary);
    file->temporary = NULL;
    if (asprintf(&file->temporary, "%s%s", file->path, ending) < 0) {
        file->temporary = NULL;
        return -1;
    }
    const int fd =
        open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 || hold(fd))
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

static int open_temporary(spn_file *file)
{
    enum { TRIES = 16 };
    char ending[SPN_FILE_ENDING];
    int fd = -1;
    for (int k = 0; k < TRIES && fd < 0; k++) {
        if (!spn_file_ending(ending))
            return -1;
        fd = open_under(file, ending);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

static bool is_fifo(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

static void (*on_wait)(const char *path);

void spn_file_on_wait(void (*say)(const char *path))
{
    on_wait = say;
}

/* Wait for a reader, as open does; but a signal ends the wait (EINTR), even if its handler restarts
   system calls. Signals are let in only while pselect waits, so that none is missed. */
static int open_fifo(const char *path)
{
    enum { PAUSES_BEFORE_SAYING = 100 }; /* a second */
    const struct timespec pause = {.tv_nsec = 10000000};
    sigset_t all, before;
    int fd, pauses = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO) {
        if (pselect(0, NULL, NULL, NULL, &pause, &before) != 0)
            break;
        if (++pauses == PAUSES_BEFORE_SAYING && on_wait)
            on_wait(path);
    }
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (fd >= 0)
        fcntl(fd, F_SETFL, 0); /* writes wait for room */
    errno = why;
    return fd;
}

static int open_for_writing(spn_file *file, const char *ending)
{
    if (ending)
        return open_under(file, ending);
    if (strcmp(file->path, "-") == 0)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (is_fifo(file->path))
        return open_fifo(file->path);
    if (is_special(file->path))
        return open(file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return open_temporary(file);
}

/* ---- the stream ---- */

/* Write all bytes, or keep the errno, which stdio would forget. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
{
    spn_file *file = cookie;
    size_t done = 0;
    while (done < size) {
        const ssize_t now = write(file->fd, bytes + done, size - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0) {
            file->why = file->why ? file->why : now < 0 ? errno : EIO;
            break;
        }
        done += (size_t)now;
    }
    return (ssize_t)done;
}

static int close_file(void *cookie)
{
    const spn_file *file = cookie;
    return close(file->fd);
}

static const char *name_of(const spn_file *file)
{
    return strcmp(file->path, "-") == 0 ? "standard output" : file->path;
}

static spn_status open_stream(spn_file *file, const char *ending, spn_error *err)
{
    const cookie_io_functions_t calls = {.write = write_bytes, .close = close_file};
    file->fd = open_for_writing(file, ending);
    file->stream = file->fd >= 0 ? fopencookie(file, "w", calls) : NULL;
    if (file->stream) {
        if (isatty(file->fd))
            setvbuf(file->stream, NULL, _IOLBF, BUFSIZ);
        return SPN_OK;
    }
    const int why = errno;
    const bool unread = why == EINTR && is_fifo(file->path);
    errno = why; /* which the look at the path may change */
    const spn_status status = spn_file_fail(
        name_of(file), unread ? "no program has opened this pipe to read it" : "cannot be written",
        err);
    if (file->fd >= 0) {
        close(file->fd);
        if (file->temporary)
            unlink(file->temporary);
    }
    return status;
}

spn_status spn_file_create_under(spn_file **out, const char *path, const char *ending,
                                 spn_error *err)
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
    const spn_status status = open_stream(file, ending, err);
    if (status) {
        file_free(file);
        return status;
    }
    if (file->temporary)
        remove_leftovers(path);
    *out = file;
    return SPN_OK;
}

spn_status spn_file_create(spn_file **out, const char *path, spn_error *err)
{
    return spn_file_create_under(out, path, NULL, err);
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

/* Flush, sync and close. Returns 0, or the errno of the first failure. */
static int close_written(spn_file *file)
{
    int why = 0;
    errno = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream))
        why = file->why ? file->why : errno ? errno : EIO;
    if (!why && file->temporary && fsync(file->fd) != 0)
        why = errno;
    if (fclose(file->stream) != 0 && !why)
        why = errno;
    file->stream = NULL;
    return why;
}

spn_status spn_file_commit(spn_file *file, spn_error *err)
{
    const int held = file->temporary ? dup(file->fd) : -1; /* the lock, until it has its name */
    int why = close_written(file);
    if (!why && file->temporary && rename(file->temporary, file->path) != 0)
        why = errno;
    if (held >= 0)
        close(held);
    if (why) {
        errno = why;
        const spn_status status = spn_file_fail(name_of(file), "cannot be written", err);
        spn_file_discard(file);
        return status;
    }
    if (file->temporary)
        spn_file_sync_folder(file->path); /* only then a rename survives a power cut */
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

spn_status spn_file_end(spn_file *file, spn_status status, spn_error *err)
{
    if (!status)
        return spn_file_commit(file, err);
    spn_file_discard(file);
    return status;
}

spn_status spn_file_try(const char *path, spn_error *err)
{
    spn_file *file = NULL;
    if (!path)
        return SPN_OK;
    if (is_fifo(path)) /* closed again, it would be at its end for the reader */
        return access(path, W_OK) == 0 ? SPN_OK : spn_file_fail(path, "cannot be written", err);
    const spn_status status = spn_file_create(&file, path, err);
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

/* Files, streams and threads whose operations fail by their number: see fail_at.c. */
#include "fail_at.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

DECLARE_NEXT(open);
DECLARE_NEXT(openat);
DECLARE_NEXT(fopen);
DECLARE_NEXT(opendir);
DECLARE_NEXT(mkdir);
DECLARE_NEXT(pipe2);
DECLARE_NEXT(fdopen);
DECLARE_NEXT(read);
DECLARE_NEXT(pread);
DECLARE_NEXT(write);
DECLARE_NEXT(pwrite);
DECLARE_NEXT(ftruncate);
DECLARE_NEXT(fsync);
DECLARE_NEXT(rename);
DECLARE_NEXT(pthread_create);

static mode_t mode_of(int flags, va_list args)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return fail_at_fails(OPEN, CALLER) ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return fail_at_fails(OPEN, CALLER) ? -1 : NEXT(openat)(folder, path, flags, mode);
}

DIR *opendir(const char *path)
{
    return fail_at_fails(OPEN, CALLER) ? NULL : NEXT(opendir)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return fail_at_fails(OPEN, CALLER) ? -1 : NEXT(mkdir)(path, mode);
}

int pipe2(int ends[2], int flags)
{
    return fail_at_fails(OPEN, CALLER) ? -1 : NEXT(pipe2)(ends, flags);
}

ssize_t read(int file, void *bytes, size_t size)
{
    const ssize_t most = fail_at_allowed(READ, size, CALLER);
    return most < 0 ? -1 : NEXT(read)(file, bytes, (size_t)most);
}

ssize_t pread(int file, void *bytes, size_t size, off_t place)
{
    const ssize_t most = fail_at_allowed(READ, size, CALLER);
    return most < 0 ? -1 : NEXT(pread)(file, bytes, (size_t)most, place);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    const ssize_t most =
        file == STDERR_FILENO ? (ssize_t)size : fail_at_allowed(WRITE, size, CALLER);
    return most < 0 ? -1 : NEXT(write)(file, bytes, (size_t)most);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    const ssize_t most = fail_at_allowed(WRITE, size, CALLER);
    return most < 0 ? -1 : NEXT(pwrite)(file, bytes, (size_t)most, place);
}

int ftruncate(int file, off_t size)
{
    return fail_at_fails(WRITE, CALLER) ? -1 : NEXT(ftruncate)(file, size);
}

int fsync(int file)
{
    return fail_at_fails(FSYNC, CALLER) ? -1 : NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    return fail_at_fails(RENAME, CALLER) ? -1 : NEXT(rename)(from, to);
}

int pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*start)(void *), void *with)
{
    return fail_at_fails(THREAD, CALLER) ? EAGAIN : NEXT(pthread_create)(out, how, start, with);
}

/* ---- streams: the C library's own reads and writes cannot be stood before, so streams get ours
 * ---- */

static int descriptor_of(void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t stream_read(void *cookie, char *bytes, size_t size)
{
    const ssize_t most = fail_at_allowed(READ, size, NULL);
    return most < 0 ? -1 : NEXT(read)(descriptor_of(cookie), bytes, (size_t)most);
}

/* A stream's write is whole or an error; the C library goes on after a short one, and does not
 * after EINTR. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t most = fail_at_allowed(WRITE, size - done, NULL);
        const ssize_t put =
            most < 0 ? -1 : NEXT(write)(descriptor_of(cookie), bytes + done, (size_t)most);
        if (put < 0)
            break;
        done += (size_t)put;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *place, int from)
{
    const off_t found = lseek(descriptor_of(cookie), *place, from);
    *place = found;
    return found < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    return close(descriptor_of(cookie));
}

FILE *fail_at_own_stream(int file, const char *mode)
{
    FILE *stream =
        fopencookie((void *)(intptr_t)file, mode,
                    (cookie_io_functions_t){stream_read, stream_write, stream_seek, stream_close});
    if (stream)
        stream->_fileno = file; /* for fileno() */
    return stream;
}

FILE *fdopen(int file, const char *mode)
{
    return fail_at_counting() ? fail_at_own_stream(file, mode) : NEXT(fdopen)(file, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    if (!fail_at_counting() || strchr(mode, '+') || *mode == 'a' || fail_at_is_excluded(CALLER))
        return NEXT(fopen)(path, mode);
    if (fail_at_fails(OPEN, CALLER))
        return NULL;
    const int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    const int file = NEXT(open)(path, flags | O_CLOEXEC, 0666);
    FILE *stream = file < 0 ? NULL : fail_at_own_stream(file, mode);
    if (!stream && file >= 0) {
        close(file);
        errno = ENOMEM;
    }
    return stream;
}

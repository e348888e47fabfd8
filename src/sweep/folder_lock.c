/* The lock of a folder: running/lock, locked for one process, or shared by processes that do
   different shards of the same number, which the file holds (1 for one process alone). */
#include "base/file.h"
#include "sweep/folder.h"

#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool lock_file(int file, int how)
{
    if (flock(file, how | LOCK_NB) == 0)
        return true;
    /* a file system without locks: go on without */
    return errno != EWOULDBLOCK && errno != EINTR;
}

/* The file may have been removed, and another made, after it was opened. */
static bool is_current(int file, const char *path)
{
    struct stat ours, theirs;
    return fstat(file, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino &&
           ours.st_dev == theirs.st_dev;
}

static bool holds_number(int file, size_t shards)
{
    char text[32] = "";
    return pread(file, text, sizeof text - 1, 0) > 0 && strtoull(text, NULL, 10) == shards;
}

static bool write_number(int file, size_t shards)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%zu\n", shards);
    return ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)size, 0) == size;
}

/* SHARED: held alone by another shard, as they do for a moment when they begin and while they merge
   at the end. */
typedef enum attempt { TAKEN, BUSY, SHARED, BROKEN } attempt;

static attempt try_lock(int file, size_t shards)
{
    const bool alone = lock_file(file, LOCK_EX);
    if (alone && !write_number(file, shards > 1 ? shards : 1))
        return BROKEN;
    if (shards <= 1)
        return alone ? TAKEN : BUSY;
    /* on the way from the one lock to the other somebody else may have come */
    return lock_file(file, LOCK_SH) && holds_number(file, shards) ? TAKEN : BUSY;
}

/* The last one to leave removes the file and its folder, perhaps just now. */
static attempt open_and_try(int *out, const char *folder, const char *path, size_t shards)
{
    mkdir(folder, 0777);
    *out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*out < 0)
        return errno == ENOENT ? BUSY : BROKEN;
    attempt result = try_lock(*out, shards);
    if (result == TAKEN && !is_current(*out, path))
        result = BUSY;
    if (result == BUSY && shards > 1 && holds_number(*out, shards))
        result = SHARED;
    if (result != TAKEN) {
        const int why = errno;
        close(*out);
        errno = why;
        *out = -1;
    }
    return result;
}

spn_status spn_folder_lock(int *out, const char *folder, size_t shards, spn_error *err)
{
    static const double patience[] = {[BUSY] = 0.5, [SHARED] = 60};
    const struct timespec pause = {.tv_nsec = 20000000};
    const double started = spn_clock();
    char *running = NULL, *path = NULL;
    *out = -1;
    if (asprintf(&running, "%s/running", folder) < 0 || asprintf(&path, "%s/lock", running) < 0) {
        free(running);
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    }
    attempt result = open_and_try(out, running, path, shards);
    while ((result == BUSY || result == SHARED) && spn_clock() - started < patience[result]) {
        nanosleep(&pause, NULL);
        result = open_and_try(out, running, path, shards);
    }
    spn_status status = SPN_OK;
    if (result == BROKEN)
        status = spn_file_fail(path, "cannot be written", err);
    if (result == BUSY || result == SHARED)
        status = spn_fail(err, SPN_ERROR_ARGUMENT,
                          "%s: another spinney is at work in this folder; wait until it has ended, "
                          "or give another --out",
                          folder);
    free(running);
    free(path);
    return status;
}

bool spn_folder_lock_alone(int lock)
{
    return lock_file(lock, LOCK_EX);
}

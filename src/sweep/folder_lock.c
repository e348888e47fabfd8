/* The lock of a folder is running/lock. One process holds it alone, or shards of the same number
   share it. The file holds that number (1 for one process). */
#include "base/file.h"
#include "base/memory.h"
#include "sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
    /* without locks in the file system, go on */
    return errno != EWOULDBLOCK && errno != EINTR;
}

/* 0: the file has no number, or cannot be read; then errno is set. */
static size_t number_in(int file)
{
    char text[32] = "";
    size_t size = 0;
    ssize_t got;
    do {
        errno = 0;
        got = pread(file, text + size, sizeof text - 1 - size, (off_t)size);
        size += got > 0 ? (size_t)got : 0;
    } while ((got > 0 && size < sizeof text - 1) || (got < 0 && errno == EINTR));
    return got < 0 ? 0 : strtoull(text, NULL, 10);
}

static bool write_number(int file, size_t shards)
{
    char text[32];
    const ssize_t size = snprintf(text, sizeof text, "%zu\n", shards);
    ssize_t done = ftruncate(file, 0) == 0 ? 0 : size + 1;
    while (done < size) {
        const ssize_t put = pwrite(file, text + done, (size_t)(size - done), done);
        if (put <= 0 && errno != EINTR)
            return false;
        done += put > 0 ? put : 0;
    }
    return done == size;
}

/* SHARED: another shard holds it alone, as shards do briefly at the start and while they merge at
   the end. CHANGING: perhaps shards of another number, or nobody any more. UNMADE: the folder
   could not be created. */
typedef enum attempt { TAKEN, BUSY, SHARED, CHANGING, UNMADE, BROKEN } attempt;

static attempt try_lock(int file, size_t shards)
{
    const bool alone = lock_file(file, LOCK_EX);
    if (alone && !write_number(file, shards > 1 ? shards : 1))
        return BROKEN;
    if (shards <= 1)
        return alone ? TAKEN : BUSY;
    /* somebody else may have come between the two locks */
    if (!lock_file(file, LOCK_SH))
        return CHANGING;
    return number_in(file) == shards ? TAKEN : errno ? BROKEN : BUSY;
}

/* The last process to leave removes the file and its folder, perhaps just now. *theirs: number of
   shards of the holder; 0 if unknown. */
static attempt open_and_try(int *out, size_t *theirs, const char *folder, const char *path,
                            size_t shards)
{
    struct stat ours, current;
    *out = -1;
    *theirs = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return UNMADE; /* a read-only file system, or no permission */
    *out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*out < 0)
        return errno == ENOENT ? CHANGING : BROKEN;
    attempt result = try_lock(*out, shards);
    if (result == TAKEN && (fstat(*out, &ours) != 0 || stat(path, &current) != 0 ||
                            ours.st_ino != current.st_ino || ours.st_dev != current.st_dev))
        result = CHANGING; /* it was removed, and perhaps replaced, after it was opened */
    if (result == BUSY || result == CHANGING)
        *theirs = number_in(*out);
    if (result == CHANGING && *theirs == 1)
        result = BUSY;
    if (result == CHANGING && *theirs == shards)
        result = SHARED;
    if (result != TAKEN) {
        const int why = errno;
        close(*out);
        errno = why;
        *out = -1;
    }
    return result;
}

static spn_status say_busy(const char *folder, size_t shards, size_t theirs, spn_error *err)
{
    if (shards > 1 && theirs > 1 && theirs != shards)
        return spn_refuse(err,
                          "%s: is being filled by shards of %zu, not of %zu; give a shard of %zu, "
                          "or wait for them",
                          folder, theirs, shards, theirs);
    return spn_refuse(err,
                      "%s: another spinney is at work in this folder; wait for it, or give another "
                      "folder",
                      folder);
}

spn_status spn_folder_lock(int *out, const char *folder, size_t shards, spn_error *err)
{
    /* Attempts for half a second, a minute and ten seconds. Attempts are counted, not time,
       because a busy machine may give all time to others. */
    static const unsigned patience[] = {[BUSY] = 25, [SHARED] = 3000, [CHANGING] = 500};
    const struct timespec pause = {.tv_nsec = 20000000};
    char *path = spn_text_new("%s/running/lock", folder);
    char *running = path ? strndup(path, strlen(path) - strlen("/lock")) : NULL;
    size_t theirs;
    *out = -1;
    if (!running) {
        free(path);
        return spn_no_memory(err, "%s", folder);
    }
    attempt result = open_and_try(out, &theirs, running, path, shards);
    for (unsigned tried = 1;
         (result == BUSY || result == SHARED || result == CHANGING) && tried < patience[result];
         tried++) {
        nanosleep(&pause, NULL);
        result = open_and_try(out, &theirs, running, path, shards);
    }
    spn_status status = SPN_OK;
    if (result == UNMADE)
        status = spn_file_fail(running, "cannot be made", err);
    if (result == BROKEN)
        status = spn_file_fail(path, "cannot be written", err);
    if (result == BUSY || result == SHARED || result == CHANGING)
        status = say_busy(folder, shards, theirs, err);
    SPN_FREE_ALL(running, path);
    return status;
}

bool spn_folder_lock_alone(int lock)
{
    return lock_file(lock, LOCK_EX);
}

spn_status spn_folder_check_division(const char *folder, size_t shards, spn_error *err)
{
    DIR *entries = opendir(folder);
    struct stat info;
    size_t other = 0;
    for (struct dirent *entry; entries && !other && (entry = readdir(entries));) {
        unsigned long shard, theirs = 0; /* of a part of a manifest */
        int used = 0;
        if (sscanf(entry->d_name, "manifest-shard-%9lu-of-%9lu.jsonl%n", &shard, &theirs, &used) ==
                2 &&
            used > 0 && !entry->d_name[used] && theirs && theirs != shards &&
            fstatat(dirfd(entries), entry->d_name, &info, 0) == 0 && info.st_size > 0)
            other = theirs;
    }
    if (!entries)
        return errno == ENOENT ? SPN_OK : spn_file_fail(folder, "cannot be read", err);
    closedir(entries);
    if (!other)
        return SPN_OK;
    return spn_fail(
        err, SPN_ERROR_ARGUMENT,
        "%s: was divided into %zu shards, some of whose runs are finished, not into %zu; "
        "give a shard of %zu, or no shard to do all that is left",
        folder, other, shards, other);
}

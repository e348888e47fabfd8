/* How fast the disk of a folder is. */
#include "sweep/folder.h"

#include "base/clock.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder, or the one above it that is there; to be freed. */
static char *existing(const char *folder)
{
    struct stat info;
    char *path = strdup(folder);
    while (path && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) {
            free(path);
            return strdup(slash ? "/" : ".");
        }
        *slash = 0;
    }
    return path;
}

/* Seconds for each record of so many. */
static double time_records(int file)
{
    enum { RECORDS = 8 };
    static const char record[512];
    const double started = spn_clock();
    for (int k = 0; k < RECORDS; k++)
        if (write(file, record, sizeof record) != (ssize_t)sizeof record || fsync(file) != 0)
            return 0;
    return (spn_clock() - started) / RECORDS;
}

double spn_folder_record_seconds(const char *folder)
{
    char *path = existing(folder);
    const int file = path ? open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
    const double seconds = file >= 0 ? time_records(file) : 0;
    if (file >= 0)
        close(file);
    free(path);
    return seconds;
}

/* The list of what a report wrote, by which the next one removes what it no longer writes. Works in
   a folder in memory: names in the list go, and nothing else does. */
#include "check.h"
#include "targets.h"

#include "report/written.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    close(file);
}

static bool take(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return unlink(path) == 0;
}

static bool lists(const char *text, const char *name)
{
    const size_t size = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, size) == 0 && (line[size] == '\n' || !line[size]))
            return true;
    }
    return false;
}

/* All of it is the list. */
void spn_fuzz_written(const uint8_t *data, size_t size)
{
    char above[] = "/dev/shm/spn-fuzz-XXXXXX", folder[64];
    char *text = text_of(data, size);
    spn_written written = {0};
    spn_error err = {0};
    require(mkdtemp(above) != NULL);
    snprintf(folder, sizeof folder, "%s/f", above);
    require(mkdir(folder, 0700) == 0);
    put(above, "a.svg", data, 0);
    put(folder, "a.svg", data, 0);
    put(folder, "own", data, 0);
    put(folder, ".report-files", (const uint8_t *)text, size);
    spn_written_add(&written, "f/b.csv");
    check_error(spn_written_settle(&written, folder, size % 2, &err), &err, folder);
    require(take(above, "a.svg"));
    require(take(folder, "own") || lists(text, "own"));
    require(take(folder, "a.svg") || lists(text, "a.svg"));
    require(take(folder, ".report-files"));
    require(rmdir(folder) == 0 && rmdir(above) == 0);
    spn_written_clear(&written);
    free(text);
}

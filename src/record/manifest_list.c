/* Which manifests a folder holds. */
#include "base/memory.h"
#include "record/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *spn_folder_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    const bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}

static bool is_part(const char *name)
{
    const char start[] = "manifest-", end[] = ".jsonl";
    const size_t size = strlen(name), least = sizeof start - 1 + sizeof end - 1;
    return size > least && strncmp(name, start, sizeof start - 1) == 0 &&
           strcmp(name + size - (sizeof end - 1), end) == 0;
}

static bool add_path(spn_manifests *out, size_t *capacity, const char *folder, const char *name)
{
    if (!spn_grow(&out->paths, capacity, out->file_count + 1, sizeof *out->paths))
        return false;
    char *path = spn_folder_path(folder, name);
    if (path)
        out->paths[out->file_count++] = path;
    return path != NULL;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

spn_status spn_manifests_list(spn_manifests *out, const char *folder, spn_error *err)
{
    size_t capacity = 0;
    DIR *entries = opendir(folder);
    if (!entries)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", folder, strerror(errno));
    bool fits = add_path(out, &capacity, folder, SPN_MANIFEST);
    for (struct dirent *entry; fits && (entry = readdir(entries));)
        if (is_part(entry->d_name))
            fits = add_path(out, &capacity, folder, entry->d_name);
    closedir(entries);
    if (!fits)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    qsort(out->paths + 1, out->file_count - 1, sizeof *out->paths, compare_paths);
    return SPN_OK;
}

/* Copy the reference files of a sweep's figures into its folder. */
#include "base/memory.h"
#include "sweep/folder.h"

#include "base/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Beside the specification, unless the path is absolute. */
static char *source_of(const char *reference, const char *specification)
{
    const char *slash = specification ? strrchr(specification, '/') : NULL;
    if (reference[0] == '/' || !slash)
        return strdup(reference);
    return spn_text_new("%.*s/%s", (int)(slash - specification), specification, reference);
}

static spn_status copy_stream(FILE *from, const char *path, spn_error *err)
{
    spn_file *file;
    char buffer[16384];
    SPN_TRY(spn_file_create(&file, path, err));
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
        fwrite(buffer, 1, size, spn_file_stream(file));
    if (ferror(from)) {
        const spn_status status = spn_file_fail(path, "the file to copy here cannot be read", err);
        spn_file_discard(file);
        return status;
    }
    return spn_file_commit(file, err);
}

/* Copy a file to FOLDER/reference; without a folder only check that it can be read. */
static spn_status copy(const char *source, const char *folder, spn_error *err)
{
    char *path = NULL, *place = NULL;
    spn_status status = SPN_OK;
    struct stat info;
    FILE *from = fopen(source, "r");
    if (!from)
        return spn_file_fail(source, "cannot be opened", err);
    if (fstat(fileno(from), &info) != 0 || !S_ISREG(info.st_mode)) {
        status = spn_fail(err, SPN_ERROR_IO, "%s: is not a file", source);
    } else if (folder[0]) {
        place = spn_text_new("%s/reference", folder);
        path = spn_text_new("%s/reference/%s", folder, basename(source));
        if (!place || !path)
            status = spn_no_memory(err, "%s", folder);
        else if (mkdir(place, 0777) != 0 && errno != EEXIST)
            status = spn_file_fail(place, "cannot be made", err);
        else
            status = copy_stream(from, path, err);
    }
    fclose(from);
    SPN_FREE_ALL(path, place);
    return status;
}

/* Figures may share a file, but two files may not share a name. */
static spn_status check_names(const spn_sweep *sweep, size_t figure, const char *specification,
                              spn_error *err)
{
    const char *reference = sweep->figures[figure].reference;
    spn_status status = SPN_OK;
    for (size_t k = 0; k < figure && !status; k++) {
        const char *other = sweep->figures[k].reference;
        if (!other || strcmp(basename(other), basename(reference)) != 0 ||
            strcmp(other, reference) == 0)
            continue;
        char *one = source_of(other, specification), *two = source_of(reference, specification);
        struct stat first, second;
        const bool same = one && two && stat(one, &first) == 0 && stat(two, &second) == 0 &&
                          first.st_ino == second.st_ino && first.st_dev == second.st_dev;
        if (!same)
            status =
                spn_fail(err, SPN_ERROR_INPUT,
                         "figures %s and %s: the reference files %s and %s have the same name; "
                         "give one of them another",
                         sweep->figures[k].name, sweep->figures[figure].name, other, reference);
        SPN_FREE_ALL(one, two);
    }
    return status;
}

static spn_status copy_reference(const char *folder, const spn_sweep *sweep, size_t figure,
                                 const char *specification, spn_error *err)
{
    char *source = source_of(sweep->figures[figure].reference, specification);
    SPN_NEED(source, err, "the name of a file");
    spn_status status;
    SPN_TRY_OR(cleanup, check_names(sweep, figure, specification, err));
    status = copy(source, folder, err);
cleanup:
    free(source);
    return status;
}

spn_status spn_folder_copy_references(const char *folder, const spn_sweep *sweep,
                                      const char *specification, spn_error *err)
{
    for (size_t k = 0; k < sweep->figure_count; k++)
        if (sweep->figures[k].reference)
            SPN_TRY(copy_reference(folder, sweep, k, specification, err));
    return SPN_OK;
}

/* The folder of a sweep while it is filled: check it, enter it, tidy and leave it. */
#include "sweep/folder.h"
#include "base/file.h"
#include "base/memory.h"
#include "sweep/running.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the reference files of the figures, copied into the folder ---- */

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
    return spn_file_end(
        file,
        ferror(from) ? spn_file_fail(path, "the file to copy here cannot be read", err) : SPN_OK,
        err);
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

/* ---- looking ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* A folder without a sweep is used only if it holds nothing of somebody else's. */
static spn_status check_free(const char *folder, spn_error *err)
{
    DIR *entries = opendir(folder);
    spn_status status = SPN_OK;
    if (!entries)
        return spn_file_fail(folder, "cannot be read", err);
    for (struct dirent *entry; (entry = readdir(entries)) && !status;)
        /* except what a sweep left that was killed before it wrote sweep.json, or what a starting
           one has made */
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "sweep.json") != 0 &&
            strcmp(entry->d_name, "running") != 0 && strcmp(entry->d_name, "reference") != 0 &&
            !ends_with(entry->d_name, ".part"))
            status = spn_fail(err, SPN_ERROR_INPUT,
                              "%s: holds %s, but no sweep (sweep.json); give a new or empty folder",
                              folder, entry->d_name);
    closedir(entries);
    return status;
}

static bool has_sweep(const char *folder)
{
    char *path = spn_text_new("%s/sweep.json", folder);
    const bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* Runs of a folder come from one release and one instruction set. */
static spn_status check_program(const char *folder, const spn_sweep *theirs, spn_error *err)
{
    /* The release 0.4.0 of 0.4.0+g1a2b3c4; records have the rest. */
    const size_t length = strcspn(spn_version(), "+");
    if (length != strcspn(theirs->version, "+") ||
        strncmp(spn_version(), theirs->version, length) != 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s was written by spinney %s, this is %s: results may differ; give "
                        "another folder, or use that version",
                        folder, theirs->version, spn_version());
    if (theirs->instructions && strcmp(theirs->instructions, spn_instruction_set()) != 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s was started with the instruction set %s, this machine uses %s: results "
                        "may differ in their last digits; give another folder, or continue there",
                        folder, theirs->instructions, spn_instruction_set());
    return SPN_OK;
}

static spn_status check_sweep(const char *folder, const spn_sweep *ours, spn_error *err)
{
    spn_sweep *theirs;
    SPN_TRY(spn_sweep_read(&theirs, folder, err));
    spn_status status = check_program(folder, theirs, err);
    if (!status)
        status = spn_folder_compare(folder, theirs, ours, err);
    spn_sweep_free(theirs);
    return status;
}

spn_status spn_folder_check(bool *found, const char *folder, const spn_sweep *sweep, spn_error *err)
{
    struct stat info;
    *found = false;
    if (stat(folder, &info) != 0)
        return errno == ENOENT ? SPN_OK : spn_file_fail(folder, "cannot be entered", err);
    if (!S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a file; give the name of a folder", folder);
    if (access(folder, R_OK | X_OK) != 0)
        return spn_file_fail(folder, "cannot be entered", err);
    *found = has_sweep(folder);
    const spn_status status = *found ? SPN_OK : check_free(folder, err);
    *found = *found || has_sweep(folder); /* another process may have begun it meanwhile */
    return *found ? check_sweep(folder, sweep, err) : status;
}

spn_status spn_folder_finished(uint64_t **out, size_t *count, const char *folder, spn_error *err)
{
    spn_records *records;
    *out = NULL;
    *count = 0;
    SPN_TRY(spn_records_read(&records, folder, err));
    *out = spn_alloc(records->count, sizeof **out);
    for (size_t k = 0; *out && k < records->count; k++)
        (*out)[(*count)++] = records->records[k].key;
    spn_records_free(records);
    SPN_NEED(*out, err, "the runs of %s", folder);
    spn_keys_sort(*out, *count);
    return SPN_OK;
}

/* Write sweep.json as it is read from the folder: with this version, and reference files under
   their names there. */
static spn_status write_sweep(const char *folder, const spn_sweep *sweep, spn_error *err)
{
    spn_sweep copy = *sweep;
    copy.version = (char *)spn_version();
    copy.instructions = (char *)spn_instruction_set();
    copy.figures = spn_alloc(sweep->figure_count, sizeof *copy.figures);
    SPN_NEED(copy.figures, err, "%s", folder);
    for (size_t k = 0; k < sweep->figure_count; k++) {
        copy.figures[k] = sweep->figures[k];
        if (copy.figures[k].reference)
            copy.figures[k].reference = basename(sweep->figures[k].reference);
    }
    spn_status status = spn_sweep_write(&copy, folder, err);
    free(copy.figures);
    return status;
}

spn_status spn_folder_enter(int *lock, const char *folder, const spn_sweep *sweep, size_t shards,
                            const char *specification, spn_error *err)
{
    bool found;
    spn_status status;
    *lock = -1;
    /* before anything is created */
    SPN_TRY(spn_folder_check(&found, folder, sweep, err));
    SPN_TRY(spn_folder_copy_references("", sweep, specification, err));
    SPN_TRY(spn_file_make_folders(folder, err));
    SPN_TRY(spn_folder_lock(lock, folder, shards, err));
    /* another process may have been faster */
    SPN_TRY_OR(leave, spn_folder_check(&found, folder, sweep, err));
    if (shards > 1)
        SPN_TRY_OR(leave, spn_folder_check_division(folder, shards, err));
    SPN_TRY_OR(leave, spn_folder_copy_references(folder, sweep, specification, err));
    SPN_TRY_OR(leave, write_sweep(folder, sweep, err));
    return SPN_OK;
leave:
    spn_folder_leave(*lock, folder, false);
    *lock = -1;
    return status;
}

/* ---- checkpoints and leftovers ---- */

char *spn_folder_checkpoint(const char *folder, uint64_t key)
{
    return spn_text_new("%s/running/%016" PRIx64 ".checkpoint", folder, key);
}

bool spn_folder_has_checkpoints(const char *folder)
{
    char *path = spn_text_new("%s/running", folder);
    bool found = false;
    DIR *entries = path ? opendir(path) : NULL;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = ends_with(entry->d_name, ".checkpoint");
    if (entries)
        closedir(entries);
    free(path);
    return found;
}

enum { PARTS, PARTS_OF_RECORDS, CHECKPOINTS, ALL };

/* which: the kind of files to remove. finished: sorted keys whose CHECKPOINTS are removed. */
static void remove_files(const char *folder, const char *below, int which, const uint64_t *finished,
                         size_t count)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, below) >= (int)sizeof path)
        return;
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const char *name = entry->d_name;
        char *end;
        const uint64_t key = strtoull(name, &end, 16);
        bool goes = which == ALL || ends_with(name, ".part");
        if (which == PARTS_OF_RECORDS) /* a report may be writing its own there */
            goes =
                goes && (strncmp(name, "sweep.json", 10) == 0 || strncmp(name, "manifest", 8) == 0);
        if (which == CHECKPOINTS)
            goes = end != name && strcmp(end, ".checkpoint") == 0 &&
                   spn_keys_hold(finished, count, key);
        if (name[0] != '.' && goes)
            unlinkat(dirfd(entries), name, 0);
    }
    if (entries)
        closedir(entries);
}

void spn_folder_tidy(const char *folder, const uint64_t *finished, size_t count, bool alone)
{
    static const char *const places[] = {"running", "models", "traces", "reference"};
    remove_files(folder, "running", CHECKPOINTS, finished, count);
    if (!alone)
        return;
    remove_files(folder, ".", PARTS_OF_RECORDS, NULL, 0);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        remove_files(folder, places[k], PARTS, NULL, 0);
}

void spn_folder_leave(int lock, const char *folder, bool complete)
{
    if (lock < 0)
        return;
    char running[PATH_MAX]; /* on the stack, so that a lack of memory does not leave the files */
    if (spn_folder_lock_alone(lock) &&
        snprintf(running, sizeof running, "%s/running/lock", folder) < (int)sizeof running) {
        if (complete) {
            spn_folder_tidy(folder, NULL, 0, true);
            remove_files(folder, "running", ALL, NULL, 0);
        }
        unlink(running);
        *strrchr(running, '/') = 0;
        rmdir(running); /* fails if there are checkpoints */
    }
    close(lock);
}

/* ---- comparing sweeps: every job that the folder was made for must be a job of the sweep now,
   and files that both name must have the same content ---- */

/* Error text for two values of this format. */
#define DIFFERS(value)                                                                             \
    "%s holds another sweep: its %s is " value ", here it is " value "; give another folder"

static spn_status compare_setting(const char *folder, const char *name, const spn_sweep *theirs,
                                  const spn_sweep *ours, spn_error *err)
{
    const spn_value_list before = spn_sweep_given(theirs, name), now = spn_sweep_given(ours, name);
    bool same = (before.count == 0) == (now.count == 0);
    for (size_t i = 0; i < before.count && same; i++) {
        same = false;
        for (size_t k = 0; k < now.count && !same; k++)
            same = strcmp(now.texts[k], before.texts[i]) == 0;
    }
    if (same)
        return SPN_OK;
    char left[160], right[160];
    spn_value_list_print(left, sizeof left, &before);
    spn_value_list_print(right, sizeof right, &now);
    return spn_fail(err, SPN_ERROR_INPUT, DIFFERS("%s"), folder, name, left, right);
}

static spn_status compare_settings(const char *folder, const spn_sweep *named,
                                   const spn_sweep *theirs, const spn_sweep *ours, spn_error *err)
{
    for (size_t k = 0; k < named->fixed_count; k++)
        SPN_TRY(compare_setting(folder, named->fixed[k].name, theirs, ours, err));
    for (size_t k = 0; k < named->axis_count; k++)
        SPN_TRY(compare_setting(folder, named->axes[k].setting, theirs, ours, err));
    return SPN_OK;
}

static spn_status explain(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                          spn_error *err)
{
    if (strcmp(theirs->task, ours->task) != 0)
        return spn_fail(err, SPN_ERROR_INPUT, DIFFERS("%s"), folder, "task", theirs->task,
                        ours->task);
    if (theirs->seed != ours->seed)
        return spn_fail(err, SPN_ERROR_INPUT, DIFFERS("%" PRIu64), folder, "seed", theirs->seed,
                        ours->seed);
    SPN_TRY(compare_settings(folder, theirs, theirs, ours, err));
    SPN_TRY(compare_settings(folder, ours, theirs, ours, err));
    if (theirs->runs > ours->runs)
        return spn_fail(err, SPN_ERROR_INPUT, DIFFERS("%zu"), folder, "number of runs",
                        theirs->runs, ours->runs);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s holds another sweep: its runs are not among those here; give another "
                    "folder",
                    folder);
}

/* A file that both name must be the same; folders of older versions have no checksums. */
static spn_status compare_file(const char *folder, const spn_input_sum *theirs,
                               const spn_sweep *ours, spn_error *err)
{
    for (size_t k = 0; k < ours->file_count; k++) {
        const spn_input_sum *file = &ours->files[k];
        if (strcmp(file->setting, theirs->setting) != 0 || strcmp(file->name, theirs->name) != 0 ||
            file->checksum == theirs->checksum)
            continue;
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s holds another sweep: its %s %s had another content (checksum "
                        "%016" PRIx64 ", here %016" PRIx64 "); give another folder",
                        folder, file->setting, file->name, theirs->checksum, file->checksum);
    }
    return SPN_OK;
}

static spn_status compare_jobs(bool *all, const spn_sweep *theirs, const spn_sweep *ours,
                               spn_error *err)
{
    const size_t before = spn_sweep_jobs(theirs), now = spn_sweep_jobs(ours);
    uint64_t *old = NULL, *fresh = NULL;
    *all = before <= now && strcmp(theirs->task, ours->task) == 0;
    if (!*all)
        return SPN_OK;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_sweep_keys(&old, theirs, err));
    SPN_TRY_OR(cleanup, spn_sweep_keys(&fresh, ours, err));
    spn_keys_sort(fresh, now);
    for (size_t i = 0; i < before && *all; i++)
        *all = spn_keys_hold(fresh, now, old[i]);
cleanup:
    SPN_FREE_ALL(old, fresh);
    return status;
}

spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err)
{
    bool all;
    SPN_TRY(compare_jobs(&all, theirs, ours, err));
    if (!all)
        return explain(folder, theirs, ours, err);
    for (size_t k = 0; k < theirs->file_count; k++)
        SPN_TRY(compare_file(folder, &theirs->files[k], ours, err));
    return SPN_OK;
}

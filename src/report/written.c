#include "report/written.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char LIST[] = ".report-files";

void spn_written_add(spn_written *w, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!spn_grow(&w->names, &w->room, w->count + 1, sizeof *w->names) ||
        !(w->names[w->count] = strdup(slash ? slash + 1 : path)))
        w->failed = true;
    else
        w->count++;
}

static bool has(const spn_written *w, const char *name)
{
    for (size_t k = 0; k < w->count; k++)
        if (strcmp(w->names[k], name) == 0)
            return true;
    return false;
}

/* Whether it is a picture whose script was written. */
static bool has_script(const spn_written *w, const char *name)
{
    const char *dot = strrchr(name, '.');
    char script[512];
    if (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".pdf") != 0 && strcmp(dot, ".png") != 0))
        return false;
    return snprintf(script, sizeof script, "%.*s.gp", (int)(dot - name), name) <
               (int)sizeof script &&
           has(w, script);
}

/* Remove a file that this report did not write, or keep it in the list if it stays or removing
   fails. */
static void settle_name(spn_written *w, const char *folder, const char *name, bool keep_pictures)
{
    if (!*name || *name == '.' || strchr(name, '/') || has(w, name))
        return; /* never touch anything outside the folder, whatever the list says */
    if (keep_pictures && has_script(w, name)) {
        spn_written_add(w, name);
        return;
    }
    char *path = spn_text_new("%s/%s", folder, name);
    if (path)
        unlink(path);
    else
        w->failed = true;
    free(path);
}

static spn_status settle_names(spn_written *w, const char *folder, const char *list,
                               bool keep_pictures, spn_error *err)
{
    FILE *in = fopen(list, "r");
    if (!in)
        return errno == ENOENT ? SPN_OK : spn_file_fail(list, "cannot be read", err);
    char *line = NULL;
    size_t room = 0;
    spn_status status = SPN_OK;
    errno = 0;
    while (!w->failed && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        settle_name(w, folder, line, keep_pictures);
    }
    if (w->failed)
        status = spn_no_memory(err, "the list of files");
    else if (!feof(in) || ferror(in))
        status = spn_file_fail(list, "cannot be read", err);
    free(line);
    fclose(in);
    return status;
}

spn_status spn_written_settle(spn_written *w, const char *folder, bool keep_pictures,
                              spn_error *err)
{
    spn_file *file = NULL;
    char *list = spn_text_new("%s/%s", folder, LIST);
    if (!list || w->failed) {
        free(list);
        return spn_no_memory(err, "the list of files");
    }
    spn_status status = settle_names(w, folder, list, keep_pictures, err);
    if (!status)
        status = spn_file_create(&file, list, err);
    free(list);
    SPN_TRY(status);
    for (size_t k = 0; k < w->count; k++)
        fprintf(spn_file_stream(file), "%s\n", w->names[k]);
    return spn_file_commit(file, err);
}

void spn_written_clear(spn_written *w)
{
    spn_list_free(w->names, w->count);
    *w = (spn_written){0};
}

/* Reading the manifests of a folder. */
#include "base/memory.h"
#include "record/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most bytes of a manifest. */
#define MOST_BYTES ((size_t)64 << 30)

/* How often a folder is read again because it was merged meanwhile. */
enum { ATTEMPTS = 100 };

void spn_manifests_clear(spn_manifests *manifests)
{
    for (size_t k = 0; k < manifests->count; k++)
        spn_record_clear(&manifests->lines[k].record);
    for (size_t k = 0; k < manifests->file_count; k++) {
        if (manifests->files)
            spn_source_unload(&manifests->files[k]);
        free(manifests->paths[k]);
    }
    free(manifests->lines);
    free(manifests->files);
    free(manifests->paths);
    *manifests = (spn_manifests){0};
}

size_t spn_manifest_whole(const char *text, size_t size)
{
    const char *end = size > 0 ? memrchr(text, '\n', size) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

static spn_status add_line(spn_manifests *out, const char *text, size_t size, spn_place place,
                           spn_error *err)
{
    if (!spn_grow(&out->lines, &out->capacity, out->count + 1, sizeof *out->lines))
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", place.file);
    spn_manifest_line *line = &out->lines[out->count];
    *line = (spn_manifest_line){.text = text, .size = size + 1, .place = place};
    spn_status status = spn_record_line_read(&line->record, text, size, place, err);
    out->count += status == SPN_OK;
    return status;
}

spn_status spn_manifests_add(spn_manifests *out, const char *text, size_t size, const char *path,
                             spn_error *err)
{
    const size_t whole = spn_manifest_whole(text, size);
    spn_place place = {path, 1};
    spn_status status = SPN_OK;
    out->torn += whole < size;
    for (size_t at = 0; at < whole && !status; place.line++) {
        const char *end = memchr(text + at, '\n', whole - at);
        const size_t length = (size_t)(end - (text + at));
        if (length > 0) /* a line deleted by hand may leave an empty one */
            status = add_line(out, text + at, length, place, err);
        at += length + 1;
    }
    return status;
}

/* ---- every run once ---- */

typedef struct entry {
    uint64_t key;
    size_t index;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static spn_status check_same(const spn_manifest_line *first, const spn_manifest_line *again,
                             spn_error *err)
{
    bool same;
    spn_status status = spn_record_same(&same, &first->record, &again->record, err);
    if (status || same)
        return status;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: line %zu: is another outcome of the run in %s: line %zu; delete both "
                    "lines to have it repeated",
                    again->place.file, again->place.line, first->place.file, first->place.line);
}

/* Mark what repeats an earlier line. */
static spn_status find_repeats(bool *repeats, entry *entries, const spn_manifests *m,
                               spn_error *err)
{
    size_t first = 0;
    for (size_t k = 0; k < m->count; k++)
        entries[k] = (entry){m->lines[k].record.key, k};
    qsort(entries, m->count, sizeof *entries, compare_entries);
    for (size_t k = 1; k < m->count; k++) {
        if (entries[k].key != entries[first].key) {
            first = k;
            continue;
        }
        repeats[entries[k].index] = true;
        spn_status status =
            check_same(&m->lines[entries[first].index], &m->lines[entries[k].index], err);
        if (status)
            return status;
    }
    return SPN_OK;
}

spn_status spn_manifests_unify(spn_manifests *out, spn_error *err)
{
    entry *entries = spn_alloc(out->count, sizeof *entries);
    bool *repeats = spn_alloc(out->count, sizeof *repeats);
    spn_status status = entries && repeats
                            ? find_repeats(repeats, entries, out, err)
                            : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for records");
    size_t kept = 0;
    for (size_t k = 0; k < out->count && !status; k++) {
        if (repeats[k])
            spn_record_clear(&out->lines[k].record);
        else
            out->lines[kept++] = out->lines[k];
    }
    if (!status)
        out->count = kept;
    free(entries);
    free(repeats);
    return status;
}

/* ---- files ---- */

/* Read the files that were listed. *merged: one of the parts is no longer there. manifest.jsonl may
   be missing: then nothing is finished, or parts hold it. */
static spn_status read_files(spn_manifests *out, bool *merged, spn_error *err)
{
    spn_status status = SPN_OK;
    out->files = calloc(out->file_count, sizeof *out->files);
    if (!out->files)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for records");
    for (size_t k = 0; k < out->file_count && !status; k++) {
        spn_source *file = &out->files[k];
        if (access(out->paths[k], F_OK) != 0) {
            *merged |= k > 0;
            continue;
        }
        status = spn_source_load(file, out->paths[k], MOST_BYTES, err);
        if (!status)
            status =
                spn_manifests_add(out, (const char *)file->data, file->size, out->paths[k], err);
        else if (k > 0 && access(out->paths[k], F_OK) != 0)
            *merged = true;
    }
    return *merged ? SPN_OK : status;
}

spn_status spn_manifests_read(spn_manifests *out, const char *folder, spn_error *err)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool merged = false;
        *out = (spn_manifests){0};
        spn_status status = spn_manifests_list(out, folder, err);
        if (!status)
            status = read_files(out, &merged, err);
        if (!status && !merged)
            status = spn_manifests_unify(out, err);
        if (status || !merged)
            return status;
        spn_manifests_clear(out); /* another process put the part into manifest.jsonl: anew */
    }
    return spn_fail(err, SPN_ERROR_IO, "%s: its manifests come and go; give the command again",
                    folder);
}

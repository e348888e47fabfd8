/* Read a folder: its specification, and its runs in the order of the grid. */
#include "base/memory.h"
#include "record/record.h"
#include "sweep/folder.h"
#include <spinney/lab/view.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order of a record: its point of the grid (SIZE_MAX if none), its run, then the order of the
   files. */
typedef struct rank {
    size_t point, run, index;
} rank;

static size_t point_of(const spn_sweep *sweep, const spn_record *record)
{
    size_t point = 0;
    for (size_t k = 0; k < sweep->axis_count; k++) {
        const spn_axis *axis = &sweep->axes[k];
        const char *text = spn_record_setting(record, axis->setting);
        size_t value = 0;
        while (text && value < axis->count && strcmp(axis->values[value], text) != 0)
            value++;
        if (!text || value == axis->count)
            return SIZE_MAX;
        point = point * axis->count + value;
    }
    return point;
}

static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    if (x->run != y->run && x->point != SIZE_MAX)
        return x->run < y->run ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

spn_tally spn_records_tally(const spn_records *records)
{
    spn_tally tally = {.jobs = spn_sweep_jobs(records->sweep)};
    for (size_t k = 0; k < records->count; k++) {
        const spn_record *record = &records->records[k];
        const bool inside =
            point_of(records->sweep, record) != SIZE_MAX && record->run <= records->sweep->runs;
        tally.finished += inside;
        tally.others += !inside;
        tally.seconds += isnan(record->seconds) ? 0 : record->seconds;
    }
    return tally;
}

static spn_status take_records(spn_records *out, spn_manifests *manifests, spn_error *err)
{
    rank *ranks = spn_alloc(manifests->count, sizeof *ranks);
    out->records = spn_alloc(manifests->count, sizeof *out->records);
    if (!ranks || !out->records) {
        free(ranks);
        return spn_no_memory(err, "the records of %s", out->folder);
    }
    for (size_t k = 0; k < manifests->count; k++) {
        const spn_record *record = &manifests->lines[k].record;
        ranks[k] = (rank){point_of(out->sweep, record), record->run, k};
    }
    qsort(ranks, manifests->count, sizeof *ranks, compare_ranks);
    for (size_t k = 0; k < manifests->count; k++) {
        spn_record *from = &manifests->lines[ranks[k].index].record;
        out->records[k] = *from;
        out->records[k].default_count = out->sweep->default_count;
        out->records[k].defaults = out->sweep->defaults;
        *from = (spn_record){0};
    }
    out->count = manifests->count;
    out->torn = manifests->torn;
    free(ranks);
    return SPN_OK;
}

spn_status spn_records_make(spn_records **out, const char *folder, spn_sweep *sweep,
                            spn_manifests *manifests, spn_error *err)
{
    *out = NULL;
    spn_records *records = calloc(1, sizeof *records);
    if (!records || !(records->folder = strdup(folder))) {
        free(records);
        spn_sweep_free(sweep);
        return spn_no_memory(err, "the records of %s", folder);
    }
    records->sweep = sweep;
    SPN_HAND_OVER(out, records, spn_records_free, take_records(records, manifests, err));
}

spn_status spn_records_read(spn_records **out, const char *folder, spn_error *err)
{
    *out = NULL;
    spn_manifests manifests = {0};
    spn_sweep *sweep;
    SPN_TRY(spn_sweep_read(&sweep, folder, err));
    spn_status status = spn_manifests_read(&manifests, folder, err);
    if (status)
        spn_sweep_free(sweep);
    else
        status = spn_records_make(out, folder, sweep, &manifests, err);
    spn_manifests_clear(&manifests);
    return status;
}

void spn_records_free(spn_records *records)
{
    if (!records)
        return;
    for (size_t k = 0; k < records->count; k++)
        spn_record_clear(&records->records[k]);
    free(records->records);
    spn_sweep_free(records->sweep);
    SPN_FREE_ALL(records->folder, records);
}

/* guess: the likely place; most records have the same names in the same order. */
static bool add(spn_name_list *out, const char *name, size_t guess)
{
    if (guess < out->count && strcmp(out->names[guess], name) == 0)
        return true;
    for (size_t k = 0; k < out->count; k++)
        if (strcmp(out->names[k], name) == 0)
            return true;
    if (!spn_grow(&out->names, &out->capacity, out->count + 1, sizeof *out->names))
        return false;
    out->names[out->count++] = name;
    return true;
}

static bool add_record(spn_record_names *out, const spn_record *record)
{
    bool fits = true;
    for (size_t k = 0; k < record->setting_count && fits; k++)
        fits = add(&out->settings, record->settings[k].name, k);
    for (size_t k = 0; k < record->result_count && fits; k++)
        fits = add(&out->results, record->results[k].name, k);
    for (size_t k = 0; k < record->text_count && fits; k++)
        fits = add(&out->texts, record->texts[k].name, k);
    for (size_t k = 0; k < record->curve_count && fits; k++)
        fits = add(&out->curves, record->curves[k].name, k);
    return fits;
}

spn_status spn_record_names_of(spn_record_names *out, const spn_record *const *records,
                               size_t count, spn_error *err)
{
    bool fits = true, too_many = false;
    *out = (spn_record_names){0};
    const spn_name_list *const lists[] = {&out->settings, &out->results, &out->texts, &out->curves};
    for (size_t k = 0; k < count && fits && !too_many; k++) {
        fits = add_record(out, records[k]);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            too_many |= lists[i]->count > SPN_RECORD_MOST_NAMES;
    }
    if (fits && !too_many)
        return SPN_OK;
    spn_record_names_clear(out);
    if (too_many)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "the records have more than %d different settings or results; runs of one "
                        "sweep have some hundred",
                        SPN_RECORD_MOST_NAMES);
    return spn_no_memory(err, "the names of records");
}

void spn_record_names_clear(spn_record_names *names)
{
    SPN_FREE_ALL(names->settings.names, names->results.names, names->texts.names,
                 names->curves.names);
    *names = (spn_record_names){0};
}

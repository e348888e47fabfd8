/* The specification of a sweep to sweep.json. The order of the keys is fixed, so that the same
   sweep has the same bytes. */
#include "base/file.h"
#include "record/json_writer.h"
#include "record/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is not there is left out. */
static void put_text(spn_json *json, const char *name, const char *text)
{
    if (text)
        spn_json_text(json, name, text);
}

static void put_texts(spn_json *json, const char *name, char *const *texts, size_t count)
{
    spn_json_open(json, name, '[');
    for (size_t k = 0; k < count; k++)
        spn_json_text(json, NULL, texts[k]);
    spn_json_close(json, ']');
}

static void put_fields(spn_json *json, const char *name, const spn_field *fields, size_t count)
{
    spn_json_open(json, name, '{');
    for (size_t k = 0; k < count; k++)
        spn_json_text(json, fields[k].name, fields[k].text);
    spn_json_close(json, '}');
}

/* An object for each setting: the checksums of what it names. */
static void put_files(spn_json *json, const spn_sweep *sweep)
{
    const char *open = NULL;
    spn_json_open(json, "files", '{');
    for (size_t k = 0; k < sweep->file_count; k++) {
        const spn_sweep_file *file = &sweep->files[k];
        char sum[17];
        if (!open || strcmp(open, file->setting) != 0) {
            if (open)
                spn_json_close(json, '}');
            spn_json_open(json, open = file->setting, '{');
        }
        snprintf(sum, sizeof sum, "%016" PRIx64, file->checksum);
        spn_json_text(json, file->name, sum);
    }
    spn_json_close(json, '}');
    spn_json_close(json, '}');
}

static void put_grid(spn_json *json, const spn_sweep *sweep)
{
    spn_json_open(json, "grid", '[');
    for (size_t k = 0; k < sweep->axis_count; k++) {
        spn_json_open(json, NULL, '{');
        spn_json_text(json, "setting", sweep->axes[k].setting);
        put_texts(json, "values", sweep->axes[k].values, sweep->axes[k].count);
        spn_json_close(json, '}');
    }
    spn_json_close(json, ']');
}

static void put_flips(spn_json *json, const spn_measures *measures)
{
    spn_json_open(json, "flips", '{');
    spn_json_open(json, "p", '[');
    for (size_t k = 0; k < measures->flips_count; k++)
        spn_json_real(json, NULL, measures->flips[k]);
    spn_json_close(json, ']');
    spn_json_whole(json, "trials", measures->flips_trials);
    spn_json_flag(json, "exact", measures->flips_exact);
    spn_json_close(json, '}');
}

static void put_profile(spn_json *json, const spn_measures *measures)
{
    spn_json_open(json, "profile", '{');
    spn_json_whole(json, "walks", measures->profile_walks);
    spn_json_real(json, "reach", measures->profile_reach);
    spn_json_whole(json, "points", measures->profile_points);
    spn_json_close(json, '}');
}

static void put_measures(spn_json *json, const spn_measures *measures)
{
    spn_json_open(json, "measure", '{');
    spn_json_flag(json, "models", measures->models);
    spn_json_flag(json, "traces", measures->traces);
    if (measures->flips_count)
        put_flips(json, measures);
    if (measures->profile_walks)
        put_profile(json, measures);
    spn_json_close(json, '}');
}

static void put_figure(spn_json *json, const spn_sweep_figure *figure)
{
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", figure->name);
    put_text(json, "title", figure->title);
    spn_json_text(json, "x", figure->x);
    put_text(json, "by", figure->by);
    spn_json_text(json, "value", figure->value);
    put_text(json, "also", figure->also);
    put_text(json, "x_label", figure->x_label);
    put_text(json, "label", figure->label);
    put_text(json, "by_label", figure->by_label);
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++)
        spn_json_flag(json, spn_figure_kind_at(k)->name, figure->as[k]);
    spn_json_flag(json, "bands", figure->bands);
    spn_json_flag(json, "log_x", figure->log_x);
    spn_json_flag(json, "log_y", figure->log_y);
    spn_json_text(json, "best", spn_best_names[figure->best]);
    put_texts(json, "where", figure->where, figure->where_count);
    put_text(json, "reference", figure->reference);
    put_text(json, "reference_name", figure->reference_name);
    spn_json_close(json, '}');
}

static void put_sweep(spn_json *json, const spn_sweep *sweep)
{
    spn_json_open(json, NULL, '{');
    spn_json_whole(json, "format", SPN_SWEEP_FORMAT);
    spn_json_text(json, "version", sweep->version);
    spn_json_text(json, "name", sweep->name);
    put_text(json, "title", sweep->title);
    put_text(json, "about", sweep->about);
    spn_json_text(json, "task", sweep->task);
    spn_json_whole(json, "seed", sweep->seed);
    spn_json_whole(json, "runs", sweep->runs);
    put_fields(json, "settings", sweep->fixed, sweep->fixed_count);
    if (sweep->default_count)
        put_fields(json, "defaults", sweep->defaults, sweep->default_count);
    put_grid(json, sweep);
    if (sweep->file_count)
        put_files(json, sweep);
    put_measures(json, &sweep->measures);
    spn_json_open(json, "figures", '[');
    for (size_t k = 0; k < sweep->figure_count; k++)
        put_figure(json, &sweep->figures[k]);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    fputc('\n', json->stream);
}

static spn_status write_file(const char *text, size_t size, const char *folder, spn_error *err)
{
    spn_file *file = NULL;
    char *path = spn_folder_path(folder, "sweep.json");
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    spn_status status = spn_file_create(&file, path, err);
    if (!status) {
        fwrite(text, 1, size, spn_file_stream(file)); /* an error stays until it is committed */
        status = spn_file_commit(file, err);
    }
    free(path);
    return status;
}

spn_status spn_sweep_write(const spn_sweep *sweep, const char *folder, spn_error *err)
{
    spn_json json = {.broken = 2};
    char *text;
    size_t size;
    if (sweep->seed > INT64_MAX)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the seed %llu is not below 2^63",
                        (unsigned long long)sweep->seed);
    spn_status status = spn_json_begin(&json, &text, &size, err);
    if (status)
        return status;
    put_sweep(&json, sweep);
    status = spn_json_finish(&json, &text, err);
    if (!status)
        status = spn_file_make_folders(folder, err);
    if (!status)
        status = write_file(text, size, folder, err);
    free(text);
    return status;
}

/* The content of the files and data sets that the settings of a sweep name. */
#include "base/source.h"
#include "old/store.h"
#include "old/value_list.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- before it runs ---- */

/* Of a file's bytes, decompressed. */
static spn_status sum_file(uint64_t *out, const xpn_task_store *store, const char *name,
                           spn_error *err)
{
    spn_source source = {0};
    char *path = xpn_task_store_path(store, name);
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the name of a file");
    spn_status status = SPN_OK;
    if (strcmp(path, "-") == 0)
        status = spn_fail(err, SPN_ERROR_ARGUMENT,
                          "the standard input cannot be read for every run; give a file");
    else
        status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *out = XXH3_64bits(source.data, source.size);
    spn_source_unload(&source);
    free(path);
    return status;
}

static spn_status add_file(spn_sweep *sweep, const char *setting, const char *name,
                           xpn_task_store *store, spn_error *err)
{
    spn_sweep_file file = {0};
    const bool known = strcmp(setting, "data") == 0 && xpn_data_is_known(name);
    spn_status status = known ? xpn_task_store_checksum(&file.checksum, store, name, err)
                              : sum_file(&file.checksum, store, name, err);
    if (status)
        return status;
    spn_sweep_file *grown = realloc(sweep->files, (sweep->file_count + 1) * sizeof *grown);
    if (grown)
        sweep->files = grown;
    file.setting = strdup(setting);
    file.name = strdup(name);
    if (grown && file.setting && file.name) {
        sweep->files[sweep->file_count++] = file;
        return SPN_OK;
    }
    free(file.setting);
    free(file.name);
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the name of a file");
}

spn_status xpn_task_files(xpn_fault *fault, spn_sweep *sweep, xpn_task_store *store, spn_error *err)
{
    const xpn_task *task = xpn_task_find(sweep->task);
    spn_status status = SPN_OK;
    *fault = (xpn_fault){.point = SIZE_MAX};
    for (const xpn_setting *s = task->settings; s->name && !status; s++) {
        const xpn_value_list values = xpn_values_or_default(sweep, s->name);
        for (size_t k = 0; s->kind == XPN_SETTING_FILE && k < values.count && !status; k++)
            status =
                add_file(sweep, fault->setting = s->name, xpn_value_at(&values, k), store, err);
    }
    return status;
}

/* ---- while it runs ---- */

spn_status xpn_store_compare(const xpn_task_store *store, uint64_t sum, xpn_values *values,
                             const char *setting, spn_error *err)
{
    const spn_sweep *sweep = store->sweep;
    const char *name = xpn_values_text(values, setting);
    for (size_t k = 0; sweep && k < sweep->file_count; k++)
        if (strcmp(sweep->files[k].setting, setting) == 0 &&
            strcmp(sweep->files[k].name, name) == 0 && sweep->files[k].checksum != sum)
            return xpn_values_fail(values, setting, err,
                                   "%s has another content than when the sweep was started; put it "
                                   "back, or give another --out",
                                   name);
    return SPN_OK;
}

spn_status xpn_store_verify(const xpn_task_store *store, xpn_values *values, const char *setting,
                            spn_error *err)
{
    const char *name = xpn_values_text(values, setting);
    uint64_t sum = 0;
    if (!store->sweep || !name)
        return SPN_OK;
    spn_status status = sum_file(&sum, store, name, err);
    return status ? status : xpn_store_compare(store, sum, values, setting, err);
}

/* Energies of shared objects: the settings energy, energy-options and energy-file. */
#include "job/plugin_energy.h"

#include "base/source.h"

#include <spinney/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* An energy of a shared object, and the content that it came from. */
typedef struct plugin_energy {
    spn_energy *energy;
    uint64_t sum;
    bool refused; /* it was loaded, and made nothing of what it was given */
} plugin_energy;

typedef struct plugin_request {
    spn_inputs *inputs;
    const char *name, *options, *file; /* the last two may be NULL */
} plugin_request;

/* What the reader of the shared object gets. */
typedef struct plugin_load {
    const char *options, *file; /* a path */
} plugin_load;

static void release_plugin(void *object)
{
    plugin_energy *p = object;
    spn_energy_free(p->energy);
    free(p);
}

/* A sum goes on from the one before it. */
static spn_status read_content(void *out, const char *path, const void *context, spn_error *err)
{
    uint64_t *sum = out;
    spn_source source = {0};
    (void)context;
    spn_status status = spn_source_load(&source, path, SIZE_MAX / 2, err);
    if (!status)
        *sum = XXH3_64bits_withSeed(source.data, source.size, *sum);
    spn_source_unload(&source);
    return status;
}

static spn_status read_plugin(void *out, const char *path, const void *context, spn_error *err)
{
    const plugin_load *load = context;
    plugin_energy *p = out;
    spn_status status = read_content(&p->sum, path, NULL, err);
    if (!status)
        status = spn_energy_load(&p->energy, path, load->options, load->file, err);
    p->refused = status == SPN_ERROR_ARGUMENT;
    return status;
}

/* Where it made nothing of what it was given, that is at fault. */
static void blame_options(const plugin_request *r, spn_error *err)
{
    const char *fault = r->options ? "energy-options" : r->file ? "energy-file" : NULL;
    const size_t before = strlen("energy: ");
    if (!fault || !err || strncmp(err->text, "energy: ", before) != 0)
        return;
    const spn_error why = *err;
    spn_fail(err, why.status, "%s: %s", fault, why.text + before);
}

static spn_status make_plugin(void **out, const void *context, spn_error *err)
{
    const plugin_request *r = context;
    plugin_energy *p = *out = calloc(1, sizeof *p);
    char *path = r->file ? spn_inputs_path(r->inputs, r->file) : NULL;
    const plugin_load load = {r->options, path};
    spn_status status = SPN_OK;
    if (!p || (r->file && !path))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for an energy");
    if (!status && r->file)
        status =
            spn_inputs_read(&p->sum, r->inputs, "energy-file", r->file, read_content, NULL, err);
    if (!status)
        status = spn_inputs_read(p, r->inputs, "energy", r->name, read_plugin, &load, err);
    if (status && p && p->refused)
        blame_options(r, err);
    free(path);
    return status;
}

spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_plugin_files *files, spn_error *err)
{
    const plugin_request request = {inputs, files->name, files->options, files->file};
    const char *options = files->options ? files->options : "";
    const void *object = NULL;
    char *key = NULL;
    const spn_status found =
        spn_inputs_find_given(&object, inputs, SPN_OBJECT_ENERGY, "energy", files->name, err);
    *energy = object;
    *sum = 0;
    if (found || object)
        return found;
    if (files->file && strcmp(files->file, "-") == 0)
        return spn_setting_fail("energy-file", err, "cannot be the standard input; give a file");
    if (asprintf(&key, "plug-in\n%s\n%s\n%s", files->name, options,
                 files->file ? files->file : "") < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for an energy");
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_plugin, release_plugin, &request, err);
    free(key);
    if (status)
        return status;
    const plugin_energy *p = object;
    *energy = p->energy;
    *sum = XXH3_64bits_withSeed(options, strlen(options), p->sum);
    return SPN_OK;
}

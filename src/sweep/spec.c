/* Reading specification files. */
#include "sweep/spec.h"

#include "record/reference.h"
#include <errno.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 };

static spn_status read_text(char **out, size_t *size, const char *path, spn_error *err)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    char *text = malloc(MOST_BYTES + 1);
    *size = text ? fread(text, 1, MOST_BYTES + 1, stream) : 0;
    spn_status status = SPN_OK;
    if (!text)
        status = spn_spec_no_memory(err);
    else if (ferror(stream))
        status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (*size > MOST_BYTES)
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "%s: more than %d bytes; a specification is smaller", path, MOST_BYTES);
    fclose(stream);
    if (status)
        free(text);
    *out = status ? NULL : text;
    return status;
}

/* The parts of the sweep, in the order in which they need each other. */
static spn_status convert(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    static spn_status (*const parts[])(spn_sweep *, const spn_spec *, spn_error *) = {
        spn_spec_head, spn_spec_settings, spn_spec_grid, spn_spec_measures, spn_spec_figures};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !status; k++)
        status = parts[k](out, spec, err);
    return status;
}

spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         spn_error *err)
{
    *out = NULL;
    spn_status status = spn_spec_scan(spec, text, size, err);
    if (!status)
        status = spn_spec_check(spec, err);
    if (!status)
        status = spn_spec_load(spec, text, size, err);
    if (!status)
        status = spn_spec_override(spec, err);
    if (status)
        return status;
    spn_sweep *sweep = calloc(1, sizeof *sweep);
    status = sweep ? convert(sweep, spec, err) : spn_spec_no_memory(err);
    if (status)
        spn_sweep_free(sweep);
    else
        *out = sweep;
    return status;
}

/* ---- checks that read files ---- */

/* Whether a reference file can be read for its figure. */
static spn_status check_reference(const spn_sweep_figure *figure, const spn_spec *spec,
                                  spn_place place, const char *path, spn_error *err)
{
    spn_reference reference = {0};
    spn_error why = {0};
    if (access(path, R_OK) != 0)
        return spn_spec_fail(spec, place, err, "'reference': %s: cannot be read: %s", path,
                             strerror(errno));
    const spn_status status = spn_reference_read(&reference, path, figure, &why);
    spn_reference_clear(&reference);
    return status ? spn_spec_fail(spec, place, err, "'reference': %s", why.text) : SPN_OK;
}

static spn_status check_references(const spn_sweep *sweep, const spn_spec *spec,
                                   const xpn_task_store *store, spn_error *err)
{
    const yaml_node_t *figures = spn_spec_key(spec, spn_spec_root(spec), "figures");
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sweep->figure_count && !status; k++) {
        if (!sweep->figures[k].reference)
            continue;
        char *path = xpn_task_store_path(store, sweep->figures[k].reference);
        const yaml_node_t *node = spn_spec_item(spec, figures, k);
        const spn_place place = spn_spec_at(spn_spec_key(spec, node, "reference"));
        status = path ? check_reference(&sweep->figures[k], spec, place, path, err)
                      : spn_spec_no_memory(err);
        free(path);
    }
    return status;
}

/* Check the task, and take down what its settings stand for. */
static spn_status check_task(spn_sweep *sweep, const spn_spec *spec, xpn_task_store *store,
                             spn_error *err)
{
    xpn_fault fault;
    spn_error why = {0};
    spn_status status = xpn_task_check_at(&fault, sweep, store, &why);
    if (!status)
        status = xpn_task_defaults(sweep, &why);
    if (!status)
        status = xpn_task_files(&fault, sweep, store, &why);
    if (!status)
        return SPN_OK;
    const spn_status ours =
        spn_spec_fail(spec, spn_spec_fault(spec, sweep, &fault), err, "%s", why.text);
    if (status != SPN_ERROR_IO && status != SPN_ERROR_MEMORY)
        return ours;
    if (err)
        err->status = status;
    return status;
}

/* Check what is in files, beside the specification at path. */
static spn_status check_files(spn_sweep *sweep, const spn_spec *spec, const char *path,
                              spn_error *err)
{
    xpn_task_store *store;
    spn_status status = xpn_task_store_create(&store, path, err);
    if (status)
        return status;
    status = check_references(sweep, spec, store, err);
    if (!status)
        status = check_task(sweep, spec, store, err);
    if (!status)
        status = spn_spec_conditions(sweep, spec, err);
    xpn_task_store_free(store);
    return status;
}

spn_status spn_sweep_parse(spn_sweep **out, const char *path, const char *const *set,
                           size_t set_count, spn_error *err)
{
    spn_spec spec = {.file = path, .set = set, .set_count = set_count};
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    spn_status status = read_text(&text, &size, path, err);
    if (status)
        return status;
    status = spn_spec_read(out, &spec, text, size, err);
    if (*out)
        status = check_files(*out, &spec, path, err);
    if (status) {
        spn_sweep_free(*out);
        *out = NULL;
    }
    spn_spec_clear(&spec);
    free(text);
    return status;
}

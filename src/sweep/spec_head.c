/* The head of a specification, its fixed settings, and what it measures. */
#include "sweep/spec.h"

#include "base/memory.h"
#include <ctype.h>
#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

spn_status spn_spec_head(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    const spn_spec_raw *raw = spec->raw;
    const yaml_node_t *root = spn_spec_root(spec);
    uint64_t runs = 1;
    out->seed = 1;
    spn_status status =
        spn_spec_name(spec, spn_spec_at(spn_spec_key(spec, root, "name")), "name", raw->name, err);
    if (!status)
        status = spn_spec_whole(&out->seed, spec,
                                spn_spec_place(spec, "seed", spn_spec_key(spec, root, "seed")),
                                "seed", raw->seed, 0, INT64_MAX, err);
    if (!status)
        status = spn_spec_whole(&runs, spec,
                                spn_spec_place(spec, "runs", spn_spec_key(spec, root, "runs")),
                                "runs", raw->runs, 1, UINT32_MAX, err);
    out->runs = (size_t)runs;
    const char *const texts[] = {raw->name, raw->title, raw->about, raw->task, SPN_VERSION};
    char **const places[] = {&out->name, &out->title, &out->about, &out->task, &out->version};
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        status = spn_spec_copy(places[k], texts[k], err);
    return status;
}

/* ---- settings ---- */

spn_status spn_spec_settings(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    const xpn_setting *settings = spec->task->settings;
    const yaml_node_t *mapping = spn_spec_key(spec, spn_spec_root(spec), "settings");
    out->fixed = spn_alloc(SPN_SPEC_SETTINGS, sizeof *out->fixed);
    if (!out->fixed)
        return spn_spec_no_memory(err);
    for (size_t k = 0; settings[k].name; k++) {
        const char *text = spec->raw->settings[k];
        if (!text)
            continue;
        for (const char *c = text; *c; c++)
            if (iscntrl((unsigned char)*c))
                return spn_spec_fail(spec,
                                     spn_spec_place(spec, settings[k].name,
                                                    spn_spec_key(spec, mapping, settings[k].name)),
                                     err, "'%s' has a line break or another control character",
                                     settings[k].name);
        spn_field *field = &out->fixed[out->fixed_count++];
        field->name = strdup(settings[k].name);
        field->text = spn_spec_canonical(settings[k].kind, text);
        if (!field->name || !field->text)
            return spn_spec_no_memory(err);
    }
    return SPN_OK;
}

/* ---- measures ---- */

enum { MOST_POINTS = 10000 }; /* of a curve */

static spn_status read_flips(spn_measures *out, const spn_spec *spec, const yaml_node_t *node,
                             spn_error *err)
{
    const spn_spec_flips *raw = spec->raw->measure->flips;
    uint64_t trials = 1000;
    const yaml_node_t *list = spn_spec_key(spec, node, "p");
    if (raw->p_count > MOST_POINTS)
        return spn_spec_fail(spec, spn_spec_place(spec, "flips.p", list), err,
                             "'p' has %u values; at most %d", raw->p_count, MOST_POINTS);
    out->flips = spn_alloc(raw->p_count, sizeof *out->flips);
    if (!out->flips)
        return spn_spec_no_memory(err);
    for (size_t k = 0; k < raw->p_count; k++) {
        const spn_place place = spn_spec_place(spec, "flips.p", spn_spec_item(spec, list, k));
        spn_status status = spn_spec_real(&out->flips[k], spec, place, "p", raw->p[k], 0, 1, err);
        if (status)
            return status;
        for (size_t j = 0; j < k; j++)
            if (out->flips[j] == out->flips[k])
                return spn_spec_fail(spec, place, err, "'p' has the value %s twice", raw->p[k]);
    }
    out->flips_count = raw->p_count;
    spn_status status = spn_spec_whole(
        &trials, spec, spn_spec_place(spec, "flips.trials", spn_spec_key(spec, node, "trials")),
        "trials", raw->trials, 2, UINT32_MAX, err);
    out->flips_trials = (size_t)trials;
    return status ? status
                  : spn_spec_flag(&out->flips_exact, spec,
                                  spn_spec_at(spn_spec_key(spec, node, "exact")), "exact",
                                  raw->exact, err);
}

static spn_status read_profile(spn_measures *out, const spn_spec *spec, const yaml_node_t *node,
                               spn_error *err)
{
    const spn_spec_profile *raw = spec->raw->measure->profile;
    uint64_t walks = 10, points = 21;
    out->profile_reach = 0.1;
    spn_status status = spn_spec_whole(
        &walks, spec, spn_spec_place(spec, "profile.walks", spn_spec_key(spec, node, "walks")),
        "walks", raw->walks, 1, UINT32_MAX, err);
    if (!status)
        status = spn_spec_whole(
            &points, spec,
            spn_spec_place(spec, "profile.points", spn_spec_key(spec, node, "points")), "points",
            raw->points, 2, MOST_POINTS, err);
    if (!status)
        status =
            spn_spec_real(&out->profile_reach, spec,
                          spn_spec_place(spec, "profile.reach", spn_spec_key(spec, node, "reach")),
                          "reach", raw->reach, 0, 1, err);
    if (!status && out->profile_reach == 0)
        status = spn_spec_fail(
            spec, spn_spec_place(spec, "profile.reach", spn_spec_key(spec, node, "reach")), err,
            "'reach' should be a number above 0, at most 1; walks that go nowhere show nothing");
    out->profile_walks = (size_t)walks;
    out->profile_points = (size_t)points;
    return status;
}

spn_status spn_spec_measures(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    const spn_spec_measure *raw = spec->raw->measure;
    const yaml_node_t *node = spn_spec_key(spec, spn_spec_root(spec), "measure");
    if (!raw)
        return SPN_OK;
    spn_status status =
        spn_spec_flag(&out->measures.models, spec, spn_spec_at(spn_spec_key(spec, node, "models")),
                      "models", raw->models, err);
    if (!status)
        status = spn_spec_flag(&out->measures.traces, spec,
                               spn_spec_at(spn_spec_key(spec, node, "traces")), "traces",
                               raw->traces, err);
    if (!status && raw->flips)
        status = read_flips(&out->measures, spec, spn_spec_key(spec, node, "flips"), err);
    if (!status && raw->profile)
        status = read_profile(&out->measures, spec, spn_spec_key(spec, node, "profile"), err);
    return status;
}

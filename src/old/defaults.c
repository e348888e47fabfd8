/* What the settings are that a sweep does not give. */
#include "old/tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- at one point ---- */

spn_status xpn_default_add(spn_record *out, const xpn_values *values, const char *name,
                           const char *text, spn_error *err)
{
    return xpn_values_given(values, name) ? SPN_OK : spn_record_add_setting(out, name, text, err);
}

/* Pieces and logarithms have their values in the text of the schedule. */
static bool has_range(const spn_schedule *schedule)
{
    const spn_schedule_kind kind = spn_schedule_kind_of(schedule);
    return kind != SPN_SCHEDULE_PIECES && kind != SPN_SCHEDULE_LOGARITHMIC;
}

/* Of beta, or of that end of it that is not given. */
static spn_status add_beta(spn_record *out, const xpn_values *values, spn_error *err)
{
    char start[64];
    const char *beta = xpn_values_text(values, "beta"), *colon = strchr(beta, ':');
    const bool ends =
        xpn_values_given(values, "beta-start") || xpn_values_given(values, "beta-end");
    if (!ends || xpn_values_given(values, "beta"))
        return xpn_default_add(out, values, "beta", beta, err);
    snprintf(start, sizeof start, "%.*s", (int)strcspn(beta, ":"), beta);
    spn_status status = xpn_default_add(out, values, "beta-start", start, err);
    return status ? status
                  : xpn_default_add(out, values, "beta-end", colon ? colon + 1 : beta, err);
}

spn_status xpn_chain_default_add(spn_record *out, const xpn_values *values,
                                 const spn_chain_options *chain, spn_error *err)
{
    char replicas[32], steps[32];
    snprintf(replicas, sizeof replicas, "%zu", chain->replicas);
    snprintf(steps, sizeof steps, "%" PRIu64, chain->steps);
    spn_status status = xpn_default_add(out, values, "replicas", replicas, err);
    if (!status && has_range(chain->gamma))
        status = xpn_default_add(out, values, "gamma", xpn_values_text(values, "gamma"), err);
    if (!status && has_range(chain->beta))
        status = add_beta(out, values, err);
    if (!status)
        status = xpn_default_add(out, values, "steps", steps, err);
    if (!status)
        status = xpn_default_add(out, values, "kernel", spn_kernel_name(chain->kernel), err);
    return status ? status
                  : xpn_default_add(out, values, "init",
                                    chain->start == SPN_START_SAME ? "same" : "independent", err);
}

spn_status xpn_file_default_add(spn_record *out, const xpn_values *values, const char *setting,
                                spn_error *err)
{
    const char *name = xpn_values_text(values, setting);
    if (!name || (strcmp(setting, "data") == 0 && xpn_data_is_known(name)))
        return SPN_OK;
    spn_status status = xpn_default_add(out, values, "format", "auto", err);
    if (!status)
        status = xpn_default_add(out, values, "label-column", "last", err);
    return status ? status : xpn_default_add(out, values, "header", "auto", err);
}

/* ---- at all of them ---- */

static bool has_same(const spn_record *record, const spn_field *field)
{
    const char *text = spn_record_setting(record, field->name);
    return text && strcmp(text, field->text) == 0;
}

/* Keep what another point has, too. */
static spn_status keep_common(spn_record *kept, const spn_record *other, spn_error *err)
{
    spn_record common = {0};
    spn_status status = SPN_OK;
    size_t same = 0;
    while (same < kept->setting_count && has_same(other, &kept->settings[same]))
        same++;
    if (same == kept->setting_count)
        return SPN_OK;
    for (size_t k = 0; k < kept->setting_count && !status; k++) {
        const spn_field *field = &kept->settings[k];
        if (has_same(other, field))
            status = spn_record_add_setting(&common, field->name, field->text, err);
    }
    spn_record_clear(kept);
    *kept = common;
    return status;
}

static spn_status add_point(spn_record *kept, const spn_sweep *sweep, size_t point, spn_error *err)
{
    xpn_job job;
    spn_record here = {0};
    spn_status status = xpn_job_make(&job, sweep, point * sweep->runs, err);
    if (status)
        return status;
    const xpn_values values = xpn_job_values(&job);
    status = xpn_task_find(sweep->task)->defaults(point ? &here : kept, &values, err);
    if (!status && point)
        status = keep_common(kept, &here, err);
    spn_record_clear(&here);
    xpn_job_clear(&job);
    return status;
}

spn_status xpn_task_defaults(spn_sweep *sweep, spn_error *err)
{
    const size_t points = spn_sweep_jobs(sweep) / sweep->runs;
    spn_record kept = {0};
    spn_status status = SPN_OK;
    for (size_t point = 0; point < points && !status; point++)
        status = add_point(&kept, sweep, point, err);
    if (status) {
        spn_record_clear(&kept);
        return status;
    }
    sweep->default_count = kept.setting_count;
    sweep->defaults = kept.settings;
    return SPN_OK;
}

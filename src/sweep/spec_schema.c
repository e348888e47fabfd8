/* The schema of specification files, and libcyaml's reading of them. */
#include "sweep/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every value is a text; what it means is checked later, with its line at hand. */
#define TEXT(key, flags, structure, member)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 0, CYAML_UNLIMITED)
#define LIST(key, flags, structure, member, schema)                                                \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), structure, member, schema, 1,          \
                         CYAML_UNLIMITED)
#define OPTIONAL CYAML_FLAG_OPTIONAL
#define REQUIRED CYAML_FLAG_DEFAULT

static const cyaml_schema_value_t text_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

static const cyaml_schema_field_t axis_fields[] = {
    TEXT("setting", REQUIRED, spn_spec_axis, setting),
    LIST("values", OPTIONAL, spn_spec_axis, values, &text_value),
    TEXT("from", OPTIONAL, spn_spec_axis, from),
    TEXT("to", OPTIONAL, spn_spec_axis, to),
    TEXT("count", OPTIONAL, spn_spec_axis, count),
    TEXT("spacing", OPTIONAL, spn_spec_axis, spacing),
    CYAML_FIELD_END};
static const cyaml_schema_value_t axis_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, spn_spec_axis, axis_fields)};

static const cyaml_schema_field_t flips_fields[] = {
    LIST("p", REQUIRED, spn_spec_flips, p, &text_value),
    TEXT("trials", OPTIONAL, spn_spec_flips, trials),
    TEXT("exact", OPTIONAL, spn_spec_flips, exact), CYAML_FIELD_END};

static const cyaml_schema_field_t profile_fields[] = {
    TEXT("walks", OPTIONAL, spn_spec_profile, walks),
    TEXT("reach", OPTIONAL, spn_spec_profile, reach),
    TEXT("points", OPTIONAL, spn_spec_profile, points), CYAML_FIELD_END};

static const cyaml_schema_field_t measure_fields[] = {
    TEXT("models", OPTIONAL, spn_spec_measure, models),
    TEXT("traces", OPTIONAL, spn_spec_measure, traces),
    CYAML_FIELD_MAPPING_PTR("flips", CYAML_FLAG_POINTER | OPTIONAL, spn_spec_measure, flips,
                            flips_fields),
    CYAML_FIELD_MAPPING_PTR("profile", CYAML_FLAG_POINTER | OPTIONAL, spn_spec_measure, profile,
                            profile_fields),
    CYAML_FIELD_END};

static const cyaml_schema_field_t figure_fields[] = {
    TEXT("name", REQUIRED, spn_spec_figure, name),
    TEXT("title", OPTIONAL, spn_spec_figure, title),
    TEXT("value", REQUIRED, spn_spec_figure, value),
    TEXT("also", OPTIONAL, spn_spec_figure, also),
    TEXT("x", REQUIRED, spn_spec_figure, x),
    TEXT("by", OPTIONAL, spn_spec_figure, by),
    LIST("as", OPTIONAL, spn_spec_figure, as, &text_value),
    TEXT("intervals", OPTIONAL, spn_spec_figure, intervals),
    LIST("log", OPTIONAL, spn_spec_figure, log, &text_value),
    TEXT("best", OPTIONAL, spn_spec_figure, best),
    LIST("where", OPTIONAL, spn_spec_figure, where, &text_value),
    TEXT("reference", OPTIONAL, spn_spec_figure, reference),
    TEXT("reference-name", OPTIONAL, spn_spec_figure, reference_name),
    TEXT("x-label", OPTIONAL, spn_spec_figure, x_label),
    TEXT("label", OPTIONAL, spn_spec_figure, label),
    TEXT("by-label", OPTIONAL, spn_spec_figure, by_label),
    CYAML_FIELD_END};
static const cyaml_schema_value_t figure_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, spn_spec_figure, figure_fields)};

enum { SETTINGS_FIELD = 6 };
static const cyaml_schema_field_t top_fields[] = {
    TEXT("name", REQUIRED, spn_spec_raw, name),
    TEXT("title", OPTIONAL, spn_spec_raw, title),
    TEXT("about", OPTIONAL, spn_spec_raw, about),
    TEXT("task", REQUIRED, spn_spec_raw, task),
    TEXT("seed", OPTIONAL, spn_spec_raw, seed),
    TEXT("runs", OPTIONAL, spn_spec_raw, runs),
    CYAML_FIELD_IGNORE("settings", OPTIONAL),
    LIST("grid", OPTIONAL, spn_spec_raw, grid, &axis_value),
    CYAML_FIELD_MAPPING_PTR("measure", CYAML_FLAG_POINTER | OPTIONAL, spn_spec_raw, measure,
                            measure_fields),
    LIST("figures", OPTIONAL, spn_spec_raw, figures, &figure_value),
    CYAML_FIELD_END};

void spn_spec_schema_make(spn_spec_schema *out, const xpn_task *task)
{
    _Static_assert(sizeof top_fields <= sizeof out->top, "no room for the fields");
    size_t count = 0;
    memcpy(out->top, top_fields, sizeof top_fields);
    out->root =
        (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, spn_spec_raw, out->top)};
    if (!task)
        return;
    for (; count < SPN_SPEC_SETTINGS && task->settings[count].name; count++)
        out->settings[count] = (cyaml_schema_field_t){
            .key = task->settings[count].name,
            .data_offset = (uint32_t)(count * sizeof(char *)),
            .value = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, char, 0,
                                         CYAML_UNLIMITED)}};
    out->settings[count] = (cyaml_schema_field_t)CYAML_FIELD_END;
    out->top[SETTINGS_FIELD] =
        (cyaml_schema_field_t){.key = "settings",
                               .data_offset = offsetof(spn_spec_raw, settings),
                               .value = {.type = CYAML_MAPPING,
                                         .flags = CYAML_FLAG_OPTIONAL,
                                         .data_size = sizeof(((spn_spec_raw *)NULL)->settings),
                                         .mapping = {.fields = out->settings}}};
}

/* ---- reading ---- */

/* The first line of libcyaml's complaint. */
typedef struct complaint {
    char text[256];
} complaint;

__attribute__((format(printf, 3, 0))) static void log_complaint(cyaml_log_t level, void *context,
                                                                const char *format, va_list args)
{
    complaint *c = context;
    if (level < CYAML_LOG_ERROR || c->text[0])
        return;
    vsnprintf(c->text, sizeof c->text, format, args);
    c->text[strcspn(c->text, "\n")] = 0;
}

static cyaml_config_t configuration(complaint *c)
{
    return (cyaml_config_t){.log_fn = log_complaint,
                            .log_ctx = c,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_ERROR,
                            .flags = CYAML_CFG_NO_ALIAS};
}

/* The tree was checked against the same schema: what fails here is memory, or beyond foresight. */
spn_status spn_spec_load(spn_spec *spec, const char *text, size_t size, spn_error *err)
{
    complaint c = {{0}};
    const cyaml_config_t config = configuration(&c);
    cyaml_data_t *data = NULL;
    const cyaml_err_t failed =
        cyaml_load_data((const uint8_t *)text, size, &config, &spec->schema.root, &data, NULL);
    if (failed == CYAML_ERR_OOM)
        return spn_spec_no_memory(err);
    if (failed || !data)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s", spec->file,
                        c.text[0] ? c.text : cyaml_strerror(failed));
    spec->raw = data;
    return SPN_OK;
}

void spn_spec_clear(spn_spec *spec)
{
    complaint c = {{0}};
    const cyaml_config_t config = configuration(&c);
    if (spec->raw)
        cyaml_free(&config, &spec->schema.root, spec->raw, 0);
    if (spec->has_document)
        yaml_document_delete(&spec->document);
    *spec = (spn_spec){0};
}

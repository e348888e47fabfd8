/* Tables of all tasks as JSON, from which a binding makes its functions, help and checks. */
#include "base/json.h"
#include "job/run.h"

#include <spinney/lab/call.h>
#include <spinney/version.h>
#include <stdlib.h>

void spn_text_free(char *text)
{
    free(text);
}

static void put_text(spn_json *json, const char *name, const char *text)
{
    if (text)
        spn_json_text(json, name, text);
    else
        spn_json_null(json, name);
}

static void put_heading(spn_json *json, const char *help)
{
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "heading", help);
    spn_json_close(json, '}');
}

static void put_flags(spn_json *json, unsigned flags)
{
    static const struct {
        const char *name;
        unsigned flag;
    } all[] = {{"effort", SPN_SETTING_EFFORT}, {"measure", SPN_SETTING_MEASURE},
               {"seed", SPN_SETTING_SEED},     {"infinite", SPN_SETTING_INFINITE},
               {"count", SPN_SETTING_COUNT},   {"plugin", SPN_SETTING_PLUGIN}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        spn_json_flag(json, all[k].name, flags & all[k].flag);
}

static void put_words(spn_json *json, const spn_setting *setting)
{
    if (!spn_setting_word(setting, 0)) {
        spn_json_null(json, "words");
        return;
    }
    spn_json_open(json, "words", '[');
    for (size_t i = 0; spn_setting_word(setting, i); i++)
        spn_json_text(json, NULL, spn_setting_word(setting, i));
    spn_json_close(json, ']');
}

static void put_range(spn_json *json, const spn_setting *setting)
{
    if (setting->least == 0 && setting->most == 0) {
        spn_json_null(json, "least");
        spn_json_null(json, "most");
        return;
    }
    spn_json_real(json, "least", setting->least);
    spn_json_real(json, "most", setting->most);
}

static void put_setting(spn_json *json, const spn_setting *setting)
{
    static const char *const kinds[] = {[SPN_SETTING_WHOLE] = "whole",  [SPN_SETTING_REAL] = "real",
                                        [SPN_SETTING_FLAG] = "flag",    [SPN_SETTING_WORD] = "word",
                                        [SPN_SETTING_RANGE] = "range",  [SPN_SETTING_TEXT] = "text",
                                        [SPN_SETTING_LIST] = "list",    [SPN_SETTING_FILE] = "file",
                                        [SPN_SETTING_WHOLES] = "wholes"};
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", setting->name);
    spn_json_text(json, "kind", kinds[setting->kind]);
    put_text(json, "argument", setting->argument);
    put_text(json, "unit", setting->unit);
    put_text(json, "default", setting->fallback);
    put_text(json, "otherwise", setting->otherwise);
    put_words(json, setting);
    put_range(json, setting);
    put_text(json, "help", setting->help);
    put_text(json, "label", setting->label);
    put_flags(json, setting->flags);
    spn_json_close(json, '}');
}

static void put_settings(spn_json *json, const char *name, const spn_setting *table)
{
    spn_setting_walk walk = spn_setting_walk_start(table);
    spn_json_open(json, name, '[');
    while (spn_setting_walk_next(&walk))
        if (walk.setting->name)
            put_setting(json, walk.setting);
        else
            put_heading(json, walk.setting->help);
    spn_json_close(json, ']');
}

static void put_presets(spn_json *json, const spn_preset *presets)
{
    spn_json_open(json, "presets", '[');
    for (const spn_preset *p = presets; p && p->name; p++) {
        spn_json_open(json, NULL, '{');
        spn_json_text(json, "name", p->name);
        put_text(json, "about", p->about);
        spn_json_open(json, "texts", '{');
        for (const spn_text *t = p->texts; t->name; t++)
            spn_json_text(json, t->name, t->text);
        spn_json_close(json, '}');
        spn_json_close(json, '}');
    }
    spn_json_close(json, ']');
}

static void put_result(spn_json *json, const spn_quantity *q)
{
    static const char *const kinds[] = {[SPN_QUANTITY_NUMBER] = "number",
                                        [SPN_QUANTITY_TEXT] = "text",
                                        [SPN_QUANTITY_COLUMN] = "column",
                                        [SPN_QUANTITY_MATRIX] = "matrix"};
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", q->name);
    spn_json_text(json, "kind", kinds[q->kind]);
    put_text(json, "unit", q->unit);
    put_text(json, "label", q->label);
    put_text(json, "help", q->help);
    spn_json_flag(json, "main", q->flags & SPN_QUANTITY_MAIN);
    spn_json_flag(json, "detail", q->flags & SPN_QUANTITY_DETAIL);
    spn_json_flag(json, "best", q->flags & SPN_QUANTITY_BEST);
    spn_json_flag(json, "share", q->flags & SPN_QUANTITY_SHARE);
    spn_json_close(json, '}');
}

static void put_task(spn_json *json, const spn_task *task)
{
    spn_setting options[SPN_RUN_OPTION_ROWS];
    spn_run_option_table(options, task);
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", task->name);
    spn_json_text(json, "summary", task->summary);
    put_text(json, "details", task->details);
    put_text(json, "product", task->product);
    put_text(json, "product_extension", task->product_extension);
    spn_json_flag(json, "chain", task->chain);
    put_settings(json, "settings", task->settings);
    put_settings(json, "options", options);
    put_presets(json, task->presets);
    spn_json_open(json, "results", '[');
    spn_quantity_walk walk = spn_quantity_walk_start(task->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name)
            put_result(json, walk.row);
        else
            put_heading(json, walk.row->help);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
}

spn_status spn_tables_json(char **out, spn_error *err)
{
    spn_json json = {0};
    size_t size;
    *out = NULL;
    const spn_status status = spn_json_begin(&json, err);
    if (status)
        return status;
    spn_json_open(&json, NULL, '{');
    spn_json_text(&json, "version", spn_version());
    spn_json_open(&json, "tasks", '[');
    for (const spn_task *const *task = spn_tasks(); *task; task++)
        put_task(&json, *task);
    spn_json_close(&json, ']');
    spn_json_close(&json, '}');
    return spn_json_finish(out, &size, &json, err);
}

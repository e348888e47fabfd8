/* sweep.json of earlier formats. Of format 1, of spinney 0.2: what was measured stood apart from
   the settings, and what a figure is drawn as in flags. Of format 2: `solved` was of replicas. */
#include "sweep/sweep_file.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Put a text into an object. All of these leave what is missing, and tell of memory by false. */
static bool put(json_t *object, const char *key, const char *text)
{
    return json_object_set_new(object, key, json_string(text)) == 0;
}

/* A number as it is written, in the shortest way. */
static bool put_number(json_t *object, const char *key, const json_t *number)
{
    char *text = number ? json_dumps(number, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
    const bool done = !number || (text && put(object, key, text));
    free(text);
    return done;
}

/* Numbers joined by commas. */
static bool put_numbers(json_t *object, const char *key, const json_t *list)
{
    spn_memory_stream memory;
    bool done = true;
    if (json_array_size(list) == 0)
        return true;
    FILE *out = spn_memory_stream_open(&memory);
    for (size_t k = 0; out && k < json_array_size(list); k++) {
        char *text = json_dumps(json_array_get(list, k), JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        done = done && text;
        fprintf(out, "%s%s", k ? "," : "", text ? text : "");
        free(text);
    }
    char *all = spn_memory_stream_finish(&memory);
    done = done && all && put(object, key, all);
    free(all);
    return done;
}

/* The flags of an object that are set, as a list of their words; the flags go. */
static bool gather(json_t *out, const char *key, json_t *object, const char *const flags[][2])
{
    json_t *list = json_array();
    bool done = list;
    for (size_t k = 0; flags[k][0] && done; k++) {
        if (json_is_true(json_object_get(object, flags[k][0])))
            done = json_array_append_new(list, json_string(flags[k][1])) == 0;
        json_object_del(object, flags[k][0]);
    }
    if (done && json_array_size(list) > 0)
        done = json_object_set(out, key, list) == 0;
    json_decref(list);
    return done;
}

static bool rename_key(json_t *object, const char *from, const char *to)
{
    json_t *value = json_object_get(object, from);
    if (!value)
        return true;
    const bool done = json_object_set(object, to, value) == 0;
    json_object_del(object, from);
    return done;
}

static void drop_empty(json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    if (json_is_array(list) && json_array_size(list) == 0)
        json_object_del(object, key);
}

static bool convert_figure(json_t *figure)
{
    static const char *const kinds[][2] = {
        {"lines", "lines"}, {"heat", "heat"}, {"table", "table"}, {NULL, NULL}};
    static const char *const logs[][2] = {{"log_x", "x"}, {"log_y", "y"}, {NULL, NULL}};
    bool done = gather(figure, "as", figure, kinds) && gather(figure, "log", figure, logs);
    if (json_is_true(json_object_get(figure, "bands")))
        done = done && put(figure, "intervals", "bands");
    json_object_del(figure, "bands");
    drop_empty(figure, "where");
    return done && rename_key(figure, "x_label", "x-label") &&
           rename_key(figure, "by_label", "by-label") &&
           rename_key(figure, "reference_name", "reference-name");
}

static bool convert_measures(json_t *root, json_t *measure)
{
    static const char *const kept[][2] = {{"models", "models"}, {"traces", "traces"}, {NULL, NULL}};
    json_t *settings = json_object_get(root, "settings");
    const json_t *flips = json_object_get(measure, "flips");
    const json_t *profile = json_object_get(measure, "profile");
    const bool walks = json_integer_value(json_object_get(profile, "walks")) > 0;
    bool done = gather(root, "keep", measure, kept);
    if (done && json_array_size(json_object_get(flips, "p")) > 0)
        done =
            put_numbers(settings, "flip", json_object_get(flips, "p")) &&
            put_number(settings, "trials", json_object_get(flips, "trials")) &&
            (!json_is_true(json_object_get(flips, "exact")) || put(settings, "flip-mode", "exact"));
    if (done && walks)
        done = put_number(settings, "profile-walks", json_object_get(profile, "walks")) &&
               put_number(settings, "profile-reach", json_object_get(profile, "reach")) &&
               put_number(settings, "profile-points", json_object_get(profile, "points"));
    return done;
}

/* "files": {"data": {"mnist": "..."}} */
static bool convert_files(json_t *root)
{
    json_t *list = json_array(), *files = json_object_get(root, "files"), *names, *sum;
    const char *setting, *name;
    bool done = list;
    json_object_foreach(files, setting, names)
    {
        json_object_foreach(names, name, sum)
        {
            json_t *file =
                json_pack("{s:s, s:s, s:O}", "setting", setting, "name", name, "checksum", sum);
            done = done && json_array_append_new(list, file) == 0;
        }
    }
    if (done && files)
        done = json_object_set(root, "files", list) == 0;
    json_decref(list);
    drop_empty(root, "files");
    return done;
}

spn_status spn_sweep_convert_first(json_t *root, spn_error *err)
{
    json_t *measure = json_object_get(root, "measure");
    json_t *figures = json_object_get(root, "figures");
    bool done = convert_measures(root, measure) && convert_files(root);
    for (size_t k = 0; k < json_array_size(figures) && done; k++)
        done = convert_figure(json_array_get(figures, k));
    json_object_del(root, "measure");
    drop_empty(root, "grid");
    drop_empty(root, "figures");
    return done ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for sweep.json");
}

/* ---- format 2 ---- */

/* A text in which the name `solved`, alone, in a list or in a condition, is solved_share; NULL
   without memory, or where the value is no text. */
static json_t *with_share(const json_t *value)
{
    static const char name[] = "solved";
    const char *text = json_string_value(value);
    spn_memory_stream memory = {.failed = true};
    FILE *out = text ? spn_memory_stream_open(&memory) : NULL;
    while (out && *text) {
        const size_t length = strcspn(text, ",=!<> ");
        const size_t end = length + strspn(text + length, ",");
        const bool found = length == strlen(name) && strncmp(text, name, length) == 0;
        fprintf(out, "%.*s%s%.*s", (int)length, text, found ? "_share" : "", (int)(end - length),
                text + length);
        text += end;
        if (end == length) { /* the rest is a comparison */
            fputs(text, out);
            break;
        }
    }
    char *all = spn_memory_stream_finish(&memory);
    json_t *changed = all ? json_string(all) : NULL;
    free(all);
    return changed;
}

static bool rename_share(json_t *figure, const char *key)
{
    json_t *value = json_object_get(figure, key);
    bool done = true;
    if (json_is_string(value))
        return json_object_set_new(figure, key, with_share(value)) == 0;
    for (size_t k = 0; k < json_array_size(value) && done; k++)
        if (json_is_string(json_array_get(value, k)))
            done = json_array_set_new(value, k, with_share(json_array_get(value, k))) == 0;
    return done;
}

spn_status spn_sweep_convert_second(json_t *root, spn_error *err)
{
    static const char *const keys[] = {"value", "also", "guide", "where", NULL};
    const char *task = json_string_value(json_object_get(root, "task"));
    json_t *figures = json_object_get(root, "figures");
    bool done = true;
    for (size_t f = 0; task && strcmp(task, "anneal") == 0 && f < json_array_size(figures); f++)
        for (size_t k = 0; keys[k] && done; k++)
            done = rename_share(json_array_get(figures, f), keys[k]);
    return done ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for sweep.json");
}

/* Convert sweep.json of earlier formats. In format 1, of spinney 0.2, measures were separate from
   settings, and the kinds of a figure were flags. Before format 3, `solved` was about replicas. */
#include "base/number.h"
#include "sweep/folder.h"

#include <stdlib.h>
#include <string.h>

/* These functions ignore missing values, and return false only without memory. */

static bool put(spn_node *mapping, const char *key, const char *text)
{
    return spn_node_put_text(mapping, key, text, strlen(text), NULL);
}

static spn_node *find(const spn_node *mapping, const char *key)
{
    return (spn_node *)spn_node_get(mapping, key);
}

static bool is_true(const spn_node *node)
{
    return node && node->text && strcmp(node->text, "true") == 0;
}

/* At most 15 digits: 0.1, not 0.10000000000000001. */
static const char *short_text(char out[SPN_NUMBER_TEXT], const spn_node *number)
{
    double value;
    if (!number->text)
        return "";
    if (!strpbrk(number->text, ".e") || !spn_number_parse(&value, number->text))
        return number->text;
    spn_decimal_text(out, value, 15);
    return out;
}

static bool put_all(spn_node *out, const spn_node *from, const char *const keys[][2])
{
    char text[SPN_NUMBER_TEXT];
    bool done = true;
    for (size_t k = 0; keys[k][0] && done; k++) {
        const spn_node *number = spn_node_get(from, keys[k][0]);
        done = !number || put(out, keys[k][1], short_text(text, number));
    }
    return done;
}

static bool put_numbers(spn_node *mapping, const char *key, const spn_node *list)
{
    char number[SPN_NUMBER_TEXT];
    spn_memory_stream memory;
    FILE *out = spn_memory_stream_open(&memory);
    for (size_t k = 0; out && k < list->count; k++)
        fprintf(out, "%s%s", k ? "," : "", short_text(number, &list->items[k]));
    char *all = spn_memory_stream_finish(&memory);
    const bool done = all && put(mapping, key, all);
    free(all);
    return done;
}

/* Turn the set flags of a mapping into a list of words under a key of `out`, which may be the same
   mapping; remove the flags. */
static bool gather(spn_node *out, const char *key, spn_node *from, const char *const flags[][2])
{
    const char *words[4];
    size_t count = 0;
    for (size_t k = 0; flags[k][0]; k++) {
        if (is_true(spn_node_get(from, flags[k][0])))
            words[count++] = flags[k][1];
        if (from && from->kind == SPN_NODE_MAPPING)
            spn_node_remove(from, flags[k][0]);
    }
    spn_node *list = count ? spn_node_put(out, key, SPN_NODE_LIST, NULL) : NULL;
    for (size_t k = 0; k < count; k++)
        if (!list || !spn_node_add_text(list, words[k], strlen(words[k]), NULL))
            return false;
    return true;
}

static bool rename_key(spn_node *mapping, const char *from, const char *to)
{
    if (!spn_node_get(mapping, from))
        return true;
    char *key = strdup(to);
    if (!key)
        return false;
    spn_node_remove(mapping, to);
    spn_node *node = find(mapping, from);
    free(node->key);
    node->key = key;
    return true;
}

static void drop_empty(spn_node *mapping, const char *key)
{
    const spn_node *list = spn_node_get(mapping, key);
    if (list && list->kind == SPN_NODE_LIST && list->count == 0)
        spn_node_remove(mapping, key);
}

static bool convert_figure(spn_node *figure)
{
    static const char *const kinds[][2] = {
        {"lines", "lines"}, {"heat", "heat"}, {"table", "table"}, {NULL, NULL}};
    static const char *const logs[][2] = {{"log_x", "x"}, {"log_y", "y"}, {NULL, NULL}};
    if (figure->kind != SPN_NODE_MAPPING)
        return true;
    const bool bands = is_true(spn_node_get(figure, "bands"));
    spn_node_remove(figure, "bands");
    drop_empty(figure, "where");
    return gather(figure, "as", figure, kinds) && gather(figure, "log", figure, logs) &&
           (!bands || put(figure, "intervals", "bands")) &&
           rename_key(figure, "x_label", "x-label") && rename_key(figure, "by_label", "by-label") &&
           rename_key(figure, "reference_name", "reference-name");
}

/* Measures become settings; what was kept of each run becomes a list of words. */
static bool convert_measures(spn_node *root)
{
    static const char *const kept[][2] = {{"models", "models"}, {"traces", "traces"}, {NULL, NULL}};
    static const char *const taken[2][4][2] = {
        {{"trials", "trials"}},
        {{"walks", "profile-walks"}, {"reach", "profile-reach"}, {"points", "profile-points"}}};
    const spn_node *found = spn_node_get(root, "measure");
    if (!found)
        return true;
    spn_node measure = *found, *settings; /* putting into the root moves its items */
    *(spn_node *)found = (spn_node){.key = measure.key};
    measure.key = NULL;
    spn_node_remove(root, "measure");
    bool done = gather(root, "keep", &measure, kept);
    settings = find(root, "settings");
    if (!settings)
        settings = spn_node_put(root, "settings", SPN_NODE_MAPPING, NULL);
    done = done && settings;
    const spn_node *flips = spn_node_get(&measure, "flips"), *p = spn_node_get(flips, "p");
    if (done && settings->kind == SPN_NODE_MAPPING && p && p->kind == SPN_NODE_LIST && p->count)
        done = put_numbers(settings, "flip", p) && put_all(settings, flips, taken[0]) &&
               (!is_true(spn_node_get(flips, "exact")) || put(settings, "flip-mode", "exact"));
    const spn_node *profile = spn_node_get(&measure, "profile");
    const spn_node *walks = spn_node_get(profile, "walks");
    if (done && settings->kind == SPN_NODE_MAPPING && walks && walks->text &&
        strtoll(walks->text, NULL, 10) > 0)
        done = put_all(settings, profile, taken[1]);
    spn_node_clear(&measure);
    return done;
}

/* {"mnist": "..."} of one setting becomes {"setting": "data", "name": "mnist", "checksum":
   "..."} */
static bool add_files(spn_node *list, const spn_node *names)
{
    for (size_t k = 0; k < names->count; k++) {
        const spn_node *file = &names->items[k];
        spn_node *entry = file->key ? spn_node_add(list, SPN_NODE_MAPPING) : NULL;
        if (!entry || !put(entry, "setting", names->key) || !put(entry, "name", file->key) ||
            !put(entry, "checksum", file->text ? file->text : ""))
            return !file->key;
    }
    return true;
}

static bool convert_files(spn_node *root)
{
    spn_node *files = find(root, "files"), list = {.kind = SPN_NODE_LIST};
    bool done = true;
    if (!files || files->kind != SPN_NODE_MAPPING)
        return true;
    for (size_t k = 0; k < files->count && done; k++)
        done = add_files(&list, &files->items[k]);
    list.key = files->key;
    files->key = NULL;
    spn_node_clear(files);
    *files = list;
    drop_empty(root, "files");
    return done;
}

bool spn_sweep_convert_first(spn_node *root)
{
    bool done = convert_measures(root) && convert_files(root);
    const spn_node *figures = spn_node_get(root, "figures");
    for (size_t k = 0; figures && k < figures->count && done; k++)
        done = convert_figure(&figures->items[k]);
    drop_empty(root, "grid");
    drop_empty(root, "figures");
    return done;
}

/* Rename `solved`, alone, in a list or in a condition, to solved_share. */
static bool name_share(spn_node *node)
{
    static const char name[] = "solved";
    const char *text = node->text;
    spn_memory_stream memory = {.failed = true};
    if (!text)
        return true;
    FILE *out = spn_memory_stream_open(&memory);
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
    if (!all)
        return false;
    free(node->text);
    node->text = all;
    return true;
}

static bool name_shares(const spn_node *figure)
{
    static const char *const keys[] = {"value", "also", "guide", "where", NULL};
    for (size_t k = 0; keys[k]; k++) {
        spn_node *value = find(figure, keys[k]);
        for (size_t i = 0; value && i < value->count; i++)
            if (!name_share(&value->items[i]))
                return false;
        if (value && !name_share(value))
            return false;
    }
    return true;
}

bool spn_sweep_convert_second(spn_node *root)
{
    const spn_node *task = spn_node_get(root, "task"), *figures = spn_node_get(root, "figures");
    if (!task || !task->text || strcmp(task->text, "anneal") != 0)
        return true;
    for (size_t f = 0; figures && f < figures->count; f++)
        if (!name_shares(&figures->items[f]))
            return false;
    return true;
}

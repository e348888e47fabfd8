#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "job/run.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- tables ---- */

spn_setting_walk spn_setting_walk_start(const spn_setting *table)
{
    spn_setting_walk walk = {.depth = 1};
    walk.level[0].next = table;
    return walk;
}

bool spn_setting_walk_next(spn_setting_walk *walk)
{
    while (walk->depth > 0) {
        const size_t top = walk->depth - 1;
        const spn_setting *row = walk->level[top].next++;
        const size_t base = walk->level[top].at;
        if (row->group) {
            assert(walk->depth < SPN_SETTING_DEPTH);
            walk->level[walk->depth].next = row->group;
            walk->level[walk->depth++].at = base + row->at;
        } else if (!row->name && !row->help) {
            walk->depth--;
        } else {
            walk->setting = row;
            walk->at = base + row->at;
            return true;
        }
    }
    return false;
}

bool spn_setting_walk_named(spn_setting_walk *walk)
{
    while (spn_setting_walk_next(walk))
        if (walk->setting->name)
            return true;
    return false;
}

bool spn_setting_walk_to(spn_setting_walk *walk, const char *name)
{
    while (spn_setting_walk_named(walk))
        if (strcmp(walk->setting->name, name) == 0)
            return true;
    return false;
}

const spn_setting *spn_setting_find(const spn_setting *table, const char *name)
{
    spn_setting_walk walk = spn_setting_walk_start(table);
    return spn_setting_walk_to(&walk, name) ? walk.setting : NULL;
}

const char *spn_setting_word(const spn_setting *setting, size_t i)
{
    if (setting->word)
        return setting->word(i);
    return setting->words ? setting->words[i] : NULL;
}

static int word_number(const spn_setting *setting, const char *text)
{
    for (int i = 0; spn_setting_word(setting, (size_t)i); i++)
        if (strcmp(spn_setting_word(setting, (size_t)i), text) == 0)
            return i;
    return -1;
}

bool spn_setting_is_word(const spn_setting *setting, const char *text)
{
    return word_number(setting, text) >= 0;
}

bool spn_setting_is_count(const spn_setting *setting, const char *text)
{
    uint64_t count;
    return setting->flags & SPN_SETTING_COUNT && spn_whole_parse(&count, text);
}

bool spn_setting_is_plugin(const char *text)
{
    const size_t size = strlen(text), end = strlen(".so");
    return text[0] == '@' || strchr(text, '/') ||
           (size > end && strcmp(text + size - end, ".so") == 0);
}

/* ---- errors ---- */

spn_status spn_setting_fail(const char *name, spn_error *err, const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return spn_refuse(err, "%s: %s", name, text);
}

spn_status spn_setting_blame(const char *name, const spn_error *why, spn_error *err)
{
    return spn_fail(err, why->status, "%s: %s", name, why->text);
}

static bool is_known(const char *name)
{
    for (const spn_task *const *task = spn_tasks(); *task; task++) {
        spn_setting options[SPN_RUN_OPTION_ROWS];
        spn_run_option_table(options, *task);
        if (spn_setting_find((*task)->settings, name) || spn_setting_find(options, name))
            return true;
    }
    return false;
}

const char *spn_setting_phrase(char *out, size_t size, const char *text,
                               void (*say)(char *out, size_t size, const char *name,
                                           const char *value))
{
    size_t used = 0;
    while (*text && used + 1 < size) {
        const size_t length = text[0] == '`' ? strcspn(text + 1, "`") : 0;
        char name[96];
        spn_take_text(name, sizeof name, text + 1, length < 95 ? length : 95);
        char *value = strchr(name, ' ');
        if (value)
            *value++ = 0;
        if (length == 0 || text[length + 1] != '`' || !is_known(name)) {
            out[used++] = *text++;
            continue;
        }
        out[used] = 0;
        say(out + used, size - used, name, value);
        used += strlen(out + used);
        text += length + 2;
    }
    out[used] = 0;
    return out;
}

spn_status spn_setting_unknown(const spn_setting *table, const char *owner, const char *name,
                               spn_error *err)
{
    enum { MOST = 255 };
    const char *names[MOST + 1] = {NULL};
    spn_setting_walk walk = spn_setting_walk_start(table);
    for (size_t k = 0; k < MOST && spn_setting_walk_named(&walk); k++)
        names[k] = walk.setting->name;
    const char *nearest = spn_nearest_of(name, names);
    return spn_refuse(err, "unknown setting '%s' of %s%s%s%s", name, owner,
                      nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* ---- reading ---- */

static bool has_range(const spn_setting *setting)
{
    return setting->least != 0 || setting->most != 0;
}

static bool within(const spn_setting *setting, double value)
{
    if (isinf(value))
        return (setting->flags & SPN_SETTING_INFINITE) && value > 0;
    return !has_range(setting) || (value >= setting->least && value <= setting->most);
}

/* " from 1 to 255", " of 0 or more" or nothing; then ", or inf" if allowed. */
static void print_range(char *out, size_t size, const spn_setting *setting)
{
    char least[SPN_NUMBER_TEXT], most[SPN_NUMBER_TEXT];
    const char *infinite = setting->flags & SPN_SETTING_INFINITE ? ", or inf" : "";
    spn_number_text(least, setting->least);
    if (!has_range(setting)) {
        snprintf(out, size, "%s", infinite);
    } else if (setting->most >= 0x1p53) {
        snprintf(out, size, " of %s or more%s", least, infinite);
    } else {
        spn_number_text(most, setting->most);
        snprintf(out, size, " from %s to %s%s", least, most, infinite);
    }
}

static spn_status not_a_number(const spn_setting *setting, const char *what, const char *text,
                               spn_error *err)
{
    char range[96];
    print_range(range, sizeof range, setting);
    return spn_setting_fail(setting->name, err, "'%.60s' is not a %s%s", text, what, range);
}

static spn_status read_whole(uint64_t *out, const spn_setting *setting, const char *text,
                             spn_error *err)
{
    if (spn_whole_parse(out, text) && within(setting, (double)*out))
        return SPN_OK;
    return not_a_number(setting, "whole number", text, err);
}

static spn_status read_wholes(const char **out, const spn_setting *setting, const char *text,
                              spn_error *err)
{
    spn_status status = SPN_OK;
    for (const char *rest = text; !status;) {
        const size_t length = strcspn(rest, ",");
        char one[64];
        uint64_t value;
        spn_take_text(one, sizeof one, rest, length < 60 ? length : 60);
        status = read_whole(&value, setting, one, err);
        if (!rest[length])
            break;
        rest += length + 1;
    }
    *out = text;
    return status;
}

static spn_status read_real(double *out, const spn_setting *setting, const char *text,
                            spn_error *err)
{
    const bool infinite = strcmp(text, "inf") == 0;
    *out = infinite ? INFINITY : 0;
    if ((infinite || spn_number_parse(out, text)) && within(setting, *out))
        return SPN_OK;
    return not_a_number(setting, "number", text, err);
}

/* "true" and "false" for the words of YAML; NULL for others. */
static const char *flag_word(const char *text)
{
    static const char *const yes[] = {"true", "yes", "on", "True", "Yes", "On", NULL};
    static const char *const no[] = {"false", "no", "off", "False", "No", "Off", NULL};
    for (size_t k = 0; yes[k]; k++) {
        if (strcmp(text, yes[k]) == 0)
            return "true";
        if (strcmp(text, no[k]) == 0)
            return "false";
    }
    return NULL;
}

static spn_status read_flag(bool *out, const spn_setting *setting, const char *text, spn_error *err)
{
    const char *word = flag_word(text);
    if (!word)
        return spn_setting_fail(setting->name, err, "'%.60s' is not true or false", text);
    *out = word[0] == 't';
    return SPN_OK;
}

static const char *word_at(const void *setting, size_t i)
{
    return spn_setting_word(setting, i);
}

static spn_status read_word(int *out, const spn_setting *setting, const char *text, spn_error *err)
{
    char list[256] = "";
    *out = word_number(setting, text);
    if (*out >= 0)
        return SPN_OK;
    for (size_t i = 0; spn_setting_word(setting, i); i++)
        spn_print_more(list, sizeof list, "%s%s", i ? ", " : "", spn_setting_word(setting, i));
    const char *nearest = spn_nearest_word(text, word_at, setting);
    if (nearest)
        return spn_setting_fail(setting->name, err, "there is no '%.60s'; did you mean %s? (%s)",
                                text, nearest, list);
    return spn_setting_fail(setting->name, err, "'%.60s' is not one of %s", text, list);
}

static spn_status check_text(const spn_setting *setting, const char *text, spn_error *err)
{
    if (!*text)
        return spn_setting_fail(setting->name, err, "needs a value");
    for (const char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c))
            return spn_setting_fail(setting->name, err,
                                    "has a line break or another control character");
    return SPN_OK;
}

spn_status spn_setting_read(void *out, const spn_setting *setting, const char *text, spn_error *err)
{
    union {
        uint64_t whole;
        double real;
        bool flag;
        int word;
        const char *text;
    } unused;
    void *to = out ? out : &unused;
    SPN_TRY(check_text(setting, text, err));
    switch (setting->kind) {
    case SPN_SETTING_WHOLE:
        return read_whole(to, setting, text, err);
    case SPN_SETTING_REAL:
        return read_real(to, setting, text, err);
    case SPN_SETTING_FLAG:
        return read_flag(to, setting, text, err);
    case SPN_SETTING_WORD:
        return read_word(to, setting, text, err);
    case SPN_SETTING_RANGE:
    case SPN_SETTING_TEXT:
    case SPN_SETTING_LIST:
    case SPN_SETTING_FILE:
        *(const char **)to = text;
        if (setting->flags & SPN_SETTING_PLUGIN && !spn_setting_is_plugin(text))
            return read_word(&unused.word, setting, text, err);
        return SPN_OK;
    case SPN_SETTING_WHOLES:
        return read_wholes(to, setting, text, err);
    }
    assert(!"a kind of setting");
    return SPN_ERROR_ARGUMENT;
}

/* ---- one way to write each value ---- */

enum { NUMBER_LENGTH = 64 }; /* longer texts are unchanged */

/* Shortest text of a number; false if it is none. Whole numbers keep all digits. */
static bool shorten(char out[NUMBER_LENGTH], const char *text, size_t length)
{
    double value;
    if (length >= NUMBER_LENGTH)
        return false;
    memcpy(out, text, length);
    out[length] = 0;
    if (!spn_number_parse(&value, out))
        return false;
    size_t zeros = strspn(out, "0");
    zeros -= zeros == length; /* keep one zero of 0 */
    if (strspn(out, "0123456789") < length)
        spn_number_text(out, value);
    else if (zeros > 0)
        spn_take_text(out, NUMBER_LENGTH, text + zeros, length - zeros);
    return true;
}

static void put_numbers(FILE *out, const char *text, const char *between)
{
    for (;;) {
        const size_t length = strcspn(text, between);
        char number[NUMBER_LENGTH];
        if (shorten(number, text, length))
            fputs(number, out);
        else
            fwrite(text, 1, length, out);
        if (!text[length])
            return;
        fputc(between[0], out);
        text += length + 1;
    }
}

/* Whether a text is one or more numbers, by its kind. between: their separator. */
static bool is_numbers(const char **between, const spn_setting *setting, const char *text)
{
    *between = setting->kind == SPN_SETTING_RANGE    ? ":"
               : setting->kind == SPN_SETTING_WHOLES ? ","
                                                     : "";
    return **between || setting->kind == SPN_SETTING_WHOLE || setting->kind == SPN_SETTING_REAL ||
           spn_setting_is_count(setting, text);
}

char *spn_setting_canonical(const spn_setting *setting, const char *text)
{
    spn_memory_stream memory;
    const char *between, *flag = setting->kind == SPN_SETTING_FLAG ? flag_word(text) : NULL;
    if (!is_numbers(&between, setting, text))
        return strdup(flag ? flag : text);
    char number[NUMBER_LENGTH];
    if (!*between)
        return strdup(shorten(number, text, strlen(text)) ? number : text);
    FILE *stream = spn_memory_stream_open(&memory);
    if (!stream)
        return NULL;
    put_numbers(stream, text, between);
    return spn_memory_stream_finish(&memory);
}

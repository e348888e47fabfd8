/* Read, write and clear structs by their table of members. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "sweep/spec/spec.h"

#include <inttypes.h>
#include <spinney/lab/setting.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a member of either type is read as one");

static void *member_of(const void *structure, const spn_member *member)
{
    return (char *)structure + member->at;
}

static size_t *count_of(const void *structure, const spn_member *member)
{
    return (size_t *)((char *)structure + member->count_at);
}

/* The array that a member points to, of any type. */
static void *array_of(const void *structure, const spn_member *member)
{
    void *array;
    memcpy(&array, member_of(structure, member), sizeof array);
    return array;
}

static const char *word_of(const spn_member *member, size_t i)
{
    return member->word ? member->word(i) : member->words[i];
}

/* ---- reading single values ---- */

static spn_status read_text(char **out, const spn_node *node, const char *file, spn_error *err)
{
    free(*out);
    *out = strdup(node->text);
    return *out ? SPN_OK : spn_no_memory(err, "%s", file);
}

static spn_status read_name(char **out, const spn_member *member, const spn_node *node,
                            const char *file, spn_error *err)
{
    enum { LONGEST = 64 };
    const char *text = node->text;
    if (*text && strlen(text) <= LONGEST && text[0] != '-' &&
        strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text))
        return read_text(out, node, file, err);
    return spn_node_fail(node, file, err,
                         "%s: '%.60s' is not up to %d letters a to z, digits and hyphens",
                         member->name, text, LONGEST);
}

/* Numbers and words are parsed like those of settings. */
static spn_status read_value(void *out, spn_setting_kind kind, const spn_member *member,
                             const spn_node *node, const char *file, spn_error *err)
{
    const spn_setting setting = {.name = member->name,
                                 .kind = kind,
                                 .least = (double)member->least,
                                 .most = (double)member->most,
                                 .words = member->words,
                                 .word = member->word};
    spn_error why = {0};
    if (spn_setting_read(out, &setting, node->text, &why))
        return spn_node_blame(node, file, "", &why, err);
    return SPN_OK;
}

static spn_status read_single(void *to, const spn_member *member, const spn_node *node,
                              const char *file, spn_error *err)
{
    enum { DIGITS = 16 };
    int word = 0;
    spn_status status;
    switch (member->kind) {
    case SPN_MEMBER_NAME:
        return read_name(to, member, node, file, err);
    case SPN_MEMBER_SUM:
        if (strlen(node->text) != DIGITS || strspn(node->text, "0123456789abcdef") != DIGITS)
            return spn_node_fail(node, file, err, "%s: '%.60s' is not a checksum of %d digits",
                                 member->name, node->text, DIGITS);
        *(uint64_t *)to = strtoull(node->text, NULL, 16);
        return SPN_OK;
    case SPN_MEMBER_WHOLE:
        status = read_value(to, SPN_SETTING_WHOLE, member, node, file, err);
        if (!status && *(uint64_t *)to > member->most) /* a double may not hold it exactly */
            status = spn_node_fail(node, file, err, "%s: %s is more than %" PRIu64, member->name,
                                   node->text, member->most);
        return status;
    case SPN_MEMBER_REAL:
        return read_value(to, SPN_SETTING_REAL, member, node, file, err);
    case SPN_MEMBER_WORD:
        return read_value(to, SPN_SETTING_WORD, member, node, file, err);
    case SPN_MEMBER_FLAG:
        if (!member->words)
            return read_value(to, SPN_SETTING_FLAG, member, node, file, err);
        status = read_value(&word, SPN_SETTING_WORD, member, node, file, err);
        *(bool *)to = word == 1;
        return status;
    default:
        return read_text(to, node, file, err);
    }
}

/* ---- reading lists and mappings ---- */

static spn_status check_kind(const spn_node *node, spn_node_kind wanted, const char *name,
                             const char *file, spn_error *err)
{
    static const char *const kinds[] = {[SPN_NODE_TEXT] = "a single value",
                                        [SPN_NODE_LIST] = "a list",
                                        [SPN_NODE_MAPPING] = "a mapping of keys to values"};
    if (spn_node_is_empty(node))
        return spn_node_fail(node, file, err, "'%s' has no value", name);
    if (node->kind != wanted)
        return spn_node_fail(node, file, err, "'%s' should be %s, not %s", name, kinds[wanted],
                             kinds[node->kind]);
    if (wanted == SPN_NODE_LIST && node->count == 0)
        return spn_node_fail(node, file, err, "'%s' is an empty list", name);
    return SPN_OK;
}

static spn_status read_flags(bool *out, const spn_member *member, const spn_node *list,
                             const char *file, spn_error *err)
{
    for (size_t k = 0; k < list->count; k++) {
        const spn_node *node = &list->items[k];
        int word = 0;
        SPN_TRY(check_kind(node, SPN_NODE_TEXT, member->name, file, err));
        SPN_TRY(read_value(&word, SPN_SETTING_WORD, member, node, file, err));
        if (out[word])
            return spn_node_fail(node, file, err, "%s: has %s twice", member->name, node->text);
        out[word] = true;
    }
    return SPN_OK;
}

static spn_status read_array(void *out, const spn_member *member, const spn_node *list,
                             const char *file, spn_error *err)
{
    const size_t size = member->kind == SPN_MEMBER_LIST     ? member->size
                        : member->kind == SPN_MEMBER_FIELDS ? sizeof(spn_field)
                                                            : sizeof(char *);
    char *array = spn_alloc(list->count, size);
    size_t *count = count_of(out, member);
    memcpy(member_of(out, member), &array, sizeof array);
    *count = 0;
    SPN_NEED(array, err, "%s", file);
    while (*count < list->count) {
        const spn_node *node = &list->items[*count];
        void *to = array + size * (*count)++;
        const bool field = member->kind == SPN_MEMBER_FIELDS;
        const spn_node_kind wanted =
            member->kind == SPN_MEMBER_LIST ? SPN_NODE_MAPPING : SPN_NODE_TEXT;
        SPN_TRY(check_kind(node, wanted, field ? node->key : member->name, file, err));
        if (field && !(((spn_field *)to)->name = strdup(node->key)))
            return spn_no_memory(err, "%s", file);
        if (member->kind == SPN_MEMBER_LIST)
            SPN_TRY(spn_members_read(to, member->members, node, file, false, err));
        else
            SPN_TRY(read_text(field ? &((spn_field *)to)->text : to, node, file, err));
    }
    return SPN_OK;
}

spn_status spn_member_read(void *out, const spn_member *member, const spn_node *node,
                           const char *file, spn_error *err)
{
    void *to = member_of(out, member);
    const bool list = member->kind == SPN_MEMBER_FLAGS || member->kind == SPN_MEMBER_TEXTS ||
                      member->kind == SPN_MEMBER_LIST;
    const spn_node_kind wanted = list                                ? SPN_NODE_LIST
                                 : member->kind == SPN_MEMBER_FIELDS ? SPN_NODE_MAPPING
                                                                     : SPN_NODE_TEXT;
    SPN_TRY(check_kind(node, wanted, member->name, file, err));
    switch (member->kind) {
    case SPN_MEMBER_FLAGS:
        return read_flags(to, member, node, file, err);
    case SPN_MEMBER_TEXTS:
    case SPN_MEMBER_FIELDS:
    case SPN_MEMBER_LIST:
        return read_array(out, member, node, file, err);
    default:
        return read_single(to, member, node, file, err);
    }
}

static const char *specified_key(const void *table, size_t i)
{
    const spn_member *member = table;
    for (; member->name; member++)
        if (!(member->flags & SPN_MEMBER_STORED) && i-- == 0)
            return member->name;
    return NULL;
}

static spn_status unknown_key(const spn_member *table, const spn_node *node, const char *file,
                              spn_error *err)
{
    const spn_node place = {.line = node->key_line, .set = node->set};
    const char *nearest = spn_nearest_word(node->key, specified_key, table);
    char list[400] = "";
    if (nearest)
        return spn_node_fail(&place, file, err, "unknown key '%.60s'; did you mean %s?", node->key,
                             nearest);
    for (size_t i = 0; specified_key(table, i); i++)
        spn_print_more(list, sizeof list, "%s%s", i ? ", " : "", specified_key(table, i));
    return spn_node_fail(&place, file, err, "unknown key '%.60s'; there are %s", node->key, list);
}

spn_status spn_members_read(void *out, const spn_member *table, const spn_node *mapping,
                            const char *file, bool stored, spn_error *err)
{
    const unsigned unknown = stored ? 0 : SPN_MEMBER_STORED;
    for (size_t k = 0; k < mapping->count; k++) {
        const spn_node *node = &mapping->items[k];
        const spn_member *member = table;
        while (member->name && strcmp(member->name, node->key) != 0)
            member++;
        if (!member->name || member->flags & unknown)
            return unknown_key(table, node, file, err);
        if (!(member->flags & SPN_MEMBER_APART))
            SPN_TRY(spn_member_read(out, member, node, file, err));
    }
    for (; table->name; table++) {
        const spn_node fallback = {.text = (char *)table->fallback};
        if (spn_node_get(mapping, table->name))
            continue;
        if (table->flags & SPN_MEMBER_NEEDED && !(table->flags & unknown))
            return spn_node_fail(mapping, file, err, "'%s' is missing", table->name);
        if (table->fallback && !(table->flags & SPN_MEMBER_APART))
            SPN_TRY(read_single(member_of(out, table), table, &fallback, file, err));
    }
    return SPN_OK;
}

/* ---- writing ---- */

static bool has_value(const void *in, const spn_member *member)
{
    const void *at = member_of(in, member);
    if (member->flags & SPN_MEMBER_APART)
        return false;
    switch (member->kind) {
    case SPN_MEMBER_TEXT:
    case SPN_MEMBER_NAME:
        return *(char *const *)at;
    case SPN_MEMBER_WORD:
        return *(const int *)at;
    case SPN_MEMBER_FLAG:
        return *(const bool *)at;
    case SPN_MEMBER_FLAGS:
        for (size_t i = 0; word_of(member, i); i++)
            if (((const bool *)at)[i])
                return true;
        return false;
    case SPN_MEMBER_TEXTS:
    case SPN_MEMBER_FIELDS:
    case SPN_MEMBER_LIST:
        return *count_of(in, member) > 0;
    default:
        return true;
    }
}

static void write_text(spn_json *json, const char *name, const char *text, const spn_member *member)
{
    if (spn_is_utf8(text))
        spn_json_text(json, name, text);
    else
        json->bad = json->bad ? json->bad : member->name;
}

static void write_list(spn_json *json, const void *in, const spn_member *member)
{
    const bool *flags = member_of(in, member);
    spn_json_open(json, member->name, '[');
    if (member->kind == SPN_MEMBER_FLAGS)
        for (size_t k = 0; word_of(member, k); k++)
            if (flags[k])
                write_text(json, NULL, word_of(member, k), member);
    for (size_t k = 0; member->kind == SPN_MEMBER_TEXTS && k < *count_of(in, member); k++)
        write_text(json, NULL, ((char **)array_of(in, member))[k], member);
    for (size_t k = 0; member->kind == SPN_MEMBER_LIST && k < *count_of(in, member); k++) {
        spn_json_open(json, NULL, '{');
        spn_members_write(json, (char *)array_of(in, member) + k * member->size, member->members);
        spn_json_close(json, '}');
    }
    spn_json_close(json, ']');
}

static void write_member(spn_json *json, const void *in, const spn_member *member)
{
    const void *at = member_of(in, member);
    const char *name = member->name;
    const spn_field *fields = member->kind == SPN_MEMBER_FIELDS ? array_of(in, member) : NULL;
    char sum[17];
    switch (member->kind) {
    case SPN_MEMBER_TEXT:
    case SPN_MEMBER_NAME:
        write_text(json, name, *(char *const *)at, member);
        break;
    case SPN_MEMBER_WHOLE:
        spn_json_whole(json, name, *(const uint64_t *)at);
        break;
    case SPN_MEMBER_REAL:
        spn_json_decimal(json, name, *(const double *)at);
        break;
    case SPN_MEMBER_SUM:
        snprintf(sum, sizeof sum, "%016" PRIx64, *(const uint64_t *)at);
        spn_json_text(json, name, sum);
        break;
    case SPN_MEMBER_WORD:
        write_text(json, name, word_of(member, (size_t) * (const int *)at), member);
        break;
    case SPN_MEMBER_FLAG:
        if (member->words)
            spn_json_text(json, name, member->words[1]);
        else
            spn_json_flag(json, name, true);
        break;
    case SPN_MEMBER_FIELDS:
        spn_json_open(json, name, '{');
        for (size_t k = 0; k < *count_of(in, member); k++)
            write_text(json, fields[k].name, fields[k].text, member);
        spn_json_close(json, '}');
        break;
    case SPN_MEMBER_FLAGS:
    case SPN_MEMBER_TEXTS:
    case SPN_MEMBER_LIST:
        write_list(json, in, member);
        break;
    }
}

void spn_members_write(spn_json *json, const void *in, const spn_member *table)
{
    for (; table->name; table++)
        if (has_value(in, table))
            write_member(json, in, table);
}

static void clear_array(void *array, size_t count, const spn_member *member)
{
    for (size_t k = 0; array && k < count; k++) {
        if (member->kind == SPN_MEMBER_LIST) {
            spn_members_clear((char *)array + k * member->size, member->members);
        } else if (member->kind == SPN_MEMBER_FIELDS) {
            SPN_FREE_ALL(((spn_field *)array)[k].name, ((spn_field *)array)[k].text);
        } else {
            free(((char **)array)[k]);
        }
    }
    free(array);
}

void spn_members_clear(void *structure, const spn_member *table)
{
    for (; table->name; table++) {
        if (table->flags & SPN_MEMBER_APART)
            continue;
        if (table->kind == SPN_MEMBER_TEXT || table->kind == SPN_MEMBER_NAME)
            free(*(char **)member_of(structure, table));
        if (table->kind == SPN_MEMBER_TEXTS || table->kind == SPN_MEMBER_FIELDS ||
            table->kind == SPN_MEMBER_LIST)
            clear_array(array_of(structure, table), *count_of(structure, table), table);
    }
}

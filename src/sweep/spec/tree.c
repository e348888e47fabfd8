/* Read trees of texts from YAML and JSON. */
#include "base/memory.h"
#include "sweep/spec/spec.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <spinney/lab/setting.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 16 }; /* levels; a specification has four */

static void say_key(char *out, size_t size, const char *name, const char *value)
{
    snprintf(out, size, "%s%s%s", name, value ? ": " : "", value ? value : "");
}

spn_status spn_node_fail(const spn_node *node, const char *file, spn_error *err, const char *format,
                         ...)
{
    char raw[SPN_ERROR_TEXT], text[SPN_ERROR_TEXT];
    spn_status status;
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    spn_setting_phrase(text, sizeof text, raw, say_key);
    if (node && node->set)
        status = spn_refuse(err, "%s: %s", node->set, text);
    else if (!node || node->line == 0)
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: %s", file, text);
    else
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s", file, node->line, text);
    for (char *c = err ? err->text : ""; *c; c++)
        if (iscntrl((unsigned char)*c)) /* the message stays one line */
            *c = '?';
    return status;
}

spn_status spn_node_blame(const spn_node *node, const char *file, const char *before,
                          const spn_error *why, spn_error *err)
{
    if (why->status == SPN_ERROR_MEMORY)
        return spn_fail(err, why->status, "%s", why->text);
    const spn_status status = spn_node_fail(node, file, err, "%s%.400s", before, why->text);
    if (why->status != SPN_ERROR_IO)
        return status;
    if (err)
        err->status = why->status;
    return why->status;
}

/* ---- nodes ---- */

void spn_node_clear(spn_node *node)
{
    for (size_t k = 0; k < node->count; k++)
        spn_node_clear(&node->items[k]);
    SPN_FREE_ALL(node->items, node->text, node->key);
    *node = (spn_node){0};
}

static size_t find(const spn_node *mapping, const char *key)
{
    size_t k = 0;
    while (k < mapping->count && strcmp(mapping->items[k].key, key) != 0)
        k++;
    return k;
}

const spn_node *spn_node_get(const spn_node *mapping, const char *key)
{
    if (!mapping || mapping->kind != SPN_NODE_MAPPING)
        return NULL;
    return spn_node_item(mapping, find(mapping, key));
}

const spn_node *spn_node_item(const spn_node *list, size_t i)
{
    return list && i < list->count ? &list->items[i] : NULL;
}

/* Append a zeroed item; NULL without memory. */
static spn_node *add(spn_node *parent)
{
    if (!spn_grow(&parent->items, &parent->capacity, parent->count + 1, sizeof *parent->items))
        return NULL;
    spn_node *node = &parent->items[parent->count++];
    *node = (spn_node){0};
    return node;
}

spn_node *spn_node_put(spn_node *mapping, const char *key, spn_node_kind kind, const char *set)
{
    const size_t k = find(mapping, key);
    char *copy = strdup(key);
    spn_node *node = k < mapping->count ? &mapping->items[k] : copy ? add(mapping) : NULL;
    if (!node || !copy) {
        free(copy);
        return NULL;
    }
    spn_node_clear(node);
    *node = (spn_node){.kind = kind, .key = copy, .set = set};
    return node;
}

spn_node *spn_node_add(spn_node *list, spn_node_kind kind)
{
    spn_node *node = add(list);
    if (node)
        node->kind = kind;
    return node;
}

spn_node *spn_node_add_text(spn_node *list, const char *text, size_t length, const char *set)
{
    spn_node *node = add(list);
    if (!node || !(node->text = strndup(text, length)))
        return NULL;
    node->set = set;
    return node;
}

spn_node *spn_node_put_text(spn_node *mapping, const char *key, const char *text, size_t length,
                            const char *set)
{
    spn_node *node = spn_node_put(mapping, key, SPN_NODE_TEXT, set);
    return node && (node->text = strndup(text, length)) ? node : NULL;
}

spn_node *spn_node_put_list(spn_node *mapping, const char *key, const char *text,
                            const char *between, const char *set)
{
    spn_node *list = spn_node_put(mapping, key, SPN_NODE_LIST, set);
    while (list) {
        const size_t length = strcspn(text, between);
        if (!spn_node_add_text(list, text, length, set))
            return NULL;
        if (!text[length])
            break;
        text += length + 1;
    }
    return list;
}

void spn_node_remove(spn_node *mapping, const char *key)
{
    const size_t k = find(mapping, key);
    if (k == mapping->count)
        return;
    spn_node_clear(&mapping->items[k]);
    mapping->count--;
    memmove(&mapping->items[k], &mapping->items[k + 1],
            (mapping->count - k) * sizeof *mapping->items);
}

bool spn_node_is_empty(const spn_node *node)
{
    return node->kind == SPN_NODE_TEXT && node->plain &&
           (!node->text || !*node->text || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

static int by_key(const void *a, const void *b)
{
    const spn_node *x = *(spn_node *const *)a, *y = *(spn_node *const *)b;
    const int order = strcmp(x->key, y->key);
    return order ? order : (x > y) - (x < y);
}

static spn_status check_keys(const spn_node *mapping, const char *file, spn_error *err)
{
    const spn_node **order = spn_alloc(mapping->count, sizeof(spn_node *));
    spn_status status = SPN_OK;
    SPN_NEED(order, err, "%s", file);
    for (size_t k = 0; k < mapping->count; k++)
        order[k] = &mapping->items[k];
    qsort(order, mapping->count, sizeof(spn_node *), by_key);
    for (size_t k = 1; k < mapping->count && !status; k++)
        if (strcmp(order[k - 1]->key, order[k]->key) == 0) {
            const spn_node place = {.line = order[k]->key_line};
            status = spn_node_fail(&place, file, err, "'%.60s' is there twice, first in line %zu",
                                   order[k]->key, order[k - 1]->key_line);
        }
    free(order);
    return status;
}

/* ---- YAML ---- */

/* Open nodes, from the outside in, and a key whose value comes next. Nothing is added beside an
   open node, so it does not move. */
typedef struct builder {
    const char *file;
    spn_error *err;
    spn_node *root, *open[DEEPEST];
    size_t depth, documents;
    char *key;
    size_t key_line;
} builder;

static spn_status refuse(const builder *b, const yaml_event_t *event, const char *text)
{
    const spn_node place = {.line = event->start_mark.line + 1};
    return spn_node_fail(&place, b->file, b->err, "%s", text);
}

static spn_status begin(spn_node **out, builder *b, const yaml_event_t *event, spn_node_kind kind)
{
    spn_node *parent = b->depth ? b->open[b->depth - 1] : NULL;
    if (parent && parent->kind == SPN_NODE_MAPPING && !b->key)
        return refuse(b, event, "a key should be a word");
    spn_node *node = *out = parent ? add(parent) : b->root;
    if (!node)
        return spn_no_memory(b->err, "%s", b->file);
    *node = (spn_node){
        .kind = kind, .key = b->key, .key_line = b->key_line, .line = event->start_mark.line + 1};
    b->key = NULL;
    return SPN_OK;
}

static spn_status take_text(builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const spn_node *parent = b->depth ? b->open[b->depth - 1] : NULL;
    spn_node *node = NULL;
    if (memchr(text, 0, event->data.scalar.length))
        return refuse(b, event, "a text with a zero byte");
    if (parent && parent->kind == SPN_NODE_MAPPING && !b->key) {
        b->key = strdup(text);
        b->key_line = event->start_mark.line + 1;
        return b->key ? SPN_OK : spn_no_memory(b->err, "%s", b->file);
    }
    SPN_TRY(begin(&node, b, event, SPN_NODE_TEXT));
    assert(node);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = strdup(text);
    return node->text ? SPN_OK : spn_no_memory(b->err, "%s", b->file);
}

static spn_status open_node(builder *b, const yaml_event_t *event, spn_node_kind kind)
{
    spn_node *node = NULL;
    SPN_TRY(begin(&node, b, event, kind));
    if (b->depth == DEEPEST)
        return refuse(b, event, "lists and mappings in each other to too many levels");
    b->open[b->depth++] = node;
    return SPN_OK;
}

static spn_status take_event(builder *b, const yaml_event_t *event)
{
    const spn_node *closed;
    char text[128];
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        snprintf(text, sizeof text, "aliases such as *%.40s are not read; write the value out",
                 (const char *)event->data.alias.anchor);
        return refuse(b, event, text);
    case YAML_DOCUMENT_START_EVENT:
        return ++b->documents > 1 ? refuse(b, event, "a second document; expected one") : SPN_OK;
    case YAML_SCALAR_EVENT:
        return take_text(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(b, event, SPN_NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_node(b, event, SPN_NODE_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        assert(b->depth > 0);
        closed = b->open[--b->depth];
        return closed->kind == SPN_NODE_MAPPING ? check_keys(closed, b->file, b->err) : SPN_OK;
    default:
        return SPN_OK;
    }
}

static spn_status syntax_error(const builder *b, const yaml_parser_t *parser, const char *text,
                               size_t size)
{
    spn_node place = {.line = parser->problem_mark.line + 1};
    if (parser->error == YAML_MEMORY_ERROR)
        return spn_no_memory(b->err, "%s", b->file);
    if (parser->error == YAML_READER_ERROR) { /* it gives the byte, not the line */
        place.line = 1;
        for (size_t k = 0; k < parser->problem_offset && k < size; k++)
            place.line += text[k] == '\n';
        return spn_node_fail(&place, b->file, b->err, "%s", parser->problem);
    }
    return spn_node_fail(&place, b->file, b->err, "%s%s%s", parser->context ? parser->context : "",
                         parser->context ? ", " : "",
                         parser->problem ? parser->problem : "not YAML");
}

spn_status spn_tree_read_yaml(spn_node *out, const char *text, size_t size, const char *name,
                              spn_error *err)
{
    builder b = {.file = name, .err = err, .root = out};
    yaml_parser_t parser;
    spn_status status = SPN_OK;
    *out = (spn_node){.plain = true};
    if (!yaml_parser_initialize(&parser))
        return spn_no_memory(err, "%s", name);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    for (bool end = false; !end && !status;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax_error(&b, &parser, text, size);
            break;
        }
        end = event.type == YAML_STREAM_END_EVENT;
        status = take_event(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    free(b.key);
    return status;
}

/* ---- JSON ---- */

static char *text_of(const spn_json_value *value)
{
    char number[SPN_NUMBER_TEXT];
    switch (value->kind) {
    case SPN_JSON_TEXT:
        return strdup(value->text);
    case SPN_JSON_WHOLE:
        snprintf(number, sizeof number, "%" PRId64, value->whole);
        return strdup(number);
    case SPN_JSON_REAL:
        spn_decimal_text(number, value->real, 17);
        return strdup(number);
    case SPN_JSON_TRUE:
        return strdup("true");
    case SPN_JSON_FALSE:
        return strdup("false");
    default:
        return strdup("null");
    }
}

static spn_status fill(spn_node *out, const spn_json_value *value, const char *name, size_t depth,
                       spn_error *err)
{
    if (depth == DEEPEST)
        return spn_node_fail(NULL, name, err, "lists and objects in each other to too many levels");
    if (value->kind == SPN_JSON_LIST || value->kind == SPN_JSON_OBJECT) {
        out->kind = value->kind == SPN_JSON_LIST ? SPN_NODE_LIST : SPN_NODE_MAPPING;
        for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v)) {
            spn_node *item = add(out);
            if (!item || (v->name && !(item->key = strdup(v->name))))
                return spn_no_memory(err, "%s", name);
            SPN_TRY(fill(item, v, name, depth + 1, err));
        }
        return SPN_OK;
    }
    out->plain = value->kind == SPN_JSON_NULL;
    out->text = text_of(value);
    return out->text ? SPN_OK : spn_no_memory(err, "%s", name);
}

spn_status spn_tree_read_json(spn_node *out, const spn_json_value *root, const char *name,
                              spn_error *err)
{
    *out = (spn_node){0};
    return fill(out, root, name, 0, err);
}

/* The tree of a specification file: its lines, and what the schema says of it. */
#include "sweep/spec.h"

#include <ctype.h>
#include <spinney/words.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

spn_status spn_spec_fail(const spn_spec *spec, spn_place place, spn_error *err, const char *format,
                         ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c)) /* of the file; the message stays one line */
            *c = '?';
    if (place.set)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: %s", place.set, text);
    if (!place.node)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s", spec->file, text);
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s", spec->file,
                    place.node->start_mark.line + 1, text);
}

spn_status spn_spec_no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the specification");
}

/* ---- the tree ---- */

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static const yaml_node_t *node_at(const spn_spec *spec, int index)
{
    return yaml_document_get_node((yaml_document_t *)&spec->document, index);
}

const yaml_node_t *spn_spec_root(const spn_spec *spec)
{
    return node_at(spec, 1);
}

const yaml_node_t *spn_spec_key(const spn_spec *spec, const yaml_node_t *node, const char *key)
{
    if (!node || node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++)
        if (strcmp(scalar(node_at(spec, p->key)), key) == 0)
            return node_at(spec, p->value);
    return NULL;
}

const yaml_node_t *spn_spec_item(const spn_spec *spec, const yaml_node_t *node, size_t i)
{
    if (!node || node->type != YAML_SEQUENCE_NODE)
        return NULL;
    const size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    return i < count ? node_at(spec, node->data.sequence.items.start[i]) : NULL;
}

spn_place spn_spec_place(const spn_spec *spec, const char *name, const yaml_node_t *node)
{
    const size_t length = strlen(name);
    for (size_t k = spec->set_count; k-- > 0;)
        if (strncmp(spec->set[k], name, length) == 0 && spec->set[k][length] == '=')
            return (spn_place){.set = spec->set[k]};
    return spn_spec_at(node);
}

/* ---- parsing ---- */

/* The line, from 1, of a byte of the text. */
static size_t line_of(const char *text, size_t size, size_t offset)
{
    size_t line = 1;
    for (size_t k = 0; k < offset && k < size; k++)
        line += text[k] == '\n';
    return line;
}

static spn_status syntax_error(const spn_spec *spec, const yaml_parser_t *parser, const char *text,
                               size_t size, spn_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return spn_spec_no_memory(err);
    if (parser->error == YAML_READER_ERROR)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s", spec->file,
                        line_of(text, size, parser->problem_offset), parser->problem);
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s%s%s", spec->file,
                    parser->problem_mark.line + 1, parser->context ? parser->context : "",
                    parser->context ? ", " : "", parser->problem ? parser->problem : "not YAML");
}

/* One look at an event: what would be right YAML and is not wanted here. */
static spn_status check_event(const spn_spec *spec, const yaml_event_t *event, size_t *documents,
                              spn_error *err)
{
    const size_t line = event->start_mark.line + 1;
    if (event->type == YAML_ALIAS_EVENT)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line %zu: aliases such as *%s are not read; write the value out",
                        spec->file, line, (const char *)event->data.alias.anchor);
    if (event->type == YAML_DOCUMENT_START_EVENT && ++*documents > 1)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a second document; expected one",
                        spec->file, line);
    if (event->type == YAML_SCALAR_EVENT &&
        memchr(event->data.scalar.value, 0, event->data.scalar.length))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a text with a zero byte", spec->file,
                        line);
    return SPN_OK;
}

static spn_status scan_events(const spn_spec *spec, const char *text, size_t size, spn_error *err)
{
    yaml_parser_t parser;
    spn_status status = SPN_OK;
    size_t documents = 0;
    if (!yaml_parser_initialize(&parser))
        return spn_spec_no_memory(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    for (bool end = false; !end && !status;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax_error(spec, &parser, text, size, err);
            break;
        }
        end = event.type == YAML_STREAM_END_EVENT;
        status = check_event(spec, &event, &documents, err);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

spn_status spn_spec_scan(spn_spec *spec, const char *text, size_t size, spn_error *err)
{
    yaml_parser_t parser;
    spn_status status = scan_events(spec, text, size, err);
    if (status)
        return status;
    if (!yaml_parser_initialize(&parser))
        return spn_spec_no_memory(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    spec->has_document = yaml_parser_load(&parser, &spec->document);
    if (!spec->has_document)
        status = syntax_error(spec, &parser, text, size, err);
    yaml_parser_delete(&parser);
    return status;
}

/* ---- the schema ---- */

static const char *field_key(const void *fields, size_t i)
{
    return ((const cyaml_schema_field_t *)fields)[i].key;
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *key)
{
    for (; fields->key; fields++)
        if (strcmp(fields->key, key) == 0)
            return fields;
    return NULL;
}

static spn_status check_value(const spn_spec *spec, const yaml_node_t *node,
                              const cyaml_schema_value_t *schema, const char *key, spn_error *err);

/* An unknown key: the nearest one there is, or all of them. */
static spn_status unknown_key(const spn_spec *spec, const yaml_node_t *key,
                              const cyaml_schema_field_t *fields, spn_error *err)
{
    char list[400] = "";
    const char *nearest = spn_nearest_word(scalar(key), field_key, fields);
    if (nearest)
        return spn_spec_fail(spec, spn_spec_at(key), err, "unknown key '%.60s'; did you mean %s?",
                             scalar(key), nearest);
    for (const cyaml_schema_field_t *f = fields; f->key; f++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", f->key);
    }
    return spn_spec_fail(spec, spn_spec_at(key), err, "unknown key '%.60s'; there are %s",
                         scalar(key), list);
}

static spn_status check_key(const spn_spec *spec, const yaml_node_t *mapping,
                            const yaml_node_pair_t *pair, const cyaml_schema_field_t *fields,
                            spn_error *err)
{
    const yaml_node_t *key = node_at(spec, pair->key);
    if (key->type != YAML_SCALAR_NODE)
        return spn_spec_fail(spec, spn_spec_at(key), err, "a key should be a word");
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < pair; p++)
        if (strcmp(scalar(node_at(spec, p->key)), scalar(key)) == 0)
            return spn_spec_fail(spec, spn_spec_at(key), err,
                                 "'%.60s' is there twice, first in line %zu", scalar(key),
                                 node_at(spec, p->key)->start_mark.line + 1);
    const cyaml_schema_field_t *field = find_field(fields, scalar(key));
    if (field)
        return check_value(spec, node_at(spec, pair->value), &field->value, field->key, err);
    return unknown_key(spec, key, fields, err);
}

static spn_status check_mapping(const spn_spec *spec, const yaml_node_t *node,
                                const cyaml_schema_field_t *fields, spn_error *err)
{
    spn_status status = SPN_OK;
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top && !status; p++)
        status = check_key(spec, node, p, fields, err);
    for (; fields->key && !status; fields++)
        if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) && !spn_spec_key(spec, node, fields->key))
            status = spn_spec_fail(spec, spn_spec_at(node), err, "'%s' is missing", fields->key);
    return status;
}

static spn_status check_list(const spn_spec *spec, const yaml_node_t *node,
                             const cyaml_schema_value_t *entry, const char *key, spn_error *err)
{
    spn_status status = SPN_OK;
    if (!spn_spec_item(spec, node, 0))
        return spn_spec_fail(spec, spn_spec_at(node), err, "'%s' is an empty list", key);
    for (size_t i = 0; spn_spec_item(spec, node, i) && !status; i++)
        status = check_value(spec, spn_spec_item(spec, node, i), entry, key, err);
    return status;
}

static bool is_empty(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*scalar(node) || strcmp(scalar(node), "~") == 0 || strcmp(scalar(node), "null") == 0);
}

static spn_status check_value(const spn_spec *spec, const yaml_node_t *node,
                              const cyaml_schema_value_t *schema, const char *key, spn_error *err)
{
    static const char *const found[] = {[YAML_SCALAR_NODE] = "a single value",
                                        [YAML_SEQUENCE_NODE] = "a list",
                                        [YAML_MAPPING_NODE] = "a mapping of keys to values"};
    const yaml_node_type_t wanted = schema->type == CYAML_MAPPING    ? YAML_MAPPING_NODE
                                    : schema->type == CYAML_SEQUENCE ? YAML_SEQUENCE_NODE
                                                                     : YAML_SCALAR_NODE;
    if (schema->type == CYAML_IGNORE)
        return SPN_OK;
    if (is_empty(node))
        return spn_spec_fail(spec, spn_spec_at(node), err, "'%s' has no value", key);
    if (node->type != wanted)
        return spn_spec_fail(spec, spn_spec_at(node), err, "'%s' should be %s, not %s", key,
                             found[wanted], found[node->type]);
    if (wanted == YAML_MAPPING_NODE)
        return check_mapping(spec, node, schema->mapping.fields, err);
    if (wanted == YAML_SEQUENCE_NODE)
        return check_list(spec, node, schema->sequence.entry, key, err);
    return SPN_OK;
}

static spn_status find_task(spn_spec *spec, spn_error *err)
{
    const yaml_node_t *node = spn_spec_key(spec, spn_spec_root(spec), "task");
    const char *names[8] = {0};
    int chosen = 0;
    for (size_t k = 0; xpn_tasks()[k] && k < 7; k++)
        names[k] = xpn_tasks()[k]->name;
    spn_status status =
        spn_spec_word(&chosen, spec, spn_spec_at(node), "task", scalar(node), names, err);
    spec->task = xpn_tasks()[chosen];
    return status;
}

spn_status spn_spec_check(spn_spec *spec, spn_error *err)
{
    const yaml_node_t *root = spn_spec_root(spec);
    if (!root || root->type != YAML_MAPPING_NODE)
        return spn_spec_fail(spec, spn_spec_at(root), err,
                             "expected keys and values, starting with name: and task:");
    spn_spec_schema_make(&spec->schema, NULL);
    spn_status status = check_mapping(spec, root, spec->schema.top, err);
    if (!status)
        status = find_task(spec, err);
    if (status)
        return status;
    spn_spec_schema_make(&spec->schema, spec->task);
    return check_mapping(spec, root, spec->schema.top, err);
}

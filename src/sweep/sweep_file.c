/* sweep.json: the specification as it was resolved, with a checksum over its content. */
#include "sweep/sweep_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/source.h"
#include "record/json_tree.h"
#include "record/manifest.h"
#include "sweep/spec/description.h"

#include <errno.h>
#include <inttypes.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* Most bytes of a sweep.json. */
#define MOST_BYTES ((size_t)1 << 30)

/* ---- checksums ---- */

/* Of the content, however it is laid out: everything but `check`, in its order. */
static bool sum_content(char out[17], const json_t *root)
{
    spn_json_tree tree = {0};
    json_t *content = json_object(), *value; /* json_copy would not say that a member is lacking */
    const char *name;
    json_object_foreach((json_t *)root, name, value)
    {
        if (strcmp(name, "check") != 0)
            spn_json_set(&tree, content, name, json_incref(value));
    }
    char *text = spn_json_dump(&tree, content, JSON_COMPACT);
    if (text)
        snprintf(out, 17, "%016" PRIx64, XXH3_64bits(text, strlen(text)));
    free(text);
    return text != NULL;
}

bool spn_sweep_seal(json_t *root)
{
    char sum[17];
    json_object_del(root, "check");
    return sum_content(sum, root) && json_object_set_new(root, "check", json_string(sum)) == 0;
}

static spn_status check_content(const json_t *root, const char *name, spn_error *err)
{
    char sum[17];
    const char *check = json_string_value(json_object_get(root, "check"));
    if (!sum_content(sum, root))
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", name);
    if (check && strcmp(check, sum) == 0)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: was changed after it was written; put it back, or make the folder anew",
                    name);
}

/* ---- writing ---- */

json_t *spn_sweep_json(const spn_sweep *sweep, spn_error *err)
{
    const char *bad = NULL;
    json_t *members = NULL, *root = json_object();
    if (sweep->seed > INT64_MAX) {
        spn_fail(err, SPN_ERROR_ARGUMENT, "the seed %" PRIu64 " is not below 2^63", sweep->seed);
        goto failed;
    }
    members = spn_members_write(sweep, spn_sweep_members, &bad);
    if (bad) {
        spn_fail(err, SPN_ERROR_ARGUMENT, "the text of '%s' is not UTF-8", bad);
        goto failed;
    }
    if (!root || !members ||
        json_object_set_new(root, "format", json_integer(SPN_SWEEP_FORMAT)) != 0 ||
        json_object_update(root, members) != 0 || !spn_sweep_seal(root)) {
        spn_fail(err, SPN_ERROR_MEMORY, "sweep.json: out of memory");
        goto failed;
    }
    json_decref(members);
    return root;
failed:
    json_decref(members);
    json_decref(root);
    return NULL;
}

static spn_status write_text(const char *text, const char *folder, spn_error *err)
{
    spn_file *file = NULL;
    char *path = spn_folder_path(folder, "sweep.json");
    spn_status status = path ? spn_file_create(&file, path, err)
                             : spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    if (!status) {
        fprintf(spn_file_stream(file), "%s\n", text); /* an error stays until it is committed */
        status = spn_file_commit(file, err);
    }
    free(path);
    return status;
}

spn_status spn_sweep_write(const spn_sweep *sweep, const char *folder, spn_error *err)
{
    spn_error why = {0};
    json_t *root = spn_sweep_json(sweep, &why);
    if (!root)
        return spn_fail(err, why.status, "%s", why.text);
    char *text = spn_json_dump(&(spn_json_tree){0}, root, JSON_INDENT(2));
    spn_status status = text ? spn_file_make_folders(folder, err)
                             : spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    if (!status)
        status = write_text(text, folder, err);
    free(text);
    return status;
}

/* ---- reading ---- */

/* Before anything else: a later format may mean anything by the rest. */
static spn_status check_format(json_t *root, const char *name, spn_error *err)
{
    const json_t *format = json_object_get(root, "format");
    const char *version = json_string_value(json_object_get(root, "version"));
    if (!json_is_integer(format))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: 'format' is missing or is not a whole number; make the folder anew",
                        name);
    const json_int_t number = json_integer_value(format);
    spn_status status = SPN_OK;
    /* the first format had no checksum: a file with one is of another, where the number was flipped
     */
    if (number == 2 || number == SPN_SWEEP_FORMAT ||
        (number == 1 && json_object_get(root, "check")))
        status = check_content(root, name, err);
    if (!status && number == 1)
        status = spn_sweep_convert_first(root, err);
    if (!status && (number == 1 || number == 2))
        status = spn_sweep_convert_second(root, err);
    if (status || (number >= 1 && number <= SPN_SWEEP_FORMAT))
        return status;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: is of format %lld, written by spinney %s; this is spinney %s, which reads "
                    "formats 1 to %d: use that version, or make the folder anew",
                    name, (long long)number, version ? version : "of an unknown version",
                    spn_version(), SPN_SWEEP_FORMAT);
}

static spn_status read_members(spn_sweep **out, json_t *root, const char *name, spn_error *err)
{
    const spn_reading reading = {.file = name, .stored = true};
    spn_node tree = {0};
    spn_sweep *sweep = NULL;
    spn_status status = spn_tree_read_json(&tree, root, name, err);
    if (status)
        goto cleanup;
    if (!(sweep = calloc(1, sizeof *sweep))) {
        status = spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", name);
        goto cleanup;
    }
    status = spn_members_read(sweep, spn_sweep_members, &tree, &reading, err);
    for (size_t k = 0; k < sweep->axis_count && !status; k++)
        if (sweep->axes[k].count == 0)
            status = spn_fail(err, SPN_ERROR_INPUT, "%s: an axis has no 'values'", name);
    for (size_t k = 0; k < sweep->figure_count && !status; k++)
        if (!sweep->figures[k].x)
            status = spn_fail(err, SPN_ERROR_INPUT, "%s: a figure has no 'x'", name);
cleanup:
    spn_node_clear(&tree);
    if (status)
        spn_sweep_free(sweep);
    else
        *out = sweep;
    return status;
}

spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err)
{
    *out = NULL;
    spn_json_fault fault;
    json_t *root;
    if (spn_json_load(&root, text, size, &fault) == SPN_ERROR_MEMORY)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", name);
    if (!root)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: is not JSON: %s; make the folder anew",
                        name, fault.line, fault.what);
    spn_status status = check_format(root, name, err);
    if (!status) {
        json_object_del(root, "format");
        json_object_del(root, "check");
        status = read_members(out, root, name, err);
    }
    json_decref(root);
    return status;
}

static spn_status no_sweep(const char *folder, spn_error *err)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return spn_fail(err, SPN_ERROR_IO, "%s: there is no such folder", folder);
    if (!S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a file; give the folder of a sweep", folder);
    return spn_fail(err, SPN_ERROR_IO, "%s: is not the folder of a sweep: it has no sweep.json",
                    folder);
}

spn_status spn_sweep_read(spn_sweep **out, const char *folder, spn_error *err)
{
    *out = NULL;
    spn_source source = {0};
    struct stat info;
    char *path = spn_folder_path(folder, "sweep.json");
    if (!path)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", folder);
    spn_status status = stat(path, &info) == 0 ? spn_source_load(&source, path, MOST_BYTES, err)
                                               : no_sweep(folder, err);
    if (!status)
        status = spn_sweep_from_text(out, (const char *)source.data, source.size, path, err);
    spn_source_unload(&source);
    free(path);
    return status;
}

/* ---- showing ---- */

/* The size of the character at a place in UTF-8, and its number. */
static size_t decode(uint32_t *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t size = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    *out = size == 1 ? c[0] : c[0] & (0x7fu >> size);
    for (size_t k = 1; k < size; k++)
        *out = *out << 6 | (c[k] & 0x3fu);
    return size;
}

/* What YAML does not print, or takes for the end of a line. */
static bool is_hidden(uint32_t number)
{
    return number < 0x20 || (number >= 0x7f && number < 0xa0) || number == 0x2028 ||
           number == 0x2029 || number == 0xfeff || number == 0xfffe || number == 0xffff;
}

/* A plain word or number stands as it is; anything else in double quotes. */
static void show_text(FILE *out, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    uint32_t number;
    if (*text && *text != '-' && *text != '.' && !text[strspn(text, plain)] &&
        strcmp(text, "null") != 0) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (size_t size; *text; text += size) {
        size = decode(&number, text);
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (is_hidden(number))
            fprintf(out, "\\u%04" PRIx32, number);
        else
            fwrite(text, 1, size, out);
    }
    fputc('"', out);
}

/* A value of a line: a text, a number, a list, or a mapping. */
static void show_value(FILE *out, json_t *value)
{
    const char *key, *between = "{";
    json_t *entry;
    if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_string(value))
        show_text(out, json_string_value(value));
    else if (json_is_true(value))
        fputs("true", out);
    for (size_t k = 0; k < json_array_size(value); k++) {
        fputs(k ? ", " : "[", out);
        show_value(out, json_array_get(value, k));
    }
    fputs(json_is_array(value) ? "]" : "", out);
    json_object_foreach(value, key, entry)
    {
        fputs(between, out);
        show_text(out, key);
        fputs(": ", out);
        show_value(out, entry);
        between = ", ";
    }
    if (json_is_object(value))
        fputs(json_object_size(value) > 0 ? "}" : "{}", out);
}

/* The lines of an object; the first begins with `first`, the others with `next`. */
static void show_lines(FILE *out, json_t *object, const char *first, const char *next)
{
    const char *start = first, *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        fputs(start, out);
        show_text(out, key);
        fputs(": ", out);
        show_value(out, value);
        fputc('\n', out);
        start = next;
    }
}

/* What was found out is shown as comments. */
static void show_member(FILE *out, const spn_member *member, json_t *value)
{
    const bool stored = member->flags & SPN_MEMBER_STORED;
    const bool lines = json_is_object(value) || json_is_object(json_array_get(value, 0));
    if (stored && lines)
        fprintf(out, "# %s:\n", member->help);
    else
        fprintf(out, "%s%s:%s", stored ? "# " : "", member->name, lines ? "\n" : " ");
    if (!lines) {
        show_value(out, value);
        fputc('\n', out);
    } else if (json_is_object(value)) {
        show_lines(out, value, stored ? "#   " : "  ", stored ? "#   " : "  ");
    }
    for (size_t k = 0; lines && k < json_array_size(value); k++)
        show_lines(out, json_array_get(value, k), stored ? "#   - " : "  - ",
                   stored ? "#     " : "    ");
}

char *spn_sweep_show(const spn_sweep *sweep)
{
    const spn_member *table = sweep->joined_count > 0 ? spn_joint_members : spn_sweep_members;
    const char *bad = NULL;
    spn_memory_stream memory = {.failed = true};
    json_t *root = spn_members_write(sweep, table, &bad);
    FILE *out = root ? spn_memory_stream_open(&memory) : NULL;
    for (const spn_member *member = table; out && member->name; member++)
        if (json_object_get(root, member->name))
            show_member(out, member, json_object_get(root, member->name));
    json_decref(root);
    return spn_memory_stream_finish(&memory);
}

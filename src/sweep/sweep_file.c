/* sweep.json: the resolved specification, with a checksum of its content. */
#include "base/file.h"
#include "base/source.h"
#include "base/try.h"
#include "sweep/folder.h"

#include <inttypes.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#define MOST_BYTES ((size_t)1 << 30)

/* ---- checksums ---- */

static void put_content(spn_json *json, const spn_json_value *root)
{
    for (const spn_json_value *v = spn_json_first(root); v; v = spn_json_next(root, v))
        if (!v->name || strcmp(v->name, "check") != 0)
            spn_json_value_put(json, v->name, v);
}

/* Does not depend on the layout. */
static spn_status sum_content(char out[17], const spn_json_value *root, spn_error *err)
{
    spn_json json = {0};
    char *text;
    size_t size;
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    put_content(&json, root);
    spn_json_close(&json, '}');
    SPN_TRY(spn_json_finish(&text, &size, &json, err));
    snprintf(out, 17, "%016" PRIx64, XXH3_64bits(text, size));
    free(text);
    return SPN_OK;
}

spn_status spn_sweep_seal(char **out, const spn_json_value *root, spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    char sum[17];
    *out = NULL;
    SPN_TRY(sum_content(sum, root, err));
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    put_content(&json, root);
    spn_json_text(&json, "check", sum);
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}

static spn_status check_content(const spn_json_value *root, const char *name, spn_error *err)
{
    char sum[17];
    const char *check = spn_json_get_text(spn_json_get(root, "check"));
    if (sum_content(sum, root, NULL))
        return spn_no_memory(err, "%s", name);
    if (check && strcmp(check, sum) == 0)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: was changed after it was written; restore it, or start a new folder",
                    name);
}

/* ---- writing ---- */

/* Errors: ARGUMENT (a text that is not UTF-8), MEMORY. */
static spn_status load_members(spn_json_tree *out, const spn_sweep *sweep, const spn_member *table,
                               bool format, spn_error *err)
{
    spn_json json = {0};
    spn_json_fault fault;
    char *text;
    size_t size;
    *out = (spn_json_tree){0};
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    if (format)
        spn_json_whole(&json, "format", SPN_SWEEP_FORMAT);
    spn_members_write(&json, sweep, table);
    spn_json_close(&json, '}');
    if (json.bad) {
        spn_json_drop(&json);
        return spn_refuse(err, "the text of '%s' is not UTF-8", json.bad);
    }
    SPN_TRY(spn_json_finish(&text, &size, &json, err));
    const spn_status status = spn_json_load(out, text, size, &fault);
    free(text);
    return status ? spn_no_memory(err, "sweep.json") : SPN_OK;
}

spn_status spn_sweep_json(char **out, const spn_sweep *sweep, spn_error *err)
{
    spn_json_tree tree;
    *out = NULL;
    if (sweep->seed > INT64_MAX)
        return spn_refuse(err, "the seed %" PRIu64 " is not below 2^63", sweep->seed);
    SPN_TRY(load_members(&tree, sweep, spn_sweep_members, true, err));
    const spn_status status = spn_sweep_seal(out, tree.root, err);
    spn_json_unload(&tree);
    return status;
}

spn_status spn_sweep_write(const spn_sweep *sweep, const char *folder, spn_error *err)
{
    char *text, *path = spn_folder_path(folder, "sweep.json");
    spn_file *file;
    spn_status status;
    SPN_TRY_OR(cleanup,
               path ? spn_sweep_json(&text, sweep, err) : spn_no_memory(err, "%s", folder));
    SPN_TRY_OR(written, spn_file_make_folders(folder, err));
    SPN_TRY_OR(written, spn_file_create(&file, path, err));
    fprintf(spn_file_stream(file), "%s\n", text); /* an error stays until commit */
    status = spn_file_commit(file, err);
written:
    free(text);
cleanup:
    free(path);
    return status;
}

/* ---- reading ---- */

/* First, because a later format may give the rest another meaning. */
static spn_status check_format(int64_t *out, const spn_json_value *root, const char *name,
                               spn_error *err)
{
    const spn_json_value *format = spn_json_get(root, "format");
    const char *version = spn_json_get_text(spn_json_get(root, "version"));
    if (!spn_json_is(format, SPN_JSON_WHOLE))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: 'format' is missing or is not a whole number; start a new folder",
                        name);
    const int64_t number = *out = format->whole;
    if (number < 1 || number > SPN_SWEEP_FORMAT)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: is of format %" PRId64 ", written by spinney %s; this is spinney %s, "
                        "which reads formats 1 to %d: use that version, or start a new folder",
                        name, number, version ? version : "of an unknown version", spn_version(),
                        SPN_SWEEP_FORMAT);
    /* format 1 had no checksum, so a file that has one is of another format */
    return number > 1 || spn_json_get(root, "check") ? check_content(root, name, err) : SPN_OK;
}

static spn_status read_tree(spn_sweep *out, spn_node *tree, const spn_json_value *root,
                            const char *name, spn_error *err)
{
    int64_t format = 0;
    SPN_TRY(check_format(&format, root, name, err));
    SPN_TRY(spn_tree_read_json(tree, root, name, err));
    spn_node_remove(tree, "format");
    spn_node_remove(tree, "check");
    if ((format < 2 && !spn_sweep_convert_first(tree)) ||
        (format < 3 && !spn_sweep_convert_second(tree)))
        return spn_no_memory(err, "%s", name);
    SPN_TRY(spn_members_read(out, spn_sweep_members, tree, name, true, err));
    for (size_t k = 0; k < out->axis_count; k++)
        if (out->axes[k].count == 0)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: an axis has no 'values'", name);
    for (size_t k = 0; k < out->figure_count; k++)
        if (!out->figures[k].x)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: a figure has no 'x'", name);
    return SPN_OK;
}

spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err)
{
    spn_json_fault fault;
    spn_json_tree json;
    spn_node tree = {0};
    *out = NULL;
    spn_status status = spn_json_load(&json, text, size, &fault);
    if (status == SPN_ERROR_MEMORY)
        return spn_no_memory(err, "%s", name);
    if (status)
        return spn_fail(err, status, "%s: line %zu: is not JSON: %s; start a new folder", name,
                        fault.line, fault.what);
    spn_sweep *sweep = calloc(1, sizeof *sweep);
    status = sweep ? read_tree(sweep, &tree, json.root, name, err) : spn_no_memory(err, "%s", name);
    spn_node_clear(&tree);
    spn_json_unload(&json);
    SPN_HAND_OVER(out, sweep, spn_sweep_free, status);
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
    SPN_NEED(path, err, "%s", folder);
    spn_status status = stat(path, &info) == 0 ? spn_source_load(&source, path, MOST_BYTES, err)
                                               : no_sweep(folder, err);
    if (!status)
        status = spn_sweep_from_text(out, (const char *)source.data, source.size, path, err);
    spn_source_unload(&source);
    free(path);
    return status;
}

/* ---- showing ---- */

/* Plain words and numbers are not quoted. */
static void show_text(FILE *out, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    if (*text && *text != '-' && *text != '.' && !text[strspn(text, plain)] &&
        strcmp(text, "null") != 0) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (size_t size; *text; text += size) {
        const unsigned char *c = (const unsigned char *)text; /* UTF-8 */
        size = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
        uint32_t number = size == 1 ? c[0] : c[0] & (0x7fu >> size);
        for (size_t k = 1; k < size; k++)
            number = number << 6 | (c[k] & 0x3fu);
        /* what YAML does not print, or takes for a line end */
        const bool hidden = number < 0x20 || (number >= 0x7f && number < 0xa0) ||
                            number == 0x2028 || number == 0x2029 || number == 0xfeff ||
                            number == 0xfffe || number == 0xffff;
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (hidden)
            fprintf(out, "\\u%04" PRIx32, number);
        else
            fwrite(text, 1, size, out);
    }
    fputc('"', out);
}

static void show_value(FILE *out, const spn_json_value *value)
{
    const bool list = value->kind == SPN_JSON_LIST;
    const char *between = "";
    if (value->kind == SPN_JSON_WHOLE)
        fprintf(out, "%" PRId64, value->whole);
    else if (value->kind == SPN_JSON_TEXT)
        show_text(out, value->text);
    else if (value->kind == SPN_JSON_TRUE)
        fputs("true", out);
    if (!list && value->kind != SPN_JSON_OBJECT)
        return;
    fputc(list ? '[' : '{', out);
    for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v)) {
        fputs(between, out);
        if (v->name) {
            show_text(out, v->name);
            fputs(": ", out);
        }
        show_value(out, v);
        between = ", ";
    }
    fputc(list ? ']' : '}', out);
}

/* The first line begins with `first`, the others with `next`. */
static void show_lines(FILE *out, const spn_json_value *object, const char *first, const char *next)
{
    const char *start = first;
    for (const spn_json_value *v = spn_json_first(object); v; v = spn_json_next(object, v)) {
        fputs(start, out);
        show_text(out, v->name);
        fputs(": ", out);
        show_value(out, v);
        fputc('\n', out);
        start = next;
    }
}

/* Stored members are shown as comments. */
static void show_member(FILE *out, const spn_member *member, const spn_json_value *value)
{
    const bool stored = member->flags & SPN_MEMBER_STORED;
    const bool object = value->kind == SPN_JSON_OBJECT;
    const bool lines = object || spn_json_is(spn_json_first(value), SPN_JSON_OBJECT);
    if (stored && lines)
        fprintf(out, "# %s:\n", member->help);
    else
        fprintf(out, "%s%s:%s", stored ? "# " : "", member->name, lines ? "\n" : " ");
    if (!lines) {
        show_value(out, value);
        fputc('\n', out);
    } else if (object) {
        show_lines(out, value, stored ? "#   " : "  ", stored ? "#   " : "  ");
    } else {
        for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v))
            show_lines(out, v, stored ? "#   - " : "  - ", stored ? "#     " : "    ");
    }
}

char *spn_sweep_show(const spn_sweep *sweep)
{
    const spn_member *table = sweep->joined_count > 0 ? spn_joint_members : spn_sweep_members;
    spn_memory_stream memory = {.failed = true};
    spn_json_tree tree;
    if (load_members(&tree, sweep, table, false, NULL))
        return NULL;
    FILE *out = spn_memory_stream_open(&memory);
    for (const spn_member *member = table; out && member->name; member++)
        if (spn_json_get(tree.root, member->name))
            show_member(out, member, spn_json_get(tree.root, member->name));
    spn_json_unload(&tree);
    return spn_memory_stream_finish(&memory);
}

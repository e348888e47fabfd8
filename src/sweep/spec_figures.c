/* The figures of a specification: every name in them must be there. */
#include "sweep/spec.h"

#include "base/memory.h"
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The curves that can be measured, and their columns. */
static const struct {
    const char *name;
    const char *columns[5];
} curves[] = {{"flips", {"p", "accuracy", "low", "high"}},
              {"profile", {"distance", "share", "energy", "half"}}};
enum { CURVES = sizeof curves / sizeof *curves };

/* A figure being read. */
typedef struct figure {
    const spn_spec *spec;
    const spn_sweep *sweep;
    const yaml_node_t *node;
    const spn_spec_figure *raw;
} figure;

static spn_place place_of(const figure *f, const char *key)
{
    return spn_spec_at(spn_spec_key(f->spec, f->node, key));
}

/* ---- names ---- */

static bool is_axis(const figure *f, const char *name)
{
    for (size_t k = 0; k < f->sweep->axis_count; k++)
        if (strcmp(f->sweep->axes[k].setting, name) == 0)
            return true;
    return false;
}

static bool is_result(const figure *f, const char *name)
{
    for (const char *const *result = f->spec->task->results; *result; result++)
        if (strcmp(*result, name) == 0)
            return true;
    return false;
}

/* The curve before the dot of a name; -1: no such curve. */
static int curve_of(const char *name)
{
    const size_t length = strcspn(name, ".");
    for (int k = 0; k < CURVES; k++)
        if (strlen(curves[k].name) == length && strncmp(curves[k].name, name, length) == 0 &&
            name[length])
            return k;
    return -1;
}

static bool is_measured(const figure *f, int curve)
{
    const spn_measures *m = &f->sweep->measures;
    return curve == 0 ? m->flips_count > 0 : m->profile_walks > 0;
}

static spn_status check_column(const figure *f, const char *key, const char *name, int curve,
                               spn_error *err)
{
    const char *column = strchr(name, '.') + 1;
    const char *const *columns = curves[curve].columns;
    for (size_t k = 0; columns[k]; k++)
        if (strcmp(columns[k], column) == 0)
            return SPN_OK;
    return spn_spec_fail(f->spec, place_of(f, key), err,
                         "'%s': the curve %s has no column '%.60s'; it has %s, %s, %s and %s", key,
                         curves[curve].name, column, columns[0], columns[1], columns[2],
                         columns[3]);
}

static spn_status no_result(const figure *f, const char *key, const char *name, spn_error *err)
{
    const char *nearest = spn_nearest_of(name, f->spec->task->results);
    if (nearest)
        return spn_spec_fail(f->spec, place_of(f, key), err,
                             "'%s': '%.60s' is no result of %s; did you mean %s?", key, name,
                             f->spec->task->name, nearest);
    return spn_spec_fail(f->spec, place_of(f, key), err,
                         "'%s': '%.60s' is neither a result of %s nor a column of a curve, such as "
                         "flips.accuracy",
                         key, name, f->spec->task->name);
}

/* A result that no run can have. */
static spn_status check_result(const figure *f, const char *key, const char *name, spn_place place,
                               spn_error *err)
{
    const char *need = f->spec->task->lacks(f->sweep, name);
    if (!need)
        return SPN_OK;
    return spn_spec_fail(f->spec, place, err, "'%s': %s needs %s", key, name, need);
}

/* What is drawn: a result, or a column of a curve that is measured. */
static spn_status check_value(const figure *f, spn_error *err)
{
    const char *name = f->raw->value;
    const int curve = curve_of(name);
    if (is_result(f, name))
        return check_result(f, "value", name, place_of(f, "value"), err);
    if (curve < 0)
        return no_result(f, "value", name, err);
    if (!is_measured(f, curve))
        return spn_spec_fail(f->spec, place_of(f, "value"), err,
                             "'value': %s is not measured; put %s under measure", name,
                             curves[curve].name);
    return check_column(f, "value", name, curve, err);
}

static spn_status no_axis(const figure *f, const char *key, const char *name, spn_error *err)
{
    const char *names[64] = {0};
    for (size_t k = 0; k < f->sweep->axis_count && k < 63; k++)
        names[k] = f->sweep->axes[k].setting;
    const char *nearest = spn_nearest_of(name, names);
    if (nearest)
        return spn_spec_fail(f->spec, place_of(f, key), err,
                             "'%s': '%.60s' is no axis of the grid; did you mean %s?", key, name,
                             nearest);
    return spn_spec_fail(f->spec, place_of(f, key), err, "'%s': '%.60s' is no axis of the grid",
                         key, name);
}

/* What it is drawn against, or by: an axis, or another column of the value's curve. */
static spn_status check_against(const figure *f, const char *key, const char *name, spn_error *err)
{
    const int curve = curve_of(f->raw->value);
    if (curve >= 0 && curve_of(name) == curve)
        return check_column(f, key, name, curve, err);
    return is_axis(f, name) ? SPN_OK : no_axis(f, key, name, err);
}

/* Whether a condition, such as flips.p=0.1, leaves one row of a curve. */
static bool holds_row(const figure *f, int curve)
{
    for (size_t k = 0; k < f->raw->where_count; k++) {
        const char *text = f->raw->where[k];
        if (curve_of(text) == curve && text[strcspn(text, "=!<>")] == '=')
            return true;
    }
    return false;
}

static spn_status check_x(const figure *f, spn_error *err)
{
    const char *x = f->raw->x, *by = f->raw->by;
    const int curve = curve_of(f->raw->value);
    if (curve >= 0 && curve_of(x) != curve && !(by && curve_of(by) == curve) &&
        !holds_row(f, curve))
        return spn_spec_fail(f->spec, place_of(f, "x"), err,
                             "'x': with %s, x or by is a column of that curve, such as %s.%s, or a "
                             "condition holds one fixed (where: [%s.%s=...])",
                             f->raw->value, curves[curve].name, curves[curve].columns[0],
                             curves[curve].name, curves[curve].columns[0]);
    return check_against(f, "x", x, err);
}

static spn_status check_others(const figure *f, spn_error *err)
{
    const char *by = f->raw->by, *also = f->raw->also;
    spn_status status = by ? check_against(f, "by", by, err) : SPN_OK;
    if (status)
        return status;
    if (by && strcmp(by, f->raw->x) == 0)
        return spn_spec_fail(f->spec, place_of(f, "by"), err, "'by' is the same as 'x'");
    if (also && !is_result(f, also))
        return no_result(f, "also", also, err);
    return also ? check_result(f, "also", also, place_of(f, "also"), err) : SPN_OK;
}

/* ---- conditions ---- */

/* What a condition may name: a setting, a result, or what every record has. */
static const char *condition_name(const void *task, size_t i)
{
    static const char *const others[] = {"run", "seed", "seconds", NULL};
    const xpn_task *t = task;
    size_t settings = 0, results = 0;
    while (t->settings[settings].name)
        settings++;
    while (t->results[results])
        results++;
    if (i < settings)
        return t->settings[i].name;
    return i - settings < results ? t->results[i - settings] : others[i - settings - results];
}

static spn_status check_condition(const figure *f, size_t number, spn_error *err)
{
    const char *text = f->raw->where[number];
    const spn_place place =
        spn_spec_at(spn_spec_item(f->spec, spn_spec_key(f->spec, f->node, "where"), number));
    const spn_record nothing = {0};
    spn_error why = {0};
    char name[64];
    bool holds;
    if (spn_record_matches(&holds, &nothing, text, &why))
        return spn_spec_fail(f->spec, place, err, "'where': %.400s", why.text);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "=!<> "), text);
    if (curve_of(name) >= 0 && curve_of(name) == curve_of(f->raw->value))
        return check_column(f, "where", name, curve_of(name), err);
    for (size_t i = 0; condition_name(f->spec->task, i); i++)
        if (strcmp(condition_name(f->spec->task, i), name) == 0)
            return is_result(f, name) ? check_result(f, "where", name, place, err) : SPN_OK;
    const char *nearest = spn_nearest_word(name, condition_name, f->spec->task);
    return spn_spec_fail(f->spec, place, err,
                         "'where': '%s' is neither a setting nor a result of %s%s%s%s", name,
                         f->spec->task->name, nearest ? "; did you mean " : "",
                         nearest ? nearest : "", nearest ? "?" : "");
}

/* ---- words ---- */

/* Which of two or three words a list has; no key: none. */
static spn_status read_words(bool *const flags[], const figure *f, const char *key,
                             char *const *texts, size_t count, const char *const *words,
                             spn_error *err)
{
    const yaml_node_t *list = spn_spec_key(f->spec, f->node, key);
    for (size_t k = 0; k < count; k++) {
        const spn_place place = spn_spec_at(spn_spec_item(f->spec, list, k));
        int word = 0;
        spn_status status = spn_spec_word(&word, f->spec, place, key, texts[k], words, err);
        if (status)
            return status;
        if (*flags[word])
            return spn_spec_fail(f->spec, place, err, "'%s' has %s twice", key, texts[k]);
        *flags[word] = true;
    }
    return SPN_OK;
}

static spn_status read_looks(spn_sweep_figure *out, const figure *f, spn_error *err)
{
    const char *kinds[SPN_FIGURE_KINDS + 1] = {NULL};
    bool *kind_flags[SPN_FIGURE_KINDS];
    static const char *const axes[] = {"x", "y", NULL};
    static const char *const intervals[] = {"bars", "bands", NULL};
    static const char *const bests[] = {"none", "lowest", "highest", NULL};
    bool *const axis_flags[] = {&out->log_x, &out->log_y};
    const spn_spec_figure *raw = f->raw;
    int interval = 0, best = 0;
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++) {
        kinds[k] = spn_figure_kind_at(k)->name;
        kind_flags[k] = &out->as[k];
    }
    spn_status status = read_words(kind_flags, f, "as", raw->as, raw->as_count, kinds, err);
    if (!status)
        status = read_words(axis_flags, f, "log", raw->log, raw->log_count, axes, err);
    if (!status)
        status = spn_spec_word(&interval, f->spec, place_of(f, "intervals"), "intervals",
                               raw->intervals, intervals, err);
    if (!status)
        status = spn_spec_word(&best, f->spec, place_of(f, "best"), "best", raw->best, bests, err);
    out->bands = interval == 1;
    out->best = (spn_best)best;
    if (raw->as_count == 0)
        out->as[SPN_FIGURE_LINES] = true;
    for (size_t k = 0; k < SPN_FIGURE_KINDS && !status; k++)
        if (out->as[k] && spn_figure_kind_at(k)->needs_by && !raw->by)
            status = spn_spec_fail(f->spec, place_of(f, "as"), err, "a figure as %s needs 'by'",
                                   kinds[k]);
    if (!status && raw->by_label && !raw->by)
        status = spn_spec_fail(f->spec, place_of(f, "by-label"), err, "'by-label' goes with 'by'");
    return status;
}

/* ---- figures ---- */

static spn_status check_name(const figure *f, size_t number, spn_error *err)
{
    spn_status status = spn_spec_name(f->spec, place_of(f, "name"), "name", f->raw->name, err);
    for (size_t k = 0; k < number && !status; k++)
        if (strcmp(f->spec->raw->figures[k].name, f->raw->name) == 0)
            status = spn_spec_fail(f->spec, place_of(f, "name"), err,
                                   "the figure %s is there twice", f->raw->name);
    return status;
}

/* A figure as heat writes NAME-heat.svg and so on, one as lines NAME.svg. */
static spn_status check_files(const spn_sweep *sweep, const spn_spec *spec, const yaml_node_t *list,
                              size_t number, spn_error *err)
{
    static const char ending[] = "-heat";
    const spn_sweep_figure *lines = &sweep->figures[number];
    const size_t length = strlen(lines->name), size = sizeof ending - 1;
    if (!lines->as[SPN_FIGURE_LINES] || length <= size ||
        strcmp(lines->name + length - size, ending) != 0)
        return SPN_OK;
    for (size_t k = 0; k < sweep->figure_count; k++) {
        const spn_sweep_figure *heat = &sweep->figures[k];
        if (heat->as[SPN_FIGURE_HEAT] && strlen(heat->name) == length - size &&
            strncmp(heat->name, lines->name, length - size) == 0)
            return spn_spec_fail(
                spec, spn_spec_at(spn_spec_key(spec, spn_spec_item(spec, list, number), "name")),
                err, "the figure %s as heat has files of this name, too; give one another name",
                heat->name);
    }
    return SPN_OK;
}

static spn_status copy_texts(spn_sweep_figure *out, const spn_spec_figure *raw, spn_error *err)
{
    const struct {
        char **to;
        const char *from;
    } texts[] = {{&out->name, raw->name},
                 {&out->title, raw->title},
                 {&out->x, raw->x},
                 {&out->by, raw->by},
                 {&out->value, raw->value},
                 {&out->also, raw->also},
                 {&out->x_label, raw->x_label},
                 {&out->label, raw->label},
                 {&out->by_label, raw->by_label},
                 {&out->reference, raw->reference},
                 {&out->reference_name, raw->reference_name}};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        status = spn_spec_copy(texts[k].to, texts[k].from, err);
    if (status || raw->where_count == 0)
        return status;
    out->where = spn_alloc(raw->where_count, sizeof *out->where);
    if (!out->where)
        return spn_spec_no_memory(err);
    for (; out->where_count < raw->where_count && !status; out->where_count++)
        status = spn_spec_copy(&out->where[out->where_count], raw->where[out->where_count], err);
    return status;
}

static spn_status read_figure(spn_sweep_figure *out, const figure *f, size_t number, spn_error *err)
{
    spn_status status = check_name(f, number, err);
    if (!status)
        status = check_value(f, err);
    if (!status)
        status = check_x(f, err);
    if (!status)
        status = check_others(f, err);
    for (size_t k = 0; k < f->raw->where_count && !status; k++)
        status = check_condition(f, k, err);
    if (!status && f->raw->reference_name && !f->raw->reference)
        status = spn_spec_fail(f->spec, place_of(f, "reference-name"), err,
                               "'reference-name' goes with 'reference'");
    if (!status)
        status = read_looks(out, f, err);
    return status ? status : copy_texts(out, f->raw, err);
}

spn_status spn_spec_figures(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    const yaml_node_t *list = spn_spec_key(spec, spn_spec_root(spec), "figures");
    const size_t count = spec->raw->figures_count;
    spn_status status = SPN_OK;
    out->figures = spn_alloc(count, sizeof *out->figures);
    if (!out->figures)
        return spn_spec_no_memory(err);
    for (size_t k = 0; k < count && !status; k++) {
        const figure f = {spec, out, spn_spec_item(spec, list, k), &spec->raw->figures[k]};
        out->figure_count++;
        status = read_figure(&out->figures[k], &f, k, err);
    }
    for (size_t k = 0; k < count && !status; k++)
        status = check_files(out, spec, list, k, err);
    return status;
}

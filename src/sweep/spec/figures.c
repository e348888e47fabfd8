/* Check the names in the figures of a specification. */
#include "base/tex.h"
#include "base/try.h"
#include "record/record.h"
#include "sweep/spec/spec.h"

#include <string.h>

typedef struct figure {
    const spn_spec *spec;
    const spn_sweep *sweep;
    const spn_node *node;
    spn_sweep_figure *it;
} figure;

static const spn_node *place_of(const figure *f, const char *key)
{
    const spn_node *node = spn_node_get(f->node, key);
    return node ? node : f->node;
}

/* ---- names ---- */

bool spn_spec_next_name(char out[SPN_SPEC_NAME], const char **rest)
{
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    snprintf(out, SPN_SPEC_NAME, "%.*s", (int)length, *rest);
    *rest = (*rest)[length] ? *rest + length + 1 : NULL;
    return true;
}

static const char *result_name(const void *task, size_t i)
{
    spn_quantity_walk walk = spn_quantity_walk_start(((const spn_task *)task)->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name && walk.row->kind != SPN_QUANTITY_MATRIX && i-- == 0)
            return walk.row->name;
    return NULL;
}

static const char *axis_name(const void *sweep, size_t i)
{
    const spn_sweep *s = sweep;
    return i < s->axis_count ? s->axes[i].setting : NULL;
}

static const char *condition_name(const void *task, size_t i)
{
    static const char *const others[] = {"run", "seed", "instance_seed", "seconds", NULL};
    spn_setting_walk walk = spn_setting_walk_start(((const spn_task *)task)->settings);
    for (size_t k = 0; others[k]; k++)
        if (i-- == 0)
            return others[k];
    while (spn_setting_walk_named(&walk))
        if (i-- == 0)
            return walk.setting->name;
    return result_name(task, i);
}

static bool has_name(const char *(*next)(const void *names, size_t i), const void *names,
                     const char *name)
{
    for (size_t i = 0; next(names, i); i++)
        if (strcmp(next(names, i), name) == 0)
            return true;
    return false;
}

/* what: what the name is not. */
static spn_status no_such(const figure *f, const spn_node *place, const char *key, const char *name,
                          const char *what, const char *(*next)(const void *names, size_t i),
                          const void *names)
{
    const char *nearest = spn_nearest_word(name, next, names);
    if (nearest && strcmp(nearest, name) == 0) /* it exists, but not for this figure */
        nearest = NULL;
    return spn_spec_fail(f->spec, place, "'%s': '%.60s' is %s%s%s%s", key, name, what,
                         nearest ? "; did you mean " : "", nearest ? nearest : "",
                         nearest ? "?" : "");
}

/* A result that figures can show; details must be kept. */
static spn_status check_result(const figure *f, const char *key, const char *name,
                               const spn_node *place)
{
    char what[96];
    const spn_quantity *q = spn_quantity_find(f->spec->task, name);
    snprintf(what, sizeof what, "no result of %s", f->spec->task->name);
    if (!q)
        return no_such(f, place, key, name, what, result_name, f->spec->task);
    if (q->flags & SPN_QUANTITY_DETAIL && !f->sweep->keep.replicas)
        return spn_spec_fail(f->spec, place, "'%s': %s is not kept; give keep: [replicas]", key,
                             name);
    return SPN_OK;
}

static spn_status check_number(const figure *f, const char *key, const char *name, bool column)
{
    const spn_node *place = place_of(f, key);
    SPN_TRY(check_result(f, key, name, place));
    const spn_quantity_kind kind = spn_quantity_find(f->spec->task, name)->kind;
    if (kind == SPN_QUANTITY_NUMBER || (column && kind == SPN_QUANTITY_COLUMN))
        return SPN_OK;
    return spn_spec_fail(f->spec, place, "'%s': %s is not a number of each run", key, name);
}

/* x or by: an axis, or another column of the value's curve. */
static spn_status check_against(const figure *f, const char *key, const char *name)
{
    if (spn_sweep_figure_has_row(f->it, name))
        return check_result(f, key, name, place_of(f, key));
    if (has_name(axis_name, f->sweep, name))
        return SPN_OK;
    return no_such(f, place_of(f, key), key, name, "no axis of the grid", axis_name, f->sweep);
}

static spn_status check_x(const figure *f)
{
    const bool spread = spn_sweep_figure_is_spread(f->it); /* which has no x */
    if (!f->it->x && !spread)
        return spn_spec_fail(f->spec, f->node, "'x' is missing");
    if (!f->it->x && !(f->it->x = strdup(SPN_FIGURE_NO_X)))
        return spn_spec_no_memory(f->spec);
    if (spread && strcmp(f->it->x, SPN_FIGURE_NO_X) == 0)
        return SPN_OK;
    const char *x = f->it->x, *by = f->it->by, *value = f->it->value;
    const spn_quantity *q = spn_quantity_find(f->spec->task, x);
    const bool curve = spn_curve_length(value) > 0;
    if (!curve && q && q->kind == SPN_QUANTITY_NUMBER && !has_name(axis_name, f->sweep, x))
        return check_result(f, "x", x, place_of(f, "x")); /* points are drawn at its mean */
    if (curve && !spn_sweep_figure_has_row(f->it, x) && !spn_sweep_figure_has_row(f->it, by) &&
        !spn_sweep_figure_holds_row(f->it)) {
        spn_quantity_walk walk = spn_quantity_walk_start(f->spec->task->results);
        while (spn_quantity_walk_next(&walk) &&
               (!walk.row->name || !spn_sweep_figure_has_row(f->it, walk.row->name)))
            ;
        const spn_quantity *first = walk.row; /* of the curve */
        return spn_spec_fail(f->spec, place_of(f, "x"),
                             "'x': with %s, x or by is a column of that curve, such as %s, or a "
                             "condition holds one fixed (where: [%s=...])",
                             value, first->name, first->name);
    }
    return check_against(f, "x", x);
}

static spn_status check_condition(const figure *f, size_t number)
{
    const char *text = f->it->where[number];
    const spn_node *place = spn_node_item(spn_node_get(f->node, "where"), number);
    const spn_record nothing = {0};
    spn_error why = {0};
    char name[64], what[96];
    bool holds;
    if (spn_record_matches(&holds, &nothing, text, &why))
        return spn_node_blame(place, f->spec->file, "'where': ", &why, f->spec->err);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "=!<> "), text);
    snprintf(what, sizeof what, "neither a setting nor a result of %s", f->spec->task->name);
    if (has_name(axis_name, f->sweep, name))
        return SPN_OK;
    if (!has_name(condition_name, f->spec->task, name) ||
        (spn_curve_length(name) > 0 && !spn_sweep_figure_has_row(f->it, name)))
        return no_such(f, place, "where", name, what, condition_name, f->spec->task);
    return spn_quantity_find(f->spec->task, name) ? check_result(f, "where", name, place) : SPN_OK;
}

/* ---- first hits ---- */

/* Whether x, by or a condition separates the values of an axis. */
static bool is_apart(const figure *f, const char *name)
{
    if (strcmp(f->it->x, name) == 0 || (f->it->by && strcmp(f->it->by, name) == 0))
        return true;
    for (size_t k = 0; k < f->it->where_count; k++)
        if (spn_condition_fixes(f->it->where[k], name))
            return true;
    return false;
}

/* Runs of different lengths are not one sample. */
static spn_status check_lengths(const figure *f)
{
    static const char *const lengths[] = {"steps", "sweeps", "scans", "time", NULL};
    const char *rest = f->it->over;
    char over[SPN_SPEC_NAME];
    while (spn_spec_next_name(over, &rest)) {
        if (!has_name(axis_name, f->sweep, over) && f->sweep->joined_count == 0)
            return no_such(f, place_of(f, "over"), "over", over, "no axis of the grid", axis_name,
                           f->sweep);
        if (is_apart(f, over))
            return spn_spec_fail(f->spec, place_of(f, "over"),
                                 "'over': %s is x, by or held by a condition as well", over);
    }
    if (f->sweep->joined_count > 0 && f->it->tts == SPN_TTS_NONE)
        return SPN_OK; /* each folder may have a length of its own, chosen by another condition */
    for (size_t a = 0; a < f->sweep->axis_count; a++)
        for (size_t k = 0; lengths[k]; k++) {
            bool apart = is_apart(f, lengths[k]);
            for (rest = f->it->over; spn_spec_next_name(over, &rest);)
                apart |= strcmp(over, lengths[k]) == 0;
            if (strcmp(f->sweep->axes[a].setting, lengths[k]) == 0 && f->sweep->axes[a].count > 1 &&
                !apart)
                return spn_spec_fail(f->spec, f->node,
                                     "runs of several %s would be taken together; give over: %s "
                                     "for the best, or hold it (where: [%s=...])",
                                     lengths[k], lengths[k], lengths[k]);
        }
    return SPN_OK;
}

static spn_status check_tts(const figure *f)
{
    const spn_sweep_figure *it = f->it;
    const char *key = it->also ? "also" : it->guide ? "guide" : it->reference ? "reference" : NULL;
    if (it->tts == SPN_TTS_NONE && (it->over || it->each))
        return spn_spec_fail(f->spec, f->node, "'%s' needs 'tts'", it->over ? "over" : "each");
    if (it->tts == SPN_TTS_NONE)
        return SPN_OK;
    if (key || it->as[SPN_FIGURE_HISTOGRAM] || it->fit)
        return spn_spec_fail(f->spec, key ? place_of(f, key) : f->node,
                             "'%s' cannot be combined with 'tts'",
                             key       ? key
                             : it->fit ? "fit"
                                       : "as: histogram");
    if (it->each && !has_name(condition_name, f->spec->task, it->each) &&
        !has_name(axis_name, f->sweep, it->each))
        return no_such(f, place_of(f, "each"), "each", it->each,
                       "neither a setting nor what every run has", condition_name, f->spec->task);
    return check_against(f, "x", it->x);
}

static spn_status check_hits(const figure *f)
{
    const spn_sweep_figure *it = f->it;
    const bool survival = it->as[SPN_FIGURE_SURVIVAL];
    SPN_TRY(check_tts(f));
    if (it->tts == SPN_TTS_NONE && !survival)
        return SPN_OK;
    if (!spn_hit_unit(it->value))
        return spn_spec_fail(f->spec, place_of(f, "value"),
                             "'value': %s is no first hit; it is first_hit_steps, "
                             "first_hit_proposals or first_hit_seconds",
                             it->value);
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++)
        if (survival && it->as[k] && k != SPN_FIGURE_SURVIVAL)
            return spn_spec_fail(f->spec, place_of(f, "as"),
                                 "'as': survival is a figure of its own, without %s",
                                 spn_figure_kind_at(k)->name);
    if (survival && (it->tts != SPN_TTS_NONE || it->trends[0] || it->trends[1]))
        return spn_spec_fail(f->spec, f->node, "'%s' cannot be combined with as: [survival]",
                             it->tts != SPN_TTS_NONE ? "tts" : "trend");
    return check_lengths(f);
}

/* ---- figures ---- */

/* Formulas of TeX in texts. */
static spn_status check_formulas(const figure *f)
{
    const char *const texts[][2] = {{"title", f->it->title},
                                    {"x-label", f->it->x_label},
                                    {"label", f->it->label},
                                    {"by-label", f->it->by_label}};
    char plain[512];
    spn_error why = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k][1] && spn_tex_plain(plain, sizeof plain, texts[k][1], &why))
            return spn_spec_fail(f->spec, place_of(f, texts[k][0]), "'%s': %s", texts[k][0],
                                 why.text);
    return SPN_OK;
}

/* Keys that need another. */
static spn_status check_pairs(const figure *f)
{
    SPN_TRY(check_formulas(f));
    if (f->it->by && strcmp(f->it->by, f->it->x) == 0)
        return spn_spec_fail(f->spec, place_of(f, "by"), "'by' is the same as 'x'");
    if (f->it->by_label && !f->it->by)
        return spn_spec_fail(f->spec, place_of(f, "by-label"), "'by-label' needs 'by'");
    if (f->it->reference_name && !f->it->reference)
        return spn_spec_fail(f->spec, place_of(f, "reference-name"),
                             "'reference-name' needs 'reference'");
    return SPN_OK;
}

static spn_status check_value(const figure *f)
{
    const char *rest = f->it->value;
    char name[SPN_SPEC_NAME];
    while (spn_spec_next_name(name, &rest)) {
        SPN_TRY(check_number(f, "value", name, true));
        if ((spn_curve_length(name) > 0) != spn_sweep_figure_has_row(f->it, name))
            return spn_spec_fail(f->spec, place_of(f, "value"),
                                 "'value': %s is not of the same curve as the results before it",
                                 name);
    }
    return SPN_OK;
}

static spn_status check_figure(const figure *f)
{
    const spn_sweep_figure *it = f->it;
    SPN_TRY(check_value(f));
    SPN_TRY(check_x(f));
    if (it->by)
        SPN_TRY(check_against(f, "by", it->by));
    if (it->also)
        SPN_TRY(check_number(f, "also", it->also, false));
    if (it->guide)
        SPN_TRY(check_number(f, "guide", it->guide, false));
    for (size_t k = 0; k < it->where_count; k++)
        SPN_TRY(check_condition(f, k));
    SPN_TRY(check_pairs(f));
    SPN_TRY(check_hits(f));
    bool any = false;
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++) {
        any |= f->it->as[k];
        if (f->it->as[k] && spn_figure_kind_at(k)->needs_by && !f->it->by)
            return spn_spec_fail(f->spec, place_of(f, "as"), "a figure as %s needs 'by'",
                                 spn_figure_kind_at(k)->name);
    }
    if (!any)
        f->it->as[SPN_FIGURE_LINES] = true;
    return SPN_OK;
}

static bool share_files(const spn_sweep_figure *a, const spn_sweep_figure *b)
{
    char first[96], second[96];
    for (size_t i = 0; i < SPN_FIGURE_KINDS; i++) {
        for (size_t j = 0; j < SPN_FIGURE_KINDS; j++) {
            snprintf(first, sizeof first, "%s%s", a->name, spn_figure_kind_at(i)->ending);
            snprintf(second, sizeof second, "%s%s", b->name, spn_figure_kind_at(j)->ending);
            if (a->as[i] && b->as[j] && strcmp(first, second) == 0)
                return true;
        }
    }
    return false;
}

static spn_status check_files(const figure *f, size_t number)
{
    for (size_t k = 0; k < number; k++) {
        const spn_sweep_figure *other = &f->sweep->figures[k];
        if (strcmp(other->name, f->it->name) == 0)
            return spn_spec_fail(f->spec, place_of(f, "name"), "the figure %s is there twice",
                                 other->name);
        if (share_files(other, f->it))
            return spn_spec_fail(f->spec, place_of(f, "name"),
                                 "the figure %s has files of this name, too; give one another name",
                                 other->name);
    }
    return SPN_OK;
}

spn_status spn_spec_check_figure(spn_sweep *sweep, const spn_spec *spec, size_t k)
{
    const figure f = {spec, sweep, spn_spec_figure(spec, k), &sweep->figures[k]};
    SPN_TRY(check_figure(&f));
    return check_files(&f, k);
}

spn_status spn_spec_figures(spn_sweep *sweep, const spn_spec *spec)
{
    enum { MOST = 1000 };
    if (sweep->figure_count > MOST)
        return spn_spec_fail(spec, spn_node_get(&spec->root, "figures"), "%zu figures; at most %d",
                             sweep->figure_count, MOST);
    for (size_t k = 0; k < sweep->figure_count; k++)
        SPN_TRY(spn_spec_check_figure(sweep, spec, k));
    return SPN_OK;
}

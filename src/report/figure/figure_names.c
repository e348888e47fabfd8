/* Texts of figures: titles, labels, run counts, and the result of the comparison. */
#include "base/number.h"
#include "base/tex.h"
#include "query/query.h"
#include "record/record.h"
#include "report/figure/hits.h"
#include <spinney/lab/task.h>

#include <math.h>
#include <string.h>

static const char *words_of(char out[SPN_LABEL], const spn_sweep_figure *request, const char *name,
                            bool setting)
{
    _Static_assert((int)SPN_LABEL == (int)SPN_NAME_WORDS, "room for words");
    return request->task && !strchr(name, ',') ? spn_task_words(out, request->task, name, setting)
                                               : name;
}

/* A text of the user, without its TeX; formulas were checked with the specification. */
static const char *plain(char out[SPN_LABEL], const char *text)
{
    const char *end;
    return spn_tex_formula(&end, text) && !spn_tex_plain(out, SPN_LABEL, text, NULL) ? out : text;
}

const char *spn_figure_title(char out[SPN_TITLE], const spn_sweep_figure *request)
{
    char words[SPN_LABEL], x_words[SPN_LABEL];
    const char *end;
    if (request->title && spn_tex_formula(&end, request->title) &&
        !spn_tex_plain(out, SPN_TITLE, request->title, NULL))
        return out;
    if (request->title)
        return request->title;
    const char *label = request->label ? plain(words, request->label)
                                       : words_of(words, request, request->value, false);
    const char *x = spn_figure_x_label(x_words, request);
    if (request->as[SPN_FIGURE_SURVIVAL])
        return strcpy(out, "Runs not yet solved");
    if (request->tts != SPN_TTS_NONE) {
        snprintf(out, SPN_TITLE, "Time to solution against %.*s", spn_fit(x, 180), x);
        return out;
    }
    if (spn_sweep_figure_is_spread(request))
        snprintf(out, SPN_TITLE, "Distribution of %.*s", spn_fit(label, 180), label);
    else
        snprintf(out, SPN_TITLE, "%.*s against %.*s", spn_fit(label, 180), label, spn_fit(x, 180),
                 x);
    for (char *c = out; !request->label && !request->task && *c && *c != ' '; c++)
        if (*c == '_')
            *c = ' ';
    return out;
}

const char *spn_figure_x_label(char out[SPN_LABEL], const spn_sweep_figure *request)
{
    return request->x_label ? plain(out, request->x_label)
                            : words_of(out, request, request->x, true);
}

const char *spn_figure_by_label(char out[SPN_LABEL], const spn_sweep_figure *request)
{
    if (request->by_label || !request->by)
        return request->by_label ? plain(out, request->by_label) : NULL;
    return words_of(out, request, request->by, true);
}

const char *spn_figure_reference_name(const spn_sweep_figure *request)
{
    return request->reference_name ? request->reference_name : "reference";
}

double spn_value_factor(const char *name)
{
    return spn_is_share(name) ? 100 : 1;
}

int spn_fit(const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length > most)
        for (length = most; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    return (int)length;
}

const char *spn_figure_label(char out[SPN_LABEL], const spn_sweep_figure *request)
{
    char words[SPN_LABEL];
    const char *label = request->label ? plain(words, request->label)
                                       : words_of(words, request, request->value, false);
    const bool percent = spn_value_factor(request->value) == 100 && !strchr(label, '%');
    if (request->tts != SPN_TTS_NONE && !request->label) {
        snprintf(out, SPN_LABEL, "time to solution at 99%% (%s)", spn_figure_unit(request));
        return out;
    }
    snprintf(out, SPN_LABEL, "%.*s%s", spn_fit(label, SPN_LABEL - 8), label, percent ? " (%)" : "");
    return out;
}

const char *spn_figure_also_label(char out[SPN_LABEL], const spn_sweep_figure *request)
{
    char words[SPN_LABEL];
    const char *label = words_of(words, request, request->also, false);
    const bool percent = spn_value_factor(request->also) == 100;
    snprintf(out, SPN_LABEL, "%.*s%s", spn_fit(label, 100), label, percent ? " (%)" : "");
    return out;
}

const char *spn_figure_runs(char out[SPN_RUNS_TEXT], const spn_report_figure *figure)
{
    size_t least = SIZE_MAX, most = 0;
    SPN_EACH_CELL (cell, figure) {
        const size_t count = cell->ours.count;
        if (count == 0)
            continue;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (most == 0)
        snprintf(out, SPN_RUNS_TEXT, "no run");
    else if (least == most)
        snprintf(out, SPN_RUNS_TEXT, "%zu run%s", most, most == 1 ? "" : "s");
    else
        snprintf(out, SPN_RUNS_TEXT, "%zu to %zu runs", least, most);
    return out;
}

const char *spn_figure_interval_text(const spn_report_figure *figure)
{
    if (figure->request->tts != SPN_TTS_NONE)
        return figure->request->each ? "median of the instances [95% interval]"
                                     : "time [95% interval], all instances pooled,";
    SPN_EACH_CELL (cell, figure)
        if (cell->ours.trials > 0)
            return "share [95% interval by Wilson's score]";
    return "mean ± half the 95% interval (Student's t)";
}

bool spn_figure_is_single(const spn_report_figure *figure)
{
    SPN_EACH_CELL (cell, figure)
        if (cell->ours.count > 1)
            return false;
    return true;
}

const char *spn_cell_mark(const spn_report_cell *cell)
{
    return cell->has_reference && fabs(cell->difference) > 1 ? SPN_DAGGER : "";
}

const char *spn_figure_mark_text(char out[SPN_VERDICT], const spn_report_figure *figure)
{
    *out = 0;
    const char *name = spn_figure_reference_name(figure->request);
    if (figure->compared > figure->within)
        snprintf(out, SPN_VERDICT, SPN_DAGGER " outside the joint 95%% interval of the %.*s",
                 spn_fit(name, 64), name);
    return out;
}

const char *spn_figure_verdict(char out[SPN_VERDICT], const spn_report_figure *figure)
{
    *out = 0;
    const char *name = spn_figure_reference_name(figure->request);
    if (figure->compared > 0)
        snprintf(out, SPN_VERDICT, "%zu of %zu within the joint 95%% interval of the %.*s",
                 figure->within, figure->compared, spn_fit(name, 64), name);
    return out;
}

const char *spn_figure_bounds(char out[SPN_VERDICT], const spn_report_figure *figure)
{
    size_t bounds = 0;
    *out = 0;
    SPN_EACH_CELL (cell, figure)
        bounds += cell->length_count > 0 && isnan(cell->ours.mean);
    if (bounds > 0)
        snprintf(out, SPN_VERDICT, "%zu point%s, where too few runs were solved", bounds,
                 bounds == 1 ? " is a lower bound" : "s are lower bounds");
    if (figure->unsearched > 0)
        spn_print_more(out, SPN_VERDICT, "%s%zu run%s left out", bounds > 0 ? "; " : "",
                       figure->unsearched,
                       figure->unsearched == 1 ? " without a target is" : "s without a target are");
    return out;
}

const char *spn_figure_unshown(char out[SPN_VERDICT], const spn_report_figure *figure)
{
    size_t zeros = 0, below = 0, shown = 0;
    *out = 0;
    SPN_EACH_CELL (cell, figure) {
        const double mean = cell->ours.mean;
        zeros += mean == 0;
        below += mean < 0;
        shown += mean > 0;
    }
    const bool lines = figure->request->as[SPN_FIGURE_LINES] && figure->request->log_y;
    if (lines && shown > 0 && zeros + below > 0)
        snprintf(out, SPN_VERDICT, "%zu point%s at 0%s %s not shown on the logarithmic axis",
                 zeros + below, zeros + below == 1 ? "" : "s", below ? " or below" : "",
                 zeros + below == 1 ? "is" : "are");
    return out;
}

static bool is_over(const spn_sweep_figure *request, const char *setting)
{
    const size_t length = strlen(setting);
    for (const char *name = request->over; name; name = strchr(name, ',')) {
        name += *name == ',';
        if (strncmp(name, setting, length) == 0 && (name[length] == ',' || !name[length]))
            return true;
    }
    return false;
}

static bool is_held(const spn_sweep_figure *request, const spn_axis *axis)
{
    if (axis->count < 2 || strcmp(axis->setting, request->x) == 0 ||
        (request->by && strcmp(axis->setting, request->by) == 0) || is_over(request, axis->setting))
        return true;
    for (size_t w = 0; w < request->where_count; w++)
        if (spn_condition_fixes(request->where[w], axis->setting))
            return true;
    return false;
}

const char *spn_figure_mixed(char out[SPN_LABEL], const spn_report_figure *figure)
{
    const spn_sweep *sweep = figure->sweep;
    *out = 0;
    if (figure->x_measured && !strchr(figure->request->x, '.') &&
        !spn_sweep_figure_is_spread(figure->request))
        return out; /* each point of the grid is its own point */
    for (size_t a = 0; a < sweep->axis_count; a++)
        if (!is_held(figure->request, &sweep->axes[a]))
            spn_print_more(out, SPN_LABEL, "%s%s", *out ? ", " : "", sweep->axes[a].setting);
    return out;
}

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"
#include "report/figure/hits.h"
#include "report/page/page.h"
#include "report/written.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct report {
    const spn_records *records;
    const spn_report_options *options;
    size_t count;
    spn_report_figure *figures;
    char **missing;                    /* for each: NULL, or why there is nothing to show */
    bool (*undrawn)[SPN_FIGURE_KINDS]; /* for each figure and kind: gnuplot failed */
    size_t failures;                   /* of gnuplot */
    spn_error failure;                 /* the first of them */
    spn_written written;               /* into the folder of figures */
} report;

/* ---- summing up ---- */

/* A figure without data is no error: the sweep may not be that far. */
static spn_status make_figure(report *r, size_t k, spn_error *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    spn_error problem = {0};
    const spn_sweep_figure *request = &r->records->sweep->figures[k];
    const char *name = request->name; /* for file names and scripts */
    if (!*name || name[strspn(name, allowed)] || strlen(name) > 100)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s/sweep.json: a figure is called '%.100s'; expected up to 100 letters, "
                        "digits and -",
                        r->records->folder, name);
    spn_status status = spn_report_figure_make(&r->figures[k], r->records, request, &problem);
    if (status == SPN_ERROR_ARGUMENT)
        return (r->missing[k] = strdup(problem.text)) ? SPN_OK : spn_no_memory(err, "the report");
    return status ? spn_fail(err, status, "%s", problem.text) : SPN_OK;
}

/* "gamma: 8 points, 7 of 8 within the joint 95% interval of the paper", or why there is nothing. */
static void tell_figure(const report *r, size_t k)
{
    const spn_report_figure *figure = &r->figures[k];
    char line[SPN_TITLE + 3 * SPN_VERDICT], verdict[SPN_VERDICT], unshown[SPN_VERDICT],
        bounds[SPN_VERDICT];
    size_t points = 0;
    if (!r->options->told)
        return;
    if (r->missing[k]) {
        r->options->told(r->options->context, r->missing[k]);
        return;
    }
    SPN_EACH_CELL (cell, figure)
        points += cell->ours.count > 0;
    const bool spread = spn_sweep_figure_is_spread(figure->request);
    for (size_t c = 0; spread && c < figure->count; c++)
        points += figure->curves[c].value_count + figure->curves[c].hit_count;
    spn_figure_verdict(verdict, figure);
    spn_figure_unshown(unshown, figure);
    snprintf(line, sizeof line, "%s: %zu %s%s%s%s%s%s", figure->request->name, points,
             !spread                                    ? "point"
             : figure->request->as[SPN_FIGURE_SURVIVAL] ? "run"
                                                        : "value",
             points == 1 ? "" : "s", *verdict ? ", " : "", verdict, *unshown ? "; " : "", unshown);
    if (*spn_figure_bounds(bounds, figure))
        spn_print_more(line, sizeof line, "; %s", bounds);
    r->options->told(r->options->context, line);
}

/* One line for each curve with first hits or trends. Returns false without memory. */
static bool tell_curves(const report *r, size_t k)
{
    const spn_report_figure *figure = &r->figures[k];
    char text[SPN_TRENDS_TEXT], line[SPN_TRENDS_TEXT + SPN_LABEL];
    _Static_assert((int)SPN_TRENDS_TEXT >= (int)SPN_HITS_TEXT, "room for either");
    for (size_t c = 0; !r->missing[k] && r->options->told && c < figure->count; c++) {
        if (!spn_curve_hits(text, figure, c))
            return false;
        if (!*text && !*spn_curve_trends(text, figure, c))
            continue;
        const char *name = figure->curves[c].name;
        snprintf(line, sizeof line, "  %.*s: %s", spn_fit(name, 120), name, text);
        r->options->told(r->options->context, line);
    }
    return true;
}

static spn_status make_figures(report *r, spn_error *err)
{
    const size_t count = r->records->sweep->figure_count;
    r->figures = spn_alloc(count, sizeof *r->figures);
    r->missing = spn_alloc(count, sizeof *r->missing);
    r->undrawn = spn_alloc(count, sizeof *r->undrawn);
    SPN_NEED(r->figures && r->missing && r->undrawn, err, "the report");
    for (size_t k = 0; k < count; k++)
        r->records->sweep->figures[k].task = r->records->sweep->task;
    while (r->count < count)
        SPN_TRY(make_figure(r, r->count++,
                            err)); /* counted first, so that it is cleared after an error */
    for (size_t k = 0; k < count; k++) {
        tell_figure(r, k);
        SPN_NEED(tell_curves(r, k), err, "the report");
    }
    return SPN_OK;
}

static void clear(report *r)
{
    for (size_t k = 0; k < r->count; k++) {
        spn_report_figure_clear(&r->figures[k]);
        free(r->missing[k]);
    }
    SPN_FREE_ALL(r->figures, r->missing, r->undrawn);
    spn_written_clear(&r->written);
}

/* ---- files ---- */

static void tell(const report *r, const char *path)
{
    if (r->options->wrote)
        r->options->wrote(r->options->context, path);
}

static void note(report *r, const char *path)
{
    spn_written_add(&r->written, path);
    tell(r, path);
}

static char *path_of(const report *r, const spn_report_figure *figure, const char *ending)
{
    return spn_text_new("%s/%s%s", r->options->figures, figure->request->name, ending);
}

static spn_status write_file(report *r, const spn_report_figure *figure, const spn_grid *grid,
                             const char *ending, spn_figure_writer *write, spn_error *err)
{
    char *path = path_of(r, figure, ending);
    spn_file *file = NULL;
    spn_status status;
    SPN_TRY_OR(cleanup,
               path ? spn_file_create(&file, path, err) : spn_no_memory(err, "the report"));
    status = write(spn_file_stream(file), figure, grid) ? SPN_OK : spn_no_memory(err, "the report");
    SPN_TRY_OR(cleanup, spn_file_end(file, status, err));
    note(r, path);
cleanup:
    free(path);
    return status;
}

enum { FORMATS = 3 };
static const char *const formats[FORMATS] = {".svg", ".pdf", ".png"};

/* Draw under temporary names, then rename. If gnuplot fails, the other figures go on, and older
   pictures of this one are removed. */
static spn_status draw(report *r, size_t k, size_t kind, spn_error *err)
{
    const char *figure = r->figures[k].request->name, *stem = spn_figure_kind_at(kind)->ending;
    char temporary[SPN_FILE_ENDING], settings[SPN_FILE_ENDING + 16], name[160], script[160];
    char *path[FORMATS] = {NULL};
    spn_file *file[FORMATS] = {NULL};
    spn_error failure = {0};
    spn_status status;
    if (!spn_file_ending(temporary))
        return spn_file_fail(r->options->figures, "no random numbers", err);
    for (size_t f = 0; f < FORMATS; f++) {
        snprintf(name, sizeof name, "%s%s", stem, formats[f]);
        if (!(path[f] = path_of(r, &r->figures[k], name)))
            SPN_TRY_OR(cleanup, spn_no_memory(err, "the report"));
        SPN_TRY_OR(cleanup, spn_file_create_under(&file[f], path[f], temporary, err));
    }
    snprintf(name, sizeof name, "figure %s%s", figure, stem);
    snprintf(script, sizeof script, "%s%s.gp", figure, stem);
    snprintf(settings, sizeof settings, "ending='%s'", temporary);
    if (spn_gnuplot_run(r->options->figures, settings, script, name, &failure)) {
        r->undrawn[k][kind] = true;
        if (r->failures++ == 0)
            r->failure = failure;
    }
    for (size_t f = 0; f < FORMATS; f++) {
        if (r->undrawn[k][kind]) {
            unlink(path[f]);
            continue;
        }
        status = spn_file_commit(file[f], err);
        file[f] = NULL;
        SPN_TRY_OR(cleanup, status);
        note(r, path[f]);
    }
cleanup:
    for (size_t f = 0; f < FORMATS; f++) {
        spn_file_discard(file[f]);
        free(path[f]);
    }
    return status;
}

static spn_status write_kind(report *r, size_t k, size_t kind, const spn_grid *grid, spn_error *err)
{
    const spn_drawing *drawing = spn_drawings[kind];
    const char *stem = spn_figure_kind_at(kind)->ending;
    char ending[24];
    if (drawing->text) { /* first, because a script may draw from it */
        snprintf(ending, sizeof ending, "%s%s", stem, drawing->text_ending);
        SPN_TRY(write_file(r, &r->figures[k], grid, ending, drawing->text, err));
    }
    if (!drawing->script)
        return SPN_OK;
    snprintf(ending, sizeof ending, "%s.gp", stem);
    SPN_TRY(write_file(r, &r->figures[k], grid, ending, drawing->script, err));
    return r->options->pictures ? draw(r, k, kind, err) : SPN_OK;
}

static spn_status write_figure(report *r, size_t k, spn_error *err)
{
    const spn_report_figure *figure = &r->figures[k];
    const spn_sweep_figure *request = figure->request;
    const struct {
        bool wanted;
        const char *ending;
        spn_figure_writer *write;
    } tables[] = {{!spn_sweep_figure_is_spread(request), ".csv", spn_figure_csv},
                  {request->as[SPN_FIGURE_TABLE], ".tex", spn_figure_tex},
                  {request->fit, "-fit.csv", spn_figure_fit_csv},
                  {request->trends[0] || request->trends[1], "-trend.csv", spn_figure_trends_csv},
                  {request->tts != SPN_TTS_NONE, "-lengths.csv", spn_figure_lengths_csv}};
    spn_grid grid;
    spn_status status = SPN_OK;
    if (!spn_grid_make(&grid, figure))
        return spn_no_memory(err, "the report");
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (tables[t].wanted)
            SPN_TRY_OR(cleanup,
                       write_file(r, figure, &grid, tables[t].ending, tables[t].write, err));
    for (size_t kind = 0; kind < SPN_FIGURE_KINDS; kind++)
        if (request->as[kind])
            SPN_TRY_OR(cleanup, write_kind(r, k, kind, &grid, err));
cleanup:
    spn_grid_clear(&grid);
    return status;
}

static spn_status write_figures(report *r, spn_error *err)
{
    const char *folder = r->options->figures;
    struct stat info;
    SPN_TRY(spn_file_make_folders(folder, err));
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: cannot be made: it is a file", folder);
    for (size_t k = 0; k < r->count; k++)
        if (!r->missing[k])
            SPN_TRY(write_figure(r, k, err));
    return spn_written_settle(&r->written, folder, !r->options->pictures, err);
}

/* ---- the page ---- */

static spn_status write_page(const report *r, spn_error *err)
{
    spn_assets assets = spn_assets_built_in();
    if (r->options->still)
        assets.chart_script = assets.chart_style = assets.chart_licence = (spn_span){0};
    const spn_page page = {.records = r->records,
                           .count = r->count,
                           .figures = r->figures,
                           .missing = (const char *const *)r->missing,
                           .undrawn = (const bool(*)[SPN_FIGURE_KINDS])r->undrawn,
                           .assets = &assets,
                           .pictures = r->options->pictures ? r->options->figures : NULL};
    spn_file *file;
    SPN_TRY(spn_file_create(&file, r->options->page, err));
    SPN_TRY(spn_file_end(file, spn_page_write(spn_file_stream(file), &page, err), err));
    tell(r, r->options->page);
    return SPN_OK;
}

spn_status spn_report_write(const spn_records *records, const spn_report_options *options,
                            spn_error *err)
{
    report r = {.records = records, .options = options};
    spn_status status;
    SPN_TRY_OR(cleanup, make_figures(&r, err));
    if (options->figures)
        SPN_TRY_OR(cleanup, write_figures(&r, err));
    if (options->page)
        SPN_TRY_OR(cleanup, write_page(&r, err));
    if (r.failures > 0)
        status = r.failures == 1 ? spn_fail(err, r.failure.status, "%s", r.failure.text)
                                 : spn_fail(err, r.failure.status, "%.400s; and on %zu more",
                                            r.failure.text, r.failures - 1);
cleanup:
    clear(&r);
    return status;
}

spn_status spn_report_restrict(spn_sweep *sweep, const char *const *where, size_t count,
                               spn_error *err)
{
    const spn_record none = {0};
    spn_error why = {0};
    bool matches;
    for (size_t k = 0; k < count; k++)
        if (spn_record_matches(&matches, &none, where[k], &why))
            return spn_fail(err, why.status, "where: %.480s", why.text);
    for (size_t k = 0; k < sweep->figure_count; k++) {
        spn_sweep_figure *figure = &sweep->figures[k];
        char **grown = realloc(figure->where, (figure->where_count + count + 1) * sizeof *grown);
        SPN_NEED(grown, err, "the report");
        figure->where = grown;
        for (size_t w = 0; w < count; w++, figure->where_count++)
            SPN_NEED(grown[figure->where_count] = strdup(where[w]), err, "the report");
    }
    return SPN_OK;
}

bool spn_report_can_draw(void)
{
    return spn_gnuplot_found();
}

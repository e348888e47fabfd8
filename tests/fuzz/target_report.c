/* From the files of a folder to its report: sweep.json and the manifest, both with right checksums,
   the view, the tables, every figure in every kind, and the page; a joint specification; the list
   of what a report wrote. */
#include "check.h"
#include "record/record.h"
#include "seal.h"
#include "targets.h"

#include "report/figure/figure.h"
#include "report/figure/hits.h"
#include "report/figure/script.h"
#include "report/page/page.h"
#include "sweep/folder.h"

#include <stdio.h>

/* Where references and the parts of joint reports are. */
#define FOLDER SPN_TESTS "/fuzz/folder"

static FILE *open_text(char **out, size_t *size)
{
    FILE *stream = open_memstream(out, size);
    require(stream != NULL);
    return stream;
}

/* ---- figures ---- */

static void write_kinds(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    for (size_t kind = 0; kind < SPN_FIGURE_KINDS; kind++) {
        const spn_drawing *drawing = spn_drawings[kind];
        if (!figure->request->as[kind])
            continue;
        if (drawing->script)
            drawing->script(stream, figure, grid);
        if (drawing->text)
            drawing->text(stream, figure, grid);
        if (drawing->page)
            drawing->page(stream, figure, grid);
    }
}

/* All that report.c writes of a figure. */
static void write_figure(const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    spn_grid grid;
    char *text, trend[SPN_TRENDS_TEXT];
    size_t size;
    FILE *stream = open_text(&text, &size);
    require(spn_grid_make(&grid, figure));
    if (!spn_sweep_figure_is_spread(request))
        spn_figure_csv(stream, figure, &grid);
    if (request->fit)
        spn_figure_fit_csv(stream, figure, &grid);
    if (request->trends[0] || request->trends[1])
        spn_figure_trends_csv(stream, figure, &grid);
    if (request->tts != SPN_TTS_NONE)
        spn_figure_lengths_csv(stream, figure, &grid);
    for (size_t c = 0; c < figure->count; c++) {
        (void)spn_curve_trends(trend, figure, c);
        (void)spn_curve_hits(trend, figure, c);
    }
    write_kinds(stream, figure, &grid);
    spn_grid_clear(&grid);
    require(fclose(stream) == 0);
    free(text);
}

/* ---- the page ---- */

/* What the page's scripts are given is JSON, and nothing in it ends the script. */
static void check_page_data(const spn_page *page)
{
    char *text;
    size_t size;
    spn_error err = {0};
    FILE *stream = open_text(&text, &size);
    const spn_status status = spn_page_data(stream, page, &err);
    require(fclose(stream) == 0);
    check_error(status, &err, NULL);
    if (status == SPN_OK) {
        spn_json_tree tree;
        spn_json_fault fault;
        require(spn_json_load(&tree, text, size, &fault) == SPN_OK && !memchr(text, '<', size));
        spn_json_unload(&tree);
    }
    free(text);
}

static void write_page(const spn_page *page)
{
    char *text;
    size_t size;
    spn_error err = {0};
    FILE *stream = open_text(&text, &size);
    check_error(spn_page_write(stream, page, &err), &err, NULL);
    require(fclose(stream) == 0);
    free(text);
}

/* Every figure that can be made, and why others cannot; false where the report would end. */
static bool make_figures(spn_report_figure *figures, char **missing, const spn_records *records)
{
    bool good = true;
    for (size_t k = 0; k < records->sweep->figure_count; k++) {
        spn_error err = {0};
        spn_sweep_figure *request = &records->sweep->figures[k];
        request->task = records->sweep->task;
        const spn_status status = spn_report_figure_make(&figures[k], records, request, &err);
        check_error(status, &err, NULL);
        if (status == SPN_OK)
            write_figure(&figures[k]);
        else
            require((missing[k] = strdup(err.text)) != NULL);
        good = good && (status == SPN_OK || status == SPN_ERROR_ARGUMENT);
    }
    return good;
}

static void report(const spn_records *records)
{
    enum { MOST = 8 };
    static const spn_assets none;
    const size_t count = records->sweep->figure_count;
    spn_report_figure figures[MOST] = {{0}};
    char *missing[MOST] = {NULL};
    if (count > MOST)
        return;
    const bool good = make_figures(figures, missing, records);
    const spn_page page = {.records = records,
                           .count = count,
                           .figures = figures,
                           .missing = (const char *const *)missing,
                           .assets = &none};
    if (good) {
        check_page_data(&page);
        write_page(&page);
    }
    for (size_t k = 0; k < count; k++) {
        if (!missing[k])
            spn_report_figure_clear(&figures[k]);
        free(missing[k]);
    }
}

/* ---- records ---- */

static void write_records(const spn_records *records)
{
    enum { MOST = 16 };
    const spn_record *list[MOST] = {NULL};
    const size_t count = records->count < MOST ? records->count : MOST;
    char *text;
    spn_error err = {0};
    for (size_t k = 0; k < count; k++)
        list[k] = &records->records[k];
    require(spn_records_csv(&text, list, count, NULL, NULL, 0, &err) == SPN_OK);
    free(text);
    for (size_t k = 0; k < count; k++) {
        spn_json json = {0};
        require(spn_json_begin(&json, &err) == SPN_OK);
        spn_record_put(&json, list[k]);
        require(spn_json_finish(&text, NULL, &json, &err) == SPN_OK);
        free(text);
    }
    (void)spn_records_tally(records);
}

static void use(spn_records *records)
{
    write_records(records);
    report(records);
    spn_records_free(records);
}

/* The first line is sweep.json, in one line; the others are the manifest, without the ends of its
   lines, as for the fuzzer of manifests. */
void spn_fuzz_report(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    const size_t first = end ? (size_t)(end - data) : size, rest = end ? first + 1 : size;
    spn_source specification = with_check(data, first);
    spn_source lines = with_checks(data + rest, size - rest);
    spn_sweep *sweep;
    spn_manifests manifests = {0};
    spn_records *records = NULL;
    spn_error err = {0};
    spn_status status = spn_sweep_from_text(&sweep, (const char *)specification.data,
                                            specification.size, INPUT, &err);
    if (status == SPN_OK) {
        if (!(status =
                  spn_manifests_add(&manifests, (const char *)lines.data, lines.size, INPUT, &err)))
            status = spn_manifests_unify(&manifests, &err);
        if (status)
            spn_sweep_free(sweep);
        else
            status = spn_records_make(&records, FOLDER, sweep, &manifests, &err);
    }
    check_error(status, &err, INPUT);
    if (records)
        use(records);
    spn_manifests_clear(&manifests);
    spn_source_unload(&specification);
    spn_source_unload(&lines);
}

/* A specification of a report over several folders, of which there are two: one and two. */
void spn_fuzz_joint(const uint8_t *data, size_t size)
{
    spn_source source = copy_of(data, size);
    spn_records *records;
    spn_error err = {0};
    source.name = FOLDER "/joint.yaml";
    const spn_status status = spn_records_join_text(&records, &source, &err);
    require((status == SPN_OK) == (records != NULL));
    check_error(status, &err, source.name);
    if (records)
        use(records);
    spn_source_unload(&source);
}

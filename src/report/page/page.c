#include "report/page/page.h"
#include "base/number.h"
#include "base/try.h"
#include "report/page/html.h"
#include "sweep/folder.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* ---- facts: the specification as YAML, machines and times of the runs ---- */

static spn_status put_specification(FILE *stream, const spn_sweep *sweep, spn_error *err)
{
    char *text = spn_sweep_show(sweep);
    SPN_NEED(text, err, "the page");
    fputs("<section id=\"specification\" aria-labelledby=\"specification-title\">\n"
          "<h2 id=\"specification-title\">Specification</h2>\n"
          "<p class=\"caption\">The specification as it was run; <code>--set</code> and ranges are "
          "resolved.</p>\n",
          stream);
    spn_html_print(
        stream,
        "<pre tabindex=\"0\" role=\"region\" aria-label=\"Specification\">%s</pre>\n</section>\n",
        text);
    free(text);
    return SPN_OK;
}

static void put_duration(FILE *stream, double seconds)
{
    if (!isfinite(seconds))
        fputs("–", stream);
    else if (seconds < 120)
        spn_print(stream, "%.3g s", seconds);
    else if (seconds < 7200)
        spn_print(stream, "%.0f min", seconds / 60);
    else
        spn_print(stream, "%.1f h", seconds / 3600);
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

static bool same_place(const spn_record *a, const spn_record *b)
{
    return strcmp(text_or(a->machine, ""), text_or(b->machine, "")) == 0 &&
           strcmp(text_or(a->version, ""), text_or(b->version, "")) == 0;
}

static void put_machines(FILE *stream, const spn_records *records)
{
    fputs("<section id=\"machines\" aria-labelledby=\"machines-title\">\n"
          "<h2 id=\"machines-title\">Machines</h2>\n<div class=\"wide\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"Machines\"><table class=\"numbers\">\n<thead><tr>"
          "<th scope=\"col\">machine</th><th scope=\"col\">spinney</th><th scope=\"col\">runs</th>"
          "<th scope=\"col\">computing time</th></tr></thead>\n<tbody>\n",
          stream);
    for (size_t r = 0; r < records->count; r++) {
        const spn_record *record = &records->records[r];
        size_t first = 0, count = 0;
        double seconds = 0;
        while (!same_place(&records->records[first], record))
            first++;
        if (first < r)
            continue;
        for (size_t k = r; k < records->count; k++)
            if (same_place(&records->records[k], record)) {
                count++;
                seconds += records->records[k].seconds;
            }
        spn_html_print(stream, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%zu</td><td>",
                       text_or(record->machine, "–"), text_or(record->version, "–"), count);
        put_duration(stream, seconds);
        fputs("</td></tr>\n", stream);
    }
    fputs("</tbody></table></div>\n</section>\n", stream);
}

static void put_fact(FILE *stream, const char *name, const char *text)
{
    spn_html_print(stream, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, text);
}

/* 2026-01-31T12:00:00Z as 2026-01-31 12:00 */
static void put_time(FILE *stream, const char *time)
{
    char text[17];
    snprintf(text, sizeof text, "%s", time);
    if (strlen(text) > 10 && text[10] == 'T')
        text[10] = ' ';
    spn_html_text(stream, text);
}

/* These texts sort like times. */
static void put_times(FILE *stream, const spn_records *records)
{
    const char *first = NULL, *last = NULL;
    double seconds = 0;
    for (size_t r = 0; r < records->count; r++) {
        const char *finished = records->records[r].finished;
        seconds += records->records[r].seconds;
        if (finished && (!first || strcmp(finished, first) < 0))
            first = finished;
        if (finished && (!last || strcmp(finished, last) > 0))
            last = finished;
    }
    if (first) {
        fputs("<div><dt>Finished</dt><dd>", stream);
        put_time(stream, first);
        if (strncmp(first, last, 16) != 0) {
            fputs(" to ", stream);
            put_time(stream, last);
        }
        fputs(" UTC</dd></div>\n", stream);
    }
    fputs("<div><dt>Computing time</dt><dd>", stream);
    put_duration(stream, seconds);
    fputs("</dd></div>\n", stream);
}

static void put_facts(FILE *stream, const spn_records *records)
{
    const spn_sweep *sweep = records->sweep;
    fputs("<dl class=\"facts\">\n", stream);
    put_fact(stream, "Sweep", sweep->name);
    if (sweep->joined_count == 0)
        put_fact(stream, "Task", sweep->task);
    else
        fprintf(stream, "<div><dt>Folders</dt><dd>%zu</dd></div>\n", sweep->joined_count);
    fprintf(stream, "<div><dt>Runs</dt><dd>%zu of %zu", records->count, spn_sweep_jobs(sweep));
    if (sweep->axis_count > 0 && sweep->runs > 0 && sweep->joined_count == 0)
        fprintf(stream, " (%zu points, %zu each)", spn_sweep_jobs(sweep) / sweep->runs,
                sweep->runs);
    fputs("</dd></div>\n", stream);
    put_times(stream, records);
    put_fact(stream, "Version", text_or(sweep->version, "–"));
    fputs("</dl>\n", stream);
}

/* ---- the page ---- */

static void put_asset(FILE *stream, const spn_span *asset)
{
    if (asset->size > 0)
        fwrite(asset->text, 1, asset->size, stream);
}

static const char *title_of(const spn_sweep *sweep)
{
    return sweep->title ? sweep->title : sweep->name;
}

/* The policy keeps the page from loading anything, whatever its texts contain. */
static void put_head(FILE *stream, const spn_page *page)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n",
          stream);
    spn_html_print(stream, "<title>%s</title>\n<style>\n", title_of(page->records->sweep));
    put_asset(stream, &page->assets->chart_style);
    fputc('\n', stream);
    put_asset(stream, &page->assets->page_style);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n",
          stream);
}

bool spn_page_is_complete(const spn_page *page)
{
    return page->records->count >= spn_sweep_jobs(page->records->sweep);
}

static void put_contents_line(FILE *stream, const spn_page *page, size_t k)
{
    const spn_sweep_figure *request = &page->records->sweep->figures[k];
    char title[SPN_TITLE], verdict[SPN_VERDICT];
    spn_html_print(stream, "<li><a href=\"#figure-%s\">%s</a>", request->name,
                   spn_figure_title(title, request));
    if (page->missing[k])
        fprintf(stream, " <span class=\"aside\">no data%s</span>",
                spn_page_is_complete(page) ? "" : " yet");
    else if (*spn_figure_verdict(verdict, &page->figures[k]))
        spn_html_print(stream, " <span class=\"aside\">%s</span>", verdict);
    fputs("</li>\n", stream);
}

static void put_header(FILE *stream, const spn_page *page)
{
    const spn_sweep *sweep = page->records->sweep;
    spn_html_print(stream, "<header>\n<h1>%s</h1>\n", title_of(sweep));
    if (sweep->about)
        spn_html_print(stream, "<p class=\"about\">%s</p>\n", sweep->about);
    if (!spn_page_is_complete(page))
        fprintf(
            stream,
            "<p class=\"incomplete\" role=\"note\"><strong>%zu of %zu runs</strong> are finished. "
            "What follows is made from these.</p>\n",
            page->records->count, spn_sweep_jobs(sweep));
    put_facts(stream, page->records);
    fputs("</header>\n<nav aria-label=\"Contents\">\n<ul>\n", stream);
    for (size_t k = 0; k < page->count; k++)
        put_contents_line(stream, page, k);
    fputs("<li><a href=\"#specification\">Specification</a></li>\n"
          "<li><a href=\"#machines\">Machines</a></li>\n"
          "<li><a href=\"#runs\">All runs</a></li>\n</ul>\n</nav>\n",
          stream);
}

/* The script fills the table, a hundred rows at a time. */
static void put_runs(FILE *stream)
{
    fputs(
        "<section id=\"runs\" aria-labelledby=\"runs-title\">\n"
        "<h2 id=\"runs-title\">All runs</h2>\n"
        "<p><label>Show only <input id=\"filter\" type=\"search\" autocomplete=\"off\" "
        "spellcheck=\"false\" placeholder=\"gamma&lt;=0.4 replicas=3\"></label> "
        "<output id=\"found\" for=\"filter\"></output></p>\n"
        "<noscript><p>The table needs JavaScript; the runs are in manifest.jsonl.</p></noscript>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"All runs\">"
        "<table id=\"run-table\"></table></div>\n"
        "<p><button id=\"more\" type=\"button\" hidden>Show more</button></p>\n</section>\n",
        stream);
}

static spn_status put_scripts(FILE *stream, const spn_page *page, spn_error *err)
{
    const spn_assets *assets = page->assets;
    fputs("<script id=\"data\" type=\"application/json\">", stream);
    SPN_TRY(spn_page_data(stream, page, err));
    fputs("</script>\n", stream);
    if (assets->chart_script.size > 0) {
        fputs("<script>\n/* uPlot\n", stream);
        put_asset(stream, &assets->chart_licence);
        fputs("\n*/\n", stream);
        put_asset(stream, &assets->chart_script);
        fputs("</script>\n", stream);
    }
    fputs("<script>\n", stream);
    put_asset(stream, &assets->page_script);
    fputs("</script>\n", stream);
    return SPN_OK;
}

spn_status spn_page_write(FILE *stream, const spn_page *page, spn_error *err)
{
    bool intervals = false;
    for (size_t k = 0; k < page->count; k++)
        intervals |= !page->missing[k] && !spn_figure_is_single(&page->figures[k]);
    put_head(stream, page);
    put_header(stream, page);
    fputs("<main id=\"main\" tabindex=\"-1\">\n", stream);
    SPN_TRY(spn_page_figures(stream, page, err));
    SPN_TRY(put_specification(stream, page->records->sweep, err));
    put_machines(stream, page->records);
    put_runs(stream);
    spn_html_print(stream,
                   "</main>\n<footer><p>Made by spinney " SPN_VERSION " from the records of %s.",
                   page->records->sweep->name);
    fputs(intervals ? " Intervals are 95% by Student's t over runs.</p></footer>\n"
                    : "</p></footer>\n",
          stream);
    SPN_TRY(put_scripts(stream, page, err));
    fputs("</body>\n</html>\n", stream);
    return SPN_OK;
}

spn_assets spn_assets_built_in(void)
{
    return (spn_assets){
        .page_script = {(const char *)spn_asset_page_script_data, spn_asset_page_script_size},
        .page_style = {(const char *)spn_asset_page_style_data, spn_asset_page_style_size},
#ifdef SPN_HAVE_CHARTS
        .chart_script = {(const char *)spn_asset_chart_script_data, spn_asset_chart_script_size},
        .chart_style = {(const char *)spn_asset_chart_style_data, spn_asset_chart_style_size},
        .chart_licence = {(const char *)spn_asset_chart_licence_data, spn_asset_chart_licence_size},
#endif
    };
}

/* Columns: the axes, the run, all results, and the rest. */
static void put_run_heads(spn_json *json, const spn_sweep *sweep, const spn_record_names *names)
{
    static const char *const last[] = {"seconds", "seed", "machine", "finished"};
    spn_json_open(json, "names", '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        spn_json_text(json, NULL, sweep->axes[a].setting);
    spn_json_text(json, NULL, "run");
    for (size_t k = 0; k < names->results.count; k++)
        spn_json_text(json, NULL, names->results.names[k]);
    for (size_t k = 0; k < names->texts.count; k++)
        spn_json_text(json, NULL, names->texts.names[k]);
    for (size_t k = 0; k < sizeof last / sizeof *last; k++)
        spn_json_text(json, NULL, last[k]);
    spn_json_close(json, ']');
}

static void put_text_or_empty(spn_json *json, const char *text)
{
    spn_json_text(json, NULL, text ? text : "");
}

static void put_run(spn_json *json, const spn_record *record, const spn_sweep *sweep,
                    const spn_record_names *names)
{
    char seed[SPN_FIELD_TEXT];
    spn_json_open(json, NULL, '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        put_text_or_empty(json, spn_record_setting(record, sweep->axes[a].setting));
    spn_json_whole(json, NULL, record->run);
    for (size_t k = 0; k < names->results.count; k++)
        spn_json_real(json, NULL, spn_record_number(record, names->results.names[k]));
    for (size_t k = 0; k < names->texts.count; k++)
        put_text_or_empty(json, spn_record_text(record, names->texts.names[k]));
    spn_json_real(json, NULL, record->seconds);
    /* seeds are texts because JavaScript's numbers have 53 bits */
    spn_json_text(json, NULL, spn_record_field(seed, record, "seed"));
    put_text_or_empty(json, record->machine);
    put_text_or_empty(json, record->finished);
    spn_json_close(json, ']');
}

static bool put_run_rows(spn_json *json, const spn_records *records)
{
    spn_view view;
    if (spn_view_make(&view, records, &(spn_view_options){0}, NULL)) {
        spn_view_clear(&view);
        return false;
    }
    spn_json_open(json, "runs", '{');
    put_run_heads(json, records->sweep, &view.names);
    spn_json_open(json, "rows", '[');
    for (size_t r = 0; r < records->count; r++)
        put_run(json, &records->records[r], records->sweep, &view.names);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    spn_view_clear(&view);
    return true;
}

static bool put_all(spn_json *json, const spn_page *page)
{
    spn_json_open(json, NULL, '{');
    spn_json_open(json, "figures", '[');
    for (size_t k = 0; k < page->count; k++)
        if (page->missing[k]) {
            spn_json_open(json, NULL, '{');
            spn_json_close(json, '}');
        } else if (!spn_figure_json(json, &page->figures[k], false)) {
            return false;
        }
    spn_json_close(json, ']');
    if (!put_run_rows(json, page->records))
        return false;
    spn_json_close(json, '}');
    return true;
}

spn_status spn_page_data(FILE *stream, const spn_page *page, spn_error *err)
{
    spn_json json = {0};
    char *text = NULL;
    size_t size;
    SPN_TRY(spn_json_begin(&json, err));
    const bool complete = put_all(&json, page);
    spn_status status = spn_json_finish(&text, &size, &json, err);
    if (!status && !complete)
        status = spn_no_memory(err, "the page");
    /* In JSON these letters occur only within texts, where they may be escaped. So no text can end
       the script. */
    for (const char *c = text; !status && *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            fprintf(stream, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, stream);
    free(text);
    return status;
}

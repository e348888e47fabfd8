#include "base/number.h"
#include "base/try.h"
#include "report/page/html.h"
#include "report/page/page.h"
#include "sweep/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

spn_status spn_page_specification(FILE *stream, const spn_sweep *sweep, spn_error *err)
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

void spn_page_machines(FILE *stream, const spn_records *records)
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

void spn_page_facts(FILE *stream, const spn_records *records)
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

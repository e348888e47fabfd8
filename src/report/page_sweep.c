/* The sweep on the page: what was run, as YAML, and where, when and how long. */
#include "record/sweep.h"
#include "report/html.h"
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the specification ---- */

/* A plain word or number stands as it is; anything else in double quotes. */
static void put_value(FILE *stream, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    if (*text && *text != '-' && !text[strspn(text, plain)]) {
        fputs(text, stream);
        return;
    }
    fputs("&quot;", stream);
    for (; *text; text++) {
        const char one[2] = {*text, 0};
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        if (*text == '\n')
            fputs("\\n", stream);
        else
            spn_html_text(stream, one);
    }
    fputs("&quot;", stream);
}

static void put_line(FILE *stream, const char *start, const char *name, const char *text)
{
    if (!text)
        return;
    fputs(start, stream);
    spn_html_text(stream, name);
    fputs(": ", stream);
    put_value(stream, text);
    fputc('\n', stream);
}

static void put_list(FILE *stream, const char *start, const char *name, char *const *texts,
                     size_t count)
{
    fprintf(stream, "%s%s: [", start, name);
    for (size_t k = 0; k < count; k++) {
        fputs(k ? ", " : "", stream);
        put_value(stream, texts[k]);
    }
    fputs("]\n", stream);
}

static void put_grid(FILE *stream, const spn_sweep *sweep)
{
    if (sweep->fixed_count > 0)
        fputs("settings:\n", stream);
    for (size_t k = 0; k < sweep->fixed_count; k++)
        put_line(stream, "  ", sweep->fixed[k].name, sweep->fixed[k].text);
    if (sweep->default_count > 0)
        fputs("# not given, and so by default:\n", stream);
    for (size_t k = 0; k < sweep->default_count; k++)
        put_line(stream, "#   ", sweep->defaults[k].name, sweep->defaults[k].text);
    if (sweep->axis_count > 0)
        fputs("grid:\n", stream);
    for (size_t k = 0; k < sweep->axis_count; k++) {
        put_line(stream, "  - ", "setting", sweep->axes[k].setting);
        put_list(stream, "    ", "values", sweep->axes[k].values, sweep->axes[k].count);
    }
}

/* What the settings named, by its content. */
static void put_files(FILE *stream, const spn_sweep *sweep)
{
    if (sweep->file_count > 0)
        fputs("# checksums (XXH3) of what was read:\n", stream);
    for (size_t k = 0; k < sweep->file_count; k++) {
        const spn_sweep_file *file = &sweep->files[k];
        fputs("#   ", stream);
        spn_html_text(stream, file->setting);
        fputs(" ", stream);
        put_value(stream, file->name);
        fprintf(stream, " %016" PRIx64 "\n", file->checksum);
    }
}

static void put_measures(FILE *stream, const spn_measures *m)
{
    if (!m->models && !m->traces && m->flips_count == 0 && m->profile_walks == 0)
        return;
    fputs("measure:\n", stream);
    fputs(m->models ? "  models: true\n" : "", stream);
    fputs(m->traces ? "  traces: true\n" : "", stream);
    for (size_t k = 0; k < m->flips_count; k++)
        fprintf(stream, "%s%.10g", k ? ", " : "  flips: {p: [", m->flips[k]);
    if (m->flips_count > 0)
        fprintf(stream, "], trials: %zu, exact: %s}\n", m->flips_trials,
                m->flips_exact ? "true" : "false");
    if (m->profile_walks > 0)
        fprintf(stream, "  profile: {walks: %zu, reach: %.10g, points: %zu}\n", m->profile_walks,
                m->profile_reach, m->profile_points);
}

/* "as: [lines, table]": those of some words that are wanted. */
static void put_words(FILE *stream, const char *name, const char *const *words, const bool *wanted,
                      size_t count)
{
    const char *before = "[";
    for (size_t k = 0; k < count; k++) {
        if (!wanted[k])
            continue;
        if (*before == '[')
            fprintf(stream, "    %s: ", name);
        fprintf(stream, "%s%s", before, words[k]);
        before = ", ";
    }
    fputs(*before == '[' ? "" : "]\n", stream);
}

static void put_figure(FILE *stream, const spn_sweep_figure *f)
{
    const char *kinds[SPN_FIGURE_KINDS];
    for (size_t k = 0; k < SPN_FIGURE_KINDS; k++)
        kinds[k] = spn_figure_kind_at(k)->name;
    put_line(stream, "  - ", "name", f->name);
    put_line(stream, "    ", "title", f->title);
    put_line(stream, "    ", "value", f->value);
    put_line(stream, "    ", "also", f->also);
    put_line(stream, "    ", "x", f->x);
    put_line(stream, "    ", "by", f->by);
    put_words(stream, "as", kinds, f->as, SPN_FIGURE_KINDS);
    put_line(stream, "    ", "intervals", f->bands ? "bands" : NULL);
    put_words(stream, "log", (const char *const[]){"x", "y"}, (const bool[]){f->log_x, f->log_y},
              2);
    put_line(stream, "    ", "best", f->best ? spn_best_names[f->best] : NULL);
    if (f->where_count > 0)
        put_list(stream, "    ", "where", f->where, f->where_count);
    put_line(stream, "    ", "reference", f->reference);
    put_line(stream, "    ", "reference-name", f->reference_name);
    put_line(stream, "    ", "x-label", f->x_label);
    put_line(stream, "    ", "label", f->label);
    put_line(stream, "    ", "by-label", f->by_label);
}

void spn_page_specification(FILE *stream, const spn_sweep *sweep)
{
    fputs("<section id=\"specification\">\n<h2>Specification</h2>\n"
          "<p class=\"caption\">The specification as it was run; <code>--set</code> and ranges are "
          "resolved.</p>\n"
          "<pre tabindex=\"0\">",
          stream);
    put_line(stream, "", "name", sweep->name);
    put_line(stream, "", "title", sweep->title);
    put_line(stream, "", "about", sweep->about);
    put_line(stream, "", "task", sweep->task);
    fprintf(stream, "seed: %llu\nruns: %zu\n", (unsigned long long)sweep->seed, sweep->runs);
    put_grid(stream, sweep);
    put_files(stream, sweep);
    put_measures(stream, &sweep->measures);
    if (sweep->figure_count > 0)
        fputs("figures:\n", stream);
    for (size_t k = 0; k < sweep->figure_count; k++)
        put_figure(stream, &sweep->figures[k]);
    fputs("</pre>\n</section>\n", stream);
}

/* ---- where and when ---- */

static void put_duration(FILE *stream, double seconds)
{
    if (!isfinite(seconds))
        fputs("–", stream);
    else if (seconds < 120)
        fprintf(stream, "%.3g s", seconds);
    else if (seconds < 7200)
        fprintf(stream, "%.0f min", seconds / 60);
    else
        fprintf(stream, "%.1f h", seconds / 3600);
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

/* Whether none before r was done there. */
static bool is_first(const spn_records *records, size_t r)
{
    for (size_t k = 0; k < r; k++)
        if (same_place(&records->records[k], &records->records[r]))
            return false;
    return true;
}

void spn_page_machines(FILE *stream, const spn_records *records)
{
    fputs("<section id=\"machines\">\n<h2>Machines</h2>\n<div class=\"wide\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"Machines\"><table class=\"numbers\">\n<thead><tr>"
          "<th scope=\"col\">machine</th><th scope=\"col\">spinney</th><th scope=\"col\">runs</th>"
          "<th scope=\"col\">computing time</th></tr></thead>\n<tbody>\n",
          stream);
    for (size_t r = 0; r < records->count; r++) {
        const spn_record *record = &records->records[r];
        if (!is_first(records, r))
            continue;
        size_t count = 0;
        double seconds = 0;
        for (size_t k = r; k < records->count; k++)
            if (same_place(&records->records[k], record)) {
                count++;
                seconds += records->records[k].seconds;
            }
        fputs("<tr><td>", stream);
        spn_html_text(stream, text_or(record->machine, "–"));
        fputs("</td><td>", stream);
        spn_html_text(stream, text_or(record->version, "–"));
        fprintf(stream, "</td><td>%zu</td><td>", count);
        put_duration(stream, seconds);
        fputs("</td></tr>\n", stream);
    }
    fputs("</tbody></table></div>\n</section>\n", stream);
}

static void put_fact(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "<div><dt>%s</dt><dd>", name);
    spn_html_text(stream, text);
    fputs("</dd></div>\n", stream);
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

/* These texts sort as times do. */
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
    put_fact(stream, "Task", sweep->task);
    fprintf(stream, "<div><dt>Runs</dt><dd>%zu of %zu", records->count, spn_sweep_jobs(sweep));
    if (sweep->axis_count > 0 && sweep->runs > 0)
        fprintf(stream, " (%zu points, %zu each)", spn_sweep_jobs(sweep) / sweep->runs,
                sweep->runs);
    fputs("</dd></div>\n", stream);
    put_times(stream, records);
    put_fact(stream, "Version", text_or(sweep->version, "–"));
    fputs("</dl>\n", stream);
}

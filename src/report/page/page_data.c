/* What the page's scripts draw, as JSON: the curves of the figures, and all runs. */
#include "base/try.h"
#include "report/figure/figure.h"
#include "report/page/page.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

/* The columns: what varies, the run, every result that a run has, and the rest. */
static void put_run_heads(spn_json *json, const spn_sweep *sweep, const spn_record_names *names)
{
    static const char *const last[] = {"seconds", "seed", "machine", "finished"};
    spn_json_open(json, "names", '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        spn_json_text(json, NULL, sweep->axes[a].setting);
    spn_json_text(json, NULL, "run");
    for (size_t k = 0; k < names->result_count; k++)
        spn_json_text(json, NULL, names->results[k]);
    for (size_t k = 0; k < names->text_count; k++)
        spn_json_text(json, NULL, names->texts[k]);
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
    for (size_t k = 0; k < names->result_count; k++)
        spn_json_real(json, NULL, spn_record_number(record, names->results[k]));
    for (size_t k = 0; k < names->text_count; k++)
        put_text_or_empty(json, spn_record_text(record, names->texts[k]));
    spn_json_real(json, NULL, record->seconds);
    /* seeds are texts: JavaScript's numbers have 53 bits */
    spn_json_text(json, NULL, spn_record_field(seed, record, "seed"));
    put_text_or_empty(json, record->machine);
    put_text_or_empty(json, record->finished);
    spn_json_close(json, ']');
}

static bool put_runs(spn_json *json, const spn_records *records)
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

/* ---- both ---- */

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
    if (!put_runs(json, page->records))
        return false;
    spn_json_close(json, '}');
    return true;
}

/* These letters stand in texts of JSON only, where they may be written as their numbers: so no text
   can end the script that holds it. */
static void put_safely(FILE *stream, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(stream, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, stream);
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
    if (!status)
        put_safely(stream, text);
    free(text);
    return status;
}

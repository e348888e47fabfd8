/* The page: no text in it becomes HTML, its data are JSON, and it does without charts. */
#include "report/page/page.h"
#include "support/json.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE "</script><b>&\"'<!--"

static spn_assets assets_with(const char *chart)
{
    static const char script[] = "/*ours*/", style[] = "/*style*/";
    return (spn_assets){.page_script = {script, sizeof script - 1},
                        .page_style = {style, sizeof style - 1},
                        .chart_script = {chart, strlen(chart)},
                        .chart_licence = {"LICENCE", 7}};
}

/* The page of a few runs whose names and texts are hostile; the caller frees. */
static char *page_of(const char *chart, const char *pictures, spn_status expected)
{
    spn_error err = {0};
    spn_records *records = spn_test_records("nowhere");
    spn_sweep_figure requests[2] = {{.name = "figure",
                                     .title = HOSTILE,
                                     .x = "gamma",
                                     .by = "replicas",
                                     .value = "loss",
                                     .label = HOSTILE,
                                     .x_label = HOSTILE,
                                     .by_label = HOSTILE,
                                     .as[SPN_FIGURE_LINES] = true,
                                     .as[SPN_FIGURE_HEAT] = true,
                                     .as[SPN_FIGURE_TABLE] = true},
                                    {.name = "later", .x = "gamma", .value = "none"}};
    records->sweep->about = strdup(HOSTILE);
    records->sweep->title = strdup(HOSTILE);
    records->sweep->runs = 4;
    spn_field defaults[] = {{.name = "kernel", .text = HOSTILE}};
    spn_input_sum files[] = {{.setting = "data", .name = HOSTILE, .checksum = 0xab}};
    records->sweep->defaults = defaults;
    records->sweep->default_count = 1;
    records->sweep->files = files;
    records->sweep->file_count = 1;
    spn_test_run(records, "1", HOSTILE, "loss", 1.0 / 3);
    free(spn_test_run(records, "2", HOSTILE, "loss", NAN)->machine);
    records->records[1].machine = strdup(HOSTILE);
    spn_report_figure figures[2] = {{0}};
    assert_ok(spn_report_figure_make(&figures[0], records, &requests[0], &err), err);
    const char *const missing[] = {NULL, HOSTILE};
    const spn_assets assets = assets_with(chart);
    records->sweep->figures = requests;
    records->sweep->figure_count = 2;
    const spn_page page = {.records = records,
                           .count = 2,
                           .figures = figures,
                           .missing = missing,
                           .assets = &assets,
                           .pictures = pictures};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(spn_page_write(stream, &page, &err), expected);
    assert_int_equal(fclose(stream), 0);
    records->sweep->figures = NULL;
    records->sweep->defaults = NULL;
    records->sweep->files = NULL;
    records->sweep->figure_count = records->sweep->default_count = records->sweep->file_count = 0;
    spn_report_figure_clear(&figures[0]);
    spn_records_free(records);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void test_no_text_becomes_html(void **state)
{
    (void)state;
    char *page = page_of("/*chart*/", NULL, SPN_OK);
    assert_int_equal(count_of(page, "<b>"), 0);
    assert_int_equal(count_of(page, "<!--"), 0);
    assert_int_equal(count_of(page, "<script"), 3);
    assert_int_equal(count_of(page, "</script>"), 3);
    assert_non_null(strstr(page, "<h1>&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;&lt;!--</h1>"));
    assert_non_null(strstr(page, "<strong>2 of 4 runs</strong>"));
    assert_non_null(strstr(page, "no data yet"));
    assert_non_null(strstr(page, "LICENCE"));
    assert_non_null(strstr(page, "#   kernel: &quot;&lt;/script&gt;"));
    assert_non_null(strstr(page, "00000000000000ab\n"));
    free(page);
}

static void test_data_are_json(void **state)
{
    (void)state;
    char *page = page_of("/*chart*/", NULL, SPN_OK);
    char *start = strstr(page, "type=\"application/json\">");
    assert_non_null(start);
    start += strlen("type=\"application/json\">");
    *strstr(start, "</script>") = 0;
    spn_json_tree tree = json_of(start, strlen(start));
    const spn_json_value *root = tree.root;
    const spn_json_value *figure = json_at(spn_json_get(root, "figures"), 0);
    const spn_json_value *curve = json_at(spn_json_get(figure, "curves"), 0);
    assert_string_equal(spn_json_get_text(spn_json_get(figure, "label")), HOSTILE);
    assert_string_equal(spn_json_get_text(spn_json_get(curve, "name")), HOSTILE " = " HOSTILE);
    const spn_json_value *mean = spn_json_get(curve, "mean");
    assert_near(spn_json_get_real(json_at(mean, 0)), 1.0 / 3, 0);
    assert_true(spn_json_is(json_at(mean, 1), SPN_JSON_NULL));
    const spn_json_value *rows = spn_json_get(spn_json_get(root, "runs"), "rows");
    assert_int_equal(json_count(rows), 2);
    spn_json_unload(&tree);
    free(page);
}

static void test_without_charts(void **state)
{
    const char *svg = spn_scratch_text(state, "figure.svg", "<svg>ab</svg>");
    char *folder = strdup(svg);
    assert_non_null(folder);
    *strrchr(folder, '/') = 0;
    char *page = page_of("", folder, SPN_OK);
    assert_int_equal(count_of(page, "class=\"chart\""), 0);
    assert_int_equal(count_of(page, "<script"), 2);
    assert_non_null(strstr(page, "src=\"data:image/svg+xml;base64,PHN2Zz5hYjwvc3ZnPg==\""));
    assert_non_null(strstr(page, "alt=\"Lines of &lt;/script&gt;"));
    /* the picture that is there can be saved, one that is not cannot, and the numbers can, once */
    assert_int_equal(count_of(page, " download="), 2);
    assert_non_null(strstr(page,
                           "<a download=\"figure.svg\" aria-label=\"Save figure as SVG\" "
                           "href=\"data:image/svg+xml;base64,PHN2Zz5hYjwvc3ZnPg==\">SVG</a>"));
    assert_non_null(strstr(page, "<a download=\"figure.csv\""));
    free(page);
    page = page_of("", NULL, SPN_OK); /* no pictures either: the numbers are open */
    assert_non_null(strstr(page, "<details open>"));
    free(page);
    free(page_of("", "/nonexistent", SPN_ERROR_IO));
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_text_becomes_html),
                                       cmocka_unit_test(test_data_are_json),
                                       scratch_test(test_without_charts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

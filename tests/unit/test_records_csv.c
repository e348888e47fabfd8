/* Records as CSV: quotes, exact numbers, what is missing, curves. */
#include "base/text.h"
#include "record/record.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two runs that do not hold the same. */
static void make_records(spn_record *out)
{
    spn_error err = {0};
    const double p[] = {0, 0.1}, q[] = {1.0 / 3, NAN};
    const double *const values[] = {p, q};
    const char *const names[] = {"p", "a,b"}, *const other[] = {"p"};
    out[0] = (spn_record){.key = 1, .seed = INT64_MAX, .run = 1, .seconds = 0.5};
    out[1] = (spn_record){.key = 0xfedcba9876543210u, .run = 22, .seconds = NAN};
    out[0].machine = strdup("a \"b\"");
    out[0].version = strdup("1.0");
    assert_ok(spn_record_add_setting(&out[0], "energy", "bits, all\n", &err), err);
    assert_ok(spn_record_add_setting(&out[0], "seed", "5", &err), err);
    assert_ok(spn_record_add_result(&out[0], "energy", -0.0, &err), err);
    assert_ok(spn_record_add_result(&out[0], "loss", 0.1 + 0.2, &err), err);
    assert_ok(spn_record_add_curve(&out[0], "c", 2, names, 2, values, &err), err);
    assert_ok(spn_record_add_setting(&out[1], "gamma", "1", &err), err);
    assert_ok(spn_record_add_result(&out[1], "loss", NAN, &err), err);
    assert_ok(spn_record_add_result(&out[1], "new", INFINITY, &err), err);
    assert_ok(spn_record_add_curve(&out[1], "c", 1, other, 1, values, &err), err);
}

static void expect(const char *curve, const char *const *columns, size_t column_count, size_t count,
                   const char *expected)
{
    spn_record records[2];
    make_records(records);
    const spn_record *const list[] = {&records[0], &records[1]};
    spn_error err = {0};
    char *text;
    assert_ok(spn_records_csv(&text, list, count, curve, columns, column_count, &err), err);
    assert_string_equal(text, expected);
    free(text);
    for (size_t k = 0; k < 2; k++)
        spn_record_clear(&records[k]);
}

static void test_all(void **state)
{
    (void)state;
    expect(
        NULL, NULL, 0, 2,
        "key,run,seed,setting_energy,setting_seed,gamma,energy,loss,new,seconds,machine,version,"
        "finished\n"
        "0000000000000001,1,9223372036854775807,\"bits, all\n\",5,,-0.0,0.30000000000000004,,0.5,"
        "\"a \"\"b\"\"\",1.0,\n"
        "fedcba9876543210,22,0,,,1,,,,,,,\n");
    expect(NULL, NULL, 0, 0, "key,run,seed,seconds,machine,version,finished\n");
}

static void test_columns(void **state)
{
    (void)state;
    const char *const columns[] = {"loss", "gamma", "energy", "version", "finished", "nothing"};
    expect(NULL, columns, 6, 2,
           "loss,gamma,energy,version,finished,nothing\n"
           "0.30000000000000004,,-0.0,1.0,,\n"
           ",1,,,,\n");
}

static void test_curve(void **state)
{
    (void)state;
    expect("c", NULL, 0, 2,
           "key,run,seed,energy,setting_seed,gamma,c.p,\"c.a,b\"\n"
           "0000000000000001,1,9223372036854775807,\"bits, all\n\",5,,0,0.3333333333333333\n"
           "0000000000000001,1,9223372036854775807,\"bits, all\n\",5,,0.1,\n"
           "fedcba9876543210,22,0,,,1,0,\n");
    expect("none", NULL, 0, 2, "key,run,seed,energy,setting_seed,gamma\n");
}

/* What a cell of a text is, by both writers; always as a whole in its quotes. */
static void expect_cell(const char *text, const char *plain, const char *quoted)
{
    char *out;
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    spn_csv_put(stream, text);
    fputc('|', stream);
    spn_csv_put_quoted(stream, text);
    assert_int_equal(fclose(stream), 0);
    char expected[200];
    snprintf(expected, sizeof expected, "%s|%s", plain, quoted);
    assert_string_equal(out, expected);
    free(out);
}

/* No text is a formula to a spreadsheet; numbers stay numbers. */
static void test_formulas(void **state)
{
    (void)state;
    expect_cell("=1+2", "'=1+2", "\"'=1+2\"");
    expect_cell("@SUM(A1)", "'@SUM(A1)", "\"'@SUM(A1)\"");
    expect_cell("+a", "'+a", "\"'+a\"");
    expect_cell("-1:2", "'-1:2", "\"'-1:2\"");
    expect_cell("-", "'-", "\"'-\"");
    expect_cell("=HYPERLINK(\"a,b\")", "\"'=HYPERLINK(\"\"a,b\"\")\"",
                "\"'=HYPERLINK(\"\"a,b\"\")\"");
    expect_cell("\t=1", "'\t=1", "\"' =1\"");
    expect_cell("\r=1", "\"'\r=1\"", "\"' =1\"");
    const char *const others[] = {"-1", "+1", "-1.5e-3", "+.5", "", "a=b", "1-2", "'=1", "e+5"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\"", others[k]);
        expect_cell(others[k], others[k], quoted);
    }
    spn_record record = {.key = 1, .run = 1, .seconds = 1};
    const spn_record *const list[] = {&record};
    spn_error err = {0};
    char *text;
    record.machine = strdup("@machine");
    assert_ok(spn_record_add_setting(&record, "=s", "=cmd|' /C calc'!A0", &err), err);
    assert_ok(spn_record_add_setting(&record, "target", "-5", &err), err);
    assert_ok(spn_record_add_result(&record, "energy", -5, &err), err);
    assert_ok(spn_records_csv(&text, list, 1, NULL, NULL, 0, &err), err);
    assert_string_equal(text, "key,run,seed,'=s,target,energy,seconds,machine,version,finished\n"
                              "0000000000000001,1,0,'=cmd|' /C calc'!A0,-5,-5,1,'@machine,,\n");
    free(text);
    spn_record_clear(&record);
}

static void test_file(void **state)
{
    spn_record record = spn_test_record(0);
    const spn_record *const list[] = {&record};
    const char *path = spn_scratch_path(state, "out.csv");
    spn_error err = {0};
    char *text, bytes[4096] = "";
    assert_ok(spn_records_csv_file(path, list, 1, NULL, NULL, 0, &err), err);
    assert_ok(spn_records_csv(&text, list, 1, NULL, NULL, 0, &err), err);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(bytes, text);
    free(text);
    assert_error(spn_records_csv_file("/nowhere/out.csv", list, 1, NULL, NULL, 0, &err), &err,
                 SPN_ERROR_IO, "/nowhere/out.csv", "cannot be written");
    spn_record_clear(&record);
}

static void test_names(void **state)
{
    (void)state;
    spn_record records[2];
    make_records(records);
    const spn_record *const list[] = {&records[1], &records[0]};
    spn_error err = {0};
    spn_record_names names;
    assert_ok(spn_record_names_of(&names, list, 2, &err), err);
    assert_int_equal(names.settings.count, 3);
    assert_string_equal(names.settings.names[0], "gamma");
    assert_string_equal(names.settings.names[2], "seed");
    assert_int_equal(names.results.count, 3);
    assert_string_equal(names.results.names[0], "loss");
    assert_string_equal(names.results.names[2], "energy");
    assert_int_equal(names.curves.count, 1);
    spn_record_names_clear(&names);
    assert_ok(spn_record_names_of(&names, list, 0, &err), err);
    assert_true(names.settings.count == 0 && names.results.count == 0 && names.curves.count == 0);
    spn_record_names_clear(&names);
    for (size_t k = 0; k < 2; k++)
        spn_record_clear(&records[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_columns),
        cmocka_unit_test(test_curve), cmocka_unit_test(test_formulas),
        scratch_test(test_file),      cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* CSV as programs and people write it: R, Excel, decimal commas, percents; and labels that are no
   classes. */
#include "data/dataset.h"
#include "support/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_dataset *read_text(void **state, const char *text, spn_read_options options)
{
    return spn_test_text(state, "data.csv", text, options);
}

static void expect_fault(void **state, const char *text, spn_read_options options,
                         const char *place, const char *what)
{
    spn_test_text_fault(state, "data.csv", text, options, place, what);
}

static spn_dataset *read_file(const char *name, spn_read_options options)
{
    char path[1000];
    spn_error err = {0};
    spn_dataset *d;
    snprintf(path, sizeof path, "%s/unit/tables/%s", SPN_TESTS, name);
    assert_ok(spn_dataset_read(&d, path, NULL, &options, &err), err);
    return d;
}

/* The same content, checksum and names of features. */
static void expect_same(spn_dataset *d, spn_dataset *expected)
{
    assert_int_equal(spn_dataset_checksum(d), spn_dataset_checksum(expected));
    for (size_t i = 0; i < d->features; i++)
        assert_string_equal(spn_dataset_feature_name(d, i), spn_dataset_feature_name(expected, i));
    spn_dataset_free(d);
    spn_dataset_free(expected);
}

static void test_tables_of_r(void **state)
{
    static const char *const names[] = {"write.table", "write.table.tab", "write.table.comma"};
    static const char *const commas[] = {"write.csv2", "write.table.dec"};
    spn_read_options options = spn_read_defaults();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        expect_same(read_file(names[k], options), read_file("write.csv", options));
    options.decimal = SPN_DECIMAL_COMMA;
    for (size_t k = 0; k < sizeof commas / sizeof *commas; k++)
        expect_same(read_file(commas[k], options), read_file("write.csv", spn_read_defaults()));
    spn_dataset *d = read_file("write.csv", spn_read_defaults());
    assert_int_equal(d->samples, 12);
    assert_int_equal(d->features, 4);
    assert_true(d->values[3] == 0.2);
    spn_dataset_free(d);
    (void)state;
}

static void test_texts_of_r(void **state)
{
    spn_dataset *d = read_file("texts.csv", spn_read_defaults());
    assert_int_equal(d->samples, 4);
    assert_string_equal(spn_dataset_feature_name(d, 1), "text=say \"hi\"");
    assert_string_equal(spn_dataset_feature_name(d, 2), "text=two lines");
    expect_same(d, read_file("texts.table", spn_read_defaults()));
    (void)state;
}

static void test_row_names(void **state)
{
    spn_read_options options = spn_read_defaults();
    options.labels = SPN_LABELS_FIRST;
    spn_dataset *d = read_text(state, "y x\n1 a 5\n2 b 6\n", options);
    assert_int_equal(d->features, 1);
    assert_string_equal(d->class_names[0], "a");
    spn_dataset_free(d);
    /* a sample that lacks a cell is not a header */
    options = spn_read_defaults();
    expect_fault(state, "5,a\n1,2,b\n3,4,a\n", options, "line 2", "3 columns, but 2");
    expect_fault(state, "u,a\nv,w,b\nv,x,a\n", options, "line 3", "'v' is no name of a row");
    options.header = SPN_HEADER_NO;
    expect_fault(state, "x y\n1 5 a\n2 6 b\n", options, "line 2", "3 columns, but 2");
}

/* A model reads tables with and without names of rows. */
static void test_row_names_by_recipe(void **state)
{
    spn_dataset *d = read_text(state, "x y\nr1 5 a\nr2 6 b\n", spn_read_defaults());
    spn_read_options options = spn_read_defaults();
    options.columns = d->columns;
    options.labels_optional = true;
    spn_dataset *other = read_text(state, "y,x\na,5\nb,6\n", options);
    assert_int_equal(spn_dataset_checksum(d), spn_dataset_checksum(other));
    spn_dataset_free(other);
    other = read_text(state, "x\nq7 5\nq8 6\n", options);
    assert_null(other->labels);
    assert_memory_equal(d->bytes, other->bytes, 2);
    spn_dataset_free(other);
    spn_dataset_free(d);
}

static void test_quoted_line_ends(void **state)
{
    spn_dataset *d = read_text(state,
                               "x,\"long\r\nname\",y\r\n1,\"p\n\n#q, \"\"r\"\"\",\"a\nb\"\r\n"
                               "2,s,c\r\n",
                               spn_read_defaults());
    assert_int_equal(d->samples, 2);
    assert_string_equal(spn_dataset_feature_name(d, 1), "long name=p  #q, \"r\"");
    assert_string_equal(d->class_names[0], "a b");
    spn_dataset_free(d);
    /* errors after it name the line of the file */
    expect_fault(state, "1,\"a\nb\"\n2,c\nz,c\n", spn_read_defaults(), "line 4, column 1",
                 "'z' is not a number");
    expect_fault(state, "1,\"a\n2,b\n", spn_read_defaults(), "line 1, column 2",
                 "a quote is not closed");
    expect_fault(state, "1,\"a\n2,\"b\n3,\"c\n", spn_read_defaults(), "line 1, column 2",
                 "follows a closing quote");
}

static void test_separators(void **state)
{
    static const char *const texts[] = {"1|2|a\n3|4|b\n", "sep=;\n1;2;a\n3;4;b\n",
                                        "\"sep=|\"\r\n1|2|a\r\n3|4|b\r\n", "1 2  a\n 3   4 b \n",
                                        "sep=,\n1,2,\"a\"\n3,4,b\n"};
    spn_dataset *first = read_text(state, "1,2,a\n3,4,b\n", spn_read_defaults());
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        spn_dataset *d =
            spn_test_text(state, k % 2 ? "data.csv" : "data", texts[k], spn_read_defaults());
        assert_int_equal(spn_dataset_checksum(d), spn_dataset_checksum(first));
        spn_dataset_free(d);
    }
    spn_dataset_free(first);
    /* blanks separate only if nothing else does */
    first = read_text(state, "1,a b c\n3,d e f\n", spn_read_defaults());
    assert_string_equal(first->class_names[0], "a b c");
    spn_dataset_free(first);
    first = read_text(state, "sep=;\n1;a,b\n3;c,d\n", spn_read_defaults());
    assert_string_equal(first->class_names[0], "a,b");
    spn_dataset_free(first);
}

static void test_comments(void **state)
{
    spn_dataset *d =
        read_text(state, "# made by hand\nx,y\n1,a\n  # that was one\n2,b\n", spn_read_defaults());
    assert_int_equal(d->samples, 2);
    assert_null(spn_dataset_note(d));
    spn_dataset_free(d);
    d = read_text(state, "x,y\n1,a\n#3,a\n2,b\n", spn_read_defaults());
    assert_int_equal(d->samples, 2);
    assert_non_null(strstr(spn_dataset_note(d), "1 line that starts with # was skipped"));
    spn_dataset_free(d);
    /* quoted, or alone in its cell, it is a text */
    d = read_text(state, "#,c,y\n1,\"#a\",a\n2,\"#b\",b\n", spn_read_defaults());
    assert_string_equal(spn_dataset_feature_name(d, 0), "#");
    assert_string_equal(spn_dataset_feature_name(d, 1), "c=#a");
    spn_dataset_free(d);
}

static void expect_values(void **state, const char *text, spn_decimal decimal, double first,
                          double second)
{
    spn_read_options options = spn_read_defaults();
    options.decimal = decimal;
    spn_dataset *d = read_text(state, text, options);
    assert_int_equal(d->features, 1);
    assert_true(spn_dataset_value(d, 0, 0) == first);
    assert_true(spn_dataset_value(d, 1, 0) == second);
    spn_dataset_free(d);
}

static void test_numbers(void **state)
{
    expect_values(state, "x;y\n1,5;a\n-0,25;b\n", SPN_DECIMAL_COMMA, 1.5, -0.25);
    expect_values(state, "x;y\n1.234,5;a\n1.234.567;b\n", SPN_DECIMAL_COMMA, 1234.5, 1234567);
    expect_values(state, "x;y\n1,5e3;a\n7;b\n", SPN_DECIMAL_COMMA, 1500, 7);
    expect_values(state, "x,y\n\"1,5\",a\n\"2,75\",b\n", SPN_DECIMAL_COMMA, 1.5, 2.75);
    expect_values(state, "x,y\n\"1,234\",a\n\"-1,234,567.5\",b\n", SPN_DECIMAL_AUTO, 1234,
                  -1234567.5);
    expect_values(state, "x;y\n1,234;a\n17;b\n", SPN_DECIMAL_POINT, 1234, 17);
    expect_values(state, "x,y\n12%,a\n7.5 %,b\n", SPN_DECIMAL_AUTO, 0.12, 0.075);
    expect_values(state, "x;y\n12,5%;a\n0;b\n", SPN_DECIMAL_COMMA, 0.125, 0);
}

static void test_bad_numbers(void **state)
{
    spn_read_options options = spn_read_defaults();
    expect_fault(state, "x;y\n7,4;a\n1;b\n", options, "line 2, column 1 ('x')",
                 "'7,4' has a comma; give `decimal comma` if it stands for a decimal point");
    expect_fault(state, "x;y\n1,234;a\n1;b\n", options, "line 2, column 1 ('x')",
                 "or `decimal point` if it separates thousands");
    expect_fault(state, "x,y\n\"1,234\",a\n\"0,875\",b\n", options, "line 3, column 1 ('x')",
                 "give `decimal comma`");
    expect_fault(state, "x,y\n12%,a\n12,b\n", options, "line 3, column 1 ('x')",
                 "'12' has no percent sign");
    expect_fault(state, "x,y\n12,a\n12%,b\n", options, "line 3, column 1 ('x')",
                 "'12%' has a percent sign");
    options.decimal = SPN_DECIMAL_COMMA;
    expect_fault(state, "x;y\n1,5;a\n1.5;b\n", options, "line 3, column 1 ('x')",
                 "'1.5' has a point");
    expect_fault(state, "x;y\n1,5;a\n1.234;b\n", options, "line 3, column 1 ('x')",
                 "'1.234' has a point");
    options.decimal = SPN_DECIMAL_POINT;
    expect_fault(state, "x;y\n1,23;a\n1;b\n", options, "line 2, column 1 ('x')",
                 "give `decimal comma`");
}

static void test_first_line_of_numbers(void **state)
{
    spn_read_options options = spn_read_defaults();
    expect_fault(state, "2019,2020,kind\nlow,high,a\nhigh,low,b\n", options, "line 1, column 1",
                 "give `header yes` if the first line is a header, otherwise `header no`");
    expect_fault(state, "2019,2020,kind\nlow,2,a\nhigh,3,b\n", options, "line 1, column 1",
                 "give `header yes` if the first line is a header, otherwise `header no`");
    expect_fault(state, "1,2,3\n5.1,3.5,a\n4.9,3.0,b\n", options, "line 1, column 3",
                 "a number, but texts in the lines below");
    expect_fault(state, "0,1,2,3\n5.1,3.5,2,7\n4.9,3.0,1,8\n", options, "line 1",
                 "numbers the columns from 0");
    options.header = SPN_HEADER_YES;
    spn_dataset *d = read_text(state, "2019,2020,kind\nlow,high,a\nhigh,low,b\n", options);
    assert_string_equal(spn_dataset_feature_name(d, 0), "2019=high");
    spn_dataset_free(d);
    options.header = SPN_HEADER_NO;
    d = read_text(state, "1,2,3\n5.1,3.5,a\n4.9,3.0,b\n", options);
    assert_int_equal(d->samples, 3);
    spn_dataset_free(d);
}

static void test_missing_labels(void **state)
{
    static const char *const words[] = {"NA", "?", "", "nan", "NULL", ".", "N/A", "#N/A"};
    spn_read_options options = spn_read_defaults();
    char text[100];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        snprintf(text, sizeof text, "x,y\n1,a\n300,%s\n3,b\n4,%s\n", words[k], words[k]);
        options.missing = SPN_MISSING_REFUSE;
        expect_fault(state, text, options, "line 3, column 2 ('y')",
                     "the first of 2 missing labels");
        options.missing = SPN_MISSING_ZERO;
        spn_dataset *d = read_text(state, text, options);
        assert_int_equal(d->samples, 2);
        assert_int_equal(d->classes, 2);
        assert_true(spn_dataset_value(d, 1, 0) == 3);
        assert_string_equal(spn_dataset_note(d), "2 samples without a label were left out");
        spn_dataset_free(d);
    }
    options.missing = SPN_MISSING_MEAN;
    expect_fault(state, "x,y\n1,NA\n2,NA\n", options, "line 2", "no sample has a label");
    /* predictions need none */
    options.labels_optional = options.single_class = true;
    spn_dataset *d = read_text(state, "x,y\n1,a\n2,NA\n", options);
    assert_int_equal(d->samples, 2);
    assert_null(d->labels);
    spn_dataset_free(d);
}

/* `count` samples; sample n has the label first + n / each * step, with this many decimals. */
static char *labels_of(int count, int each, double first, double step, int decimals)
{
    char *text = calloc(1, (size_t)count * 40 + 10);
    size_t size = (size_t)sprintf(text, "x,y\n");
    for (int n = 0; n < count; n++) {
        char number[40];
        sprintf(number, "%.*f", decimals, first + n / each * step);
        if (strchr(number, ',')) /* in a locale */
            *strchr(number, ',') = '.';
        size += (size_t)sprintf(text + size, "%d,%s\n", n, number);
    }
    return text;
}

static void expect_kind(void **state, char *text, bool target)
{
    spn_read_options options = spn_read_defaults();
    spn_error err = {0};
    spn_dataset *d;
    const char *path = spn_scratch_text(state, "labels.csv", text);
    const spn_status status = spn_dataset_read(&d, path, NULL, &options, &err);
    if (target)
        assert_error(status, &err, SPN_ERROR_INPUT, "the labels ('y') are",
                     "give `label-kind classes` if each number is a class");
    else
        assert_ok(status, err);
    spn_dataset_free(d);
    options.label_kind = SPN_LABEL_KIND_CLASSES;
    assert_ok(spn_dataset_read(&d, path, NULL, &options, &err), err);
    spn_dataset_free(d);
    free(text);
}

static void test_targets_of_regressions(void **state)
{
    expect_kind(state, labels_of(200, 1, 5, 0.1, 1), true);   /* measured */
    expect_kind(state, labels_of(220, 20, 1, 0.5, 1), true);  /* 11 with fractions */
    expect_kind(state, labels_of(200, 20, 1, 0.5, 1), false); /* 10 with fractions */
    expect_kind(state, labels_of(8, 1, 1, 0.5, 1), true);     /* each once */
    expect_kind(state, labels_of(210, 10, 1990, 1, 0), true); /* 21 years */
    expect_kind(state, labels_of(200, 10, 1990, 1, 0), false);
    expect_kind(state, labels_of(200, 5, 0, 1, 0), false); /* codes of 40 classes */
    expect_kind(state, labels_of(200, 5, 1, 1, 0), false);
    expect_kind(state, labels_of(200, 4, 0, 1, 0), true);
    expect_kind(state, labels_of(200, 5, 0, 2, 0), true);      /* with gaps */
    expect_kind(state, labels_of(15, 1, 115, 3, 0), true);     /* each once */
    expect_kind(state, labels_of(5, 1, 115, 3, 0), true);      /* few, each once */
    expect_kind(state, labels_of(4, 1, 115, 3, 0), false);     /* too few to tell */
    expect_kind(state, labels_of(10, 1, 0, 1, 0), false);      /* few */
    expect_kind(state, labels_of(200, 100, 0, 0.5, 1), false); /* two */
    expect_kind(state, labels_of(100, 10, 0, 1, 2), false);    /* 0.00 to 9.00 are whole */
}

static void test_targets_with_commas(void **state)
{
    spn_read_options options = spn_read_defaults();
    options.decimal = SPN_DECIMAL_COMMA;
    expect_fault(state, "x;y\n1;1,5\n2;1,75\n3;2,5\n", options, "the labels ('y')",
                 "3 different numbers");
    /* a text among them, and they are classes */
    spn_dataset *d = read_text(state, "x;y\n1;1,5\n2;1,75\n3;few\n", options);
    assert_int_equal(d->classes, 3);
    spn_dataset_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_tables_of_r),
        scratch_test(test_texts_of_r),
        scratch_test(test_row_names),
        scratch_test(test_row_names_by_recipe),
        scratch_test(test_quoted_line_ends),
        scratch_test(test_separators),
        scratch_test(test_comments),
        scratch_test(test_numbers),
        scratch_test(test_bad_numbers),
        scratch_test(test_first_line_of_numbers),
        scratch_test(test_missing_labels),
        scratch_test(test_targets_of_regressions),
        scratch_test(test_targets_with_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

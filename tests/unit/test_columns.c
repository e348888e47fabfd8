/* Tables: separators, headers, the label's column, categories, missing values, and recipes. */
#include "data/dataset.h"
#include "model/training.h"
#include "support/texts.h"

#include <math.h>
#include <spinney/model.h>
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

static void expect_values(const spn_dataset *d, const double *values)
{
    for (size_t k = 0; k < d->samples * d->features; k++) {
        const double value = spn_dataset_value(d, k / d->features, k % d->features);
        assert_true(value == values[k] || (isnan(value) && isnan(values[k])));
    }
}

/* A table with everything, and what it becomes. */
static const char people[] = "id;age;colour;label;size\r\n"
                             "a1;1.5;red;yes;2\r\n"
                             "a2;?;blue;no;3\r\n"
                             "a3;4.5;;yes;1\r\n"
                             "a4;3;red;no;2\r\n";
static const double zero_filled[] = {1.5, 0, 1, 2, 0, 1, 0, 3, 4.5, 0, 0, 1, 3, 0, 1, 2};

static spn_read_options of_people(spn_missing missing)
{
    spn_read_options options = spn_read_defaults();
    options.label_column = "label";
    options.drop = "id";
    options.missing = missing;
    return options;
}

/* ---- what a table becomes ---- */

static void test_everything(void **state)
{
    spn_dataset *d = read_text(state, people, of_people(SPN_MISSING_ZERO));
    static const char *const names[] = {"age", "colour=blue", "colour=red", "size"};
    static const spn_column_kind kinds[] = {SPN_COLUMN_DROPPED, SPN_COLUMN_NUMBER,
                                            SPN_COLUMN_CATEGORY, SPN_COLUMN_LABEL,
                                            SPN_COLUMN_NUMBER};
    const spn_columns *columns = spn_dataset_columns(d);
    assert_int_equal(d->features, 4);
    expect_values(d, zero_filled);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(spn_dataset_feature_name(d, i), names[i]);
    assert_int_equal(columns->count, 5);
    for (size_t c = 0; c < 5; c++)
        assert_int_equal(columns->list[c].kind, kinds[c]);
    assert_string_equal(columns->list[3].name, "label");
    assert_string_equal(columns->list[2].categories.texts[1], "red");
    assert_int_equal(columns->list[2].categories.count, 2);
    assert_string_equal(d->class_names[d->labels[0]], "yes");
    assert_int_equal(d->missing, 0);
    spn_dataset_free(d);
}

/* Plain numbers have no recipe, and are what they have always been. */
static void test_plain_numbers(void **state)
{
    spn_dataset *d = read_text(state, "1,2,a\n3,4,b\n", spn_read_defaults());
    assert_null(spn_dataset_columns(d));
    assert_null(spn_dataset_feature_name(d, 0));
    assert_int_equal(spn_dataset_checksum(d), 0xdacba63c4555e4eb);
    spn_dataset *named = read_text(state, "x,y,class\n1,2,a\n3,4,b\n", spn_read_defaults());
    assert_int_equal(spn_dataset_checksum(d), spn_dataset_checksum(named));
    assert_string_equal(spn_dataset_feature_name(named, 1), "y");
    spn_dataset_free(named);
    spn_dataset_free(d);
}

static void test_separators(void **state)
{
    static const char *const texts[] = {"1,2,a\n3,4,b\n",      "1;2;a\n3;4;b\n",
                                        "1\t2\ta\n3\t4\tb\n",  "1,\t2,\ta\n3,\t4,\tb\n",
                                        "1 ; 2 ;a\n3;4 ; b\n", "\"1\";2;\"a\"\n3;\"4\";b\n",
                                        "1,2,\"a\"\n3,4,b",    "1\t2\t\"a\"\n3\t4\tb"};
    spn_dataset *first = read_text(state, texts[0], spn_read_defaults());
    for (size_t k = 1; k < sizeof texts / sizeof *texts; k++) {
        spn_dataset *d = read_text(state, texts[k], spn_read_defaults());
        assert_int_equal(spn_dataset_checksum(d), spn_dataset_checksum(first));
        spn_dataset_free(d);
    }
    spn_dataset_free(first);
    /* texts with the other separators in them */
    first = read_text(state, "1,2,a;b\n3,4,c;d\n", spn_read_defaults());
    assert_string_equal(first->class_names[0], "a;b");
    spn_dataset_free(first);
    first = read_text(state, "1\t2\t3\ta, b\n3\t4\t5\tc, d\n", spn_read_defaults());
    assert_string_equal(first->class_names[0], "a, b");
    spn_dataset_free(first);
    spn_read_options options = spn_read_defaults();
    options.separator = SPN_SEPARATOR_SEMICOLON;
    first = read_text(state, "1;a, b, c\n2;d, e, f\n", options);
    assert_string_equal(first->class_names[0], "a, b, c");
    spn_dataset_free(first);
    expect_fault(state, "7,4;0,7;a\n7,8;0,88;b\n", spn_read_defaults(), "line 1, column 1",
                 "'7,4' has a comma; give `decimal comma`");
    expect_fault(state, "x;y;z\n7,4;0;a\n7,8;0,88;b\n", spn_read_defaults(),
                 "line 2, column 1 ('x')", "has a comma");
    /* an empty cell at the start or the end of a line of tabs is one */
    expect_fault(state, "1\t2\ta\n\t4\tb\n", spn_read_defaults(), "line 2, column 1",
                 "1 missing value");
    expect_fault(state, "1\t2\ta\n3\t4\t\n", spn_read_defaults(), "line 2", "1 missing label");
}

static size_t samples_of(void **state, const char *text, spn_header header)
{
    spn_read_options options = spn_read_defaults();
    options.header = header;
    spn_dataset *d = read_text(state, text, options);
    const size_t samples = d->samples;
    spn_dataset_free(d);
    return samples;
}

static void test_headers(void **state)
{
    assert_int_equal(samples_of(state, "x,colour,y\n1,red,a\n2,blue,b\n", SPN_HEADER_AUTO), 2);
    /* a number in the first line that is none below: a sample */
    assert_int_equal(samples_of(state, "1,red,a\n2,blue,b\n", SPN_HEADER_AUTO), 2);
    /* texts alone: a header's words do not come again below it, a sample's do */
    assert_int_equal(samples_of(state, "shape,colour,y\nflat,red,a\nbell,red,b\n", SPN_HEADER_AUTO),
                     2);
    assert_int_equal(samples_of(state, "flat,red,a\nbell,red,b\nbell,blue,a\n", SPN_HEADER_AUTO),
                     3);
    assert_int_equal(samples_of(state, "flat,red,a\nbell,blue,b\n", SPN_HEADER_NO), 2);
    /* an index without a name, as pandas writes it */
    assert_int_equal(samples_of(state, ",x,y\n0,1,a\n1,2,b\n", SPN_HEADER_AUTO), 2);
    expect_fault(state, "2019,x,y\n1,2,a\n", spn_read_defaults(), "line 1, column 2",
                 "give `header yes`");
}

static void test_label_column(void **state)
{
    static const struct {
        const char *text, *column, *first;
    } good[] = {{"y,x\na,1\nb,2\n", "y", "a"},
                {"y,x\na,1\nb,2\n", "1", "a"},
                {"x,y,z\n1,a,3\n2,b,4\n", "-2", "a"},
                {"1,a,3\n2,b,4\n", "2", "a"},
                {"x,3,z\n1,a,5\n2,b,4\n", "3", "a"}, /* a name is never taken as a number */
                {"x,last,z\n1,a,3\n2,b,4\n", "last", "a"}};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        spn_read_options options = spn_read_defaults();
        options.label_column = good[k].column;
        options.header = good[k].text[0] == '1' ? SPN_HEADER_NO : SPN_HEADER_YES;
        spn_dataset *d = read_text(state, good[k].text, options);
        assert_string_equal(d->class_names[0], good[k].first);
        spn_dataset_free(d);
    }
    static const struct {
        const char *text, *column, *what;
    } bad[] = {{"size,y\n1,a\n2,b\n", "sise", "did you mean 'size'?"},
               {"1,a\n2,b\n", "zz", "label-column: no column is called 'zz'"},
               {"x,y\n1,a\n2,b\n", "3", "a number is from 1 to 2"},
               {"x,y\n1,a\n2,b\n", "0", "a number is from 1 to 2"},
               {"x,y\n1,a\n2,b\n", "-3", "from -1 backwards from the end"},
               {"x,x\n1,a\n2,b\n", "x", "columns 1 and 2 are both called 'x'; give the number"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_read_options options = spn_read_defaults();
        options.label_column = bad[k].column;
        expect_fault(state, bad[k].text, options, "label-column", bad[k].what);
    }
}

static void test_columns_that_are_asked_for(void **state)
{
    spn_read_options options = spn_read_defaults();
    options.categories = "1";
    spn_dataset *d = read_text(state, "10,1,a\n9,2,b\n10,3,b\n", options);
    static const double values[] = {0, 1, 1, 1, 0, 2, 0, 1, 3};
    expect_values(d, values); /* 9 before 10 */
    assert_string_equal(spn_dataset_feature_name(d, 0), "1=9");
    assert_null(spn_dataset_feature_name(d, 2));
    spn_dataset_free(d);
    /* mixed columns are for the user to decide */
    expect_fault(state, "1,a\n2,b\n3+,a\n", spn_read_defaults(), "line 3, column 1",
                 "'3+' is not a number");
    expect_fault(state, "n,y\n3+,a\n2,b\n", spn_read_defaults(), "line 2, column 1 ('n')",
                 "list it in `categories`");
    d = read_text(state, "1,a\n2,b\n3+,a\n", options);
    assert_int_equal(d->features, 3);
    spn_dataset_free(d);
    options.categories = "2";
    expect_fault(state, "1,a\n2,b\n", options, "categories", "holds the labels");
    options = spn_read_defaults();
    options.drop = "x,2";
    expect_fault(state, "x,y,z\n1,2,a\n2,3,b\n", options, "no column", "drop fewer");
    options.drop = "u";
    expect_fault(state, "x,y,z\n1,2,a\n2,3,b\n", options, "drop", "no column is called 'u'");
}

/* A text in each of so many rows, different in `different` of them. */
static char *texts_of(size_t rows, size_t different)
{
    char *text = calloc(rows + 1, 40);
    size_t size = (size_t)sprintf(text, "the id,x,name,y\n");
    for (size_t n = 0; n < rows; n++)
        size += (size_t)sprintf(text + size, "t%zu,%zu,n%zu,%s\n", n % different, n, n % different,
                                n % 2 ? "a" : "b");
    return text;
}

static void test_limit_of_categories(void **state)
{
    char *text = texts_of(1000, 1000);
    expect_fault(state, text, spn_read_defaults(), "columns '1' (1000), 'name' (1000)",
                 "give `drop 1,name`");
    spn_read_options options = spn_read_defaults();
    options.categories = "the id,name";
    spn_dataset *d = read_text(state, text, options);
    assert_int_equal(d->features, 2001);
    spn_dataset_free(d);
    options.categories = NULL;
    options.most_categories = 1000;
    d = read_text(state, text, options);
    assert_int_equal(d->features, 2001);
    spn_dataset_free(d);
    free(text);
    text = texts_of(1000, 100);
    d = read_text(state, text, spn_read_defaults());
    assert_int_equal(d->features, 201);
    spn_dataset_free(d);
    free(text);
    text = texts_of(20, 11);
    expect_fault(state, text, spn_read_defaults(), "(11)", "20 rows");
    free(text);
}

/* ---- missing values ---- */

static void test_missing(void **state)
{
    expect_fault(state, people, of_people(SPN_MISSING_REFUSE), "line 3, column 2 ('age')",
                 "the first of 2 missing values");
    spn_dataset *d = read_text(state, people, of_people(SPN_MISSING_MEAN));
    double values[16], means[4];
    spn_error err = {0};
    memcpy(values, zero_filled, sizeof values);
    values[4] = NAN;
    expect_values(d, values);
    assert_int_equal(spn_dataset_missing(d), 1);
    assert_ok(spn_dataset_means(means, d, &err), err);
    assert_true(means[0] == 3 && means[3] == 2);
    spn_dataset *filled;
    assert_ok(spn_dataset_fill(&filled, d, means, &err), err);
    values[4] = 3;
    expect_values(filled, values);
    spn_dataset_free(filled);
    /* they are refused where they would do harm */
    spn_scaling *scaling;
    spn_preprocess how = {.kind = SPN_PREPROCESS_FEATURE, .scale = 1};
    assert_error(spn_preprocess_fit(&scaling, &how, d, &err), &err, SPN_ERROR_INPUT,
                 "1 values are missing", "`missing zero`");
    assert_error(spn_dataset_binarise(&filled, d, 1, &err), &err, SPN_ERROR_INPUT, "missing",
                 "`missing zero`");
    /* parts know how many are theirs */
    assert_ok(spn_dataset_first(&filled, d, 1, &err), err);
    assert_int_equal(spn_dataset_missing(filled), 0);
    assert_string_equal(spn_dataset_feature_name(filled, 2), "colour=red");
    spn_dataset_free(filled);
    spn_dataset_free(d);
    spn_read_options options = spn_read_defaults();
    options.missing = SPN_MISSING_MEAN;
    d = read_text(state, "NA,1,a\nnull,2,b\n", options);
    assert_error(spn_dataset_means(means, d, &err), &err, SPN_ERROR_INPUT, "feature 1 has no value",
                 "`missing zero`");
    spn_dataset_free(d);
}

/* The means are of what is trained on, never of what is tested on. */
static void test_nothing_leaks(void **state)
{
    char text[4000];
    size_t size = 0;
    for (int n = 0; n < 100; n++)
        size += (size_t)sprintf(text + size, "%s,%d,%s\n", n % 10 == 0 ? "?" : "", n, "a");
    size = 0;
    for (int n = 0; n < 100; n++)
        size += n % 10 == 0
                    ? (size_t)sprintf(text + size, "?,%d,%s\n", n, n % 4 ? "a" : "b")
                    : (size_t)sprintf(text + size, "%d.5,%d,%s\n", n * n, n, n % 4 ? "a" : "b");
    spn_read_options options = spn_read_defaults();
    spn_error err = {0};
    options.missing = SPN_MISSING_MEAN;
    spn_dataset *all = read_text(state, text, options), *rest, *part;
    spn_train_options how = spn_train_defaults();
    spn_train_data data = spn_train_data_defaults();
    spn_training_sets sets;
    double means[2];
    how.test_fraction = 0.3;
    data.train = all;
    assert_ok(spn_training_sets_make(&sets, &how, &data, &err), err);
    assert_ok(spn_dataset_split(&rest, &part, all, 0.3, how.split_seed, true, &err), err);
    assert_ok(spn_dataset_means(means, rest, &err), err);
    assert_memory_equal(sets.columns->fills, means, sizeof means);
    assert_int_equal(sets.train->missing + sets.test->missing, 0);
    assert_true(rest->missing > 0 && part->missing > 0);
    for (size_t n = 0; n < part->samples; n++)
        if (isnan(part->values[2 * n]))
            assert_true(sets.test->values[2 * n] == means[0]);
    spn_training_sets_clear(&sets);
    spn_dataset_free(rest);
    spn_dataset_free(part);
    spn_dataset_free(all);
}

/* ---- recipes ---- */

static spn_columns *recipe_of_people(void **state, spn_missing missing)
{
    static const double fills[] = {3, 0, 0, 2};
    spn_error err = {0};
    spn_columns *columns;
    spn_dataset *d = read_text(state, people, of_people(missing));
    const double *means = missing == SPN_MISSING_MEAN ? fills : NULL;
    assert_ok(spn_columns_copy(&columns, spn_dataset_columns(d), means, &err), err);
    spn_dataset_free(d);
    return columns;
}

static spn_read_options by(const spn_columns *columns, bool labels_optional)
{
    spn_read_options options = spn_read_defaults();
    options.columns = columns;
    options.features = columns->features;
    options.labels_optional = labels_optional;
    options.single_class = true;
    return options;
}

static void test_further_files(void **state)
{
    static const double expected[] = {7, 0, 1, 8, 3, 1, 0, 9};
    static const struct {
        const char *text;
        bool optional, labelled;
    } files[] = {{"size,more,colour,label,age\n8,x,red,no,7\n9,y,blue,yes,NA\n", false, true},
                 {"size,colour,age\n8,red,7\n9,blue,\n", true, false},
                 {"z1;7;red;no;8\nz2;;blue;yes;9\n", false, true},
                 {"z1\t7\tred\t8\nz2\tnull\tblue\t9\n", true, false}};
    spn_columns *columns = recipe_of_people(state, SPN_MISSING_MEAN);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        spn_dataset *d = read_text(state, files[k].text, by(columns, files[k].optional));
        assert_int_equal(d->features, 4);
        expect_values(d, expected);
        assert_int_equal(d->labels != NULL, files[k].labelled);
        assert_int_equal(d->missing, 0);
        spn_dataset_free(d);
    }
    /* another label, by name */
    spn_read_options options = by(columns, false);
    options.label_column = "truth";
    spn_dataset *d = read_text(state, "truth,size,colour,age\nno,8,red,7\nyes,9,blue,3\n", options);
    expect_values(d, expected);
    assert_string_equal(d->class_names[0], "no");
    spn_dataset_free(d);
    expect_fault(state, "size,colour,label\n8,red,no\n", by(columns, false), "line 1",
                 "no column is called 'age', as in the training data");
    expect_fault(state, "size,colour,age\n8,red,7\n", by(columns, false), "line 1", "label-column");
    expect_fault(state, "z1,7,red,8\n", by(columns, false), "4 columns", "have 5 with the label");
    /* what the recipe takes as missing includes what it does not know */
    d = read_text(state, "size,colour,age\n8,green,7\n", by(columns, true));
    assert_true(spn_dataset_value(d, 0, 1) == 0 && spn_dataset_value(d, 0, 2) == 0);
    spn_dataset_free(d);
    spn_columns_free(columns);
}

static void test_unknown_categories(void **state)
{
    spn_error err = {0};
    spn_columns *columns;
    spn_dataset *d = read_text(state, "colour,x,y\nred,1,a\nblue,2,b\n", spn_read_defaults());
    assert_ok(spn_columns_copy(&columns, spn_dataset_columns(d), NULL, &err), err);
    spn_dataset_free(d);
    expect_fault(state, "colour,x,y\nred,1,a\ngreen,2,b\n", by(columns, false),
                 "line 3, column 1 ('colour')",
                 "'green' is none of the 2 categories in training ('blue' to 'red')");
    spn_read_options options = by(columns, false);
    options.missing = SPN_MISSING_ZERO;
    d = read_text(state, "colour,x,y\nred,1,a\ngreen,2,b\n", options);
    assert_true(spn_dataset_value(d, 1, 0) == 0 && spn_dataset_value(d, 1, 1) == 0);
    spn_dataset_free(d);
    expect_fault(state, "colour,x,y\nred,big,a\n", by(columns, false), "line 2, column 2",
                 "'big' is not a number");
    spn_columns_free(columns);
}

static void test_text_form(void **state)
{
    spn_error err = {0};
    char *text, *again;
    spn_columns *columns = recipe_of_people(state, SPN_MISSING_MEAN), *copy;
    assert_ok(spn_columns_to_text(&text, columns, &err), err);
    assert_string_equal(text, "columns 1\nheader yes\nmissing mean\nindices 1\ndropped \"id\"\n"
                              "number \"age\" 3\ncategory \"colour\" \"blue\" \"red\"\n"
                              "label \"label\"\nnumber \"size\" 2\n");
    assert_ok(spn_columns_from_text(&copy, text, strlen(text), "here", &err), err);
    assert_ok(spn_columns_to_text(&again, copy, &err), err);
    assert_string_equal(text, again);
    spn_columns_free(copy);
    spn_columns_free(columns);
    free(again);
    free(text);
    /* quotes and backslashes */
    spn_dataset *d =
        read_text(state, "\"a \"\"b\"\"\",c\\d,y\n\"q\"\"\\\",1,u\nq,2,v\n", spn_read_defaults());
    assert_ok(spn_columns_to_text(&text, spn_dataset_columns(d), &err), err);
    assert_ok(spn_columns_from_text(&copy, text, strlen(text), "here", &err), err);
    assert_string_equal(copy->list[0].name, "a \"b\"");
    assert_string_equal(spn_columns_feature_name(copy, 1), "a \"b\"=q\"\\");
    spn_columns_free(copy);
    spn_dataset_free(d);
    free(text);
}

static void test_text_form_faults(void **state)
{
    (void)state;
#define HEAD "columns 1\nheader yes\nmissing mean\nindices 1\n"
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"", "expected columns, header"},
        {"columns 2\nheader yes\nmissing mean\nindices 1\nnumber \"x\"\n", "unknown version"},
        {"columns 1\nheader yes\nmissing mode\nindices 1\nnumber \"x\"\n", "unknown version"},
        {"columns 1\nheader maybe\nmissing mean\nindices 1\nnumber \"x\"\n", "unknown"},
        {"columns 1\nheader no\nmissing mean\nindices 2\nnumber -\n", "unknown"},
        {HEAD, "no features"},
        {HEAD "label \"y\"\n", "no features"},
        {HEAD "figure \"x\"\n", "expected number"},
        {HEAD "number -\n", "a name in quotes"},
        {HEAD "number \"x\n", "a name in quotes"},
        {HEAD "number \"\\q\"\n", "a name in quotes"},
        {HEAD "number \"\\x00\"\n", "a name in quotes"},
        {HEAD "number \"x\" nan\n", "not a number"},
        {HEAD "number \"x\" 1\nnumber \"z\"\n", "only some columns"},
        {HEAD "category \"x\"\n", "no categories"},
        {HEAD "category \"x\" \"a\" \"a\"\n", "comes twice"},
        {HEAD "category \"x\" \"\"\n", "categories in quotes"},
        {HEAD "category \"x\" a\n", "categories in quotes"},
        {HEAD "number \"x\"\nlabel \"y\"\nlabel \"z\"\n", "two labels"},
        {HEAD "number \"x\"\nlabel \"y\" 3\n", "follows the name"},
        {"columns 1\nheader no\nmissing mean\nindices 1\nnumber \"x\"\n", "no header"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_columns *columns;
        assert_error(
            spn_columns_from_text(&columns, bad[k].text, strlen(bad[k].text), "m.spn", &err), &err,
            SPN_ERROR_INPUT, "m.spn: line ", bad[k].what);
        assert_null(columns);
    }
}

static void test_model_keeps_them(void **state)
{
    static const int8_t weights[8] = {1, 1, -1, 1, -1, 1, 1, -1};
    spn_error err = {0};
    spn_columns *columns = recipe_of_people(state, SPN_MISSING_MEAN);
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_model *model, *again;
    char *text, *same;
    arrays.classes = 2;
    arrays.features = 4;
    arrays.weights = weights;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    assert_null(spn_model_columns(model));
    assert_ok(spn_model_set_columns(model, columns, &err), err);
    const char *path = spn_scratch_text(state, "m.spn", "");
    assert_ok(spn_model_write(model, path, &err), err);
    assert_ok(spn_model_read(&again, path, &err), err);
    assert_ok(spn_columns_to_text(&text, columns, &err), err);
    assert_ok(spn_columns_to_text(&same, spn_model_columns(again), &err), err);
    assert_string_equal(text, same);
    free(text);
    free(same);
    spn_model_free(again);
    spn_columns_free(columns);
    spn_dataset *d = read_text(state, "x,y\n1,a\n2,b\n", spn_read_defaults());
    assert_error(spn_model_set_columns(model, spn_dataset_columns(d), &err), &err,
                 SPN_ERROR_ARGUMENT, "1 features", "the model has 4");
    spn_dataset_free(d);
    spn_model_free(model);
}

static void test_only_tables_have_columns(void **state)
{
    spn_read_options options = spn_read_defaults();
    options.drop = "1";
    spn_test_text_fault(state, "data.svm", "1 1:2\n2 1:3\n", options, "drop", "this is svmlight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_everything),
        scratch_test(test_plain_numbers),
        scratch_test(test_separators),
        scratch_test(test_headers),
        scratch_test(test_label_column),
        scratch_test(test_columns_that_are_asked_for),
        scratch_test(test_limit_of_categories),
        scratch_test(test_missing),
        scratch_test(test_nothing_leaks),
        scratch_test(test_further_files),
        scratch_test(test_unknown_categories),
        scratch_test(test_text_form),
        scratch_test(test_text_form_faults),
        scratch_test(test_model_keeps_them),
        scratch_test(test_only_tables_have_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

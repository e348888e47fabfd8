/* JSON, read and written as jansson 2.14 did: its answers are kept here. Lacks of memory are for
   tests/faults. */
#include "base/memory.h"
#include "support/json.h"

#include <math.h>
#include <xxhash.h>

/* A text, and how it is written after it was read; NULL: it is refused. */
static const struct {
    const char *text, *written;
} cases[] = {
    {"{}", "{}"},
    {"[]", "[]"},
    {" [ ] ", "[]"},
    {"\n{\"a\" : 1 , \"b\":[true,false,null]}\n", "{\"a\":1,\"b\":[true,false,null]}"},
    {"[0,-0,1,-1,10,9223372036854775807,-9223372036854775808]",
     "[0,0,1,-1,10,9223372036854775807,-9223372036854775808]"},
    {"[9223372036854775808]", NULL},
    {"[-9223372036854775809]", NULL},
    {"[123456789012345678901234567890123456789]", NULL},
    {"[0.5,-0.0,1e3,1E+3,1e-3,1.25e-300,0.1,123456789.125]",
     "[0.5,-0.0,1000.0,1000.0,0.001,1.25e-300,0.10000000000000001,123456789.125]"},
    {"[1e309]", NULL},
    {"[1e-400]", "[0.0]"},
    {"[01]", NULL},
    {"[1.]", NULL},
    {"[.5]", NULL},
    {"[+1]", NULL},
    {"[-]", NULL},
    {"[1e]", NULL},
    {"[1e+]", NULL},
    {"[--1]", NULL},
    {"[0x10]", NULL},
    {"[NaN]", NULL},
    {"[Infinity]", NULL},
    {"[1 2]", NULL},
    {"[1,]", NULL},
    {"[,1]", NULL},
    {"[", NULL},
    {"]", NULL},
    {"{", NULL},
    {"}", NULL},
    {"{\"a\"}", NULL},
    {"{\"a\":}", NULL},
    {"{\"a\":1,}", NULL},
    {"{a:1}", NULL},
    {"{\"a\" 1}", NULL},
    {"{\"a\":1 \"b\":2}", NULL},
    {"{\"a\":1,\"a\":2}", NULL},
    {"{\"a\":{\"a\":1}}", "{\"a\":{\"a\":1}}"},
    {"[\"\"]", "[\"\"]"},
    {"[\"plain\", \"with \\\"quotes\\\" and \\\\ and \\/ and \\b\\f\\n\\r\\t\"]",
     "[\"plain\",\"with \\\"quotes\\\" and \\\\ and / and \\b\\f\\n\\r\\t\"]"},
    {"[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\uFFFF\"]",
     "[\"A\303\251\342\202\254\360\237\230\200\357\277\277\"]"},
    {"[\"\\u0000\"]", NULL},
    {"[\"\\ud83d\"]", NULL},
    {"[\"\\ude00\"]", NULL},
    {"[\"\\ud83dx\"]", NULL},
    {"[\"\\ud83d\\u0041\"]", NULL},
    {"[\"\\u12\"]", NULL},
    {"[\"\\u12g4\"]", NULL},
    {"[\"\\x\"]", NULL},
    {"[\"\\", NULL},
    {"[\"\\\"]", NULL},
    {"[\"a\nb\"]", NULL},
    {"[\"a\tb\"]", NULL},
    {"[\"\177\"]", "[\"\177\"]"},
    {"[\"\303\251 \342\202\254 \360\237\230\200\"]",
     "[\"\303\251 \342\202\254 \360\237\230\200\"]"},
    {"[\"\303\"]", NULL},
    {"[\"\300\200\"]", NULL},
    {"[\"\355\240\200\"]", NULL},
    {"[\"\364\220\200\200\"]", NULL},
    {"[\"\377\"]", NULL},
    {"[\"\342\202\"]", NULL},
    {"[\"no end]", NULL},
    {"[true", NULL},
    {"[tru]", NULL},
    {"[trueish]", NULL},
    {"[nulll]", NULL},
    {"[] []", NULL},
    {"[]x", NULL},
    {"", NULL},
    {"   ", NULL},
    {"1", NULL},
    {"\"text\"", NULL},
    {"true", NULL},
    {"[[[[[[[[[[]]]]]]]]]]", "[[[[[[[[[[]]]]]]]]]]"},
    {"[[1,[2,[3,{\"x\":[]}]]]]", "[[1,[2,[3,{\"x\":[]}]]]]"},
    {"[[1]", NULL},
    {"[1]]", NULL},
    {"{\"\":0}", "{\"\":0}"},
    {"{\"a\\u0062\":1,\"ab\":2}", NULL},
    {"{\"long name of more than sixteen letters\": \"and its text\"}",
     "{\"long name of more than sixteen letters\":\"and its text\"}"},
};

/* The value in one line; to be freed. */
static char *written(const spn_json_value *value)
{
    spn_json json = {0};
    char *text;
    assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
    spn_json_value_put(&json, NULL, value);
    assert_int_equal(spn_json_finish(&text, NULL, &json, NULL), SPN_OK);
    return text;
}

static void texts_right_and_wrong(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].text;
        spn_json_tree tree;
        spn_json_fault fault;
        const spn_status status = spn_json_load(&tree, text, strlen(text), &fault);
        if ((status == SPN_OK) != (cases[k].written != NULL))
            fail_msg("%s: %s", text, fault.what);
        if (status) {
            assert_int_equal(status, SPN_ERROR_INPUT);
            assert_null(tree.root);
            assert_true(*fault.what && fault.line > 0);
            continue;
        }
        char *again = written(tree.root);
        assert_string_equal(again, cases[k].written);
        free(again);
        spn_json_unload(&tree);
    }
}

/* Every beginning of a text, and every text with one byte changed: as many are read, with the same
   content. */
static void damaged_texts(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\", null], \"b\": {\"c\": true, \"d\": []}}";
    char copy[sizeof text];
    size_t count = 0;
    XXH3_state_t *sum = XXH3_createState();
    XXH3_64bits_reset(sum);
    for (size_t size = 0; size < sizeof text; size++)
        for (int c = 0; c < 256; c++) {
            spn_json_tree tree;
            spn_json_fault fault;
            memcpy(copy, text, sizeof text);
            copy[size] = (char)c;
            if (spn_json_load(&tree, copy, c == 0 ? size : sizeof text - 1, &fault))
                continue;
            char *again = written(tree.root);
            XXH3_64bits_update(sum, again, strlen(again));
            count++;
            free(again);
            spn_json_unload(&tree);
        }
    assert_int_equal(count, 1168);
    assert_int_equal(XXH3_64bits_digest(sum), 0x1c22768553c505d1);
    XXH3_freeState(sum);
}

static void expect_fault(const char *text, size_t size, size_t line, const char *what)
{
    spn_json_tree tree;
    spn_json_fault fault;
    assert_int_equal(spn_json_load(&tree, text, size, &fault), SPN_ERROR_INPUT);
    assert_int_equal(fault.line, line);
    assert_string_equal(fault.what, what);
}

static void faults_have_their_line(void **state)
{
    (void)state;
    static const char word[] = "{\n\"a\": 1,\n\"b\": nothing\n}";
    static const char twice[] = "{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3,\n\"c\": 4\n}\n";
    expect_fault(word, strlen(word), 3, "expected a value");
    expect_fault(twice, strlen(twice), 4, "duplicate name");
}

static void too_many_levels(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    char *text = malloc(LEVELS);
    memset(text, '[', LEVELS);
    expect_fault(text, LEVELS, 1, "too many levels");
    free(text);
}

static void values_are_found(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, [2, 3], {\"b\": \"x\"}], \"c\": 0.5, \"d\": true}";
    spn_json_tree tree = json_of(text, strlen(text));
    const spn_json_value *a = spn_json_get(tree.root, "a");
    assert_int_equal(json_count(a), 3);
    assert_true(spn_json_get_real(json_at(a, 0)) == 1);
    assert_int_equal(json_at(json_at(a, 1), 1)->whole, 3);
    assert_string_equal(spn_json_get_text(spn_json_get(json_at(a, 2), "b")), "x");
    assert_true(spn_json_get_real(spn_json_get(tree.root, "c")) == 0.5);
    assert_true(json_is_true(spn_json_get(tree.root, "d")));
    assert_null(json_at(a, 3));
    assert_null(spn_json_get(tree.root, "b"));
    assert_null(spn_json_get(a, "b"));
    assert_null(spn_json_get_text(a));
    assert_null(spn_json_first(NULL));
    spn_json_unload(&tree);
}

/* ---- writing ---- */

/* What a writer has written; to be freed. */
static char *finished(spn_json *json)
{
    char *text;
    size_t size;
    assert_int_equal(spn_json_finish(&text, &size, json, NULL), SPN_OK);
    assert_int_equal(size, strlen(text));
    return text;
}

static void written_texts(void **state)
{
    (void)state;
    char letters[256];
    for (int c = 1; c < 256; c++)
        letters[c - 1] = (char)(c < 128 ? c : '-');
    letters[255] = 0;
    const char *const all[][2] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {letters, "\"\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000B\\f\\r\\u000E"
                  "\\u000F\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u"
                  "001A\\u001B\\u001C\\u001D\\u001E\\u001F "
                  "!\\\"#$%&'()*+,-./"
                  "0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\\\]^_`abcdefghijklmnopqrstuvwxyz{|"
                  "}~\177--------------------------------------------------------------------------"
                  "------------------------------------------------------\""},
        {"\xc3\xa9 \xf0\x9f\x98\x80", "\"\xc3\xa9 \xf0\x9f\x98\x80\""}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        spn_json json = {0};
        assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
        spn_json_text(&json, NULL, all[k][0]);
        char *text = finished(&json);
        assert_string_equal(text, all[k][1]);
        free(text);
    }
}

static void texts_that_are_not_utf8(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_json json = {0};
    char *text;
    assert_int_equal(spn_json_begin(&json, &err), SPN_OK);
    spn_json_any_text(&json, NULL, "caf\xe9 \"\xff");
    text = finished(&json);
    assert_string_equal(text, "\"caf? \\\"?\"");
    free(text);
    json = (spn_json){0};
    assert_int_equal(spn_json_begin(&json, &err), SPN_OK);
    spn_json_text(&json, NULL, "caf\xe9");
    assert_int_equal(spn_json_finish(&text, NULL, &json, &err), SPN_ERROR_ARGUMENT);
    assert_null(text);
}

static void written_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *seventeen, *fifteen;
    } all[] = {{0, "0.0", "0.0"},
               {-0.0, "-0.0", "-0.0"},
               {5, "5.0", "5.0"},
               {0.1, "0.10000000000000001", "0.1"},
               {1e20, "1e20", "1e20"},
               {1e-5, "1.0000000000000001e-5", "1e-5"},
               {123456789.125, "123456789.125", "123456789.125"},
               {1e300, "1.0000000000000001e300", "1e300"},
               {-2.5e-300, "-2.5e-300", "-2.5e-300"},
               {1e15, "1000000000000000.0", "1e15"},
               {1e17, "1e17", "1e17"},
               {12345678901234567890.0, "1.2345678901234567e19", "1.23456789012346e19"},
               {1.0 / 3, "0.33333333333333331", "0.333333333333333"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[SPN_NUMBER_TEXT];
        spn_decimal_text(text, all[k].value, 17);
        assert_string_equal(text, all[k].seventeen);
        spn_decimal_text(text, all[k].value, 15);
        assert_string_equal(text, all[k].fifteen);
    }
    spn_json json = SPN_JSON_PRINTED;
    assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
    for (size_t k = 0; k < 4; k++)
        spn_json_real(&json, NULL, all[k].value);
    spn_json_real(&json, NULL, NAN);
    char *text = finished(&json);
    assert_string_equal(text, "0,-0.0,5,0.10000000000000001,null");
    free(text);
}

static void written_lines(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[],\"b\":{},\"c\":[1,{\"d\":null}],\"e\":{\"f\":[true,false],\"g\":\"x\"}}";
    spn_json json = SPN_JSON_PRINTED;
    spn_json_tree tree = json_of(text, strlen(text));
    assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
    spn_json_value_put(&json, NULL, tree.root);
    char *lines = finished(&json);
    assert_string_equal(lines,
                        "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": "
                        "null\n    }\n  ],\n  \"e\": {\n    \"f\": [\n      true,\n      "
                        "false\n    ],\n    \"g\": \"x\"\n  }\n}");
    free(lines);
    spn_json_unload(&tree);
}

static void texts_of_streams(void **state)
{
    (void)state;
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    char *text = spn_memory_stream_finish(&memory);
    assert_string_equal(text, "");
    free(text);
    stream = spn_memory_stream_open(&memory);
    for (int k = 0; k < 10000; k++)
        fprintf(stream, "%d ", k);
    text = spn_memory_stream_finish(&memory);
    assert_int_equal(strlen(text), memory.size);
    assert_int_equal(memory.size, 48890);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_right_and_wrong),   cmocka_unit_test(damaged_texts),
        cmocka_unit_test(faults_have_their_line),  cmocka_unit_test(too_many_levels),
        cmocka_unit_test(values_are_found),        cmocka_unit_test(written_texts),
        cmocka_unit_test(texts_that_are_not_utf8), cmocka_unit_test(written_numbers),
        cmocka_unit_test(written_lines),           cmocka_unit_test(texts_of_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* JSON, read and written: the reader against jansson's, on texts that are right and wrong; trees
   and texts where memory lacks are for tests/faults. */
#include "base/json_writer.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/json_tree.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    "{}",
    "[]",
    " [ ] ",
    "\n{\"a\" : 1 , \"b\":[true,false,null]}\n",
    "[0,-0,1,-1,10,9223372036854775807,-9223372036854775808]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[123456789012345678901234567890123456789]",
    "[0.5,-0.0,1e3,1E+3,1e-3,1.25e-300,0.1,123456789.125]",
    "[1e309]",
    "[1e-400]",
    "[01]",
    "[1.]",
    "[.5]",
    "[+1]",
    "[-]",
    "[1e]",
    "[1e+]",
    "[--1]",
    "[0x10]",
    "[NaN]",
    "[Infinity]",
    "[1 2]",
    "[1,]",
    "[,1]",
    "[",
    "]",
    "{",
    "}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\" 1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":{\"a\":1}}",
    "[\"\"]",
    "[\"plain\", \"with \\\"quotes\\\" and \\\\ and \\/ and \\b\\f\\n\\r\\t\"]",
    "[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\uFFFF\"]",
    "[\"\\u0000\"]",
    "[\"\\ud83d\"]",
    "[\"\\ude00\"]",
    "[\"\\ud83dx\"]",
    "[\"\\ud83d\\u0041\"]",
    "[\"\\u12\"]",
    "[\"\\u12g4\"]",
    "[\"\\x\"]",
    "[\"\\",
    "[\"\\\"]",
    "[\"a\nb\"]",
    "[\"a\tb\"]",
    "[\"\x7f\"]",
    "[\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"]",
    "[\"\xc3\"]",
    "[\"\xc0\x80\"]",
    "[\"\xed\xa0\x80\"]",
    "[\"\xf4\x90\x80\x80\"]",
    "[\"\xff\"]",
    "[\"\xe2\x82\"]",
    "[\"no end]",
    "[true",
    "[tru]",
    "[trueish]",
    "[nulll]",
    "[] []",
    "[]x",
    "",
    "   ",
    "1",
    "\"text\"",
    "true",
    "[[[[[[[[[[]]]]]]]]]]",
    "[[1,[2,[3,{\"x\":[]}]]]]",
    "[[1]",
    "[1]]",
    "{\"\":0}",
    "{\"a\\u0062\":1,\"ab\":2}",
    "{\"long name of more than sixteen letters\": \"and its text\"}"};

static void the_reader_and_janssons(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        json_t *ours, *theirs = json_loads(texts[k], JSON_REJECT_DUPLICATES, NULL);
        spn_json_fault fault;
        const spn_status status = spn_json_load(&ours, texts[k], strlen(texts[k]), &fault);
        if ((theirs != NULL) != (status == SPN_OK) || (ours && !json_equal(ours, theirs)))
            fail_msg("%s: %s", texts[k], fault.what);
        if (status) {
            assert_int_equal(status, SPN_ERROR_INPUT);
            assert_null(ours);
            assert_true(*fault.what && fault.line > 0);
        }
        json_decref(ours);
        json_decref(theirs);
    }
}

/* Every beginning of a text, and every text with one byte changed. */
static void damaged_texts(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\", null], \"b\": {\"c\": true, \"d\": []}}";
    char copy[sizeof text];
    for (size_t size = 0; size < sizeof text; size++)
        for (int c = 0; c < 256; c++) {
            json_t *ours;
            spn_json_fault fault;
            memcpy(copy, text, sizeof text);
            copy[size] = (char)c;
            const size_t length = c == 0 ? size : sizeof text - 1;
            json_t *theirs = json_loadb(copy, length, JSON_REJECT_DUPLICATES, NULL);
            spn_json_load(&ours, copy, length, &fault);
            if ((ours != NULL) != (theirs != NULL) || (ours && !json_equal(ours, theirs)))
                fail_msg("byte %zu as %d: %s", size, c, fault.what);
            json_decref(ours);
            json_decref(theirs);
        }
}

static void faults_have_their_line(void **state)
{
    (void)state;
    json_t *root;
    spn_json_fault fault;
    const char text[] = "{\n\"a\": 1,\n\"b\": nothing\n}";
    assert_int_equal(spn_json_load(&root, text, strlen(text), &fault), SPN_ERROR_INPUT);
    assert_int_equal(fault.line, 3);
    assert_string_equal(fault.what, "expected a value");
}

static void too_many_levels(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    char *text = malloc(LEVELS);
    json_t *root;
    spn_json_fault fault;
    memset(text, '[', LEVELS);
    assert_int_equal(spn_json_load(&root, text, LEVELS, &fault), SPN_ERROR_INPUT);
    assert_string_equal(fault.what, "too many levels");
    free(text);
}

/* Texts are written as jansson writes them. */
static void written_texts(void **state)
{
    (void)state;
    char letters[256];
    for (int c = 1; c < 256; c++)
        letters[c - 1] = (char)(c < 128 ? c : '-');
    letters[255] = 0;
    const char *const all[] = {"", "plain", letters, "\xc3\xa9 \xf0\x9f\x98\x80"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        spn_json json = {0};
        char *text;
        size_t size;
        assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
        spn_json_text(&json, NULL, all[k]);
        assert_int_equal(spn_json_finish(&text, &size, &json, NULL), SPN_OK);
        json_t *value = json_string(all[k]);
        char *theirs = json_dumps(value, JSON_ENCODE_ANY);
        assert_string_equal(text, theirs);
        assert_int_equal(size, strlen(theirs));
        json_decref(value);
        free(theirs);
        free(text);
    }
}

static void a_tree_that_failed_has_no_text(void **state)
{
    (void)state;
    spn_json_tree tree = {0};
    json_t *root = json_object();
    spn_json_set(&tree, root, "a", json_integer(1));
    assert_false(tree.failed);
    spn_json_set(&tree, root, "b", NULL);
    assert_true(tree.failed);
    assert_null(spn_json_dump(&tree, root, 0));
    tree.failed = false;
    spn_json_append(&tree, NULL, json_integer(1));
    assert_true(tree.failed);
    json_t *name = spn_json_string("caf\xe9 \xff");
    assert_string_equal(json_string_value(name), "caf? ?");
    json_decref(name);
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
        cmocka_unit_test(the_reader_and_janssons),
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(faults_have_their_line),
        cmocka_unit_test(too_many_levels),
        cmocka_unit_test(written_texts),
        cmocka_unit_test(texts_of_streams),
        cmocka_unit_test(a_tree_that_failed_has_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files of states: lines, tables, NPY and JSON; what is read, and what is refused. */
#include "data/problem.h"
#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>

static spn_status parse(spn_problem **out, const void *data, size_t size, spn_error *err)
{
    /* of exactly its size, so that the sanitizer sees a read beyond it */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    const spn_source source = {.name = "file", .data = copy, .size = size};
    const spn_problem_options options = spn_problem_options_defaults();
    const spn_status status = spn_problem_parse(out, SPN_PROBLEM_STATES, &source, &options, err);
    free(copy);
    return status;
}

/* All of these are the two states + - + and - - +. */
static void test_same_states(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "+-+\n--+\n",
        "# a comment\n\n+-+\r\n# another\n--+",
        "101\n001\n",
        "1 0 1\n0 0 1\n",
        "1 -1 1\n-1\t-1 +1\n",
        "1,-1,1\n-1, -1 ,1.0\n",
        "energy,count,x0,x1,x2\n-3,2,1,0,1\n4.5e-1,1,0,0,1\n",
        "energy,count,\"a,b\",c d,e\r\n-3,2,1,-1,1\r\n0,1,-1,-1,1\r\n",
        "s0,s1,s2\n1,0,1\n0,0,1\n",
        "energy,s0,s1,s2\n7,1,0,1\n8,0,0,1\n",
        "[[1,-1,1],[-1,-1,1]]",
        " [ [1, 0, 1] ,\n [0, 0, 1] ]\n",
        "{\"states\":[{\"state\":[1,0,1]},{\"energy\":2,\"state\":[0,0,1]}]}",
        "{\"task\": \"a\\\"}\", \"x\": {\"states\": [1, {\"y\": null}]}, \"states\":\n"
        "[{\"energy\": -1e3, \"state\": [1, -1, 1], \"count\": 3}, [-1, -1, 1]], \"z\": true}\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        spn_error err = {0};
        spn_problem *p;
        assert_ok(parse(&p, texts[k], strlen(texts[k]), &err), err);
        assert_int_equal(p->sites, 3);
        assert_int_equal(p->count, 2);
        assert_memory_equal(p->rows, ((int8_t[]){1, -1, 1, -1, -1, 1}), 6);
        spn_problem_free(p);
    }
}

/* Names of the variables, where the file has them. */
static void test_names(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "energy,count,\"a,b\",c d,'=e\n-3,2,1,0,1\n", "energy,\"a,b\" , c d ,=e\n-3,1,0,1\n",
        "{\"variables\": [\"a,b\", \"c\\u0020d\", \"=e\"], \"states\": [[1, 0, 1]]}"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        spn_error err = {0};
        spn_problem *p;
        assert_ok(parse(&p, texts[k], strlen(texts[k]), &err), err);
        assert_string_equal(spn_problem_name(p, 0), "a,b");
        assert_string_equal(spn_problem_name(p, 1), "c d");
        assert_string_equal(spn_problem_name(p, 2), "=e");
        spn_problem_free(p);
    }
}

/* What the CSV of --out quotes: line ends, also before # and blank lines, and quotes. */
static void test_quoted_names(void **state)
{
    (void)state;
    static const char text[] = "energy,count,\"a\n\n# b\nc\",\"q\"\"z\"\"\",\" d, \"\n-3,2,1,0,1\n";
    spn_error err = {0};
    spn_problem *p;
    assert_ok(parse(&p, text, strlen(text), &err), err);
    assert_string_equal(spn_problem_name(p, 0), "a\n\n# b\nc");
    assert_string_equal(spn_problem_name(p, 1), "q\"z\"");
    assert_string_equal(spn_problem_name(p, 2), " d, ");
    assert_memory_equal(p->rows, ((int8_t[]){1, -1, 1}), 3);
    spn_problem_free(p);
}

static void test_refused(void **state)
{
    (void)state;
    const struct {
        const char *text, *part;
    } bad[] = {
        {"", "file: no states"},
        {"# nothing\n", "file: no states"},
        {"+-+\n+-\n", "file: line 2: 2 spins, but the states before have 3"},
        {"+-0\n", "file: line 1: '0' at column 3; a state is a string of + and -"},
        {"102\n", "file: line 1: '2' at column 3; a state is a string of 1 and 0"},
        {"101\n+-+\n", "file: line 2: '+' at column 1; a state is a string of 1 and 0"},
        {"abc\n", "file: line 1: 'a' at column 1"},
        {"1,0,1\n1,0,-1\n", "file: both 0 and -1; states are of 0 and 1, or of -1 and +1"},
        {"1,0,2\n", "file: line 1: field 3, '2', is not +1 or -1, or 0 or 1"},
        {"1,0.5,0\n", "field 2, '0.5', is not +1 or -1"},
        {"1,,0\n", "field 2, '', is not"},
        {"energy,count,a\n", "file: a header, but no states"},
        {"energy,count\n1,2\n", "file: line 2: 2 fields; expected spins behind energy and count"},
        {"energy,count,a\nx,2,1\n", "file: line 2: field 1, 'x', is not a number"},
        {"energy,count,a,b\n1,2,1,1\n1,2,1\n",
         "file: line 3: 1 spins, but the states before have 2"},
        {"a,b,a\n1,1,1\n", "file: the variable 'a' is there twice"},
        {"energy,count,a,b\n1,2,1\n", "file: 2 names of variables, but states of 1 spins"},
        {"{\"variables\":[\"a\"],\"states\":[[1,0]]}", "1 names of variables, but states of 2"},
        {"{\"variables\":[\"a\",1],\"states\":[[1,0]]}", "a variable whose name is no text"},
        {"{\"variables\":[\"a\"],\"variables\":[\"b\"]}", "expected one list of names"},
        {"[]", "file: no states"},
        {"[[]]", "a state without spins"},
        {"[[1,0],[1]]", "this state has another number of spins"},
        {"[[1,-1],[1,0]]", "both 0 and -1"},
        {"[[1,2]]", "expected +1 or -1, or 0 or 1"},
        {"[[1,0]", "expected , or ] in the list of states"},
        {"[[1,0", "expected , or ] in the list of a state"},
        {"[[1,0]]]", "text behind its end"},
        {"[1,0]", "expected a state: a list of numbers"},
        {"{\"a\":1}", "an object without a list `states`"},
        {"{\"states\":3}", "expected a list of states"},
        {"{\"states\":[{\"energy\":1}]}", "an object without a list `state`"},
        {"{\"states\":[[1]],\"b\"", "not JSON: expected a name"},
        {"{\"b\":", "not JSON: expected a value"},
        {"{\"b\":[[[", "not JSON: expected a value"},
        {"{", "not JSON"},
        {"{\"b\":\"x", "not JSON: expected a value"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_problem *p;
        assert_error(parse(&p, bad[k].text, strlen(bad[k].text), &err), &err, SPN_ERROR_INPUT,
                     "file: ", bad[k].part);
        assert_null(p);
    }
}

/* ---- NPY ---- */

/* A file of version 1.0; the header is filled up with blanks. */
static size_t npy(uint8_t *out, const char *header, const void *cells, size_t size)
{
    const size_t length = strlen(header) + 3;
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (uint8_t)length;
    out[9] = (uint8_t)(length >> 8);
    memcpy(out + 10, header, length - 3);
    memcpy(out + 10 + length - 3, "  \n", 3);
    if (size)
        memcpy(out + 10 + length, cells, size);
    return 10 + length + size;
}

#define RECORDS "{'descr': [('energy', '<f8'), ('count', '<i8'), ('state', '|i1', "

static void test_npy(void **state)
{
    (void)state;
    static const char matrix[] = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }";
    static const char records[] = RECORDS "(3,))], 'fortran_order': False, 'shape': (2,), }";
    const int8_t spins[] = {1, -1, 1, -1, -1, 1}, bits[] = {1, 0, 1, 0, 0, 1};
    uint8_t file[512], cells[2 * 19] = {0};
    for (size_t k = 0; k < 2; k++) {
        memset(cells + k * 19, 0xc5, 16); /* energy and count do not matter */
        memcpy(cells + k * 19 + 16, bits + k * 3, 3);
    }
    const size_t sizes[] = {npy(file, matrix, spins, 6), npy(file, matrix, bits, 6),
                            npy(file, records, cells, sizeof cells)};
    for (size_t k = 0; k < 3; k++) {
        spn_error err = {0};
        spn_problem *p;
        npy(file, k < 2 ? matrix : records,
            k == 0   ? spins
            : k == 1 ? (void *)bits
                     : cells,
            k < 2 ? 6 : sizeof cells);
        assert_ok(parse(&p, file, sizes[k], &err), err);
        assert_int_equal(p->sites, 3);
        assert_int_equal(p->count, 2);
        assert_memory_equal(p->rows, spins, 6);
        spn_problem_free(p);
        /* cut short anywhere, it is refused */
        for (size_t size = 6; size < sizes[k]; size++) {
            assert_int_equal(parse(&p, file, size, &err), SPN_ERROR_INPUT);
            assert_null(p);
        }
    }
}

static void test_npy_refused(void **state)
{
    (void)state;
    const struct {
        const char *header, *part;
    } bad[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", "expected +1 or -1"},
        {"{'descr': '|S8', 'fortran_order': False, 'shape': (1, 1), }", "an array of type |S8"},
        {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2, 2), }", "3 dimensions"},
        {RECORDS "(3,))], 'fortran_order': False, 'shape': (9,), }", "9 states of 3 spins"},
        {RECORDS "(0,))], 'fortran_order': False, 'shape': (1,), }", "1 states of 0 spins"},
        {RECORDS "(18446744073709551615,))], 'fortran_order': False, 'shape': (2,), }", "records"},
        {RECORDS "(3,))], 'fortran_order': True, 'shape': (2,), }", "records of other fields"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
         "records of other fields than energy"},
    };
    uint8_t file[512];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_problem *p;
        const size_t size = npy(file, bad[k].header, "\1\1\1\1\1\1\1\1", 8);
        assert_error(parse(&p, file, size, &err), &err, SPN_ERROR_INPUT, "file: ", bad[k].part);
        assert_null(p);
    }
    spn_error err = {0};
    spn_problem *p;
    const size_t size =
        npy(file, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", "\1\5", 2);
    assert_error(parse(&p, file, size, &err), &err, SPN_ERROR_INPUT,
                 "state 0 has 5 at spin 1 (from 0)", "expected +1 or -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_states),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_quoted_names), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_npy),          cmocka_unit_test(test_npy_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

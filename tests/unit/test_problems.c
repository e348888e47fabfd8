/* Problem files: what is read, and what is refused with the file, the line and the remedy named. */
#include "data/problem.h"
#include "support/test.h"

#include <spinney/problems.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static spn_status parse(spn_problem **out, spn_problem_kind kind, const char *text, spn_error *err)
{
    spn_source source = {.name = "file", .data = (const uint8_t *)text, .size = strlen(text)};
    const spn_problem_options options = spn_problem_options_defaults();
    return spn_problem_parse(out, kind, &source, &options, err);
}

static void good_files_are_read(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *p;
    assert_ok(parse(&p, SPN_PROBLEM_PATTERNS, "# two\n1,-1, +1 ,-1\r\n\n-1,1,1,1\n", &err), err);
    assert_int_equal(p->sites, 3);
    assert_int_equal(p->count, 2);
    assert_memory_equal(p->rows, ((int8_t[]){1, -1, 1, -1, 1, 1}), 6);
    assert_memory_equal(p->labels, ((int8_t[]){-1, 1}), 2);
    spn_problem_free(p);
    assert_ok(parse(&p, SPN_PROBLEM_COUPLINGS, "0 1 -1.5\n3 3 2e-1\n", &err), err);
    assert_int_equal(p->sites, 4);
    assert_int_equal(p->count, 2);
    assert_true(p->edges[0].weight == -1.5 && p->edges[1].i == 3 && p->edges[1].weight == 0.2);
    spn_problem_free(p);
    assert_ok(parse(&p, SPN_PROBLEM_CUT, "4 2\n1 2 1\n 4\t1  -3 \n", &err), err);
    assert_int_equal(p->sites, 4);
    assert_true(p->edges[1].i == 3 && p->edges[1].j == 0 && p->edges[1].weight == -3);
    spn_problem_free(p);
    assert_ok(parse(&p, SPN_PROBLEM_TABLE, "1 2\n3, 4.5", &err), err);
    assert_int_equal(p->sites, 2);
    assert_true(p->energies[3] == 4.5);
    spn_problem_free(p);
    assert_ok(parse(&p, SPN_PROBLEM_STATES, "+-+\n# energy 3\n---\n", &err), err);
    assert_int_equal(p->count, 2);
    assert_memory_equal(p->rows, ((int8_t[]){1, -1, 1, -1, -1, -1}), 6);
    spn_problem_free(p);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    const struct {
        spn_problem_kind kind;
        const char *text, *part;
    } bad[] = {
        {SPN_PROBLEM_PATTERNS, "", "file: no patterns"},
        {SPN_PROBLEM_PATTERNS, "1\n", "file: line 1: one field"},
        {SPN_PROBLEM_PATTERNS, "1,1\n1,2\n", "file: line 2: field 2, '2', is not +1 or -1"},
        {SPN_PROBLEM_PATTERNS, "1,x,1\n", "file: line 1: field 2, 'x', is not +1 or -1"},
        {SPN_PROBLEM_PATTERNS, "1,nan\n", "is not +1 or -1"},
        {SPN_PROBLEM_PATTERNS, "1,,1\n", "field 2, '', is not +1 or -1"},
        {SPN_PROBLEM_PATTERNS, "1,1,1\n1,1\n",
         "file: line 2: 2 fields, but the lines before have 3"},
        {SPN_PROBLEM_PATTERNS, "1 1,1 1\n", "fields are separated by commas"},
        {SPN_PROBLEM_COUPLINGS, "# nothing\n", "file: no couplings"},
        {SPN_PROBLEM_COUPLINGS, "0 1\n", "file: line 1: '0 1' is not the header `vertices edges`"},
        {SPN_PROBLEM_COUPLINGS, "0 1 1\n0 1 inf\n", "file: line 2: '0 1 inf' is not"},
        {SPN_PROBLEM_COUPLINGS, "0 1 nan\n", "finite number"},
        {SPN_PROBLEM_COUPLINGS, "-1 1 1\n", "is not `i j value`"},
        {SPN_PROBLEM_COUPLINGS, "0 1 1\n0 1 1 7\n", "is not `i j value`"},
        {SPN_PROBLEM_COUPLINGS, "0 1 x\n", "is not `i j value`"},
        {SPN_PROBLEM_COUPLINGS, "0 4000000000 1\n", "index 4000000000 is out of range"},
        {SPN_PROBLEM_COUPLINGS, "0 99999999999 1\n", "is not `i j value`"},
        {SPN_PROBLEM_CUT, "", "file: empty; expected a header"},
        {SPN_PROBLEM_CUT, "3 x\n", "file: line 1: '3 x' is not the header"},
        {SPN_PROBLEM_CUT, "0 0\n", "is not the header"},
        {SPN_PROBLEM_CUT, "3 2\n1 2 1\n", "file: 1 edges, but the header says 2: cut short?"},
        {SPN_PROBLEM_CUT, "3 1\n1 2 1\n2 3 1\n", "file: line 3: more lines than the 1 edges"},
        {SPN_PROBLEM_CUT, "3 1\n1 4 1\n", "file: line 2: vertex 4 is out of range"},
        {SPN_PROBLEM_CUT, "3 1\n0 1 1\n", "file: line 2: index 0 is out of range"},
        {SPN_PROBLEM_CUT, "3 1\n2 2 1\n", "file: line 2: vertex 2 is joined to itself"},
        {SPN_PROBLEM_TABLE, "1 2 3\n", "file: 3 energies; a table of N spins has 2^N"},
        {SPN_PROBLEM_TABLE, "1\n", "file: 1 energies"},
        {SPN_PROBLEM_TABLE, "1 2\n3 nan\n", "file: line 2: 'nan' is not a finite number"},
        {SPN_PROBLEM_TABLE, "1 2 3 -1e301\n",
         "line 1: '-1e301' is too large: energies are at most 1e300 in size"},
        {SPN_PROBLEM_TABLE, "1 2 x 4\n", "'x' is not a finite number"},
        {SPN_PROBLEM_STATES, "", "file: no states"},
        {SPN_PROBLEM_STATES, "+-+\n+-\n", "file: line 2: 2 spins, but the states before have 3"},
        {SPN_PROBLEM_STATES, "+-0\n", "file: line 1: '0' at column 3"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        spn_error err = {0};
        spn_problem *p;
        assert_int_equal(parse(&p, bad[k].kind, bad[k].text, &err), SPN_ERROR_INPUT);
        assert_null(p);
        if (!strstr(err.text, bad[k].part))
            fail_msg("'%s' does not say '%s'", err.text, bad[k].part);
    }
}

static void missing_files_are_named(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *p;
    assert_int_equal(spn_problem_read(&p, SPN_PROBLEM_TABLE, "/nonexistent/table", &err),
                     SPN_ERROR_IO);
    assert_non_null(strstr(err.text, "/nonexistent/table"));
    assert_int_equal(spn_problem_read(&p, SPN_PROBLEM_TABLE, "/tmp", &err), SPN_ERROR_IO);
    assert_non_null(strstr(err.text, "is a folder"));
}

/* Random instances: the same everywhere, fair, and solvable where a teacher labels them. */
static void random_patterns_are_what_they_say(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *a, *b;
    assert_ok(spn_problem_random_patterns(&a, 101, 300, 7, false, &err), err);
    assert_ok(spn_problem_random_patterns(&b, 101, 300, 7, true, &err), err);
    assert_memory_equal(a->rows, b->rows, 101 * 300); /* labels are drawn apart */
    double sum = 0, labels = 0;
    for (size_t k = 0; k < 101 * 300; k++)
        sum += a->rows[k];
    for (size_t k = 0; k < 300; k++)
        labels += a->labels[k];
    assert_true(spn_normal_tail(sum / 174.07) > SPN_FALSE_ALARM); /* sqrt(30300) */
    assert_true(spn_normal_tail(labels / 17.32) > SPN_FALSE_ALARM);
    assert_memory_equal(a->rows, ((int8_t[]){-1, -1, 1, 1, 1, -1, 1, 1}), 8);
    spn_problem_free(a);
    spn_problem_free(b);
    assert_int_equal(spn_problem_random_patterns(&a, 0, 5, 1, false, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_problem_random_patterns(&a, 5, 0, 1, false, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_problem_random_lattice(&a, 2, 5, 1, &err), SPN_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_are_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(random_patterns_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

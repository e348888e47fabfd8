/* Files of problems: what each format means, and that what is written is read again as the same. */
#include "base/text.h"
#include "problem/read/reading.h"
#include "problem/write/writing.h"
#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>

static spn_program *must_parse(spn_program_format format, const char *text)
{
    const spn_source source = {"file", (const uint8_t *)text, strlen(text), NULL};
    spn_program_files options = spn_program_files_defaults();
    spn_program *p;
    spn_error err = {0};
    options.format = format;
    assert_ok(spn_program_parse(&p, &source, &options, &err), err);
    return p;
}

/* To be freed. */
static char *must_put(const spn_program *p, spn_program_format format)
{
    char *text;
    size_t size;
    spn_error err = {0};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_ok(spn_program_put(stream, p, format, &err), err);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* ---- values ---- */

static spn_score score(const spn_program *p, const int32_t *values)
{
    spn_score out;
    spn_error err = {0};
    assert_ok(spn_program_score(&out, NULL, p, values, &err), err);
    return out;
}

/* The score of a list of values. */
#define SCORE(p, ...) score(p, (const int32_t[]){__VA_ARGS__})

static void check_variable(const spn_program *p, size_t i, const char *name, spn_variable_kind kind,
                           int32_t low, int32_t high, bool is_fixed)
{
    spn_variable v;
    spn_program_variable(&v, p, i);
    assert_string_equal(v.name, name);
    assert_int_equal(v.kind, kind);
    assert_int_equal(v.low, low);
    assert_int_equal(v.high, high);
    assert_int_equal(v.is_fixed, is_fixed);
}

static void check_constraint(const spn_program *p, size_t k, const char *name, spn_sense sense,
                             double right, double weight)
{
    spn_constraint c;
    spn_program_constraint(&c, p, k);
    assert_string_equal(c.name, name);
    assert_int_equal(c.sense, sense);
    assert_true(c.right == right && c.weight == weight);
}

static void random_values(int32_t *values, const spn_program *p, uint64_t seed)
{
    const size_t count = spn_program_variables(p);
    for (size_t i = 0; i < count; i++) {
        spn_variable v;
        spn_program_variable(&v, p, i);
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t draw = seed >> 33;
        values[i] = v.kind == SPN_VARIABLE_SPIN
                        ? (draw & 1 ? 1 : -1)
                        : v.low + (int32_t)(draw % ((uint64_t)(v.high - v.low) + 1));
    }
}

/* The same variables and constraints, in the same order, and the same values of random states. */
static void check_same(const spn_program *a, const spn_program *b)
{
    const size_t count = spn_program_variables(a), rows = spn_program_constraints(a);
    int32_t *values = calloc(count + 1, sizeof *values);
    double *left = calloc(rows + 1, sizeof *left), *right = calloc(rows + 1, sizeof *right);
    assert_true(values && left && right);
    assert_int_equal(spn_program_variables(b), count);
    assert_int_equal(spn_program_constraints(b), rows);
    assert_int_equal(spn_program_maximises(a), spn_program_maximises(b));
    for (size_t i = 0; i < count; i++) {
        spn_variable v;
        spn_program_variable(&v, a, i);
        check_variable(b, i, v.name, v.kind, v.low, v.high, v.is_fixed);
    }
    for (size_t k = 0; k < rows; k++) {
        spn_constraint c;
        spn_program_constraint(&c, a, k);
        check_constraint(b, k, c.name, c.sense, c.right, c.weight);
    }
    for (uint64_t seed = 1; seed <= 50; seed++) {
        spn_score x, y;
        spn_error err = {0};
        random_values(values, a, seed);
        assert_ok(spn_program_score(&x, left, a, values, &err), err);
        assert_ok(spn_program_score(&y, right, b, values, &err), err);
        assert_true(x.objective == y.objective && x.feasible == y.feasible && x.soft == y.soft &&
                    x.violation == y.violation);
        assert_memory_equal(left, right, rows * sizeof *left);
    }
    free(values);
    free(left);
    free(right);
}

/* Write it, read it, compare it; written again it is the same text. */
static void check_written(const spn_program *p, spn_program_format format)
{
    char *text = must_put(p, format);
    spn_program *again = must_parse(format, text);
    check_same(p, again);
    char *twice = must_put(again, format);
    assert_string_equal(text, twice);
    spn_program_free(again);
    free(text);
    free(twice);
}

/* ---- LP ---- */

static const char FULL_LP[] = "\\ a comment\n"
                              "MAXIMIZE\n"
                              "  profit: 3 x + 2y - z + 10 + x + [ 4 x*y - 2 z^2 + x ^ 2 ] / 2\n"
                              "subject to\n"
                              "  room: 2 x + 3 y\n"
                              "    + z <= 5 \\ over two lines\n"
                              "  x + y >= 1\n"
                              "  both: -1 <= x - z <= 3\n"
                              "  same: 2 <= y + z + 1 <= 2\n"
                              "  square: [ x * y + 2 z ^ 2 ] - 1.5 x =< 9\n"
                              "  3 >= x + 2 x\n"
                              "bounds\n"
                              "  -2 <= z <= 3.9\n"
                              "  f = 1\n"
                              "  g >= -4\n"
                              "  g <= 1e1\n"
                              "binaries\n"
                              "  x y f\n"
                              "GENERALS\n"
                              "  z g\n"
                              "end\n";

static void test_lp(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_LP, FULL_LP);
    assert_true(spn_program_maximises(p));
    assert_int_equal(spn_program_variables(p), 5);
    check_variable(p, 0, "x", SPN_VARIABLE_BINARY, 0, 1, false);
    check_variable(p, 2, "z", SPN_VARIABLE_INTEGER, -2, 3, false);
    check_variable(p, 3, "f", SPN_VARIABLE_BINARY, 0, 1, true);
    check_variable(p, 4, "g", SPN_VARIABLE_INTEGER, -4, 10, false);
    assert_int_equal(spn_program_constraints(p), 7);
    check_constraint(p, 0, "room", SPN_SENSE_AT_MOST, 5, INFINITY);
    check_constraint(p, 1, "c2", SPN_SENSE_AT_LEAST, 1, INFINITY);
    check_constraint(p, 2, "both.low", SPN_SENSE_AT_LEAST, -1, INFINITY);
    check_constraint(p, 3, "both.high", SPN_SENSE_AT_MOST, 3, INFINITY);
    check_constraint(p, 4, "same", SPN_SENSE_EQUAL, 1, INFINITY);
    check_constraint(p, 5, "square", SPN_SENSE_AT_MOST, 9, INFINITY);
    check_constraint(p, 6, "c7", SPN_SENSE_AT_MOST, 3, INFINITY);
    /* 3 + 2 - z + 10 + 1 + 2 - z^2 + 0.5 */
    assert_true(SCORE(p, 1, 1, 3, 1, 0).objective == 3 + 2 - 3 + 10 + 1 + 2 - 9 + 0.5);
    const spn_score s = SCORE(p, 1, 1, 3, 1, 0);
    /* room 8 > 5, both -2 < -1, same 4 != 1, square 1 + 18 - 1.5 > 9 */
    assert_int_equal(s.violated, 4);
    assert_near(s.violation, 3 + 1 + 3 + 8.5, 1e-12);
    check_written(p, SPN_PROGRAM_LP);
    spn_program_free(p);
}

static void test_lp_spellings(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Minimise x + y\nst\nr: x + y > 1\nbin\nx y\nend",
        "min\n\nobj:x+y\ns.t.\nr:x+y=>1\nBinary\nx\ny\nEND\n\n\\ done\n",
        "Minimum\n 1x+1y\nSuch That\n r : x\n + y >= 1.0\nBounds\nx <= 1\n0 <= y\nx >= -inf\n"
        "x <= +Infinity\ny free\nBinaries\nx\ty\nEnd",
        "\xef\xbb\xbfMinimize\r\n x + y\r\nSubject To\r\n r: - x - - - y <= -1\r\nBin\r\n x "
        "y\r\nEnd\r\n",
        "min 2 x - x + 3e0 * y - 2 y\nst. r: 1 <= x + y\nint x y\nbounds\n x <= 1\n 1 >= y\n"
        "integers\n x\nend\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        spn_program *p = must_parse(k % 2 ? SPN_PROGRAM_LP : SPN_PROGRAM_AUTO, texts[k]);
        check_variable(p, 0, "x", SPN_VARIABLE_BINARY, 0, 1, false);
        check_variable(p, 1, "y", SPN_VARIABLE_BINARY, 0, 1, false);
        for (int state_number = 0; state_number < 4; state_number++) {
            const int x = state_number & 1, y = state_number >> 1;
            assert_true(SCORE(p, x, y).objective == x + y);
            assert_int_equal(SCORE(p, x, y).feasible, x + y >= 1);
        }
        check_written(p, SPN_PROGRAM_LP);
        spn_program_free(p);
    }
}

/* Indices in brackets, marks, names that are keywords elsewhere on a line or before a colon. */
static void test_lp_names(void **state)
{
    (void)state;
    spn_program *p = must_parse(
        SPN_PROGRAM_LP, "min\n x[1,2] + 2 x[3][4] + [ x[1,2]*y_1.a]/2 + st + Ende + \xc3\xa4\n"
                        "st\n st: x[1,2] + y_1.a + end >= 1\nbin\n"
                        " x[1,2] x[3][4] y_1.a Ende \xc3\xa4 st end\nend\n");
    static const char *const names[] = {"x[1,2]", "x[3][4]",  "y_1.a", "st",
                                        "Ende",   "\xc3\xa4", "end"};
    assert_int_equal(spn_program_variables(p), 7);
    for (size_t i = 0; i < 7; i++)
        check_variable(p, i, names[i], SPN_VARIABLE_BINARY, 0, 1, false);
    check_constraint(p, 0, "st", SPN_SENSE_AT_LEAST, 1, INFINITY);
    assert_true(SCORE(p, 1, 1, 1, 1, 1, 1, 1).objective == 6.5);
    spn_program_free(p);
}

/* ---- QPLIB ---- */

/* The example of the article, with integers for its continuous variables. */
static const char QPLIB[] = "! ---------------\n"
                            "! example problem\n"
                            "! ---------------\n"
                            "MIPBAND # problem name\n"
                            "QGL # problem is quadratic\n"
                            "Minimize # minimize the objective function\n"
                            "3 # variables\n"
                            "2 # general linear constraints\n"
                            "5 # nonzeros in lower triangle of Q^0\n"
                            "1 1 2.0 5 lines row & column index & value of nonzero\n"
                            "2 1 -1.0 |\n"
                            "2 2 2.0 |\n"
                            "3 2 -1.0 |\n"
                            "3 3 2.0 |\n"
                            "-0.25 default value for entries in b_0\n"
                            "1 # non default entries in b_0\n"
                            "2 -0.5 1 line of index & value of non-default values in b_0\n"
                            "0.0 value of q^0\n"
                            "4 # nonzeros in vectors b^i (i=1,...,m)\n"
                            "1 1 1.0 4 lines constraint, index & value of nonzero in b^i\n"
                            "1 2 1.0 |\n"
                            "2 1 1.0 |\n"
                            "2 3 1.0 |\n"
                            "1.0E+20 infinity\n"
                            "1.0 default value for entries in c_l\n"
                            "0 # non default entries in c_l\n"
                            "1.0E+20 default value for entries in c_u\n"
                            "0 # non default entries in c_u\n"
                            "0.0 default value for entries in l\n"
                            "0 # non default entries in l\n"
                            "1.0 default value for entries in u\n"
                            "1 # non default entries in u\n"
                            "2 2.0 1 line of non-default indices and values in u\n"
                            "1 default variable type is integer\n"
                            "1 # non default variable types\n"
                            "3 2 variable 3 is binary\n"
                            "1.0 default value for initial values for x\n"
                            "0 # non default entries in x\n"
                            "0.0 default value for initial values for y\n"
                            "0 # non default entries in y\n"
                            "0.0 default value for initial values for z\n"
                            "0 # non default entries in z\n"
                            "1 # non default names for variables\n"
                            "2 pear tree\n"
                            "0 # non default names for constraints\n";

static void test_qplib(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_AUTO, QPLIB);
    check_variable(p, 0, "x1", SPN_VARIABLE_BINARY, 0, 1, false);
    check_variable(p, 1, "pear", SPN_VARIABLE_INTEGER, 0, 2, false);
    check_variable(p, 2, "x3", SPN_VARIABLE_BINARY, 0, 1, false);
    check_constraint(p, 0, "c1", SPN_SENSE_AT_LEAST, 1, INFINITY);
    check_constraint(p, 1, "c2", SPN_SENSE_AT_LEAST, 1, INFINITY);
    for (int k = 0; k < 12; k++) {
        const int x = k % 2, y = k / 2 % 3, z = k / 6;
        assert_true(SCORE(p, x, y, z).objective ==
                    x * x + y * y + z * z - x * y - y * z - 0.25 * x - 0.5 * y - 0.25 * z);
        assert_int_equal(SCORE(p, x, y, z).feasible, x + y >= 1 && x + z >= 1);
    }
    check_written(p, SPN_PROGRAM_LP);
    spn_program_free(p);
}

/* Quadratic constraints, binary variables, limits on both sides; as short as they get. */
static void test_qplib_constraints(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_AUTO, "q\nLBQ\nmaximize\n2\n2\n1\n0\n3\n"
                                                  "2\n2 2 1 4\n1 1 1 6\n1\n1 2 5\n"
                                                  "1e9\n-1e9\n1\n1 2\n7\n1\n2 1e9\n"
                                                  "0\n0\n0\n0\n0\n0\n0\n1\n1 first\n");
    assert_true(spn_program_maximises(p));
    assert_int_equal(spn_program_constraints(p), 2); /* the second has no limits */
    check_constraint(p, 0, "first.low", SPN_SENSE_AT_LEAST, 2, INFINITY);
    check_constraint(p, 1, "first.high", SPN_SENSE_AT_MOST, 7, INFINITY);
    assert_true(SCORE(p, 1, 1).objective == 5 && SCORE(p, 1, 1).violation == 1); /* 3 + 5 > 7 */
    assert_true(SCORE(p, 1, 0).feasible);
    spn_program_free(p);
    p = must_parse(SPN_PROGRAM_AUTO, "q\nQBN\nMinimize\n2\n1\n2 1 3\n1\n0\n5\n1e20\n0\n0\n0\n0\n0");
    assert_true(SCORE(p, 1, 1).objective == 10 && SCORE(p, 1, 0).objective == 6);
    spn_program_free(p);
}

/* ---- coo ---- */

static void test_coo(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_AUTO, "# a polynomial\n# offset = 1\na b c 2.5\n\n"
                                                  "a, b, -1\nb;a;-1\nc\t4\n7\n-2\na a a 3\n");
    assert_int_equal(spn_program_variables(p), 3);
    check_variable(p, 2, "c", SPN_VARIABLE_BINARY, 0, 1, false);
    for (int k = 0; k < 8; k++) {
        const int a = k & 1, b = k >> 1 & 1, c = k >> 2;
        assert_true(SCORE(p, a, b, c).objective == 2.5 * a * b * c - 2 * a * b + 4 * c + 6 + 3 * a);
    }
    check_written(p, SPN_PROGRAM_COO);
    spn_program_free(p);
}

static void test_coo_spins(void **state)
{
    (void)state;
    spn_program *p =
        must_parse(SPN_PROGRAM_AUTO, "# vartype=SPIN\n0 1 3 2 -1.5\n1 3\n2 2 0 4\n5 0\n");
    assert_int_equal(spn_program_variables(p), 6); /* 4 is in no term */
    check_variable(p, 5, "5", SPN_VARIABLE_SPIN, -1, 1, false);
    for (int k = 0; k < 16; k++) {
        int32_t s[6] = {1, 1, 1, 1, 1, 1};
        for (int i = 0; i < 4; i++)
            s[i] = k >> i & 1 ? 1 : -1;
        assert_true(score(p, s).objective ==
                    -1.5 * s[0] * s[1] * s[2] * s[3] + 3 * s[1] + 4 * s[0]);
    }
    check_written(p, SPN_PROGRAM_COO);
    spn_program_free(p);
}

/* ---- clauses ---- */

static void check_clauses(const char *text, const double weights[3])
{
    spn_program *p = must_parse(SPN_PROGRAM_AUTO, text);
    assert_int_equal(spn_program_variables(p), 3);
    assert_int_equal(spn_program_constraints(p), 3);
    check_constraint(p, 0, "c1", SPN_SENSE_AT_LEAST, 0, weights[0]);
    check_constraint(p, 1, "c2", SPN_SENSE_AT_LEAST, 1, weights[1]);
    check_constraint(p, 2, "c3", SPN_SENSE_AT_LEAST, -1, weights[2]);
    for (int k = 0; k < 8; k++) {
        const int a = k & 1, b = k >> 1 & 1, c = k >> 2;
        const bool broken[3] = {!a && b, !b && !c, a && c};
        const spn_score s = SCORE(p, a, b, c);
        double hard = 0, soft = 0;
        for (int m = 0; m < 3; m++)
            *(isinf(weights[m]) ? &hard : &soft) +=
                broken[m] ? (isinf(weights[m]) ? 1 : weights[m]) : 0;
        assert_true(s.violation == hard && s.soft == soft && s.objective == soft);
    }
    check_written(p, SPN_PROGRAM_WCNF);
    spn_program_free(p);
}

static void test_clauses(void **state)
{
    (void)state;
    const double hard[] = {INFINITY, INFINITY, INFINITY}, soft[] = {3, 1, 2},
                 mixed[] = {INFINITY, 1, 8};
    check_clauses("c SAT\np cnf 3 3\n1 -2 0\n2 3\n0 -1 -3\n0\n%\n0\n", hard);
    check_clauses("c\np wcnf 3 3\n3 1 -2 0\n1 2 3 0\n2 -1 -3 -1 0\n", soft);
    check_clauses("p wcnf 3 3 9\n9 1 -2 0\n1 2 3 2 0\n8 -1 -3 0", mixed);
    check_clauses("c new\nh 1 -2 0\n1 2 3 0\nc between\n8 -1 -3 0\n", mixed);
}

/* A clause with x and not x always holds; an empty one never does. */
static void test_odd_clauses(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_AUTO, "c variable 2 is be or not\nc clause 3 is to\n"
                                                  "c variable of nothing\nh 1 -1 0\n5 0\n2 1 0\n");
    assert_int_equal(spn_program_constraints(p), 2);
    check_variable(p, 0, "x1", SPN_VARIABLE_BINARY, 0, 1, false);
    check_variable(p, 1, "be or not", SPN_VARIABLE_BINARY, 0, 1, false);
    check_constraint(p, 0, "c2", SPN_SENSE_AT_LEAST, 1, 5);
    check_constraint(p, 1, "to", SPN_SENSE_AT_LEAST, 1, 2);
    assert_true(SCORE(p, 1, 0).soft == 5 && SCORE(p, 0, 0).soft == 7);
    check_written(p, SPN_PROGRAM_WCNF);
    spn_program_free(p);
}

/* ---- recognition, files ---- */

static void test_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *error;
    } files[] = {{"a.lp", "x\n", "(read as lp)"},
                 {"a.wcnf.gz", "x\n", "(read as wcnf)"},
                 {"a.QPLIB", "x\n", "(read as qplib)"},
                 {"a.txt", "h x\n", "(read as wcnf)"},
                 {"a.txt", "x\n", "(read as coo)"},
                 {"a.txt", "\\ note\n Maximize x\n", "(read as lp)"},
                 {"a.lp", "c note\np cnf x\n", "(read as cnf)"},
                 {"a.coo", "p wcnf x\n", "(read as wcnf)"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *text = files[k].text;
        const spn_source source = {files[k].name, (const uint8_t *)text, strlen(text), NULL};
        const spn_program_files options = spn_program_files_defaults();
        spn_program *p;
        spn_error err = {0};
        assert_error(spn_program_parse(&p, &source, &options, &err), &err, SPN_ERROR_INPUT,
                     files[k].name, files[k].error);
    }
}

static void test_files(void **state)
{
    spn_program *p, *again;
    spn_error err = {0};
    spn_program_files options = spn_program_files_defaults();
    const char *packed = spn_scratch_gzip(state, "full", FULL_LP, sizeof FULL_LP - 1);
    assert_ok(spn_program_read(&p, packed, NULL, &err), err);
    const char *path = spn_scratch_path(state, "written.lp");
    assert_ok(spn_program_write(p, path, NULL, &err), err);
    assert_ok(spn_program_read(&again, path, NULL, &err), err);
    check_same(p, again);
    spn_program_free(again);
    assert_error(spn_program_write(p, spn_scratch_path(state, "p.lp.gz"), NULL, &err), &err,
                 SPN_ERROR_ARGUMENT, "p.lp.gz", "plain text");
    assert_error(spn_program_write(p, spn_scratch_path(state, "p.qplib"), NULL, &err), &err,
                 SPN_ERROR_ARGUMENT, "qplib", "write .lp");
    assert_error(spn_program_write(p, spn_scratch_path(state, "p.coo"), NULL, &err), &err,
                 SPN_ERROR_ARGUMENT, "coo", "constraints");
    options.format = SPN_PROGRAM_COO;
    assert_error(spn_program_read(&again, path, &options, &err), &err, SPN_ERROR_INPUT,
                 "written.lp:1:", "coefficient");
    options.format = (spn_program_format)99;
    assert_error(spn_program_read(&again, path, &options, &err), &err, SPN_ERROR_ARGUMENT, "99",
                 "");
    assert_error(spn_program_read(&again, spn_scratch_path(state, "none"), NULL, &err), &err,
                 SPN_ERROR_IO, "none", "");
    assert_error(spn_program_read(&again, SPN_TESTS "/problems/mis.lp",
                                  &(spn_program_files){sizeof options, SPN_PROGRAM_AUTO, 100},
                                  &err),
                 &err, SPN_ERROR_INPUT, "mis.lp", "100 bytes");
    spn_program_free(p);
}

/* ---- what cannot be written ---- */

static void check_unsaid(const spn_program *p, spn_program_format format, const char *part,
                         const char *other)
{
    char *text;
    size_t size;
    spn_error err = {0};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_error(spn_program_put(stream, p, format, &err), &err, SPN_ERROR_ARGUMENT, part, other);
    fclose(stream);
    free(text);
}

static void test_unsaid(void **state)
{
    (void)state;
    static const struct {
        spn_program_format from, to;
        const char *text, *part, *other;
    } cases[] = {
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "# vartype=SPIN\na b 1", "a is a spin", ".coo"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "a b c 1", "a product of 3 variables", ".coo"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "0 1 1", "'0' of a variable", "LP"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "end a 1", "'end' of a variable", "LP"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "e1 a 1", "'e1' of a variable", "LP"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "a+b 1", "'a+b' of a variable", "LP"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_LP, "a 9007199254740991\na 9007199254740991", "not exact",
         ""},
        {SPN_PROGRAM_COO, SPN_PROGRAM_QPLIB, "a 1", "qplib", ".lp"},
        {SPN_PROGRAM_COO, SPN_PROGRAM_CNF, "a 1", "no objective", ".lp"},
        {SPN_PROGRAM_WCNF, SPN_PROGRAM_LP, "3 1 0", "c1 is soft", ".wcnf"},
        {SPN_PROGRAM_WCNF, SPN_PROGRAM_CNF, "3 1 0", "c1 has a weight", ".wcnf"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_COO, "max\nx\nbin\nx\nend", "negate", ".lp"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_COO, "min\nx\nbounds\nx = 1\nbin\nx\nend", "x is fixed",
         ".lp"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_COO, "min\nx\nbounds\nx <= 2\nint\nx\nend", "x is integer",
         "binary"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_COO, "min\nx,y\nbin\nx,y\nend", "'x,y'", "comma"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_WCNF, "min\nst\nx<=0\nbin\nx\nend", "c1 is no clause", ".lp"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_WCNF, "min\nst\nx-y>=1\nbin\nx y\nend", "c1 is no clause",
         ".lp"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_WCNF, "min\nst\n2x>=1\nbin\nx\nend", "c1 is no clause", ".lp"},
        {SPN_PROGRAM_LP, SPN_PROGRAM_WCNF, "min\nst\n[x*y]>=1\nbin\nx y\nend", "c1 is no clause",
         ".lp"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_program *p = must_parse(cases[k].from, cases[k].text);
        check_unsaid(p, cases[k].to, cases[k].part, cases[k].other);
        spn_program_free(p);
    }
}

/* Clauses are constraints, and constraints clauses. */
static void test_across(void **state)
{
    (void)state;
    spn_program *p = must_parse(SPN_PROGRAM_CNF, "p cnf 3 2\n1 -2 0\n-1 -3 0\n");
    check_written(p, SPN_PROGRAM_CNF);
    check_written(p, SPN_PROGRAM_LP);
    char *text = must_put(p, SPN_PROGRAM_LP);
    spn_program *again = must_parse(SPN_PROGRAM_LP, text);
    check_same(p, again);
    check_written(again, SPN_PROGRAM_CNF);
    free(text);
    spn_program_free(again);
    spn_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lp),
                                       cmocka_unit_test(test_lp_spellings),
                                       cmocka_unit_test(test_lp_names),
                                       cmocka_unit_test(test_qplib),
                                       cmocka_unit_test(test_qplib_constraints),
                                       cmocka_unit_test(test_coo),
                                       cmocka_unit_test(test_coo_spins),
                                       cmocka_unit_test(test_clauses),
                                       cmocka_unit_test(test_odd_clauses),
                                       cmocka_unit_test(test_recognised),
                                       scratch_test(test_files),
                                       cmocka_unit_test(test_unsaid),
                                       cmocka_unit_test(test_across)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

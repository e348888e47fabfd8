/* What files of problems are refused, and where. */
#include "problem/read/reading.h"
#include "support/test.h"

#include <string.h>

typedef struct refusal {
    spn_program_format format;
    const char *text, *error;
} refusal;

static void check_refusals(const refusal *refusals, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *text = refusals[k].text;
        const spn_source source = {"file", (const uint8_t *)text, strlen(text), NULL};
        spn_program_files options = spn_program_files_defaults();
        spn_program *p = NULL;
        spn_error err = {0};
        options.format = refusals[k].format;
        const spn_status status = spn_program_parse(&p, &source, &options, &err);
        if (status == SPN_OK)
            fail_msg("read: %s", text);
        assert_null(p);
        assert_int_equal(status, SPN_ERROR_INPUT);
        if (strncmp(err.text, refusals[k].error, strlen(refusals[k].error)) != 0)
            fail_msg("of: %s\n%s\nbut expected: %s", text, err.text, refusals[k].error);
    }
}

#define LP(text, error)                                                                            \
    {                                                                                              \
        SPN_PROGRAM_LP, text, "file:" error                                                        \
    }

static void test_lp_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        LP("", "1:1: the file ends; expected Minimize or Maximize: cut short?"),
        LP("max: 3x+2y;\n", "1:1: 'max'; expected Minimize or Maximize"),
        LP("min\n x\nst\n x <= 1\nbin\n x\n", "7:1: the file ends; expected End"),
        LP("min\n x + y\nst\n x + y <= 1\nbin\n x\nend\n", "2:6: y is continuous"),
        LP("min\n x y\nend\n", "2:4: 'y'; expected + or - before the next term"),
        LP("min\n x +\nst\n", "3:1: 'st'; expected a term"),
        LP("min\n 3 4 x\nend", "2:4: '4'; expected + or -"),
        LP("min\n x <= 2\nend", "2:4: '<='; expected Subject To"),
        LP("min\n [ x * y ]\nst\n", "3:1: 'st'; expected / 2 after"),
        LP("min\n [ x + y ] / 2\nst\n", "2:6: '+'; expected ^ 2 or *"),
        LP("min\n [ x ^ 3 ] / 2\nst\n", "2:8: '3'; expected the power 2"),
        LP("min\n [ x ^ 2 y ^ 2 ] / 2\nst\n", "2:10: 'y'; expected + or -, or ]"),
        LP("min\n [ x ^ 2 ] / 4\nst\n", "2:14: '4'; expected 2 after the /"),
        LP("min\n x * 3\nend", "2:4: '*'; expected + or -"),
        LP("min\n x\nst\n x <= y\nbin\n x y\nend", "4:7: 'y'; expected a number; variables"),
        LP("min\n x\nst\n x + y\nbin\n x y\nend", "5:1: 'bin'; expected <=, = or >="),
        LP("min\n x\nst\n 1 <= x >= 2\nbin\n x\nend", "4:9: '>='; expected the same <= or >="),
        LP("min\n x\nst\n a: 3 <= x <= 2\nbin\n x\nend", "4:2: no value is at least"),
        LP("min\n x\nst\n a: x <= 1\n a: x <= 2\nbin\n x\nend",
           "5:2: the name 'a' of a constraint"),
        LP("min\n x\nst\n c2: x <= 1\n x <= 2\nbin\n x\nend", "5:2: the name 'c2' of a constraint"),
        LP("min\n x\nst\n x <= 1\nint\n x\nend", "2:2: the integer x needs a lower and an upper"),
        LP("min\n x\nst\n x <= 1\nbounds\n x <= -1\nint\n x\nend", "2:2: x has no value within"),
        LP("min\n x\nst\n x <= 1\nbounds\n 0.2 <= x <= 0.8\nbin\n x\nend",
           "2:2: x has no value within"),
        LP("min\n x\nst\n x <= 1\nbounds\n x\nbin\n x\nend",
           "7:1: 'bin'; expected <=, =, >= or free"),
        LP("min\n x\nst\n x <= 1\nbounds\n x <= 2147483648\nint\n x\nend",
           "2:2: the integer x needs"),
        LP("min\n x\nst\n x <= 1\nsos\n s1: x:1\nend", "5:1: a section sos is not read"),
        LP("min\n x\nlazy constraints\n x <= 1\nend",
           "3:1: a section lazy constraints is not read"),
        LP("min\n x\nmax\n x\nend", "3:1: a section max is not read"),
        LP("min\n x\nbin\n x\nend\nx", "6:1: 'x'; expected nothing after End"),
        LP("min\n 9007199254740993 x\nbin\n x\nend", "2:2: 9007199254740993 is not exact"),
        LP("min\n 1e999 x\nbin\n x\nend", "2:2: 1e999 is too large"),
        LP("min\n 1e-999 x\nbin\n x\nend", "2:2: 1e-999 is too small"),
        LP("min\n x\xff\nbin\n x\nend", "2:2: the name 'x\xff' is not UTF-8"),
        LP("min\n \xc3\xa4 + 2 \xc3\xa4 :\nend", "2:10: ':'; expected + or -"),
        LP("min\n 1e300 x + 1e301 x\nbin\n x\nend", " term 1 of the objective can be as large")};
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

#define QPLIB(text, error)                                                                         \
    {                                                                                              \
        SPN_PROGRAM_QPLIB, text, "file:" error                                                     \
    }
#define HEAD "q\nQBN\nminimize\n2\n"

static void test_qplib_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        QPLIB("", "1:1: the file ends; expected the name"),
        QPLIB("q\nQXN\n", "2:1: expected the type of the problem"),
        QPLIB("q\nCCL\n", "2:1: its variables are continuous (type CCL)"),
        QPLIB("q\nQBN\nfind\n", "3:1: expected minimize or maximize"),
        QPLIB("q\nQBN\nminimize\n0\n", "4:1: '0'; expected the number of variables, from 1"),
        QPLIB("q\nQBN\nminimize\n99999999999\n",
              "4:1: '99999999999'; expected the number of variables"),
        QPLIB(HEAD "1\n1 2 3\n", "6:3: '2'; expected the number of a second variable"),
        QPLIB(HEAD "1\n3 1 3\n", "6:1: '3'; expected the number of a variable, from 1 to 2"),
        QPLIB(HEAD "1\n2 1 x\n", "6:5: 'x'; expected a coefficient"),
        QPLIB(HEAD "1\n2 1\n", "6:4: the line ends; expected a coefficient"),
        QPLIB(HEAD "0\n0\n2\n1 3\n1 4\n", "9:1: 1 is listed twice"),
        QPLIB(HEAD "0\n0\n0\n0\n1e20\n0\n0\n0\n0\n0\n0\nmore\n", "16:1: more lines"),
        QPLIB("q\nLMB\nminimize\n1\n1\n0\n0\n1e20\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n",
              "13:1: x1 is continuous"),
        QPLIB("q\nLGB\nminimize\n1\n1\n0\n0\n1e20\n0\n0\n1\n0\n3\n0\n0\n0\n0\n0\n0\n",
              "13:1: a kind of variable is 0"),
        QPLIB("q\nLIB\nminimize\n1\n1\n0\n0\n1e20\n0\n0\n1e20\n0\n0\n0\n0\n0\n0\n",
              "9:1: the integer x1 needs a lower and an upper bound"),
        QPLIB(HEAD "0\n0\n0\n0\n1e20\n0\n0\n0\n0\n1\n2 x1\n",
              "15:3: two variables have the name x1")};
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

#define COO(text, error)                                                                           \
    {                                                                                              \
        SPN_PROGRAM_COO, text, "file:" error                                                       \
    }

static void test_coo_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        COO("# nothing\n", "2:1: no terms"),
        COO("a b 1\na b\n", "2:3: 'b'; expected a coefficient as the last of the line"),
        COO("0 1 1\na 1 1\n", "2:1: 'a'; expected the index of a variable"),
        COO("0 1 1\n-1 2\n", "2:1: '-1'; expected the index"),
        COO("0 99999999 1\n", "1:3: '99999999'; expected the index of a variable, from 0 to 65535"),
        COO("a,,b 1\n", "1:3: the name '' is empty"),
        COO("a inf\n", "1:3: 'inf'; expected a coefficient"),
        COO("a 9007199254740993\n", "1:3: 9007199254740993 is not exact"),
        COO("# offset = x\na 1\n", "1:12: 'x'; expected the offset"),
        COO("a\1b 1\n", "1:1: the name 'a?b' holds a control character")};
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

#define CNF(text, error)                                                                           \
    {                                                                                              \
        SPN_PROGRAM_CNF, text, "file:" error                                                       \
    }
#define WCNF(text, error)                                                                          \
    {                                                                                              \
        SPN_PROGRAM_WCNF, text, "file:" error                                                      \
    }

static void test_clauses_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        CNF("p dnf 1 1\n1 0\n", "1:3: expected `p cnf variables clauses`"),
        CNF("p cnf 1 x\n1 0\n", "1:9: 'x'; expected the number of clauses"),
        CNF("p cnf 1 1 1\n1 0\n", "1:11: more words than"),
        CNF("p cnf 1 2\n1 0\n", "3:1: 1 clauses, but 2 were announced"),
        CNF("p cnf 1 1\n1 0\n1 0\n", "3:1: more clauses than the 1"),
        CNF("p cnf 1 1\n2 0\n", "2:1: '2'; expected a literal"),
        CNF("p cnf 2 1\n1 --2 0\n", "2:4: '-2'; expected a literal"),
        CNF("p cnf 1 1\n1\n", "3:1: the file ends within a clause"),
        CNF("p wcnf 1 1\n1 1 0\n", "1:1: the clauses have weights"),
        WCNF("p cnf 1 1\n1 0\n", "1:1: the clauses have no weights"),
        WCNF("p wcnf 1 1\n0 1 0\n", "2:1: '0'; expected the weight of a clause"),
        WCNF("p wcnf 1 1 5\nh 1 0\n", "2:1: 'h'; expected the weight"),
        WCNF("0.5 1 0\n", "1:1: '0.5'; expected h or the weight"),
        WCNF("9007199254740993 1 0\n", "1:1: '9007199254740993'; expected h or the weight"),
        WCNF("p wcnf 1 1 9223372036854775807\n9007199254740993 1 0\n", "2:1: a weight above 2^53"),
        WCNF("c variable 1 is x2\nh 1 2 0\n", "1:17: two variables have the name x2"),
        WCNF("c clause 1 is c2\nh 1 0\nh 1 0\n", "3:1: the name 'c2' of a constraint"),
        WCNF("c nothing\n", "2:1: 0 clauses")};
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lp_refused), cmocka_unit_test(test_qplib_refused),
        cmocka_unit_test(test_coo_refused), cmocka_unit_test(test_clauses_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Graphs that are refused, with the file, the line and what was expected named. */
#include "data/graph/graph.h"
#include "support/scratch.h"

#include <spinney/energies.h>
#include <string.h>

static spn_status parse(spn_problem **out, spn_problem_kind kind, spn_graph_format format,
                        const char *name, const char *text, spn_error *err)
{
    spn_source source = {.name = name, .data = (const uint8_t *)text, .size = strlen(text)};
    spn_problem_options options = spn_problem_options_defaults();
    options.format = format;
    return spn_problem_parse(out, kind, &source, &options, err);
}

static void other_variables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *energy;
        spn_problem_kind kind;
        const char *part;
    } cases[] = {{"p qubo 0 2 1 0\n0 0 1\n", "ising", SPN_PROBLEM_COUPLINGS, "the energy is qubo"},
                 {"# vartype=BINARY\n0 1 1\n", "ising", SPN_PROBLEM_COUPLINGS, "0 or 1"},
                 {"# vartype=SPIN\n0 1 1\n", "qubo", SPN_PROBLEM_COUPLINGS, "the energy is ising"},
                 {"p qubo 0 2 0 1\n0 1 1\n", "maxcut", SPN_PROBLEM_CUT, "the energy is qubo"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_problem *p;
        spn_energy *energy;
        assert_ok(parse(&p, cases[k].kind, SPN_GRAPH_AUTO, "file", cases[k].text, &err), err);
        const spn_status status = spn_energy_create(&energy, cases[k].energy, p, &err);
        assert_error(status, &err, SPN_ERROR_INPUT, cases[k].energy, cases[k].part);
        assert_null(energy);
        spn_problem_free(p);
    }
}

/* ---- what is refused ---- */

#define MM "%%MatrixMarket matrix "
static const struct {
    spn_graph_format format;
    bool cut;
    const char *text, *part;
} bad[] = {
    {SPN_GRAPH_AUTO, false, "3 1\n1 2 nan\n", "line 2: '1 2 nan' is not `i j value`"},
    {SPN_GRAPH_AUTO, false, "3 1\n1 2 nan\n", "(read as rudy)"},
    {SPN_GRAPH_RUDY, false, "3 2\n1 2\n1 3 1\n", "line 3: '1 3 1' is not `i j`"},
    {SPN_GRAPH_RUDY, false, "3 2\n1 2 1\n1 3\n", "line 3: '1 3' is not `i j value`"},
    {SPN_GRAPH_RUDY, false, "300000000 1\n1 2 1\n", "the header says 300000000 variables"},
    {SPN_GRAPH_RUDY, false, "1048577 1\n1 2 1\n",
     "line 1: the header says 1048577 variables; 1 to 1048576 are possible in a file of 16 bytes"},
    {SPN_GRAPH_COO, false, "0 1048576 1\n",
     "line 1: index 1048576 is out of range; the largest in a file of 12 bytes is 1048575"},
    {SPN_GRAPH_RUDY, false, "3 4294967296\n", "is not the header"},
    {SPN_GRAPH_RUDY, true, "2 1\n1 1\n", "vertex 1 is joined to itself"},
    {SPN_GRAPH_COO, false, "0 1 1\na b 1\n", "line 2: 'a b 1' is not `i j value`"},
    {SPN_GRAPH_COO, false, "0 1 1e400\n", "finite number"},
    {SPN_GRAPH_COO, false, "0 300000000 1\n", "index 300000000 is out of range"},
    {SPN_GRAPH_COO, false, "# offset = x\n0 1 1\n", "line 1: the offset 'x' is not a finite"},
    {SPN_GRAPH_COO, false, "# offset inf\n0 1 1\n", "line 1: the offset 'inf' is not a finite"},
    {SPN_GRAPH_COO, false, "# offset 1\n0 1 1\n# offset 1\n", "line 3: a second offset"},
    {SPN_GRAPH_COO, false, "a \xff 1\n", "line 1: '\xff' is no name"},
    {SPN_GRAPH_COO, false, "a \xc0\x80 1\n", "is no name"},
    {SPN_GRAPH_COO, false, "a,,1\n", "'' is no name"},
    {SPN_GRAPH_COO, true, "a b 1\nb b 1\n", "line 2: vertex 1 is joined to itself"},
    {SPN_GRAPH_QBSOLV, false, "", "empty; expected a line `p qubo"},
    {SPN_GRAPH_QBSOLV, false, "0 0 1\n", "'0 0 1' is not `p qubo 0"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 1 2 0 0\n", "is not `p qubo 0"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 0 99999999999\n", "is not `p qubo 0"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 0 0 0\n", "the header says 0 variables"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 1 1\n0 0 1\n",
     "1 nodes and 0 couplers, but the line p says 1 and 1: cut short?"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 0 1\n1 0 1\n", "line 2: a coupler has i < j"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 0 1\n0 2 1\n", "line 2: node 2 is out of range"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 0 1\n0 1 inf\n", "line 2: '0 1 inf' is not"},
    {SPN_GRAPH_MATRIX_MARKET, false, "", "empty; expected %%MatrixMarket"},
    {SPN_GRAPH_MATRIX_MARKET, false, "0 1 2\n", "line 1: '0' in the first line; expected %%Matrix"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate complex general\n",
     "'complex' in the first line; expected real, integer or pattern"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real skew-symmetric\n",
     "'skew-symmetric' in the first line; expected general or symmetric"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real hermitian\n", "'hermitian'"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array pattern general\n", "cannot be a pattern"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real\n", "expected general or symmetric"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general x\n", "more than five words"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n% x\n", "no line of sizes"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 3 1\n",
     "line 2: 2 rows and 3 columns; the matrix must be square"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 x\n",
     "is not the line of sizes"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n4000000000 4000000000 1\n",
     "the header says 4000000000 variables"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 2\n1 2 1\n",
     "1 entries, but the sizes say 2: cut short?"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 1\n1 2 1\n1 1 1\n",
     "line 4: more lines than the 1 entries"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 1\n0 2 1\n",
     "line 3: entry (0, 2) is out of range"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 1\n1 2 nan\n",
     "line 3: '1 2 nan' is not `row column value`"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real symmetric\n2 2 1\n1 2 1\n",
     "line 3: entry (1, 2) is above the diagonal"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real symmetric\n2 2 1\n2 1 1.7e308\n",
     "twice the value is no finite number"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 2\n1 2 1.7e308\n2 1 1e308\n",
     "the entries of 1 and 2 add up to no finite number"},
    {SPN_GRAPH_MATRIX_MARKET, true, MM "coordinate real general\n2 2 1\n1 2 5\n",
     "entry (1, 2) is 5 and (2, 1) is 0; the matrix of a cut graph is symmetric"},
    {SPN_GRAPH_MATRIX_MARKET, true, MM "coordinate real symmetric\n2 2 1\n2 2 5\n",
     "line 3: vertex 2 is joined to itself"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n2 2\n1 2 3\n", "cut short?"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n200000000 200000000\n1\n",
     "line 2: the header says 200000000 variables"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n1000000 1000000\n1\n", "cut short?"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n1 1\n1 2\n", "line 3: more numbers"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n1 1\n1\n2\n", "line 4: more numbers"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n1 1\nx\n",
     "line 3: 'x' is not a finite"},
    {SPN_GRAPH_MATRIX_MARKET, true, MM "array real general\n2 2\n0 1\n2 0\n", "is symmetric"},
    {SPN_GRAPH_DENSE, false, "", "empty; expected a square matrix"},
    {SPN_GRAPH_DENSE, false, "\"\"\n1 0\n1 0 1\n",
     "line 3: 3 fields, but the first row has 2"}, /* a header without a name */
    {SPN_GRAPH_DENSE, false, "a,b\n", "0 rows of 2 numbers; a dense matrix is square"},
    {SPN_GRAPH_DENSE, false, "1,2\n", "1 rows of 2 numbers"},
    {SPN_GRAPH_DENSE, false, "0,1,2\n0,2,1\n", "or is this a list of `i j value`, coo?"},
    {SPN_GRAPH_DENSE, false, "0,1,2\n0,2,1\n1,2,3\n1,3,3\n", "line 4: more than 3 rows"},
    {SPN_GRAPH_DENSE, false, "0,1\n1\n", "line 2: 1 fields, but the first row has 2"},
    {SPN_GRAPH_DENSE, false, "a,b\n0,1\n0,1,2,3\n",
     "line 3: 4 fields, but the line of names has 2"},
    {SPN_GRAPH_DENSE, false, "0,1\n0,1,\n", "line 2: 3 fields"},
    {SPN_GRAPH_DENSE, false, "0,1\nnan,1\n", "line 2: field 1, 'nan', is not a finite number"},
    {SPN_GRAPH_DENSE, false, "0,1\n,1\n", "line 2: field 1, '', is not a finite number"},
    {SPN_GRAPH_DENSE, false, "1;2\n0,5;3\n", "line 2: field 1, '0,5', is not a finite number"},
    {SPN_GRAPH_DENSE, false, "a,a\n0,1\n1,0\n", "line 1: the name 'a' is there twice"},
    {SPN_GRAPH_DENSE, false, "a,\n0,1\n1,0\n", "line 1: '' is no name"},
    {SPN_GRAPH_DENSE, false, ",a,b\nb,0,1\na,1,0\n", "line 2: the row is called 'b'"},
    {SPN_GRAPH_DENSE, false, "0,1.7e308\n1e308,0\n", "add up to no finite number"},
    {SPN_GRAPH_DENSE, true, "0,1\n2,0\n", "entry (2, 1) is 2 and (1, 2) is 1"},
    {SPN_GRAPH_DENSE, true, "1,1\n1,0\n", "line 1: vertex 1 is joined to itself"},
    {SPN_GRAPH_RUDY, false, "3 2\n1 2 1\n1 3 1e-300\n",
     "line 3: 1e-300 is too small to be kept exactly: values other than 0 are at least 1e-280"},
    {SPN_GRAPH_RUDY, true, "2 1\n1 2 -1e-308\n", "line 2: -1e-308 is too small"},
    {SPN_GRAPH_QBSOLV, false, "p qubo 0 2 1 0\n0 0 5e-324\n", "line 2: 5e-324 or less is too"},
    {SPN_GRAPH_COO, false, "0 1 1e300\n0 0 -1e-400\n", "line 2: -5e-324 or less is too small"},
    {SPN_GRAPH_COO, false, "0 1 9.99e-281\n", "line 1: 9.99e-281 is too small"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "coordinate real general\n2 2 1\n1 2 1e-300\n",
     "line 3: 1e-300 is too small"},
    {SPN_GRAPH_MATRIX_MARKET, false, MM "array real general\n1 1\n.01e-999\n",
     "line 3: 5e-324 or less is too small"},
    {SPN_GRAPH_DENSE, false, "0,1\n0,1e-308\n", "line 2: 1e-308 is too small"},
    {SPN_GRAPH_DENSE, false, "0,1\n1e-9999,0\n", "line 2: 5e-324 or less is too small"},
};

static void bad_files_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_problem *p;
        const spn_status status = parse(&p, bad[k].cut ? SPN_PROBLEM_CUT : SPN_PROBLEM_COUPLINGS,
                                        bad[k].format, "file", bad[k].text, &err);
        assert_error(status, &err, SPN_ERROR_INPUT, "file: ", bad[k].part);
        assert_null(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_variables_are_refused),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

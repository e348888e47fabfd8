/* The formats of couplings and cut graphs: one problem written in each of them has the energies of
   its definition in all states; and what is recognised. */
#include "base/number.h"
#include "data/graph/graph.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/energies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, STATES = 1 << N };

static spn_status parse(spn_problem **out, spn_problem_kind kind, spn_graph_format format,
                        const char *name, const char *text, spn_error *err)
{
    spn_source source = {.name = name, .data = (const uint8_t *)text, .size = strlen(text)};
    spn_problem_options options = spn_problem_options_defaults();
    options.format = format;
    return spn_problem_parse(out, kind, &source, &options, err);
}

/* ---- one problem in all formats ---- */

/* Multiples of 1/8, so that every sum is exact. Not symmetric. */
static const double matrix[N][N] = {{0.5, -1.25, 0, 3, 0},
                                    {0.75, -2, 1, 0, -0.625},
                                    {0, 4.5, 0, 0, 0},
                                    {-1, 0, 2.125, 1.5, 0},
                                    {0, -3, 0, 0.25, 0}};
static const double adjacency[N][N] = {{0, 2, 0, -1.5, 1},
                                       {2, 0, 1, 0, 0},
                                       {0, 1, 0, 0.25, 3},
                                       {-1.5, 0, 0.25, 0, 0},
                                       {1, 0, 3, 0, 0}};

static int spin(size_t state, size_t i)
{
    return state >> i & 1 ? 1 : -1;
}

/* The definitions, once more. */
static double direct_qubo(size_t state)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            sum += spin(state, i) > 0 && spin(state, j) > 0 ? matrix[i][j] : 0;
    return sum;
}

static double direct_ising(size_t state)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            sum += matrix[i][j] * spin(state, i) * (i == j ? 1 : spin(state, j));
    return sum;
}

static double direct_cut(size_t state)
{
    double cut = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            cut += spin(state, i) != spin(state, j) ? adjacency[i][j] : 0;
    return -cut;
}

/* ---- writers, one per format ---- */

typedef double square[N][N];
typedef void writer(FILE *out, const square values, bool cut);

/* Whether a list of pairs has an entry: of a cut graph each edge once. */
static bool listed(const square values, size_t i, size_t j, bool cut)
{
    return values[i][j] != 0 && (!cut || i < j);
}

static size_t count_listed(const square values, bool cut)
{
    size_t count = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            count += listed(values, i, j, cut);
    return count;
}

static void list(FILE *out, const square values, bool cut, size_t first, const char *prefix,
                 const char *between)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (listed(values, i, j, cut))
                spn_print(out, "%s%zu%s%s%zu%s%.17g\n", prefix, i + first, between, prefix,
                          j + first, between, values[i][j]);
}

static void write_coo(FILE *out, const square values, bool cut)
{
    fputs("# offset = 0.7\n", out);
    list(out, values, cut, 0, "", " ");
}

static void write_coo_commas(FILE *out, const square values, bool cut)
{
    fputs("#offset: 7e-1\n", out);
    list(out, values, cut, 0, "", ", ");
}

static void write_rudy(FILE *out, const square values, bool cut)
{
    spn_print(out, "# offset 0.7\n%d %zu\n", N, count_listed(values, cut));
    list(out, values, cut, 1, "", " ");
}

/* Pairs both ways become one coupler. */
static void write_qbsolv(FILE *out, const square values, bool cut)
{
    size_t nodes = 0, couplers = 0;
    (void)cut;
    for (size_t i = 0; i < N; i++)
        for (size_t j = i; j < N; j++)
            *(i == j ? &nodes : &couplers) += values[i][j] != 0 || values[j][i] != 0;
    spn_print(out, "c made by a test\nc offset 0.7\np qubo 0 %d %zu %zu\n", N, nodes, couplers);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i; j < N; j++)
            if (values[i][j] != 0 || values[j][i] != 0)
                spn_print(out, "%zu %zu %.17g\n", i, j,
                          i == j ? values[i][i] : values[i][j] + values[j][i]);
}

static void write_market_general(FILE *out, const square values, bool cut)
{
    (void)cut;
    spn_print(out, "%%%%MatrixMarket matrix coordinate real general\n%% offset 0.7\n%d %d %zu\n", N,
              N, count_listed(values, false));
    list(out, values, false, 1, "", " ");
}

/* Half of what each pair has together. */
static double half(const square values, size_t i, size_t j)
{
    return (values[i][j] + values[j][i]) / 2;
}

static void write_market_symmetric(FILE *out, const square values, bool cut)
{
    size_t count = 0;
    (void)cut;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            count += half(values, i, j) != 0;
    spn_print(out, "%%%%matrixmarket MATRIX coordinate REAL Symmetric\n%%offset=0.7\n%d %d %zu\n",
              N, N, count);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            if (half(values, i, j) != 0)
                spn_print(out, "%zu %zu %.17g\n", i + 1, j + 1, half(values, i, j));
}

static void write_market_array(FILE *out, const square values, bool cut)
{
    (void)cut;
    spn_print(out, "%%%%MatrixMarket matrix array real general\n%%offset 0.7\n%d %d\n", N, N);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++)
            spn_print(out, "%.17g\n", values[i][j]);
}

static void write_market_array_symmetric(FILE *out, const square values, bool cut)
{
    (void)cut;
    spn_print(out, "%%%%MatrixMarket matrix array real symmetric\n%% offset 0.7\n%d %d\n", N, N);
    for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++)
            spn_print(out, "%.17g\n", half(values, i, j));
}

static void rows(FILE *out, const square values, const char *mark, const char *prefix)
{
    for (size_t i = 0; i < N; i++) {
        if (prefix)
            spn_print(out, "%s%zu%s", prefix, i, mark);
        for (size_t j = 0; j < N; j++)
            spn_print(out, "%.17g%s", values[i][j], j < N - 1 ? mark : "\n");
    }
}

static void write_dense(FILE *out, const square values, bool cut)
{
    (void)cut;
    fputs("# offset 0.7\n", out);
    rows(out, values, ",", NULL);
}

static void write_dense_semicolons(FILE *out, const square values, bool cut)
{
    (void)cut;
    fputs("# offset 0.7\na;b; c;\"d\";e\n", out);
    rows(out, values, " ; ", NULL);
}

static void write_dense_tabs(FILE *out, const square values, bool cut)
{
    (void)cut;
    fputs("# offset 0.7\n\tx0\tx1\tx2\tx3\tx4\n", out);
    rows(out, values, "\t", "x");
}

static void write_dense_pandas(FILE *out, const square values, bool cut)
{
    (void)cut;
    fputs("# offset 0.7\n,0,1,2,3,4\n", out);
    rows(out, values, ",", "");
}

static void write_dense_blanks(FILE *out, const square values, bool cut)
{
    (void)cut;
    fputs("# offset 0.7\n", out);
    rows(out, values, "  ", NULL);
}

static void check_energies(const char *text, const char *energy_name, spn_problem_kind kind,
                           double (*direct)(size_t))
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(parse(&problem, kind, SPN_GRAPH_AUTO, "file", text, &err), err);
    assert_int_equal(problem->sites, N);
    assert_true(problem->offset == 0.7);
    assert_ok(spn_energy_create(&energy, energy_name, problem, &err), err);
    for (size_t state = 0; state < STATES; state++) {
        int8_t spins[N];
        for (size_t i = 0; i < N; i++)
            spins[i] = (int8_t)spin(state, i);
        if (spn_energy_value(energy, spins) != direct(state) + 0.7)
            fail_msg("%s, state %zu: %.17g, not %.17g, of\n%s", energy_name, state,
                     spn_energy_value(energy, spins), direct(state) + 0.7, text);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static char *text_of(writer *write, const square values, bool cut)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    write(stream, values, cut);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void all_formats_give_the_same_energies(void **state)
{
    (void)state;
    static const struct {
        writer *write;
        bool spins, cuts; /* also for ising, for maxcut */
    } formats[] = {{write_coo, true, true},
                   {write_rudy, true, true},
                   {write_qbsolv, false, false},
                   {write_market_general, true, true},
                   {write_market_symmetric, true, true},
                   {write_market_array, true, true},
                   {write_market_array_symmetric, true, true},
                   {write_dense, true, true},
                   {write_dense_semicolons, true, true},
                   {write_dense_tabs, true, true},
                   {write_dense_pandas, true, true},
                   {write_dense_blanks, true, true}};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        char *text = text_of(formats[k].write, matrix, false);
        check_energies(text, "qubo", SPN_PROBLEM_COUPLINGS, direct_qubo);
        if (formats[k].spins)
            check_energies(text, "ising", SPN_PROBLEM_COUPLINGS, direct_ising);
        free(text);
        text = text_of(formats[k].write, adjacency, true);
        if (formats[k].cuts)
            check_energies(text, "maxcut", SPN_PROBLEM_CUT, direct_cut);
        free(text);
    }
}

static void lists_may_have_commas(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *plain, *commas;
    char *one = text_of(write_coo, matrix, false), *two = text_of(write_coo_commas, matrix, false);
    assert_ok(parse(&plain, SPN_PROBLEM_COUPLINGS, SPN_GRAPH_COO, "file", one, &err), err);
    assert_ok(parse(&commas, SPN_PROBLEM_COUPLINGS, SPN_GRAPH_COO, "file", two, &err), err);
    assert_int_equal(plain->count, commas->count);
    for (size_t e = 0; e < plain->count; e++)
        assert_true(plain->edges[e].i == commas->edges[e].i &&
                    plain->edges[e].j == commas->edges[e].j &&
                    plain->edges[e].weight == commas->edges[e].weight);
    assert_true(commas->offset == 0.7);
    spn_problem_free(plain);
    spn_problem_free(commas);
    free(one);
    free(two);
}

/* ---- single features ---- */

static double value_of(const char *energy_name, spn_problem_kind kind, const char *text,
                       const int8_t *spins)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(parse(&problem, kind, SPN_GRAPH_AUTO, "file", text, &err), err);
    assert_ok(spn_energy_create(&energy, energy_name, problem, &err), err);
    const double value = spn_energy_value(energy, spins);
    spn_energy_free(energy);
    spn_problem_free(problem);
    return value;
}

/* By hand. */
static void energies_are_those_of_the_definition(void **state)
{
    (void)state;
    const int8_t s[] = {1, -1, 1}, up[] = {1, 1, 1};
    /* edges 1-2 and 2-3 are cut */
    assert_true(value_of("maxcut", SPN_PROBLEM_CUT, "3 3\n1 2\n2 3\n1 3\n", s) == -2);
    assert_true(value_of("ising", SPN_PROBLEM_COUPLINGS, "3 3\n1 2\n2 3\n1 3\n", s) == -1);
    /* x = 1, 0, 1: linear terms -1 and 3, coupler 2 */
    assert_true(value_of("qubo", SPN_PROBLEM_COUPLINGS,
                         "c a comment\np qubo unconstrained 3 2 2\n0 0 -1\n2 2 3\n0 1 7\n0 2 2\n",
                         s) == 4);
    assert_true(value_of("qubo", SPN_PROBLEM_COUPLINGS, "1,2,0\n2,0,0\n0,0,5\n", up) == 10);
    assert_true(value_of("ising", SPN_PROBLEM_COUPLINGS, "1,2,0\n2,0,0\n0,0,5\n", s) == 2);
    assert_true(value_of("qubo", SPN_PROBLEM_COUPLINGS,
                         "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
                         up) == 3);
    /* listed twice: added up */
    assert_true(value_of("ising", SPN_PROBLEM_COUPLINGS, "a b 1\nb a 2\na a 4\n", s) == 1);
    assert_true(value_of("maxcut", SPN_PROBLEM_CUT, "3 2\n1 2 1\n2 1 4\n", s) == -5);
}

static void names_are_kept(void **state)
{
    (void)state;
    static const struct {
        spn_graph_format format;
        const char *text;
        const char *names[3];
    } cases[] = {
        {SPN_GRAPH_AUTO, "x1 x2 -1.5\nx2 \xc3\xa9t\xc3\xa9 2\n", {"x1", "x2", "\xc3\xa9t\xc3\xa9"}},
        {SPN_GRAPH_AUTO, "1 x2 1\n7 1 1\n", {"1", "x2", "7"}},
        {SPN_GRAPH_AUTO, "p c 1\nc q 1\n", {"p", "c", "q"}},
        {SPN_GRAPH_AUTO, "c d 1\np qu 1\nd d 2\n", {"c", "d", "p"}},
        {SPN_GRAPH_AUTO, "\"a\";b;c d\n0;1;2\n0;0;3\n0;0;0\n", {"a", "b", "c d"}},
        {SPN_GRAPH_DENSE, "a b c\n0 1 2\n0 0 3\n0 0 0\n", {"a", "b", "c"}},
        {SPN_GRAPH_AUTO, ",u,v,w\nu,0,1,2\nv,0,0,3\nw,0,0,0\n", {"u", "v", "w"}},
        {SPN_GRAPH_AUTO, "0 1 1\n1 2 1\n", {NULL, NULL, NULL}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_problem *p;
        assert_ok(parse(&p, SPN_PROBLEM_COUPLINGS, cases[k].format, "file", cases[k].text, &err),
                  err);
        for (size_t i = 0; i < 3; i++) {
            const char *name = spn_problem_name(p, i);
            assert_true(cases[k].names[i] ? name && strcmp(name, cases[k].names[i]) == 0 : !name);
        }
        spn_problem_free(p);
    }
}

/* More names than the table starts with, each met several times. */
static void many_names_are_told_apart(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    char *text;
    size_t size;
    spn_error err = {0};
    spn_problem *p;
    FILE *stream = open_memstream(&text, &size);
    for (int k = 0; k < MANY; k++)
        fprintf(stream, "v%d v%d 1\n", k, (k + 1) % MANY);
    fclose(stream);
    assert_ok(parse(&p, SPN_PROBLEM_CUT, SPN_GRAPH_AUTO, "file", text, &err), err);
    assert_int_equal(p->sites, MANY);
    assert_string_equal(spn_problem_name(p, MANY - 1), "v4999");
    assert_true(p->edges[MANY - 1].i == MANY - 1 && p->edges[MANY - 1].j == 0);
    spn_problem_free(p);
    free(text);
}

static void offsets_are_added_once(void **state)
{
    spn_error err = {0};
    spn_problem *p;
    spn_energy *energy;
    spn_problem_options options = spn_problem_options_defaults();
    const int8_t spins[] = {1, 1};
    const char *path = spn_scratch_text(state, "g", "# offset: 2\n# offset of the grid\n0 1 3\n");
    options.offset = 0.1;
    assert_ok(spn_problem_read_as(&p, SPN_PROBLEM_COUPLINGS, path, &options, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", p, &err), err);
    assert_true(spn_energy_value(energy, spins) == 3 + (2 + 0.1));
    assert_false(spn_energy_integral(energy));
    spn_energy_free(energy);
    assert_ok(spn_problem_set_offset(p, -4, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", p, &err), err);
    assert_true(spn_energy_value(energy, spins) == -1 && spn_energy_integral(energy));
    spn_energy_free(energy);
    assert_int_equal(spn_problem_set_offset(p, HUGE_VAL, &err), SPN_ERROR_ARGUMENT);
    assert_ok(spn_problem_set_names(p, (const char *const[]){"left", "right"}, &err), err);
    assert_string_equal(spn_problem_name(p, 1), "right");
    assert_int_equal(spn_problem_set_names(p, (const char *const[]){"left", ""}, &err),
                     SPN_ERROR_ARGUMENT);
    assert_string_equal(spn_problem_name(p, 0), "left");
    spn_problem_free(p);
    assert_int_equal(spn_problem_read_as(&p, SPN_PROBLEM_TABLE, path, &options, &err),
                     SPN_ERROR_ARGUMENT);
}

/* Reads side by side have the energies of their states to the last bit, the offset
   included, which is no multiple of a unit and near the end of the energies; and stop at a target
   that the offset moves. */
static void reads_have_the_offset(void **state)
{
    (void)state;
    enum { READS = 70 };
    spn_error err = {0};
    spn_problem *p;
    spn_energy *energy;
    spn_chain_options chain = spn_chain_defaults();
    assert_ok(spn_problem_random_lattice(&p, 5, 5, 1, &err), err);
    assert_ok(spn_problem_set_offset(p, 30.7, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", p, &err), err);
    chain.replicas = 1;
    chain.steps = 2000;
    chain.beta = spn_test_linear(0.2, 2);
    chain.order = SPN_ORDER_SEQUENTIAL;
    chain.target = SPN_TARGET_ANY;
    chain.target_energy = -30 + 30.7;
    spn_sampler *reads = spn_test_reads_run(energy, &chain, READS, 1);
    for (size_t r = 0; r < READS; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        assert_true(read.best_energy == spn_energy_value(energy, read.best_spins));
        assert_true((read.best_energy <= -30 + 30.7) == (read.hit != SPN_NO_HIT));
    }
    spn_sampler_free(reads);
    spn_energy_free(energy);
    spn_problem_free(p);
}

/* ---- recognition ---- */

static void formats_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        spn_graph_format format;
    } cases[] = {{"g", "3 2\n", SPN_GRAPH_RUDY},
                 {"g", "0 1 2\n", SPN_GRAPH_COO},
                 {"g.csv", "0 1 2\n", SPN_GRAPH_DENSE},
                 {"g.tsv.gz", "0\t1\n1\t0\n", SPN_GRAPH_DENSE},
                 {"g.coo", "0,1,2\n", SPN_GRAPH_COO},
                 {"g", "0,1,2\n", SPN_GRAPH_DENSE},
                 {"g", "0;1\n", SPN_GRAPH_DENSE},
                 {"g", "# x\n0 1 2 3\n", SPN_GRAPH_DENSE},
                 {"g", "5\n", SPN_GRAPH_DENSE},
                 {"g.csv", "%%MatrixMarket matrix\n", SPN_GRAPH_MATRIX_MARKET},
                 {"g", "\xef\xbb\xbf%%matrixmarket matrix\n", SPN_GRAPH_MATRIX_MARKET},
                 {"g", "c\nc text\n# x\np\tqubo 0\n", SPN_GRAPH_QBSOLV},
                 {"g.qubo", "0 1 2\n", SPN_GRAPH_QBSOLV},
                 {"g.MTX", "0 1 2\n", SPN_GRAPH_MATRIX_MARKET},
                 {"g", "", SPN_GRAPH_COO}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const spn_source source = {.name = cases[k].name,
                                   .data = (const uint8_t *)cases[k].text,
                                   .size = strlen(cases[k].text)};
        if (spn_graph_recognise(&source, SPN_PROBLEM_COUPLINGS) != cases[k].format)
            fail_msg("%s, '%s' is taken for %s", cases[k].name, cases[k].text,
                     spn_graph_format_name(spn_graph_recognise(&source, SPN_PROBLEM_COUPLINGS)));
    }
}

static void gzipped_files_are_read(void **state)
{
    spn_error err = {0};
    writer *const writers[] = {write_coo, write_rudy, write_qbsolv, write_market_general,
                               write_dense};
    for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
        spn_problem *p;
        char *text = text_of(writers[k], matrix, false);
        const char *path = spn_scratch_gzip(state, "graph.gz", text, strlen(text));
        assert_ok(spn_problem_read(&p, SPN_PROBLEM_COUPLINGS, path, &err), err);
        assert_int_equal(p->sites, N);
        spn_problem_free(p);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_give_the_same_energies),
        cmocka_unit_test(lists_may_have_commas),
        cmocka_unit_test(energies_are_those_of_the_definition),
        cmocka_unit_test(names_are_kept),
        cmocka_unit_test(many_names_are_told_apart),
        scratch_test(offsets_are_added_once),
        cmocka_unit_test(reads_have_the_offset),
        cmocka_unit_test(formats_are_recognised),
        scratch_test(gzipped_files_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

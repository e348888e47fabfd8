/* LP files against GLPK's reader: both must find the same problem in a file, and in what is written
   of it. GLPK states it in its own format: https://en.wikibooks.org/wiki/GLPK/Interoperability */
#include "support/scratch.h"

#include <spinney/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SPN_GLPSOL

/* A coefficient of a row; row 0 is the objective, and column 0 its constant. */
typedef struct coefficient {
    unsigned row, column;
    double value;
} coefficient;

enum { MOST = 1 << 12, NAME = 256 };

/* What GLPK says of a file; rows and columns count from 1. */
typedef struct glpk_problem {
    bool maximises;
    unsigned rows, columns;
    char row_names[MOST][NAME], column_names[MOST][NAME];
    char row_kinds[MOST], column_kinds[MOST]; /* f l u d s; b i */
    double row_limits[MOST][2], bounds[MOST][2];
    coefficient list[MOST];
    size_t count;
} glpk_problem;

/* `kind low high` with the numbers that the kind has. */
static void take_limits(char *kind, double limits[2], const char *text)
{
    char *at;
    limits[0] = -INFINITY;
    limits[1] = INFINITY;
    *kind = text[0];
    if (*kind == 'f')
        return;
    const double first = spn_test_strtod(text + 1, &at);
    if (*kind != 'u')
        limits[0] = first;
    if (*kind == 'u' || *kind == 's')
        limits[1] = first;
    if (*kind == 'd')
        limits[1] = spn_test_strtod(at, &at);
}

static void take_line(glpk_problem *g, const char *line)
{
    unsigned row = 0, column = 0;
    char name[NAME], kind, *end;
    int at = 0;
    if (sscanf(line, "p mip %255s %u %u", name, &g->rows, &g->columns) == 3) {
        g->maximises = strcmp(name, "max") == 0;
        assert_true(g->rows < MOST && g->columns < MOST);
        for (unsigned j = 0; j < MOST; j++) {
            take_limits(&g->row_kinds[j], g->row_limits[j], "s 0"); /* unless a line says more */
            take_limits(&g->column_kinds[j], g->bounds[j], "d 0 1");
            g->column_kinds[j] = 'b';
        }
    } else if (sscanf(line, "n i %u %255s", &row, name) == 2)
        strcpy(g->row_names[row], name);
    else if (sscanf(line, "n j %u %255s", &column, name) == 2)
        strcpy(g->column_names[column], name);
    else if (sscanf(line, "i %u %n", &row, &at) == 1 && at > 0)
        take_limits(&g->row_kinds[row], g->row_limits[row], line + at);
    else if (sscanf(line, "j %u %c %n", &column, &kind, &at) == 2 && at > 0) {
        take_limits(&g->column_kinds[column], g->bounds[column], line + at);
        g->column_kinds[column] = kind;
    } else if (sscanf(line, "a %u %u %n", &row, &column, &at) == 2 && at > 0) {
        assert_true(g->count < MOST);
        g->list[g->count++] = (coefficient){row, column, spn_test_strtod(line + at, &end)};
    }
    assert_true(row < MOST && column < MOST);
}

/* To be freed. */
static glpk_problem *glpk_reads(void **state, const char *path)
{
    char command[8192], line[1024];
    const char *out = spn_scratch_path(state, "stated.glp");
    glpk_problem *g = calloc(1, sizeof *g);
    assert_non_null(g);
    snprintf(command, sizeof command, "%s --lp '%s' --check --wglp '%s' > /dev/null", SPN_GLPSOL,
             path, out);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a tool of the test */
    FILE *file = fopen(out, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        take_line(g, line);
    fclose(file);
    assert_true(g->columns > 0);
    return g;
}

/* ---- comparison ---- */

/* The sum of the coefficients of one variable (SIZE_MAX: of no variable) in some terms. */
static double coefficient_of(const spn_terms *terms, size_t variable)
{
    double sum = 0;
    for (size_t t = 0; t < terms->count; t++) {
        const size_t degree = terms->starts[t + 1] - terms->starts[t];
        assert_true(degree <= 1);
        if (degree == 0 ? variable == SIZE_MAX : terms->variables[terms->starts[t]] == variable)
            sum += terms->coefficients[t];
    }
    return sum;
}

static double glpk_coefficient(const glpk_problem *g, unsigned row, unsigned column)
{
    for (size_t k = 0; k < g->count; k++)
        if (g->list[k].row == row && g->list[k].column == column)
            return g->list[k].value;
    return 0;
}

static void compare_variables(const glpk_problem *g, const spn_program *p)
{
    assert_int_equal(g->columns, spn_program_variables(p));
    for (unsigned j = 1; j <= g->columns; j++) {
        const size_t i = spn_program_find(p, g->column_names[j]);
        spn_variable v;
        assert_true(i != SPN_NO_VARIABLE);
        spn_program_variable(&v, p, i);
        const bool binary = g->column_kinds[j] == 'b';
        assert_true(binary || g->column_kinds[j] == 'i');
        assert_true(g->bounds[j][0] == (v.is_fixed ? v.value : v.low));
        assert_true(g->bounds[j][1] == (v.is_fixed ? v.value : v.high));
    }
}

static void compare_row(const glpk_problem *g, unsigned row, const spn_program *p,
                        const spn_terms *terms, double constant)
{
    for (unsigned j = 1; j <= g->columns; j++) {
        const size_t i = spn_program_find(p, g->column_names[j]);
        assert_true(glpk_coefficient(g, row, j) == coefficient_of(terms, i));
    }
    if (row == 0)
        assert_true(glpk_coefficient(g, 0, 0) == coefficient_of(terms, SIZE_MAX) + constant);
}

/* The row of a constraint; 0 if GLPK has none of this name. */
static unsigned find_row(const glpk_problem *g, const char *name)
{
    for (unsigned row = 1; row <= g->rows; row++)
        if (strcmp(g->row_names[row], name) == 0)
            return row;
    return 0;
}

static void compare_constraints(const glpk_problem *g, const spn_program *p)
{
    assert_int_equal(g->rows, spn_program_constraints(p)); /* GLPK reads no double limits */
    for (size_t k = 0; k < spn_program_constraints(p); k++) {
        spn_constraint c;
        spn_program_constraint(&c, p, k);
        const unsigned row = find_row(g, c.name);
        assert_true(row > 0);
        compare_row(g, row, p, &c.terms, 0);
        assert_true(g->row_limits[row][0] == (c.sense == SPN_SENSE_AT_MOST ? -INFINITY : c.right));
        assert_true(g->row_limits[row][1] == (c.sense == SPN_SENSE_AT_LEAST ? INFINITY : c.right));
    }
}

static void compare(void **state, const char *path, const spn_program *p)
{
    glpk_problem *g = glpk_reads(state, path);
    spn_terms objective;
    double constant;
    spn_program_objective(&objective, &constant, p);
    assert_int_equal(g->maximises, spn_program_maximises(p));
    compare_variables(g, p);
    compare_row(g, 0, p, &objective, constant);
    compare_constraints(g, p);
    free(g);
}

/* The file, and the file that is written of it. */
static void compare_both(void **state, const char *path)
{
    spn_program *p;
    spn_error err = {0};
    assert_ok(spn_program_read(&p, path, NULL, &err), err);
    compare(state, path, p);
    const char *written = spn_scratch_path(state, "written.lp");
    assert_ok(spn_program_write(p, written, NULL, &err), err);
    compare(state, written, p);
    spn_program_free(p);
}

static void test_independent_set(void **state)
{
    compare_both(state, SPN_TESTS "/problems/mis.lp");
}

static void test_forms(void **state)
{
    static const char *const texts[] = {
        "\\ knapsack\nMaximize\n value: 5 a + 4 b + 3.25 c\nSubject To\n room: 2 a + 3 b\n  + c <= "
        "4\n"
        "Binary\n a b c\nEnd\n",
        "MIN\nobj: - x1 + 2e1x2 - .5 x3\nst\nc1: x1 + x2 + x3 = 2\nc2: - 3 x1 - x3 <= 1\n"
        "c3: 3 x2 >= -1\nbounds\n-5 <= x1 <= 1e1\nx2 <= 7\nx3 = 2\ngenerals\nx1 x2\nx3\nend\n",
        "maximum\n x(1) + x_2 - y.3\nsuch that\n r#1: x(1) + x_2 =< 1\n r%2: x_2 + y.3 => 1\n"
        "bounds\n 0 <= x(1) <= 3\n -4 <= x_2 <= -1\n y.3 >= -2\n y.3 <= 2\ninteger\n x(1) x_2 "
        "y.3\nend\n",
        "min\n a + b\nst\n r: a + b >= 1\nbounds\n a = 1\n b = 0\ngeneral\n a b\nend\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        compare_both(state, spn_scratch_text(state, "problem.lp", texts[k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_independent_set),
                                       scratch_test(test_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("glpsol is not installed (scripts/bootstrap test): nothing was compared");
    return 77;
}

#endif

/* Print the solutions of a problem with constraints. */
#include "base/number.h"
#include "cli/table.h"
#include "cli/task.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

static void put_name(const char *name)
{
    for (; *name; name++)
        putchar(iscntrl((unsigned char)*name) ? '?' : *name);
}

/* The best answer's variables that are not 0. */
static void print_variables(const spn_answers *answers)
{
    enum { MOST = 12 };
    const int32_t *values = spn_answer_values(answers, 0);
    size_t shown = 0, zeros = 0;
    for (size_t i = 0; i < answers->variables; i++) {
        spn_variable variable;
        zeros += values[i] == 0;
        if (values[i] == 0 || ++shown > MOST)
            continue;
        spn_program_variable(&variable, answers->program, i);
        fputs(shown > 1 ? ", " : "", stdout);
        put_name(variable.name);
        printf(" = %" PRId32, values[i]);
    }
    if (shown > MOST)
        fputs(", ...; --out FILE.csv has all", stdout);
    if (zeros > 0)
        fputs(shown ? "; all others are 0" : "all variables are 0", stdout);
    putchar('\n');
}

void cli_print_best_answer(const spn_answers *answers)
{
    const spn_answer *best = &answers->answer[0];
    char violation[SPN_NUMBER_TEXT];
    spn_number_short(violation, best->score.violation);
    if (best->score.feasible)
        fputs(", feasible", stdout);
    else
        printf(", not feasible: %zu constraint%s violated, by %s", best->score.violated,
               best->score.violated == 1 ? "" : "s", violation);
    printf(", found by %" PRIu64 " of %" PRIu64 " read%s\n", best->count, answers->reads,
           answers->reads == 1 ? "" : "s");
    print_variables(answers);
}

static void head_figure(cli_table *table, const spn_robust_figure *figure)
{
    char name[64];
    snprintf(name, sizeof name, "robust_%s", figure->name);
    cli_table_head(table, name, true);
}

/* The mean and its 95% interval. */
static void put_figure(cli_table *table, const spn_robust_figure *figure, const spn_robust *robust)
{
    const double deviations = 1.96;
    const spn_summary summary = {.count = 2,
                                 .mean = spn_robust_value(robust, figure->mean),
                                 .half = deviations * spn_robust_value(robust, figure->error)};
    cli_table_mean(table, &summary);
}

bool cli_print_answers(const spn_answers *answers, size_t rows)
{
    cli_table table = {0};
    static const char *const heads[] = {"objective", "feasible", "violation", "reads", "distance"};
    if ((answers->count < 2 && !answers->is_shaken) || rows == 0)
        return true;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        cli_table_head(&table, heads[k], k != 1);
    for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
        head_figure(&table, &spn_robust_figures[f]);
    for (size_t k = 0; k < answers->count && k < rows; k++) {
        const spn_answer *a = &answers->answer[k];
        cli_table_exact(&table, a->score.objective);
        cli_table_text(&table, a->score.feasible ? "yes" : "no");
        cli_table_exact(&table, a->score.violation);
        cli_table_exact(&table, (double)a->count);
        cli_table_exact(&table, (double)a->distance);
        for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
            put_figure(&table, &spn_robust_figures[f], &a->robust);
    }
    putchar('\n');
    const bool ok = cli_table_print(&table);
    if (ok && answers->count > rows)
        printf("%zu more distinct solutions; --rows shows more, and --out FILE has all\n",
               answers->count - rows);
    return ok;
}

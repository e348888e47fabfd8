/* Print the best state, the quality of the reads, and a table of the best states. */
#include "base/number.h"
#include "cli/table.h"
#include "cli/task.h"
#include "job/solutions.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- solutions of a problem with constraints ---- */

static void put_name(const char *name)
{
    for (; *name; name++)
        putchar(iscntrl((unsigned char)*name) ? '?' : *name);
}

/* The best answer's variables that are not 0. */
static void print_values(const spn_answers *answers)
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

/* The same for a problem with constraints: the end of the line of the best answer, with its
   variables; and a table of the answers. */
static void print_best_answer(const spn_answers *answers)
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
    print_values(answers);
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

static bool print_answers(const spn_answers *answers, size_t rows)
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

/* ---- states ---- */

static void print_number(double value)
{
    spn_print(stdout, "%.*g", value == floor(value) ? 15 : 6, value);
}

static void print_counts(const spn_samples *samples)
{
    const double best = spn_samples_energy(samples, 0);
    size_t states = 0;
    uint64_t reads = 0;
    for (; states < spn_samples_distinct(samples) && spn_samples_energy(samples, states) <= best;
         states++)
        reads += spn_samples_count(samples, states);
    if (reads == 0)
        printf(", joined from the best states of %" PRIu64 " reads", spn_samples_total(samples));
    else
        printf(", found by %" PRIu64 " of %" PRIu64 " reads in %zu state%s", reads,
               spn_samples_total(samples), states, states == 1 ? "" : "s");
}

/* With names of variables, if there are any; false without memory. */
static bool print_variables(const spn_solutions *s)
{
    enum { MOST = 12 };
    if (!s->names || !spn_samples_distinct(s->samples))
        return true;
    int8_t *spins = malloc(s->sites);
    if (!spins)
        return false;
    spn_samples_spins(s->samples, 0, spins);
    for (size_t i = 0; i < s->sites && i < MOST; i++) {
        fputs(i ? ", " : "", stdout);
        for (const char *c = s->names[i]; *c; c++)
            putchar(iscntrl((unsigned char)*c) ? '?' : *c);
        printf(" = %d", spn_solutions_value(s, spins[i]));
    }
    printf("%s\n", s->sites > MOST ? ", ...; --out FILE.csv has all" : "");
    free(spins);
    return true;
}

bool cli_print_best(const spn_call *call)
{
    bool any = false;
    const char *first =
        call->answers && call->answers->is_by_robust ? "\nmost robust: " : "\nbest of all: ";
    spn_quantity_walk walk = spn_quantity_walk_start(call->job.task->results);
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *q = walk.row;
        if (!q->name || !(q->flags & SPN_QUANTITY_BEST))
            continue;
        const double value = spn_record_number(&call->record, q->name);
        if (isnan(value))
            continue;
        printf("%s%s ", any ? ", " : first,
               strncmp(q->name, "best_", 5) == 0 ? q->name + 5 : q->name);
        print_number(value);
        any = true;
    }
    if (any && call->solutions && call->solutions->of_reads)
        print_counts(call->solutions->samples);
    if (any && call->answers)
        print_best_answer(call->answers);
    else if (any)
        putchar('\n');
    return !call->solutions || print_variables(call->solutions);
}

static double shown_energy(const spn_solutions *s, double energy)
{
    return s->cuts ? s->offset - energy : energy;
}

/* Energies, or cuts, that shares of the reads reached. */
static void print_quantiles(const spn_solutions *s)
{
    static const struct {
        const char *name;
        double share;
    } all[] = {{"lowest", 0},
               {"lower quartile", 0.25},
               {"median", 0.5},
               {"upper quartile", 0.75},
               {"highest", 1}};
    enum { COUNT = sizeof all / sizeof *all };
    printf("\n%s of the reads: ", s->cuts ? "cuts" : "energies");
    for (size_t k = 0; k < COUNT; k++) {
        /* the lowest energy is the largest cut */
        const double share = all[s->cuts ? COUNT - 1 - k : k].share;
        printf("%s%s ", k ? ", " : "", all[k].name);
        print_number(shown_energy(s, spn_samples_quantile(s->samples, share)));
    }
    putchar('\n');
}

/* A state in a line, or its beginning. */
static void state_text(char *out, size_t size, const spn_solutions *s, const int8_t *spins)
{
    const char up = s->binary ? '1' : '+', down = s->binary ? '0' : '-';
    const size_t most = size - 1, shown = s->sites <= most ? s->sites : most - 3;
    for (size_t i = 0; i < shown; i++)
        out[i] = spins[i] > 0 ? up : down;
    strcpy(out + shown, shown < s->sites ? "..." : "");
}

static bool print_table(const spn_solutions *s, size_t rows, int8_t *spins)
{
    const size_t distinct = spn_samples_distinct(s->samples);
    cli_table table = {0};
    cli_table_head(&table, s->cuts ? "cut" : "energy", true);
    cli_table_head(&table, "count", true);
    cli_table_head(&table, "read", true);
    cli_table_head(&table, "state", false);
    for (size_t k = 0; k < distinct && k < rows; k++) {
        spn_samples_spins(s->samples, k, spins);
        char text[56];
        cli_table_exact(&table, shown_energy(s, spn_samples_energy(s->samples, k)));
        cli_table_exact(&table, (double)spn_samples_count(s->samples, k));
        cli_table_exact(&table, spn_solutions_finder(s, k));
        state_text(text, sizeof text, s, spins);
        cli_table_text(&table, text);
    }
    putchar('\n');
    const bool ok = cli_table_print(&table);
    if (ok && distinct > rows)
        printf("%zu more distinct states; --rows shows more, and --out FILE has all\n",
               distinct - rows);
    return ok;
}

bool cli_print_reads(const spn_call *call, size_t rows)
{
    const spn_solutions *s = call->solutions;
    if (call->answers)
        return print_answers(call->answers, rows);
    if (!s || !s->of_reads || spn_samples_distinct(s->samples) == 0)
        return true;
    int8_t *spins = malloc(s->sites);
    print_quantiles(s);
    const bool ok = spins && (rows == 0 || print_table(s, rows, spins));
    free(spins);
    return ok;
}

/* spinney exact: laws, chains, heights, dense regions and convergence at small N, by enumeration.
 */
#include "cli/exact.h"

#include "cli/commands.h"
#include "cli/planted.h"
#include "cli/problem.h"
#include "cli/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const spn_setting cli_exact_options[] = {
    CLI_PROBLEM_OPTIONS,
    SPN_HEADING(
        "Laws (each of the next three takes a value, a list 1,2,4 or a range START:END:STEP)"),
    CLI_TEXT("replicas", "Y", "2", "number of coupled copies, 1 to 255"),
    CLI_TEXT("beta", "B", "1", "inverse temperature; inf for the limit"),
    CLI_TEXT("gamma", "G", "0.5", "coupling of the replicas"),
    CLI_FLAG("no-law", "leave out log Z, means and entropies, which take most time at large N"),
    SPN_HEADING("Chains (up to 2^22 replicated states)"),
    CLI_TEXT("kernel", "NAMES", "two-stage,one-stage",
             "one or more of two-stage, one-stage, heat-bath; the first is the one that --schedule "
             "anneals. "
             "With --replicas 1 the first two are plain simulated annealing"),
    CLI_TEXT("gap", "WHEN", "auto",
             "spectral gaps: auto (where they take about a minute), always, never"),
    CLI_FLAG("no-chain", "leave out acceptance, gaps and the heights M"),
    SPN_HEADING("Dense regions"),
    CLI_FLAG("density", "count the minima near every minimum, for every radius"),
    CLI_TEXT("dense-center", "STATE", NULL,
             "the dense set is a ball around STATE (an index, or + and -); for planted the ball is "
             "known"),
    CLI_TEXT("dense-radius", "R", NULL, "of this radius"),
    CLI_FILE("dense", "FILE", NULL, "or the states of a file, one per line, of + and -"),
    SPN_HEADING("Convergence of an annealed chain (one step is one proposal)"),
    CLI_TEXT(
        "schedule", "KIND", NULL,
        "pieces:B1xT1,B2xT2,...; theorem1[:stages=10,alpha=1.5,b=0.5,m=,B=,c=,kappa=], what is not "
        "given being computed; linear:START:END, quadratic, exponential, logarithmic:m=M,C=C, "
        "constant:B with --steps"),
    CLI_TEXT("steps", "T", NULL, "steps of a schedule that is not in pieces"),
    CLI_TEXT(
        "gamma-schedule", "KIND", NULL,
        "the same for gamma; stages:START:STEP adds STEP at each piece of beta (default: --gamma)"),
    CLI_TEXT(
        "start", "STATE", "0",
        "replicated state that it starts from: an index, or + and - (N for all replicas, or y N)"),
    SPN_HEADING("Output"),
    CLI_FLAG("json", "print one JSON object on stdout and nothing else there"),
    CLI_FILE("plot", "FILE", NULL, "draw into FILE.svg, FILE.pdf or FILE.png"),
    CLI_TEXT("plot-what", "WHAT", NULL,
             "gap (psi against beta), epsilon (against the stage), dense (mass against gamma) or "
             "density "
             "(against the radius), where more than one was asked for"),
    CLI_TEXT("threads", "n", NULL, "(default: all cores); never changes a result"),
    {.name = NULL}};

const char cli_exact_details[] =
    "A state's index has bit i set iff spin i is +1, the first spin being bit 0; replica a of a\n"
    "replicated state holds bits N(a-1) to Na-1. docs/theory.md defines every quantity.\n\n"
    "Examples\n"
    "  spinney exact --energy bits --random 9,3,1 --beta 1 --gamma 0.5\n"
    "  spinney exact --energy bits --random 5,3,1 --beta 1:8:0.5 --plot gap.svg\n"
    "  spinney exact --code 0111100,1011010,1101001 --ball 1 --replicas 2,3,5 --gamma 0:4:0.1 "
    "--no-chain\n"
    "  spinney exact --energy bits --random 3,2,1 --schedule theorem1 --start 18\n";

void exact_note(exact *e, const char *format, ...)
{
    if (e->note_count == EXACT_NOTES)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(e->notes[e->note_count++], sizeof e->notes[0], format, args);
    va_end(args);
}

int exact_fail(const exact *e, const spn_error *err)
{
    cli_error(e->values->command, "%s", err->text);
    return err->status == SPN_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
}

int exact_no_memory(const exact *e)
{
    cli_error(e->values->command, "out of memory");
    return CLI_FAILED;
}

exact_point *exact_at(const exact *e, size_t y, size_t beta, size_t gamma)
{
    return &e->points[(y * e->beta.count + beta) * e->gamma.count + gamma];
}

/* The energy over all its states. */
static int make_landscape(exact *e)
{
    spn_energy *energy = NULL;
    spn_error err = {0};
    int status = cli_make_energy(&energy, e->values);
    if (status)
        return status;
    if (spn_landscape_create(&e->landscape, energy, e->threads, &err))
        status = exact_fail(e, &err);
    else if (fabs(e->landscape->minimum) > e->landscape->tolerance)
        exact_note(e,
                   "not realisable: E_min = %g is not 0. The limits, constants and heights are "
                   "those of E - E_min, and Pr(U=0) is the probability that every replica is at a "
                   "minimum; log Z, Phi and mean U are those of E itself.",
                   e->landscape->minimum);
    spn_energy_free(energy);
    return status;
}

static void clear(exact *e)
{
    for (size_t k = 0; e->points && k < e->count; k++) {
        free(e->points[k].phi);
        free(e->points[k].P);
    }
    free(e->points);
    free(e->best);
    free(e->fits);
    free(e->dense.states);
    free(e->annealing.pieces);
    free(e->annealing.gammas);
    free(e->annealing.stages);
    free(e->annealing.verdict.values);
    free(e->annealing.verdict.bounds);
    spn_density_free(e->density);
    spn_landscape_free(e->landscape);
    cli_axis_clear(&e->replicas);
    cli_axis_clear(&e->beta);
    cli_axis_clear(&e->gamma);
}

static int run(exact *e)
{
    static int (*const steps[])(exact *) = {
        exact_read_options,  make_landscape, exact_read_dense,    exact_read_annealing,
        exact_choose_figure, exact_compute,  exact_compute_dense, exact_anneal};
    const double started = cli_clock();
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        const int status = steps[k](e);
        if (status)
            return status;
    }
    e->seconds = cli_clock() - started;
    if (cli_given(e->values, "plot")) {
        const int status = exact_write_figure(e);
        if (status)
            return status;
    }
    return cli_given(e->values, "json") ? exact_print_json(e) : exact_print_page(e);
}

int cli_exact(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    exact e = {.values = &values};
    status = run(&e);
    clear(&e);
    return status;
}

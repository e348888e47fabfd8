/* spinney exact: its options, checked before anything is computed. */
#include "cli/exact.h"

#include "cli/planted.h"
#include "cli/problem.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 100000 };

/* --kernel: a list of names, each once. */
static int read_kernels(exact *e)
{
    const char *text = cli_text(e->values, "kernel"), *rest = text;
    for (bool more = true; more; rest++) {
        const size_t length = strcspn(rest, ",");
        int found = -1;
        for (int k = 0; k < EXACT_KERNELS; k++) {
            const char *name = spn_kernel_name((spn_kernel)k);
            if (strlen(name) == length && strncmp(rest, name, length) == 0)
                found = k;
        }
        if (found < 0 || e->kernels[found])
            return cli_error(e->values->command,
                             "--kernel: '%s' is not a list of two-stage, one-stage, heat-bath, "
                             "each at most once",
                             text);
        if (rest == text)
            e->first = (spn_kernel)found;
        e->kernels[found] = true;
        rest += length;
        more = *rest == ',';
    }
    return CLI_OK;
}

static int read_axes(exact *e)
{
    const cli_axis_rule replicas = {1, SPN_MAX_REPLICAS, true, false};
    const cli_axis_rule beta = {0, HUGE_VAL, false, true}, gamma = {0, HUGE_VAL, false, false};
    if (!cli_axis_read(&e->replicas, e->values, "replicas", &replicas) ||
        !cli_axis_read(&e->beta, e->values, "beta", &beta) ||
        !cli_axis_read(&e->gamma, e->values, "gamma", &gamma))
        return CLI_USAGE;
    const double points =
        (double)e->replicas.count * (double)e->beta.count * (double)e->gamma.count;
    if (points > POINTS_MOST)
        return cli_error(e->values->command,
                         "--replicas, --beta and --gamma together ask for %.0f points; at most %d",
                         points, POINTS_MOST);
    e->count = (size_t)points;
    return CLI_OK;
}

/* Options that only make sense with another one. */
static int check_company(const exact *e)
{
    static const char *const pairs[][2] = {{"steps", "schedule"},
                                           {"gamma-schedule", "schedule"},
                                           {"start", "schedule"},
                                           {"dense-center", "dense-radius"},
                                           {"dense-radius", "dense-center"},
                                           {"plot-what", "plot"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (cli_given(e->values, pairs[k][0]) && !cli_given(e->values, pairs[k][1]))
            return cli_error(e->values->command, "--%s goes with --%s", pairs[k][0], pairs[k][1]);
    if (cli_given(e->values, "dense") && cli_given(e->values, "dense-center"))
        return cli_error(e->values->command, "give --dense FILE or --dense-center, not both");
    const char *plot = cli_text(e->values, "plot"), *dot = plot ? strrchr(plot, '.') : NULL;
    if (plot && (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".pdf") != 0 &&
                          strcmp(dot, ".png") != 0)))
        return cli_error(e->values->command, "%s: a figure's name ends in .svg, .pdf or .png",
                         plot);
    return CLI_OK;
}

int exact_read_options(exact *e)
{
    static const char *const when[] = {"auto", "always", "never", NULL};
    int gap, status = check_company(e);
    if (!status)
        status = read_axes(e);
    if (!status)
        status = read_kernels(e);
    if (status)
        return status;
    if (!cli_choice(&gap, e->values, "gap", when))
        return CLI_USAGE;
    e->gap = (exact_when)gap;
    if (cli_given(e->values, "threads")) {
        uint64_t threads;
        if (!cli_whole(&threads, e->values, "threads", 1, 4096))
            return CLI_USAGE;
        e->threads = (unsigned)threads;
    }
    e->energy_name = cli_is_planted(e->values) ? "planted" : cli_text(e->values, "energy");
    return CLI_OK;
}

/* A text of + and - as bits; false where it has another character or another length. */
static bool read_signs(uint64_t *out, const char *text, size_t sites, size_t copies)
{
    uint64_t bits = 0;
    size_t length = 0;
    for (; *text; text++) {
        if (*text == '/')
            continue;
        if ((*text != '+' && *text != '-') || length == sites * copies)
            return false;
        bits |= (uint64_t)(*text == '+') << length++;
    }
    for (size_t a = 1; length == sites && a < copies; a++)
        bits |= (bits & (((uint64_t)1 << sites) - 1)) << (a * sites);
    *out = bits;
    return length == sites || length == sites * copies;
}

bool exact_read_state(uint64_t *out, const exact *e, const char *option, size_t sites,
                      size_t copies)
{
    const char *text = cli_text(e->values, option);
    const uint64_t states = (uint64_t)1 << (sites * copies);
    if (read_signs(out, text, sites, copies))
        return true;
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && *out < states)
        return true;
    char signs[64];
    snprintf(signs, sizeof signs, copies > 1 ? "%zu or %zu" : "%zu", sites, sites * copies);
    cli_error(e->values->command,
              "--%s: '%s' is not a state: an index from 0 to %llu, or %s characters + and -",
              option, text, (unsigned long long)(states - 1), signs);
    return false;
}

/* spinney sweep --dry-run: the points of the grid and the time that they would take. */
#include "cli/model.h"
#include "cli/progress.h"
#include "cli/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points that the text lists; the JSON has all. */
enum { MOST_LINES = 20 };

/* The ranks that share the runs. */
static size_t ranks(void)
{
    return spn_sweep_ranks() > 1 ? spn_sweep_ranks() : 1;
}

/* Longest first on all threads: no shorter than the longest, nor than an equal share. */
static double on_all(const spn_sweep_estimate *estimate, const cli_sweep_state *state)
{
    const double threads = (double)ranks() * state->options.threads;
    return fmax(estimate->seconds / threads, estimate->longest);
}

/* The settings of a point that tell it from others, as in the manifest. */
static json_t *settings_json(spn_json_tree *tree, const spn_sweep *sweep, size_t point)
{
    json_t *object = json_object();
    size_t stride = 1;
    for (size_t k = 0; k < sweep->axis_count; k++)
        stride *= sweep->axes[k].count;
    for (size_t k = 0; k < sweep->axis_count; k++) {
        const spn_axis *axis = &sweep->axes[k];
        stride /= axis->count;
        spn_json_set(tree, object, axis->setting,
                     spn_json_string(axis->values[point / stride % axis->count]));
    }
    return object;
}

static int print_json(const cli_sweep_state *state, const spn_sweep_estimate *estimate)
{
    spn_json_tree made = {0}, *tree = &made;
    json_t *root = json_object(), *points = json_array();
    spn_json_set(tree, root, "name", spn_json_string(state->sweep->name));
    spn_json_set(tree, root, "folder", spn_json_string(state->folder));
    spn_json_set(tree, root, "runs", json_integer((json_int_t)estimate->jobs));
    spn_json_set(tree, root, "finished", json_integer((json_int_t)estimate->finished));
    spn_json_set(tree, root, "begun", json_integer((json_int_t)estimate->begun));
    spn_json_set(tree, root, "ranks", json_integer((json_int_t)ranks()));
    spn_json_set(tree, root, "threads", json_integer((json_int_t)state->options.threads));
    spn_json_set(tree, root, "seconds", spn_json_number(on_all(estimate, state)));
    spn_json_set(tree, root, "seconds_one_thread", spn_json_number(estimate->seconds));
    if (estimate->memory > 0)
        spn_json_set(tree, root, "memory", spn_json_number(estimate->memory));
    spn_json_set(tree, root, "points", points);
    for (size_t k = 0; k < estimate->points; k++) {
        json_t *point = json_object();
        spn_json_set(tree, point, "settings", settings_json(tree, state->sweep, k));
        spn_json_set(tree, point, "runs", json_integer((json_int_t)state->sweep->runs));
        spn_json_set(tree, point, "proposals", spn_json_number(estimate->point[k].proposals));
        spn_json_set(tree, point, "seconds", spn_json_number(estimate->point[k].seconds));
        spn_json_append(tree, points, point);
    }
    return cli_print_json(&state->values, tree, root);
}

static void format_estimate(char *out, size_t size, double seconds)
{
    if (isnan(seconds))
        snprintf(out, size, "-");
    else if (seconds < 10)
        snprintf(out, size, "%.1f s", seconds);
    else
        cli_format_time(out, size, seconds);
}

static void print_points(const spn_sweep_estimate *estimate, size_t runs)
{
    const size_t shown = estimate->points > MOST_LINES ? MOST_LINES - 2 : estimate->points;
    int width = 5;
    for (size_t k = 0; k < shown; k++)
        if ((int)strlen(estimate->point[k].settings) > width)
            width = (int)strlen(estimate->point[k].settings);
    printf("\n%-*s  %6s  %10s  %10s\n", width, "point", "runs", "proposals", "time");
    for (size_t k = 0; k < shown; k++) {
        const spn_sweep_point *point = &estimate->point[k];
        char time[32];
        format_estimate(time, sizeof time, point->seconds);
        printf("%-*s  %6zu  %10.4g  %10s\n", width, point->settings[0] ? point->settings : "all",
               runs, point->proposals, time);
    }
    if (shown < estimate->points)
        printf("and %zu more, which --json lists\n", estimate->points - shown);
}

static void print_time(const cli_sweep_state *state, const spn_sweep_estimate *estimate)
{
    char one[32], many[32];
    const size_t count = ranks(), threads = state->options.threads;
    format_estimate(one, sizeof one, estimate->seconds);
    format_estimate(many, sizeof many, on_all(estimate, state));
    printf("\nwhat is left takes about %s on one thread", one);
    if (count > 1)
        printf(", %s on %zu ranks of %zu thread%s", many, count, threads, threads == 1 ? "" : "s");
    else if (threads > 1)
        printf(", %s on %zu", many, threads);
    putchar('\n');
    if (estimate->memory >= 1e8)
        printf("a run takes up to %.3g GB of memory\n", estimate->memory / 1e9);
}

static int print_text(const cli_sweep_state *state, const spn_sweep_estimate *estimate)
{
    printf("%s: %zu runs, %zu of them finished already", state->sweep->name, estimate->jobs,
           estimate->finished);
    if (estimate->begun)
        printf(" and %zu begun", estimate->begun);
    printf(", in %s\n", state->folder);
    print_points(estimate, state->sweep->runs);
    if (estimate->finished == estimate->jobs)
        printf("\nnothing is left to do\n");
    else
        print_time(state, estimate);
    return cli_flush(state->values.command);
}

int cli_sweep_plan(const cli_sweep_state *state)
{
    const double calibration_seconds = 8;
    spn_error err = {0};
    spn_sweep_estimate estimate;
    if (spn_sweep_rank() > 0)
        return CLI_OK;
    cli_catch_signals();
    if (spn_sweep_calibrate(&estimate, state->sweep, &state->options, calibration_seconds, &err))
        return cli_fail(&state->values, &err);
    int status = CLI_INTERRUPTED;
    if (!cli_interrupted)
        status = cli_flag(&state->values, "json") ? print_json(state, &estimate)
                                                  : print_text(state, &estimate);
    spn_sweep_estimate_clear(&estimate);
    return status;
}

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
static void put_settings(spn_json *json, const spn_sweep *sweep, size_t point)
{
    size_t stride = 1;
    for (size_t k = 0; k < sweep->axis_count; k++)
        stride *= sweep->axes[k].count;
    spn_json_open(json, "settings", '{');
    for (size_t k = 0; k < sweep->axis_count; k++) {
        const spn_axis *axis = &sweep->axes[k];
        stride /= axis->count;
        spn_json_any_text(json, axis->setting, axis->values[point / stride % axis->count]);
    }
    spn_json_close(json, '}');
}

static int print_json(const cli_sweep_state *state, const spn_sweep_estimate *estimate)
{
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(&state->values, &err);
    spn_json_open(&json, NULL, '{');
    spn_json_any_text(&json, "name", state->sweep->name);
    spn_json_any_text(&json, "folder", state->folder);
    spn_json_whole(&json, "runs", estimate->jobs);
    spn_json_whole(&json, "finished", estimate->finished);
    spn_json_whole(&json, "begun", estimate->begun);
    spn_json_whole(&json, "ranks", ranks());
    spn_json_whole(&json, "threads", state->options.threads);
    spn_json_decimal(&json, "seconds", on_all(estimate, state));
    spn_json_decimal(&json, "seconds_one_thread", estimate->seconds);
    if (estimate->memory > 0)
        spn_json_decimal(&json, "memory", estimate->memory);
    spn_json_open(&json, "points", '[');
    for (size_t k = 0; k < estimate->points; k++) {
        spn_json_open(&json, NULL, '{');
        put_settings(&json, state->sweep, k);
        spn_json_whole(&json, "runs", state->sweep->runs);
        spn_json_decimal(&json, "proposals", estimate->point[k].proposals);
        spn_json_decimal(&json, "seconds", estimate->point[k].seconds);
        spn_json_close(&json, '}');
    }
    spn_json_close(&json, ']');
    spn_json_close(&json, '}');
    return cli_print_json(&state->values, &json);
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

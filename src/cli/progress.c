/* Show the progress of a run or a sweep, and catch signals. */
#include "base/clock.h"
#include "base/number.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t cli_interrupted;

static void on_signal(int number)
{
    (void)number;
    cli_interrupted = 1;
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

void cli_format_time(char *out, size_t size, double seconds)
{
    unsigned long s = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(out, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, size, "%lu:%02lu", s / 60, s % 60);
}

cli_progress cli_progress_start(bool quiet)
{
    double now = spn_clock();
    return (cli_progress){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO), .started = now, .shown = now};
}

static void format_energies(char *out, size_t size, const spn_snapshot *s)
{
    *out = 0;
    for (size_t a = 0; a < s->replicas && a < 5; a++)
        spn_print_more(out, size, "%s%.4g", a ? " " : "", s->energy[a]);
    if (s->replicas > 5)
        spn_print_more(out, size, " ...");
}

/* A bar in brackets and a blank, in at most `room` columns; empty if there is too little room. */
static void draw_bar(char out[24], int room, double share)
{
    int width = room - 3 < 20 ? room - 3 : 20;
    if (width < 4)
        return;
    int full = (int)(share * width), used = 0;
    out[used++] = '[';
    for (int k = 0; k < width; k++)
        out[used++] = k < full ? '#' : '.';
    out[used++] = ']';
    out[used++] = ' ';
    out[used] = 0;
}

static double total(const uint64_t *counts, size_t replicas)
{
    double sum = 0;
    for (size_t a = 0; a < replicas; a++)
        sum += (double)counts[a];
    return sum;
}

static bool is_time(cli_progress *progress, double now)
{
    if (progress->quiet || now - progress->shown < (progress->terminal ? 0.1 : 10))
        return false;
    progress->shown = now;
    return true;
}

static void show(const cli_progress *progress, double share, const char *text)
{
    /* The numbers matter more; the bar takes the rest of the line. */
    char bar[24] = "";
    int width = progress->terminal ? (int)cli_terminal_width(STDERR_FILENO, 20, 10000) - 1 : 120;
    draw_bar(bar, width - (int)strlen(text) - 5, share);
    if (progress->terminal)
        fprintf(stderr, "\r\033[K%3.0f%% %s%.*s", 100 * share, bar, width - 5, text);
    else
        fprintf(stderr, "%3.0f%% %s%s\n", 100 * share, bar, text);
    fflush(stderr);
}

static void describe_chain(char *out, size_t size, cli_progress *progress, const spn_snapshot *s,
                           double elapsed)
{
    char energies[96];
    const double proposals = total(s->proposals, s->replicas);
    const double accepted = total(s->accepted, s->replicas), made = proposals - progress->proposals;
    format_energies(energies, sizeof energies, s);
    snprintf(out, size, "E %s beta %.4g gamma %.3g acc %.2g%% %.2g/s", energies, s->beta, s->gamma,
             made > 0 ? 100 * (accepted - progress->accepted) / made : 0,
             (proposals - progress->first_proposals) / elapsed);
    progress->proposals = proposals;
    progress->accepted = accepted;
}

static void describe_words(char *out, size_t size, const cli_progress *progress,
                           const spn_progress *run, double elapsed)
{
    const double made = (double)run->proposals - progress->first_proposals;
    snprintf(out, size, "%s", run->words ? run->words : "");
    if (made > 0 && elapsed > 0)
        spn_print_more(out, size, "%s%.2g/s", *out ? " " : "", made / elapsed);
}

void cli_progress_run(void *context, const spn_progress *run)
{
    cli_progress *progress = context;
    const double now = spn_clock();
    const spn_snapshot *s = run->words ? NULL : run->state; /* of a chain */
    char left[32] = "?", chain[192] = "", text[256];
    if (!progress->begun) { /* a resumed run starts in the middle */
        progress->begun = true;
        progress->started = progress->shown = now;
        progress->first_share = run->share;
        progress->proposals = progress->first_proposals =
            s ? total(s->proposals, s->replicas) : (double)run->proposals;
        progress->accepted = s ? total(s->accepted, s->replicas) : 0;
    }
    if (!is_time(progress, now))
        return;
    const double elapsed = now - progress->started, gone = run->share - progress->first_share;
    if (gone > 0)
        cli_format_time(left, sizeof left, elapsed * (1 - run->share) / gone);
    if (s)
        describe_chain(chain, sizeof chain, progress, s, elapsed);
    else
        describe_words(chain, sizeof chain, progress, run, elapsed);
    snprintf(text, sizeof text, "%s left  %s", left, chain);
    show(progress, run->share, text);
}

void cli_progress_sweep(void *context, const spn_sweep_progress *s)
{
    cli_progress *progress = context;
    char left[32] = "?", text[128];
    if (!progress->begun) {
        progress->begun = true;
        progress->first_finished = s->finished;
    }
    if (!is_time(progress, spn_clock()))
        return;
    if (!isnan(s->seconds_left))
        cli_format_time(left, sizeof left, s->seconds_left);
    const double done = (double)(s->finished - progress->first_finished);
    snprintf(text, sizeof text, "%s left  %zu of %zu runs, %zu running, %.3g a minute", left,
             s->finished, s->jobs, s->running, s->seconds > 0 ? 60 * done / s->seconds : 0);
    show(progress, s->share, text);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->terminal && !progress->quiet)
        fprintf(stderr, "\r\033[K");
}

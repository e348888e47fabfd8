/* spinney exact: the schedules of an annealed chain, cut into stages of constant beta and gamma. */
#include "cli/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES_MOST = 100000 };

static const double SECONDS_MOST = 4 * 3600.0;

static int bad_schedule(const exact *e, const char *option, const char *text)
{
    return cli_error(e->values->command, "--%s: %s", option, text);
}

/* KIND:START:END for the kinds whose range the library takes apart from the kind. */
static int parse_schedule(spn_schedule **out, const exact *e, const char *option, const char *text)
{
    static const char *const ranged[] = {"constant", "linear", "quadratic", "exponential"};
    const size_t length = strcspn(text, ":");
    char kind[16] = "";
    for (size_t k = 0; k < sizeof ranged / sizeof ranged[0]; k++)
        if (strlen(ranged[k]) == length && strncmp(text, ranged[k], length) == 0)
            snprintf(kind, sizeof kind, "%s", ranged[k]);
    spn_error err = {0};
    if (kind[0] && !text[length])
        return cli_error(e->values->command, "--%s: '%s' needs its values, such as %s:%s", option,
                         text, text, strcmp(text, "constant") ? "0.1:4" : "1");
    if (kind[0] ? spn_schedule_parse(out, text + length + 1, kind, &err)
                : spn_schedule_parse(out, "0", text, &err))
        return bad_schedule(e, option, err.text);
    if (spn_schedule_kind_of(*out) == SPN_SCHEDULE_SCOPING)
        return bad_schedule(e, option,
                            "scoping depends on what is accepted, so that the chain has no law of "
                            "its own at each step");
    return CLI_OK;
}

/* The names and defaults of theorem1's constants. */
static int read_theorem1(exact *e, const char *text)
{
    static const char *const names[EXACT_THEOREM1] = {"stages", "alpha", "b",    "m",
                                                      "B",      "c",     "kappa"};
    const double defaults[EXACT_THEOREM1] = {10, 1.5, 0.5, NAN, NAN, NAN, NAN};
    double *value = e->annealing.theorem1;
    e->annealing.is_theorem1 = true;
    memcpy(value, defaults, sizeof defaults);
    while (*text) {
        const size_t length = strcspn(text, "=");
        size_t k = 0;
        while (k < EXACT_THEOREM1 &&
               (strlen(names[k]) != length || strncmp(names[k], text, length) != 0))
            k++;
        char *end = NULL;
        if (k < EXACT_THEOREM1 && text[length])
            value[k] = strtod(text + length + 1, &end);
        if (!end || end == text + length + 1 || (*end && *end != ',') || !(value[k] > 0) ||
            isinf(value[k]))
            return cli_error(e->values->command,
                             "--schedule: theorem1: '%s' does not start with KEY=VALUE, KEY one of "
                             "stages, alpha, b, m, B, c, kappa and VALUE above 0",
                             text);
        text = *end ? end + 1 : end;
    }
    if (value[T1_STAGES] != floor(value[T1_STAGES]) || value[T1_STAGES] > 1000)
        return bad_schedule(e, "schedule", "theorem1: stages is a whole number, at most 1000");
    return CLI_OK;
}

/* How long the schedules run. */
static int read_steps(uint64_t *out, const exact *e, const spn_schedule *beta)
{
    *out = spn_schedule_length(beta);
    if (*out && cli_given(e->values, "steps"))
        return cli_error(e->values->command, "--steps does not go with pieces, which have theirs");
    if (!*out && !cli_given(e->values, "steps"))
        return cli_error(e->values->command, "this --schedule needs --steps T");
    if (!*out && !cli_whole(out, e->values, "steps", 1, INT64_MAX))
        return CLI_USAGE;
    return CLI_OK;
}

static bool stays(const spn_schedule *s)
{
    const spn_schedule_kind kind = spn_schedule_kind_of(s);
    return kind == SPN_SCHEDULE_PIECES || kind == SPN_SCHEDULE_CONSTANT;
}

/* The steps from t on during which a schedule in pieces keeps its value. */
static uint64_t steps_left(const spn_schedule *s, uint64_t t, uint64_t steps)
{
    if (!stays(s))
        return 1;
    size_t count;
    const spn_piece *pieces = spn_schedule_get_pieces(s, &count);
    for (size_t n = 0; n < count; n++) {
        if (t < pieces[n].steps)
            return n + 1 < count ? pieces[n].steps - t : steps;
        t -= pieces[n].steps;
    }
    return steps;
}

static bool add_stage(exact_annealing *a, size_t *room, double beta, double gamma, uint64_t steps)
{
    if (a->count == *room) {
        *room = *room ? 2 * *room : 64;
        spn_piece *pieces = realloc(a->pieces, *room * sizeof *pieces);
        if (pieces)
            a->pieces = pieces;
        double *gammas = realloc(a->gammas, *room * sizeof *gammas);
        if (gammas)
            a->gammas = gammas;
        if (!pieces || !gammas)
            return false;
    }
    a->gamma_changes = a->gamma_changes || (a->count && gamma != a->gammas[0]);
    a->gammas[a->count] = gamma;
    a->pieces[a->count++] = (spn_piece){beta, steps};
    a->steps += steps;
    return true;
}

/* Stages wherever beta or gamma changes. */
static int cut(exact *e, const spn_schedule *beta, const spn_schedule *gamma, uint64_t steps)
{
    exact_annealing *a = &e->annealing;
    size_t room = 0;
    for (uint64_t t = 0; t < steps;) {
        uint64_t length = steps - t;
        const uint64_t first = steps_left(beta, t, steps), second = steps_left(gamma, t, steps);
        length = first < length ? first : length;
        length = second < length ? second : length;
        if (a->count == STAGES_MOST)
            return cli_error(e->values->command,
                             "--schedule: more than %d stages of constant beta and gamma",
                             STAGES_MOST);
        if (!add_stage(a, &room, spn_schedule_value(beta, t, steps, 0, 1),
                       spn_schedule_value(gamma, t, steps, 0, 1), length))
            return exact_no_memory(e);
        t += length;
    }
    return CLI_OK;
}

/* stages:START:STEP, a gamma for each piece of beta. */
static int gamma_by_stage(spn_schedule **out, const exact *e, const char *text,
                          const spn_schedule *beta)
{
    double start, step;
    int used = 0;
    if (sscanf(text, "stages:%lf:%lf%n", &start, &step, &used) != 2 || text[used] ||
        !(start >= 0) || !(step >= 0) || isinf(start) || isinf(step))
        return bad_schedule(e, "gamma-schedule",
                            "expected stages:START:STEP, such as stages:0.5:0.1");
    if (spn_schedule_kind_of(beta) != SPN_SCHEDULE_PIECES)
        return bad_schedule(e, "gamma-schedule", "stages:START:STEP needs a --schedule in pieces");
    spn_error err = {0};
    size_t count;
    const spn_piece *stages = spn_schedule_get_pieces(beta, &count);
    spn_piece *pieces = calloc(count, sizeof *pieces);
    if (!pieces)
        return exact_no_memory(e);
    for (size_t n = 0; n < count; n++)
        pieces[n] = (spn_piece){start + step * (double)n, stages[n].steps};
    const spn_status failed = spn_schedule_pieces(out, pieces, count, &err);
    free(pieces);
    return failed ? exact_fail(e, &err) : CLI_OK;
}

/* Roughly how long the law takes: steps, or for few states squarings of the matrix. */
static double seconds_needed(const exact *e)
{
    const size_t bits = e->landscape->sites * (size_t)e->replicas.values[0];
    const double states = pow(2.0, (double)bits);
    double total = 0;
    for (size_t n = 0; n < e->annealing.count; n++) {
        const double steps = (double)e->annealing.pieces[n].steps;
        double stage = steps * (double)bits * states;
        if (bits <= 10)
            stage = fmin(stage, pow(states, 3) * 2 * (log2(steps) + 1));
        total += stage;
    }
    return total * 1.5e-9;
}

static int check_cost(const exact *e)
{
    const double seconds = seconds_needed(e);
    if (seconds <= SECONDS_MOST)
        return CLI_OK;
    return cli_error(e->values->command,
                     "--schedule: %.3g steps of 2^%zu replicated states would take about %.0f "
                     "hours; ask for fewer stages or steps, or a smaller N y",
                     (double)e->annealing.steps,
                     e->landscape->sites * (size_t)e->replicas.values[0], seconds / 3600);
}

int exact_set_pieces(exact *e, const spn_schedule *beta)
{
    const char *text = cli_text(e->values, "gamma-schedule");
    spn_schedule *gamma = NULL;
    spn_error err = {0};
    uint64_t steps = 0;
    int status = read_steps(&steps, e, beta);
    if (!status && text)
        status = strncmp(text, "stages:", 7) == 0
                     ? gamma_by_stage(&gamma, e, text, beta)
                     : parse_schedule(&gamma, e, "gamma-schedule", text);
    else if (!status && spn_schedule_constant(&gamma, e->gamma.values[0], &err))
        status = exact_fail(e, &err);
    if (!status && (spn_schedule_check(beta, "--schedule", true, steps, &err) ||
                    spn_schedule_check(gamma, "--gamma-schedule", false, steps, &err)))
        status = exact_fail(e, &err);
    if (!status)
        status = cut(e, beta, gamma, steps);
    if (!status)
        status = check_cost(e);
    spn_schedule_describe(beta, e->annealing.about, sizeof e->annealing.about);
    spn_schedule_free(gamma);
    return status;
}

/* One chain: one y, one gamma, and few enough replicated states. */
static int check_size(const exact *e)
{
    if (e->replicas.count > 1)
        return cli_error(e->values->command, "--schedule anneals one chain: give one --replicas");
    if (e->gamma.count > 1 && !cli_given(e->values, "gamma-schedule"))
        return cli_error(e->values->command,
                         "--schedule anneals one chain: give one --gamma, or --gamma-schedule");
    const size_t bits = e->landscape->sites * (size_t)e->replicas.values[0];
    if (bits > SPN_EXACT_BITS)
        return cli_error(e->values->command,
                         "--schedule needs all 2^(N y) replicated states, and N y may be up to %d: "
                         "here N=%zu, y=%g, which would take %.3g GB; at y=%g N may be up to %zu",
                         SPN_EXACT_BITS, e->landscape->sites, e->replicas.values[0],
                         32e-9 * pow(2.0, (double)bits), e->replicas.values[0],
                         SPN_EXACT_BITS / (size_t)e->replicas.values[0]);
    return CLI_OK;
}

int exact_read_annealing(exact *e)
{
    const char *text = cli_text(e->values, "schedule");
    uint64_t start;
    if (!text)
        return CLI_OK;
    int status = check_size(e);
    if (status)
        return status;
    e->annealing.asked = true;
    if (!exact_read_state(&start, e, "start", e->landscape->sites, (size_t)e->replicas.values[0]))
        return CLI_USAGE;
    e->annealing.start = (size_t)start;
    if (strncmp(text, "theorem1", 8) == 0 && (!text[8] || text[8] == ':'))
        return read_theorem1(e, text[8] ? text + 9 : "");
    spn_schedule *beta = NULL;
    if (!(status = parse_schedule(&beta, e, "schedule", text)))
        status = exact_set_pieces(e, beta);
    spn_schedule_free(beta);
    return status;
}

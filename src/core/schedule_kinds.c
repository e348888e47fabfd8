/* The kinds of schedules: each is a few functions and a row of the table. */
#include "core/schedule.h"

#include "base/number.h"
#include "base/try.h"
#include "core/numeric.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what several share ---- */

static spn_status check_value(double value, const char *name, const char *which, spn_error *err)
{
    if (isfinite(value) && value >= 0)
        return SPN_OK;
    return spn_refuse(err, "%s: %s is %g; it must be a finite number, 0 or more", name, which,
                      value);
}

/* Fewest digits that read back exactly. */
static const char *exactly(char out[SPN_NUMBER_TEXT], double value)
{
    spn_number_short(out, value);
    return out;
}

static void describe_range(const spn_schedule *s, char *out, size_t size)
{
    char start[SPN_NUMBER_TEXT], end[SPN_NUMBER_TEXT];
    const bool moves = s->kind != SPN_SCHEDULE_CONSTANT;
    spn_print_text(out, size, "%s %s%s%s", spn_schedule_kind_name(s->kind),
                   exactly(start, s->start), moves ? " to " : "",
                   moves ? exactly(end, s->end) : "");
}

/* A list of KEY=VALUE, each key at most once. values: NAN if a key is required. */
static spn_status parse_parameters(double *values, const char *const *keys, size_t count,
                                   const char *kind, const char *text, spn_error *err)
{
    while (*text) {
        size_t length = strcspn(text, "="), found = 0;
        while (found < count &&
               (strlen(keys[found]) != length || strncmp(keys[found], text, length) != 0))
            found++;
        if (found == count || text[length] != '=') {
            char names[128] = "";
            for (size_t k = 0; k < count; k++)
                spn_print_more(names, sizeof names, "%s%s", k ? ", " : "", keys[k]);
            return spn_refuse(err, "%s: '%s' is not one of KEY=VALUE with %s", kind, text, names);
        }
        const char *value = text + length + 1, *end = value;
        end += spn_number_scan(&values[found], value, strlen(value));
        SPN_REFUSE_IF(end == value || !isfinite(values[found]) || (*end && *end != ','), err,
                      "%s: '%s' has no number", kind, text);
        text = *end ? end + 1 : end;
    }
    for (size_t k = 0; k < count; k++)
        SPN_REFUSE_IF(isnan(values[k]), err, "%s needs %s=VALUE", kind, keys[k]);
    return SPN_OK;
}

/* ---- exponential ---- */

/* start (end/start)^(t/T) as the value at the last multiple of STRIDE times a power of the ratio
   of two steps, so that a whole stride shares the powers. */
enum { STRIDE = 64 };

/* log(end/start)/T, per step. */
static double exponential_rate(const spn_schedule *schedule, uint64_t steps)
{
    assert(steps > 0 && schedule->start > 0 && schedule->end > 0);
    return spn_log(schedule->end / schedule->start) / (double)steps;
}

static double exponential_anchor(const spn_schedule *schedule, double rate, uint64_t t)
{
    return schedule->start * spn_exp((double)(t / STRIDE * STRIDE) * rate);
}

static double exponential_power(double rate, unsigned steps)
{
    return spn_exp((double)(int)steps * rate);
}

static spn_status check_exponential(const spn_schedule *schedule, const char *name, bool is_beta,
                                    spn_error *err)
{
    (void)is_beta;
    SPN_REFUSE_IF(!(schedule->start > 0 && schedule->end > 0), err,
                  "%s: an exponential schedule needs START and END above 0, not %g:%g (use linear)",
                  name, schedule->start, schedule->end);
    SPN_REFUSE_IF(fabs(log(schedule->end) - log(schedule->start)) > 700, err,
                  "%s: START and END differ by more than a factor of 1e300", name);
    return SPN_OK;
}

/* ---- logarithmic ---- */

static spn_status check_logarithmic(const spn_schedule *s, const char *name, bool is_beta,
                                    spn_error *err)
{
    (void)is_beta;
    SPN_REFUSE_IF(!(s->m > 0) || !(s->C >= 0) || !isfinite(s->C), err,
                  "%s: logarithmic needs m > 0 and C >= 0", name);
    if (s->m < 1e-280 ||
        s->C > 1e280) /* C t, for any number of steps, or the value would overflow */
        return spn_refuse(err, "%s: logarithmic takes m from 1e-280 and C up to 1e280", name);
    return SPN_OK;
}

static void describe_logarithmic(const spn_schedule *s, char *out, size_t size)
{
    char m[SPN_NUMBER_TEXT], C[SPN_NUMBER_TEXT];
    spn_print_text(out, size, "logarithmic (1/%s) log(1 + %s t)", exactly(m, s->m),
                   exactly(C, s->C));
}

static spn_status parse_logarithmic(spn_schedule **out, const double range[2], const char *text,
                                    spn_error *err)
{
    (void)range;
    double p[] = {NAN, NAN};
    SPN_TRY(parse_parameters(p, (const char *const[]){"m", "C"}, 2, "logarithmic", text, err));
    return spn_schedule_create(out, SPN_SCHEDULE_LOGARITHMIC, p[0], p[1], 0, err);
}

/* ---- pieces ---- */

/* The piece in force at step t. */
static const spn_piece *piece_at(const spn_schedule *schedule, uint64_t t)
{
    size_t n = 0;
    assert(schedule->count > 0);
    while (n + 1 < schedule->count && t >= schedule->pieces[n].steps)
        t -= schedule->pieces[n++].steps;
    return &schedule->pieces[n];
}

static spn_status check_pieces(const spn_schedule *schedule, const char *name, bool is_beta,
                               spn_error *err)
{
    for (size_t n = 0; n < schedule->count; n++) {
        char which[40];
        snprintf(which, sizeof which, "piece %zu", n + 1);
        SPN_TRY(check_value(schedule->pieces[n].value, name, which, err));
        SPN_REFUSE_IF(schedule->pieces[n].steps == 0, err, "%s: %s has no steps", name, which);
        SPN_REFUSE_IF(is_beta && n > 0 && schedule->pieces[n].value < schedule->pieces[n - 1].value,
                      err,
                      "%s: %s falls from %g to %g; pieces must not decrease (to heat, use "
                      "linear or exponential)",
                      name, which, schedule->pieces[n - 1].value, schedule->pieces[n].value);
    }
    return SPN_OK;
}

static void describe_pieces(const spn_schedule *s, char *out, size_t size)
{
    spn_print_text(out, size, "%zu piece%s, %g to %g over %" PRIu64 " steps", s->count,
                   s->count == 1 ? "" : "s", s->pieces[0].value, s->pieces[s->count - 1].value,
                   spn_schedule_length(s));
}

/* VALUExSTEPS, followed by a comma or the end; *text moves past it. */
static spn_status parse_piece(spn_piece *out, const char **text, spn_error *err)
{
    const size_t length = strcspn(*text, ",");
    const size_t used = spn_number_scan(&out->value, *text, length);
    char steps[64] = "";
    if (used && used < length && (*text)[used] == 'x' && length - used <= sizeof steps)
        memcpy(steps, *text + used + 1, length - used - 1);
    SPN_REFUSE_IF(!isfinite(out->value) || !spn_whole_parse(&out->steps, steps) || out->steps == 0,
                  err, "pieces: '%s' does not start with VALUExSTEPS, STEPS a whole number", *text);
    *text += length;
    return SPN_OK;
}

static spn_status parse_pieces(spn_schedule **out, const double range[2], const char *text,
                               spn_error *err)
{
    (void)range;
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    spn_piece *pieces = malloc(most * sizeof *pieces);
    SPN_NEED(pieces, err, "%zu pieces", most);
    size_t count = 0;
    spn_status status = SPN_OK;
    do {
        status = parse_piece(&pieces[count++], &text, err);
    } while (!status && *text++ == ',');
    if (!status)
        status = spn_schedule_pieces(out, pieces, count, err);
    free(pieces);
    return status;
}

static spn_status parse_theorem1(spn_schedule **out, const double range[2], const char *text,
                                 spn_error *err)
{
    (void)range;
    static const char *const keys[] = {"alpha", "b", "B", "m", "c", "kappa", "stages"};
    double p[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    SPN_TRY(parse_parameters(p, keys, 7, "theorem1", text, err));
    SPN_REFUSE_IF(!(p[6] >= 1 && p[6] <= 1e6), err, "theorem1: stages must be 1 to 1000000");
    const spn_theorem1 constants = {p[0], p[1], p[2], p[3], p[4], .log_kappa = log(p[5])};
    return spn_schedule_theorem1(out, &constants, (size_t)p[6], err);
}

/* ---- scoping ---- */

/* times the number of replicas it fits 64 bits */
static const uint64_t MOST_SCOPING_MOVES = 1ull << 50;

/* base^n by squaring gives the same bits everywhere; pow() does not promise that. */
static double integer_power(double base, uint64_t n)
{
    double result = 1;
    assert(base >= 1);
    for (; n; n >>= 1, base *= base)
        if (n & 1)
            result *= base;
    return result;
}

static spn_status check_scoping(const spn_schedule *s, const char *name, bool is_beta,
                                spn_error *err)
{
    (void)is_beta;
    if (!(s->factor >= 0) || !isfinite(s->factor) || s->every == 0 || s->every > MOST_SCOPING_MOVES)
        return spn_refuse(err, "%s: scoping needs factor >= 0 and every >= 1", name);
    return SPN_OK;
}

static void describe_scoping(const spn_schedule *s, char *out, size_t size)
{
    char start[SPN_NUMBER_TEXT];
    spn_print_text(out, size, "scoping %s, times %g every %" PRIu64 " accepted moves a replica",
                   exactly(start, s->start), 1 + s->factor, s->every);
}

static spn_status parse_scoping(spn_schedule **out, const double range[2], const char *text,
                                spn_error *err)
{
    double p[] = {NAN, 1000};
    SPN_TRY(parse_parameters(p, (const char *const[]){"factor", "every"}, 2, "scoping", text, err));
    SPN_REFUSE_IF(!(p[1] >= 1 && p[1] <= 1e15), err, "scoping: every must be 1 or more");
    return spn_schedule_create(out, SPN_SCHEDULE_SCOPING, range[0], p[0], (uint64_t)p[1], err);
}

/* ---- the table ---- */

static const char *const names[] = {
    [SPN_SCHEDULE_CONSTANT] = "constant",       [SPN_SCHEDULE_LINEAR] = "linear",
    [SPN_SCHEDULE_QUADRATIC] = "quadratic",     [SPN_SCHEDULE_EXPONENTIAL] = "exponential",
    [SPN_SCHEDULE_LOGARITHMIC] = "logarithmic", [SPN_SCHEDULE_PIECES] = "pieces",
    [SPN_SCHEDULE_SCOPING] = "scoping"};
const spn_names spn_schedule_kind_names = {"kind of schedule", sizeof names / sizeof *names, names};

static const spn_schedule_traits kinds[] = {
    [SPN_SCHEDULE_CONSTANT] = {.changes = SPN_CHANGES_NEVER, .has_range = true},
    [SPN_SCHEDULE_LINEAR] = {.changes = SPN_CHANGES_EACH_STEP, .has_range = true},
    [SPN_SCHEDULE_QUADRATIC] = {.changes = SPN_CHANGES_EACH_STEP, .has_range = true},
    [SPN_SCHEDULE_EXPONENTIAL] = {.changes = SPN_CHANGES_EACH_STEP,
                                  .has_range = true,
                                  .check = check_exponential},
    [SPN_SCHEDULE_LOGARITHMIC] = {.usage = "logarithmic:m=M,C=C",
                                  .changes = SPN_CHANGES_EACH_STEP,
                                  .check = check_logarithmic,
                                  .describe = describe_logarithmic,
                                  .parse = parse_logarithmic},
    [SPN_SCHEDULE_PIECES] = {.usage = "pieces:V1xT1,V2xT2",
                             .changes = SPN_CHANGES_BY_PIECES,
                             .check = check_pieces,
                             .describe = describe_pieces,
                             .parse = parse_pieces},
    [SPN_SCHEDULE_SCOPING] = {.usage = "scoping:factor=F",
                              .changes = SPN_CHANGES_BY_ACCEPTANCE,
                              .has_range = true,
                              .check = check_scoping,
                              .describe = describe_scoping,
                              .parse = parse_scoping}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A word that is not a kind; it makes pieces. */
static const spn_schedule_traits theorem1 = {.usage = "theorem1:alpha=...",
                                             .parse = parse_theorem1};

const spn_schedule_traits *spn_schedule_traits_of(spn_schedule_kind kind)
{
    return (size_t)kind < KINDS ? &kinds[kind] : NULL;
}

/* ---- by the table ---- */

/* t of T steps; moves: accepted moves of a replica. */
static double value_at(const spn_schedule *s, uint64_t t, uint64_t T, uint64_t moves)
{
    const double share = T ? (double)t / (double)T : 0;
    switch (s->kind) {
    case SPN_SCHEDULE_LINEAR:
        return s->start + (s->end - s->start) * share;
    case SPN_SCHEDULE_QUADRATIC:
        return s->start + (s->end - s->start) * share * share;
    case SPN_SCHEDULE_LOGARITHMIC:
        assert(s->m > 0 && s->C >= 0);
        return spn_log(1 + s->C * (double)t) / s->m;
    case SPN_SCHEDULE_PIECES:
        return piece_at(s, t)->value;
    case SPN_SCHEDULE_SCOPING:
        assert(s->every > 0);
        return s->start * integer_power(1 + s->factor, moves / s->every);
    default:
        assert(s->kind == SPN_SCHEDULE_CONSTANT);
        return s->start;
    }
}

void spn_schedule_fill(const spn_schedule *schedule, uint64_t first, size_t count, uint64_t steps,
                       uint64_t accepted, size_t replicas, double *out)
{
    const spn_schedule_change changes = kinds[schedule->kind].changes;
    assert((size_t)schedule->kind < KINDS && replicas > 0);
    if (schedule->kind == SPN_SCHEDULE_EXPONENTIAL) {
        const double rate = exponential_rate(schedule, steps);
        double powers[STRIDE];
        for (unsigned j = 0; j < STRIDE; j++)
            powers[j] = exponential_power(rate, j);
        for (size_t done = 0; done < count;) {
            const uint64_t t = first + done;
            const size_t in = (size_t)(t % STRIDE), left = count - done;
            const size_t length = left < STRIDE - in ? left : STRIDE - in;
            const double anchor = exponential_anchor(schedule, rate, t);
            assert(length > 0 && in + length <= STRIDE);
            for (size_t j = 0; j < length; j++)
                out[done + j] = anchor * powers[in + j];
            done += length;
        }
        return;
    }
    const bool stays = changes == SPN_CHANGES_NEVER || changes == SPN_CHANGES_BY_ACCEPTANCE;
    for (size_t j = 0; j < count; j++)
        out[j] =
            stays && j > 0 ? out[0] : value_at(schedule, first + j, steps, accepted / replicas);
}

spn_status spn_schedule_check(const spn_schedule *schedule, const char *name, bool is_beta,
                              uint64_t steps, spn_error *err)
{
    const spn_schedule_traits *traits = &kinds[schedule->kind];
    if (traits->has_range) {
        SPN_TRY(check_value(schedule->start, name, "the start", err));
        SPN_TRY(check_value(schedule->end, name, "the end", err));
    }
    SPN_REFUSE_IF(traits->has_range && traits->changes == SPN_CHANGES_EACH_STEP && steps == 0, err,
                  "%s: a schedule from START to END needs a number of steps", name);
    return traits->check ? traits->check(schedule, name, is_beta, err) : SPN_OK;
}

void spn_schedule_describe(const spn_schedule *schedule, char *out, size_t size)
{
    const spn_schedule_traits *traits = &kinds[schedule->kind];
    (traits->describe ? traits->describe : describe_range)(schedule, out, size);
}

/* ---- words ---- */

static const spn_schedule_traits *word_at(size_t i)
{
    return i < KINDS ? &kinds[i] : i == KINDS ? &theorem1 : NULL;
}

static const char *name_at(const void *unused, size_t i)
{
    (void)unused;
    return i < KINDS ? names[i] : i == KINDS ? "theorem1" : NULL;
}

static spn_status no_such_word(const char *word, spn_error *err)
{
    char usages[SPN_ERROR_TEXT] = "", name[64];
    size_t used = 0;
    spn_print_text(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    const char *nearest = spn_nearest_word(name, name_at, NULL);
    for (size_t i = 0; word_at(i) && used < sizeof usages; i++)
        used += (size_t)spn_print_text(usages + used, sizeof usages - used, "%s%s", i ? ", " : "",
                                       word_at(i)->usage ? word_at(i)->usage : names[i]);
    SPN_REFUSE_IF(nearest, err, "'%s' is not a schedule; did you mean %s?", word, nearest);
    return spn_refuse(err, "'%s' is not a schedule; use one of %s", word, usages);
}

spn_status spn_schedule_parse_kind(spn_schedule **out, const double range[2], bool is_range,
                                   const char *word, spn_error *err)
{
    const size_t length = strcspn(word, ":");
    const char *parameters = word[length] ? word + length + 1 : "";
    const spn_schedule_traits *row = NULL;
    size_t k = 0;
    while ((row = word_at(k)) &&
           (strlen(name_at(NULL, k)) != length || strncmp(name_at(NULL, k), word, length) != 0))
        k++;
    if (!row)
        return no_such_word(word, err);
    if (row->parse)
        return row->parse(out, range, parameters, err);
    SPN_REFUSE_IF(word[length], err, "%s takes no parameters; give START:END", name_at(NULL, k));
    SPN_REFUSE_IF(row->changes == SPN_CHANGES_NEVER && is_range && range[0] != range[1], err,
                  "%s takes one value, not START:END", name_at(NULL, k));
    const spn_schedule made = {.kind = (spn_schedule_kind)k, .start = range[0], .end = range[1]};
    return spn_schedule_copy(out, &made, err);
}

/* Texts without a file: numbers, words, schedules. */
#include "check.h"
#include "targets.h"

#include "base/number.h"
#include "core/schedule.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>

/* ---- numbers ---- */

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_written(double value)
{
    char text[SPN_NUMBER_TEXT];
    double again;
    spn_number_text(text, value);
    require(spn_number_parse(&again, text) && value == again); /* -0 is written as 0 */
    spn_number_short(text, value);
    require(spn_number_parse(&again, text) && value == again); /* -0 is written as 0 */
}

static void check_whole(const char *text)
{
    uint64_t whole, again;
    char digits[24];
    if (!spn_whole_parse(&whole, text))
        return;
    double value;
    require(whole <= INT64_MAX && spn_number_parse(&value, text) && value == (double)whole);
    snprintf(digits, sizeof digits, "%" PRIu64, whole);
    require(spn_whole_parse(&again, digits) && again == whole);
}

/* strtod with a decimal point, whatever the locale is. */
static double plain_strtod(const char *text, char **end)
{
    static locale_t plain; /* never freed: it lives as long as the fuzzer */
    if (!plain)
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    require(plain != (locale_t)0);
    return strtod_l(text, end, plain);
}

/* What is read is what the C library reads of the same characters. */
void spn_fuzz_number(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *end;
    double value, whole, any;
    const size_t used = spn_number_scan(&value, text, size);
    require(used <= size);
    check_whole(text);
    const size_t any_used = spn_number_scan_any(&any, text);
    require(any_used >= used && any_used <= size);
    const bool parsed = spn_number_parse(&whole, text);
    require(!parsed || (used == size && same_bits(whole, value)));
    if (used > 0) {
        text[used] = 0;
        require(same_bits(plain_strtod(text, &end), value) && *end == 0);
        require(same_bits(value, any) || any_used > used);
        if (isfinite(value))
            check_written(value);
    }
    free(text);
}

/* ---- words ---- */

/* A word that is taken is the name of its value. */
#define CHECK_WORD(type)                                                                           \
    static void check_##type(const char *text)                                                     \
    {                                                                                              \
        type out;                                                                                  \
        spn_error err = {0};                                                                       \
        const spn_status status = type##_parse(&out, text, &err);                                  \
        check_error(status, &err, NULL);                                                           \
        require(status || strcmp(type##_name(out), text) == 0);                                    \
    }

/* There is no one way to lay this out. */
/* clang-format off */
#define WORDS(X) \
    X(spn_status) X(spn_kernel) X(spn_order) X(spn_start) \
    X(spn_coupling_kind) X(spn_moves) X(spn_target) X(spn_health) \
    X(spn_stop) X(spn_column_kind) X(spn_missing) X(spn_format) \
    X(spn_label_place) X(spn_separator) X(spn_header) X(spn_law_method) \
    X(spn_export_format) X(spn_export_input) X(spn_export_arithmetic) X(spn_ladder_method) \
    X(spn_preprocess_kind) X(spn_problem_kind) X(spn_graph_format) \
    X(spn_purpose) X(spn_flip_mode) X(spn_schedule_kind) X(spn_train_set)
/* clang-format on */

WORDS(CHECK_WORD)

/* N,P and N,P,SEED: what is taken is written and taken again. */
static void check_random(const char *text)
{
    spn_random_text out = {0}, again = {0};
    spn_error err = {0};
    char same[96];
    const spn_status status = spn_random_text_parse(&out, text, &err);
    check_error(status, &err, NULL);
    if (status)
        return;
    require(out.sites > 0 && out.count > 0);
    const int used = snprintf(same, sizeof same, "%zu,%zu", out.sites, out.count);
    if (out.seeded)
        snprintf(same + used, sizeof same - (size_t)used, ",%" PRIu64, out.seed);
    require(spn_random_text_parse(&again, same, &err) == SPN_OK);
    require(out.sites == again.sites && out.count == again.count && out.seeded == again.seeded);
    require(!out.seeded || out.seed == again.seed);
}

void spn_fuzz_word(const uint8_t *data, size_t size)
{
#define LIST_WORD(type) check_##type,
    static void (*const checks[])(const char *) = {WORDS(LIST_WORD) check_random};
    const size_t count = sizeof checks / sizeof *checks;
    if (size == 0)
        return;
    char *text = text_of(data + 1, size - 1);
    checks[data[0] % count](text);
    free(text);
}

/* ---- schedules ---- */

/* Long lists of stages take long, and are like short ones. */
static bool is_long(const char *kind)
{
    double value = 0;
    const char *at = strstr(kind, "stages=");
    if (!at)
        return false;
    at += strlen("stages=");
    return spn_number_scan(&value, at, strlen(at)) && value > 200;
}

/* Values at some steps, one by one and as they are filled in. */
static void check_values(const spn_schedule *s)
{
    enum { COUNT = 70 };
    static const uint64_t firsts[] = {0, 60, 930};
    double filled[COUNT];
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++) {
        spn_schedule_fill(s, firsts[k], COUNT, 1000, 17, 3, filled);
        for (size_t j = 0; j < COUNT; j += 23) {
            const double value = spn_schedule_value(s, firsts[k] + j, 1000, 17, 3);
            require(same_bits(value, filled[j]) && value >= 0);
        }
    }
}

/* Its values as texts give the same schedule. */
static void make_again(const spn_schedule *s)
{
    char range[2 * SPN_NUMBER_TEXT + 1], start[SPN_NUMBER_TEXT], end[SPN_NUMBER_TEXT];
    spn_error err = {0};
    spn_schedule *again;
    if (s->kind > SPN_SCHEDULE_EXPONENTIAL)
        return;
    spn_number_text(start, s->start);
    spn_number_text(end, s->end);
    snprintf(range, sizeof range, "%s:%s", start, end);
    require(spn_schedule_parse(&again, range, spn_schedule_kind_name(s->kind), &err) == SPN_OK);
    require(again->kind == s->kind && again->start == s->start && again->end == s->end);
    spn_schedule_free(again);
}

void spn_fuzz_schedule(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *rest = text, described[SPN_ERROR_TEXT];
    const char *range = next_line(&rest), *kind = rest && *rest ? rest : NULL;
    spn_schedule *schedule = NULL;
    spn_error err = {0};
    if (kind && is_long(kind)) {
        free(text);
        return;
    }
    const spn_status status = spn_schedule_parse(&schedule, range, kind, &err);
    require((status == SPN_OK) == (schedule != NULL));
    check_error(status, &err, NULL);
    if (schedule) {
        spn_schedule_describe(schedule, described, sizeof described);
        require(described[0] != 0);
        make_again(schedule);
        const spn_status fits = spn_schedule_check(schedule, "beta", true, 1000, &err);
        check_error(fits, &err, "beta: ");
        if (!fits)
            check_values(schedule);
    }
    spn_schedule_free(schedule);
    free(text);
}

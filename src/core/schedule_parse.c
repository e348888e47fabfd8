/* Schedules as text: from the words of the command line, and back into one line. */
#include "core/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A finite number at *text, which moves behind it; false, and *text unmoved, where there is none.
 */
static bool read_number(double *out, const char **text)
{
    char *end;
    *out = strtod(*text, &end);
    bool found = end != *text && isfinite(*out);
    if (found)
        *text = end;
    return found;
}

static spn_status parse_range(double range[2], bool *is_range, const char *text, spn_error *err)
{
    const char *rest = text;
    bool good = read_number(&range[0], &rest);
    range[1] = range[0];
    *is_range = good && *rest == ':';
    if (*is_range) {
        rest++;
        good = read_number(&range[1], &rest);
    }
    if (!good || *rest)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "'%s' is not a number or START:END", text);
    return SPN_OK;
}

/* A key=value list: each key at most once, `known` names them all. */
typedef struct parameter {
    const char *key;
    double value;
    bool given;
} parameter;

static spn_status parse_parameters(parameter *known, size_t count, const char *kind,
                                   const char *text, spn_error *err)
{
    while (*text) {
        size_t length = strcspn(text, "=");
        parameter *found = NULL;
        for (size_t k = 0; k < count; k++)
            if (strlen(known[k].key) == length && strncmp(known[k].key, text, length) == 0)
                found = &known[k];
        if (!found || text[length] != '=') {
            char names[128] = "";
            for (size_t k = 0; k < count; k++) {
                size_t used = strlen(names);
                snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", known[k].key);
            }
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: '%s' is not one of KEY=VALUE with %s",
                            kind, text, names);
        }
        const char *end = text + length + 1;
        if (!read_number(&found->value, &end) || (*end && *end != ','))
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: '%s' has no number", kind, text);
        found->given = true;
        text = *end ? end + 1 : end;
    }
    for (size_t k = 0; k < count; k++)
        if (!known[k].given)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s needs %s=VALUE", kind, known[k].key);
    return SPN_OK;
}

static spn_status parse_logarithmic(spn_schedule **out, const char *text, spn_error *err)
{
    parameter p[] = {{.key = "m"}, {.key = "C"}};
    spn_status status = parse_parameters(p, 2, "logarithmic", text, err);
    if (!status)
        status = spn_schedule_logarithmic(out, p[0].value, p[1].value, err);
    return status;
}

static spn_status parse_scoping(spn_schedule **out, double start, const char *text, spn_error *err)
{
    parameter p[] = {{.key = "factor"}, {.key = "every", .value = 1000, .given = true}};
    spn_status status = parse_parameters(p, 2, "scoping", text, err);
    if (status)
        return status;
    if (!(p[1].value >= 1 && p[1].value <= 1e15))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "scoping: every must be 1 or more");
    return spn_schedule_scoping(out, start, p[0].value, (uint64_t)p[1].value, err);
}

static spn_status parse_theorem1(spn_schedule **out, const char *text, spn_error *err)
{
    parameter p[] = {{.key = "alpha"}, {.key = "b"},     {.key = "B"},     {.key = "m"},
                     {.key = "c"},     {.key = "kappa"}, {.key = "stages"}};
    spn_status status = parse_parameters(p, 7, "theorem1", text, err);
    if (status)
        return status;
    if (!(p[6].value >= 1 && p[6].value <= 1e6))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "theorem1: stages must be 1 to 1000000");
    spn_theorem1 constants = {.alpha = p[0].value,
                              .b = p[1].value,
                              .B = p[2].value,
                              .m = p[3].value,
                              .c = p[4].value,
                              .log_kappa = log(p[5].value)};
    return spn_schedule_theorem1(out, &constants, (size_t)p[6].value, err);
}

static spn_status parse_piece(spn_piece *out, const char **text, spn_error *err)
{
    const char *start = *text;
    double value, steps = 0;
    bool good = read_number(&value, text) && *(*text)++ == 'x' && read_number(&steps, text) &&
                (**text == 0 || **text == ',');
    if (!good || !(steps >= 1 && steps <= 0x1p53) || steps != floor(steps))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "pieces: '%s' does not start with VALUExSTEPS, STEPS a whole number",
                        start);
    *out = (spn_piece){.value = value, .steps = (uint64_t)steps};
    return SPN_OK;
}

static spn_status parse_pieces(spn_schedule **out, const char *text, spn_error *err)
{
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    spn_piece *pieces = malloc(most * sizeof *pieces);
    if (!pieces)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu pieces", most);
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

static spn_status parse_kind(spn_schedule **out, const double range[2], bool is_range,
                             const char *kind, spn_error *err)
{
    const char *colon = strchr(kind, ':');
    const char *parameters = colon ? colon + 1 : "";
    size_t length = colon ? (size_t)(colon - kind) : strlen(kind);
    const struct {
        const char *name;
        spn_schedule_kind kind;
    } kinds[] = {
        {"constant", SPN_SCHEDULE_CONSTANT},       {"linear", SPN_SCHEDULE_LINEAR},
        {"quadratic", SPN_SCHEDULE_QUADRATIC},     {"exponential", SPN_SCHEDULE_EXPONENTIAL},
        {"logarithmic", SPN_SCHEDULE_LOGARITHMIC}, {"pieces", SPN_SCHEDULE_PIECES},
        {"theorem1", SPN_SCHEDULE_PIECES},         {"scoping", SPN_SCHEDULE_SCOPING}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strlen(kinds[k].name) != length || strncmp(kinds[k].name, kind, length) != 0)
            continue;
        if (k < 4 && colon)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s takes no parameters; give START:END",
                            kinds[k].name);
        if (kinds[k].kind == SPN_SCHEDULE_CONSTANT && is_range && range[0] != range[1])
            return spn_fail(err, SPN_ERROR_ARGUMENT, "constant takes one value, not START:END");
        if (kinds[k].kind == SPN_SCHEDULE_LOGARITHMIC)
            return parse_logarithmic(out, parameters, err);
        if (kinds[k].kind == SPN_SCHEDULE_SCOPING)
            return parse_scoping(out, range[0], parameters, err);
        if (kinds[k].kind == SPN_SCHEDULE_PIECES)
            return kind[0] == 't' ? parse_theorem1(out, parameters, err)
                                  : parse_pieces(out, parameters, err);
        const spn_schedule made = {.kind = kinds[k].kind, .start = range[0], .end = range[1]};
        return spn_schedule_copy(out, &made, err);
    }
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "'%s' is not a schedule; use constant, linear, quadratic, exponential, "
                    "logarithmic:m=M,C=C, pieces:V1xT1,V2xT2, theorem1:alpha=..., or "
                    "scoping:factor=F",
                    kind);
}

spn_status spn_schedule_parse(spn_schedule **out, const char *range, const char *kind,
                              spn_error *err)
{
    double ends[2];
    bool is_range;
    *out = NULL;
    spn_status status = parse_range(ends, &is_range, range, err);
    if (status)
        return status;
    if (kind)
        return parse_kind(out, ends, is_range, kind, err);
    if (!is_range)
        return spn_schedule_constant(out, ends[0], err);
    return ends[0] > 0 ? spn_schedule_exponential(out, ends[0], ends[1], err)
                       : spn_schedule_linear(out, ends[0], ends[1], err);
}

/* A number in as few digits as read back exactly. */
typedef struct digits {
    char text[32];
} digits;

static digits exactly(double value)
{
    digits d;
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(d.text, sizeof d.text, "%.*g", precision, value);
        if (strtod(d.text, NULL) == value)
            break;
    }
    return d;
}

void spn_schedule_describe(const spn_schedule *s, char *out, size_t size)
{
    const digits start = exactly(s->start), end = exactly(s->end);
    switch (s->kind) {
    case SPN_SCHEDULE_CONSTANT:
        snprintf(out, size, "constant %s", start.text);
        return;
    case SPN_SCHEDULE_LINEAR:
        snprintf(out, size, "linear %s to %s", start.text, end.text);
        return;
    case SPN_SCHEDULE_QUADRATIC:
        snprintf(out, size, "quadratic %s to %s", start.text, end.text);
        return;
    case SPN_SCHEDULE_EXPONENTIAL:
        snprintf(out, size, "exponential %s to %s", start.text, end.text);
        return;
    case SPN_SCHEDULE_LOGARITHMIC:
        snprintf(out, size, "logarithmic (1/%s) log(1 + %s t)", exactly(s->m).text,
                 exactly(s->C).text);
        return;
    case SPN_SCHEDULE_PIECES:
        snprintf(out, size, "%zu piece%s, %g to %g over %" PRIu64 " steps", s->count,
                 s->count == 1 ? "" : "s", s->pieces[0].value, s->pieces[s->count - 1].value,
                 spn_schedule_length(s));
        return;
    case SPN_SCHEDULE_SCOPING:
        snprintf(out, size, "scoping %s, times %g every %" PRIu64 " accepted moves a replica",
                 start.text, 1 + s->factor, s->every);
        return;
    }
    snprintf(out, size, "unknown");
}

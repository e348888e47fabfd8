/* An option that takes one value, a list or a range. */
#include "cli/axis.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fits(double value, const cli_axis_rule *rule)
{
    if (isinf(value))
        return rule->infinite && value > 0;
    return value >= rule->least && value <= rule->most && (!rule->whole || value == floor(value));
}

static void complain(const cli_values *values, const char *name, const char *what, size_t length,
                     const cli_axis_rule *rule)
{
    char range[96];
    if (isfinite(rule->most))
        snprintf(range, sizeof range, "from %g to %g", rule->least, rule->most);
    else
        snprintf(range, sizeof range, "of %g or more%s", rule->least,
                 rule->infinite ? ", or inf" : "");
    cli_error(values->command,
              "--%s: '%.*s' is not a %s %s; give one, a list A,B,C or a range START:END:STEP", name,
              (int)length, what, rule->whole ? "whole number" : "finite number", range);
}

/* One number of `length` characters. */
static bool read_one(double *out, const char *text, size_t length, const cli_values *values,
                     const char *name, const cli_axis_rule *rule)
{
    if (length > 0 && spn_number_scan(out, text, length) == length && fits(*out, rule))
        return true;
    complain(values, name, text, length, rule);
    return false;
}

static bool reserve(cli_axis *axis, size_t count, const cli_values *values)
{
    axis->values = malloc((count ? count : 1) * sizeof *axis->values);
    axis->count = count;
    if (!axis->values)
        cli_error(values->command, "out of memory for %zu values", count);
    return axis->values != NULL;
}

static bool read_list(cli_axis *axis, const char *text, const cli_values *values, const char *name,
                      const cli_axis_rule *rule)
{
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    if (count > CLI_AXIS_MOST) {
        cli_error(values->command, "--%s: %zu values; at most %d", name, count, CLI_AXIS_MOST);
        return false;
    }
    axis->list = count > 1;
    if (!reserve(axis, count, values))
        return false;
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(text, ",");
        if (!read_one(&axis->values[k], text, length, values, name, rule))
            return false;
        text += length + 1;
    }
    return true;
}

/* The value of a range without the rounding of its sum. */
static double tidy(double value)
{
    return spn_number_round(value, 12);
}

/* START:END:STEP from its three numbers. */
static bool fill_range(cli_axis *axis, const double part[3], const char *text,
                       const cli_values *values, const char *name)
{
    if (part[1] < part[0]) {
        cli_error(values->command,
                  "--%s: the range '%s' is reversed: START:END:STEP goes up, from %g to %g", name,
                  text, part[1], part[0]);
        return false;
    }
    if (!(part[2] > 0)) {
        cli_error(values->command, "--%s: the range '%s' is empty: its STEP must be above 0", name,
                  text);
        return false;
    }
    const double count = floor((part[1] - part[0]) / part[2] + 1e-9) + 1;
    if (!(count <= CLI_AXIS_MOST)) {
        cli_error(values->command, "--%s: the range '%s' has %.3g values; at most %d", name, text,
                  count, CLI_AXIS_MOST);
        return false;
    }
    if (!reserve(axis, (size_t)count, values))
        return false;
    for (size_t k = 0; k < axis->count; k++)
        axis->values[k] = tidy(part[0] + (double)k * part[2]);
    axis->list = true;
    return true;
}

static bool read_range(cli_axis *axis, const char *text, const cli_values *values, const char *name,
                       const cli_axis_rule *rule)
{
    const cli_axis_rule finite = {rule->least, rule->most, rule->whole, false};
    const cli_axis_rule step = {-HUGE_VAL, HUGE_VAL, rule->whole, false};
    double part[3] = {0, 0, 1};
    const char *rest = text;
    size_t parts = 0;
    for (bool more = true; more && parts < 3; parts++) {
        const size_t length = strcspn(rest, ":");
        if (!read_one(&part[parts], rest, length, values, name, parts < 2 ? &finite : &step))
            return false;
        more = rest[length] == ':';
        rest += length + more;
    }
    if (*rest || parts < (rule->whole ? 2u : 3u)) {
        cli_error(values->command, "--%s: '%s' is not START:END:STEP, such as 0:4:0.1", name, text);
        return false;
    }
    return fill_range(axis, part, text, values, name);
}

bool cli_axis_read(cli_axis *out, const cli_values *values, const char *name,
                   const cli_axis_rule *rule)
{
    const char *text = cli_text(values, name);
    *out = (cli_axis){0};
    if (strchr(text, ':'))
        return read_range(out, text, values, name, rule);
    return read_list(out, text, values, name, rule);
}

void cli_axis_clear(cli_axis *axis)
{
    free(axis->values);
    *axis = (cli_axis){0};
}

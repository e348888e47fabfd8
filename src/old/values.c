/* Settings as values. */
#include "old/values.h"

#include "base/number.h"
#include <errno.h>
#include <spinney/words.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *xpn_values_given(const xpn_values *values, const char *name)
{
    for (size_t k = 0; k < values->count; k++)
        if (strcmp(values->fields[k].name, name) == 0)
            return values->fields[k].text;
    return NULL;
}

const char *xpn_values_text(const xpn_values *values, const char *name)
{
    const char *text = xpn_values_given(values, name);
    for (const xpn_default *d = values->defaults; !text && d && d->name; d++)
        if (strcmp(d->name, name) == 0)
            return d->text;
    return text;
}

const char *xpn_values_first(const xpn_values *values, const char *const *names)
{
    while (names[1] && !xpn_values_given(values, names[0]))
        names++;
    return names[0];
}

spn_status xpn_values_fail(xpn_values *values, const char *name, spn_error *err, const char *format,
                           ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    values->fault = name;
    return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: %s", name, text);
}

spn_status xpn_values_blame(xpn_values *values, const char *name, const spn_error *why,
                            spn_error *err)
{
    values->fault = name;
    return spn_fail(err, why->status, "%s: %s", name, why->text);
}

spn_status xpn_values_whole(uint64_t *out, xpn_values *values, const char *name, uint64_t least,
                            uint64_t most, spn_error *err)
{
    const char *text = xpn_values_text(values, name);
    if (!text)
        return SPN_OK;
    errno = 0;
    const uint64_t number = strtoull(text, NULL, 10);
    if (*text && strspn(text, "0123456789") == strlen(text) && !errno && number >= least &&
        number <= most) {
        *out = number;
        return SPN_OK;
    }
    return xpn_values_fail(values, name, err, "'%s' is not a whole number from %llu to %llu", text,
                           (unsigned long long)least, (unsigned long long)most);
}

spn_status xpn_values_real(double *out, xpn_values *values, const char *name, double least,
                           double most, spn_error *err)
{
    const char *text = xpn_values_text(values, name);
    double number;
    if (!text)
        return SPN_OK;
    if (spn_number_parse(&number, text) && number >= least && number <= most) {
        *out = number;
        return SPN_OK;
    }
    return xpn_values_fail(values, name, err, "'%s' is not a number from %g to %g", text, least,
                           most);
}

spn_status xpn_values_share(double *out, xpn_values *values, const char *name, spn_error *err)
{
    return xpn_values_real(out, values, name, 1e-9, 1 - 1e-9, err);
}

spn_status xpn_values_flag(bool *out, xpn_values *values, const char *name, spn_error *err)
{
    static const char *const words[] = {"false", "true", NULL};
    int choice = *out;
    spn_status status = xpn_values_choice(&choice, values, name, words, err);
    *out = choice == 1;
    return status;
}

spn_status xpn_values_choice(int *out, xpn_values *values, const char *name,
                             const char *const *words, spn_error *err)
{
    const char *text = xpn_values_text(values, name);
    char list[256] = "";
    if (!text)
        return SPN_OK;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return SPN_OK;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char *nearest = spn_nearest_of(text, words);
    if (nearest)
        return xpn_values_fail(values, name, err, "there is no '%s'; did you mean %s? (%s)", text,
                               nearest, list);
    return xpn_values_fail(values, name, err, "'%s' is not one of %s", text, list);
}

/* The values of a specification file. */
#include "sweep/spec.h"

#include "base/number.h"
#include <errno.h>
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one way to write each value ---- */

/* A number as its shortest text; what is none stays as it is. */
static void put_number(char *out, size_t size, const char *text)
{
    char shortest[SPN_NUMBER_TEXT];
    double value;
    if (!spn_number_parse(&value, text)) {
        snprintf(out, size, "%s", text);
    } else if (strspn(text, "0123456789") == strlen(text)) { /* of any length */
        while (text[0] == '0' && text[1])
            text++;
        snprintf(out, size, "%s", text);
    } else {
        spn_number_text(shortest, value);
        snprintf(out, size, "%s", shortest);
    }
}

/* Numbers joined by colons. */
static void put_range(char *out, size_t size, const char *text)
{
    char part[64];
    for (;;) {
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part) { /* no number is so long */
            snprintf(out, size, "%s", text);
            return;
        }
        memcpy(part, text, length);
        part[length] = 0;
        put_number(out, size, part);
        const size_t used = strlen(out);
        out += used;
        size -= used;
        if (!text[length])
            return;
        *out++ = ':';
        *out = 0;
        size--;
        text += length + 1;
    }
}

static const char *flag_word(const char *text)
{
    static const char *const yes[] = {"true", "yes", "on", "True", "Yes", "On", NULL};
    static const char *const no[] = {"false", "no", "off", "False", "No", "Off", NULL};
    for (size_t k = 0; yes[k]; k++) {
        if (strcmp(text, yes[k]) == 0)
            return "true";
        if (strcmp(text, no[k]) == 0)
            return "false";
    }
    return text;
}

char *spn_spec_canonical(xpn_setting_kind kind, const char *text)
{
    /* every part may grow, but not beyond a number's text */
    size_t parts = 1;
    for (const char *c = text; *c; c++)
        parts += *c == ':';
    const size_t size = strlen(text) + parts * SPN_NUMBER_TEXT + 1;
    char *out = malloc(size);
    if (!out)
        return NULL;
    if (kind == XPN_SETTING_NUMBER)
        put_number(out, size, text);
    else if (kind == XPN_SETTING_RANGE)
        put_range(out, size, text);
    else
        snprintf(out, size, "%s", kind == XPN_SETTING_FLAG ? flag_word(text) : text);
    return out;
}

/* ---- numbers, flags, words ---- */

spn_status spn_spec_whole(uint64_t *out, const spn_spec *spec, spn_place place, const char *name,
                          const char *text, uint64_t least, uint64_t most, spn_error *err)
{
    char plain[64];
    if (!text)
        return SPN_OK;
    put_number(plain, sizeof plain, text); /* 1e3 is a whole number, too */
    errno = 0;
    const uint64_t number = strtoull(plain, NULL, 10);
    if (*plain && strlen(text) < sizeof plain && strspn(plain, "0123456789") == strlen(plain) &&
        !errno && number >= least && number <= most) {
        *out = number;
        return SPN_OK;
    }
    return spn_spec_fail(spec, place, err,
                         "'%s' should be a whole number from %llu to %llu, not '%.60s'", name,
                         (unsigned long long)least, (unsigned long long)most, text);
}

spn_status spn_spec_real(double *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, double least, double most, spn_error *err)
{
    double number;
    if (!text)
        return SPN_OK;
    if (spn_number_parse(&number, text) && number >= least && number <= most) {
        *out = number;
        return SPN_OK;
    }
    if (most > 1e300)
        return spn_spec_fail(spec, place, err, "'%s' should be a number, not '%.60s'", name, text);
    return spn_spec_fail(spec, place, err, "'%s' should be a number from %g to %g, not '%.60s'",
                         name, least, most, text);
}

spn_status spn_spec_flag(bool *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, spn_error *err)
{
    if (!text)
        return SPN_OK;
    const char *word = flag_word(text);
    *out = strcmp(word, "true") == 0;
    if (*out || strcmp(word, "false") == 0)
        return SPN_OK;
    return spn_spec_fail(spec, place, err, "'%s' should be true or false, not '%.60s'", name, text);
}

spn_status spn_spec_word(int *out, const spn_spec *spec, spn_place place, const char *name,
                         const char *text, const char *const *words, spn_error *err)
{
    char list[128] = "";
    if (!text)
        return SPN_OK;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return SPN_OK;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 !i             ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    }
    return spn_spec_fail(spec, place, err, "'%s' should be %s, not '%.60s'", name, list, text);
}

spn_status spn_spec_name(const spn_spec *spec, spn_place place, const char *key, const char *text,
                         spn_error *err)
{
    enum { LONGEST = 64 };
    if (strlen(text) <= LONGEST &&
        strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text) && text[0] != '-')
        return SPN_OK;
    return spn_spec_fail(spec, place, err,
                         "'%s' should be up to %d letters a to z, digits and hyphens, not '%.60s'",
                         key, LONGEST, text);
}

spn_status spn_spec_copy(char **out, const char *text, spn_error *err)
{
    *out = text ? strdup(text) : NULL;
    return text && !*out ? spn_spec_no_memory(err) : SPN_OK;
}

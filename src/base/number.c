/* Numbers as texts. */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void spn_number_text(char out[SPN_NUMBER_TEXT], double value)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(out, SPN_NUMBER_TEXT, "%.0f", value == 0 ? 0.0 : value); /* no -0 */
        return;
    }
    /* a normal number of 15 digits or fewer comes back from %.15g as it is, without more zeros */
    for (int precision = isnormal(value) ? 15 : 1; precision <= 17; precision++) {
        snprintf(out, SPN_NUMBER_TEXT, "%.*g", precision, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

bool spn_number_parse(double *out, const char *text)
{
    char *end;
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return *end == 0 && end != text && isfinite(*out);
}

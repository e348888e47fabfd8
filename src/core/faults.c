/* Models of faults from text. */
#include <spinney/faults.h>

#include "base/number.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    spn_fault_model model;
} named[] = {
    {"flips", {1, 1, 0}}, {"stuck-0", {0, 1, 0}}, {"stuck-1", {1, 0, 0}}, {"rows", {1, 1, 1}}};

/* A share of 0 to 1 in the first `length` characters. */
static bool read_share(double *out, const char *text, size_t length)
{
    char number[SPN_NUMBER_TEXT];
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    return length < sizeof number && spn_number_parse(out, number) && *out >= 0 && *out <= 1;
}

spn_status spn_fault_model_parse(spn_fault_model *out, const char *text, spn_error *err)
{
    static const char asymmetric[] = "asymmetric:";
    const char *shares = text + strlen(asymmetric);
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (strcmp(text, named[k].name) == 0) {
            *out = named[k].model;
            return SPN_OK;
        }
    memset(out, 0, sizeof *out);
    if (strncmp(text, asymmetric, strlen(asymmetric)) == 0) {
        const size_t comma = strcspn(shares, ",");
        if (shares[comma] && read_share(&out->rise, shares, comma) &&
            read_share(&out->fall, shares + comma + 1, strlen(shares + comma + 1)) &&
            out->rise + out->fall > 0)
            return SPN_OK;
    }
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "'%.60s' is not flips, stuck-0, stuck-1, rows or asymmetric:p01,p10 with p01 "
                    "and p10 from 0 to 1, not both 0",
                    text);
}

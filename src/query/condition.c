#include "base/text.h"
#include "base/try.h"
#include "record/record.h"
#include <spinney/lab/records.h>

#include <math.h>
#include <string.h>

/* Accepted orders. Longer operators come first, so that <= is not read as <. */
static const struct {
    const char *text;
    bool below, equal, above;
} operations[] = {{"!=", true, false, true}, {"<=", true, true, false}, {">=", false, true, true},
                  {"=", false, true, false}, {"<", true, false, false}, {">", false, false, true}};

enum { LONGEST_NAME = 127 };

typedef struct condition {
    char name[LONGEST_NAME + 1];
    size_t operation; /* index into the table */
    spn_span value;
    bool is_number;
    double number;
} condition;

static spn_status no_condition(const char *text, const char *why, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "'%s' is no condition: %s; expected NAME OP VALUE with OP one of = != < <= > "
                    ">=, such as gamma<=3.2",
                    text, why);
}

static spn_status parse(condition *out, const char *text, spn_error *err)
{
    const size_t size = strcspn(text, "=!<>");
    const spn_span name = spn_trim((spn_span){text, size});
    const char *value = NULL;
    for (size_t k = 0; k < sizeof operations / sizeof *operations && !value; k++) {
        const size_t length = strlen(operations[k].text);
        if (strncmp(text + size, operations[k].text, length) != 0)
            continue;
        out->operation = k;
        value = text + size + length;
    }
    if (!value)
        return no_condition(text, "it has no comparison", err);
    if (name.size == 0 || name.size > LONGEST_NAME)
        return no_condition(text, name.size ? "its name is too long" : "it has no name", err);
    out->value = spn_trim((spn_span){value, strlen(value)});
    if (out->value.size == 0 || strchr("=<>", out->value.text[0]))
        return no_condition(text, "it has no value", err);
    memcpy(out->name, name.text, name.size);
    out->name[name.size] = 0;
    out->is_number = spn_number_read(&out->number, out->value) == SPN_NUMBER_FINITE;
    if (!out->is_number && operations[out->operation].below != operations[out->operation].above)
        return no_condition(text, "only numbers are less or greater", err);
    return SPN_OK;
}

spn_status spn_record_matches(bool *out, const spn_record *record, const char *text, spn_error *err)
{
    condition c = {0};
    *out = false;
    SPN_TRY(parse(&c, text, err));
    char buffer[SPN_FIELD_TEXT];
    const double number = spn_record_number(record, c.name);
    const char *found = spn_record_any_text(buffer, record, c.name);
    if (c.is_number && !isnan(number)) {
        *out = number < c.number   ? operations[c.operation].below
               : number > c.number ? operations[c.operation].above
                                   : operations[c.operation].equal;
    } else if (found) {
        const bool equal =
            strlen(found) == c.value.size && memcmp(found, c.value.text, c.value.size) == 0;
        *out = operations[c.operation].below == operations[c.operation].above &&
               (equal ? operations[c.operation].equal : operations[c.operation].below);
    }
    return SPN_OK;
}

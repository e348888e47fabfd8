/* CPLEX's LP format: an objective, constraints, bounds, and which variables are binary or integer.
   Quadratic terms stand in brackets. */
#include "problem/read/lp_tokens.h"

#include <stdlib.h>

static const char A_TERM[] = "a term, such as `2 x`",
                  BETWEEN[] = "+ or - before the next term, or <=, =, >=";

/* From here on CPLEX takes the bound of a variable for infinite. */
#define LP_INFINITY 1e20

/* ---- expressions ---- */

/* Signs before a term; any number of them, as in `- -2 x`. */
static spn_status take_signs(double *sign, bool *any, spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    *sign = 1;
    *any = false;
    for (;;) {
        SPN_TRY(spn_lp_peek(&token, reading, err));
        if (token.kind != SPN_LP_SIGN)
            return SPN_OK;
        *sign = token.text.text[0] == '-' ? -*sign : *sign;
        *any = true;
        SPN_TRY(spn_lp_next(&token, reading, err));
    }
}

static spn_status take_name(spn_span *out, spn_reading *reading, const char *expected,
                            spn_error *err)
{
    spn_lp_token token;
    SPN_TRY(spn_lp_next(&token, reading, err));
    if (token.kind != SPN_LP_NAME)
        return spn_lp_expected(reading, token, expected, err);
    *out = token.text;
    return SPN_OK;
}

/* A coefficient, if there is one, perhaps with a * after it. */
static spn_status take_coefficient(double *value, bool *any, spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    SPN_TRY(spn_lp_peek(&token, reading, err));
    *any = token.kind == SPN_LP_NUMBER;
    if (!*any)
        return SPN_OK;
    *value *= token.is.number;
    SPN_TRY(spn_lp_next(&token, reading, err));
    return SPN_OK;
}

/* `x ^ 2` or `x * y`, after the coefficient. */
static spn_status take_product(spn_sum *sum, double coefficient, spn_reading *reading,
                               spn_error *err)
{
    spn_span name = {"", 0};
    spn_lp_token token;
    uint32_t pair[2];
    SPN_TRY(take_name(&name, reading, "a variable", err));
    SPN_TRY(spn_reading_variable(&pair[0], reading, name, err));
    pair[1] = pair[0];
    if (spn_lp_take_mark(reading, '^')) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        if (token.kind != SPN_LP_NUMBER || token.is.number != 2)
            return spn_lp_expected(reading, token, "the power 2", err);
    } else if (spn_lp_take_mark(reading, '*')) {
        SPN_TRY(take_name(&name, reading, "a second variable", err));
        SPN_TRY(spn_reading_variable(&pair[1], reading, name, err));
    } else {
        SPN_TRY(spn_lp_next(&token, reading, err));
        return spn_lp_expected(reading, token,
                               "^ 2 or * and a variable; linear terms stand "
                               "outside the brackets",
                               err);
    }
    return spn_sum_add(sum, coefficient, pair, 2, err);
}

/* The products between brackets, which are open, and after them `/ 2`, which an objective must
   have. */
static spn_status take_brackets(spn_sum *sum, double sign, bool objective, spn_reading *reading,
                                spn_error *err)
{
    const size_t first = sum->count;
    spn_lp_token token;
    bool any, counted;
    double factor = 1;
    while (!spn_lp_take_mark(reading, ']')) {
        double value;
        SPN_TRY(take_signs(&value, &any, reading, err));
        SPN_TRY(spn_lp_peek(&token, reading, err));
        if (!any && sum->count > first)
            return spn_lp_expected(reading, token, "+ or -, or ]", err);
        value *= sign;
        SPN_TRY(take_coefficient(&value, &counted, reading, err));
        if (counted)
            spn_lp_take_mark(reading, '*');
        SPN_TRY(take_product(sum, value, reading, err));
    }
    if (spn_lp_take_mark(reading, '/')) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        if (token.kind != SPN_LP_NUMBER || token.is.number != 2)
            return spn_lp_expected(reading, token, "2 after the /", err);
        factor = 0.5;
    } else if (objective) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        return spn_lp_expected(reading, token, "/ 2 after the brackets of an objective", err);
    }
    for (size_t t = first; t < sum->count; t++)
        sum->coefficients[t] *= factor;
    return SPN_OK;
}

/* After its signs: brackets, a number, a variable, or a number and a variable. */
static spn_status take_term(spn_sum *sum, double *constant, double sign, bool objective,
                            spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    uint32_t variable;
    bool counted;
    double value = sign;
    if (spn_lp_take_mark(reading, '['))
        return take_brackets(sum, sign, objective, reading, err);
    SPN_TRY(take_coefficient(&value, &counted, reading, err));
    const bool times = counted && spn_lp_take_mark(reading, '*');
    SPN_TRY(spn_lp_peek(&token, reading, err));
    if (counted && !times && (token.kind != SPN_LP_NAME)) {
        *constant += value;
        return SPN_OK;
    }
    SPN_TRY(spn_lp_next(&token, reading, err));
    if (token.kind != SPN_LP_NAME)
        return spn_lp_expected(reading, token, A_TERM, err);
    SPN_TRY(spn_reading_variable(&variable, reading, token.text, err));
    return spn_sum_add(sum, value, &variable, 1, err);
}

/* Whether an expression ends before this token. */
static bool ends_expression(const spn_lp_token *token)
{
    return token->kind == SPN_LP_SENSE || token->kind == SPN_LP_SECTION ||
           token->kind == SPN_LP_FILE_END;
}

static spn_status take_expression(spn_sum *sum, double *constant, bool objective,
                                  spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    for (bool first = true;; first = false) {
        double sign;
        bool any;
        SPN_TRY(take_signs(&sign, &any, reading, err));
        SPN_TRY(spn_lp_peek(&token, reading, err));
        if (!any && ends_expression(&token))
            return SPN_OK;
        if (!any && !first)
            return spn_lp_expected(reading, token, BETWEEN, err);
        SPN_TRY(take_term(sum, constant, sign, objective, reading, err));
    }
}

/* The name of a row, with its colon; empty if it has none. */
static spn_status take_label(spn_span *out, spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    const char *at = reading->at;
    SPN_TRY(spn_lp_next(&token, reading, err));
    *out = (spn_span){token.text.text, 0};
    if (token.kind == SPN_LP_NAME && spn_lp_take_mark(reading, ':'))
        *out = token.text;
    else
        reading->at = at;
    return SPN_OK;
}

/* ---- numbers with a sign ---- */

/* A number, or with `infinite` also inf and infinity. */
static spn_status take_number(double *out, bool infinite, spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    double sign;
    bool any;
    SPN_TRY(take_signs(&sign, &any, reading, err));
    SPN_TRY(spn_lp_next(&token, reading, err));
    const bool named =
        infinite && token.kind == SPN_LP_NAME &&
        (spn_span_is_word(token.text, "inf") || spn_span_is_word(token.text, "infinity"));
    if (token.kind != SPN_LP_NUMBER && !named)
        return spn_lp_expected(
            reading, token,
            infinite ? "a number or an infinity" : "a number; variables stand on the left", err);
    const double size = named ? INFINITY : token.is.number;
    *out = sign * (infinite && size >= LP_INFINITY ? INFINITY : size);
    return SPN_OK;
}

/* Whether a number and then a sense come next, as in `1 <= x`; if so, take both. */
static spn_status take_limit(bool *found, double *number, spn_sense *sense, bool infinite,
                             spn_reading *reading, spn_error *err)
{
    const char *at = reading->at;
    spn_lp_token token;
    double sign;
    bool any;
    *found = false;
    SPN_TRY(take_signs(&sign, &any, reading, err));
    SPN_TRY(spn_lp_next(&token, reading, err));
    const bool number_next =
        token.kind == SPN_LP_NUMBER || (infinite && (spn_span_is_word(token.text, "inf") ||
                                                     spn_span_is_word(token.text, "infinity")));
    SPN_TRY(spn_lp_peek(&token, reading, err));
    reading->at = at;
    if (!number_next || token.kind != SPN_LP_SENSE)
        return SPN_OK;
    *found = true;
    SPN_TRY(take_number(number, infinite, reading, err));
    SPN_TRY(spn_lp_next(&token, reading, err));
    *sense = token.is.sense;
    return SPN_OK;
}

static spn_sense turned(spn_sense sense)
{
    return sense == SPN_SENSE_AT_MOST    ? SPN_SENSE_AT_LEAST
           : sense == SPN_SENSE_AT_LEAST ? SPN_SENSE_AT_MOST
                                         : SPN_SENSE_EQUAL;
}

/* A sense and a number narrow a range. */
static void narrow(double range[2], spn_sense sense, double number)
{
    if (sense != SPN_SENSE_AT_MOST)
        range[0] = number;
    if (sense != SPN_SENSE_AT_LEAST)
        range[1] = number;
}

/* ---- sections ---- */

static spn_status read_objective(spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    spn_span label;
    SPN_TRY(take_label(&label, reading, err));
    SPN_TRY(take_expression(&reading->objective, &reading->constant, true, reading, err));
    SPN_TRY(spn_lp_peek(&token, reading, err));
    return token.kind == SPN_LP_SENSE
               ? spn_lp_expected(reading, token, "Subject To before the first constraint", err)
               : SPN_OK;
}

/* `number sense terms sense number`, where one of the numbers and its sense may be missing. */
static spn_status read_row(spn_reading *reading, spn_error *err)
{
    double range[2] = {-INFINITY, INFINITY}, number = 0, constant = 0;
    spn_sense sense = SPN_SENSE_EQUAL, first = SPN_SENSE_EQUAL;
    spn_lp_token token;
    spn_span label;
    bool limited;
    SPN_TRY(take_label(&label, reading, err));
    SPN_TRY(spn_lp_peek(&token, reading, err));
    const char *place = label.size > 0 ? label.text : token.text.text;
    SPN_TRY(take_limit(&limited, &number, &first, false, reading, err));
    if (limited)
        narrow(range, turned(first), number);
    SPN_TRY(take_expression(&reading->row_terms, &constant, false, reading, err));
    SPN_TRY(spn_lp_peek(&token, reading, err));
    if (token.kind == SPN_LP_SENSE) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        sense = token.is.sense;
        SPN_TRY(take_number(&number, false, reading, err));
        if (limited && (first == SPN_SENSE_EQUAL || sense != first))
            return spn_lp_expected(reading, token, "the same <= or >= on both sides", err);
        narrow(range, sense, number);
    } else if (!limited)
        return spn_lp_expected(reading, token, "<=, = or >=", err);
    return spn_reading_range(reading, label, range[0] - constant, range[1] - constant, place, err);
}

/* `x free`, `number sense x`, `x sense number`, `number sense x sense number`. */
static spn_status read_bound(spn_reading *reading, spn_error *err)
{
    double number = 0;
    spn_sense first = SPN_SENSE_EQUAL;
    spn_lp_token token;
    spn_span name = {"", 0};
    uint32_t i;
    bool limited;
    SPN_TRY(take_limit(&limited, &number, &first, true, reading, err));
    SPN_TRY(take_name(&name, reading, "a variable", err));
    SPN_TRY(spn_reading_variable(&i, reading, name, err));
    double range[2] = {reading->variables[i].low, reading->variables[i].high};
    if (limited)
        narrow(range, turned(first), number);
    SPN_TRY(spn_lp_peek(&token, reading, err));
    if (token.kind == SPN_LP_SENSE) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        SPN_TRY(take_number(&number, true, reading, err));
        narrow(range, token.is.sense, number);
        if (limited && (first == SPN_SENSE_EQUAL || token.is.sense != first))
            return spn_lp_expected(reading, token, "the same <= or >= on both sides", err);
    } else if (!limited && spn_span_is_word(token.text, "free")) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        range[0] = -INFINITY;
        range[1] = INFINITY;
    } else if (!limited)
        return spn_lp_expected(reading, token, "<=, =, >= or free", err);
    reading->variables[i].low = range[0];
    reading->variables[i].high = range[1];
    return SPN_OK;
}

static spn_status read_kind(spn_variable_kind kind, spn_reading *reading, spn_error *err)
{
    spn_span name = {"", 0};
    uint32_t i;
    SPN_TRY(take_name(&name, reading, "a variable or a section", err));
    SPN_TRY(spn_reading_variable(&i, reading, name, err));
    if (!reading->variables[i].is_known || kind == SPN_VARIABLE_BINARY)
        reading->variables[i].kind = kind;
    reading->variables[i].is_known = true;
    return SPN_OK;
}

static spn_status refuse_section(const spn_reading *reading, spn_span section, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_reading_fail(reading, section.text, err,
                            "a section %s is not read here; expected Subject To, Bounds, Binary, "
                            "Generals or End",
                            spn_show(shown, section));
}

/* One entry of a section. */
static spn_status read_entry(spn_lp_section section, spn_reading *reading, spn_error *err)
{
    if (section == SPN_LP_ROWS)
        return read_row(reading, err);
    if (section == SPN_LP_BOUNDS)
        return read_bound(reading, err);
    return read_kind(section == SPN_LP_BINARY ? SPN_VARIABLE_BINARY : SPN_VARIABLE_INTEGER, reading,
                     err);
}

static spn_status read_section(spn_lp_token section, spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    if (section.is.section == SPN_LP_REFUSED || section.is.section <= SPN_LP_MAXIMIZE)
        return refuse_section(reading, section.text, err);
    for (;;) {
        SPN_TRY(spn_lp_peek(&token, reading, err));
        if (token.kind == SPN_LP_SECTION)
            return SPN_OK;
        if (token.kind == SPN_LP_FILE_END)
            return spn_lp_expected(reading, token, "End as the last line", err);
        SPN_TRY(read_entry(section.is.section, reading, err));
    }
}

spn_status spn_read_lp(spn_reading *reading, spn_error *err)
{
    spn_lp_token token;
    SPN_TRY(spn_lp_next(&token, reading, err));
    if (token.kind != SPN_LP_SECTION || token.is.section > SPN_LP_MAXIMIZE)
        return spn_lp_expected(reading, token, "Minimize or Maximize", err);
    reading->maximise = token.is.section == SPN_LP_MAXIMIZE;
    SPN_TRY(read_objective(reading, err));
    for (;;) {
        SPN_TRY(spn_lp_next(&token, reading, err));
        if (token.kind != SPN_LP_SECTION)
            return spn_lp_expected(reading, token, "a section, such as Subject To or End", err);
        if (token.is.section == SPN_LP_END)
            break;
        SPN_TRY(read_section(token, reading, err));
    }
    SPN_TRY(spn_lp_next(&token, reading, err));
    return token.kind == SPN_LP_FILE_END
               ? SPN_OK
               : spn_lp_expected(reading, token, "nothing after End", err);
}

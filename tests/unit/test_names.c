/* Every public enum: each value has a name, each name its value, and a wrong one an error that
 * helps.
 */
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdio.h>
#include <string.h>

/* One enum, its functions called through int. */
typedef struct enum_names {
    const char *what;
    int count;
    const char *(*name)(int value);
    spn_status (*parse)(int *out, const char *text, spn_error *err);
} enum_names;

#define FUNCTIONS(type)                                                                            \
    static const char *name_##type(int value)                                                      \
    {                                                                                              \
        return type##_name((type)value);                                                           \
    }                                                                                              \
    static spn_status parse_##type(int *out, const char *text, spn_error *err)                     \
    {                                                                                              \
        type value = (type)*out;                                                                   \
        const spn_status status = type##_parse(&value, text, err);                                 \
        *out = (int)value;                                                                         \
        return status;                                                                             \
    }

FUNCTIONS(spn_status)
FUNCTIONS(spn_purpose)
FUNCTIONS(spn_format)
FUNCTIONS(spn_label_place)
FUNCTIONS(spn_header)
FUNCTIONS(spn_preprocess_kind)
FUNCTIONS(spn_problem_kind)
FUNCTIONS(spn_schedule_kind)
FUNCTIONS(spn_kernel)
FUNCTIONS(spn_order)
FUNCTIONS(spn_start)
FUNCTIONS(spn_target)
FUNCTIONS(spn_stop)
FUNCTIONS(spn_law_method)
FUNCTIONS(spn_flip_mode)
FUNCTIONS(spn_export_format)
FUNCTIONS(spn_export_input)
FUNCTIONS(spn_train_set)

#define ROW(type, last)                                                                            \
    {                                                                                              \
#type, (last) + 1, name_##type, parse_##type                                               \
    }

static const enum_names enums[] = {ROW(spn_status, SPN_ERROR_ENERGY),
                                   ROW(spn_purpose, SPN_PURPOSE_WORLD),
                                   ROW(spn_format, SPN_FORMAT_SVMLIGHT),
                                   ROW(spn_label_place, SPN_LABELS_NONE),
                                   ROW(spn_header, SPN_HEADER_NO),
                                   ROW(spn_preprocess_kind, SPN_PREPROCESS_BINARY),
                                   ROW(spn_problem_kind, SPN_PROBLEM_STATES),
                                   ROW(spn_schedule_kind, SPN_SCHEDULE_SCOPING),
                                   ROW(spn_kernel, SPN_KERNEL_HEAT_BATH),
                                   ROW(spn_order, SPN_ORDER_RANDOM),
                                   ROW(spn_start, SPN_START_GIVEN),
                                   ROW(spn_target, SPN_TARGET_ALL),
                                   ROW(spn_stop, SPN_STOP_REQUEST),
                                   ROW(spn_law_method, SPN_LAW_TRANSFORM),
                                   ROW(spn_flip_mode, SPN_FLIP_DRAWS),
                                   ROW(spn_export_format, SPN_EXPORT_ONNX),
                                   ROW(spn_export_input, SPN_INPUT_UINT8),
                                   ROW(spn_train_set, SPN_SET_TEST)};

static void check_names(const enum_names *e)
{
    spn_error err = {0};
    int count = 0;
    for (; e->name(count); count++) {
        int value = -1;
        assert_true(e->name(count)[0]);
        assert_ok(e->parse(&value, e->name(count), &err), err);
        if (value != count)
            fail_msg("%s: '%s' is %d, not %d", e->what, e->name(count), value, count);
    }
    if (count < e->count)
        fail_msg("%s: %d values have a name, of at least %d", e->what, count, e->count);
    assert_null(e->name(-1));
}

/* A slip gets the nearest name, a stranger all of them; the value stays. */
static void check_errors(const enum_names *e)
{
    char slip[64];
    spn_error err = {0};
    int value = 77;
    const char *name = e->name(e->count - 1);
    snprintf(slip, sizeof slip, "%sx", name);
    assert_int_equal(e->parse(&value, slip, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, slip));
    assert_non_null(strstr(err.text, name));
    assert_int_equal(e->parse(&value, "@@@@@@@@@@", &err), SPN_ERROR_ARGUMENT);
    for (int k = 0; e->name(k); k++)
        if (!strstr(err.text, e->name(k)))
            fail_msg("%s: '%s' does not list %s", e->what, err.text, e->name(k));
    assert_int_equal(e->parse(&value, "", &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(value, 77);
}

static void every_enum_has_its_names(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof enums / sizeof enums[0]; k++) {
        check_names(&enums[k]);
        check_errors(&enums[k]);
    }
}

static void steps_have_their_proposals(void **state)
{
    (void)state;
    assert_int_equal(spn_order_proposals(SPN_ORDER_REPLICA_ROUND, 5), 5);
    assert_int_equal(spn_order_proposals(SPN_ORDER_RANDOM, 5), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_enum_has_its_names),
                                       cmocka_unit_test(steps_have_their_proposals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

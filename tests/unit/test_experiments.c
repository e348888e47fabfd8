/* The specifications in experiments/: each can be parsed, and what the paper printed lies on its
   grid. */
#include "query/query.h"
#include "support/test.h"

#include <glob.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every file, what it asks for, and how many printed numbers its figures are compared with. */
static const struct {
    const char *name;
    const char *set; /* data that are always there */
    size_t jobs, figures, printed;
} experiments[] = {
    {"beta-grid", "data=digits", 5 * 6 * 10, 5, 30 + 4 * 25},
    {"gamma", "data=digits", 2 * 8 * 10, 11, 2 * 12 + 4 * 16 + 8},
    {"gamma-schedule", "data=digits", 5 * 10, 5, 0},
    {"kernel", "data=digits", 3 * 3 * 10, 4, 0},
    {"kernel-cost", "data=digits", 2 * 3 * 10, 2, 0},
    {"logit-scale", "data=digits", 2 * 5 * 10, 3, 0},
    {"robustness", "data=digits", 3 * 6 * 10, 4, 0},
    {"robustness-draws", "data=digits", 2 * 4 * 10, 2, 2 * 4 * 17},
    {"starts", "data=digits", 2 * 3 * 10, 4, 0},
    {"synthetic", NULL, 4 * 1000, 3, 40},
    {"synthetic-3", NULL, 4 * 250, 3, 40},
    {"synthetic-energies", NULL, 5 * 4 * 50, 5, 0},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

/* Whether a share of flips is measured. */
static bool is_flipped(const spn_sweep *sweep, const char *text)
{
    for (size_t k = 0; k < sweep->fixed_count; k++) {
        const char *rest = sweep->fixed[k].text;
        if (strcmp(sweep->fixed[k].name, "flip") != 0)
            continue;
        for (; rest; rest = strchr(rest, ',') ? strchr(rest, ',') + 1 : NULL)
            if (spn_test_strtod(rest, NULL) == spn_test_strtod(text, NULL))
                return true;
    }
    return false;
}

static bool on_axis(const spn_sweep *sweep, const char *name, const char *text)
{
    if (strcmp(name, "flips.p") == 0)
        return is_flipped(sweep, text);
    for (size_t a = 0; a < sweep->axis_count; a++)
        for (size_t k = 0; k < sweep->axes[a].count; k++)
            if (strcmp(sweep->axes[a].setting, name) == 0 &&
                strcmp(sweep->axes[a].values[k], text) == 0)
                return true;
    return false;
}

/* How many numbers a figure is compared with. */
static size_t check_reference(const spn_sweep *sweep, const spn_sweep_figure *figure)
{
    char path[512];
    spn_error err = {0};
    spn_reference reference;
    if (!figure->reference)
        return 0;
    snprintf(path, sizeof path, "%s/../experiments/%s", SPN_TESTS, figure->reference);
    assert_ok(spn_reference_read(&reference, path, figure, &err), err);
    for (size_t k = 0; k < reference.count; k++) {
        assert_true(on_axis(sweep, figure->x, reference.rows[k].x));
        assert_true(on_axis(sweep, figure->by, reference.rows[k].by));
    }
    const size_t count = reference.count;
    spn_reference_clear(&reference);
    return count;
}

static void every_experiment_is_right(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXPERIMENTS; e++) {
        char path[512];
        spn_error err = {0};
        spn_sweep *sweep;
        size_t printed = 0;
        snprintf(path, sizeof path, "%s/../experiments/%s.yaml", SPN_TESTS, experiments[e].name);
        assert_ok(
            spn_sweep_parse(&sweep, path, &experiments[e].set, experiments[e].set ? 1 : 0, &err),
            err);
        assert_string_equal(sweep->name, experiments[e].name);
        assert_int_equal(spn_sweep_jobs(sweep), experiments[e].jobs);
        assert_int_equal(sweep->figure_count, experiments[e].figures);
        for (size_t k = 0; k < sweep->figure_count; k++)
            printed += check_reference(sweep, &sweep->figures[k]);
        assert_int_equal(printed, experiments[e].printed);
        spn_sweep_free(sweep);
    }
}

static void none_is_left_out(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(SPN_TESTS "/../experiments/*.yaml", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, EXPERIMENTS);
    globfree(&found);
}

/* Every point of a study can be planned. A file that joins the folders of others is no sweep. */
static size_t check_study(const char *pattern, const char *set)
{
    glob_t found;
    size_t valid = 0, joins = 0;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        const spn_status status =
            spn_sweep_parse(&sweep, found.gl_pathv[k], &set, set ? 1 : 0, &err);
        if (status && strstr(err.text, "'join'")) {
            joins++;
            continue;
        }
        assert_ok(status, err);
        valid += spn_sweep_jobs(sweep) > 0;
        spn_sweep_free(sweep);
    }
    assert_int_equal(valid + joins, found.gl_pathc);
    globfree(&found);
    return valid;
}

static void every_study_is_valid(void **state)
{
    (void)state;
    assert_true(check_study(SPN_TESTS "/../experiments/hard/*.yaml", NULL) == 15);
    assert_true(check_study(SPN_TESTS "/../experiments/networks/*.yaml", "data=digits") > 0);
    assert_true(check_study(SPN_TESTS "/../experiments/committee/*.yaml", NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_is_right),
        cmocka_unit_test(none_is_left_out),
        cmocka_unit_test(every_study_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

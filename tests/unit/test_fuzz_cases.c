/* Replays the cases of the fuzzers: seeds, and everything that ever crashed. */
#include "fuzz/targets.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static void replay_file(const char *path, void (*target)(const uint8_t *, size_t))
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    uint8_t *data = malloc(1 << 20);
    assert_non_null(data);
    size_t size = fread(data, 1, 1 << 20, file);
    fclose(file);
    target(data, size);
    free(data);
}

static void replay(const char *reader, void (*target)(const uint8_t *, size_t))
{
    char folder[4096], path[8192];
    snprintf(folder, sizeof folder, "%s/fuzz/cases/%s", SPN_TESTS, reader);
    DIR *cases = opendir(folder);
    assert_non_null(cases);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(cases));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay_file(path, target);
        count++;
    }
    closedir(cases);
    assert_true(count > 0);
}

static void test_csv(void **state)
{
    (void)state;
    replay("csv", spn_fuzz_csv);
}

static void test_svmlight(void **state)
{
    (void)state;
    replay("svmlight", spn_fuzz_svmlight);
}

static void test_idx(void **state)
{
    (void)state;
    replay("idx", spn_fuzz_idx);
}

static void test_npy(void **state)
{
    (void)state;
    replay("npy", spn_fuzz_npy);
}

static void test_graph(void **state)
{
    (void)state;
    replay("graph", spn_fuzz_graph);
}

static void test_problem(void **state)
{
    (void)state;
    replay("problem", spn_fuzz_problem);
}

static void test_npz(void **state)
{
    (void)state;
    replay("npz", spn_fuzz_npz);
}

static void test_columns(void **state)
{
    (void)state;
    replay("columns", spn_fuzz_columns);
}

static void test_model(void **state)
{
    (void)state;
    replay("model", spn_fuzz_model);
}

static void test_manifest(void **state)
{
    (void)state;
    replay("manifest", spn_fuzz_manifest);
}

static void test_sweep(void **state)
{
    (void)state;
    replay("sweep", spn_fuzz_sweep);
}

static void test_spec(void **state)
{
    (void)state;
    replay("spec", spn_fuzz_spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),   cmocka_unit_test(test_svmlight),
        cmocka_unit_test(test_idx),   cmocka_unit_test(test_npy),
        cmocka_unit_test(test_graph), cmocka_unit_test(test_problem),
        cmocka_unit_test(test_npz),   cmocka_unit_test(test_columns),
        cmocka_unit_test(test_model), cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_sweep), cmocka_unit_test(test_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Replays the cases of the fuzzers: seeds, and everything that ever crashed. */
#include "base/number.h"
#include "fuzz/targets.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void target(const uint8_t *data, size_t size);

static const struct {
    const char *name;
    target *run;
} targets[] = {
#define ROW(name) {#name, spn_fuzz_##name},
    SPN_FUZZ_TARGETS(ROW)
#undef ROW
};

enum { TARGETS = sizeof targets / sizeof *targets, MOST_BYTES = 1 << 16 };

/* To memory of exactly its size, so that a read beyond it is caught. */
static void replay_file(const char *path, target *run)
{
    static uint8_t buffer[MOST_BYTES];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    assert_true(size < sizeof buffer);
    uint8_t *data = malloc(size ? size : 1);
    assert_non_null(data);
    memcpy(data, buffer, size);
    run(data, size);
    free(data);
}

static void replay(const char *name, target *run)
{
    char folder[4096], path[8192];
    snprintf(folder, sizeof folder, "%s/fuzz/cases/%s", SPN_TESTS, name);
    DIR *cases = opendir(folder);
    if (!cases)
        fail_msg("there are no cases of %s", name);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(cases));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay_file(path, run);
        count++;
    }
    closedir(cases);
    assert_true(count > 0);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t k = 0; k < TARGETS; k++)
        replay(targets[k].name, targets[k].run);
}

/* Nothing at all, and one byte of each value, are files as well. */
static void test_smallest(void **state)
{
    (void)state;
    for (size_t k = 0; k < TARGETS; k++)
        for (int byte = -1; byte < 256; byte += 17) {
            const uint8_t data[] = {(uint8_t)byte};
            targets[k].run(data, byte >= 0);
        }
}

/* The list of the build and of campaigns has the targets, in their order. */
static void test_list(void **state)
{
    (void)state;
    FILE *list = fopen(SPN_TESTS "/fuzz/fuzzers.txt", "r");
    char line[256], name[32], text[32];
    double share; /* of some less than 1 */
    int length;
    size_t count = 0;
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%31s %31s %d", name, text, &length), 3);
        assert_true(spn_number_parse(&share, text));
        assert_true(share > 0 && length > 0 && count < TARGETS);
        assert_string_equal(name, targets[count++].name);
    }
    fclose(list);
    assert_int_equal(count, TARGETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_smallest), cmocka_unit_test(test_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

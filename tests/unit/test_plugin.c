/* Energies in shared objects: what the template gives, and what is refused. */
#include "support/scratch.h"

#include <link.h>
#include <spinney/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const template = SPN_PLUGINS "/own_energy.so";

/* Changes are differences, commits do not drift, and the values are those of the definition. */
static void the_template_is_an_energy(void **state)
{
    (void)state;
    static const int numbers[] = {4, -5, 6, 7, 8, 11};
    enum { N = 6 };
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_energy_load(&energy, template, "4,-5, 6 7,8,11", NULL, &err), err);
    assert_int_equal(spn_energy_sites(energy), N);
    assert_string_equal(spn_energy_name(energy), "partition");
    assert_true(spn_energy_integral(energy));
    void *cache = aligned_alloc(64, 64);
    int8_t spins[N] = {1, 1, 1, 1, 1, 1};
    spn_energy_attach(energy, cache, spins);
    for (size_t step = 0; step < 500; step++) {
        const size_t site = step * step % N;
        const double before = spn_energy_value(energy, spins);
        const double change = spn_energy_delta(energy, cache, spins, site);
        spins[site] = (int8_t)-spins[site];
        int sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += numbers[i] * spins[i];
        assert_true(spn_energy_value(energy, spins) == (double)(sum * sum));
        assert_true(before + change == (double)(sum * sum));
        assert_true(spn_energy_commit(energy, cache, spins, site) == (double)(sum * sum));
    }
    free(cache);
    spn_energy_free(energy);
}

/* Two of them at once, one freed before the other: the code stays as long as it is needed. */
static void energies_outlive_each_other(void **state)
{
    spn_error err = {0};
    spn_energy *first, *second;
    const int8_t spins[] = {1, 1, -1};
    const char *file = spn_scratch_text(state, "numbers.txt", "1 2\n4\n");
    assert_ok(spn_energy_load(&first, template, "1,2,3", NULL, &err), err);
    assert_ok(spn_energy_load(&second, template, NULL, file, &err), err);
    assert_true(spn_energy_value(first, spins) == 0);
    spn_energy_free(first);
    assert_true(spn_energy_value(second, spins) == 1);
    spn_energy_free(second);
}

static void bad_plugins_are_refused(void **state)
{
    static const struct {
        const char *name, *options, *part;
        spn_status status;
    } cases[] = {
        {"none.so", "", "cannot be opened: No such file", SPN_ERROR_IO},
        {"newer_energy.so", "", "has version 2, and this spinney knows 1 to 1", SPN_ERROR_INPUT},
        {"small_energy.so", "", "says that it has 24 bytes; version 1 has 32", SPN_ERROR_INPUT},
        {"empty_energy.so", "", "its table `spinney_energy` has no create", SPN_ERROR_INPUT},
        {"partial_energy.so", "", "an energy needs a name and the function energy",
         SPN_ERROR_INPUT},
        {"silent_energy.so", "", "create failed and did not say why", SPN_ERROR_ARGUMENT},
        {"talking_energy.so", "", "two lines", SPN_ERROR_ARGUMENT},
        {"nameless_energy.so", "", "has no table `spinney_energy`", SPN_ERROR_INPUT},
        {"own_energy.so", "", "no numbers", SPN_ERROR_ARGUMENT},
        {"own_energy.so", "1,x", "not whole numbers, or too many: x", SPN_ERROR_ARGUMENT},
        {"own_energy.so", "1,99999999999999999999", "too large", SPN_ERROR_ARGUMENT}};
    spn_error err = {0};
    spn_energy *energy;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", SPN_PLUGINS, cases[k].name);
        const spn_status status = spn_energy_load(&energy, path, cases[k].options, NULL, &err);
        assert_error(status, &err, cases[k].status, path, cases[k].part);
        assert_null(energy);
    }
    const char *text = spn_scratch_text(state, "text.so",
                                        "not a shared object, but long enough "
                                        "that its head could be one of them");
    assert_error(spn_energy_load(&energy, text, NULL, NULL, &err), &err, SPN_ERROR_INPUT, text,
                 "is no shared object that can be loaded");
}

/* Where the segments of a shared object end in its file; sections that nobody loads follow, among
   them what a debugger reads. */
static size_t segments_end(const char *bytes)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    size_t end = 0;
    memcpy(&head, bytes, sizeof head);
    for (size_t k = 0; k < head.e_phnum; k++) {
        memcpy(&part, bytes + head.e_phoff + k * sizeof part, sizeof part);
        if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end)
            end = part.p_offset + part.p_filesz;
    }
    return end;
}

/* A file that was cut off is refused; dlopen maps it, and the program would die of SIGBUS. */
static void cut_off_plugins_are_refused(void **state)
{
    static char bytes[1 << 20];
    FILE *from = fopen(template, "rb");
    assert_non_null(from);
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    assert_true(size > 4096 && size < sizeof bytes);
    const size_t end = segments_end(bytes);
    assert_in_range(end, 1024, size);
    const char *path = spn_scratch_text(state, "cut.so", "");
    for (size_t k = 1; k <= 8; k++) {
        spn_error err = {0};
        spn_energy *energy;
        FILE *to = fopen(path, "wb");
        assert_non_null(to);
        const size_t kept = k * end / 8 - 1;
        assert_int_equal(fwrite(bytes, 1, kept, to), kept);
        assert_int_equal(fclose(to), 0);
        assert_error(spn_energy_load(&energy, path, "1,2", NULL, &err), &err, SPN_ERROR_INPUT, path,
                     "is cut off");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_template_is_an_energy),
        scratch_test(energies_outlive_each_other),
        scratch_test(bad_plugins_are_refused),
        scratch_test(cut_off_plugins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

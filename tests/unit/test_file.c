/* Output files: whole or not at all, under a temporary name that nobody can foresee. */
#include "base/file.h"
#include "support/scratch.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* The temporary file of `name` in the folder of path; how many there are. */
static size_t find_parts(char out[256], const char *path)
{
    char folder[512];
    size_t count = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        if (ends_with(entry->d_name, ".part")) {
            snprintf(out, 256, "%.255s", entry->d_name);
            count++;
        }
    closedir(entries);
    return count;
}

static void test_appears_whole(void **state)
{
    const char *path = spn_scratch_path(state, "out.txt");
    char part[256], again[256];
    struct stat info;
    spn_error err = {0};
    spn_file *file;
    assert_ok(spn_file_create(&file, path, &err), err);
    fputs("text", spn_file_stream(file));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(find_parts(part, path), 1);
    assert_ok(spn_file_commit(file, &err), err);
    assert_int_equal(find_parts(again, path), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 4);
    const mode_t mask = umask(022);
    umask(mask);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
    /* the next one has another name, and nothing is left of one that is discarded */
    assert_ok(spn_file_create(&file, path, &err), err);
    assert_int_equal(find_parts(again, path), 1);
    assert_string_not_equal(part, again);
    spn_file_discard(file);
    assert_int_equal(find_parts(again, path), 0);
}

/* A link under the name of a process, as names once were, is neither followed nor removed. */
static void test_planted_link(void **state)
{
    const char *victim = spn_scratch_text(state, "victim", "precious");
    const char *path = spn_scratch_path(state, "out.txt");
    char link[600];
    struct stat info;
    spn_error err = {0};
    spn_file *file;
    snprintf(link, sizeof link, "%s.%ld.part", path, (long)getpid());
    assert_int_equal(symlink(victim, link), 0);
    assert_ok(spn_file_create(&file, path, &err), err);
    fputs("x", spn_file_stream(file));
    assert_ok(spn_file_commit(file, &err), err);
    assert_int_equal(stat(victim, &info), 0);
    assert_int_equal(info.st_size, 8);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(unlink(link), 0);
}

static void test_where_it_cannot_be(void **state)
{
    const char *path = spn_scratch_path(state, "no/such/folder");
    spn_error err = {0};
    spn_file *file;
    assert_error(spn_file_create(&file, path, &err), &err, SPN_ERROR_IO,
                 "cannot be written: No such", "");
    assert_null(file);
    assert_ok(spn_file_create(&file, "/dev/null", &err), err);
    fputs("x", spn_file_stream(file));
    assert_ok(spn_file_commit(file, &err), err);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_appears_whole),
                                       scratch_test(test_planted_link),
                                       scratch_test(test_where_it_cannot_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

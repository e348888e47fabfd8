/* The folder of a sweep: the right one, locked, with its reference files, tidied. */
#include "support/scratch.h"
#include "sweep/folder.h"

#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char small[] =
    "{\"format\": 1, \"version\": \"0.3.0\", \"name\": \"a\", \"task\": \"train\", \"seed\": 1, "
    "\"runs\": 2, \"settings\": {\"data\": \"digits\", \"steps\": \"9000\", \"flip\": \"0,0.1\", "
    "\"trials\": \"10\", \"profile-reach\": \"0.1\"}, \"grid\": ["
    "{\"setting\": \"gamma\", \"values\": [\"0\", \"0.5\"]}, "
    "{\"setting\": \"replicas\", \"values\": [\"1\", \"3\"]}], "
    "\"measure\": {}, \"figures\": [{\"name\": \"f\", "
    "\"x\": \"gamma\", \"value\": \"test_accuracy\", \"lines\": true}]}";

static spn_sweep *make_sweep(void)
{
    spn_sweep *sweep;
    spn_error err = {0};
    assert_ok(spn_sweep_from_text(&sweep, small, strlen(small), "small", &err), err);
    return sweep;
}

static void replace(char **text, const char *other)
{
    free(*text);
    assert_non_null(*text = strdup(other));
}

/* The folder, and what may be in it at the end. */
static const char *folder_path(void **state)
{
    static const char *const names[] = {"s/sweep.json",
                                        "s/running",
                                        "s/running/lock",
                                        "s/reference",
                                        "s/lock",
                                        "s/manifest.jsonl",
                                        "s/reference/a.csv",
                                        "s/manifest-shard-1-of-2.jsonl",
                                        "s/manifest-shard-1-of-4.jsonl.old"};
    const char *folder = spn_scratch_path(state, "s");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        spn_scratch_path(state, names[k]);
    return folder;
}

static bool exists(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void touch(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static int enter(const char *folder, const spn_sweep *sweep)
{
    int lock;
    spn_error err = {0};
    assert_ok(spn_folder_enter(&lock, folder, sweep, 1, NULL, &err), err);
    assert_true(lock >= 0);
    return lock;
}

static void test_enter_and_leave(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    bool found = true;
    assert_ok(spn_folder_check(&found, folder, sweep, &err), err);
    assert_false(found);
    spn_folder_leave(enter(folder, sweep), folder, false);
    assert_ok(spn_folder_check(&found, folder, sweep, &err), err);
    assert_true(found);
    assert_false(exists(folder, "running"));
    int lock = enter(folder, sweep);
    touch(folder, "running/0000000000000001.checkpoint");
    spn_folder_leave(lock, folder, false);
    assert_true(exists(folder, "running/0000000000000001.checkpoint"));
    spn_folder_leave(enter(folder, sweep), folder, true);
    assert_false(exists(folder, "running"));
    spn_sweep_free(sweep);
}

/* The sweep may grow; its figures may change. */
static void test_grown(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *before = make_sweep(), *now = make_sweep();
    spn_error err = {0};
    now->runs = 3;
    replace(&now->figures[0].value, "train_loss");
    replace(&now->name, "other");
    assert_ok(spn_folder_compare(folder, before, now, &err), err);
    assert_error(spn_folder_compare(folder, now, before, &err), &err, SPN_ERROR_INPUT,
                 "its number of runs is 3, here it is 2", folder);
    before->axes[0].count = 1;
    assert_ok(spn_folder_compare(folder, before, now, &err), err);
    assert_error(spn_folder_compare(folder, now, before, &err), &err, SPN_ERROR_INPUT,
                 "its gamma is 0,0.5, here it is 0;", folder);
    before->axes[0].count = 2;
    spn_sweep_free(before);
    spn_sweep_free(now);
}

static void test_other_sweep(void **state)
{
    const char *folder = folder_path(state);
    spn_error err = {0};
    for (int change = 0; change < 6; change++) {
        static const char *const expected[] = {
            "its task is train, here it is anneal", "its seed is 1, here it is 2",
            "its steps is 9000, here it is 8000",   "its gamma is 0,0.5, here it is 0,0.6",
            "its flip is 0,0.1, here it is 0,0.2",  "its data is digits, here it is not given",
        };
        spn_sweep *before = make_sweep(), *now = make_sweep();
        if (change == 0)
            replace(&now->task, "anneal");
        now->seed += change == 1;
        if (change == 2)
            replace(&now->fixed[1].text, "8000");
        if (change == 3)
            replace(&now->axes[0].values[1], "0.6");
        if (change == 4)
            replace(&now->fixed[2].text, "0,0.2");
        if (change == 5)
            replace(&now->fixed[0].name, "labels");
        assert_error(spn_folder_compare(folder, before, now, &err), &err, SPN_ERROR_INPUT,
                     expected[change], "give another folder");
        spn_sweep_free(before);
        spn_sweep_free(now);
    }
}

/* A file that was changed between two starts. */
static void test_other_files(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *before = make_sweep(), *now = make_sweep(), *read;
    spn_input_sum theirs[] = {{"data", "a.csv", 1}, {"labels", "a.csv", 2}};
    spn_input_sum ours[] = {{"data", "b.csv", 9}, {"data", "a.csv", 1}, {"labels", "a.csv", 2}};
    spn_sweep with = *before, without = *before, later = *now;
    spn_error err = {0};
    with.file_count = 2;
    with.files = theirs;
    later.file_count = 3;
    later.files = ours;
    assert_ok(spn_folder_compare(folder, &with, &later, &err), err);
    assert_ok(spn_folder_compare(folder, &without, &later, &err), err); /* of an older version */
    ours[2].checksum = 0xab;
    assert_error(spn_folder_compare(folder, &with, &later, &err), &err, SPN_ERROR_INPUT,
                 "its labels a.csv had another content (checksum 0000000000000002, here "
                 "00000000000000ab); give another folder",
                 folder);
    /* an older folder gets checksums when it is entered, and then holds on to them */
    spn_folder_leave(enter(folder, &without), folder, false);
    spn_folder_leave(enter(folder, &with), folder, false);
    assert_ok(spn_sweep_read(&read, folder, &err), err);
    assert_int_equal(read->file_count, 2);
    bool found;
    assert_error(spn_folder_check(&found, folder, &later, &err), &err, SPN_ERROR_INPUT,
                 "its labels a.csv had another content", folder);
    spn_sweep_free(read);
    spn_sweep_free(before);
    spn_sweep_free(now);
}

static void test_other_version(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    bool found;
    int lock;
    replace(&sweep->version, "0.0.1");
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    assert_error(spn_folder_check(&found, folder, sweep, &err), &err, SPN_ERROR_INPUT,
                 "was written by spinney 0.0.1, this is " SPN_VERSION, ": results may differ");
    assert_error(spn_folder_enter(&lock, folder, sweep, 1, NULL, &err), &err, SPN_ERROR_INPUT,
                 "0.0.1", "");
    assert_int_equal(lock, -1);
    assert_false(exists(folder, "running"));
    replace(&sweep->version, SPN_VERSION "+gabcdef0"); /* another commit of this release */
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    assert_ok(spn_folder_check(&found, folder, sweep, &err), err);
    assert_true(found);
    spn_sweep_free(sweep);
}

static void test_other_instructions(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    bool found;
    replace(&sweep->version, spn_version());
    assert_non_null(sweep->instructions = strdup("abacus"));
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    assert_error(spn_folder_check(&found, folder, sweep, &err), &err, SPN_ERROR_INPUT,
                 "was started with the instruction set abacus, this machine uses ",
                 "give another folder, or continue there");
    replace(&sweep->instructions, spn_instruction_set());
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    assert_ok(spn_folder_check(&found, folder, sweep, &err), err);
    spn_sweep_free(sweep);
}

static void test_not_a_folder_of_ours(void **state)
{
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    bool found;
    int lock;
    const char *file = spn_scratch_text(state, "file", "text");
    assert_error(spn_folder_check(&found, file, sweep, &err), &err, SPN_ERROR_IO, "is a file",
                 file);
    const char *below = spn_scratch_path(state, "file/below");
    assert_error(spn_folder_check(&found, below, sweep, &err), &err, SPN_ERROR_IO,
                 "Not a directory", below);
    const char *folder = folder_path(state);
    assert_int_equal(mkdir(folder, 0777), 0);
    spn_folder_leave(enter(folder, sweep), folder, false);
    spn_scratch_path(state, "s/thesis.tex");
    touch(folder, "thesis.tex");
    spn_folder_leave(enter(folder, sweep), folder, false); /* it has a sweep by now */
    char path[256];
    snprintf(path, sizeof path, "%s/sweep.json", folder);
    assert_int_equal(unlink(path), 0);
    assert_error(spn_folder_enter(&lock, folder, sweep, 1, NULL, &err), &err, SPN_ERROR_INPUT,
                 "holds thesis.tex, but no sweep", folder);
    spn_sweep_free(sweep);
}

/* Another process enters; ours: a lock of this one that it is not to inherit, or -1. */
static pid_t start_other_process(const char *folder, const spn_sweep *sweep, size_t shards,
                                 int ours)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int lock;
        close(ours);
        _exit(spn_folder_enter(&lock, folder, sweep, shards, NULL, NULL) != SPN_OK);
    }
    return child;
}

static bool could_enter(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool other_process_enters(const char *folder, const spn_sweep *sweep, size_t shards)
{
    return could_enter(start_other_process(folder, sweep, shards, -1));
}

/* A shard that merges has the folder for itself for as long as that takes; another one waits. */
static void test_wait_for_shard(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    int lock;
    assert_ok(spn_folder_enter(&lock, folder, sweep, 2, NULL, &err), err);
    assert_true(spn_folder_lock_alone(lock));
    const pid_t child = start_other_process(folder, sweep, 2, lock);
    sleep(1); /* on a busy machine it may come later, and then waits less */
    spn_folder_leave(lock, folder, false);
    assert_true(could_enter(child));
    spn_sweep_free(sweep);
}

static void test_lock(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    int lock = enter(folder, sweep), second;
    assert_false(other_process_enters(folder, sweep, 1));
    assert_false(other_process_enters(folder, sweep, 2));
    assert_error(spn_folder_enter(&second, folder, sweep, 1, NULL, &err), &err, SPN_ERROR_ARGUMENT,
                 "another spinney is at work in this folder", folder);
    spn_folder_leave(lock, folder, false);
    assert_ok(spn_folder_enter(&lock, folder, sweep, 3, NULL, &err), err);
    assert_true(other_process_enters(folder, sweep, 3));
    assert_false(other_process_enters(folder, sweep, 2));
    assert_false(other_process_enters(folder, sweep, 1));
    assert_ok(spn_folder_enter(&second, folder, sweep, 3, NULL, &err), err);
    spn_folder_leave(second, folder, true); /* not alone: what is running stays */
    assert_true(exists(folder, "running/lock"));
    spn_folder_leave(lock, folder, false);
    assert_true(other_process_enters(folder, sweep, 1));
    assert_true(other_process_enters(folder, sweep, 2));
    spn_sweep_free(sweep);
}

/* How a folder was divided is known as long as finished runs of shards are in it; one process may
   take over all that is left. */
static void test_divided(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    int lock, second;
    assert_ok(spn_folder_enter(&lock, folder, sweep, 2, NULL, &err), err);
    assert_error(spn_folder_enter(&second, folder, sweep, 3, NULL, &err), &err, SPN_ERROR_ARGUMENT,
                 "is being filled by shards of 2, not of 3; give a shard of 2", folder);
    spn_folder_leave(lock, folder, false);
    touch(folder, "manifest-shard-1-of-2.jsonl"); /* nothing was finished */
    touch(folder, "manifest-shard-1-of-4.jsonl.old");
    assert_ok(spn_folder_enter(&lock, folder, sweep, 3, NULL, &err), err);
    spn_folder_leave(lock, folder, false);
    spn_scratch_text(state, "s/manifest-shard-1-of-2.jsonl", "{}\n");
    assert_error(spn_folder_enter(&lock, folder, sweep, 3, NULL, &err), &err, SPN_ERROR_ARGUMENT,
                 "was divided into 2 shards", "or no shard to do all that is left");
    assert_int_equal(lock, -1);
    assert_false(exists(folder, "running"));
    assert_ok(spn_folder_enter(&lock, folder, sweep, 2, NULL, &err), err);
    spn_folder_leave(lock, folder, false);
    assert_ok(spn_folder_enter(&lock, folder, sweep, 1, NULL, &err), err);
    spn_folder_leave(lock, folder, false);
    spn_sweep_free(sweep);
}

/* Enter, tell how that went, and stay until `stay` is closed. */
static void starter(const char *folder, const spn_sweep *sweep, char number, int tell, int stay)
{
    int lock;
    char byte = spn_folder_enter(&lock, folder, sweep, (size_t)number, NULL, NULL) ? 0 : number;
    const bool told = write(tell, &byte, 1) == 1;
    while (read(stay, &byte, 1) > 0)
        ;
    _exit(told ? 0 : 1);
}

/* Of many that start at once, only shards of one number get in, and all of these. */
static void test_start_at_once(void **state)
{
    enum { STARTERS = 12, NUMBERS = 3 };
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    int tell[2], stay[2];
    size_t entered[2 + NUMBERS] = {0};
    assert_int_equal(pipe(tell), 0);
    assert_int_equal(pipe(stay), 0);
    for (int k = 0; k < STARTERS; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(stay[1]);
            starter(folder, sweep, (char)(2 + k % NUMBERS), tell[1], stay[0]);
        }
    }
    for (int k = 0; k < STARTERS; k++) {
        char number;
        assert_int_equal(read(tell[0], &number, 1), 1);
        entered[(size_t)number]++;
    }
    close(stay[1]);
    for (int k = 0; k < STARTERS; k++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal((entered[2] > 0) + (entered[3] > 0) + (entered[4] > 0), 1);
    assert_int_equal(entered[0], STARTERS - STARTERS / NUMBERS);
    close(stay[0]);
    close(tell[0]);
    close(tell[1]);
    spn_sweep_free(sweep);
}

static void test_references(void **state)
{
    const char *folder = folder_path(state);
    const char *data = spn_scratch_path(state, "data");
    assert_int_equal(mkdir(data, 0777), 0);
    const char *file = spn_scratch_text(state, "data/a.csv", "gamma,test_accuracy\n0,0.9\n");
    const char *specification = spn_scratch_path(state, "sweep.yaml");
    spn_sweep *sweep = make_sweep(), *read;
    spn_error err = {0};
    int lock;
    sweep->figures[0].reference = strdup("data/a.csv");
    assert_error(spn_folder_enter(&lock, folder, sweep, 1, "else/where.yaml", &err), &err,
                 SPN_ERROR_IO, "else/data/a.csv", "No such file");
    assert_false(exists(folder, ""));
    assert_ok(spn_folder_enter(&lock, folder, sweep, 1, specification, &err), err);
    spn_folder_leave(lock, folder, false);
    assert_true(exists(folder, "reference/a.csv"));
    assert_ok(spn_sweep_read(&read, folder, &err), err);
    assert_string_equal(read->figures[0].reference, "a.csv");
    spn_sweep_free(read);
    replace(&sweep->figures[0].reference, file); /* the same file by another name */
    assert_ok(spn_folder_enter(&lock, folder, sweep, 1, specification, &err), err);
    spn_folder_leave(lock, folder, false);
    spn_sweep_free(sweep);
}

static void test_references_of_one_name(void **state)
{
    spn_sweep *sweep = make_sweep();
    spn_error err = {0};
    spn_sweep_figure figures[2] = {sweep->figures[0], sweep->figures[0]};
    spn_sweep two = *sweep;
    char first[300], second[300];
    assert_int_equal(mkdir(spn_scratch_path(state, "d"), 0777), 0);
    const char *inside = spn_scratch_text(state, "d/a.csv", "1");
    const char *outside = spn_scratch_text(state, "a.csv", "2");
    snprintf(first, sizeof first, "%s", inside);
    snprintf(second, sizeof second, "%s", outside);
    figures[0].reference = first;
    figures[1].reference = second;
    two.figure_count = 2;
    two.figures = figures;
    assert_error(spn_folder_copy_references("", &two, NULL, &err), &err, SPN_ERROR_INPUT,
                 "have the same name", second);
    figures[1].reference = first;
    assert_ok(spn_folder_copy_references("", &two, NULL, &err), err);
    spn_sweep_free(sweep);
}

static void test_tidy(void **state)
{
    const char *folder = folder_path(state);
    spn_sweep *sweep = make_sweep();
    const uint64_t finished[] = {0x11, 0x22};
    int lock = enter(folder, sweep);
    touch(folder, "running/0000000000000011.checkpoint");
    touch(folder, "running/0000000000000033.checkpoint");
    touch(folder, "running/0000000000000033.checkpoint.77.part");
    touch(folder, "manifest.jsonl.77.part");
    spn_folder_tidy(folder, finished, 2, false);
    assert_false(exists(folder, "running/0000000000000011.checkpoint"));
    assert_true(exists(folder, "running/0000000000000033.checkpoint"));
    assert_true(exists(folder, "running/0000000000000033.checkpoint.77.part"));
    spn_folder_tidy(folder, finished, 2, true);
    assert_true(exists(folder, "running/0000000000000033.checkpoint"));
    assert_false(exists(folder, "running/0000000000000033.checkpoint.77.part"));
    assert_false(exists(folder, "manifest.jsonl.77.part"));
    spn_folder_leave(lock, folder, true);
    spn_sweep_free(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_enter_and_leave),
        scratch_test(test_grown),
        scratch_test(test_other_sweep),
        scratch_test(test_other_files),
        scratch_test(test_other_version),
        scratch_test(test_other_instructions),
        scratch_test(test_not_a_folder_of_ours),
        scratch_test(test_lock),
        scratch_test(test_wait_for_shard),
        scratch_test(test_divided),
        scratch_test(test_start_at_once),
        scratch_test(test_references),
        scratch_test(test_references_of_one_name),
        scratch_test(test_tidy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

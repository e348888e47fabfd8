/* Checkpoints: a state and the settings that it belongs to. */
#include "record/record.h"
#include "support/scratch.h"

#include <stdio.h>
#include <string.h>

/* Write a checkpoint with these settings and read it back. */
static spn_checkpoint again(void **state, const char *settings)
{
    const char *path = spn_scratch_path(state, "c");
    char text[128], bytes[] = "state";
    spn_error err = {0};
    spn_checkpoint made = {.settings = text, .state = bytes, .state_size = 5, .step = 7}, read;
    snprintf(text, sizeof text, "%s", settings);
    assert_ok(spn_checkpoint_write(&made, path, &err), err);
    assert_ok(spn_checkpoint_read(&read, path, &err), err);
    return read;
}

static void check_match(void **state, const char *theirs, const char *ours, const char *why)
{
    spn_checkpoint c = again(state, theirs);
    spn_error err = {0};
    const spn_status status = spn_checkpoint_match(&c, ours, "c", &err);
    if (why)
        assert_error(status, &err, SPN_ERROR_INPUT, "c: the checkpoint is of another run", why);
    else
        assert_ok(status, err);
    spn_checkpoint_clear(&c);
}

static void test_comes_back(void **state)
{
    spn_checkpoint c = again(state, "a 1\nb 2\n");
    assert_string_equal(c.settings, "a 1\nb 2\n");
    assert_int_equal(c.step, 7);
    assert_int_equal(c.state_size, 5);
    assert_memory_equal(c.state, "state", 5);
    spn_checkpoint_clear(&c);
}

static void test_settings_that_differ(void **state)
{
    check_match(state, "a 1\nb 2\n", "a 1\nb 2\n", NULL);
    check_match(state, "a 1\nb 2\n", "a 1\nb 3\n", "its b is 2, here it is 3;");
    check_match(state, "a 1\n", "a 1\nb 3\n", "its b is nothing, here it is 3;");
    check_match(state, "a 1\nb 2\n", "a 1\n", "its b is 2, here it is nothing;");
}

/* Settings that end early, under a checksum that fits: nothing is read beyond them. */
static void test_settings_that_end_early(void **state)
{
    check_match(state, "a 1\nb", "a 1\nb 3\n", "its b is nothing, here it is 3;");
    check_match(state, "a 1\nb", "a 1\n", "its b is , here it is nothing;");
    check_match(state, "", "a 1\n", "its a is nothing, here it is 1;");
}

static void test_no_file(void **state)
{
    spn_checkpoint c;
    spn_error err = {0};
    const char *path = spn_scratch_text(state, "text", "no checkpoint");
    assert_error(spn_checkpoint_read(&c, path, &err), &err, SPN_ERROR_INPUT, "not a checkpoint",
                 "");
    assert_error(spn_checkpoint_read(&c, "/tmp", &err), &err, SPN_ERROR_IO, "/tmp: is not a file",
                 "");
}

/* One of spinney 0.3, whose version was 2: refused by name of the file, with what to do. */
static void test_older_ones_are_refused(void **state)
{
    const uint64_t head[4] = {2, 0, 0, 8192}; /* version, sizes of settings and state, steps */
    char bytes[48] = "SPNCHKP";
    spn_checkpoint c;
    spn_error err = {0};
    (void)state;
    memcpy(bytes + 8, head, sizeof head);
    assert_error(spn_checkpoint_parse(&c, bytes, sizeof bytes, "run.ckpt", &err), &err,
                 SPN_ERROR_INPUT, "run.ckpt: ", "spinney 0.3 or earlier");
    assert_non_null(strstr(err.text, "start the run again without it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_comes_back), scratch_test(test_settings_that_differ),
        scratch_test(test_settings_that_end_early), scratch_test(test_no_file),
        scratch_test(test_older_ones_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Manifests: lines that read back, torn and edited files. */
#include "record/manifest.h"
#include "record/record.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- reading back ---- */

static void test_round_trip(void **state)
{
    const size_t jobs[] = {7, 2, 0, 5};
    const size_t sorted[] = {0, 2, 5, 7};
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, jobs, 2);
    spn_test_append(folder, "a", jobs + 2, 2);
    spn_records *records = spn_test_read(folder);
    assert_int_equal(records->count, 4);
    assert_int_equal(records->torn, 0);
    for (size_t k = 0; k < 4; k++) {
        spn_record expected = spn_test_record(sorted[k]);
        spn_assert_records_equal(&records->records[k], &expected);
        spn_record_clear(&expected);
    }
    spn_records_free(records);
}

static void test_no_manifest(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 0, 0);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 0); /* made, and empty */
    spn_assert_jobs(folder, SPN_ALL_JOBS, 0, 0);
}

/* A run that the grid does not hold goes last, as it stands in the files. */
static void test_order(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records_writer *writer;
    const size_t jobs[] = {6, 3, 1};
    assert_ok(spn_records_open(&writer, folder, "a", &err), err);
    for (uint64_t k = 0; k < 2; k++) {
        spn_record stranger = spn_test_record(0);
        stranger.key = 100 + k;
        stranger.run = 9 - k;
        assert_ok(spn_record_add_setting(&stranger, "gamma", "77", &err), err);
        assert_ok(spn_records_append(writer, &stranger, &err), err);
        spn_record_clear(&stranger);
    }
    spn_records_close(writer);
    spn_test_append(folder, "b", jobs, 3);
    spn_records *records = spn_test_read(folder);
    const uint64_t expected[] = {spn_test_keys()[1], spn_test_keys()[3], spn_test_keys()[6], 100,
                                 101};
    assert_int_equal(records->count, 5);
    for (size_t k = 0; k < 5; k++)
        assert_true(records->records[k].key == expected[k]);
    spn_records_free(records);
}

/* ---- torn ---- */

/* Where the last of the lines starts. */
static size_t last_line(const char *bytes, size_t size)
{
    const char *end = memrchr(bytes, '\n', size - 1);
    assert_non_null(end);
    return (size_t)(end - bytes) + 1;
}

/* A record that is short, as every byte of it is to be the last. */
static void append_short(const char *folder)
{
    spn_error err = {0};
    spn_records_writer *writer;
    const spn_record record = {.key = 7, .run = 1};
    assert_ok(spn_records_open(&writer, folder, NULL, &err), err);
    assert_ok(spn_records_append(writer, &record, &err), err);
    spn_records_close(writer);
}

static void test_torn_anywhere(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 2);
    append_short(folder);
    size_t size;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    const size_t start = last_line(bytes, size);
    for (size_t cut = start; cut < size; cut++) {
        spn_test_store(folder, "manifest.jsonl", bytes, cut);
        spn_assert_jobs(folder, SPN_ALL_JOBS, 2, cut > start);
        spn_assert_content(folder, "manifest.jsonl", bytes, cut); /* reading mends nothing */
        append_short(folder);
        spn_assert_content(folder, "manifest.jsonl", bytes, size);
    }
    free(bytes);
}

/* A power cut may leave the new length of a file without its bytes. */
static void test_torn_to_zeros(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 3);
    size_t size;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    const size_t start = last_line(bytes, size);
    char *torn = malloc(size);
    assert_non_null(torn);
    for (size_t zero = start; zero < size; zero += 97) {
        memcpy(torn, bytes, size);
        memset(torn + zero, 0, size - zero);
        spn_test_store(folder, "manifest.jsonl", torn, size);
        spn_assert_jobs(folder, SPN_ALL_JOBS, 2, 1);
        spn_test_append(folder, NULL, SPN_ALL_JOBS + 2, 1);
        spn_assert_content(folder, "manifest.jsonl", bytes, size);
    }
    free(torn);
    free(bytes);
}

/* A torn line that is longer than what is looked at at once, and one that is all there is. */
static void test_torn_long(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 1);
    size_t size;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    memset(bytes + size, 'x', 9000);
    spn_test_store(folder, "manifest.jsonl", bytes, size + 9000);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 1, 1);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 0);
    spn_assert_content(folder, "manifest.jsonl", bytes, size);
    spn_test_store(folder, "manifest.jsonl", bytes + size, 9000);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 0, 1);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 0);
    spn_assert_content(folder, "manifest.jsonl", "", 0);
    free(bytes);
}

/* ---- edited ---- */

static spn_status parse(char *bytes, size_t size, size_t *count, size_t *torn, spn_error *err)
{
    spn_manifests manifests = {0};
    spn_status status = spn_manifests_add(&manifests, bytes, size, "m.jsonl", err);
    *count = manifests.count;
    *torn = manifests.torn;
    spn_manifests_clear(&manifests);
    return status;
}

/* Every other byte at every place of a line. */
static void test_every_change_of_a_line(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 1);
    size_t size, count, torn;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    for (size_t at = 0; at + 1 < size; at++) {
        const char kept = bytes[at];
        for (int value = 0; value < 256; value++) {
            spn_error err = {0};
            if ((char)value == kept)
                continue;
            bytes[at] = (char)value;
            assert_error(parse(bytes, size, &count, &torn, &err), &err, SPN_ERROR_INPUT,
                         "m.jsonl: line ", "delete the line to have its run repeated");
        }
        bytes[at] = kept;
    }
    bytes[size - 1] = ' '; /* the newline: that is a torn line */
    assert_int_equal(parse(bytes, size, &count, &torn, NULL), SPN_OK);
    assert_true(count == 0 && torn == 1);
    free(bytes);
}

/* In the middle of three lines; and bytes that went missing or came. */
static void test_changes_in_a_file(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 3);
    size_t size, count, torn;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size), *edited = malloc(size + 1);
    assert_non_null(edited);
    const size_t last = last_line(bytes, size);
    for (size_t at = 0; at < last; at += 7) {
        spn_error err = {0};
        memcpy(edited, bytes, size);
        edited[at] ^= 1;
        assert_error(parse(edited, size, &count, &torn, &err), &err, SPN_ERROR_INPUT, "line ",
                     "written");
        memcpy(edited + at, bytes + at + 1, size - at - 1);
        assert_error(parse(edited, size - 1, &count, &torn, &err), &err, SPN_ERROR_INPUT, "line ",
                     "written");
        edited[at] = ' ';
        memcpy(edited + at + 1, bytes + at, size - at);
        assert_error(parse(edited, size + 1, &count, &torn, &err), &err, SPN_ERROR_INPUT, "line ",
                     "written");
    }
    free(edited);
    free(bytes);
}

static void test_edited_file(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 3);
    size_t size;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    char *digit = strstr(strchr(bytes, '\n'), "\"test_accuracy\":1.1");
    assert_non_null(digit);
    digit[strlen("\"test_accuracy\":")] = '2';
    spn_test_store(folder, "manifest.jsonl", bytes, size);
    spn_error err = {0};
    spn_records *records;
    assert_error(spn_records_read(&records, folder, &err), &err, SPN_ERROR_INPUT,
                 "sweep/manifest.jsonl: line 2: was changed after it was written; ",
                 "delete the line to have its run repeated");
    assert_null(records);
    /* deleted, with an empty line in its place */
    char *start = strchr(bytes, '\n') + 1, *end = strchr(start, '\n');
    memmove(start, end, size - (size_t)(end - bytes));
    spn_test_store(folder, "manifest.jsonl", bytes, size - (size_t)(end - start));
    const size_t left[] = {0, 2};
    spn_assert_jobs(folder, left, 2, 0);
    spn_test_append(folder, NULL, SPN_ALL_JOBS + 1, 1);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 3, 0);
    free(bytes);
}

/* A line with a right checksum. */
static void expect_line(const char *line, const char *part)
{
    spn_error err = {0};
    char text[1024];
    size_t count, torn;
    snprintf(text, sizeof text, "%s,\"check\":\"%016llx\"}\n", line,
             (unsigned long long)XXH3_64bits(line, strlen(line)));
    spn_status status = parse(text, strlen(text), &count, &torn, &err);
    if (part)
        assert_error(status, &err, SPN_ERROR_INPUT, "m.jsonl: line 1: ", part);
    else
        assert_ok(status, err);
}

static void test_lines(void **state)
{
    (void)state;
#define HEAD "{\"key\":\"0123456789abcdef\",\"seed\":1,\"run\":1,"
#define TAIL ",\"version\":\"1\",\"machine\":\"m\",\"finished\":\"\",\"seconds\":null"
#define REST "\"settings\":{},\"results\":{},\"curves\":{}"
    expect_line(HEAD REST TAIL, NULL);
    expect_line("{\"key\":\"0123456789abcde\",\"seed\":1,\"run\":1," REST TAIL, "key is not a");
    expect_line("{\"key\":\"0123456789ABCDEF\",\"seed\":1,\"run\":1," REST TAIL, "key is not a");
    expect_line("{\"key\":\"0123456789abcdef\",\"seed\":-1,\"run\":1," REST TAIL, "seed is not a");
    expect_line("{\"key\":\"0123456789abcdef\",\"seed\":1,\"run\":1.5," REST TAIL, "run is not a");
    expect_line("{\"key\":\"0123456789abcdef\",\"seed\":9223372036854775808,\"run\":1," REST TAIL,
                "is not JSON: too big");
    expect_line("{\"seed\":1,\"run\":1," REST TAIL, "key is missing");
    expect_line(HEAD "\"settings\":{},\"results\":{}" TAIL, "curves is missing");
    expect_line(HEAD REST ",\"more\":1" TAIL, "holds fields");
    expect_line(HEAD REST ",\"run\":1" TAIL, "is not JSON: duplicate");
    expect_line(HEAD "\"settings\":[],\"results\":{},\"curves\":{}" TAIL, "settings is not an obj");
    expect_line(HEAD "\"settings\":{\"a\":1},\"results\":{},\"curves\":{}" TAIL, "a is not a text");
    expect_line(HEAD "\"settings\":{},\"results\":{\"a\":\"b\"},\"curves\":{}" TAIL, NULL);
    expect_line(HEAD "\"settings\":{},\"results\":{\"a\":[]},\"curves\":{}" TAIL, "a is not a nu");
    expect_line(HEAD REST ",\"notes\":[\"a\"]" TAIL ",\"instructions\":\"avx2\"", NULL);
    expect_line(HEAD REST ",\"notes\":{}" TAIL, "notes is not a list");
    expect_line(HEAD REST ",\"notes\":[1]" TAIL, "notes holds what is no text");
    expect_line(HEAD REST TAIL ",\"instructions\":2", "instructions is not a text");
    expect_line(HEAD "\"settings\":{},\"results\":0,\"curves\":{}" TAIL,
                "results is not an object");
    expect_line(HEAD "\"settings\":{},\"results\":{\"a\":1e999},\"curves\":{}" TAIL, "overflow");
    expect_line(HEAD "\"settings\":{},\"results\":{},\"curves\":{\"c\":[]}" TAIL,
                "c is not an obj");
    expect_line(HEAD "\"settings\":{},\"results\":{},\"curves\":1" TAIL, "curves is not an object");
    expect_line(HEAD "\"settings\":{},\"results\":{},\"curves\":{\"c\":{\"x\":[1],\"y\":[]}}" TAIL,
                "y is not a list as long as the curve");
    expect_line(HEAD "\"settings\":{},\"results\":{},\"curves\":{\"c\":{\"x\":[\"1\"]}}" TAIL,
                "x is not a number");
    expect_line("{", "is not JSON");
    expect_line("[1", "is not JSON");
}

/* What cannot be written is refused, and nothing is. */
static void test_refused(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records_writer *writer;
    assert_ok(spn_records_open(&writer, folder, NULL, &err), err);
    spn_record record = spn_test_record(0);
    record.seed = (uint64_t)INT64_MAX + 1;
    assert_error(spn_records_append(writer, &record, &err), &err, SPN_ERROR_ARGUMENT,
                 "9223372036854775808", "below 2^63");
    record.seed = 1;
    assert_ok(spn_record_add_setting(&record, "data", "caf\xe9.csv", &err), err);
    assert_error(spn_records_append(writer, &record, &err), &err, SPN_ERROR_ARGUMENT, "data",
                 "is not UTF-8");
    spn_record_clear(&record);
    spn_records_close(writer);
    spn_assert_content(folder, "manifest.jsonl", "", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_round_trip),
                                       scratch_test(test_no_manifest),
                                       scratch_test(test_order),
                                       scratch_test(test_torn_anywhere),
                                       scratch_test(test_torn_to_zeros),
                                       scratch_test(test_torn_long),
                                       scratch_test(test_every_change_of_a_line),
                                       scratch_test(test_changes_in_a_file),
                                       scratch_test(test_edited_file),
                                       cmocka_unit_test(test_lines),
                                       scratch_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

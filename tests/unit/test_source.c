/* Files in memory: what packed ones may unpack to. */
#include "base/source.h"
#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void limit_of_packed_bytes(void **state)
{
    (void)state;
    assert_int_equal(spn_unpacked_most(0), SPN_UNPACKED_FREE);
    assert_int_equal(spn_unpacked_most(SPN_UNPACKED_FREE / SPN_UNPACKED_RATIO), SPN_UNPACKED_FREE);
    assert_int_equal(spn_unpacked_most(SPN_UNPACKED_FREE / SPN_UNPACKED_RATIO + 1),
                     SPN_UNPACKED_FREE + SPN_UNPACKED_RATIO);
    assert_true(spn_unpacked_most(SIZE_MAX / 2) == SIZE_MAX);
}

/* So many zeros, gzipped. */
static uint8_t *zeros(size_t *size, size_t count)
{
    uint8_t *data = calloc(1, count), *packed = malloc(count / 100 + 1000);
    z_stream z = {.next_in = data,
                  .avail_in = (uInt)count,
                  .next_out = packed,
                  .avail_out = (uInt)(count / 100 + 1000)};
    assert_true(data && packed);
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *size = z.total_out;
    deflateEnd(&z);
    free(data);
    return packed;
}

/* Up to the limit every file is unpacked, whatever its ratio; beyond it is refused, also when it is
   made of members that are small. */
static void bombs(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_source source;
    size_t size;
    uint8_t *packed = zeros(&size, SPN_UNPACKED_FREE);
    assert_ok(spn_source_wrap(&source, "file", packed, size, SIZE_MAX, &err), err);
    assert_int_equal(source.size, SPN_UNPACKED_FREE);
    spn_source_unload(&source);
    free(packed);
    packed = zeros(&size, SPN_UNPACKED_FREE / 2 + 1);
    uint8_t *twice = malloc(2 * size);
    assert_non_null(twice);
    memcpy(twice, packed, size);
    memcpy(twice + size, packed, size);
    assert_error(spn_source_wrap(&source, "file", twice, 2 * size, SIZE_MAX, &err), &err,
                 SPN_ERROR_INPUT, "file: unpacks to more than 67108864 bytes", "gunzip");
    assert_null(source.owned);
    assert_error(spn_source_wrap(&source, "file", packed, size, 1000, &err), &err, SPN_ERROR_INPUT,
                 "file: holds more than the 1000 bytes allowed", "");
    free(twice);
    free(packed);
}

/* Devices that never end are refused; one without bytes is an empty file. */
static void devices(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_source source;
    const char *const endless[] = {"/dev/zero", "/dev/full", "/dev/urandom"};
    for (size_t k = 0; k < 3; k++)
        assert_error(spn_source_load(&source, endless[k], 1 << 20, &err), &err, SPN_ERROR_IO,
                     endless[k], "is a device without an end");
    assert_ok(spn_source_load(&source, "/dev/null", 1 << 20, &err), err);
    assert_int_equal(source.size, 0);
    spn_source_unload(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limit_of_packed_bytes),
                                       cmocka_unit_test(bombs), cmocka_unit_test(devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Images moved by one pixel. */
#include "data/dataset.h"
#include "support/scratch.h"

#include <spinney/dataset.h>
#include <stdlib.h>
#include <string.h>

static spn_dataset *images(size_t samples, size_t width, size_t height, bool real)
{
    spn_dataset_arrays a = spn_dataset_arrays_defaults();
    const size_t cells = samples * width * height;
    uint8_t *bytes = calloc(cells, 1);
    double *values = calloc(cells, sizeof *values);
    uint32_t *labels = calloc(samples, sizeof *labels);
    spn_dataset *d;
    spn_error err = {0};
    assert_true(bytes && values && labels);
    for (size_t j = 0; j < cells; j++) {
        bytes[j] = (uint8_t)(j * 7 % 251 + 1);
        values[j] = (double)bytes[j] + 0.5;
    }
    for (size_t n = 0; n < samples; n++)
        labels[n] = (uint32_t)(n % 2);
    a.samples = samples;
    a.features = width * height;
    a.bytes = real ? NULL : bytes;
    a.values = real ? values : NULL;
    a.labels = labels;
    a.classes = 2;
    a.width = width;
    a.height = height;
    assert_ok(spn_dataset_create(&d, &a, &err), err);
    free(bytes);
    free(values);
    free(labels);
    return d;
}

/* The definition: what is at (x, y) of the copy was at (x - right, y - down). */
static void check_copy(const spn_dataset *all, const spn_dataset *d, size_t copy, int right,
                       int down)
{
    const int width = (int)d->width, height = (int)d->height;
    for (size_t n = 0; n < d->samples; n++) {
        const size_t at = copy * d->samples + n;
        assert_int_equal(all->labels[at], d->labels[n]);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int u = x - right, v = y - down;
                const bool inside = u >= 0 && u < width && v >= 0 && v < height;
                const double expected =
                    inside ? spn_dataset_cell(d, n, (size_t)(v * width + u)) : 0;
                assert_true(spn_dataset_cell(all, at, (size_t)(y * width + x)) == expected);
            }
    }
}

static void check_shifts(size_t samples, size_t width, size_t height, size_t shifts, bool real)
{
    static const int moves[9][2] = {{0, 0},   {0, -1}, {0, 1},  {-1, 0}, {1, 0},
                                    {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    spn_error err = {0};
    spn_dataset *d = images(samples, width, height, real), *all;
    assert_ok(spn_dataset_shifted(&all, d, shifts, &err), err);
    assert_int_equal(all->samples, samples * (shifts + 1));
    assert_int_equal(all->width, width);
    assert_int_equal(all->height, height);
    for (size_t copy = 0; copy <= shifts; copy++)
        check_copy(all, d, copy, moves[copy][0], moves[copy][1]);
    spn_dataset_free(all);
    spn_dataset_free(d);
}

static void copies_are_moved_by_one_pixel(void **state)
{
    (void)state;
    for (size_t shifts = 4; shifts <= 8; shifts += 4)
        for (int real = 0; real < 2; real++) {
            check_shifts(3, 4, 3, shifts, real);
            check_shifts(2, 1, 5, shifts, real);
            check_shifts(2, 5, 1, shifts, real);
            check_shifts(1, 1, 1, shifts, real);
        }
}

static void what_cannot_be_shifted_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *d = images(2, 3, 2, false), *all;
    const size_t wrong[] = {0, 1, 5, 9, SIZE_MAX};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_error(spn_dataset_shifted(&all, d, wrong[k], &err), &err, SPN_ERROR_ARGUMENT,
                     "shifted in 4 or 8 directions", "");
    d->width = d->height = 0;
    assert_error(spn_dataset_shifted(&all, d, 4, &err), &err, SPN_ERROR_ARGUMENT,
                 "not known to be images", "");
    assert_null(all);
    spn_dataset_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_moved_by_one_pixel),
        cmocka_unit_test(what_cannot_be_shifted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

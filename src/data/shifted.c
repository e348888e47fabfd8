/* Images and copies of them moved by one pixel. */
#include "base/memory.h"
#include "base/try.h"
#include "data/dataset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* By how much a copy is moved: to the right, and down. */
typedef struct move {
    int right, down;
} move;

static const move moves[SPN_MOST_SHIFTS] = {{0, -1},  {0, 1},  {-1, 0}, {1, 0},
                                            {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

static spn_status check(const spn_dataset *images, size_t shifts, spn_error *err)
{
    if (shifts != 4 && shifts != SPN_MOST_SHIFTS)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "images are shifted in 4 or %d directions, not %zu", SPN_MOST_SHIFTS,
                        shifts);
    if (images->width == 0 || images->width * images->height != images->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "these samples are not known to be images, whose width and height their "
                        "file says (idx, or npy of 3 dimensions)");
    if (images->samples > SIZE_MAX / (shifts + 1))
        return spn_no_memory(err, "%zu shifts of %zu images", shifts, images->samples);
    return SPN_OK;
}

/* Every image, and behind all of them every image again for each shift. */
static spn_status repeat(spn_dataset **out, const spn_dataset *images, size_t shifts,
                         spn_error *err)
{
    const size_t count = images->samples * (shifts + 1);
    size_t *rows = spn_alloc(count, sizeof *rows);
    if (!rows)
        return spn_no_memory(err, "%zu images", count);
    for (size_t k = 0; k < count; k++)
        rows[k] = k % images->samples;
    const spn_status status = spn_dataset_select(out, images, rows, count, err);
    free(rows);
    return status;
}

/* Move an image of cells of `size` bytes, whose cells of zero bytes are 0. */
static void move_image(unsigned char *out, const unsigned char *image, const spn_dataset *images,
                       size_t size, move by)
{
    const size_t width = images->width, height = images->height, left = width - 1;
    memset(out, 0, width * height * size);
    for (size_t y = 0; y < height; y++) {
        if ((by.down < 0 && y == 0) || (by.down > 0 && y + 1 == height))
            continue;
        const unsigned char *from = image + y * width * size + (by.right < 0 ? size : 0);
        unsigned char *to =
            out + (size_t)((ptrdiff_t)y + by.down) * width * size + (by.right > 0 ? size : 0);
        memcpy(to, from, (by.right ? left : width) * size);
    }
}

spn_status spn_dataset_shifted(spn_dataset **out, const spn_dataset *images, size_t shifts,
                               spn_error *err)
{
    *out = NULL;
    SPN_TRY(check(images, shifts, err));
    SPN_TRY(repeat(out, images, shifts, err));
    assert(*out && !images->copies); /* those are no images */
    const size_t size = images->bytes ? 1 : sizeof *images->values;
    const size_t whole = images->features * size, all = images->samples * whole;
    const unsigned char *from =
        images->bytes ? images->bytes : (const unsigned char *)images->values;
    unsigned char *to = (*out)->bytes ? (*out)->bytes : (unsigned char *)(*out)->values;
    for (size_t s = 0; s < shifts; s++)
        for (size_t n = 0; n < images->samples; n++)
            move_image(to + (s + 1) * all + n * whole, from + n * whole, images, size, moves[s]);
    return SPN_OK;
}

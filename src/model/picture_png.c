/* Weights as a PNG file (RFC 2083): grey, 8 bits, written with zlib directly. */
#include "model/picture.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LIGHT = 255, GROUND = 128, BAR = 64 };

typedef struct image {
    size_t width, height;
    uint8_t *rows; /* each line starts with the byte of its filter, 0 */
} image;

static uint8_t *pixel(const image *i, size_t x, size_t y)
{
    return i->rows + y * (i->width + 1) + 1 + x;
}

/* One cell of the sheet. */
static void fill(const image *sheet, size_t x, size_t y, size_t scale, int shade)
{
    const int grey =
        shade == SPN_SHADE_NONE ? GROUND : (shade + SPN_SHADE_MOST) * LIGHT / (2 * SPN_SHADE_MOST);
    for (size_t line = 0; line < scale; line++)
        memset(pixel(sheet, x * scale, y * scale + line), grey, scale);
}

/* One picture, its corner at cell (left, top) of the sheet; below that of a unit, a line apart, its
   weights to the classes, in their order. */
static void draw(const image *sheet, const spn_picture *picture, const spn_picture_list *list,
                 size_t j, size_t left, size_t top, size_t scale)
{
    const int8_t *weights = spn_picture_weights(list, j);
    for (size_t y = 0; y < picture->height; y++)
        for (size_t x = 0; x < picture->width; x++)
            fill(sheet, left + x, top + y, scale, spn_picture_shade(picture, weights, x, y));
    for (size_t k = 0; list->model->hidden && k < list->model->classes; k++)
        fill(sheet, left + k % picture->width, top + picture->height + 1 + k / picture->width,
             scale, SPN_SHADE_MOST * spn_picture_output(list, j, k));
}

static void put_word(uint8_t *at, size_t value)
{
    for (int b = 0; b < 4; b++)
        at[b] = (uint8_t)(value >> (24 - 8 * b));
}

/* Length, name, content, and the CRC of name and content. */
static void write_chunk(FILE *stream, const char *name, const uint8_t *data, size_t size)
{
    uint8_t word[4];
    put_word(word, size);
    fwrite(word, 1, 4, stream);
    fwrite(name, 1, 4, stream);
    fwrite(data, 1, size, stream);
    uLong sum = crc32(0, (const Bytef *)name, 4);
    sum = crc32(sum, data, (uInt)size);
    put_word(word, sum);
    fwrite(word, 1, 4, stream);
}

static spn_status write_png(FILE *stream, const image *i, spn_error *err)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint8_t head[13] = {[8] = 8}; /* bits; grey, deflate, filters, no interlacing are all 0 */
    put_word(head, i->width);
    put_word(head + 4, i->height);
    const uLong raw = (uLong)(i->height * (i->width + 1));
    uLongf size = compressBound(raw);
    uint8_t *packed = malloc(size);
    if (!packed || compress2(packed, &size, i->rows, raw, 9) != Z_OK) {
        free(packed);
        return spn_no_memory(err, "the picture");
    }
    fwrite(signature, 1, sizeof signature, stream);
    write_chunk(stream, "IHDR", head, sizeof head);
    write_chunk(stream, "IDAT", packed, size);
    write_chunk(stream, "IEND", head, 0);
    free(packed);
    return SPN_OK;
}

/* All of them on one sheet, as square as can be, one cell apart. */
static spn_status draw_sheet(image *out, const spn_picture_list *list, size_t scale, spn_error *err)
{
    const spn_picture picture = spn_picture_of(list->model, BAR);
    const size_t count = list->count, width = picture.width + 1;
    const size_t outputs = (list->model->classes + picture.width - 1) / picture.width;
    const size_t height = picture.height + 1 + (list->model->hidden ? outputs + 1 : 0);
    size_t across = (size_t)ceil(sqrt((double)count * ((double)height / (double)width)));
    across = across < 1 ? 1 : across > count ? count : across;
    const size_t down = (count + across - 1) / across;
    out->width = (across * width + 1) * scale;
    out->height = (down * height + 1) * scale;
    if (out->width <= 65535 && out->height <= 65535 &&
        !(out->rows = spn_alloc(out->height, out->width + 1)))
        return spn_no_memory(err, "a picture of %zu by %zu pixels", out->width, out->height);
    if (!out->rows)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a picture of %zu by %zu pixels is too large",
                        out->width, out->height);
    for (size_t y = 0; y < out->height; y++)
        memset(pixel(out, 0, y), GROUND, out->width);
    for (size_t j = 0; j < count; j++)
        draw(out, &picture, list, j, 1 + j % across * width, 1 + j / across * height, scale);
    return SPN_OK;
}

spn_status spn_units_png(const spn_model *model, const int8_t *weights, size_t first, size_t count,
                         size_t scale, const char *path, spn_error *err)
{
    spn_picture_list list;
    SPN_TRY(spn_picture_list_make(&list, model, weights, first, count, err));
    image sheet = {0};
    spn_file *file;
    if (scale < 1 || scale > 64)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a weight is 1 to 64 pixels wide, not %zu", scale);
    spn_status status = draw_sheet(&sheet, &list, scale, err);
    if (!status)
        status = spn_file_create(&file, path, err);
    if (!status) {
        status = write_png(spn_file_stream(file), &sheet, err);
        if (status)
            spn_file_discard(file);
        else
            status = spn_file_commit(file, err);
    }
    free(sheet.rows);
    return status;
}

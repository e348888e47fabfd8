/* Pictures of a model's weights, as text and as PNG files. */
#include "model/picture.h"

#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <spinney/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

spn_status spn_pictures_make(spn_pictures *out, const spn_model *model, const int8_t *weights,
                             size_t first, size_t count, size_t most, spn_error *err)
{
    const size_t all = model->hidden ? model->hidden : model->classes;
    const size_t inputs = model->scaling->features, width = inputs < most ? inputs : most;
    *out = (spn_pictures){model, weights, first, count, width, 0, inputs, NULL};
    if (model->width > 0) {
        out->width = model->width;
        out->cells = model->features;
        out->starts = model->encoding ? model->encoding->start : NULL;
    }
    out->height = out->width ? (out->cells + out->width - 1) / out->width : 0;
    if (first == 0 && count == 0)
        out->count = all;
    else if (model->hidden == 0)
        return spn_refuse(err, "a linear classifier has no hidden units to draw");
    else if (count < 1 || first >= all || count > all - first)
        return spn_refuse(err, "the hidden units are 1 to %zu: there are no %zu from number %zu on",
                          all, count, first + 1);
    return SPN_OK;
}

int spn_picture_shade(const spn_pictures *pictures, size_t j, size_t x, size_t y)
{
    const spn_model *m = pictures->model;
    const size_t apart = m->hidden ? m->scaling->features + m->hidden_bias : spn_model_row(m);
    const int8_t *weights = pictures->weights + (pictures->first + j) * apart;
    const size_t cell = y * pictures->width + x;
    assert(j < pictures->count);
    if (x >= pictures->width || y >= pictures->height || cell >= pictures->cells)
        return SPN_SHADE_NONE;
    const size_t first = pictures->starts ? pictures->starts[cell] : cell;
    const size_t end = pictures->starts ? pictures->starts[cell + 1] : cell + 1;
    int sum = 0;
    for (size_t i = first; i < end; i++)
        sum += weights[i];
    return first < end ? SPN_SHADE_MOST * sum / (int)(end - first) : SPN_SHADE_NONE;
}

int spn_picture_output(const spn_pictures *pictures, size_t j, size_t class)
{
    const spn_model *m = pictures->model;
    const size_t row = spn_model_row(m), units = spn_model_sites(m) - m->classes * row;
    assert(m->hidden && j < pictures->count && class < m->classes);
    return pictures->weights[units + class * row + pictures->first + j];
}

enum { GAP = 2, BAR = 64 };

/* From 256 colours, dark blue to cream. */
static int colour_of(int shade)
{
    static const int colours[] = {24, 67, 145, 187, 230};
    enum { LAST = sizeof colours / sizeof *colours - 1 };
    /* the ends are for pure cells only */
    if (shade == SPN_SHADE_MOST || shade == -SPN_SHADE_MOST)
        return colours[shade > 0 ? LAST : 0];
    return colours[1 + (shade + SPN_SHADE_MOST) * (LAST - 1) / (2 * SPN_SHADE_MOST)];
}

/* One character: the cells at rows 2 * line and 2 * line + 1. */
static void put_cells(FILE *stream, int upper, int lower, bool colour)
{
    static const char *const blocks[] = {" ", "▀", "▄", "█"};
    if (!colour) {
        fputs(blocks[(upper > 0) + 2 * (lower > 0)], stream);
        return;
    }
    /* nothing outside the features */
    if (upper == SPN_SHADE_NONE && lower == SPN_SHADE_NONE)
        fputs(" ", stream);
    else if (upper == SPN_SHADE_NONE)
        fprintf(stream, "\033[38;5;%dm▄\033[0m", colour_of(lower));
    else if (lower == SPN_SHADE_NONE)
        fprintf(stream, "\033[38;5;%dm▀\033[0m", colour_of(upper));
    else
        fprintf(stream, "\033[38;5;%d;48;5;%dm▀\033[0m", colour_of(upper), colour_of(lower));
}

/* Cut or pad to a width; continuation bytes of UTF-8 take no column. */
static void put_name(FILE *stream, const char *name, size_t width)
{
    size_t columns = 0;
    for (const char *c = name; *c; c++) {
        const bool starts = ((unsigned char)*c & 0xC0) != 0x80;
        if (starts && columns == width)
            break;
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, stream);
        columns += starts;
    }
    fprintf(stream, "%*s", (int)(width - columns), "");
}

static void put_gap(FILE *stream, bool last)
{
    if (last)
        fputc('\n', stream);
    else
        fprintf(stream, "%*s", GAP, "");
}

/* Pictures first .. last-1 side by side. */
static void put_row(FILE *stream, const spn_pictures *p, size_t first, size_t last, bool colour)
{
    for (size_t j = first; j < last; j++) {
        char unit[32];
        snprintf(unit, sizeof unit, "unit %zu", p->first + j + 1);
        put_name(stream, p->model->hidden ? unit : p->model->class_names[p->first + j], p->width);
        put_gap(stream, j + 1 == last);
    }
    for (size_t y = 0; y < p->height; y += 2)
        for (size_t j = first; j < last; j++) {
            for (size_t x = 0; x < p->width; x++)
                put_cells(stream, spn_picture_shade(p, j, x, y), spn_picture_shade(p, j, x, y + 1),
                          colour);
            put_gap(stream, j + 1 == last);
        }
}

spn_status spn_units_text(char **out, const spn_model *model, const int8_t *weights, size_t first,
                          size_t count, size_t width, bool colour, spn_error *err)
{
    spn_pictures p;
    *out = NULL;
    SPN_TRY(spn_pictures_make(&p, model, weights, first, count, width < BAR ? width : BAR, err));
    SPN_REFUSE_IF(width == 0 || p.width > width, err,
                  "the pictures are %zu columns wide and do not fit into %zu", p.width, width);
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    SPN_NEED(stream, err, "the pictures");
    const size_t beside = (width + GAP) / (p.width + GAP);
    for (size_t j = 0; j < p.count; j += beside) {
        if (j > 0)
            fputc('\n', stream);
        put_row(stream, &p, j, j + beside < p.count ? j + beside : p.count, colour);
    }
    *out = spn_memory_stream_finish(&memory);
    return *out ? SPN_OK : spn_no_memory(err, "the pictures");
}

/* PNG files (RFC 2083) are grey, 8 bits, and written with zlib directly. */
enum { LIGHT = 255, GROUND = 128 };

typedef struct image {
    size_t width, height;
    uint8_t *rows; /* each line starts with its filter byte, 0 */
} image;

static uint8_t *pixel(const image *i, size_t x, size_t y)
{
    return i->rows + y * (i->width + 1) + 1 + x;
}

static void fill(const image *sheet, size_t x, size_t y, size_t scale, int shade)
{
    const int grey =
        shade == SPN_SHADE_NONE ? GROUND : (shade + SPN_SHADE_MOST) * LIGHT / (2 * SPN_SHADE_MOST);
    for (size_t line = 0; line < scale; line++)
        memset(pixel(sheet, x * scale, y * scale + line), grey, scale);
}

/* Picture j, with its corner at cell (left, top). For a unit, its weights to the classes follow a
   line below. */
static void draw(const image *sheet, const spn_pictures *p, size_t j, size_t left, size_t top,
                 size_t scale)
{
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++)
            fill(sheet, left + x, top + y, scale, spn_picture_shade(p, j, x, y));
    for (size_t k = 0; p->model->hidden && k < p->model->classes; k++)
        fill(sheet, left + k % p->width, top + p->height + 1 + k / p->width, scale,
             SPN_SHADE_MOST * spn_picture_output(p, j, k));
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

/* All pictures on one sheet, about square, one cell apart. */
static spn_status draw_sheet(image *out, const spn_pictures *p, size_t scale, spn_error *err)
{
    const size_t count = p->count, width = p->width + 1;
    const size_t outputs = (p->model->classes + p->width - 1) / p->width;
    const size_t height = p->height + 1 + (p->model->hidden ? outputs + 1 : 0);
    size_t across = (size_t)ceil(sqrt((double)count * ((double)height / (double)width)));
    across = across < 1 ? 1 : across > count ? count : across;
    const size_t down = (count + across - 1) / across;
    out->width = (across * width + 1) * scale;
    out->height = (down * height + 1) * scale;
    if (out->width <= 65535 && out->height <= 65535 &&
        !(out->rows = spn_alloc(out->height, out->width + 1)))
        return spn_no_memory(err, "a picture of %zu by %zu pixels", out->width, out->height);
    SPN_REFUSE_IF(!out->rows, err, "a picture of %zu by %zu pixels is too large", out->width,
                  out->height);
    for (size_t y = 0; y < out->height; y++)
        memset(pixel(out, 0, y), GROUND, out->width);
    for (size_t j = 0; j < count; j++)
        draw(out, p, j, 1 + j % across * width, 1 + j / across * height, scale);
    return SPN_OK;
}

spn_status spn_units_png(const spn_model *model, const int8_t *weights, size_t first, size_t count,
                         size_t scale, const char *path, spn_error *err)
{
    spn_pictures pictures;
    SPN_TRY(spn_pictures_make(&pictures, model, weights, first, count, BAR, err));
    image sheet = {0};
    spn_file *file;
    SPN_REFUSE_IF(scale < 1 || scale > 64, err, "a weight is 1 to 64 pixels wide, not %zu", scale);
    spn_status status = draw_sheet(&sheet, &pictures, scale, err);
    if (!status && !(status = spn_file_create(&file, path, err)))
        status = spn_file_end(file, write_png(spn_file_stream(file), &sheet, err), err);
    free(sheet.rows);
    return status;
}

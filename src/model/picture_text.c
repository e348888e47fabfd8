/* Weights as pictures in the terminal: two cells to a character, one above the other. */
#include "model/picture.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAP = 2, BAR = 64 };

spn_picture spn_picture_of(const spn_model *model, size_t most)
{
    const size_t features = model->scaling->features;
    if (model->width > 0 && !model->encoding)
        return (spn_picture){model->width, model->height, features};
    const size_t width = features < most ? features : most;
    return (spn_picture){width, (features + width - 1) / width, features};
}

/* One character: the cells at rows 2 * line and 2 * line + 1. */
static void put_cells(FILE *stream, int8_t upper, int8_t lower, bool colour)
{
    static const char *const blocks[] = {" ", "▀", "▄", "█"};
    if (!colour) {
        fputs(blocks[(upper > 0) + 2 * (lower > 0)], stream);
        return;
    }
    /* of 256 colours: cream and dark blue; nothing outside of the features */
    if (upper == 0)
        fputs(" ", stream);
    else if (lower == 0)
        fprintf(stream, "\033[38;5;%dm▀\033[0m", upper > 0 ? 230 : 24);
    else
        fprintf(stream, "\033[38;5;%d;48;5;%dm▀\033[0m", upper > 0 ? 230 : 24,
                lower > 0 ? 230 : 24);
}

/* The name of a class, cut or filled to a width; bytes of UTF-8 that continue a character take no
   column. */
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

/* Classes first .. last-1 side by side. */
static void put_row(FILE *stream, const spn_model *model, const int8_t *weights,
                    const spn_picture *picture, uint32_t first, uint32_t last, bool colour)
{
    for (uint32_t k = first; k < last; k++) {
        put_name(stream, model->class_names[k], picture->width);
        put_gap(stream, k + 1 == last);
    }
    for (size_t y = 0; y < picture->height; y += 2)
        for (uint32_t k = first; k < last; k++) {
            const int8_t *w = weights + k * spn_model_row(model);
            for (size_t x = 0; x < picture->width; x++)
                put_cells(stream, spn_picture_cell(picture, w, x, y),
                          spn_picture_cell(picture, w, x, y + 1), colour);
            put_gap(stream, k + 1 == last);
        }
}

spn_status spn_weights_text(char **out, const spn_model *model, const int8_t *weights, size_t width,
                            bool colour, spn_error *err)
{
    *out = NULL;
    const spn_picture picture = spn_picture_of(model, width < BAR ? width : BAR);
    if (width == 0 || picture.width > width)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the pictures are %zu columns wide and do not fit into %zu", picture.width,
                        width);
    size_t size;
    FILE *stream = open_memstream(out, &size);
    if (!stream)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the pictures");
    const size_t beside = (width + GAP) / (picture.width + GAP);
    for (size_t k = 0; k < model->classes; k += beside) {
        const size_t last = k + beside < model->classes ? k + beside : model->classes;
        if (k > 0)
            fputc('\n', stream);
        put_row(stream, model, weights, &picture, (uint32_t)k, (uint32_t)last, colour);
    }
    if (fclose(stream) == 0)
        return SPN_OK;
    free(*out);
    *out = NULL;
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the pictures");
}

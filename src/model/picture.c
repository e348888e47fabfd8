/* Pictures of a model's weights: what they show, and as text. */
#include "model/picture.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <ctype.h>
#include <spinney/encoding.h>
#include <stdio.h>
#include <stdlib.h>

spn_picture spn_picture_of(const spn_model *model, size_t most)
{
    const size_t inputs = model->scaling->features;
    if (model->width > 0)
        return (spn_picture){model->width, model->height, model->features,
                             model->encoding ? model->encoding->start : NULL};
    const size_t width = inputs < most ? inputs : most;
    return (spn_picture){width, (inputs + width - 1) / width, inputs, NULL};
}

int spn_picture_shade(const spn_picture *picture, const int8_t *weights, size_t x, size_t y)
{
    const size_t cell = y * picture->width + x;
    if (x >= picture->width || y >= picture->height || cell >= picture->cells)
        return SPN_SHADE_NONE;
    const size_t first = picture->starts ? picture->starts[cell] : cell;
    const size_t end = picture->starts ? picture->starts[cell + 1] : cell + 1;
    int sum = 0;
    for (size_t i = first; i < end; i++)
        sum += weights[i];
    return first < end ? SPN_SHADE_MOST * sum / (int)(end - first) : SPN_SHADE_NONE;
}

spn_status spn_picture_list_make(spn_picture_list *out, const spn_model *model,
                                 const int8_t *weights, size_t first, size_t count, spn_error *err)
{
    const size_t all = model->hidden ? model->hidden : model->classes;
    *out = (spn_picture_list){model, weights, first, count};
    if (first == 0 && count == 0)
        out->count = all;
    else if (model->hidden == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a linear classifier has no hidden units to draw");
    else if (count < 1 || first >= all || count > all - first)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the hidden units are 1 to %zu: there are no %zu from number %zu on", all,
                        count, first + 1);
    return SPN_OK;
}

const int8_t *spn_picture_weights(const spn_picture_list *list, size_t j)
{
    const spn_model *m = list->model;
    const size_t apart = m->hidden ? m->scaling->features + m->hidden_bias : spn_model_row(m);
    assert(j < list->count);
    return list->weights + (list->first + j) * apart;
}

int spn_picture_output(const spn_picture_list *list, size_t j, size_t class)
{
    const spn_model *m = list->model;
    const size_t row = spn_model_row(m), units = spn_model_sites(m) - m->classes * row;
    assert(m->hidden && j < list->count && class < m->classes);
    return list->weights[units + class * row + list->first + j];
}

const char *spn_picture_name(const spn_picture_list *list, size_t j, char scratch[32])
{
    if (!list->model->hidden)
        return list->model->class_names[list->first + j];
    snprintf(scratch, 32, "unit %zu", list->first + j + 1);
    return scratch;
}

/* ---- as text ---- */

enum { GAP = 2, BAR = 64 };

/* Of 256 colours, from dark blue to cream. */
static int colour_of(int shade)
{
    static const int colours[] = {24, 67, 145, 187, 230};
    enum { LAST = sizeof colours / sizeof *colours - 1 };
    /* the ends for whole cells alone */
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
    /* nothing outside of the features */
    if (upper == SPN_SHADE_NONE && lower == SPN_SHADE_NONE)
        fputs(" ", stream);
    else if (upper == SPN_SHADE_NONE)
        fprintf(stream, "\033[38;5;%dm▄\033[0m", colour_of(lower));
    else if (lower == SPN_SHADE_NONE)
        fprintf(stream, "\033[38;5;%dm▀\033[0m", colour_of(upper));
    else
        fprintf(stream, "\033[38;5;%d;48;5;%dm▀\033[0m", colour_of(upper), colour_of(lower));
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

/* Numbers first .. last-1 of the list side by side. */
static void put_row(FILE *stream, const spn_picture_list *list, const spn_picture *picture,
                    size_t first, size_t last, bool colour)
{
    char scratch[32];
    for (size_t j = first; j < last; j++) {
        put_name(stream, spn_picture_name(list, j, scratch), picture->width);
        put_gap(stream, j + 1 == last);
    }
    for (size_t y = 0; y < picture->height; y += 2)
        for (size_t j = first; j < last; j++) {
            const int8_t *w = spn_picture_weights(list, j);
            for (size_t x = 0; x < picture->width; x++)
                put_cells(stream, spn_picture_shade(picture, w, x, y),
                          spn_picture_shade(picture, w, x, y + 1), colour);
            put_gap(stream, j + 1 == last);
        }
}

spn_status spn_units_text(char **out, const spn_model *model, const int8_t *weights, size_t first,
                          size_t count, size_t width, bool colour, spn_error *err)
{
    spn_picture_list chosen, *list = &chosen;
    *out = NULL;
    SPN_TRY(spn_picture_list_make(list, model, weights, first, count, err));
    const spn_picture picture = spn_picture_of(list->model, width < BAR ? width : BAR);
    if (width == 0 || picture.width > width)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the pictures are %zu columns wide and do not fit into %zu", picture.width,
                        width);
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    if (!stream)
        return spn_no_memory(err, "the pictures");
    const size_t beside = (width + GAP) / (picture.width + GAP);
    for (size_t j = 0; j < list->count; j += beside) {
        const size_t last = j + beside < list->count ? j + beside : list->count;
        if (j > 0)
            fputc('\n', stream);
        put_row(stream, list, &picture, j, last, colour);
    }
    *out = spn_memory_stream_finish(&memory);
    return *out ? SPN_OK : spn_no_memory(err, "the pictures");
}

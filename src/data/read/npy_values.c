/* The elements of an NPY array: numbers of every kind, size and byte order, and labels. */
#include "data/read/npy_header.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- places ---- */

size_t spn_npy_features(const spn_npy *npy)
{
    size_t features = 1;
    for (size_t k = 1; k < npy->rank; k++)
        features *= npy->shape[k];
    return features;
}

/* Features count their dimensions the last fastest; Fortran's arrays the first. */
size_t spn_npy_place(const spn_npy *npy, size_t n, size_t i)
{
    size_t index[SPN_NPY_RANK] = {n}, place = 0;
    if (!npy->fortran_order)
        return n * spn_npy_features(npy) + i;
    for (size_t k = npy->rank; k-- > 1;) {
        index[k] = i % npy->shape[k];
        i /= npy->shape[k];
    }
    for (size_t k = npy->rank; k-- > 0;)
        place = place * npy->shape[k] + index[k];
    return place;
}

/* ---- numbers ---- */

static uint64_t word_at(const spn_npy *npy, size_t place)
{
    const uint8_t *at = npy->cells + place * npy->item;
    uint64_t word = 0;
    for (size_t k = 0; k < npy->item; k++)
        word = word << 8 | at[npy->big_endian ? k : npy->item - 1 - k];
    return word;
}

static int64_t signed_at(const spn_npy *npy, size_t place)
{
    assert(npy->item >= 1 && npy->item <= 8); /* as the header was checked */
    const unsigned unused = 64 - 8 * (unsigned)npy->item;
    return (int64_t)(word_at(npy, place) << unused) >> unused;
}

/* IEEE binary16: 1 bit of sign, 5 of exponent, 10 of fraction. */
static double half(uint64_t word)
{
    const int exponent = (int)(word >> 10 & 31);
    const double fraction = (double)(word & 1023);
    double size;
    if (exponent == 31)
        size = word & 1023 ? (double)NAN : (double)INFINITY;
    else
        size = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    return word & 0x8000 ? -size : size;
}

static double float_at(const spn_npy *npy, size_t place)
{
    const uint64_t word = word_at(npy, place);
    const uint32_t low = (uint32_t)word;
    double value;
    float single;
    if (npy->item == 2)
        return half(word);
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &word, sizeof value);
    return npy->item == 4 ? (double)single : value;
}

double spn_npy_number(const spn_npy *npy, size_t place)
{
    switch (npy->kind) {
    case 'f':
        return float_at(npy, place);
    case 'i':
        return (double)signed_at(npy, place);
    case 'b':
        return npy->cells[place] != 0;
    default:
        return (double)word_at(npy, place);
    }
}

/* ---- labels ---- */

/* A character in UTF-8; false if there is no room, or it is not a character. */
static bool put_utf8(char out[SPN_NPY_LABEL], size_t *size, uint32_t c)
{
    const size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    if (c > 0x10ffff || *size + more + 1 > SPN_NPY_LABEL)
        return false;
    out[(*size)++] = (char)(first[more] | c >> 6 * more);
    for (size_t k = more; k-- > 0;)
        out[(*size)++] = (char)(0x80 | (c >> 6 * k & 0x3f));
    return true;
}

static uint32_t character(const spn_npy *npy, size_t n, size_t k)
{
    const uint8_t *at = npy->cells + n * npy->item + 4 * k;
    uint32_t c = 0;
    for (size_t j = 0; j < 4; j++)
        c = c << 8 | at[npy->big_endian ? j : 3 - j];
    return c;
}

/* NULs at the end are no part of it. */
static bool text_label(char out[SPN_NPY_LABEL], size_t *size, const spn_npy *npy, size_t n)
{
    const size_t step = npy->kind == 'U' ? 4 : 1, length = npy->item / step;
    const uint8_t *bytes = npy->cells + n * npy->item;
    size_t end = npy->item;
    while (end > 0 && bytes[end - 1] == 0)
        end--;
    /* of UCS-4, little-endian characters end in zeros of their own */
    size_t used = npy->kind == 'S' ? end : (end + 3) / 4;
    while (npy->kind == 'U' && used > 0 && character(npy, n, used - 1) == 0)
        used--;
    for (size_t k = 0; k < used && k < length; k++) {
        if (npy->kind == 'U' && !put_utf8(out, size, character(npy, n, k)))
            return false;
        if (npy->kind == 'S' && *size == SPN_NPY_LABEL)
            return false;
        if (npy->kind == 'S')
            out[(*size)++] = (char)bytes[k];
    }
    return true;
}

static bool float_label(char out[SPN_NPY_LABEL], size_t *size, double value)
{
    const bool whole = value == rint(value) && fabs(value) <= 1e15;
    if (whole)
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRId64, (int64_t)value);
    return whole;
}

spn_status spn_npy_label(char out[SPN_NPY_LABEL], size_t *size, const spn_npy *npy, size_t n,
                         spn_error *err)
{
    const bool text = npy->kind == 'U' || npy->kind == 'S';
    bool good = true;
    *size = 0;
    if (text)
        good = text_label(out, size, npy, n);
    else if (npy->kind == 'f')
        good = float_label(out, size, float_at(npy, n));
    else if (npy->kind == 'b')
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%s", npy->cells[n] ? "True" : "False");
    else if (npy->kind == 'u')
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRIu64, word_at(npy, n));
    else
        *size = (size_t)snprintf(out, SPN_NPY_LABEL, "%" PRId64, signed_at(npy, n));
    if (good)
        return SPN_OK;
    return spn_source_fail(npy->source, err, "element %zu: %s", n,
                           text ? "the label is too long, or not a text"
                                : "the label is not a whole number; convert the labels with "
                                  "astype(int) or astype(str)");
}

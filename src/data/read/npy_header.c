/* The header of an NPY file. The dictionary that numpy writes is read strictly: three keys, each
   once, in any order. */
#include "data/read/npy_header.h"

#include "base/text.h"
#include "base/try.h"

#include <string.h>

typedef struct scan {
    const spn_source *source;
    size_t at;  /* byte in the file */
    size_t end; /* of the header */
} scan;

enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

static spn_status fault(const scan *s, const char *what, spn_error *err)
{
    return spn_source_fail(s->source, err, "byte %zu: %s; write the file with numpy.save", s->at,
                           what);
}

/* ---- tokens ---- */

static char peek(scan *s)
{
    while (s->at < s->end && (s->source->data[s->at] == ' ' || s->source->data[s->at] == '\n'))
        s->at++;
    return s->at < s->end ? (char)s->source->data[s->at] : '\0';
}

static bool accept(scan *s, char c)
{
    if (peek(s) != c)
        return false;
    s->at++;
    return true;
}

static bool accept_word(scan *s, const char *word)
{
    size_t size = strlen(word);
    peek(s);
    if (s->end - s->at < size || memcmp(s->source->data + s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

static bool accept_text(scan *s, spn_span *out)
{
    char quote = peek(s);
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = (const char *)s->source->data + s->at + 1;
    const char *close = memchr(start, quote, s->end - s->at - 1);
    if (!close)
        return false;
    *out = (spn_span){start, (size_t)(close - start)};
    s->at += out->size + 2;
    return true;
}

static bool accept_size(scan *s, size_t *out)
{
    *out = 0;
    char c = peek(s);
    if (c < '0' || c > '9')
        return false;
    for (; s->at < s->end; s->at++) {
        c = (char)s->source->data[s->at];
        if (c < '0' || c > '9')
            break;
        if (*out > (SIZE_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (size_t)(c - '0');
    }
    return true;
}

/* ---- the three values ---- */

/* Whether elements of this kind and size are read. */
static bool is_known(char kind, size_t size)
{
    switch (kind) {
    case 'b':
        return size == 1;
    case 'u':
    case 'i':
        return size == 1 || size == 2 || size == 4 || size == 8;
    case 'f':
        return size == 2 || size == 4 || size == 8;
    case 'U':
    case 'S':
        return size > 0 && size < 100000;
    default:
        return false;
    }
}

/* Byte order, kind and size, such as <f8. */
static bool take_descr(spn_npy *out, spn_span text)
{
    size_t size = 0;
    if (text.size < 3 || text.size >= SPN_NPY_DESCR || !strchr("|<>=", text.text[0]))
        return false;
    for (size_t k = 2; k < text.size; k++) {
        if (text.text[k] < '0' || text.text[k] > '9' || size > 100000)
            return false;
        size = size * 10 + (size_t)(text.text[k] - '0');
    }
    out->kind = text.text[1];
    out->big_endian = text.text[0] == '>';
    out->item = out->kind == 'U' ? 4 * size : size;
    memcpy(out->descr, text.text, text.size);
    out->descr[text.size] = '\0';
    return is_known(out->kind, size);
}

static spn_status read_descr(spn_npy *out, scan *s, spn_error *err)
{
    spn_span text;
    char shown[SPN_SHOWN];
    size_t place = s->at;
    if (!accept_text(s, &text))
        return fault(s, "the NPY header names no simple element type", err);
    if (take_descr(out, text))
        return SPN_OK;
    return spn_source_fail(s->source, err,
                           "byte %zu: NPY elements of type '%s'; expected numbers (bool, u1 to u8, "
                           "i1 to i8, f2, f4, f8), or for labels texts: convert them with astype",
                           place, spn_show(shown, text));
}

static spn_status read_order(spn_npy *out, scan *s, spn_error *err)
{
    out->fortran_order = accept_word(s, "True");
    if (out->fortran_order || accept_word(s, "False"))
        return SPN_OK;
    return fault(s, "the NPY header's fortran_order is neither True nor False", err);
}

static spn_status read_shape(spn_npy *out, scan *s, spn_error *err)
{
    out->rank = 0;
    if (!accept(s, '('))
        return fault(s, "the NPY header has no shape", err);
    while (!accept(s, ')')) {
        if (out->rank == SPN_NPY_RANK)
            return fault(s, "an NPY array of more than 4 dimensions; reshape it", err);
        if (!accept_size(s, &out->shape[out->rank]))
            return fault(s, "the shape in the NPY header is malformed", err);
        if (out->shape[out->rank] == 0)
            return fault(s, "a dimension of the NPY array is 0: an empty data set is of no use",
                         err);
        out->rank++;
        if (!accept(s, ',') && peek(s) != ')')
            return fault(s, "the shape in the NPY header is malformed", err);
    }
    return out->rank > 0 ? SPN_OK : fault(s, "the NPY array has no dimensions", err);
}

static spn_status read_pair(spn_npy *out, unsigned *seen, scan *s, spn_error *err)
{
    spn_span key;
    if (!accept_text(s, &key))
        return fault(s, "the NPY header is malformed", err);
    unsigned which = spn_span_is(key, "descr")           ? KEY_DESCR
                     : spn_span_is(key, "fortran_order") ? KEY_ORDER
                     : spn_span_is(key, "shape")         ? KEY_SHAPE
                                                         : 0;
    if (which == 0 || (*seen & which) || !accept(s, ':'))
        return fault(s, "the NPY header has an unknown or repeated key", err);
    *seen |= which;
    peek(s);
    return which == KEY_DESCR   ? read_descr(out, s, err)
           : which == KEY_ORDER ? read_order(out, s, err)
                                : read_shape(out, s, err);
}

static spn_status read_dictionary(spn_npy *out, scan *s, spn_error *err)
{
    unsigned seen = 0;
    if (!accept(s, '{'))
        return fault(s, "the NPY header is not a dictionary", err);
    while (!accept(s, '}')) {
        SPN_TRY(read_pair(out, &seen, s, err));
        if (!accept(s, ',') && peek(s) != '}')
            return fault(s, "the NPY header is malformed", err);
    }
    if (seen != KEY_ALL)
        return fault(s, "the NPY header lacks descr, fortran_order or shape", err);
    return peek(s) == '\0' && s->at == s->end ? SPN_OK
                                              : fault(s, "text follows the NPY header", err);
}

/* ---- the file ---- */

/* Magic, version, length of the header: where the dictionary starts and ends. */
static spn_status find_dictionary(scan *s, spn_error *err)
{
    const uint8_t *data = s->source->data;
    size_t size = s->source->size;
    if (size < 10 || memcmp(data, "\x93NUMPY", 6) != 0)
        return fault(s, "not an NPY file, or one cut short in its header", err);
    s->at = 6;
    if (data[6] < 1 || data[6] > 3 || data[7] != 0)
        return spn_source_fail(s->source, err,
                               "byte 6: NPY version %u.%u; versions 1.0 to 3.0 are read", data[6],
                               data[7]);
    size_t start = data[6] == 1 ? 10 : 12;
    if (size < start)
        return fault(s, "the NPY header is cut short", err);
    size_t length = (size_t)data[8] | (size_t)data[9] << 8;
    if (data[6] > 1)
        length |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
    s->at = start;
    if (length > size - start)
        return fault(s, "the NPY header is cut short", err);
    s->end = start + length;
    return SPN_OK;
}

/* The product of the shape is compared by division, so it cannot overflow. */
size_t spn_npy_bytes(const spn_npy *npy, size_t room)
{
    size_t product = npy->item;
    for (size_t k = 0; k < npy->rank && product <= room; k++)
        product = npy->shape[k] > room / product ? room + 1 : product * npy->shape[k];
    return product;
}

spn_status spn_npy_read(spn_npy *out, const spn_source *source, spn_error *err)
{
    scan s = {.source = source};
    *out = (spn_npy){.source = source};
    SPN_TRY(find_dictionary(&s, err));
    SPN_TRY(read_dictionary(out, &s, err));
    out->cells = source->data + s.end;
    const size_t room = source->size - s.end, bytes = spn_npy_bytes(out, room);
    if (bytes == room)
        return SPN_OK;
    return spn_source_fail(source, err,
                           "byte %zu: the file ends %s the NPY header says; save or fetch it again",
                           source->size, bytes > room ? "before" : "after");
}

/* Samples as lines of a label and values, with blanks between them. */
#include "base/number.h"
#include "base/text.h"
#include "data/read/cells.h"

#include <stdio.h>

static bool next_word(spn_span *out, spn_span *line)
{
    *line = spn_trim(*line);
    *out = (spn_span){line->text, 0};
    while (out->size < line->size && out->text[out->size] != ' ' && out->text[out->size] != '\t')
        out->size++;
    *line = (spn_span){line->text + out->size, line->size - out->size};
    return out->size > 0;
}

static size_t count_words(spn_span line)
{
    size_t count = 0;
    for (spn_span word; next_word(&word, &line);)
        count++;
    return count;
}

static spn_status read_line(spn_cells *out, const spn_source *source, spn_span line, size_t sample,
                            spn_error *err)
{
    const size_t features = out->dataset->features;
    char place[32];
    spn_span word;
    double value;
    snprintf(place, sizeof place, "line %zu", sample + 1);
    if (count_words(line) != features + 1)
        return spn_source_fail(source, err, "%s: not a label and %zu values", place, features);
    next_word(&word, &line);
    SPN_TRY(spn_labels_add(out, word, place, err));
    for (size_t i = 0; next_word(&word, &line); i++) {
        if (spn_number_read(&value, word) != SPN_NUMBER_FINITE)
            return spn_source_fail(source, err, "%s: value %zu is not a finite number", place,
                                   i + 1);
        SPN_TRY(spn_cells_put(out, sample * features + i, value, err));
    }
    return SPN_OK;
}

spn_status spn_parse_blank(spn_cells *out, const spn_source *source, const spn_source *second,
                           const spn_read_options *options, spn_error *err)
{
    spn_lines lines = spn_lines_of(source);
    spn_span line;
    if (second)
        return spn_source_fail(source, err, "holds its labels itself");
    while (spn_lines_next(&lines, &line))
        if (out->dataset->samples++ == 0)
            out->dataset->features = count_words(line) - 1;
    SPN_TRY(spn_cells_begin(out, source->name, options, err));
    SPN_TRY(spn_labels_begin(out, source->name, err));
    lines = spn_lines_of(source);
    for (size_t n = 0; spn_lines_next(&lines, &line); n++)
        SPN_TRY(read_line(out, source, line, n, err));
    return SPN_OK;
}

/* Samples as lines of a label and values, with blanks between them. */
#include "base/number.h"
#include "base/text.h"
#include "data/read/cells.h"
#include "data/read/parse.h"

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

static spn_status read_line(spn_dataset *out, spn_cells *cells, spn_labels *labels, spn_span line,
                            size_t sample, spn_error *err)
{
    char place[32];
    spn_span word;
    double value;
    snprintf(place, sizeof place, "line %zu", sample + 1);
    if (count_words(line) != out->features + 1)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: not a label and %zu values", cells->name,
                        place, out->features);
    next_word(&word, &line);
    SPN_TRY(spn_labels_add(labels, word, place, err));
    for (size_t i = 0; next_word(&word, &line); i++) {
        if (spn_number_read(&value, word) != SPN_NUMBER_FINITE)
            return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: value %zu is not a finite number",
                            cells->name, place, i + 1);
        SPN_TRY(spn_cells_put(cells, sample * out->features + i, value, err));
    }
    return SPN_OK;
}

spn_status spn_parse_blank(spn_dataset *out, const spn_source *source, const spn_source *second,
                           const spn_read_options *options, spn_error *err)
{
    spn_lines lines = spn_lines_of(source);
    spn_span line;
    spn_cells cells = {0};
    spn_labels labels = {0};
    spn_status status;
    if (second)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: holds its labels itself", source->name);
    while (spn_lines_next(&lines, &line))
        if (out->samples++ == 0)
            out->features = count_words(line) - 1;
    SPN_TRY_OR(cleanup, spn_cells_begin(&cells, source->name, out->samples, out->features,
                                        options->max_bytes, err));
    SPN_TRY_OR(cleanup, spn_labels_begin(&labels, source->name, out->samples, err));
    lines = spn_lines_of(source);
    for (size_t n = 0; spn_lines_next(&lines, &line); n++)
        SPN_TRY_OR(cleanup, read_line(out, &cells, &labels, line, n, err));
    SPN_TRY_OR(cleanup, spn_labels_finish(&labels, out, err));
    spn_cells_finish(&cells, out);
cleanup:
    spn_cells_free(&cells);
    spn_labels_free(&labels);
    return status;
}

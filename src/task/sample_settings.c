#include "task/sample_settings.h"
#include "base/number.h"
#include "record/record.h"
#include "task/tables.h"

#include <stdlib.h>
#include <string.h>

SPN_WORD_OF(format_word, spn_format, spn_format_name)
SPN_WORD_OF(header_word, spn_header, spn_header_name)
SPN_WORD_OF(separator_word, spn_separator, spn_separator_name)
SPN_WORD_OF(decimal_word, spn_decimal, spn_decimal_name)
SPN_WORD_OF(label_kind_word, spn_label_kind, spn_label_kind_name)
SPN_WORD_OF(missing_word, spn_missing, spn_missing_name)

const char *spn_dataset_word(size_t i)
{
    return spn_dataset_names()[i]; /* words end at the first NULL */
}

#define AT(member) .at = offsetof(spn_sample_settings, member)
const spn_setting spn_sample_rows[] = {
    {"format", SPN_SETTING_WORD, .argument = "NAME", .fallback = "auto", .word = format_word,
     AT(format), .help = "format of the sample files; auto detects it from content and name"},
    {"label-column", SPN_SETTING_TEXT, .argument = "WHERE", .fallback = "last", AT(label_column),
     .help = "label column of a CSV; last, first, none, a name from the header, or a number from 1 "
             "(-1 is the last)"},
    {"missing", SPN_SETTING_WORD, .argument = "HOW", .fallback = "refuse", .word = missing_word,
     AT(missing),
     .help = "what to do with missing values (empty, NA, NaN, null, ?, .); refuse them, or replace "
             "them by the training set's mean or by zero and leave out samples without a label"},
    {"separator", SPN_SETTING_WORD, .argument = "WHAT", .fallback = "auto", .word = separator_word,
     AT(separator),
     .help = "separator of CSV columns; blank is any number of blanks. auto finds it in the file"},
    {"decimal", SPN_SETTING_WORD, .argument = "MARK", .fallback = "auto", .word = decimal_word,
     AT(decimal),
     .help = "decimal mark of CSV numbers; comma reads 1,5 and 1.234,5, point also 1,234.5. auto "
             "is point, with commas between thousands only in quotes"},
    {"header", SPN_SETTING_WORD, .argument = "HOW", .fallback = "auto", .word = header_word,
     AT(header), .help = "whether a CSV starts with a line of names"},
    {.name = NULL}};

const spn_setting spn_column_rows[] = {
    {"label-kind", SPN_SETTING_WORD, .argument = "KIND", .fallback = "auto",
     .word = label_kind_word, AT(label_kind),
     .help = "what labels that are numbers mean; auto refuses them if they look like the target of "
             "a regression (more than 20 whole numbers or 10 others), classes takes each number as "
             "a class"},
    {"drop", SPN_SETTING_LIST, .argument = "COLUMN,...", AT(drop),
     .help = "CSV columns to leave out, by name or number"},
    {"categories", SPN_SETTING_LIST, .argument = "COLUMN,...",
     .otherwise = "columns that hold only text", AT(categories),
     .help = "CSV columns to treat as categories, one feature per category; needed if they hold "
             "numbers or very many texts"},
    {.name = NULL}};

spn_read_options spn_sample_settings_options(const spn_sample_settings *settings)
{
    spn_read_options options = spn_read_defaults();
    options.format = (spn_format)settings->format;
    options.header = (spn_header)settings->header;
    options.separator = (spn_separator)settings->separator;
    options.decimal = (spn_decimal)settings->decimal;
    options.label_kind = (spn_label_kind)settings->label_kind;
    options.missing = (spn_missing)settings->missing;
    options.drop = settings->drop;
    options.categories = settings->categories;
    /* Text that is not a word for the place of the labels is a column name or number. */
    spn_error ignored = {0};
    if (settings->label_column &&
        spn_label_place_parse(&options.labels, settings->label_column, &ignored))
        options.label_column = settings->label_column;
    return options;
}

void spn_sample_settings_leave_out(spn_record *resolved)
{
    for (const spn_setting *row = spn_sample_rows; row->name; row++)
        spn_record_remove_setting(resolved, row->name);
    for (const spn_setting *row = spn_column_rows; row->name; row++)
        spn_record_remove_setting(resolved, row->name);
}

static bool counts_samples(const spn_dataset *data, size_t feature)
{
    double before = spn_dataset_value(data, 0, feature);
    for (size_t n = 1; n < spn_dataset_samples(data); n++) {
        const double value = spn_dataset_value(data, n, feature);
        if (value != before + 1)
            return false;
        before = value;
    }
    return true;
}

/* Classes of which nothing can be learnt that other samples would show. */
static spn_status note_single(spn_record *out, const spn_dataset *data, spn_error *err)
{
    const uint32_t classes = spn_dataset_classes(data);
    size_t *counts = calloc(classes ? classes : 1, sizeof *counts), single = 0;
    char names[120] = "";
    if (!counts)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory: the classes");
    for (size_t n = 0; n < spn_dataset_samples(data); n++)
        counts[spn_dataset_labels(data)[n]]++;
    for (uint32_t k = 0; k < classes; k++) {
        const size_t used = strlen(names);
        if (counts[k] != 1)
            continue;
        if (used < sizeof names / 2)
            spn_print_more(names, sizeof names, "%s%.40s", single ? ", " : "",
                           spn_dataset_class_names(data)[k]);
        else if (names[used - 1] != '.')
            spn_print_more(names, sizeof names, ", ...");
        single++;
    }
    free(counts);
    if (single == 0)
        return SPN_OK;
    return spn_record_add_note(out, err, "%zu class%s only one sample: %s", single,
                               single == 1 ? " has" : "es have", names);
}

spn_status spn_sample_note(spn_record *out, const spn_dataset *train, const spn_dataset *test,
                           spn_error *err)
{
    const char *note = spn_dataset_note(train), *other = test ? spn_dataset_note(test) : NULL;
    if (note)
        SPN_TRY(spn_record_add_note(out, err, "%s", note));
    if (other)
        SPN_TRY(spn_record_add_note(out, err, "test: %s", other));
    SPN_TRY(note_single(out, train, err));
    enum { FEW = 10 };
    spn_status status = SPN_OK;
    for (size_t i = 0; !status && i < spn_dataset_features(train); i++) {
        const char *name = spn_dataset_feature_name(train, i);
        if (spn_dataset_samples(train) < FEW || !counts_samples(train, i))
            continue;
        status = spn_record_add_note(out, err,
                                     "feature %zu%s%s%s counts the samples, as an index does: if "
                                     "it is one, leave its column out with drop",
                                     i + 1, name && *name ? " ('" : "", name ? name : "",
                                     name && *name ? "')" : "");
    }
    return status;
}

/* How a file of labelled samples is read. */
#include "task/sample_settings.h"
#include "record/record.h"

/* ---- words ---- */

static const char *format_word(size_t i)
{
    return spn_format_name((spn_format)i);
}

static const char *header_word(size_t i)
{
    return spn_header_name((spn_header)i);
}

static const char *separator_word(size_t i)
{
    return spn_separator_name((spn_separator)i);
}

static const char *missing_word(size_t i)
{
    return spn_missing_name((spn_missing)i);
}

const char *spn_dataset_word(size_t i)
{
    return spn_dataset_names()[i]; /* the walk over words ends at the first NULL */
}

const spn_setting spn_sample_rows[] = {
    {"format", SPN_SETTING_WORD, .argument = "NAME", .fallback = "auto", .word = format_word,
     .at = offsetof(spn_sample_settings, format),
     .help = "format of the sample files; auto detects it from content and name"},
    {"label-column", SPN_SETTING_TEXT, .argument = "WHERE", .fallback = "last",
     .at = offsetof(spn_sample_settings, label_column),
     .help = "label column of a CSV; last, first, none, a name from the header, or a number from 1 "
             "(-1 is the last)"},
    {"missing", SPN_SETTING_WORD, .argument = "HOW", .fallback = "refuse", .word = missing_word,
     .at = offsetof(spn_sample_settings, missing),
     .help = "what to do with missing values (empty, NA, NaN, null, ?); refuse them, or replace "
             "them by the training set's mean or by zero"},
    {"separator", SPN_SETTING_WORD, .argument = "WHAT", .fallback = "auto", .word = separator_word,
     .at = offsetof(spn_sample_settings, separator), .help = "separator of CSV columns"},
    {"header", SPN_SETTING_WORD, .argument = "HOW", .fallback = "auto", .word = header_word,
     .at = offsetof(spn_sample_settings, header),
     .help = "whether a CSV starts with a line of names"},
    {.name = NULL}};

const spn_setting spn_column_rows[] = {
    {"drop", SPN_SETTING_LIST, .argument = "COLUMN,...", .at = offsetof(spn_sample_settings, drop),
     .help = "CSV columns to leave out, by name or number"},
    {"categories", SPN_SETTING_LIST, .argument = "COLUMN,...",
     .otherwise = "columns that hold only text", .at = offsetof(spn_sample_settings, categories),
     .help = "CSV columns to treat as categories, one feature per category; needed if they hold "
             "numbers or very many texts"},
    {.name = NULL}};

/* A word says the place of the labels; any other text is a name or a number. */
static void place_labels(spn_read_options *options, const char *text)
{
    spn_error ignored = {0};
    if (text && spn_label_place_parse(&options->labels, text, &ignored))
        options->label_column = text;
}

spn_read_options spn_sample_settings_options(const spn_sample_settings *settings)
{
    spn_read_options options = spn_read_defaults();
    options.format = (spn_format)settings->format;
    options.header = (spn_header)settings->header;
    options.separator = (spn_separator)settings->separator;
    options.missing = (spn_missing)settings->missing;
    options.drop = settings->drop;
    options.categories = settings->categories;
    place_labels(&options, settings->label_column);
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

spn_status spn_sample_note_index(spn_record *out, const spn_dataset *data, spn_error *err)
{
    enum { FEW = 10 };
    spn_status status = SPN_OK;
    for (size_t i = 0; !status && i < spn_dataset_features(data); i++) {
        const char *name = spn_dataset_feature_name(data, i);
        if (spn_dataset_samples(data) < FEW || !counts_samples(data, i))
            continue;
        status = spn_record_add_note(out, err,
                                     "feature %zu%s%s%s counts the samples, as an index does: if "
                                     "it is one, leave its column out with drop",
                                     i + 1, name && *name ? " ('" : "", name ? name : "",
                                     name && *name ? "')" : "");
    }
    return status;
}

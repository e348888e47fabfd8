/* How a file of labelled samples is read. */
#include "job/sample_settings.h"

/* ---- words ---- */

static const char *format_word(size_t i)
{
    return spn_format_name((spn_format)i);
}

static const char *label_word(size_t i)
{
    return spn_label_place_name((spn_label_place)i);
}

static const char *header_word(size_t i)
{
    return spn_header_name((spn_header)i);
}

const char *spn_dataset_word(size_t i)
{
    return spn_dataset_names()[i]; /* the walk over words ends at the first NULL */
}

const spn_setting spn_sample_rows[] = {
    {"format", SPN_SETTING_WORD, .argument = "NAME", .fallback = "auto", .word = format_word,
     .at = offsetof(spn_sample_settings, format),
     .help = "of the files of samples; auto: by their content and name"},
    {"label-column", SPN_SETTING_WORD, .argument = "WHERE", .fallback = "last", .word = label_word,
     .at = offsetof(spn_sample_settings, label_column), .help = "of CSV: where the labels are"},
    {"header", SPN_SETTING_WORD, .argument = "HOW", .fallback = "auto", .word = header_word,
     .at = offsetof(spn_sample_settings, header),
     .help = "whether CSV starts with a line of names"},
    {.name = NULL}};

spn_read_options spn_sample_settings_options(const spn_sample_settings *settings)
{
    spn_read_options options = spn_read_defaults();
    options.format = (spn_format)settings->format;
    options.labels = (spn_label_place)settings->label_column;
    options.header = (spn_header)settings->header;
    return options;
}

void spn_sample_settings_leave_out(spn_record *resolved)
{
    for (const spn_setting *row = spn_sample_rows; row->name; row++)
        spn_record_remove_setting(resolved, row->name);
}

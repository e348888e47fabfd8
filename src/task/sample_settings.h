/* Settings for reading a file of labelled samples. */
#ifndef SPN_TASK_SAMPLE_SETTINGS_H
#define SPN_TASK_SAMPLE_SETTINGS_H

#include <spinney/lab/setting.h>

#include <spinney/dataset.h>
#include <spinney/lab/records.h>

typedef struct spn_sample_settings {
    int format, header, separator, decimal, label_kind, missing;
    const char *label_column, *drop, *categories;
} spn_sample_settings;

extern const spn_setting spn_sample_rows[];

/* Only for training, in the same struct: a model knows its columns. */
extern const spn_setting spn_column_rows[];

/* The texts are borrowed. */
spn_read_options spn_sample_settings_options(const spn_sample_settings *settings);

/* Notes on data that were read (test may be NULL): what was left out, classes with one sample, and
   a feature that counts the samples of a file of at least 10, such as an index saved with a table.
   On sorted data it would give the classes away. */
spn_status spn_sample_note(spn_record *out, const spn_dataset *train, const spn_dataset *test,
                           spn_error *err);

/* For runs that read no file. */
void spn_sample_settings_leave_out(spn_record *resolved);

/* Word i of the named data sets. */
const char *spn_dataset_word(size_t i);

#endif

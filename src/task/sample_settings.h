/* The settings that say how a file of labelled samples is read. */
#ifndef SPN_TASK_SAMPLE_SETTINGS_H
#define SPN_TASK_SAMPLE_SETTINGS_H

#include <spinney/lab/setting.h>

#include <spinney/dataset.h>
#include <spinney/lab/records.h>

typedef struct spn_sample_settings {
    int format, header, separator, missing;
    const char *label_column, *drop, *categories;
} spn_sample_settings;

extern const spn_setting spn_sample_rows[];

/* Those of training alone, of the same struct: a model knows which columns it was trained on. */
extern const spn_setting spn_column_rows[];

/* All texts are borrowed. */
spn_read_options spn_sample_settings_options(const spn_sample_settings *settings);

/* A note where a feature counts the samples of a file of at least 10, as an index does that was
   saved with a table: sorted data would be told apart by it. */
spn_status spn_sample_note_index(spn_record *out, const spn_dataset *data, spn_error *err);

/* Leave them out of the settings of a run that reads no file. */
void spn_sample_settings_leave_out(spn_record *resolved);

/* Word i of the data sets that are known by name, for a table. */
const char *spn_dataset_word(size_t i);

#endif

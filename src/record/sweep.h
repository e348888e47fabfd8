/* The file of a sweep: its name in the folder, its format, and the words in it. */
#ifndef SPN_RECORD_SWEEP_H
#define SPN_RECORD_SWEEP_H

#include <spinney/lab/records.h>

/* The format of the whole folder: of sweep.json and of the lines of the manifests. It grows
   whenever a program that knows the format before would misread what is written now. */
enum { SPN_SWEEP_FORMAT = 1 };

/* "none", "lowest", "highest", by spn_best. */
extern const char *const spn_best_names[3];

/* FOLDER/NAME, to be freed; NULL without memory. */
char *spn_folder_path(const char *folder, const char *name);

/* Read the text of a sweep.json; name: how errors call it. */
spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err);

#endif

/* Inputs from inside: what tasks read through them. <spinney/lab/job.h> makes and frees them. */
#ifndef SPN_JOB_INPUTS_H
#define SPN_JOB_INPUTS_H

#include <spinney/lab/job.h>

#include <spinney/dataset.h>
#include <spinney/problems.h>

/* The path of a file that a setting names, to be freed; NULL when there is no memory. */
char *spn_inputs_path(const spn_inputs *inputs, const char *name);

spn_status spn_inputs_find_given(const void **out, const spn_inputs *inputs, spn_object_kind kind,
                                 const char *setting, const char *text, spn_error *err);

/* ---- content ---- */

/* Whether a text of a setting of kind FILE names something that is read, a file or a data set, and
   not a word that stands in its place, such as `same`. */
bool spn_input_is_read(const spn_setting *setting, const char *name);

/* XXH3 of what a setting of kind FILE names: of a file's bytes, decompressed, or of a data set. */
spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err);

/* The same of a data set that is known by its name. */
spn_status spn_inputs_known_checksum(uint64_t *out, spn_inputs *inputs, const char *name,
                                     spn_error *err);

/* From now on what is read must have the content that these, borrowed, say. */
void spn_inputs_expect(spn_inputs *inputs, const spn_input_sum *sums, size_t count);

/* Whether a file, or a sum of what a setting named, is what is expected, if anything is. */
spn_status spn_inputs_check(spn_inputs *inputs, const char *setting, const char *name,
                            spn_error *err);
spn_status spn_inputs_compare(const spn_inputs *inputs, uint64_t sum, const char *setting,
                              const char *name, spn_error *err);

spn_status spn_inputs_no_memory(spn_error *err);

/* ---- what is read ----
   All of it belongs to the inputs. Errors start with the name of the setting. */

/* Labelled data. A data set that is known by its name has a test part of its own. */
typedef struct spn_data_files {
    const char *data, *labels, *test, *test_labels; /* the settings; all but data may be NULL */
} spn_data_files;

/* how: format, labels and header of the files. *test: NULL where there is none. */
spn_status spn_inputs_data(const spn_dataset **train, const spn_dataset **test, spn_inputs *inputs,
                           const spn_data_files *files, const spn_read_options *how,
                           spn_error *err);

/* Labelled samples of one file, and their labels, which may be NULL, of a second; the settings that
   name them are called so. how also holds the features and the classes that they must have. */
typedef struct spn_sample_files {
    const char *setting, *name, *labels_setting, *labels;
} spn_sample_files;

spn_status spn_inputs_samples(const spn_dataset **out, spn_inputs *inputs,
                              const spn_sample_files *files, const spn_read_options *how,
                              spn_error *err);

/* Whether a data set is known by this name. */
bool spn_data_is_known(const char *name);

/* A problem in a file. */
spn_status spn_inputs_problem(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                              const char *setting, const char *name, spn_error *err);
/* The same, read as options say; NULL for the defaults. */
spn_status spn_inputs_problem_as(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                                 const char *setting, const char *name,
                                 const spn_problem_options *options, spn_error *err);

/* ---- what is made of it ---- */

/* Something that jobs share, made by the first that asks for it; the others wait. key: what tells
   it apart. release: frees it. make must not ask the inputs for anything that is shared. */
typedef spn_status spn_input_maker(void **out, const void *context, spn_error *err);
spn_status spn_inputs_share(const void **out, spn_inputs *inputs, const char *key,
                            spn_input_maker *make, void (*release)(void *), const void *context,
                            spn_error *err);

/* Read a file through `read`, and see that it has the content that is expected. What was read is
   the caller's also where that fails. */
typedef spn_status spn_file_reader(void *out, const char *path, const void *context,
                                   spn_error *err);
spn_status spn_inputs_read(void *out, spn_inputs *inputs, const char *setting, const char *name,
                           spn_file_reader *read, const void *context, spn_error *err);

#endif

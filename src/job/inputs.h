/* What tasks read through inputs. <spinney/lab/job.h> makes and frees them. */
#ifndef SPN_JOB_INPUTS_H
#define SPN_JOB_INPUTS_H

#include <spinney/lab/job.h>

#include <spinney/dataset.h>
#include <spinney/density.h>
#include <spinney/energy.h>
#include <spinney/model.h>
#include <spinney/problems.h>
#include <spinney/program.h>

/* Path of a file named by a setting; the caller frees it. NULL without memory. */
char *spn_inputs_path(const spn_inputs *inputs, const char *name);

spn_status spn_inputs_find_given(const void **out, const spn_inputs *inputs, spn_object_kind kind,
                                 const char *setting, const char *text, spn_error *err);

/* Whether the text of a FILE setting names a file or data set, rather than being a word such as
   `same`. */
bool spn_input_is_read(const spn_setting *setting, const char *name);

/* XXH3 of what a FILE setting names: the bytes of a file, decompressed, or a data set. */
spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err);

/* The same for a named data set. */
spn_status spn_inputs_known_checksum(uint64_t *out, spn_inputs *inputs, const char *name,
                                     spn_error *err);

/* Require these contents from now on. sums is borrowed. */
void spn_inputs_expect(spn_inputs *inputs, const spn_input_sum *sums, size_t count);

/* Compare a file, or a checksum, with what is expected, if anything is. */
spn_status spn_inputs_check(spn_inputs *inputs, const char *setting, const char *name,
                            spn_error *err);
spn_status spn_inputs_compare(const spn_inputs *inputs, uint64_t sum, const char *setting,
                              const char *name, spn_error *err);

/* ---- what is read ----
   All of it belongs to the inputs. Errors start with the name of the setting. */

/* Labelled data. A named data set has its own test part. */
typedef struct spn_data_files {
    const char *data, *labels, *test, *test_labels; /* settings; all but data may be NULL */
} spn_data_files;

/* how: format, labels and header of the files. *test: NULL if there is none. */
spn_status spn_inputs_data(const spn_dataset **train, const spn_dataset **test, spn_inputs *inputs,
                           const spn_data_files *files, const spn_read_options *how,
                           spn_error *err);

/* Labelled samples of one file, data or test. how also gives the required features and classes. */
spn_status spn_inputs_samples(const spn_dataset **out, spn_inputs *inputs,
                              const spn_data_files *files, bool test, const spn_read_options *how,
                              spn_error *err);

bool spn_data_is_known(const char *name);

/* options: NULL for the defaults. */
spn_status spn_inputs_problem(const spn_problem **out, spn_inputs *inputs, spn_problem_kind kind,
                              const char *setting, const char *name,
                              const spn_problem_options *options, spn_error *err);

/* A problem with constraints. fix: NAME=VALUE,... for variables of a file; may be NULL. */
spn_status spn_inputs_program(const spn_program **out, spn_inputs *inputs, const char *name,
                              spn_program_format format, const char *fix, spn_error *err);

/* Fix NAME=VALUE,... of a problem; NULL: none. Errors: ARGUMENT, of the setting `fix`. */
spn_status spn_program_fix_texts(spn_program *program, const char *texts, spn_error *err);

/* XXH3 of its variables, objective and constraints; not of an energy in it. */
uint64_t spn_program_checksum(const spn_program *program);

/* What jobs share: zeros but for what its maker fills. The inputs free all of it. */
typedef struct spn_shared {
    spn_problem *problem;
    spn_program *program;
    spn_model *model;
    spn_dataset *train, *test; /* samples without a test part: train */
    spn_planted *planted;
    spn_energy *energy;
    double penalty; /* of the violations in that energy */
    uint64_t sum;   /* of the files it was made from */
    size_t count;   /* of inputs that vary */
} spn_shared;

/* Find what jobs share under a key. *first: nobody made it yet. Then fill it, from nothing else
   that is shared, and call spn_inputs_keep; others wait until then. Errors: MEMORY. */
spn_status spn_inputs_seek(spn_shared **out, bool *first, spn_inputs *inputs, spn_error *err,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Share what was made or, if status is an error, free it. Returns status. */
spn_status spn_inputs_keep(spn_inputs *inputs, spn_status status);

/* Begin to read a file in this thread. *path is its name until spn_inputs_close, which turns `why`
   into an error that names the setting, and checks the expected content. The caller owns what was
   read, even if that fails. */
spn_status spn_inputs_open(char **path, spn_inputs *inputs, const char *setting, const char *name,
                           spn_error *err);
spn_status spn_inputs_close(char *path, spn_inputs *inputs, const char *setting, const char *name,
                            const spn_error *why, spn_error *err);

#endif

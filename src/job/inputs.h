/* Inputs: the data sets and problems that jobs name, read once, never changed, and shared by jobs
   and threads. */
#ifndef SPN_JOB_INPUTS_H
#define SPN_JOB_INPUTS_H

#include "job/job.h"

/* beside: a file beside which those that settings name are looked for, such as the specification of
   a sweep. NULL: they are looked for in the current folder, and "-" is the standard input. */
spn_status spn_inputs_create(spn_inputs **out, const char *beside, spn_error *err);
void spn_inputs_free(spn_inputs *inputs);

/* The path of a file that a setting names, to be freed; NULL when there is no memory. */
char *spn_inputs_path(const spn_inputs *inputs, const char *name);

/* XXH3 of what a setting of kind FILE names: of a file's bytes, decompressed, or of a data set. */
spn_status spn_inputs_checksum(uint64_t *out, spn_inputs *inputs, const spn_setting *setting,
                               const char *name, spn_error *err);

/* From now on what is read must have the content that these, borrowed, say. */
void spn_inputs_expect(spn_inputs *inputs, const spn_input_sum *sums, size_t count);

#endif

/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#ifndef SPN_JOB_JOB_JSON_H
#define SPN_JOB_JOB_JSON_H

#include "record/json_tree.h"
#include <spinney/lab/job.h>

/* A job that was run. Everything is borrowed. */
typedef struct spn_job_result {
    const spn_job *job;
    const spn_record *resolved; /* settings that were not given, with their texts */
    const spn_record *record;
    const spn_outcome *outcome;
    const spn_solutions *solutions; /* NULL: none */
} spn_job_result;

/* Add it to a new object, with at most `rows` of the states that reads found. What goes wrong with
   the tree stays in *tree. *out: to be dropped; NULL after an error. Errors: ARGUMENT (a text that
   is not UTF-8), MEMORY. */
spn_status spn_job_json(json_t **out, spn_json_tree *tree, const spn_job_result *result,
                        size_t rows, spn_error *err);

#endif

/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#ifndef SPN_JOB_JOB_JSON_H
#define SPN_JOB_JOB_JSON_H

#include "base/json.h"
#include <spinney/lab/job.h>

/* A job that was run. Everything is borrowed. */
typedef struct spn_job_result {
    const spn_job *job;
    const spn_record *resolved; /* settings that were not given, with their texts */
    const spn_record *record;
    const spn_outcome *outcome;
    const spn_solutions *solutions; /* NULL: none */
} spn_job_result;

/* Write it as an object that stays open for more members, with at most `rows` of the states that
   reads found. Errors: MEMORY. */
spn_status spn_job_json(spn_json *json, const spn_job_result *result, size_t rows, spn_error *err);

#endif

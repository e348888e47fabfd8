/* The shard that a job array of Slurm stands for. */
#include "cli/sweep_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the array, in the order in which they are read. */
enum { TASK, COUNT, LEAST, MOST, STEP, FIELDS };

static const char *const fields[FIELDS] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
                                           "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
                                           "SLURM_ARRAY_TASK_STEP"};

/* The step is 1 where it is not set. */
static bool read_fields(unsigned long out[FIELDS], char *why, size_t size)
{
    for (int k = 0; k < FIELDS; k++) {
        const char *text = getenv(fields[k]);
        int used = 0;
        if (!text && k == STEP) {
            out[k] = 1;
            continue;
        }
        if (!text || !text[0] || text[strspn(text, "0123456789")] ||
            sscanf(text, "%9lu%n", &out[k], &used) != 1 || text[used]) {
            snprintf(why, size, text ? "%s is '%s', no number" : "%s is not set beside %s",
                     fields[k], text ? text : fields[TASK]);
            return false;
        }
    }
    return true;
}

bool cli_sweep_array(size_t *shard, size_t *shards, char *why, size_t size)
{
    unsigned long array[FIELDS];
    *shards = 0;
    if (!getenv(fields[TASK]))
        return true;
    if (!read_fields(array, why, size))
        return false;
    const unsigned long place = array[TASK] - array[LEAST];
    if (!array[STEP] || !array[COUNT] || array[MOST] < array[LEAST] || array[TASK] < array[LEAST] ||
        array[TASK] > array[MOST] || place % array[STEP] ||
        (array[MOST] - array[LEAST]) / array[STEP] + 1 != array[COUNT]) {
        snprintf(why, size,
                 "task %lu of the job array (%lu tasks from %lu to %lu, in steps of %lu) is no "
                 "shard: start a range, such as sbatch --array=1-%lu",
                 array[TASK], array[COUNT], array[LEAST], array[MOST], array[STEP],
                 array[COUNT] ? array[COUNT] : 1);
        return false;
    }
    *shard = place / array[STEP];
    *shards = array[COUNT];
    return true;
}

/* The shard that a job array of Slurm stands for: task i of n is shard i/n. */
#ifndef SPN_CLI_SWEEP_ARRAY_H
#define SPN_CLI_SWEEP_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Reads SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX and _STEP. Without SLURM_ARRAY_TASK_ID it sets
   *shards to 0. Returns false, and why in `why`, if they are no numbers or the array is not a range
   from which a shard follows. */
bool cli_sweep_array(size_t *shard, size_t *shards, char *why, size_t size);

#endif

/* The tasks by name, one file each. */
#ifndef SPN_TASK_TASKS_H
#define SPN_TASK_TASKS_H

#include <spinney/lab/task.h>

extern const spn_task spn_train_task, spn_anneal_task, spn_eval_task, spn_exact_task,
    spn_temper_task, spn_population_task, spn_entropy_task;

#endif

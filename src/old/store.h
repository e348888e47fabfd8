/* The store of a sweep from inside. */
#ifndef SPN_OLD_STORE_H
#define SPN_OLD_STORE_H

#include "old/tasks.h"
#include <pthread.h>

typedef struct spn_data_entry spn_data_entry;
typedef struct spn_problem_entry spn_problem_entry;

struct xpn_task_store {
    char *base;             /* folder with a slash at its end, or "" */
    const spn_sweep *sweep; /* whose files must be what they were; NULL: they may be anything */
    pthread_mutex_t mutex; /* of the lists; held while something is read, so that it is read once */
    spn_data_entry *data;
    spn_problem_entry *problems;
};

/* Fail unless what a setting names, whose checksum is given, or the file that it names, is what the
   sweep says. */
spn_status xpn_store_compare(const xpn_task_store *store, uint64_t sum, xpn_values *values,
                             const char *setting, spn_error *err);
spn_status xpn_store_verify(const xpn_task_store *store, xpn_values *values, const char *setting,
                            spn_error *err);

void xpn_store_free_data(xpn_task_store *store);
void xpn_store_free_problems(xpn_task_store *store);

#endif

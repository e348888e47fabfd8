/* The problems of a sweep that are in files, and their energies, made once. */
#include "old/store.h"

#include <stdlib.h>
#include <string.h>

struct spn_problem_entry {
    spn_problem_entry *next;
    const spn_energy_kind *kind;
    char *name; /* of the file, as in the setting */
    spn_problem *problem;
    spn_energy *energy;
};

static void entry_free(spn_problem_entry *e)
{
    spn_energy_free(e->energy);
    spn_problem_free(e->problem);
    free(e->name);
    free(e);
}

void xpn_store_free_problems(xpn_task_store *store)
{
    while (store->problems) {
        spn_problem_entry *next = store->problems->next;
        entry_free(store->problems);
        store->problems = next;
    }
}

static spn_status read_entry(spn_problem_entry *e, const xpn_task_store *store, xpn_values *values,
                             const char *setting, spn_error *err)
{
    char *path = xpn_task_store_path(store, e->name);
    spn_error why = {0};
    spn_status status;
    if (!path)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a problem");
    else if ((status = spn_problem_read(&e->problem, e->kind->problem, path, &why)) ||
             (status = spn_energy_create(&e->energy, e->kind->name, e->problem, &why)))
        xpn_values_blame(values, setting, &why, err);
    free(path);
    return status ? status : xpn_store_verify(store, values, setting, err);
}

/* Read one more problem into the list, which is locked. */
static spn_status add_entry(xpn_task_store *store, xpn_values *values, const char *setting,
                            const spn_energy_kind *kind, spn_error *err)
{
    spn_problem_entry *e = calloc(1, sizeof *e);
    if (!e)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a problem");
    *e = (spn_problem_entry){.kind = kind, .name = strdup(xpn_values_text(values, setting))};
    spn_status status = e->name ? read_entry(e, store, values, setting, err)
                                : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a problem");
    if (status) {
        entry_free(e);
        return status;
    }
    e->next = store->problems;
    store->problems = e;
    return SPN_OK;
}

spn_status xpn_task_store_problem(const spn_problem **problem, const spn_energy **energy,
                                  xpn_task_store *store, xpn_values *values, const char *setting,
                                  const spn_energy_kind *kind, spn_error *err)
{
    const char *name = xpn_values_text(values, setting);
    spn_status status = SPN_OK;
    pthread_mutex_lock(&store->mutex);
    spn_problem_entry *e = store->problems;
    while (e && (e->kind != kind || strcmp(e->name, name) != 0))
        e = e->next;
    if (!e && !(status = add_entry(store, values, setting, kind, err)))
        e = store->problems;
    pthread_mutex_unlock(&store->mutex);
    *problem = e ? e->problem : NULL;
    *energy = e ? e->energy : NULL;
    return status;
}

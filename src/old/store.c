/* The store of a sweep: what its jobs share. */
#include "old/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

spn_status xpn_task_store_create(xpn_task_store **out, const char *specification, spn_error *err)
{
    const char *slash = specification ? strrchr(specification, '/') : NULL;
    *out = calloc(1, sizeof **out);
    if (*out)
        (*out)->base =
            slash ? strndup(specification, (size_t)(slash - specification) + 1) : strdup("");
    if (!*out || !(*out)->base || pthread_mutex_init(&(*out)->mutex, NULL)) {
        if (*out)
            free((*out)->base);
        free(*out);
        *out = NULL;
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the data of a sweep");
    }
    return SPN_OK;
}

void xpn_task_store_expect(xpn_task_store *store, const spn_sweep *sweep)
{
    store->sweep = sweep;
}

void xpn_task_store_free(xpn_task_store *store)
{
    if (!store)
        return;
    xpn_store_free_data(store);
    xpn_store_free_problems(store);
    pthread_mutex_destroy(&store->mutex);
    free(store->base);
    free(store);
}

char *xpn_task_store_path(const xpn_task_store *store, const char *name)
{
    char *path = NULL;
    const char *base = name[0] == '/' ? "" : store->base;
    return asprintf(&path, "%s%s", base, name) < 0 ? NULL : path;
}

/* Energies of your own in shared objects: `spinney anneal --energy ./mine.so`, or spn_energy_load.

   A plug-in is a shared object with one symbol, the table `spinney_energy`. It needs this header
   and no library. examples/own_energy.c is a template, with the command that builds it. */
#ifndef SPINNEY_PLUGIN_H
#define SPINNEY_PLUGIN_H

#include <spinney/energy.h>
#include <stddef.h>

SPN_BEGIN_C

enum { SPN_PLUGIN_VERSION = 1, SPN_PLUGIN_MESSAGE = 256 };

/* What a problem is made from; spinney fills it. It may grow at its end. */
typedef struct spn_plugin_request {
    size_t size;         /* of this struct */
    const char *options; /* the text of the setting energy-options; "" if there is none */
    const char *file;    /* the path that the setting energy-file names; NULL if there is none */
} spn_plugin_request;

/* The problem that create makes. */
typedef struct spn_plugin_problem {
    size_t size;       /* of this struct; spinney fills it */
    void *problem;     /* handed to every function of ops; ops->destroy frees it */
    size_t sites;      /* N, 1 to 2^32-1 */
    size_t cache_size; /* bytes per replica; 0 without attach */
    bool integral;     /* every value is an integer below 2^53, and so exact */
} spn_plugin_problem;

/* The table. The functions of ops are those of <spinney/energy.h>; they are called from several
   threads at once, with different caches. create: fill *out, which is zeros but for its size, and
   return 0; or write why not into message, of message_size bytes and empty so far, one line that
   ends with NUL, and return anything else, with nothing left to free. No exception may leave any of
   them. */
typedef struct spn_energy_plugin {
    size_t size;      /* of this struct */
    unsigned version; /* SPN_PLUGIN_VERSION */
    const spn_energy_ops *ops;
    int (*create)(spn_plugin_problem *out, const spn_plugin_request *request, char *message,
                  size_t message_size);
} spn_energy_plugin;

/* Define this in the plug-in. */
extern __attribute__((visibility("default"))) const spn_energy_plugin spinney_energy;

/* Load a plug-in and make its energy. The shared object stays loaded until the energy is freed.
   out: free it with spn_energy_free; NULL on failure.
   path: of the shared object; the folders of the system's libraries are not searched.
   options: text for create; NULL: "". file: path for create; may be NULL.
   Errors: IO (cannot be opened), INPUT (no shared object, no table, a table of another version or
   size, functions missing), ARGUMENT (create failed: its message), MEMORY. */
SPN_API spn_status spn_energy_load(spn_energy **out, const char *path, const char *options,
                                   const char *file, spn_error *err);

SPN_END_C
#endif

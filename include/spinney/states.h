/* Files of states: one per line, a string of + and -, first spin first; lines that start with # are
   comments. Read them back with spn_problem_read(SPN_PROBLEM_STATES). */
#ifndef SPINNEY_STATES_H
#define SPINNEY_STATES_H

#include <spinney/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_states_writer spn_states_writer;

/* Start a file; it appears under its name when it is finished. */
SPN_API spn_status spn_states_create(spn_states_writer **out, const char *path, spn_error *err);

/* Add a state, after a comment line if comment is not NULL. */
SPN_API void spn_states_add(spn_states_writer *writer, const int8_t *spins, size_t sites,
                            const char *comment);

/* Finish, or throw away; both free the writer. discard accepts NULL. */
SPN_API spn_status spn_states_finish(spn_states_writer *writer, spn_error *err);
SPN_API void spn_states_discard(spn_states_writer *writer);

#ifdef __cplusplus
}
#endif
#endif

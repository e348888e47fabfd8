/* Files of states: one per line, a string of + and -, first spin first; lines that start with # are
   comments. Read them back with spn_problem_read(SPN_PROBLEM_STATES). */
#ifndef SPINNEY_STATES_H
#define SPINNEY_STATES_H

#include <spinney/status.h>
#include <stdint.h>

SPN_BEGIN_C

/* Write `count` states of `sites` spins each; the file appears whole or not at all. comments: a
   line before each state; NULL, or NULL for a state: none. Errors: IO, MEMORY. */
SPN_API spn_status spn_states_write(const char *path, const int8_t *spins, size_t count,
                                    size_t sites, const char *const *comments, spn_error *err);

SPN_END_C
#endif

/* The threads of the library: a team that does the items of a piece of work in parallel. */
#ifndef SPN_BASE_TEAM_H
#define SPN_BASE_TEAM_H

#include <stddef.h>

typedef struct spn_team spn_team;
typedef void spn_team_work(void *context, size_t item);

enum { SPN_TEAM_ITEMS = 0xffff };

/* threads: at least 2, including the caller's. If the system refuses some, the team is smaller.
   NULL without memory, or without any thread besides the caller's. */
spn_team *spn_team_create(unsigned threads);

/* Threads of a team, including the caller's; 1 for NULL. */
unsigned spn_team_threads(const spn_team *team);

/* Do items 0..items-1, at most SPN_TEAM_ITEMS, each once, in any order, and wait for all. The
   caller works too; alone if team is NULL. Waiting threads spin for some microseconds and then
   sleep, so that they do not block a processor. */
void spn_team_run(spn_team *team, spn_team_work *work, void *context, size_t items);

/* The same in two halves: begin returns at once while the other threads work; finish helps with
   the rest, and waits for all. */
void spn_team_begin(spn_team *team, spn_team_work *work, void *context, size_t items);
void spn_team_finish(spn_team *team);

/* Accepts NULL. */
void spn_team_free(spn_team *team);

#endif

/* A few threads that do the items of short pieces of work side by side. */
#ifndef SPN_BASE_TEAM_H
#define SPN_BASE_TEAM_H

#include <stddef.h>

typedef struct spn_team spn_team;
typedef void spn_team_work(void *context, size_t item);

enum { SPN_TEAM_ITEMS = 0xffff };

/* threads: the caller's included, at least 2. NULL where there is no memory or no thread. */
spn_team *spn_team_create(unsigned threads);

/* Do items 0..items-1, at most SPN_TEAM_ITEMS, each once, in any order, and wait for all. The
   caller works too. Whoever waits looks for some microseconds and then sleeps, so that a processor
   that others need is not kept. */
void spn_team_run(spn_team *team, spn_team_work *work, void *context, size_t items);

/* Accepts NULL. */
void spn_team_free(spn_team *team);

#endif

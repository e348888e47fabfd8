/* Pauses, for the loops of work that takes long. */
#ifndef SPN_CORE_PAUSE_H
#define SPN_CORE_PAUSE_H

#include <spinney/pause.h>

/* Ask, if that was not done in the last fiftieth of a second; true: stop, now and from now on. To
   be called by the thread that was called, not by those that it shares its work with. */
bool spn_pause_now(void);

#endif

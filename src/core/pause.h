/* Pauses in long loops. */
#ifndef SPN_CORE_PAUSE_H
#define SPN_CORE_PAUSE_H

#include <spinney/pause.h>

/* Ask the callback, at most every fiftieth of a second; true: stop, now and from now on. Only the
   thread that was called may call it, not its helpers. */
bool spn_pause_now(void);

#endif

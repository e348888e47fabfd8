/* Pauses: work that may take minutes and has no observer, that of <spinney/exact.h>,
   <spinney/spectrum.h>, <spinney/joint.h>, <spinney/density.h>, <spinney/theorems.h>,
   <spinney/profile.h>, <spinney/beta_range.h> and the scans of <spinney/ladder.h>, asks some ten
   times a second whether it shall go on, where somebody wants to be asked. */
#ifndef SPINNEY_PAUSE_H
#define SPINNEY_PAUSE_H

#include <spinney/status.h>
#include <stdbool.h>

SPN_BEGIN_C

/* true: stop. Called from the thread that called the library. */
typedef bool spn_pauser(void *context);

/* Who is asked; NULL: nobody. It never changes. */
typedef struct spn_pause {
    spn_pauser *ask;
    void *context;
} spn_pause;

/* Have work that this thread calls ask from now on; returns who was asked before, to be set again.
   After `true` the function under way returns soon, with a status like any other, and what it made
   is worthless, but for a range of beta, which is that of what was sampled until then; a ladder
   goes on until its chain's stop says so, too. */
SPN_API spn_pause spn_pause_set(spn_pause pause);

/* Whether the answer was `true` since it was set. */
SPN_API bool spn_pause_stopped(void);

SPN_END_C
#endif

/* What both ways of sharing work out among threads have in common. */
#include "chain/sharing.h"

#include "base/clock.h"
#include <math.h>

bool spn_sharing_has_team(spn_sharing *s, unsigned threads, size_t items)
{
    if (!s->team && !s->never)
        s->team = spn_team_create(threads < items ? threads : (unsigned)items);
    s->never = s->team == NULL;
    return !s->never;
}

void spn_sharing_note_alone(spn_sharing *s, double seconds, uint64_t steps)
{
    const double cost = seconds / (double)steps;
    s->alone = s->known > 0 ? 0.75 * s->alone + 0.25 * cost : cost;
    s->known += steps;
}

void spn_sharing_give_up(spn_sharing *s, double seconds)
{
    const double shortest = 0.02, longest = 20;
    s->on = false;
    s->pause = fmin(fmax(2 * s->pause, fmax(seconds / SPN_TRIAL_SHARE, shortest)), longest);
    s->next_trial = spn_clock() + s->pause;
}

/* The pause callback of each thread. */
#include "core/pause.h"

#include "base/clock.h"

static _Thread_local struct {
    spn_pause who;
    double asked; /* when, by the clock */
    bool stopped;
} pause_of_thread;

spn_pause spn_pause_set(spn_pause pause)
{
    const spn_pause before = pause_of_thread.who;
    pause_of_thread.who = pause;
    pause_of_thread.asked = 0;
    pause_of_thread.stopped = false;
    return before;
}

bool spn_pause_stopped(void)
{
    return pause_of_thread.stopped;
}

bool spn_pause_now(void)
{
    const double least = 0.02;
    if (!pause_of_thread.who.ask || pause_of_thread.stopped)
        return pause_of_thread.stopped;
    const double now = spn_clock();
    if (now - pause_of_thread.asked < least)
        return false;
    pause_of_thread.stopped = pause_of_thread.who.ask(pause_of_thread.who.context);
    pause_of_thread.asked = spn_clock();
    return pause_of_thread.stopped;
}

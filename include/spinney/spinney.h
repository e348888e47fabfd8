/* Everything of libspinney; <spinney/lab/lab.h> has what libspinney-lab adds.

   How the library and a program share memory, so that either can be replaced by a newer one:

   Objects (chains, schedules, energies, datasets, scalings, problems, models, sets of states) are
   opaque. A function makes one into *out, NULL on failure, from arrays in memory or from a file; it
   is read through functions and freed with spn_X_free, which accepts NULL. What such a function
   returns belongs to the object.

   Whoever provides the memory of a struct says how large it is:
   - A struct that the caller fills starts with its size, set by the inline function that gives its
     defaults: spn_chain_options o = spn_chain_defaults(). A newer library gives what an older
   caller does not know its default. A size of 0 is refused. Such structs grow at their end only.
   - A struct of the caller that the library fills (a snapshot, a gap, scores) is passed with its
     size by the inline function of its name; spn_X_sized is the function behind it.
   - A struct that the library makes and hands out by pointer (what an observer sees, a landscape, a
     law) is read, never copied or made by the caller: it may have grown.
   A struct that may grow is no member of another. Plain values never change: spn_error, spn_piece,
   spn_edge, spn_theorem1, spn_preprocess, spn_stream, spn_random.

   Every enum has spn_X_name(value), NULL past the last, and spn_X_parse(&out, text, err). What a
   function allocates for its caller is freed with spn_free.

   No function prints, exits, keeps state between calls but whom a thread asks in its pauses
   (<spinney/pause.h>), or depends on the locale. */
#ifndef SPINNEY_SPINNEY_H
#define SPINNEY_SPINNEY_H

#include <spinney/beta_range.h>
#include <spinney/chain.h>
#include <spinney/columns.h>
#include <spinney/coupling.h>
#include <spinney/dataset.h>
#include <spinney/density.h>
#include <spinney/encoding.h>
#include <spinney/energies.h>
#include <spinney/energy.h>
#include <spinney/exact.h>
#include <spinney/export.h>
#include <spinney/generalisation.h>
#include <spinney/joint.h>
#include <spinney/ladder.h>
#include <spinney/population.h>
#include <spinney/local_entropy.h>
#include <spinney/model.h>
#include <spinney/network.h>
#include <spinney/pause.h>
#include <spinney/plugin.h>
#include <spinney/preprocess.h>
#include <spinney/problems.h>
#include <spinney/profile.h>
#include <spinney/random.h>
#include <spinney/reads.h>
#include <spinney/robustness.h>
#include <spinney/sampler.h>
#include <spinney/samples.h>
#include <spinney/schedule.h>
#include <spinney/softmax.h>
#include <spinney/spectrum.h>
#include <spinney/states.h>
#include <spinney/statistics.h>
#include <spinney/status.h>
#include <spinney/theorems.h>
#include <spinney/train.h>
#include <spinney/version.h>
#include <spinney/words.h>

#endif

/* Everything of libspinney; <spinney/lab/lab.h> has what libspinney-lab adds.

   How the library and a program share memory, so that either can be replaced by a newer one:

   Objects (chains, schedules, energies, datasets, models, sets of states) are opaque. A function
   makes one into *out, NULL on failure, from arrays in memory or from a file; spn_X_free frees it,
   and accepts NULL. What a function returns from an object belongs to the object.

   Whoever provides the memory of a struct says how large it is:
   - A struct that you fill starts with its size, set by the inline function that gives its
   defaults: spn_chain_options o = spn_chain_defaults(). A newer library uses the defaults of fields
   that you do not know. A size of 0 is refused. Such structs grow only at their end.
   - If the library fills your struct (a snapshot, a gap, scores), the inline function passes its
     size to spn_X_sized, or the struct starts with it.
   - If the library makes a struct and hands you a pointer (a problem, a scaling, an encoding, what
     an observer sees, a landscape, a law), read it; do not copy or make one: it may have grown.
   A struct that may grow is never a member of another. Plain values never change: spn_error,
   spn_piece, spn_edge, spn_theorem1, spn_preprocess, spn_stream, spn_random, spn_names.

   Every enum spn_X has its names in spn_X_names, spn_X_name(value), NULL after the last, and
   spn_X_parse(&out, text, err). Free what a function allocates for you with spn_free.

   No function prints, exits, or depends on the locale. The only state between calls is the pause
   callback of a thread (<spinney/pause.h>). */
#ifndef SPINNEY_SPINNEY_H
#define SPINNEY_SPINNEY_H

#include <spinney/beta_range.h>
#include <spinney/chain.h>
#include <spinney/columns.h>
#include <spinney/dataset.h>
#include <spinney/density.h>
#include <spinney/device.h>
#include <spinney/encoding.h>
#include <spinney/energies.h>
#include <spinney/energy.h>
#include <spinney/exact.h>
#include <spinney/export.h>
#include <spinney/faults.h>
#include <spinney/generalisation.h>
#include <spinney/joint.h>
#include <spinney/ladder.h>
#include <spinney/local_entropy.h>
#include <spinney/model.h>
#include <spinney/network.h>
#include <spinney/pause.h>
#include <spinney/plugin.h>
#include <spinney/population.h>
#include <spinney/preprocess.h>
#include <spinney/problems.h>
#include <spinney/profile.h>
#include <spinney/program.h>
#include <spinney/random.h>
#include <spinney/reads.h>
#include <spinney/robustness.h>
#include <spinney/sampler.h>
#include <spinney/samples.h>
#include <spinney/schedule.h>
#include <spinney/softmax.h>
#include <spinney/solver.h>
#include <spinney/spectrum.h>
#include <spinney/statistics.h>
#include <spinney/status.h>
#include <spinney/theorems.h>
#include <spinney/train.h>
#include <spinney/version.h>

#endif

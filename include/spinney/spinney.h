/* Everything of libspinney. <spinney/lab/lab.h> has what libspinney-lab adds. */
#ifndef SPINNEY_SPINNEY_H
#define SPINNEY_SPINNEY_H

#include <spinney/chain.h>
#include <spinney/coupling.h>
#include <spinney/dataset.h>
#include <spinney/density.h>
#include <spinney/energies.h>
#include <spinney/energy.h>
#include <spinney/exact.h>
#include <spinney/export.h>
#include <spinney/model.h>
#include <spinney/preprocess.h>
#include <spinney/problems.h>
#include <spinney/profile.h>
#include <spinney/random.h>
#include <spinney/robustness.h>
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

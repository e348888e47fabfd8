/* All of libspinney-lab: jobs, records, sweeps, reports. Its functions and structs may change with
   each release. The names of settings and results and the file formats are stable. */
#ifndef SPINNEY_LAB_LAB_H
#define SPINNEY_LAB_LAB_H

#include <spinney/lab/call.h>
#include <spinney/lab/folder_call.h>
#include <spinney/lab/job.h>
#include <spinney/lab/plot.h>
#include <spinney/lab/records.h>
#include <spinney/lab/report.h>
#include <spinney/lab/setting.h>
#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>
#include <spinney/lab/view.h>

#endif

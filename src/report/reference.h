/* A figure beside what it is compared with. */
#ifndef SPN_REPORT_REFERENCE_H
#define SPN_REPORT_REFERENCE_H

#include "record/reference.h"
#include <spinney/lab/report.h>

/* Put the reference beside the cells of a figure, and compare. */
spn_status spn_reference_compare(spn_report_figure *figure, const char *folder, spn_error *err);

#endif

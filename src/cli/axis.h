/* An option that takes one value, a list 0.3,0.6,1 or a range START:END:STEP. */
#ifndef SPN_CLI_AXIS_H
#define SPN_CLI_AXIS_H

#include "cli/options.h"

typedef struct cli_axis {
    double *values; /* owned */
    size_t count;
    bool list; /* a list or a range was asked for, be it of one value */
} cli_axis;

enum { CLI_AXIS_MOST = 100000 };

/* What the values of an axis may be. */
typedef struct cli_axis_rule {
    double least, most;
    bool whole;    /* whole numbers only; START:END then has the step 1 */
    bool infinite; /* the word inf is a value */
} cli_axis_rule;

/* Read an option's value; false, with a message, if it is not one. Values of a range are rounded to
   12 digits, so that 0:4:0.1 holds 0.3 and not 0.30000000000000004. */
bool cli_axis_read(cli_axis *out, const cli_values *values, const char *name,
                   const cli_axis_rule *rule);

void cli_axis_clear(cli_axis *axis);

#endif

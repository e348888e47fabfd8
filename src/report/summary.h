/* The runs of a figure while it is summed up: their numbers in piles, by curve and x. */
#ifndef SPN_REPORT_SUMMARY_H
#define SPN_REPORT_SUMMARY_H

#include <spinney/lab/report.h>

/* What a figure names: a setting or a result, or a column of a curve of results. */
typedef struct spn_figure_name {
    const char *name;   /* NULL: none */
    const char *column; /* flips.accuracy: accuracy; NULL: no column of a curve */
    size_t length;      /* of the curve's name */
    size_t found;       /* how many runs have it */
} spn_figure_name;

/* The numbers of one point. */
typedef struct spn_pile {
    char *x_text;
    double x;
    double *values, *also;
    size_t count, values_room, also_room;
} spn_pile;

/* Those of one curve. */
typedef struct spn_piles {
    char *value; /* of `by` */
    spn_pile *piles;
    size_t count, room;
} spn_piles;

typedef struct spn_collection {
    const spn_sweep_figure *request;
    const spn_sweep *sweep;
    spn_figure_name x, by, value, also;
    spn_piles *groups;
    size_t count, room;
} spn_collection;

/* Put the numbers of all runs that the figure wants into piles, in the order of the runs. To be
   cleared, whatever the status. Errors: those of spn_report_figure_make. */
spn_status spn_collection_fill(spn_collection *out, const spn_records *records,
                               const spn_sweep_figure *request, spn_error *err);
void spn_collection_clear(spn_collection *all);

#endif

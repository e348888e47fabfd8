/* Reports: the figures and tables of a sweep's folder as files, and one page that holds it all. */
#ifndef SPINNEY_LAB_REPORT_H
#define SPINNEY_LAB_REPORT_H

#include <spinney/lab/records.h>
#include <spinney/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run that searched: what it cost until it was solved. */
typedef struct spn_hit {
    double cost;   /* until the first hit; where there was none, of all of the run */
    bool hit;      /* no: the run is censored at its cost */
    double whole;  /* the cost of the run's whole length; NaN: it ended at its hit */
    size_t length; /* the number of its length, */
    size_t unit;   /* and of what is drawn together for intervals: runs of one instance */
} spn_hit;

/* The cost of solving with a probability of 99%. */
typedef struct spn_tts_estimate {
    double tts, low, high; /* infinite: no run was solved, and low is what it is at least */
    size_t length;         /* where it is least, */
    double cut;            /* the cost after which a run is given up there, */
    size_t runs, hits;     /* the runs of that length, and those solved before the cut */
    double share;          /* of the runs that is solved before it */
} spn_tts_estimate;

/* A length of runs behind a point. */
typedef struct spn_report_length {
    char *text; /* "sweeps = 1000"; empty where there is one length */
    spn_tts_estimate estimate;
    bool best;
} spn_report_length;

/* One point of a figure: the summary over runs, and what it is compared with. */
typedef struct spn_report_cell {
    double x;               /* NaN where the setting is not a number */
    char *x_text;           /* as in the settings */
    spn_summary ours, also; /* count 0: the reference alone has this point */
    bool has_reference;
    double reference, reference_half;            /* half NaN: the reference printed none */
    int reference_digits, reference_half_digits; /* behind their points, as they were written; -1:
                                                    written with an exponent, or not at all */
    double
        joint; /* half the width of the joint 95% interval: sqrt(ours^2 + reference^2); where the
                  reference printed none, it counts as one run of our own deviation. NaN: unknown */
    double difference; /* (ours - reference) / joint; NaN where joint is 0 or unknown */
    /* Of a time to solution: the lengths of runs that it is the least of. Its mean is NaN where no
       run was solved; then low is what it is at least. */
    size_t length_count;
    spn_report_length *lengths;
} spn_report_cell;

/* Trends that are fitted to curves of positive values. */
typedef enum spn_trend { SPN_TREND_POWER, SPN_TREND_EXPONENTIAL, SPN_TRENDS } spn_trend;

/* value = factor x^slope, or factor e^(slope x): a line through the logarithms. */
typedef struct spn_trend_fit {
    bool done; /* there are two points or more */
    double factor, slope;
    double low, high; /* the 95% interval of the slope; NaN where there is none */
    double residual;  /* the sum of squares, of weighted points in units of their errors */
    double aic;       /* Akaike's information criterion, up to what both share */
} spn_trend_fit;

/* The trends of a curve. */
typedef struct spn_report_trends {
    size_t points, bounds; /* that are fitted, and left out since they are bounds */
    bool weighted;         /* by the intervals of the points */
    spn_trend_fit of[SPN_TRENDS];
} spn_report_trends;

/* An exponential through a curve of positive values. */
typedef struct spn_report_fit {
    bool done;         /* there are two such points or more */
    double slope;      /* of log value against x, least squares */
    double last_slope; /* between the last two points */
    double c, C;       /* least and largest value e^(x guide); NaN without a guide */
} spn_report_fit;

typedef struct spn_report_curve {
    char *name;  /* such as "replicas = 3"; the label where there is no `by` */
    char *value; /* "3"; empty where there is no `by` */
    size_t count;
    spn_report_cell *cells; /* by x */
    size_t value_count;     /* all values behind it, where a histogram is drawn */
    double *values;
    size_t hit_count; /* all runs behind it, where their first hits are drawn */
    spn_hit *hits;
    spn_report_fit fit;
    spn_report_trends trends;
    bool is_guide; /* no run is behind it */
} spn_report_curve;

typedef struct spn_report_figure {
    const spn_sweep_figure *request;
    const spn_sweep *sweep; /* of the records, borrowed like the request */
    size_t count;
    spn_report_curve *curves;
    bool x_measured, by_measured; /* no setting, but a result or a column of a curve */
    double guide;                 /* its value; NaN where there is none */
    size_t unsearched;            /* of first hits: runs left out, since they had no target */
    size_t compared, within;      /* cells with a difference, and those with |difference| <= 1 */
} spn_report_figure;

/* Sum up one figure. A value that is a column of a curve, flips.accuracy, needs an x or by that is
   one too: flips.p. Points are sorted by x where all x are numbers, curves as the sweep lists them.
   A reference's points are matched to ours to six digits; those that we do not have are kept, as
   far as `where` allows and there is such a curve. Errors: ARGUMENT (no run has such a setting or
   result, or meets the conditions), INPUT, IO (the reference), MEMORY. */
SPN_API spn_status spn_report_figure_make(spn_report_figure *out, const spn_records *records,
                                          const spn_sweep_figure *request, spn_error *err);
SPN_API void spn_report_figure_clear(spn_report_figure *figure);

typedef struct spn_report_options {
    const char *page;    /* the HTML file; NULL: none */
    const char *figures; /* a folder for NAME.svg, .pdf, .png, .gp, .csv and, for tables, .md;
                            NULL: none */
    bool pictures;       /* gnuplot is there: draw; without it, scripts and data only */
    bool still;          /* the page holds pictures instead of interactive charts, as it does where
                            the charts were not built in */
    void (*told)(void *context, const char *line);  /* may be NULL: what each figure came to */
    void (*wrote)(void *context, const char *path); /* may be NULL: told of every file */
    void *context;
} spn_report_options;

/* Add conditions to those of every figure. Errors: ARGUMENT (no condition; the text starts with
   where), MEMORY. */
SPN_API spn_status spn_report_restrict(spn_sweep *sweep, const char *const *where, size_t count,
                                       spn_error *err);

/* Write page and figures. A figure that has no data yet is left out, and the page says why.
   Errors: INPUT, IO (references, and what is written; also where gnuplot failed on a figure, and
   all else is there), MEMORY. */
SPN_API spn_status spn_report_write(const spn_records *records, const spn_report_options *options,
                                    spn_error *err);

/* Whether the page's interactive charts were built in; whether gnuplot is installed. */
SPN_API bool spn_report_has_charts(void);
SPN_API bool spn_report_can_draw(void);

#ifdef __cplusplus
}
#endif
#endif

/* Figures of survival: the share of the runs that is not yet solved against what they cost, a curve
   of steps for each, with its band; runs that ended unsolved are ticks on it. */
#include "base/number.h"
#include "base/text.h"
#include "report/drawings.h"
#include "report/figure/hits.h"
#include "report/figure/script.h"

#include <math.h>
#include <string.h>

/* ---- the data ---- */

enum { COST = 1, UNTIL, SHARE, LOW, HIGH, AT_RISK, HITS, CENSORED };

static void put_number(FILE *stream, double value)
{
    char text[SPN_NUMBER_TEXT] = "";
    if (isfinite(value))
        spn_number_text(text, value);
    fprintf(stream, "%s,", text);
}

static void put_step(FILE *stream, const spn_survival_step *step, double until, const char *curve)
{
    put_number(stream, step->cost);
    put_number(stream, until);
    put_number(stream, step->share);
    put_number(stream, step->low);
    put_number(stream, step->high);
    fprintf(stream, "%zu,%zu,%zu,", step->at_risk, step->hits, step->censored);
    spn_csv_put_quoted(stream, curve);
    fputc('\n', stream);
}

/* All runs at 0, then a row for each cost at which one was solved or ended. */
static void put_steps(FILE *stream, const spn_survival *survival, const char *curve)
{
    const spn_survival_step start = {.at_risk = survival->runs, .share = 1, .low = 1, .high = 1};
    put_step(stream, &start, survival->steps[0].cost, curve);
    for (size_t s = 0; s < survival->count; s++) {
        const size_t next = s + 1 < survival->count ? s + 1 : s;
        put_step(stream, &survival->steps[s], survival->steps[next].cost, curve);
    }
}

/* The curve's value is last. */
static bool write_data(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("cost,until,share,low,high,at_risk,solved,censored,", stream);
    spn_csv_put(stream, figure->request->by ? figure->request->by : "value");
    fputc('\n', stream);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        spn_survival survival;
        if (spn_survival_make(&survival, curve->hits, curve->hit_count, NULL))
            return false;
        if (survival.count > 0)
            put_steps(stream, &survival, curve->value);
        spn_survival_clear(&survival);
    }
    return true;
}

/* ---- the script ---- */

/* The first and the last cost above 0. */
static void find_ends(double *first, double *last, const spn_report_figure *figure)
{
    *first = *last = NAN;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t h = 0; h < figure->curves[k].hit_count; h++)
            if (figure->curves[k].hits[h].cost > 0) {
                *first = fmin(*first, figure->curves[k].hits[h].cost);
                *last = fmax(*last, figure->curves[k].hits[h].cost);
            }
}

/* false without memory. */
static bool count_rows(size_t *out, const spn_report_curve *curve)
{
    spn_survival survival;
    if (spn_survival_make(&survival, curve->hits, curve->hit_count, NULL))
        return false;
    *out = survival.count > 0 ? survival.count + 1 : 0;
    spn_survival_clear(&survival);
    return true;
}

/* One curve: its band as boxes to the next cost, its steps, and the ticks of unsolved runs. */
static void put_curve(FILE *stream, const spn_report_curve *curve, const char *colour, size_t first,
                      size_t rows)
{
    const size_t last = first + rows - 1;
    fprintf(stream,
            "data skip 1 every ::%zu::%zu using (from($%d)):%d:(from($%d)):(from($%d)):%d:%d with "
            "boxxyerror fs transparent solid 0.15 noborder lc rgb '%s' notitle, \\\n  ",
            first, last, COST, SHARE, COST, UNTIL, LOW, HIGH, colour);
    fprintf(stream,
            "data skip 1 every ::%zu::%zu using (from($%d)):%d with steps lw 2 lc rgb '%s' title ",
            first, last, COST, SHARE, colour);
    spn_gnuplot_quote(stream, curve->name);
    fprintf(stream,
            ", \\\n  data skip 1 every ::%zu::%zu using %d:($%d > 0 ? $%d : 1/0) with points pt 1 "
            "ps 0.8 lw 1.2 lc rgb '%s' notitle",
            first, last, COST, CENSORED, SHARE, colour);
}

static bool put_curves(FILE *stream, const spn_report_figure *figure)
{
    char colour[SPN_COLOUR];
    size_t first = 0;
    fputs("plot ", stream);
    for (size_t k = 0; k < figure->count; k++) {
        size_t rows;
        if (!count_rows(&rows, &figure->curves[k]))
            return false;
        if (rows == 0)
            continue;
        fputs(first ? ", \\\n  " : "", stream);
        put_curve(stream, &figure->curves[k], spn_curve_colour(colour, k, figure->count, false),
                  first, rows);
        first += rows;
    }
    fputs(first ? "" : "NaN notitle # there is no run", stream);
    return true;
}

static bool write_script(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    double least, most;
    find_ends(&least, &most, figure);
    const spn_script script =
        spn_script_begin_shares(stream, figure, grid, SPN_FIGURE_SURVIVAL, "share not yet solved");
    if (most > 0)
        spn_print(stream,
                  "set logscale x\nset xrange [%.10g:%.10g]\n"
                  "from(cost) = cost > 0 ? cost : %.10g # 0 is the left edge\n",
                  least / 1.5, most * 1.3, least / 1.5);
    else
        fputs("from(cost) = cost\n", stream);
    fprintf(stream,
            "set yrange [0:1.03]\n\n# Columns of the data: %d cost, %d share not yet solved, %d "
            "and %d its interval, %d runs that ended unsolved\n",
            COST, SHARE, LOW, HIGH, CENSORED);
    const bool done = put_curves(stream, figure);
    spn_script_end(&script);
    return done;
}

const spn_drawing spn_drawing_survival = {.what = "Kaplan and Meier's curves",
                                          .script = write_script,
                                          .text_ending = ".csv",
                                          .text = write_data};

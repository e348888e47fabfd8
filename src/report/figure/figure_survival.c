/* Survival: the share of runs not yet solved against their cost, as a step curve with its band.
   Ticks mark runs that ended unsolved. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/figure/hits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COST = 1, UNTIL, SHARE, LOW, HIGH, AT_RISK, HITS, CENSORED };

static void put_step(FILE *stream, const spn_survival_step *step, double until, const char *curve)
{
    spn_csv_numbers(stream, (double[]){step->cost, until, step->share, step->low, step->high}, 5);
    fprintf(stream, ",%zu,%zu,%zu,", step->at_risk, step->hits, step->censored);
    spn_csv_put_quoted(stream, curve);
    fputc('\n', stream);
}

/* All runs at 0, then a row for each cost at which a run was solved or ended. */
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
        const spn_survival_step start = {.at_risk = survival.runs, .share = 1, .low = 1, .high = 1};
        if (survival.count > 0)
            put_step(stream, &start, survival.steps[0].cost, curve->value);
        for (size_t s = 0; s < survival.count; s++) {
            const size_t next = s + 1 < survival.count ? s + 1 : s;
            put_step(stream, &survival.steps[s], survival.steps[next].cost, curve->value);
        }
        spn_survival_clear(&survival);
    }
    return true;
}

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

/* The band as boxes up to the next cost, the steps, and the ticks of unsolved runs. */
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
        const spn_report_curve *curve = &figure->curves[k];
        spn_survival survival;
        if (spn_survival_make(&survival, curve->hits, curve->hit_count, NULL))
            return false;
        const size_t rows = survival.count > 0 ? survival.count + 1 : 0;
        spn_survival_clear(&survival);
        if (rows == 0)
            continue;
        fputs(first ? ", \\\n  " : "", stream);
        put_curve(stream, curve, spn_curve_colour(colour, k, figure->count, false), first, rows);
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

/* 0.975 quantile of the normal distribution. */
static const double Z = 1.959963984540054;

int spn_hit_compare(const void *a, const void *b)
{
    const spn_hit *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (int)y->hit - (int)x->hit;
}

static size_t add_step(spn_survival *out, const spn_hit *sorted, size_t first, size_t count)
{
    spn_survival_step *step = &out->steps[out->count++];
    *step = (spn_survival_step){.cost = sorted[first].cost, .at_risk = count - first};
    for (; first < count && sorted[first].cost == step->cost; first++) {
        step->hits += sorted[first].hit;
        step->censored += !sorted[first].hit;
    }
    out->hits += step->hits;
    return first;
}

spn_status spn_survival_make(spn_survival *out, const spn_hit *hits, size_t count, spn_error *err)
{
    spn_hit *sorted = spn_alloc(count, sizeof *sorted);
    double share = 1, variance = 0;
    *out = (spn_survival){.runs = count, .steps = spn_alloc(count, sizeof *out->steps)};
    if (!sorted || !out->steps) {
        free(sorted);
        spn_survival_clear(out);
        return spn_no_memory(err, "first hits");
    }
    if (count > 0)
        memcpy(sorted, hits, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, spn_hit_compare);
    for (size_t k = 0; k < count;) {
        k = add_step(out, sorted, k, count);
        spn_survival_step *step = &out->steps[out->count - 1];
        const double risk = (double)step->at_risk, solved = (double)step->hits;
        share *= 1 - solved / risk;
        variance += solved > 0 && solved < risk ? solved / (risk * (risk - solved)) : 0;
        step->share = share;
        const double width = Z * sqrt(variance) / -log(share);
        step->low = step->high = share < 1 ? NAN : 1;
        if (share > 0 && share < 1) {
            step->low = pow(share, exp(width));
            step->high = pow(share, exp(-width));
        }
    }
    free(sorted);
    return SPN_OK;
}

void spn_survival_clear(spn_survival *survival)
{
    free(survival->steps);
    *survival = (spn_survival){0};
}

double spn_survival_solved_by(const spn_survival *survival, double share)
{
    for (size_t k = 0; k < survival->count; k++)
        if (survival->steps[k].hits > 0 && 1 - survival->steps[k].share >= share * (1 - 1e-12))
            return survival->steps[k].cost;
    return NAN;
}

/* spinney exact: its figures, in the terminal and as files. */
#include "cli/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { CURVES_MOST = 24, NAME_LENGTH = 64 };

/* A figure and the points and names that it owns. */
typedef struct drawing {
    spn_figure figure;
    spn_curve curves[CURVES_MOST];
    char names[CURVES_MOST][NAME_LENGTH];
    double *points[CURVES_MOST]; /* x, then y */
    char title[160];
} drawing;

static void clear_drawing(drawing *d)
{
    for (size_t c = 0; c < CURVES_MOST; c++)
        free(d->points[c]);
}

/* A new curve of up to `room` points; NULL where there is no memory or no place. */
static spn_curve *add_curve(drawing *d, size_t room)
{
    const size_t c = d->figure.count;
    if (c == CURVES_MOST || !(d->points[c] = calloc(2 * (room ? room : 1), sizeof *d->points[c])))
        return NULL;
    d->curves[c] = (spn_curve){d->names[c], 0, d->points[c], d->points[c] + room};
    d->figure.curves = d->curves;
    d->figure.count++;
    return &d->curves[c];
}

static void add_point(drawing *d, const spn_curve *curve, double x, double y)
{
    const size_t c = (size_t)(curve - d->curves);
    const size_t room = (size_t)(curve->y - curve->x), n = d->curves[c].count;
    if (n < room && isfinite(x) && isfinite(y)) {
        /* keep the points sorted by x, whatever the order of the list */
        size_t at = n;
        double *px = d->points[c], *py = d->points[c] + room;
        for (; at > 0 && px[at - 1] > x; at--) {
            px[at] = px[at - 1];
            py[at] = py[at - 1];
        }
        px[at] = x;
        py[at] = y;
        d->curves[c].count++;
    }
}

static void name_curve(drawing *d, const exact *e, const char *what, const exact_point *p,
                       bool with_gamma)
{
    char *name = d->names[d->figure.count - 1];
    size_t used = (size_t)snprintf(name, NAME_LENGTH, "%s", what);
    if (e->replicas.count > 1)
        used += (size_t)snprintf(name + used, NAME_LENGTH - used, "%sy=%zu", used ? ", " : "",
                                 p->replicas);
    if (with_gamma && e->gamma.count > 1)
        snprintf(name + used, NAME_LENGTH - used, "%sgamma=%g", used ? ", " : "", p->gamma);
}

/* psi of each kernel against beta, and the line of slope -m through its last point. */
static void draw_gap(drawing *d, const exact *e)
{
    double last_beta = -INFINITY, first_beta = INFINITY, last_gap = NAN;
    for (size_t k = 0; k < EXACT_KERNELS; k++)
        for (size_t y = 0; e->kernels[k] && y < e->replicas.count; y++)
            for (size_t g = 0; g < e->gamma.count && d->figure.count + 1 < CURVES_MOST; g++) {
                const spn_curve *curve = add_curve(d, e->beta.count);
                if (!curve)
                    return;
                name_curve(d, e, spn_kernel_name((spn_kernel)k), exact_at(e, y, 0, g), true);
                for (size_t b = 0; b < e->beta.count; b++) {
                    const exact_point *p = exact_at(e, y, b, g);
                    add_point(d, curve, p->beta, p->chain[k].gap.gap);
                    if (isfinite(p->chain[k].gap.gap)) {
                        first_beta = fmin(first_beta, p->beta);
                        last_gap = p->beta > last_beta ? p->chain[k].gap.gap : last_gap;
                        last_beta = fmax(last_beta, p->beta);
                    }
                }
            }
    const spn_curve *line = add_curve(d, 2);
    if (line && last_beta > first_beta) {
        snprintf(d->names[d->figure.count - 1], NAME_LENGTH, "slope -m = %g", -e->heights.m);
        add_point(d, line, first_beta, last_gap * exp(e->heights.m * (last_beta - first_beta)));
        add_point(d, line, last_beta, last_gap);
    }
    snprintf(d->title, sizeof d->title, "Spectral gap of %s, N=%zu", e->energy_name,
             e->landscape->sites);
    d->figure.x_label = "beta";
    d->figure.y_label = "psi";
    d->figure.log_y = true;
}

static void draw_epsilon(drawing *d, const exact *e)
{
    const exact_annealing *a = &e->annealing;
    const spn_curve *epsilon = add_curve(d, a->count), *variation = add_curve(d, a->count);
    if (!epsilon || !variation)
        return;
    snprintf(d->names[0], NAME_LENGTH, "epsilon_n");
    snprintf(d->names[1], NAME_LENGTH, "total variation");
    for (size_t n = 0; n < a->count; n++) {
        add_point(d, epsilon, (double)n + 1, a->stages[n].epsilon);
        add_point(d, variation, (double)n + 1, a->stages[n].total_variation);
    }
    snprintf(d->title, sizeof d->title, "Distance to Qbar_n, %s kernel", spn_kernel_name(e->first));
    d->figure.x_label = "stage n";
    d->figure.y_label = "distance";
    d->figure.log_y = true;
}

/* The mass of D^y at beta = infinity and at each finite beta, and the share A/B. */
static void draw_dense(drawing *d, const exact *e)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t y = 0; y < e->replicas.count; y++)
        for (size_t b = 0; b < e->beta.count && d->figure.count + 1 < CURVES_MOST; b++) {
            const spn_curve *curve = add_curve(d, e->gamma.count);
            if (!curve)
                return;
            char *name = d->names[d->figure.count - 1];
            snprintf(name, NAME_LENGTH, "y=%g, beta=%g", e->replicas.values[y], e->beta.values[b]);
            if (e->beta.count == 1)
                snprintf(name, NAME_LENGTH, "y=%g", e->replicas.values[y]);
            for (size_t g = 0; g < e->gamma.count; g++) {
                const exact_point *p = exact_at(e, y, b, g);
                add_point(d, curve, p->gamma, e->beta.count == 1 ? p->mass_cold : p->mass);
                low = fmin(low, p->gamma);
                high = fmax(high, p->gamma);
            }
        }
    const spn_curve *share = add_curve(d, 2);
    if (!share)
        return;
    const double value = (double)e->dense.minima / (double)e->landscape->minima_count;
    snprintf(d->names[d->figure.count - 1], NAME_LENGTH, "share A/B = %.4g", value);
    add_point(d, share, low, value);
    add_point(d, share, high, value);
    snprintf(d->title, sizeof d->title, "Mass of the dense region%s, N=%zu",
             e->beta.count == 1 ? " at zero temperature" : "", e->landscape->sites);
    d->figure.x_label = "gamma";
    d->figure.y_label = "Qbar(D^y)";
}

/* Minima within R: the mean and the extremes over all minima. */
static void draw_density(drawing *d, const exact *e)
{
    static const char *const names[3] = {"most", "mean", "fewest"};
    const spn_density *density = e->density;
    for (size_t c = 0; c < 3; c++) {
        if (!add_curve(d, density->sites + 1))
            return;
        snprintf(d->names[c], NAME_LENGTH, "%s", names[c]);
    }
    for (size_t r = 0; r <= density->sites; r++) {
        double most = 0, sum = 0, fewest = INFINITY;
        for (size_t j = 0; j < density->count; j++) {
            const double within = density->within[j * (density->sites + 1) + r];
            most = fmax(most, within);
            fewest = fmin(fewest, within);
            sum += within;
        }
        add_point(d, &d->curves[0], (double)r, most);
        add_point(d, &d->curves[1], (double)r, sum / (double)density->count);
        add_point(d, &d->curves[2], (double)r, fewest);
    }
    snprintf(d->title, sizeof d->title, "Minima near a minimum, N=%zu, %zu minima", density->sites,
             density->count);
    d->figure.x_label = "R";
    d->figure.y_label = "minima within R";
    d->figure.log_y = true;
}

static void draw(drawing *d, const exact *e)
{
    *d = (drawing){0};
    d->figure.title = d->title;
    switch (e->figure) {
    case EXACT_FIGURE_GAP:
        draw_gap(d, e);
        break;
    case EXACT_FIGURE_EPSILON:
        draw_epsilon(d, e);
        break;
    case EXACT_FIGURE_DENSE:
        draw_dense(d, e);
        break;
    case EXACT_FIGURE_DENSITY:
        draw_density(d, e);
        break;
    case EXACT_FIGURE_NONE:
        break;
    }
}

/* Which figures what was asked for can give, in the order of exact_figure. */
static size_t candidates(const exact *e, bool *can)
{
    can[EXACT_FIGURE_NONE] = false;
    can[EXACT_FIGURE_GAP] =
        e->beta.count > 1 && e->gap != EXACT_NEVER && !cli_given(e->values, "no-chain");
    can[EXACT_FIGURE_EPSILON] = e->annealing.asked;
    can[EXACT_FIGURE_DENSE] = e->gamma.count > 1 && e->dense.states;
    can[EXACT_FIGURE_DENSITY] = cli_given(e->values, "density");
    size_t count = 0;
    for (size_t k = 1; k <= EXACT_FIGURE_DENSITY; k++)
        count += can[k];
    return count;
}

int exact_choose_figure(exact *e)
{
    static const char *const names[] = {"gap", "epsilon", "dense", "density", NULL};
    static const char *const needs[] = {"--beta as a list or range, and gaps", "--schedule",
                                        "--gamma as a list or range, and a dense set", "--density"};
    bool can[EXACT_FIGURE_DENSITY + 1];
    const size_t count = candidates(e, can);
    int what;
    if (cli_given(e->values, "plot-what")) {
        if (!cli_choice(&what, e->values, "plot-what", names))
            return CLI_USAGE;
        if (!can[what + 1])
            return cli_error(e->values->command, "--plot-what %s needs %s", names[what],
                             needs[what]);
        e->figure = (exact_figure)(what + 1);
        return CLI_OK;
    }
    if (cli_given(e->values, "plot") && count == 0)
        return cli_error(e->values->command,
                         "--plot: there is no curve in what was asked for; give --beta or --gamma "
                         "as a list or range, --schedule or --density");
    if (cli_given(e->values, "plot") && count > 1)
        return cli_error(e->values->command,
                         "--plot: more than one figure was asked for; choose with --plot-what gap, "
                         "epsilon, dense or density");
    for (int k = 1; count == 1 && k <= EXACT_FIGURE_DENSITY; k++)
        if (can[k])
            e->figure = (exact_figure)k;
    return CLI_OK;
}

int exact_print_figure(const exact *e)
{
    size_t width = 80;
    struct winsize size;
    const bool terminal = isatty(STDOUT_FILENO);
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 30)
        width = size.ws_col < 120 ? size.ws_col : 120;
    drawing d;
    draw(&d, e);
    char *text = NULL;
    if (d.figure.count > 0 && spn_figure_text(&text, &d.figure, width, 20, terminal, NULL) == 0)
        printf("\n%s", text);
    free(text);
    clear_drawing(&d);
    return CLI_OK;
}

int exact_write_figure(const exact *e)
{
    drawing d;
    spn_error err = {0};
    draw(&d, e);
    size_t points = 0;
    for (size_t c = 0; c < d.figure.count; c++)
        points += d.curves[c].count;
    if (points == 0) {
        clear_drawing(&d);
        return cli_error(e->values->command, "--plot: there is no point to draw%s%s",
                         e->note_count ? ": " : "",
                         e->note_count ? e->notes[e->note_count - 1] : "");
    }
    const spn_status failed = spn_figure_file(&d.figure, cli_text(e->values, "plot"), &err);
    clear_drawing(&d);
    return failed ? exact_fail(e, &err) : CLI_OK;
}

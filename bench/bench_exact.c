/* Whether threads ever hurt the exact laboratory: the time of a spectral gap with two threads over
   that with one, on the machine as it is and with twice as many busy threads as it has processors.
   One JSON object; a ratio is that of the fastest of runs made in turn, on the busy machine of
   their sums, since there every run has its share of waiting. */
#include "base/clock.h"
#include "bench.h"
#include "busy.h"
#include <math.h>

enum { REPEATS = 5, THREADS = 2 };

static spn_landscape *make_landscape(size_t sites)
{
    spn_error err = {0};
    spn_energy *energy = perceptron_energy(sites, 8);
    spn_landscape *landscape;
    if (spn_landscape_create(&landscape, energy, 0, &err))
        die(&err);
    spn_energy_free(energy);
    return landscape;
}

/* Seconds of the gap; *gap must be the same at any number of threads. */
static double run_once(double *gap, spn_landscape *landscape, unsigned threads)
{
    spn_error err = {0};
    spn_operator *op;
    spn_gap found;
    landscape->threads = threads;
    const double started = spn_clock();
    if (spn_operator_create(&op, landscape, 1, SPN_KERNEL_TWO_STAGE, 2, 0, &err) ||
        spn_operator_gap(&found, op, NULL, &err))
        die(&err);
    const double seconds = spn_clock() - started;
    spn_operator_free(op);
    *gap = found.gap;
    return seconds;
}

/* The ratio of the fastest, and of the sums. */
static void compare(double *fastest, double *sums, spn_landscape *landscape)
{
    double least[2] = {INFINITY, INFINITY}, sum[2] = {0, 0}, gap[2];
    for (int k = 0; k < REPEATS; k++)
        for (unsigned several = 0; several < 2; several++) {
            const double seconds =
                run_once(&gap[several], landscape, several ? (unsigned)THREADS : 1);
            least[several] = fmin(least[several], seconds);
            sum[several] += seconds;
        }
    if (gap[0] != gap[1])
        die(&(spn_error){.text = "threads change the gap"});
    *fastest = least[1] / least[0];
    *sums = sum[1] / sum[0];
}

int main(void)
{
    static const size_t sizes[] = {13, 15, 17};
    printf("{\"threads\": %d, \"results\": {\n", THREADS);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        spn_landscape *landscape = make_landscape(sizes[k]);
        double idle, busy, unused, gap;
        const double one = run_once(&gap, landscape, 1);
        compare(&idle, &unused, landscape);
        busy_start();
        compare(&unused, &busy, landscape);
        busy_end();
        printf("  \"gap_%zu\": {\"about\": \"bits, %zu spins\", \"seconds\": %.3f, \"idle\": %.2f, "
               "\"busy\": %.2f}%s\n",
               sizes[k], sizes[k], one, idle, busy,
               k + 1 < sizeof sizes / sizeof *sizes ? "," : "");
        fflush(stdout);
        spn_landscape_free(landscape);
    }
    printf("}}\n");
    return 0;
}

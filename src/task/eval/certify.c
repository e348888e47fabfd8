/* The certificates of the task `eval`: how many flips samples withstand, the worst ones and as many
   random ones. */
#include "task/eval/scores.h"
#include "task/tables.h"

#include <spinney/robustness.h>
#include <stdlib.h>

static const double flips[] = {1, 2, 5, 10, 20, 50};
enum { POINTS = sizeof flips / sizeof *flips };

typedef struct certified_row {
    double flips, random, random_low, random_high, worst;
} certified_row;

SPN_NEEDS(certify_needs, spn_eval_plan, p->certify, "certificates; give `certify`")

#define CERTIFIED(column, ...)                                                                     \
    SPN_COLUMN("certified", certified_row, column, .needs = certify_needs, __VA_ARGS__)
const spn_quantity spn_certified_results[] = {
    CERTIFIED(flips, .label = "flipped weights", .help = "number of weights flipped"),
    CERTIFIED(random, .label = "accuracy, random flips",
              .help = "accuracy with as many random flips, over 100 trials"),
    CERTIFIED(random_low, .help = "lower end of its 95% confidence interval, by Student's t"),
    CERTIFIED(random_high, .help = "upper end"),
    CERTIFIED(worst, .label = "accuracy, worst flips",
              .help = "share classified correctly whichever weights flip, up to this number: "
                      "proved sample by sample, averaged over the replicas"),
    {.name = NULL}};

size_t spn_eval_flippable(const spn_eval_plan *p)
{
    const size_t votes = p->flipped_votes > 1 ? p->flipped_votes : 1;
    const size_t part = p->flips.options.count;
    return votes * (part ? part : spn_model_sites(p->classifier));
}

/* Add the shares of a classifier, `weight` of all. */
static spn_status add_shares(certified_row *rows, const spn_eval_plan *p,
                             const spn_softmax_model *model, double weight, spn_error *err)
{
    const size_t samples = spn_dataset_samples(p->set);
    const uint32_t *labels = spn_dataset_labels(p->set);
    uint32_t *least = spn_alloc(2 * samples, sizeof *least);
    SPN_NEED(least, err, "certificates");
    uint32_t *classes = least + samples;
    const spn_status status =
        spn_certify(least, classes, model, p->set, (spn_layers)p->flip_layer, err);
    for (size_t n = 0; n < samples && !status; n++)
        for (size_t k = 0; k < POINTS; k++)
            if (classes[n] == labels[n] && least[n] > rows[k].flips)
                rows[k].worst += weight / (double)samples;
    free(least);
    return status;
}

/* The accuracy under as many random flips. */
static spn_status add_random(certified_row *rows, size_t count, spn_measuring *m,
                             const spn_eval_plan *p, const spn_flip_target *target, spn_error *err)
{
    double shares[POINTS];
    spn_flip_plan plan = {.count = count, .shares = shares, .options = p->flips.options};
    spn_curve_rows found = {0};
    plan.options.mode = SPN_FLIP_EXACT;
    plan.options.faults = (spn_fault_model){0};
    plan.options.trials = p->flipped_count > 50 ? 2 * p->flipped_count : SPN_CERTIFY_TRIALS;
    for (size_t k = 0; k < count; k++)
        shares[k] = rows[k].flips / (double)spn_eval_flippable(p);
    SPN_TRY(spn_measure_flips(&found, m, &plan, target, err));
    const spn_flip_row *random = found.rows;
    for (size_t k = 0; k < found.count; k++) {
        rows[k].random = random[k].accuracy;
        rows[k].random_low = random[k].low;
        rows[k].random_high = random[k].high;
    }
    free(found.rows);
    return SPN_OK;
}

spn_status spn_eval_certify(spn_curve_rows *out, spn_measuring *m, const spn_eval_plan *p,
                            const spn_flip_target *target, spn_error *err)
{
    spn_softmax_model model = spn_model_classifier(p->classifier, target->weights);
    const size_t apart = spn_model_sites(p->classifier);
    size_t count = 0;
    model.votes = p->flipped_votes;
    if (!p->certify || m->stopped)
        return SPN_OK;
    certified_row *rows = spn_curve_make(out, POINTS, sizeof *rows, err);
    if (!rows)
        return SPN_ERROR_MEMORY;
    while (count < POINTS && flips[count] <= (double)spn_eval_flippable(p)) {
        rows[count].flips = flips[count];
        count++;
    }
    out->count = count;
    for (size_t a = 0; a < p->flipped_count; a++, model.weights += apart)
        SPN_TRY(add_shares(rows, p, &model, 1 / (double)p->flipped_count, err));
    return add_random(rows, count, m, p, target, err);
}

#include "task/eval/scores.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>

/* ---- by class ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

/* From the counts [label * classes + prediction]; NaN for a share of nothing. */
static void class_rows(spn_class_row *out, const uint64_t *counts, size_t classes)
{
    for (size_t k = 0; k < classes; k++) {
        const uint64_t right = counts[k * classes + k];
        uint64_t samples = 0, predicted = 0;
        for (size_t j = 0; j < classes; j++) {
            samples += counts[k * classes + j];
            predicted += counts[j * classes + k];
        }
        out[k] = (spn_class_row){.label = (double)k,
                                 .precision = share(right, predicted),
                                 .recall = share(right, samples),
                                 .f1 = share(2 * right, samples + predicted),
                                 .samples = (double)samples};
    }
}

typedef struct scored {
    double score;
    uint32_t label;
} scored;

static int compare(const void *a, const void *b)
{
    const double left = ((const scored *)a)->score, right = ((const scored *)b)->score;
    return (left > right) - (left < right);
}

/* Equal but for rounding: copies of features make many logits that are equal in exact arithmetic.
 */
static bool ties(double first, double score)
{
    return score == first || score - first <= 1e-12 * (1 + fabs(first));
}

/* Twice the number of pairs, one of each class, in the right order. */
static double pairs_right(const scored *order, size_t samples)
{
    double below = 0, twice = 0; /* samples of class 0 with lower scores */
    for (size_t first = 0, end; first < samples; first = end) {
        double zeros = 0, ones = 0;
        for (end = first; end < samples && ties(order[first].score, order[end].score); end++)
            *(order[end].label ? &ones : &zeros) += 1;
        twice += ones * (2 * below + zeros);
        below += zeros;
    }
    return twice;
}

/* The chance that a random sample of class 1 has a larger ratio of probabilities, class 1 to class
   0, than one of class 0; ties, also up to rounding, count half. NaN if a class has no sample. out:
   from 2 probabilities for each sample. Errors: MEMORY. */
static spn_status area_under_curve(double *out, const double *probabilities, const uint32_t *labels,
                                   size_t samples, spn_error *err)
{
    scored *order = spn_alloc(samples, sizeof *order);
    double ones = 0;
    SPN_NEED(order, err, "the area under the ROC curve");
    for (size_t n = 0; n < samples; n++) {
        /* the larger one rounds to 1, the smaller one keeps the order */
        order[n].score = log(probabilities[2 * n + 1]) - log(probabilities[2 * n]);
        order[n].label = labels[n];
        ones += labels[n];
    }
    qsort(order, samples, sizeof *order, compare);
    *out = pairs_right(order, samples) / (2 * ones * ((double)samples - ones));
    free(order);
    return SPN_OK;
}

/* ---- results ---- */

typedef struct confusion_row {
    double replica, label, prediction, count;
} confusion_row;

SPN_NEEDS(best_needs, spn_eval_plan, spn_model_train_losses(p->classifier),
          "a model that holds its losses in training")
SPN_NEEDS(pair_needs, spn_eval_plan, spn_model_classes(p->classifier) == 2, "two classes")
SPN_NEEDS(network_needs, spn_eval_plan, spn_model_hidden(p->classifier),
          "a network; train with `hidden 64`")

static const char *summary_of(const void *scores)
{
    return ((const spn_eval_scores *)scores)->summary;
}

#define AT(member) offsetof(spn_eval_scores, member)
#define BEST(part, order_, ...)                                                                    \
    {                                                                                              \
        "best_" #part, .order = (order_), .needs = best_needs, .at = AT(best.part), __VA_ARGS__    \
    }
#define CENTRE(part, order_, ...)                                                                  \
    {                                                                                              \
        "centre_" #part, .order = (order_), .at = AT(centre.part), __VA_ARGS__                     \
    }
/* These come after the scores of single classifiers. */
#define NETWORK(name, member, ...)                                                                 \
    {                                                                                              \
        name, .order = LAST, .needs = network_needs, .at = AT(member), __VA_ARGS__                 \
    }
enum { LAST = 7 };

#define REPLICA(column, ...)                                                                       \
    SPN_COLUMN("replicas", spn_eval_score_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
static const spn_quantity replica_results[] = {
    REPLICA(loss, .help = "its loss"),
    REPLICA(accuracy, .help = "its accuracy"),
    REPLICA(balanced_accuracy, .help = "its balanced accuracy"),
    REPLICA(macro_f1, .help = "its macro F1"),
    REPLICA(train_loss, .needs = best_needs, .help = "its training loss, if the model stores it"),
    {.name = NULL}};

#define CLASS(column, ...)                                                                         \
    SPN_COLUMN("classes", spn_class_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
static const spn_quantity class_results[] = {
    CLASS(label, .help = "class, as a number from 0"),
    CLASS(precision, .help = "share of its predictions that are right"),
    CLASS(recall, .help = "share of its samples that are predicted right"),
    CLASS(f1, .help = "2 TP/(2 TP + FP + FN)"),
    CLASS(samples, .help = "its samples"),
    {.name = NULL}};

#define COUNT(column, ...)                                                                         \
    SPN_COLUMN("confusions", confusion_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
static const spn_quantity confusion_results[] = {
    COUNT(replica,
          .help = "nonzero counts of each replica: its number, from 1; 0 for the centre, -1 for "
                  "the vote"),
    COUNT(label, .help = "label, as the number of a class from 0"),
    COUNT(prediction, .help = "prediction, likewise"),
    COUNT(count, .help = "samples of that label with that prediction"),
    {.name = NULL}};

const spn_quantity spn_eval_results[] = {
    {"summary", SPN_QUANTITY_TEXT, SPN_QUANTITY_DETAIL, .text = summary_of,
     .help = "a sentence: the accuracy of the model that `predict` and `export` use, compared with "
             "guessing"},
    SPN_SECONDS_QUANTITY,
    {"loss", .at = AT(mean.loss), .label = "loss",
     .help = "mean cross-entropy, averaged over the replicas"},
    {"accuracy", .flags = SPN_QUANTITY_MAIN, .at = AT(mean.accuracy), .label = "accuracy",
     .help = "share classified correctly, averaged over the replicas"},
    {"balanced_accuracy", .order = 3, .at = AT(mean.balanced_accuracy),
     .label = "balanced accuracy",
     .help = "share classified correctly, averaged over the classes and the replicas"},
    {"macro_f1", .order = 3, .at = AT(mean.macro_f1), .label = "macro F1",
     .help = "2 TP/(2 TP + FP + FN), averaged over the classes and the replicas"},
    {"majority_accuracy", .order = 4, .at = AT(majority_accuracy),
     .label = "accuracy of the majority class",
     .help = "share of the most frequent class, which guessing would get"},
    {"roc_auc", .flags = SPN_QUANTITY_OPTIONAL, .order = 4, .needs = pair_needs, .at = AT(roc_auc),
     .label = "area under the ROC curve",
     .help = "two classes: chance that the classifier of `replica` ranks a random sample of the "
             "second above one of the first"},
    BEST(loss, 1, .label = "loss of the best replica",
         .help = "loss of the replica of lowest training loss, if the model stores these losses"),
    BEST(accuracy, 1, .label = "accuracy of the best replica", .help = "accuracy of that replica"),
    BEST(balanced_accuracy, 5, .label = "balanced accuracy of the best replica",
         .help = "balanced accuracy of that replica"),
    BEST(macro_f1, 5, .label = "macro F1 of the best replica", .help = "macro F1 of that replica"),
    CENTRE(loss, 2, .label = "loss of the centre",
           .help = "loss of the majority of the replicas for each weight"),
    CENTRE(accuracy, 2, .label = "accuracy of the centre", .help = "accuracy of that"),
    CENTRE(balanced_accuracy, 6, .label = "balanced accuracy of the centre",
           .help = "balanced accuracy of that"),
    CENTRE(macro_f1, 6, .label = "macro F1 of the centre", .help = "macro F1 of that"),
    NETWORK("vote_loss", vote.loss, .label = "loss of the vote",
            .help = "network: loss of the sum of the replicas' logits"),
    NETWORK("vote_accuracy", vote.accuracy, .label = "accuracy of the vote",
            .help = "accuracy of that"),
    NETWORK("vote_balanced_accuracy", vote.balanced_accuracy,
            .label = "balanced accuracy of the vote", .help = "balanced accuracy of that"),
    NETWORK("vote_macro_f1", vote.macro_f1, .label = "macro F1 of the vote",
            .help = "macro F1 of that"),
    NETWORK("bits", bits, .label = "bits of a replica",
            .help = "network: bits of a replica's weights, and of the centre's"),
    NETWORK("bytes", bytes, .label = "bytes of a replica", .help = "the same in bytes"),
    NETWORK("vote_bits", vote_bits, .label = "bits of the vote",
            .help = "bits of all replicas' weights"),
    NETWORK("vote_bytes", vote_bytes, .label = "bytes of the vote", .help = "the same in bytes"),
    {"best_replica", .flags = SPN_QUANTITY_DETAIL, .order = LAST, .needs = best_needs,
     .at = AT(best_replica), .help = "its number, from 1"},
    {"samples", .flags = SPN_QUANTITY_DETAIL, .order = LAST, .at = AT(samples),
     .help = "samples that were classified"},
    {.help = "Each replica"},
    {.group = replica_results, .at = AT(replicas)},
    {"confusion", SPN_QUANTITY_MATRIX, SPN_QUANTITY_DETAIL, .at = AT(confusion),
     .help = "counts of the classifier of `replica`: one row per label, one column per prediction"},
    {.help = "Each class, for the same classifier"},
    {.group = class_results, .at = AT(classes)},
    {.group = confusion_results, .at = AT(confusions)},
    {.help = "Robustness of the flipped weights"},
    {.group = spn_flip_results, .at = AT(flips), .plan_at = offsetof(spn_eval_plan, flips)},
    {.group = spn_certified_results, .at = AT(certified)},
    {.name = NULL}};

static size_t cells_of(const spn_model *m)
{
    return (size_t)spn_model_classes(m) * spn_model_classes(m);
}

static spn_status score_one(spn_eval_score_row *out, spn_eval_scores *s,
                            const spn_softmax_model *classifier, size_t place, spn_error *err)
{
    spn_softmax_details wanted = spn_softmax_details_defaults();
    spn_softmax_scores scores = {0};
    if (s->run->pause)
        s->run->pause(s->run->context);
    if (spn_stop_asked(s->run->stop))
        return spn_refuse(err, "stopped");
    if (s->counts)
        wanted.confusion = s->counts + place * cells_of(s->plan->classifier);
    if (place == s->plan->chosen)
        wanted.probabilities = s->probabilities;
    SPN_TRY(spn_softmax_evaluate(&scores, classifier, s->plan->set, &wanted, err));
    *out = (spn_eval_score_row){scores.loss, scores.accuracy, scores.balanced_accuracy,
                                scores.macro_f1, NAN};
    s->majority_accuracy = scores.majority_accuracy;
    return SPN_OK;
}

static spn_status score_replicas(spn_eval_scores *s, spn_error *err)
{
    const spn_model *m = s->plan->classifier;
    const double *losses = spn_model_train_losses(m), y = (double)spn_model_replicas(m);
    spn_eval_score_row *rows = s->replicas.rows, *mean = &s->mean;
    for (size_t a = 0; a < spn_model_replicas(m); a++) {
        const spn_softmax_model replica = spn_model_replica(m, a, 1);
        SPN_TRY(score_one(&rows[a], s, &replica, a + 1, err));
        rows[a].train_loss = losses ? losses[a] : NAN;
        mean->loss += rows[a].loss / y;
        mean->accuracy += rows[a].accuracy / y;
        mean->balanced_accuracy += rows[a].balanced_accuracy / y;
        mean->macro_f1 += rows[a].macro_f1 / y;
    }
    s->best = rows[s->plan->best];
    return SPN_OK;
}

static spn_status score_all(spn_eval_scores *s, spn_error *err)
{
    const spn_model *m = s->plan->classifier;
    const size_t replicas = spn_model_replicas(m);
    const spn_softmax_model centre = spn_model_classifier(m, s->plan->centre);
    const spn_softmax_model vote = spn_model_replica(m, 0, replicas);
    const bool details = s->run->details;
    if (!spn_curve_make(&s->replicas, replicas, sizeof(spn_eval_score_row), err))
        return SPN_ERROR_MEMORY;
    if (details)
        s->counts = spn_alloc((replicas + 2) * cells_of(m), sizeof *s->counts);
    if (spn_model_classes(m) == 2)
        s->probabilities = spn_alloc(2 * spn_dataset_samples(s->plan->set), sizeof(double));
    if ((details && !s->counts) || (spn_model_classes(m) == 2 && !s->probabilities))
        return spn_no_memory(err, "the scores");
    SPN_TRY(score_replicas(s, err));
    SPN_TRY(score_one(&s->centre, s, &centre, 0, err));
    return vote.hidden ? score_one(&s->vote, s, &vote, replicas + 1, err) : SPN_OK;
}

/* Of the chosen classifier. */
static spn_status make_confusion(spn_eval_scores *s, spn_error *err)
{
    const spn_model *m = s->plan->classifier;
    const size_t classes = spn_model_classes(m);
    const uint64_t *counts = s->counts + s->plan->chosen * cells_of(m);
    double *values = spn_alloc(classes * classes, sizeof *values);
    double **columns = spn_alloc(classes, sizeof *columns);
    if (!values || !columns || !spn_curve_make(&s->classes, classes, sizeof(spn_class_row), err)) {
        SPN_FREE_ALL(values, columns);
        return spn_no_memory(err, "the confusion");
    }
    for (size_t k = 0; k < classes; k++) {
        columns[k] = values + k * classes;
        for (size_t label = 0; label < classes; label++)
            columns[k][label] = (double)counts[label * classes + k];
    }
    class_rows(s->classes.rows, counts, classes);
    s->confusion = (spn_matrix){classes, classes, spn_model_class_names(m), columns};
    return SPN_OK;
}

static spn_status make_confusions(spn_eval_scores *s, spn_error *err)
{
    const size_t classes = spn_model_classes(s->plan->classifier), cells = classes * classes;
    const size_t replicas = spn_model_replicas(s->plan->classifier), all = (replicas + 2) * cells;
    confusion_row *rows = spn_curve_make(&s->confusions, all, sizeof *rows, err);
    size_t count = 0;
    if (!rows)
        return SPN_ERROR_MEMORY;
    for (size_t k = 0; k < all; k++)
        if (s->counts[k] > 0)
            rows[count++] = (confusion_row){k / cells > replicas ? -1 : (double)(k / cells),
                                            (double)(k % cells / classes), (double)(k % classes),
                                            (double)s->counts[k]};
    s->confusions.count = count;
    return SPN_OK;
}

static const spn_eval_score_row *chosen_row(const spn_eval_scores *s)
{
    const size_t chosen = s->plan->chosen;
    const spn_eval_score_row *rows = s->replicas.rows;
    return chosen == 0 ? &s->centre : chosen > s->replicas.count ? &s->vote : &rows[chosen - 1];
}

static void summarize(spn_eval_scores *s)
{
    const spn_model *m = s->plan->classifier;
    const size_t replicas = spn_model_replicas(m), chosen = s->plan->chosen;
    const spn_eval_score_row *best = chosen_row(s);
    char replica[120] = "", vote[80] = "";
    if (chosen == 0 || chosen > replicas)
        snprintf(replica, sizeof replica, " (the %s of %zu replicas)", chosen ? "vote" : "centre",
                 replicas);
    else if (replicas > 1)
        snprintf(replica, sizeof replica, " (replica %zu of %zu%s%s)", chosen, replicas,
                 chosen == s->plan->best + 1 && spn_model_train_losses(m) ? ", the best in training"
                                                                          : "",
                 chosen == s->plan->best + 1 ? ": predict's" : "");
    if (replicas > 1 && spn_model_hidden(m) && chosen <= replicas)
        spn_print_text(vote, sizeof vote, "; all %zu by vote: %.2f%%", replicas,
                       100 * s->vote.accuracy);
    spn_print_text(s->summary, sizeof s->summary,
                   "accuracy %.2f%%%s, balanced %.2f%%, macro F1 %.4f%s; always the most frequent "
                   "class: %.2f%%",
                   100 * best->accuracy, replica, 100 * best->balanced_accuracy, best->macro_f1,
                   vote, 100 * s->majority_accuracy);
}

spn_status spn_eval_score(spn_eval_scores *s, spn_error *err)
{
    const double bits = (double)spn_model_sites(s->plan->classifier);
    const double y = (double)spn_model_replicas(s->plan->classifier);
    SPN_TRY(score_all(s, err));
    s->bits = bits;
    s->bytes = ceil(bits / 8);
    s->vote_bits = y * bits;
    s->vote_bytes = ceil(y * bits / 8);
    s->best_replica = (double)(s->plan->best + 1);
    s->samples = (double)spn_dataset_samples(s->plan->set);
    s->roc_auc = NAN;
    if (s->probabilities)
        SPN_TRY(area_under_curve(&s->roc_auc, s->probabilities, spn_dataset_labels(s->plan->set),
                                 spn_dataset_samples(s->plan->set), err));
    summarize(s);
    if (s->run->details) {
        SPN_TRY(make_confusion(s, err));
        SPN_TRY(make_confusions(s, err));
    }
    s->complete = true;
    return SPN_OK;
}

void spn_eval_scores_clear(spn_eval_scores *scores)
{
    if (scores->confusion.values)
        free(scores->confusion.values[0]);
    SPN_FREE_ALL(scores->confusion.values, scores->counts, scores->probabilities,
                 scores->replicas.rows, scores->classes.rows, scores->confusions.rows,
                 scores->flips.rows, scores->certified.rows);
}

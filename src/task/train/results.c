#include "base/number.h"
#include "record/record.h"
#include "task/tables.h"
#include "task/train/plan.h"

#include <math.h>
#include <spinney/device.h>
#include <stdlib.h>

SPN_NEEDS(hidden_needs, spn_train_plan, p->options.hidden, "hidden units; give `hidden 64`")

#define train_needs NULL /* there is always a training set */

SPN_NEEDS(validation_needs, spn_train_plan, p->validation != 0,
          "a validation set; give `validation 0.1`")

/* Named data sets have a test set. */
SPN_NEEDS(test_needs, spn_train_plan, p->sets.test || p->test_fraction > 0,
          "a test set; give `test`, a file, or `test-fraction 0.2`")

SPN_NEEDS(hit_needs, spn_train_plan, p->annealing.options.target != SPN_TARGET_NONE,
          SPN_TARGET_NEEDED)

SPN_NEEDS(fold_needs, spn_train_plan, p->folds, "folds; give `folds 5`")

SPN_NEEDS(pair_needs, spn_train_plan, p->annealing.options.replicas >= 2, "two replicas or more")

/* Scores of one set. prefix and words say whose they are. */
#define SCORE(prefix, part, order_, ...)                                                           \
    {                                                                                              \
        prefix #part, .order = (order_), .at = offsetof(spn_train_score, part), __VA_ARGS__        \
    }
#define SCORES(prefix, set, words, of, marks)                                                      \
    SCORE(prefix, set##_loss, 0, .needs = set##_needs, .flags = SPN_QUANTITY_OPTIONAL | (marks),   \
          .label = words " loss" of,                                                               \
          .help = "mean cross-entropy on the " words " set" of ", weighted by class with "         \
                  "balance"),                                                                      \
        SCORE(prefix, set##_accuracy, 0, .needs = set##_needs,                                     \
              .flags = SPN_QUANTITY_OPTIONAL | (marks), .label = words " accuracy" of,             \
              .help = "share of the " words " set that is classified correctly" of),               \
        SCORE(prefix, set##_balanced_accuracy, 2, .needs = set##_needs,                            \
              .flags = SPN_QUANTITY_OPTIONAL, .label = "balanced " words " accuracy" of,           \
              .help = "share classified correctly, averaged over the classes, on the " words       \
                      " set" of),                                                                  \
        SCORE(prefix, set##_macro_f1, 2, .needs = set##_needs, .flags = SPN_QUANTITY_OPTIONAL,     \
              .label = words " macro F1" of,                                                       \
              .help = "2 TP/(2 TP + FP + FN), averaged over the classes, on the " words " set" of)
#define ALL_SCORES(prefix, of, marks)                                                              \
    SCORES(prefix, train, "training", of, marks),                                                  \
        SCORES(prefix, validation, "validation", of, marks),                                       \
        SCORES(prefix, test, "test", of, marks)
#define MAJORITY(set, words)                                                                       \
    SCORE("", set##_majority_accuracy, 3, .needs = set##_needs, .flags = SPN_QUANTITY_OPTIONAL,    \
          .label = words " accuracy of the majority class",                                        \
          .help =                                                                                  \
              "share of the most frequent class in the " words " set, which guessing would get")

static const spn_quantity mean_results[] = {
    ALL_SCORES("", "", SPN_QUANTITY_MAIN),
    MAJORITY(train, "training"),
    MAJORITY(validation, "validation"),
    MAJORITY(test, "test"),
    SCORE("", active, 1, .flags = SPN_QUANTITY_MAIN, .label = "accepted flips per replica",
          .help = "accepted flips, averaged over the replicas"),
    {.name = NULL}};
static const spn_quantity centre_results[] = {ALL_SCORES("centre_", " of the centre", 0),
                                              {.name = NULL}};
static const spn_quantity vote_results[] = {ALL_SCORES("vote_", " of the vote", 0), {.name = NULL}};
static const spn_quantity best_results[] = {
    ALL_SCORES("best_", " of the best replica", SPN_QUANTITY_BEST),
    SCORE("best_", active, 1, .help = "its accepted flips"),
    {.name = NULL}};

#define COLUMN(column, set, words)                                                                 \
    SPN_COLUMN("replicas", spn_train_score, column,                                                \
               .flags = SPN_QUANTITY_DETAIL | SPN_QUANTITY_OPTIONAL, .needs = set##_needs,         \
               .help = (words))
const spn_quantity spn_train_replica_results[] = {
    COLUMN(train_loss, train, "its mean cross-entropy on the training set"),
    COLUMN(train_accuracy, train, "share of the training set that it classifies correctly"),
    COLUMN(validation_loss, validation, "its mean cross-entropy on the validation set"),
    COLUMN(validation_accuracy, validation,
           "share of the validation set that it classifies correctly"),
    COLUMN(test_loss, test, "its mean cross-entropy on the test set"),
    COLUMN(test_accuracy, test, "share of the test set that it classifies correctly"),
    COLUMN(active, train, "its accepted flips"),
    COLUMN(train_balanced_accuracy, train, "its balanced accuracy on the training set"),
    COLUMN(train_macro_f1, train, "its macro F1 on the training set"),
    COLUMN(validation_balanced_accuracy, validation, "its balanced accuracy on the validation set"),
    COLUMN(validation_macro_f1, validation, "its macro F1 on the validation set"),
    COLUMN(test_balanced_accuracy, test, "its balanced accuracy on the test set"),
    COLUMN(test_macro_f1, test, "its macro F1 on the test set"),
    {.name = NULL}};

static const void *score_of(const void *at)
{
    return *(const spn_train_score *const *)at;
}

static const char *summary_of(const void *found)
{
    return ((const spn_trained *)found)->summary;
}

#define AT(member) offsetof(spn_trained, member)
#define SIZE(name_, ...)                                                                           \
    {                                                                                              \
#name_, .order = LAST, .needs = hidden_needs, .at = AT(name_), __VA_ARGS__                 \
    }
enum { CENTRE = 4, VOTE = 8, BEST = 12, LAST = 16 }; /* orders */

#define CV(part, ...)                                                                              \
    {                                                                                              \
        "cv_" #part, .order = LAST, .flags = SPN_QUANTITY_OPTIONAL, .needs = fold_needs,           \
                     .at = AT(cv.part), __VA_ARGS__                                                \
    }

const spn_quantity spn_train_results[] = {
    {"summary", SPN_QUANTITY_TEXT, SPN_QUANTITY_DETAIL, .order = LAST + 1, .text = summary_of,
     .help = "a sentence: the accuracy of the model that `predict` and `export` use, compared with "
             "guessing"},
    {.help = "Means over the replicas"},
    {.group = mean_results, .at = AT(mean), .of = score_of},
    {.help = "The centre, the majority of the replicas for each weight"},
    {.group = centre_results, .order = CENTRE, .at = AT(centre), .of = score_of},
    {.help = "The vote of a network: the sum of the replicas' logits"},
    {.group = vote_results, .order = VOTE, .needs = hidden_needs, .at = AT(vote), .of = score_of},
    {.help = "The best replica, that of the lowest training loss"},
    {.group = best_results, .order = BEST, .at = AT(best), .of = score_of},
    {"best_replica", .flags = SPN_QUANTITY_DETAIL, .order = LAST + 1, .at = AT(best_replica),
     .help = "its number, from 1"},
    {.help = "Cross-validation of the replica that predicts: means over the folds"},
    CV(accuracy, .label = "cross-validated accuracy",
       .help = "share of a fold that is classified correctly after training on the others"),
    CV(accuracy_sd, .label = "deviation of the folds' accuracies",
       .help = "standard deviation of the folds' accuracies"),
    CV(balanced_accuracy, .label = "cross-validated balanced accuracy",
       .help = "balanced accuracy on a fold"),
    CV(macro_f1, .label = "cross-validated macro F1", .help = "macro F1 on a fold"),
    CV(loss, .label = "cross-validated loss", .help = "mean cross-entropy on a fold"),
    {.help = "What a network costs to store"},
    SIZE(bits, .unit = "bits",
         .help = "weights of a replica, and so of the best and of the centre"),
    SIZE(bytes, .unit = "bytes", .help = "the same in bytes"),
    SIZE(vote_bits, .unit = "bits", .help = "weights of all replicas, for the vote"),
    SIZE(vote_bytes, .unit = "bytes", .help = "the same in bytes"),
    {.help = "The chain"},
    {"overlap", .order = LAST, .at = AT(overlap), .label = "mean overlap of the replicas",
     .help = "scalar product of two replicas over N, averaged over all pairs; 1 for one replica"},
    {.group = spn_train_chain_results, .order = LAST, .at = AT(chain)},
    {.group = spn_hit_results, .order = LAST, .needs = hit_needs, .at = AT(chain.hit)},
    {.help = "Each replica"},
    {.group = spn_train_replica_results, .at = AT(replicas)},
    {.help = "Each fold"},
    {.group = spn_fold_results, .needs = fold_needs, .at = AT(folds)},
    {.help = "Each pair of replicas"},
    {.group = spn_overlap_results, .needs = pair_needs, .at = AT(chain.overlaps)},
    {.help = "Robustness on the test set, or on the training set if there is none"},
    {.group = spn_flip_results, .at = AT(flips), .plan_at = offsetof(spn_train_plan, flips)},
    {.help = "Local energy profile"},
    {.group = spn_profile_results, .at = AT(profile), .plan_at = offsetof(spn_train_plan, profile)},
    {.name = NULL}};

static spn_status take_replicas(spn_trained *t, spn_error *err)
{
    const spn_train_result *r = t->result;
    spn_train_score *rows = spn_curve_make(&t->replicas, r->replicas, sizeof *rows, err);
    for (size_t a = 0; rows && a < r->replicas; a++)
        rows[a] = *r->replica[a];
    return rows ? SPN_OK : SPN_ERROR_MEMORY;
}

static size_t samples_of(const spn_training *t, spn_train_set set)
{
    const spn_dataset *data = spn_training_set(t, set);
    return data ? spn_dataset_samples(data) : 0;
}

/* NULL without memory. */
static const char *majority_of(const spn_dataset *set)
{
    const uint32_t classes = spn_dataset_classes(set);
    size_t *counts = spn_alloc(classes, sizeof *counts);
    uint32_t most = 0;
    if (!counts)
        return NULL;
    for (size_t n = 0; n < spn_dataset_samples(set); n++)
        counts[spn_dataset_labels(set)[n]]++;
    for (uint32_t k = 1; k < classes; k++)
        most = counts[k] > counts[most] ? k : most;
    free(counts);
    return spn_dataset_class_names(set)[most];
}

static spn_status summarize(spn_trained *t, spn_error *err)
{
    const spn_train_result *r = t->result;
    const spn_dataset *test = spn_training_set(t->training, SPN_SET_TEST);
    const spn_dataset *set = test ? test : spn_training_set(t->training, SPN_SET_TRAIN);
    const spn_train_score *s = r->replica[r->best];
    const double accuracy = test ? s->test_accuracy : s->train_accuracy;
    const double balanced = test ? s->test_balanced_accuracy : s->train_balanced_accuracy;
    const double f1 = test ? s->test_macro_f1 : s->train_macro_f1;
    const double majority = test ? s->test_majority_accuracy : s->train_majority_accuracy;
    const char *frequent = majority_of(set);
    char replica[96] = "", vote[64] = "";
    SPN_NEED(frequent, err, "the results");
    if (r->replicas > 1)
        snprintf(replica, sizeof replica, " (replica %zu of %zu, the best in training: predict's)",
                 r->best + 1, r->replicas);
    if (r->vote && r->replicas > 1)
        spn_print_text(vote, sizeof vote, "; vote of all %.2f%%",
                       100 * (test ? r->vote->test_accuracy : r->vote->train_accuracy));
    spn_print_text(t->summary, sizeof t->summary,
                   "%s accuracy %.2f%%%s, balanced %.2f%%, macro F1 %.4f%s; always %.60s: %.2f%%%s",
                   test ? "test" : "training", 100 * accuracy, replica, 100 * balanced, f1, vote,
                   frequent, 100 * majority, test ? "" : "; there is no test set");
    return SPN_OK;
}

/* Another poor health comes first: its remedy may be all that is needed. */
static bool was_short(const spn_trained *t)
{
    return spn_sampler_health(t->ran.sampler) == SPN_HEALTH_GOOD &&
           (t->result->still_falls || t->ran.stop == SPN_STOP_TIME);
}

spn_status spn_trained_take(spn_trained *t, spn_error *err)
{
    const spn_chain_options *o = &t->plan->annealing.options;
    const spn_train_result *r = t->result;
    const double bits = (double)spn_model_sites(r->model), y = (double)r->replicas;
    const size_t proposals = spn_order_proposals(o->order, o->replicas);
    t->mean = r->mean;
    t->centre = r->centre;
    t->vote = r->vote;
    t->best = r->replica[r->best];
    t->overlap = r->overlap;
    t->best_replica = (double)(r->best + 1);
    t->bits = bits;
    t->bytes = ceil(bits / 8);
    t->vote_bits = y * bits;
    t->vote_bytes = ceil(y * bits / 8);
    SPN_TRY(spn_chain_found_take(&t->chain, &t->ran, proposals, t->run->details, err));
    if (was_short(t))
        t->chain.health = spn_health_name(SPN_HEALTH_FALLING);
    if (!t->run->details)
        return SPN_OK;
    SPN_TRY(summarize(t, err));
    return take_replicas(t, err);
}

static spn_status add_warnings(spn_record *out, const spn_trained *t, spn_error *err)
{
    const spn_train_score *s = t->result->replica[t->result->best];
    if (t->plan->balance)
        return spn_record_add_note(out, err,
                                   "losses are weighted: every class counts the same (balance)");
    if (s->train_accuracy > s->train_majority_accuracy)
        return SPN_OK;
    return spn_record_add_note(
        out, err,
        "no better on the training set than always answering its most frequent class: try bias "
        "auto, balance, encode thermometer:8, another logit-scale or more steps");
}

spn_status spn_trained_note(spn_record *out, const spn_trained *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    const size_t validation = samples_of(t->training, SPN_SET_VALIDATION),
                 test = samples_of(t->training, SPN_SET_TEST);
    char validate[48] = "", tested[48] = "", units[48] = "";
    if (validation)
        snprintf(validate, sizeof validate, ", %zu to validate", validation);
    if (test)
        snprintf(tested, sizeof tested, ", %zu to test", test);
    if (p->options.hidden)
        snprintf(units, sizeof units, " and %zu hidden units", p->options.hidden);
    SPN_TRY(spn_record_add_note(
        out, err, "%s: %zu samples of %zu features%s%s; %u classes%s: %zu weights of one bit",
        p->data, samples_of(t->training, SPN_SET_TRAIN), spn_dataset_features(p->sets.train),
        validate, tested, (unsigned)spn_dataset_classes(p->sets.train), units,
        spn_train_weights(p)));
    if (p->losses) {
        const char *name = spn_softmax_device(spn_training_energy(t->training));
        SPN_TRY(spn_record_add_note(out, err, "losses were computed in whole numbers by %s",
                                    name ? name : "this processor"));
    }
    if (p->choose_scale)
        SPN_TRY(spn_record_add_note(out, err, "logit scale by cross-validation: %g/sqrtD",
                                    p->options.logit_scale));
    SPN_TRY(add_warnings(out, t, err));
    SPN_TRY(spn_sample_note(out, p->sets.train, p->sets.test, err));
    return spn_chain_job_note(out, &p->annealing, &t->options, &t->range, err);
}

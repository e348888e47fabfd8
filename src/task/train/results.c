/* What the task `train` finds: its table, and a record of it. */
#include "base/memory.h"
#include "base/number.h"
#include "task/train/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- results ---- */

/* The parts of a score, in the order of records; each comes as it is, of the centre as centre_...
   and of the best replica as best_..., unless it is of the set alone. */
static const struct {
    const char *name;
    size_t at;
    bool of_set;
} scores[] = {
#define OF_MODEL(part)                                                                             \
    {                                                                                              \
#part, offsetof(spn_train_score, part), false                                              \
    }
#define OF_SET(part)                                                                               \
    {                                                                                              \
#part, offsetof(spn_train_score, part), true                                               \
    }
    OF_MODEL(train_loss),
    OF_MODEL(train_accuracy),
    OF_MODEL(validation_loss),
    OF_MODEL(validation_accuracy),
    OF_MODEL(test_loss),
    OF_MODEL(test_accuracy),
    OF_MODEL(active),
    OF_MODEL(train_balanced_accuracy),
    OF_MODEL(train_macro_f1),
    OF_MODEL(validation_balanced_accuracy),
    OF_MODEL(validation_macro_f1),
    OF_MODEL(test_balanced_accuracy),
    OF_MODEL(test_macro_f1),
    OF_SET(train_majority_accuracy),
    OF_SET(validation_majority_accuracy),
    OF_SET(test_majority_accuracy),
};
enum { SCORES = sizeof scores / sizeof *scores };

/* One score of a set: prefix, who it is of, and flags. */
#define SCORE(prefix, set, words, of, marks)                                                       \
    {.name = prefix set "_loss",                                                                   \
     .flags = (marks),                                                                             \
     .label = words " loss" of,                                                                    \
     .help = "mean cross-entropy on the " words " set" of ", weighted by class with balance"},     \
        {.name = prefix set "_accuracy",                                                           \
         .flags = (marks),                                                                         \
         .label = words " accuracy" of,                                                            \
         .help = "share of the " words " set that is classified correctly" of},                    \
        {.name = prefix set "_balanced_accuracy",                                                  \
         .label = "balanced " words " accuracy" of,                                                \
         .help =                                                                                   \
             "share classified correctly, averaged over the classes, on the " words " set" of},    \
    {                                                                                              \
        .name = prefix set "_macro_f1", .label = words " macro F1" of,                             \
        .help = "2 TP/(2 TP + FP + FN), averaged over the classes, on the " words " set" of        \
    }
/* What always answering the most frequent class of a set would get. */
#define MAJORITY(set, words)                                                                       \
    {                                                                                              \
        .name = set "_majority_accuracy", .label = words " accuracy of the majority class",        \
        .help = "share of the most frequent class in the " words " set, which guessing would get"  \
    }
#define COLUMN(column, words)                                                                      \
    {                                                                                              \
        .name = "replicas." column, .kind = SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,     \
        .help = (words)                                                                            \
    }

const spn_quantity spn_train_results[] = {
    {"summary", SPN_QUANTITY_TEXT, .flags = SPN_QUANTITY_DETAIL,
     .help = "a sentence: the accuracy of the model that `predict` and `export` use, compared with "
             "guessing"},
    {.help = "Means over the replicas"},
    SCORE("", "train", "training", "", SPN_QUANTITY_MAIN),
    SCORE("", "validation", "validation", "", SPN_QUANTITY_MAIN),
    SCORE("", "test", "test", "", SPN_QUANTITY_MAIN),
    MAJORITY("train", "training"),
    MAJORITY("validation", "validation"),
    MAJORITY("test", "test"),
    {"active", .flags = SPN_QUANTITY_MAIN, .label = "accepted flips per replica",
     .help = "accepted flips, averaged over the replicas"},
    {.help = "The centre, the majority of the replicas for each weight"},
    SCORE("centre_", "train", "training", " of the centre", 0),
    SCORE("centre_", "validation", "validation", " of the centre", 0),
    SCORE("centre_", "test", "test", " of the centre", 0),
    {.help = "The vote of a network: the sum of the replicas' logits"},
    SCORE("vote_", "train", "training", " of the vote", 0),
    SCORE("vote_", "validation", "validation", " of the vote", 0),
    SCORE("vote_", "test", "test", " of the vote", 0),
    {.help = "The best replica, that of the lowest training loss"},
    SCORE("best_", "train", "training", " of the best replica", SPN_QUANTITY_BEST),
    SCORE("best_", "validation", "validation", " of the best replica", SPN_QUANTITY_BEST),
    SCORE("best_", "test", "test", " of the best replica", SPN_QUANTITY_BEST),
    {"best_active", .help = "its accepted flips"},
    {"best_replica", .flags = SPN_QUANTITY_DETAIL, .help = "its number, from 1"},
    {.help = "What a network costs to store"},
    {"bits", .unit = "bits", .help = "weights of a replica, and so of the best and of the centre"},
    {"bytes", .unit = "bytes", .help = "the same in bytes"},
    {"vote_bits", .unit = "bits", .help = "weights of all replicas, for the vote"},
    {"vote_bytes", .unit = "bytes", .help = "the same in bytes"},
    {.help = "The chain"},
    {"overlap", .label = "mean overlap of the replicas",
     .help = "scalar product of two replicas over N, averaged over all pairs; 1 for one replica"},
    SPN_CHAIN_QUANTITIES,
    SPN_HIT_QUANTITIES,
    {.help = "Each replica"},
    COLUMN("train_loss", "its mean cross-entropy on the training set"),
    COLUMN("train_accuracy", "share of the training set that it classifies correctly"),
    COLUMN("validation_loss", "its mean cross-entropy on the validation set"),
    COLUMN("validation_accuracy", "share of the validation set that it classifies correctly"),
    COLUMN("test_loss", "its mean cross-entropy on the test set"),
    COLUMN("test_accuracy", "share of the test set that it classifies correctly"),
    COLUMN("active", "its accepted flips"),
    COLUMN("train_balanced_accuracy", "its balanced accuracy on the training set"),
    COLUMN("train_macro_f1", "its macro F1 on the training set"),
    COLUMN("validation_balanced_accuracy", "its balanced accuracy on the validation set"),
    COLUMN("validation_macro_f1", "its macro F1 on the validation set"),
    COLUMN("test_balanced_accuracy", "its balanced accuracy on the test set"),
    COLUMN("test_macro_f1", "its macro F1 on the test set"),
    SPN_OVERLAP_QUANTITIES,
    SPN_FLIP_QUANTITIES("on the test set, or on the training set if there is none"),
    SPN_PROFILE_QUANTITIES,
    {.name = NULL}};

/* ---- the record ---- */

static double part_of(const spn_train_score *score, size_t part)
{
    double value;
    memcpy(&value, (const char *)score + scores[part].at, sizeof value);
    return value;
}

static spn_status add_score(spn_record *out, const char *prefix, const spn_train_score *score,
                            spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < SCORES && !status; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", prefix, scores[k].name);
        if (!isnan(part_of(score, k)) && !(scores[k].of_set && *prefix))
            status = spn_record_add_result(out, name, part_of(score, k), err);
    }
    return status;
}

/* A column for each part of a score that there is. */
static spn_status add_replicas(spn_record *out, const spn_train_result *r, spn_error *err)
{
    const char *names[SCORES];
    const double *columns[SCORES];
    size_t count = 0;
    double *values = spn_alloc(SCORES * r->replicas, sizeof *values);
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t k = 0; k < SCORES; k++) {
        double *column = values + k * r->replicas;
        for (size_t a = 0; a < r->replicas; a++)
            column[a] = part_of(r->replica[a], k);
        if (isnan(column[0]) || scores[k].of_set)
            continue;
        names[count] = scores[k].name;
        columns[count++] = column;
    }
    const spn_status status =
        spn_record_add_curve(out, "replicas", count, names, r->replicas, columns, err);
    free(values);
    return status;
}

static size_t samples_of(const spn_training *t, spn_train_set set)
{
    const spn_dataset *data = spn_training_set(t, set);
    return data ? spn_dataset_samples(data) : 0;
}

/* The name of the most frequent class of a set; NULL without memory. */
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

/* The line that is looked for first. */
static spn_status add_summary(spn_record *out, const spn_training *t, const spn_train_result *r,
                              spn_error *err)
{
    const spn_dataset *test = spn_training_set(t, SPN_SET_TEST);
    const spn_dataset *set = test ? test : spn_training_set(t, SPN_SET_TRAIN);
    const spn_train_score *s = r->replica[r->best];
    const double accuracy = test ? s->test_accuracy : s->train_accuracy;
    const double balanced = test ? s->test_balanced_accuracy : s->train_balanced_accuracy;
    const double f1 = test ? s->test_macro_f1 : s->train_macro_f1;
    const double majority = test ? s->test_majority_accuracy : s->train_majority_accuracy;
    const char *frequent = majority_of(set);
    char text[400], replica[96] = "", vote[64] = "";
    if (!frequent)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    if (r->replicas > 1)
        snprintf(replica, sizeof replica, " (replica %zu of %zu, the best in training: predict's)",
                 r->best + 1, r->replicas);
    if (r->vote && r->replicas > 1)
        spn_print_text(vote, sizeof vote, "; vote of all %.2f%%",
                       100 * (test ? r->vote->test_accuracy : r->vote->train_accuracy));
    spn_print_text(text, sizeof text,
                   "%s accuracy %.2f%%%s, balanced %.2f%%, macro F1 %.4f%s; always %.60s: %.2f%%%s",
                   test ? "test" : "training", 100 * accuracy, replica, 100 * balanced, f1, vote,
                   frequent, 100 * majority, test ? "" : "; there is no test set");
    return spn_record_add_text(out, "summary", text, err);
}

/* What to beware of. */
static spn_status add_warnings(spn_record *out, const spn_train_plan *p, const spn_train_result *r,
                               spn_error *err)
{
    const spn_train_score *s = r->replica[r->best];
    spn_status status = SPN_OK;
    if (p->balance)
        status = spn_record_add_note(out, err,
                                     "losses are weighted: every class counts the same (balance)");
    else if (s->train_accuracy <= s->train_majority_accuracy)
        status = spn_record_add_note(
            out, err,
            "no better on the training set than always answering its most frequent class: try bias "
            "auto, balance, encode thermometer:8, another logit-scale or more steps");
    return status;
}

spn_status spn_train_add_details(spn_record *out, const spn_train_plan *p,
                                 const spn_chain_ready *ready, const spn_training *t,
                                 const spn_train_result *r, spn_error *err)
{
    const size_t validation = samples_of(t, SPN_SET_VALIDATION), test = samples_of(t, SPN_SET_TEST);
    char validate[48] = "", tested[48] = "", units[48] = "";
    if (validation)
        snprintf(validate, sizeof validate, ", %zu to validate", validation);
    if (test)
        snprintf(tested, sizeof tested, ", %zu to test", test);
    if (p->options.hidden)
        snprintf(units, sizeof units, " and %zu hidden units", p->options.hidden);
    spn_status status = spn_record_add_result(out, "best_replica", (double)(r->best + 1), err);
    if (!status)
        status = add_summary(out, t, r, err);
    if (!status)
        status = add_replicas(out, r, err);
    if (!status)
        status = spn_record_add_note(
            out, err, "%s: %zu samples of %zu features%s%s; %u classes%s: %zu weights of one bit",
            p->data, samples_of(t, SPN_SET_TRAIN), spn_dataset_features(p->sets.train), validate,
            tested, (unsigned)spn_dataset_classes(p->sets.train), units, spn_train_weights(p));
    if (!status)
        status = add_warnings(out, p, r, err);
    if (!status)
        status = spn_sample_note_index(out, p->sets.train, err);
    return status ? status : spn_chain_job_note(out, ready, err);
}

bool spn_train_is_of_networks(const char *result)
{
    return strncmp(result, "vote_", strlen("vote_")) == 0 || strcmp(result, "bits") == 0 ||
           strcmp(result, "bytes") == 0;
}

/* What the weights of a network take, one bit each. */
static spn_status add_size(spn_record *out, const spn_train_result *r, spn_error *err)
{
    const double bits = (double)spn_model_sites(r->model), y = (double)r->replicas;
    spn_status status;
    if ((status = spn_record_add_result(out, "bits", bits, err)) ||
        (status = spn_record_add_result(out, "bytes", ceil(bits / 8), err)) ||
        (status = spn_record_add_result(out, "vote_bits", y * bits, err)))
        return status;
    return spn_record_add_result(out, "vote_bytes", ceil(y * bits / 8), err);
}

spn_status spn_train_add_results(spn_record *out, const spn_train_result *r,
                                 const spn_resumable *chain, spn_error *err)
{
    spn_status status;
    if ((status = add_score(out, "", r->mean, err)) ||
        (status = add_score(out, "centre_", r->centre, err)) ||
        (r->vote && (status = add_score(out, "vote_", r->vote, err))) ||
        (status = add_score(out, "best_", r->replica[r->best], err)) ||
        (r->vote && (status = add_size(out, r, err))) ||
        (status = spn_record_add_result(out, "overlap", r->overlap, err)))
        return status;
    return spn_chain_job_record(out, chain, err);
}

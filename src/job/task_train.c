/* The task `train`: a classifier with one-bit weights, from labelled data. */
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "job/chain_job.h"
#include "job/measure.h"
#include "job/sample_settings.h"
#include "job/tasks.h"
#include "job/train_manifest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

typedef struct train_plan {
    const char *data, *labels, *test, *test_labels, *scaling, *logit_scale, *bias, *encode;
    bool balance;
    double penalty;
    double test_fraction, validation;
    uint64_t subset, split_seed;
    int preset;
    spn_sample_settings samples;
    spn_chain_settings chain;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* What they make; the data belong to the inputs. */
    spn_train_data sets;
    spn_train_options options;
    spn_preprocess preprocess;
    size_t inputs; /* of a class, without the bias */
    spn_chain_plan annealing;
    spn_flip_plan flips;
} train_plan;

/* Measured (docs/classifiers.md): with copies of features and a penalty training is nearly convex,
   and a short run is as good as a long one; it has to end cold, for the penalty to be felt. */
static const spn_text by_default[] = {{"replicas", "3"},
                                      {"gamma", "0"},
                                      {"beta", "auto:0.5:1e-30"},
                                      {"sweeps", "20"},
                                      {"kernel", "two-stage"},
                                      {"init", "same"},
                                      {"logit-scale", "2.8/sqrtD"},
                                      {"bias", "auto"},
                                      {"encode", "auto"},
                                      {"penalty", "1"},
                                      {NULL, NULL}};
static const spn_text paper[] = {
    {"replicas", "3"},       {"gamma", "0.8"}, {"beta", "100:100000"}, {"steps", "300000"},
    {"kernel", "two-stage"}, {"init", "same"}, {"logit-scale", "1"},   {"bias", "0"},
    {"encode", "none"},      {NULL, NULL}};
static const spn_text accurate[] = {
    {"replicas", "3"},       {"gamma", "0:1"}, {"beta", "auto:0.012:1e-4"},  {"sweeps", "400"},
    {"kernel", "two-stage"}, {"init", "same"}, {"logit-scale", "2.8/sqrtD"}, {"bias", "0"},
    {"encode", "none"},      {NULL, NULL}};
static const spn_text robust[] = {
    {"replicas", "3"},       {"gamma", "0"},   {"beta", "auto:0.03:7e-5"},    {"sweeps", "250"},
    {"kernel", "two-stage"}, {"init", "same"}, {"logit-scale", "1.12/sqrtD"}, {"bias", "0"},
    {"encode", "none"},      {NULL, NULL}};

static const spn_preset presets[] = {
    {"default", "as accurate as logistic regression on tables of any kind, in seconds", by_default},
    {"paper", "the published protocol", paper},
    {"accurate", "the best accuracy at ten times the cost of paper", accurate},
    {"robust", "the best accuracy with a tenth of the weights flipped", robust},
    {NULL, NULL, NULL}};

static const char *preset_word(size_t i)
{
    return presets[i].name; /* the walk over words ends at the first NULL */
}

/* A share of the data: more than nothing, less than all. */
#define SHARE .least = 1e-9, .most = 1 - 1e-9

static const spn_setting settings[] = {
    SPN_HEADING("Data"),
    {"data", SPN_SETTING_FILE, .argument = "NAME|FILE", .fallback = "digits",
     .word = spn_dataset_word, .at = offsetof(train_plan, data),
     .help = "what to train on: a data set known by name, or a file of labelled samples (- is the "
             "standard input)"},
    {"labels", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(train_plan, labels),
     .help = "the labels, where the format has them in a second file (idx, npy)"},
    {"test", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(train_plan, test),
     .help = "samples to test on; data sets known by name have their own"},
    {"test-labels", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(train_plan, test_labels),
     .help = "their labels, where the format has them in a second file"},
    {"test-fraction", SPN_SETTING_REAL, .argument = "F", SHARE,
     .at = offsetof(train_plan, test_fraction),
     .help = "instead of test: split off this share of every class"},
    {"validation", SPN_SETTING_REAL, .argument = "F", SHARE, .at = offsetof(train_plan, validation),
     .help = "split this share of every class off the training set and report on it, for tuning"},
    {"subset", SPN_SETTING_WHOLE, .argument = "n", .unit = "samples", .otherwise = "all",
     .least = 1, .most = (double)INT64_MAX, .at = offsetof(train_plan, subset),
     .help = "train on n samples, drawn at random"},
    {"split-seed", SPN_SETTING_WHOLE, .argument = "S", .fallback = "1", .least = 0,
     .most = (double)INT64_MAX, .at = offsetof(train_plan, split_seed),
     .help = "seed of these draws"},
    {.group = spn_sample_rows, .at = offsetof(train_plan, samples)},
    {.group = spn_column_rows, .at = offsetof(train_plan, samples)},
    {"scaling", SPN_SETTING_LIST, .argument = "HOW", .fallback = "auto",
     .at = offsetof(train_plan, scaling),
     .help = "of features before training: none, dataset (mean 0, deviation 1 over all), feature "
             "(each), SHIFT,SCALE, or binary:T for +1 above T and -1 elsewhere; auto: feature for "
             "tables, dataset for images, (x/255 - 0.1307)/0.3081 for mnist"},
    {"encode", SPN_SETTING_TEXT, .argument = "HOW", .fallback = "auto",
     .at = offsetof(train_plan, encode),
     .help =
         "none; copies:M, each feature M times, so that weights add up to more than one bit; or "
         "thermometer:Q, up to Q inputs of +1 and -1 for each feature, by thresholds at the "
         "quantiles of the training set; auto: as many copies as make 800 inputs, at least 8 of up "
         "to 600 features and 4 of more"},
    SPN_HEADING("Training; where a setting is not given, its value is the preset's"),
    {"preset", SPN_SETTING_WORD, .argument = "NAME", .fallback = "default", .word = preset_word,
     .at = offsetof(train_plan, preset),
     .help = "values for the settings of the chain, logit-scale, bias, encode and penalty"},
    {"logit-scale", SPN_SETTING_TEXT, .argument = "s[/sqrtD]", .otherwise = "the preset's",
     .at = offsetof(train_plan, logit_scale),
     .help = "logits are s W x, or s/sqrt(D) W x for D inputs"},
    {"bias", SPN_SETTING_TEXT, .argument = "n", .fallback = "auto",
     .at = offsetof(train_plan, bias),
     .help = "weights of each class on a constant input of 1; auto: enough for the shares of the "
             "classes and for an offset of 2 of the logits"},
    {"penalty", SPN_SETTING_REAL, .argument = "L", .fallback = "0", .least = 0, .most = 1e9,
     .at = offsetof(train_plan, penalty),
     .help = "with copies: on the squares of their added weights, as in logistic regression with "
             "C = 1/L"},
    {"balance", SPN_SETTING_FLAG, .at = offsetof(train_plan, balance),
     .help = "let all classes count the same: a sample weighs M/(K M_k) in the loss, for M_k of M "
             "samples in its class, one of K"},
    {.group = spn_chain_rows, .at = offsetof(train_plan, chain)},
    {.group = spn_flip_rows, .at = offsetof(train_plan, flip)},
    {.group = spn_profile_rows, .at = offsetof(train_plan, profile)},
    {.name = NULL}};

static const char details[] =
    "Beta is in units of 1/mean cross-entropy, and a target is a training loss. Ctrl-C ends the\n"
    "run after the current step; the model then holds the weights of the lowest loss so far.\n\n"
    "Examples\n"
    "  spinney train --out digits.spn\n"
    "  spinney train --data mnist --preset paper --gamma 0.8 --checkpoint mnist.checkpoint \\\n"
    "      --out mnist.spn\n"
    "  spinney train --data samples.csv --test-fraction 0.2 --out samples.spn --json\n";

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
         .help = "share of the " words " set that is classified right" of},                        \
        {.name = prefix set "_balanced_accuracy",                                                  \
         .label = "balanced " words " accuracy" of,                                                \
         .help = "mean over the classes of the share classified right, on the " words " set" of},  \
    {                                                                                              \
        .name = prefix set "_macro_f1", .label = words " macro F1" of,                             \
        .help = "mean over the classes of 2 TP/(2 TP + FP + FN), on the " words " set" of          \
    }
/* What always answering the most frequent class of a set would get. */
#define MAJORITY(set, words)                                                                       \
    {                                                                                              \
        .name = set "_majority_accuracy", .label = words " accuracy of the majority class",        \
        .help = "share of the most frequent class in the " words " set: what guessing would get"   \
    }
#define COLUMN(column, words)                                                                      \
    {                                                                                              \
        .name = "replicas." column, .kind = SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,     \
        .help = (words)                                                                            \
    }

static const spn_quantity results[] = {
    {"summary", SPN_QUANTITY_TEXT, .flags = SPN_QUANTITY_DETAIL,
     .help =
         "in words: the accuracy of the model that predict and export use, beside what guessing "
         "would get"},
    {.help = "Means over the replicas"},
    SCORE("", "train", "training", "", SPN_QUANTITY_MAIN),
    SCORE("", "validation", "validation", "", SPN_QUANTITY_MAIN),
    SCORE("", "test", "test", "", SPN_QUANTITY_MAIN),
    MAJORITY("train", "training"),
    MAJORITY("validation", "validation"),
    MAJORITY("test", "test"),
    {"active", .flags = SPN_QUANTITY_MAIN, .label = "accepted flips per replica",
     .help = "accepted flips, mean over the replicas"},
    {.help = "The centre, the majority of the replicas for each weight"},
    SCORE("centre_", "train", "training", " of the centre", 0),
    SCORE("centre_", "validation", "validation", " of the centre", 0),
    SCORE("centre_", "test", "test", " of the centre", 0),
    {.help = "The best replica, that of the lowest training loss"},
    SCORE("best_", "train", "training", " of the best replica", SPN_QUANTITY_BEST),
    SCORE("best_", "validation", "validation", " of the best replica", SPN_QUANTITY_BEST),
    SCORE("best_", "test", "test", " of the best replica", SPN_QUANTITY_BEST),
    {"best_active", .help = "its accepted flips"},
    {"best_replica", .flags = SPN_QUANTITY_DETAIL, .help = "its number, from 1"},
    {.help = "The chain"},
    {"overlap", .label = "mean overlap of the replicas",
     .help = "mean over pairs of replicas of their scalar product over N; 1 for one replica"},
    SPN_CHAIN_QUANTITIES,
    SPN_HIT_QUANTITIES,
    {.help = "Each replica"},
    COLUMN("train_loss", "its mean cross-entropy on the training set"),
    COLUMN("train_accuracy", "the share of the training set that it classifies right"),
    COLUMN("validation_loss", "its mean cross-entropy on the validation set"),
    COLUMN("validation_accuracy", "the share of the validation set that it classifies right"),
    COLUMN("test_loss", "its mean cross-entropy on the test set"),
    COLUMN("test_accuracy", "the share of the test set that it classifies right"),
    COLUMN("active", "its accepted flips"),
    COLUMN("train_balanced_accuracy", "its balanced accuracy on the training set"),
    COLUMN("train_macro_f1", "its macro F1 on the training set"),
    COLUMN("validation_balanced_accuracy", "its balanced accuracy on the validation set"),
    COLUMN("validation_macro_f1", "its macro F1 on the validation set"),
    COLUMN("test_balanced_accuracy", "its balanced accuracy on the test set"),
    COLUMN("test_macro_f1", "its macro F1 on the test set"),
    SPN_OVERLAP_QUANTITIES,
    SPN_FLIP_QUANTITIES("on the test set, or on the training set where there is none"),
    SPN_PROFILE_QUANTITIES,
    {.name = NULL}};

/* ---- planning ---- */

static bool is_auto(const char *text)
{
    return strcmp(text, "auto") == 0;
}

/* ---- encode and bias ---- */

static const char thermometer[] = "thermometer:", copies[] = "copies:";

/* The number behind a word, such as Q of thermometer:Q; false for another word, or no number. */
static bool number_behind(size_t *out, const char *text, const char *word, size_t most)
{
    uint64_t number = 0;
    if (strncmp(text, word, strlen(word)) != 0 || !spn_whole_parse(&number, text + strlen(word)) ||
        number < 1 || number > most)
        return false;
    *out = (size_t)number;
    return true;
}

static spn_status read_encode(train_plan *p, spn_error *err)
{
    spn_train_options *o = &p->options;
    if (strcmp(p->encode, "none") == 0 || is_auto(p->encode) ||
        number_behind(&o->copies, p->encode, copies, SPN_MOST_COPIES))
        return SPN_OK;
    if (!number_behind(&o->thermometer, p->encode, thermometer, SPN_MOST_LEVELS))
        return spn_setting_fail("encode", err,
                                "'%s' is not none, auto, copies:M with M from 1 to %d, or "
                                "thermometer:Q with Q from 1 to %d",
                                p->encode, SPN_MOST_COPIES, SPN_MOST_LEVELS);
    if (!is_auto(p->scaling))
        return spn_setting_fail("scaling", err,
                                "does not go with a thermometer, whose inputs are -1 and +1");
    return SPN_OK;
}

/* The samples that are left to train on. */
static double samples_left(const train_plan *p)
{
    const double rest = (1 - p->test_fraction) * (1 - p->validation);
    return rest * (double)spn_dataset_samples(p->sets.train);
}

/* As many copies as make FEW inputs; EACH where that does not make more than MANY, for more levels
   of weights; LEAST of any number of features, if the cells have room. */
static size_t copies_suiting(const train_plan *p)
{
    const double few = 800, each = 8, many = 4800, least = 4, most_cells = 2.5e8;
    const double features = (double)spn_dataset_features(p->sets.train);
    const double inputs = fmax(few, fmin(each * features, many));
    const double wanted = fmin(fmax(least, ceil(inputs / features)), SPN_MOST_COPIES);
    return (size_t)fmax(1, fmin(wanted, floor(most_cells / (features * samples_left(p)))));
}

static spn_status count_inputs(train_plan *p, spn_error *err)
{
    spn_error why = {0};
    if (is_auto(p->scaling))
        p->preprocess = spn_preprocess_suiting(p->data, p->sets.train);
    if (is_auto(p->encode) && p->preprocess.kind != SPN_PREPROCESS_BINARY)
        p->options.copies = copies_suiting(p);
    p->options.penalty = p->penalty;
    p->options.preprocess = p->options.thermometer ? NULL : &p->preprocess;
    if (spn_train_inputs(&p->inputs, &p->options, &p->sets, &why))
        return spn_setting_blame(p->options.thermometer ? "encode" : "data", &why, err);
    return SPN_OK;
}

static spn_status read_bias(train_plan *p, spn_error *err)
{
    uint64_t n = 0;
    double scale = p->options.logit_scale;
    if (p->options.logit_scale_by_root)
        scale /= sqrt((double)p->inputs);
    if (is_auto(p->bias))
        n = spn_train_bias(p->sets.train, scale, p->inputs, p->balance);
    else if (!spn_whole_parse(&n, p->bias) || n > 1000000)
        return spn_setting_fail("bias", err, "'%s' is not auto or a whole number up to 1000000",
                                p->bias);
    p->options.bias = (size_t)n;
    return SPN_OK;
}

/* ---- the rest ---- */

static spn_status read_classifier(train_plan *p, spn_error *err)
{
    spn_error why = {0};
    if (!is_auto(p->scaling) && spn_preprocess_from_text(&p->preprocess, p->scaling, &why))
        return spn_setting_blame("scaling", &why, err);
    if (spn_train_logit_scale(&p->options.logit_scale, &p->options.logit_scale_by_root,
                              p->logit_scale, &why))
        return spn_setting_blame("logit-scale", &why, err);
    return read_encode(p, err);
}

static spn_status read_data(train_plan *p, spn_inputs *inputs, spn_error *err)
{
    const spn_read_options how = spn_sample_settings_options(&p->samples);
    const spn_data_files files = {p->data, p->labels, p->test, p->test_labels};
    p->sets = spn_train_data_defaults();
    return spn_inputs_data(&p->sets.train, &p->sets.test, inputs, &files, &how, err);
}

static spn_status check_sets(const train_plan *p, spn_error *err)
{
    if (p->sets.test && p->test_fraction > 0)
        return spn_setting_fail("test-fraction", err,
                                "is for data without a test set; these have one");
    if ((double)p->subset > ceil(samples_left(p)))
        return spn_setting_fail("subset", err, "%" PRIu64 " samples are more than there are (%.0f)",
                                p->subset, samples_left(p));
    return SPN_OK;
}

static size_t weights_of(const train_plan *p)
{
    return spn_dataset_classes(p->sets.train) * (p->inputs + p->options.bias);
}

static spn_status plan_train(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    train_plan *p = plan;
    spn_status status;
    p->options = spn_train_defaults();
    if ((status = read_classifier(p, err)) || (status = read_data(p, inputs, err)) ||
        (status = check_sets(p, err)))
        return status;
    p->options.test_fraction = p->test_fraction;
    p->options.validation = p->validation;
    p->options.subset = (size_t)p->subset;
    p->options.split_seed = p->split_seed;
    p->options.balance = p->balance;
    if ((status = count_inputs(p, err)) || (status = read_bias(p, err)) ||
        (status = spn_chain_plan_make(&p->annealing, &p->chain, job, inputs, weights_of(p),
                                      "classifier", err)) ||
        (status =
             spn_flip_plan_make(&p->flips, &p->flip, job, p->annealing.options.replicas, err)) ||
        (status = spn_profile_settings_check(job, err)))
        return status;
    return SPN_OK;
}

static void clear(void *plan)
{
    train_plan *p = plan;
    spn_chain_plan_clear(&p->annealing);
    spn_flip_plan_clear(&p->flips);
}

/* As spn_preprocess_from_text reads it; what suits data is never binary. */
static void scaling_text(char *out, size_t size, const spn_preprocess *how)
{
    char shift[SPN_NUMBER_TEXT], scale[SPN_NUMBER_TEXT];
    spn_number_text(shift, how->shift);
    spn_number_text(scale, how->scale);
    if (how->kind == SPN_PREPROCESS_GIVEN)
        snprintf(out, size, "%s,%s", shift, scale);
    else
        snprintf(out, size, "%s", spn_preprocess_kind_name(how->kind));
}

/* What a setting that was left to the data came to. */
static spn_status came_to(spn_record *out, const spn_job *job, const char *name, const char *text,
                          spn_error *err)
{
    if (spn_job_given(job, name))
        return SPN_OK;
    spn_record_remove_setting(out, name);
    return spn_record_add_setting(out, name, text, err);
}

static spn_status resolve_classifier(spn_record *out, const train_plan *p, const spn_job *job,
                                     spn_error *err)
{
    char encode[48] = "none", bias[24];
    if (p->options.thermometer)
        snprintf(encode, sizeof encode, "%s%zu", thermometer, p->options.thermometer);
    if (p->options.copies)
        snprintf(encode, sizeof encode, "%s%zu", copies, p->options.copies);
    snprintf(bias, sizeof bias, "%zu", p->options.bias);
    spn_status status = is_auto(p->encode) ? came_to(out, job, "encode", encode, err) : SPN_OK;
    if (!status && is_auto(p->bias))
        status = came_to(out, job, "bias", bias, err);
    return status;
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const train_plan *p = plan;
    char scaling[3 * SPN_NUMBER_TEXT];
    spn_status status = SPN_OK;
    spn_measure_resolve(out, job);
    if (spn_data_is_known(p->data))
        spn_sample_settings_leave_out(out);
    scaling_text(scaling, sizeof scaling, &p->preprocess);
    if (p->options.thermometer)
        spn_record_remove_setting(out, "scaling");
    else if (is_auto(p->scaling))
        status = came_to(out, job, "scaling", scaling, err);
    if (!status)
        status = resolve_classifier(out, p, job, err);
    return status ? status : spn_chain_plan_resolve(out, &p->annealing, job, err);
}

/* Data sets that are known by name have a test set; of others it has to be given or drawn. */
static const char *missing(const void *plan, const char *result)
{
    const train_plan *p = plan;
    if (strstr(result, "validation_") && p->validation == 0)
        return "a validation set; give validation, such as validation: 0.1";
    if (strstr(result, "test_") && !p->sets.test && p->test_fraction == 0)
        return "a test set; give test, a file, or test-fraction, such as test-fraction: 0.2";
    if (strncmp(result, "overlaps.", strlen("overlaps.")) == 0 && p->annealing.options.replicas < 2)
        return "two replicas or more";
    const char *hit = spn_chain_job_missing(result, &p->annealing);
    return hit ? hit : spn_measure_missing(result, p->flips.count > 0, p->profile.walks > 0);
}

/* ---- cost ---- */

/* The parts of the work, in units of what one sample costs in the change of an energy. */
typedef struct train_work {
    double proposals, chain, flips, profile;
} train_work;

static train_work work_of(const train_plan *p, uint64_t steps)
{
    /* As measured on MNIST with 512-bit vectors: in the time of a unit 36 products of weight and
       feature are made for the logits of samples whose weights were flipped; to walk away from
       weights each costs a tenth of a unit for each sample at the start, and two where it is
       flipped, for the change and for the cache. */
    const double products = 36, attach = 0.1, flip = 2;
    const double weights = (double)weights_of(p);
    const double train = p->subset ? (double)p->subset : samples_left(p);
    const double test = p->sets.test ? (double)spn_dataset_samples(p->sets.test)
                        : p->test_fraction > 0
                            ? p->test_fraction * (double)spn_dataset_samples(p->sets.train)
                            : train;
    const uint64_t all = p->annealing.usual_steps;
    train_work work = {.proposals = spn_chain_plan_proposals(&p->annealing, steps ? steps : all)};
    work.chain = work.proposals * train * spn_chain_plan_passes(&p->annealing);
    if (steps)
        return work;
    work.flips =
        (double)p->flips.count * (double)p->flips.options.trials * test * weights / products;
    work.profile = (double)p->profile.walks * (double)p->annealing.options.replicas * train *
                   weights * (flip * p->profile.reach + attach);
    return work;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const train_work work = work_of(plan, steps);
    return (spn_cost){.proposals = work.proposals, .work = work.chain + work.flips + work.profile};
}

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

/* The name of the most frequent class of a set, cut to a line's length. */
static const char *majority_of(const spn_dataset *set)
{
    const uint32_t classes = spn_dataset_classes(set);
    size_t *counts = spn_alloc(classes, sizeof *counts);
    uint32_t most = 0;
    for (size_t n = 0; counts && n < spn_dataset_samples(set); n++)
        counts[spn_dataset_labels(set)[n]]++;
    for (uint32_t k = 1; counts && k < classes; k++)
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
    char text[400], replica[96] = "";
    if (r->replicas > 1)
        snprintf(replica, sizeof replica, " (replica %zu of %zu, the best in training: predict's)",
                 r->best + 1, r->replicas);
    spn_print_text(text, sizeof text,
                   "%s accuracy %.2f%%%s, balanced %.2f%%, macro F1 %.4f; always %.60s: %.2f%%%s",
                   test ? "test" : "training", 100 * accuracy, replica, 100 * balanced, f1,
                   majority_of(set), 100 * majority, test ? "" : "; there is no test set");
    return spn_record_add_text(out, "summary", text, err);
}

/* What to beware of. */
static spn_status add_warnings(spn_record *out, const train_plan *p, const spn_train_result *r,
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

static spn_status add_details(spn_record *out, const train_plan *p, const spn_chain_ready *ready,
                              const spn_training *t, const spn_train_result *r, spn_error *err)
{
    const size_t validation = samples_of(t, SPN_SET_VALIDATION), test = samples_of(t, SPN_SET_TEST);
    char validate[48] = "", tested[48] = "";
    if (validation)
        snprintf(validate, sizeof validate, ", %zu to validate", validation);
    if (test)
        snprintf(tested, sizeof tested, ", %zu to test", test);
    spn_status status = spn_record_add_result(out, "best_replica", (double)(r->best + 1), err);
    if (!status)
        status = add_summary(out, t, r, err);
    if (!status)
        status = add_replicas(out, r, err);
    if (!status)
        status = spn_record_add_note(
            out, err, "%s: %zu samples of %zu features%s%s; %u classes: %zu weights of one bit",
            p->data, samples_of(t, SPN_SET_TRAIN), spn_dataset_features(p->sets.train), validate,
            tested, (unsigned)spn_dataset_classes(p->sets.train), weights_of(p));
    if (!status)
        status = add_warnings(out, p, r, err);
    if (!status)
        status = spn_sample_note_index(out, p->sets.train, err);
    return status ? status : spn_chain_job_note(out, ready, err);
}

static spn_status add_results(spn_record *out, const spn_train_result *r,
                              const spn_resumable *chain, spn_error *err)
{
    spn_status status;
    if ((status = add_score(out, "", r->mean, err)) ||
        (status = add_score(out, "centre_", r->centre, err)) ||
        (status = add_score(out, "best_", r->replica[r->best], err)) ||
        (status = spn_record_add_result(out, "overlap", r->overlap, err)))
        return status;
    return spn_chain_job_record(out, chain, err);
}

/* ---- the run ---- */

/* One run under way. */
typedef struct train_run {
    const train_plan *plan;
    const spn_job *job;
    const spn_run *run;
    train_work work;
    spn_meter meter;
    spn_training *training;
    spn_chain_ready ready;
    spn_resumable chain;
    spn_train_result *result;
} train_run;

static spn_status train(train_run *t, spn_outcome *outcome, spn_error *err)
{
    spn_snapshot snapshot;
    char *content = NULL;
    spn_status status = t->run->steps ? SPN_OK : spn_file_try(t->run->product, err);
    if (!status)
        status = spn_training_create(&t->training, &t->plan->options, &t->plan->sets, err);
    if (!status)
        status = spn_chain_ready_make(&t->ready, &t->plan->annealing,
                                      spn_training_energy(t->training), err);
    if (!status)
        status = spn_train_content(&content, t->training, err);
    if (status)
        return status;
    const spn_chain_job how = {.job = t->job,
                               .plan = t->plan,
                               .run = t->run,
                               .chain = &t->ready,
                               .energy = spn_training_energy(t->training),
                               .content = content,
                               .meter = &t->meter,
                               .work = t->work.chain};
    status = spn_chain_job_run(&t->chain, outcome, &how, err);
    free(content);
    if (status)
        return status;
    spn_chain_snapshot(&snapshot, t->chain.chain);
    return spn_training_finish(&t->result, t->training, &snapshot, t->chain.stop, err);
}

static spn_status write_model(const train_run *t, spn_error *err)
{
    spn_model *model = t->result->model;
    char *manifest = NULL;
    spn_status status = spn_train_manifest(&manifest, t->job, t->plan, t->training, t->result, err);
    if (!status)
        status = spn_model_set_manifest(model, manifest, err);
    free(manifest);
    return status ? status : spn_model_write(model, t->run->product, err);
}

static spn_status measure(spn_record *out, bool *stopped, train_run *t, spn_error *err)
{
    const train_plan *p = t->plan;
    const spn_model *model = t->result->model;
    const spn_dataset *test = spn_training_set(t->training, SPN_SET_TEST);
    const spn_flip_classifier classifier = {
        .model = spn_model_classifier(model, spn_model_weights(model)),
        .data = test ? test : spn_training_set(t->training, SPN_SET_TRAIN)};
    const spn_flip_target target = spn_flip_target_of(&classifier, spn_model_replicas(model));
    spn_measuring m = {.job = t->job, .meter = &t->meter};
    spn_meter_pass(&t->meter, t->work.chain);
    spn_status status = spn_measure_flips(out, &m, &p->flips, &target, t->work.flips, err);
    if (!status)
        status = spn_measure_profile(out, &m, &p->profile, spn_training_energy(t->training),
                                     spn_model_weights(model), spn_model_replicas(model),
                                     t->work.profile, err);
    *stopped = m.stopped;
    return status;
}

static spn_status run_train(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const train_work work = work_of(plan, run->steps);
    train_run t = {.plan = plan,
                   .job = job,
                   .run = run,
                   .work = work,
                   .meter = spn_meter_start(run, work.chain + work.flips + work.profile)};
    bool stopped = false;
    spn_status status;
    if ((status = train(&t, outcome, err)) || (status = add_results(out, t.result, &t.chain, err)))
        goto cleanup;
    const spn_chain_options *o = &t.plan->annealing.options;
    if (o->target != SPN_TARGET_NONE &&
        (status = spn_chain_job_record_hit(out, &t.chain,
                                           spn_order_proposals(o->order, o->replicas), err)))
        goto cleanup;
    if (run->details && ((status = add_details(out, plan, &t.ready, t.training, t.result, err)) ||
                         (status = spn_chain_job_overlaps(out, &t.chain, err))))
        goto cleanup;
    if (run->steps == 0 && run->product && (status = write_model(&t, err)))
        goto cleanup;
    if (run->steps == 0 && outcome->complete)
        status = measure(out, &stopped, &t, err);
cleanup:
    outcome->complete = outcome->complete && !stopped;
    spn_train_result_free(t.result);
    spn_resumable_clear(&t.chain);
    spn_chain_ready_clear(&t.ready);
    spn_training_free(t.training);
    return status;
}

const spn_task spn_train_task = {.name = "train",
                                 .summary = "train a classifier whose weights are all one bit",
                                 .details = details,
                                 .product = "the model",
                                 .product_extension = "spn",
                                 .chain = true,
                                 .settings = settings,
                                 .presets = presets,
                                 .results = results,
                                 .plan_size = sizeof(train_plan),
                                 .plan = plan_train,
                                 .clear = clear,
                                 .resolve = resolve,
                                 .missing = missing,
                                 .cost = cost,
                                 .run = run_train};

/* The settings and presets of the task `train`. */
#include "job/train_plan.h"

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

const spn_preset spn_train_presets[] = {
    {"default", "as accurate as logistic regression on tables of any kind, in seconds", by_default},
    {"paper", "the published protocol", paper},
    {"accurate", "the best accuracy at ten times the cost of paper", accurate},
    {"robust", "the best accuracy with a tenth of the weights flipped", robust},
    {NULL, NULL, NULL}};

static const char *preset_word(size_t i)
{
    return spn_train_presets[i].name; /* the walk over words ends at the first NULL */
}

/* A share of the data: more than nothing, less than all. */
#define SHARE .least = 1e-9, .most = 1 - 1e-9

const spn_setting spn_train_settings[] = {
    SPN_HEADING("Data"),
    {"data", SPN_SETTING_FILE, .argument = "NAME|FILE", .fallback = "digits",
     .word = spn_dataset_word, .at = offsetof(spn_train_plan, data),
     .help = "what to train on: a data set known by name, or a file of labelled samples (- is the "
             "standard input)"},
    {"labels", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(spn_train_plan, labels),
     .help = "the labels, where the format has them in a second file (idx, npy)"},
    {"test", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(spn_train_plan, test),
     .help = "samples to test on; data sets known by name have their own"},
    {"test-labels", SPN_SETTING_FILE, .argument = "FILE",
     .at = offsetof(spn_train_plan, test_labels),
     .help = "their labels, where the format has them in a second file"},
    {"test-fraction", SPN_SETTING_REAL, .argument = "F", SHARE,
     .at = offsetof(spn_train_plan, test_fraction),
     .help = "instead of test: split off this share of every class"},
    {"validation", SPN_SETTING_REAL, .argument = "F", SHARE,
     .at = offsetof(spn_train_plan, validation),
     .help = "split this share of every class off the training set and report on it, for tuning"},
    {"subset", SPN_SETTING_WHOLE, .argument = "n", .unit = "samples", .otherwise = "all",
     .least = 1, .most = (double)INT64_MAX, .at = offsetof(spn_train_plan, subset),
     .help = "train on n samples, drawn at random"},
    {"split-seed", SPN_SETTING_WHOLE, .argument = "S", .fallback = "1", .least = 0,
     .most = (double)INT64_MAX, .at = offsetof(spn_train_plan, split_seed),
     .help = "seed of these draws"},
    {.group = spn_sample_rows, .at = offsetof(spn_train_plan, samples)},
    {.group = spn_column_rows, .at = offsetof(spn_train_plan, samples)},
    {"scaling", SPN_SETTING_LIST, .argument = "HOW", .fallback = "auto",
     .at = offsetof(spn_train_plan, scaling),
     .help = "of features before training: none, dataset (mean 0, deviation 1 over all), feature "
             "(each), SHIFT,SCALE, or binary:T for +1 above T and -1 elsewhere; auto: feature for "
             "tables, dataset for images, (x/255 - 0.1307)/0.3081 for mnist"},
    {"encode", SPN_SETTING_TEXT, .argument = "HOW", .fallback = "auto",
     .at = offsetof(spn_train_plan, encode),
     .help =
         "none; copies:M, each feature M times, so that weights add up to more than one bit; or "
         "thermometer:Q, up to Q inputs of +1 and -1 for each feature, by thresholds at the "
         "quantiles of the training set; auto: as many copies as make 800 inputs, at least 8 of up "
         "to 600 features and 4 of more"},
    SPN_HEADING("Training; where a setting is not given, its value is the preset's"),
    {"preset", SPN_SETTING_WORD, .argument = "NAME", .fallback = "default", .word = preset_word,
     .at = offsetof(spn_train_plan, preset),
     .help = "values for the settings of the chain, logit-scale, bias, encode and penalty"},
    {"logit-scale", SPN_SETTING_TEXT, .argument = "s[/sqrtD]", .otherwise = "the preset's",
     .at = offsetof(spn_train_plan, logit_scale),
     .help = "logits are s W x, or s/sqrt(D) W x for D inputs"},
    {"bias", SPN_SETTING_TEXT, .argument = "n", .fallback = "auto",
     .at = offsetof(spn_train_plan, bias),
     .help = "weights of each class on a constant input of 1; auto: enough for the shares of the "
             "classes and for an offset of 2 of the logits"},
    {"penalty", SPN_SETTING_REAL, .argument = "L", .fallback = "0", .least = 0, .most = 1e9,
     .at = offsetof(spn_train_plan, penalty),
     .help = "with copies: on the squares of their added weights, as in logistic regression with "
             "C = 1/L"},
    {"balance", SPN_SETTING_FLAG, .at = offsetof(spn_train_plan, balance),
     .help = "let all classes count the same: a sample weighs M/(K M_k) in the loss, for M_k of M "
             "samples in its class, one of K"},
    {.group = spn_chain_rows, .at = offsetof(spn_train_plan, chain)},
    {.group = spn_flip_rows, .at = offsetof(spn_train_plan, flip)},
    {.group = spn_profile_rows, .at = offsetof(spn_train_plan, profile)},
    {.name = NULL}};

#include "task/train/plan.h"

#include <spinney/network.h>

/* Measured (docs/classifiers.md): with copied features and a penalty, training is nearly convex,
   and a short run is as good as a long one. It must end cold for the penalty to have an effect.
   Moves are plain for features that are not rounded. */
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
                                      {"features", "rounded"},
                                      {"moves", "levels"},
                                      {NULL, NULL}};
static const spn_text paper[] = {
    {"replicas", "3"},       {"gamma", "0.8"}, {"beta", "100:100000"}, {"steps", "300000"},
    {"kernel", "two-stage"}, {"init", "same"}, {"logit-scale", "1"},   {"bias", "0"},
    {"encode", "none"},      {NULL, NULL}};
static const spn_text accurate[] = {
    {"replicas", "3"},       {"gamma", "0:1"}, {"beta", "auto:0.012:1e-4"},  {"sweeps", "400"},
    {"kernel", "two-stage"}, {"init", "same"}, {"logit-scale", "2.8/sqrtD"}, {"bias", "0"},
    {"encode", "none"},      {NULL, NULL}};
static const spn_text robust[] = {{"replicas", "3"},
                                  {"gamma", "0"},
                                  {"beta", "auto:0.03:7e-5"},
                                  {"sweeps", "60"},
                                  {"kernel", "two-stage"},
                                  {"init", "same"},
                                  {"logit-scale", "1.12/sqrtD"},
                                  {"bias", "0"},
                                  {"encode", "none"},
                                  {"faults", "0.1"},
                                  {NULL, NULL}};

/* Temperatures are in units of the loss of one sample: the distribution is exp(-sum of losses/T).
   A flip moves logits by 2 s, which falls as the root of the number of units, so the temperature
   does too. */
static const spn_text network[] = {{"replicas", "3"},
                                   {"gamma", "0"},
                                   {"temperature", "22:2.2/sqrtD"},
                                   {"sweeps", "30"},
                                   {"kernel", "one-stage"},
                                   {"init", "independent"},
                                   {"logit-scale", "1.5/sqrtD"},
                                   {"bias", "0"},
                                   {"encode", "auto"},
                                   {"hidden-bias", "0"},
                                   {"propose", "varying"},
                                   {"output-weight", "1"},
                                   {NULL, NULL}};

/* Smooth units change all samples a little, so the temperature is far lower (docs/classifiers.md).
 */
static const spn_text tolerant[] = {{"replicas", "1"},
                                    {"gamma", "0"},
                                    {"temperature", "0.5:0.005"},
                                    {"sweeps", "24"},
                                    {"kernel", "one-stage"},
                                    {"order", "sequential"},
                                    {"init", "independent"},
                                    {"logit-scale", "auto"},
                                    {"bias", "0"},
                                    {"encode", "auto"},
                                    {"hidden-bias", "auto"},
                                    {"propose", "varying"},
                                    {"output-weight", "1"},
                                    {"faults", "0.15"},
                                    {"margin", "2"},
                                    {NULL, NULL}};

const spn_preset spn_train_presets[] = {
    {"default", "as accurate as logistic regression on any table, in seconds", by_default},
    {"paper", "the published protocol", paper},
    {"accurate", "the best accuracy at ten times the cost of paper", accurate},
    {"robust", "the best accuracy with a tenth of the weights flipped", robust},
    {"network", "for networks of signs; the default with hidden units and no faults", network},
    {"tolerant",
     "for networks that keep working if weights flip; the default with hidden units. Small tables "
     "take 96 sweeps, the temperature to 0.05",
     tolerant},
    {NULL, NULL, NULL}};

static const char *preset_word(size_t i)
{
    return spn_train_presets[i].name; /* words end at the first NULL */
}

static const char *const shift_words[] = {"0", "4", "8", NULL};
static const char *const feature_words[] = {"exact", "rounded", NULL};
static const char *const loss_words[] = {"floats", "whole", NULL};
static const char *const propose_words[] = {"all", "varying", NULL};

/* A share of the data, above 0 and below 1. */
#define SHARE .least = 1e-9, .most = 1 - 1e-9

#define AT(member) .at = offsetof(spn_train_plan, member)
const spn_setting spn_train_settings[] = {
    SPN_HEADING("Data"),
    {"data", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "NAME|FILE",
     .fallback = "digits", .word = spn_dataset_word, AT(data),
     .help = "labelled samples to train on; a data set known by name or a file (- is the standard "
             "input)"},
    {"labels", SPN_SETTING_FILE, .argument = "FILE", AT(labels),
     .help = "labels, if the format keeps them in a second file (idx, npy)"},
    {"test", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE", AT(test),
     .help = "samples to test on; data sets known by name have their own"},
    {"test-labels", SPN_SETTING_FILE, .argument = "FILE", AT(test_labels),
     .help = "their labels, if the format keeps them in a second file"},
    {"test-fraction", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "F", SHARE,
     AT(test_fraction),
     .help = "split off this share of every class as a test set; in place of `test`"},
    {"folds", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON | SPN_SETTING_MEASURE, .argument = "K",
     .otherwise = "none", .least = 2, .most = (double)UINT32_MAX, AT(folds),
     .help = "cross-validation: cut the training samples into K folds, stratified by class, and "
             "test on each of them a classifier trained on the others; the model is still of all"},
    {"validation", SPN_SETTING_REAL, .argument = "F", SHARE, AT(validation),
     .help = "split off this share of every class as a validation set; use it for tuning"},
    {"subset", SPN_SETTING_WHOLE, .argument = "n", .unit = "samples", .otherwise = "all",
     .least = 1, .most = (double)INT64_MAX, AT(subset), .help = "train on n random samples"},
    {"split-seed", SPN_SETTING_WHOLE, .argument = "S", .fallback = "1", .least = 0,
     .most = (double)INT64_MAX, AT(split_seed), .help = "seed of the splits and of `subset`"},
    {"shifts", SPN_SETTING_WORD, .argument = "n", .fallback = "0", .words = shift_words, AT(shifts),
     .help = "grey images: also train on copies shifted by one pixel; 4 shifts up, down, left and "
             "right, 8 also along the diagonals"},
    {.group = spn_sample_rows, AT(samples)},
    {.group = spn_column_rows, AT(samples)},
    {"scaling", SPN_SETTING_LIST, .argument = "HOW", .fallback = "auto", AT(scaling),
     .help = "scaling of the features; none, dataset (mean 0 and deviation 1 over all), feature "
             "(over each), SHIFT,SCALE, or binary:T (+1 above T, else -1). auto: feature for "
             "tables, dataset for images, (x/255 - 0.1307)/0.3081 for mnist. With `hidden`: none "
             "or binary:T (1 and 0); auto: binary:127 for images with large values"},
    {"encode", SPN_SETTING_TEXT, .argument = "HOW", .fallback = "auto", AT(encode),
     .help =
         "how features become inputs; none, copies:M (each feature M times, so a feature's "
         "weight can take more than two values) or thermometer:Q (up to Q inputs of +1 and -1 "
         "per feature, thresholds at the quantiles of the training set). auto: enough copies "
         "for 800 inputs, at least 8 (24 if samples times features are few, 4 for more than "
         "600 features). With `hidden`, each copy is a whole number from 0 to 15, up to 17 copies; "
         "auto: none for bits and images of bytes, else thermometer:8. With `faults`, auto: none "
         "for bits and images with large values, thermometer:8 for others, 4 to 16 copies for "
         "tables (thermometer:32 for fewer than 4 features, or if they are too large)"},
    {"features", SPN_SETTING_WORD, .argument = "HOW", .fallback = "exact", .words = feature_words,
     AT(features),
     .help = "how training takes the features of a table; exact, or rounded to 65,535 values from "
             "the least to the largest of each, which is many times as fast. The scores of the "
             "trained model are those of exact features"},
    SPN_HEADING("Training; where a setting is not given, its value is the preset's"),
    {"preset", SPN_SETTING_WORD, .flags = SPN_SETTING_COMMON, .argument = "NAME",
     .fallback = "default", .word = preset_word, AT(preset),
     .help = "named defaults; for the chain, `logit-scale`, `bias`, `encode`, `penalty` and "
             "networks. With `hidden`, tolerant unless given, or network with `faults 0`"},
    {"hidden", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "H", .unit = "units",
     .otherwise = "none: a linear classifier", .least = 1, .most = SPN_MOST_HIDDEN, AT(hidden),
     .help = "train a network with H hidden units; each is the sign of a sum of the inputs with "
             "one-bit weights"},
    {"hidden-bias", SPN_SETTING_TEXT, .argument = "n", .fallback = "0", AT(hidden_bias),
     .help = "weights of each hidden unit on a constant input of 1; auto: with `faults`, half of "
             "the levels of a thermometer, or a quarter of the inputs of copies; else none"},
    {"propose", SPN_SETTING_WORD, .argument = "WHICH", .fallback = "all", .words = propose_words,
     AT(propose),
     .help = "weights of a network to propose; all, or only those of inputs that vary in the "
             "training set. A sweep then proposes each of these once"},
    {"output-weight", SPN_SETTING_WHOLE, .argument = "r", .fallback = "1", .least = 1,
     .most = SPN_MOST_OUTPUT_WEIGHT, AT(output_weight),
     .help = "propose a network's output weights r times as often as the others"},
    {"faults", SPN_SETTING_REAL, .argument = "p", .fallback = "0", .least = 0,
     .most = SPN_MOST_FAULTS, AT(faults),
     .help = "share of faulty weights to train for: the energy of a linear classifier is then its "
             "chance of a wrong answer, and a hidden unit the mean of its sign (the trained model "
             "has signs). 0 trains for weights as they are",
     .label = "expected share of faults p"},
    {"margin", SPN_SETTING_REAL, .argument = "b", .fallback = "0", .least = 0,
     .most = SPN_MOST_MARGIN, AT(margin),
     .help =
         "with `faults`: while training, the logit of a sample's own class counts as b less, so "
         "that it has to win by more",
     .label = "margin b"},
    {"fault-model", SPN_SETTING_TEXT, .argument = "KIND", .otherwise = "flips",
     AT(flip.fault_model),
     .help = "the faults that `faults` expects and `flip` measures; flips, stuck-0 (weights become "
             "-1), stuck-1 (+1), rows (`flip` only: all weights of a unit or class flip together) "
             "or asymmetric:p01,p10 (a -1 changes with probability p01, a +1 with p10)"},
    {"temperature", SPN_SETTING_RANGE, .argument = "START[:END][/sqrtD]", .otherwise = "beta",
     AT(temperature),
     .help = "temperature in place of `beta`; it is M/beta for M training samples (shifted copies "
             "not counted), so the distribution is exp(-sum of their losses/T) for any M. /sqrtD "
             "divides by the root of the number D of hidden units",
     .label = "temperature T"},
    {"logit-scale", SPN_SETTING_TEXT, .argument = "s[/sqrtD]", .otherwise = "set by the preset",
     AT(logit_scale),
     .help =
         "scale s of the logits; s W x, or with /sqrtD s/sqrt(D) W x for D inputs (hidden "
         "units of a network). auto, with `hidden`: 2/sqrtD; on copies of features the better of s "
         "= 0.5 and 2 in three folds of the training samples, unless `time` or weights to start "
         "from are given"},
    {"bias", SPN_SETTING_TEXT, .argument = "n", .fallback = "auto", AT(bias),
     .help = "weights of each class on a constant input of 1; auto takes enough for the class "
             "shares and a logit offset of 2"},
    {"penalty", SPN_SETTING_REAL, .argument = "L", .fallback = "0", .least = 0, .most = 1e9,
     AT(penalty),
     .help =
         "penalty on the squared summed weights of copies, as in logistic regression with C = 1/L"},
    {"balance", SPN_SETTING_FLAG, AT(balance),
     .help = "give all classes the same weight; a sample weighs M/(K M_k) in the loss, for M_k of "
             "M samples in its class, one of K"},
    {"losses", SPN_SETTING_WORD, .argument = "HOW", .fallback = "floats", .words = loss_words,
     AT(losses),
     .help =
         "how the losses of a linear classifier are computed; floats, or whole: as whole numbers "
         "with the same bits on every machine, slow here but fast on a `device`. For bytes with "
         "one scale for all features, as images with `preset paper`"},
    {"device", SPN_SETTING_TEXT, .flags = SPN_SETTING_EFFORT, .argument = "NAME",
     .otherwise = "cpu", AT(device),
     .help = "where losses in whole numbers are computed, with the same results; cpu is the "
             "processor, auto takes a GPU if there is one, NAME is a device that spinney devices "
             "lists, or a part of its name. It does runs of the same data side by side: give a "
             "sweep a hundred threads or more"},
    {.group = spn_chain_rows, AT(chain)},
    {.group = spn_flip_rows, AT(flip)},
    {.group = spn_profile_rows, AT(profile)},
    {.name = NULL}};

/* The classifier of the task `train`: settings `encode`, `bias` and `scaling`, and what the data
   decide. */
#include "base/number.h"
#include "base/try.h"
#include "record/record.h"
#include "task/train/plan.h"

#include <math.h>
#include <string.h>

static bool is_auto(const char *text)
{
    return strcmp(text, "auto") == 0;
}

static const char thermometer[] = "thermometer:", copies[] = "copies:";

/* The number after a word, such as Q of thermometer:Q. False for another word or number. */
static bool number_behind(size_t *out, const char *text, const char *word, size_t most)
{
    uint64_t number = 0;
    if (strncmp(text, word, strlen(word)) != 0 || !spn_whole_parse(&number, text + strlen(word)) ||
        number < 1 || number > most)
        return false;
    *out = (size_t)number;
    return true;
}

static spn_status read_encode(spn_train_plan *p, spn_error *err)
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
        return spn_setting_fail(
            "scaling", err, "cannot be combined with a thermometer, whose inputs are -1 and +1");
    return SPN_OK;
}

double spn_train_samples_left(const spn_train_plan *p)
{
    const double rest = (1 - p->test_fraction) * (1 - p->validation);
    return rest * (double)spn_dataset_samples(p->sets.train);
}

/* More samples tell weights apart that differ less. A flip of many copies of a rounded feature
   costs as much as one, so these may have more. */
static double inputs_suiting(const spn_train_plan *p)
{
    const double few = 800, enough = 2000, most = 5;
    const double samples = spn_train_samples_left(p);
    return p->options.rounded ? few * fmin(fmax(1, sqrt(samples / enough)), most) : few;
}

/* Few samples of many features tell finer weights apart, and cheaply: as many copies as a sweep of
   2000 samples of 800 inputs costs. */
static double copies_of_few(const spn_train_plan *p, double features)
{
    const double least = 8, most = 24, cells = 2000 * 800;
    if (p->options.rounded || spn_dataset_width(p->sets.train) != 0)
        return least;
    return fmin(fmax(least, floor(cells / (features * spn_train_samples_left(p)))), most);
}

/* Copy the features to get at least `few` inputs, or `each` copies if that makes at most `many`
   inputs, for more levels of weights. Make at least `least` copies if memory allows. */
static size_t copies_suiting(const spn_train_plan *p)
{
    const double many = 4800, least = 4;
    const double few = inputs_suiting(p), most_cells = p->options.rounded ? 2e9 : 2.5e8;
    const double features = (double)spn_dataset_features(p->sets.train);
    const double each = copies_of_few(p, features);
    const double inputs = fmax(few, fmin(each * features, many));
    const double wanted = fmin(fmax(least, ceil(inputs / features)), SPN_MOST_COPIES);
    return (size_t)fmax(1,
                        fmin(wanted, floor(most_cells / (features * spn_train_samples_left(p)))));
}

/* Inputs are bits of a thermometer, which are not scaled. */
static bool has_levels(const spn_train_plan *p)
{
    return p->options.thermometer || (p->options.hidden && p->options.copies);
}

/* Few samples need none, but with many classes a sweep has many proposals. */
static bool needs_haste(const spn_train_plan *p)
{
    return spn_train_samples_left(p) > 2000 || spn_dataset_classes(p->sets.train) > 16;
}

static spn_status count_inputs(spn_train_plan *p, spn_error *err)
{
    spn_error why = {0};
    SPN_TRY(spn_train_suit_network(p, is_auto(p->scaling), is_auto(p->encode), err));
    if (is_auto(p->scaling) && !p->options.hidden)
        p->preprocess = spn_preprocess_suiting(p->data, p->sets.train);
    p->options.rounded = p->features && !p->options.hidden && !p->options.thermometer &&
                         p->faults == 0 && p->preprocess.kind != SPN_PREPROCESS_BINARY &&
                         spn_dataset_width(p->sets.train) == 0 && needs_haste(p);
    if (is_auto(p->encode) && p->preprocess.kind != SPN_PREPROCESS_BINARY && !p->options.hidden)
        p->options.copies = copies_suiting(p);
    p->options.penalty = p->penalty;
    p->options.preprocess = has_levels(p) ? NULL : &p->preprocess;
    if (spn_train_inputs(&p->inputs, &p->options, &p->sets, &why))
        return spn_setting_blame(has_levels(p) ? "encode" : "data", &why, err);
    return SPN_OK;
}

static spn_status read_bias(spn_train_plan *p, spn_error *err)
{
    uint64_t n = 0;
    const size_t seen = p->options.hidden ? p->options.hidden : p->inputs; /* by a class */
    double scale = p->options.logit_scale;
    if (p->options.logit_scale_by_root)
        scale /= sqrt((double)seen);
    if (is_auto(p->bias))
        n = spn_train_bias(p->sets.train, scale, seen, p->balance);
    else if (!spn_whole_parse(&n, p->bias) || n > 1000000)
        return spn_setting_fail("bias", err, "'%s' is not auto or a whole number up to 1000000",
                                p->bias);
    if (n == SIZE_MAX)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the bias");
    p->options.bias = (size_t)n;
    return SPN_OK;
}

spn_status spn_train_read_classifier(spn_train_plan *p, spn_error *err)
{
    spn_error why = {0};
    if (!is_auto(p->scaling) && spn_preprocess_from_text(&p->preprocess, p->scaling, &why))
        return spn_setting_blame("scaling", &why, err);
    if (is_auto(p->logit_scale)) {
        if (!p->hidden)
            return spn_setting_fail("logit-scale", err, "auto needs `hidden`");
        p->options.logit_scale = SPN_STEEP_SCALE;
        p->options.logit_scale_by_root = true;
    } else if (spn_train_logit_scale(&p->options.logit_scale, &p->options.logit_scale_by_root,
                                     p->logit_scale, &why))
        return spn_setting_blame("logit-scale", &why, err);
    return read_encode(p, err);
}

spn_status spn_train_fit_classifier(spn_train_plan *p, spn_error *err)
{
    SPN_TRY(count_inputs(p, err));
    p->choose_scale = is_auto(p->logit_scale) && p->options.copies;
    return read_bias(p, err);
}

size_t spn_train_unit_bias(const spn_train_plan *p)
{
    return p->options.copies ? 0 : p->options.hidden_bias;
}

size_t spn_train_weights(const spn_train_plan *p)
{
    const spn_train_options *o = &p->options;
    const size_t seen = o->hidden ? o->hidden : p->inputs;
    return o->hidden * (p->inputs + spn_train_unit_bias(p)) +
           spn_dataset_classes(p->sets.train) * (seen + o->bias);
}

/* In the form that spn_preprocess_from_text reads. */
static void scaling_text(char *out, size_t size, const spn_preprocess *how)
{
    char shift[SPN_NUMBER_TEXT], scale[SPN_NUMBER_TEXT], threshold[SPN_NUMBER_TEXT];
    spn_number_text(shift, how->shift);
    spn_number_text(scale, how->scale);
    spn_number_text(threshold, how->threshold);
    if (how->kind == SPN_PREPROCESS_GIVEN)
        snprintf(out, size, "%s,%s", shift, scale);
    else if (how->kind == SPN_PREPROCESS_BINARY)
        snprintf(out, size, "binary:%s", threshold);
    else
        snprintf(out, size, "%s", spn_preprocess_kind_name(how->kind));
}

static spn_status came_to(spn_record *out, const spn_job *job, const char *name, const char *text,
                          spn_error *err)
{
    if (spn_job_given(job, name))
        return SPN_OK;
    spn_record_remove_setting(out, name);
    return spn_record_add_setting(out, name, text, err);
}

static spn_status resolve_inputs(spn_record *out, const spn_train_plan *p, const spn_job *job,
                                 spn_error *err)
{
    char encode[48] = "none", bias[24], unit_bias[24];
    if (p->options.thermometer)
        snprintf(encode, sizeof encode, "%s%zu", thermometer, p->options.thermometer);
    if (p->options.copies)
        snprintf(encode, sizeof encode, "%s%zu", copies, p->options.copies);
    snprintf(bias, sizeof bias, "%zu", p->options.bias);
    snprintf(unit_bias, sizeof unit_bias, "%zu", p->options.hidden_bias);
    if (p->hidden && is_auto(p->hidden_bias))
        SPN_TRY(came_to(out, job, "hidden-bias", unit_bias, err));
    if (!p->options.rounded && !spn_job_given(job, "features"))
        spn_record_remove_setting(out, "features");
    if (is_auto(p->encode))
        SPN_TRY(came_to(out, job, "encode", encode, err));
    if (p->by_temperature && strcmp(p->temperature, spn_job_text(job, "temperature")) != 0)
        SPN_TRY(came_to(out, job, "temperature", p->temperature, err));
    if (is_auto(p->logit_scale) && !p->choose_scale)
        SPN_TRY(came_to(out, job, "logit-scale", "2/sqrtD", err));
    return is_auto(p->bias) ? came_to(out, job, "bias", bias, err) : SPN_OK;
}

spn_status spn_train_resolve_classifier(spn_record *out, const spn_train_plan *p,
                                        const spn_job *job, spn_error *err)
{
    char scaling[3 * SPN_NUMBER_TEXT];
    spn_status status = SPN_OK;
    scaling_text(scaling, sizeof scaling, &p->preprocess);
    if (has_levels(p))
        spn_record_remove_setting(out, "scaling");
    else if (is_auto(p->scaling))
        status = came_to(out, job, "scaling", scaling, err);
    spn_train_resolve_network(out, p, job);
    return status ? status : resolve_inputs(out, p, job, err);
}

spn_status spn_train_check_linear(const spn_train_plan *p, double there_is, spn_error *err)
{
    const double samples = spn_train_samples_left(p) * (double)(p->options.shifts + 1);
    const double inputs = (double)p->inputs, giga = 1e9;
    const double classes = (double)spn_dataset_classes(p->sets.train);
    const double replicas = (double)p->annealing.options.replicas;
    const double cell = spn_dataset_bytes(p->sets.train) ? 1 : sizeof(double);
    const double columns = inputs / (double)(p->options.copies ? p->options.copies : 1);
    const double needed = 2 * samples * columns * cell +
                          replicas * classes * (samples * (double)sizeof(float) + inputs);
    if (p->options.hidden || there_is <= 0 || needed <= there_is)
        return SPN_OK;
    return spn_setting_fail("data", err,
                            "%.0f samples of %.0f inputs and %.0f classes with %.0f replicas need "
                            "%.3g GB of memory, and there are %.3g GB: use a subset, fewer inputs "
                            "or replicas",
                            samples, inputs, classes, replicas, needed / giga, there_is / giga);
}

/* Networks with a hidden layer in the task `train`: inputs, temperature, proposals and memory. */
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"
#include "task/train/plan.h"

#include <math.h>
#include <spinney/network.h>
#include <stdlib.h>
#include <string.h>

/* Of signs only if no faults are expected on purpose. */
const char *spn_train_preset(const spn_job *job)
{
    const char *given = spn_job_given(job, "faults");
    double faults;
    if (!spn_job_given(job, "hidden"))
        return NULL;
    return given && spn_number_parse(&faults, given) && faults == 0 ? "network" : "tolerant";
}

static spn_status check_linear(const spn_job *job, spn_error *err)
{
    static const char *const names[] = {"hidden-bias", "propose", "output-weight", "margin", NULL};
    const char *preset = spn_job_text(job, "preset");
    if (strcmp(preset, "network") == 0 || strcmp(preset, "tolerant") == 0)
        return spn_setting_fail(
            "hidden", err, "the preset %s needs it: give `hidden`, such as `hidden 64`", preset);
    for (size_t k = 0; names[k]; k++)
        if (spn_job_given(job, names[k]))
            return spn_setting_fail(
                names[k], err, "is for networks only: also give `hidden`, such as `hidden 64`");
    return SPN_OK;
}

spn_status spn_train_read_network(spn_train_plan *p, const spn_job *job, spn_error *err)
{
    p->options.shifts = 4 * (size_t)p->shifts;
    p->options.faults = p->faults;
    if (!p->hidden)
        return check_linear(job, err);
    p->options.hidden = (size_t)p->hidden;
    p->options.margin = p->faults > 0 ? p->margin : 0;
    if (spn_job_given(job, "margin") && p->margin > 0 && p->faults == 0)
        return spn_setting_fail("margin", err, "needs `faults`, such as `faults 0.15`");
    if (spn_job_given(job, "penalty") && p->penalty > 0)
        return spn_setting_fail("penalty", err,
                                "is of linear classifiers, on copies of their features; a network "
                                "is held back by its last temperature");
    if (p->options.copies > SPN_MOST_TIED)
        return spn_setting_fail("encode", err, "a network has up to %d copies, not %zu",
                                (int)SPN_MOST_TIED, p->options.copies);
    if (p->options.copies && strcmp(p->scaling, "auto") != 0)
        return spn_setting_fail("scaling", err,
                                "cannot be combined with the copies of a network, which are bits");
    if (p->options.copies && p->profile.walks)
        return spn_setting_fail("profile-walks", err,
                                "weights of copies are tied in training: give `encode "
                                "thermometer:Q`");
    if (strcmp(p->scaling, "auto") != 0 && p->preprocess.kind != SPN_PREPROCESS_BINARY &&
        p->preprocess.kind != SPN_PREPROCESS_NONE)
        return spn_setting_fail("scaling", err,
                                "the units of a network see bits or small whole numbers, which "
                                "'%.60s' does not leave: give binary:T, none or auto",
                                p->scaling);
    return SPN_OK;
}

/* ---- inputs ---- */

static unsigned largest_of(const spn_dataset *data)
{
    const size_t cells = spn_dataset_samples(data) * spn_dataset_features(data);
    const uint8_t *bytes = spn_dataset_bytes(data);
    unsigned largest = 0;
    for (size_t j = 0; j < cells; j++)
        largest = bytes[j] > largest ? bytes[j] : largest;
    return largest;
}

/* Keep bytes if their sum is small enough in any sample. Else cut them at half of the byte range
   or of the largest value. */
static spn_preprocess bytes_suiting(const spn_dataset *data)
{
    const unsigned most_sum = 32767, half = 127, largest = largest_of(data);
    if ((double)largest * (double)spn_dataset_features(data) <= most_sum)
        return (spn_preprocess){.kind = SPN_PREPROCESS_NONE, .scale = 1};
    return (spn_preprocess){.kind = SPN_PREPROCESS_BINARY,
                            .scale = 1,
                            .threshold = largest > half ? half : largest / 2};
}

/* A unit's sum that is linear in real features learns more from few samples than one that may turn
   at each level. 0: so few features that it may, too many, or too much memory. */
static size_t tied_copies(const spn_train_plan *p)
{
    const double few = 4, usual = 320, least = 4, most = 16, most_cells = 2.5e8, most_sum = 32767;
    const double features = (double)spn_dataset_features(p->sets.train);
    const double copies = fmin(fmax(round(usual / features), least), most);
    const double levels = features * copies * SPN_TIED_LEVELS;
    /* the constant inputs add a quarter, and faults may move sums */
    return features < few || 1.5 * levels > most_sum ||
                   levels * spn_train_samples_left(p) > most_cells
               ? 0
               : (size_t)copies;
}

/* The levels of a thermometer for inputs that are not bits; 0: none is needed. Units that expect
   faults are fast on bits only, and gain by finer steps. */
static size_t levels_suiting(const spn_train_plan *p)
{
    const spn_dataset *train = p->sets.train;
    const bool bytes = spn_dataset_bytes(train) != NULL, image = spn_dataset_width(train) > 0;
    const bool bits = bytes && largest_of(train) <= 1, mean = p->options.faults > 0;
    if (bits || (image && bytes && bytes_suiting(train).kind == SPN_PREPROCESS_BINARY))
        return 0;
    if (image && bytes)
        return mean ? SPN_NETWORK_LEVELS : 0;
    return mean ? SPN_NETWORK_FINE_LEVELS : SPN_NETWORK_LEVELS;
}

static spn_status refuse_real(const char *setting, spn_error *err)
{
    return spn_setting_fail(setting, err,
                            "leaves real numbers, and the units of a network see bits or small "
                            "whole numbers: give `encode thermometer:Q`, or `scaling binary:T`");
}

/* auto: units that expect faults can cut a thermometer at any of its levels. */
static spn_status read_unit_bias(spn_train_plan *p, spn_error *err)
{
    const uint64_t most = 16383;
    const double copies = (double)(p->options.copies * spn_dataset_features(p->sets.train));
    uint64_t n = p->options.faults > 0 ? p->options.thermometer / 2 : 0;
    if (p->options.copies) /* about as much as the inputs add up to, with random signs */
        n = (uint64_t)fmin(SPN_TIED_LEVELS * ceil(copies / 4), (double)most);
    if (strcmp(p->hidden_bias, "auto") != 0 && (!spn_whole_parse(&n, p->hidden_bias) || n > most))
        return spn_setting_fail("hidden-bias", err, "'%s' is not auto or a whole number up to %d",
                                p->hidden_bias, (int)most);
    p->options.hidden_bias = (size_t)n;
    return SPN_OK;
}

static spn_status suit_inputs(spn_train_plan *p, bool scaling_auto, bool encode_auto,
                              spn_error *err)
{
    const spn_dataset *train = p->sets.train;
    const bool bytes = spn_dataset_bytes(train) != NULL, image = spn_dataset_width(train) > 0;
    if (p->options.shifts && !image)
        return spn_setting_fail("shifts", err,
                                "the samples of %.60s are not known to be images, whose width and "
                                "height their file says (idx, or npy of 3 dimensions)",
                                p->data);
    if (!p->options.hidden || p->options.thermometer || p->options.copies)
        return SPN_OK;
    if (!scaling_auto)
        return p->preprocess.kind == SPN_PREPROCESS_NONE && !bytes ? refuse_real("scaling", err)
                                                                   : SPN_OK;
    p->options.thermometer = encode_auto ? levels_suiting(p) : 0;
    if (p->options.thermometer == SPN_NETWORK_FINE_LEVELS && (p->options.copies = tied_copies(p)))
        p->options.thermometer = 0;
    if (p->options.thermometer || p->options.copies)
        return SPN_OK;
    if (!bytes)
        return refuse_real("encode", err);
    p->preprocess = bytes_suiting(train);
    return SPN_OK;
}

spn_status spn_train_suit_network(spn_train_plan *p, bool scaling_auto, bool encode_auto,
                                  spn_error *err)
{
    SPN_TRY(suit_inputs(p, scaling_auto, encode_auto, err));
    return p->options.hidden ? read_unit_bias(p, err) : SPN_OK;
}

/* Only the options that decide the size of the energy. */
static spn_network_options size_options(const spn_train_plan *p)
{
    spn_network_options how = spn_network_options_defaults();
    how.hidden = p->options.hidden;
    how.hidden_bias = spn_train_unit_bias(p);
    how.bias = p->options.bias;
    how.faults = p->options.faults;
    return how;
}

spn_status spn_train_check_network(const spn_train_plan *p, spn_error *err)
{
    const double steepest = 16;
    const size_t most_bias = 16383;
    const spn_train_options *o = &p->options;
    const spn_network_options how = size_options(p);
    const double root = o->logit_scale_by_root ? sqrt((double)o->hidden) : 1;
    if (!o->hidden)
        return SPN_OK;
    if (o->bias > most_bias)
        return spn_setting_fail("bias", err, "with hidden it may be up to %zu, not %zu", most_bias,
                                o->bias);
    if (o->logit_scale / root > steepest)
        return spn_setting_fail("logit-scale", err, "with hidden it may be up to %g, not %g",
                                steepest, o->logit_scale / root);
    if (o->faults > 0 && o->logit_scale / root > SPN_MOST_FAULTY_SCALE)
        return spn_setting_fail("logit-scale", err, "with `faults` it may be up to %g, not %g",
                                SPN_MOST_FAULTY_SCALE, o->logit_scale / root);
    if (!spn_network_sites(p->inputs, spn_dataset_classes(p->sets.train), &how))
        return spn_setting_fail("hidden", err, "%zu units of %zu inputs have 2^32 weights or more",
                                o->hidden, p->inputs);
    return SPN_OK;
}

/* ---- temperature ---- */

static bool beta_given(const spn_job *job)
{
    return spn_job_given(job, "beta") || spn_job_given(job, "beta-start") ||
           spn_job_given(job, "beta-end");
}

static double samples_of(const spn_train_plan *p)
{
    return p->subset ? (double)p->subset : round(spn_train_samples_left(p));
}

/* What small tables teach is learnt in longer runs, which end warmer: colder, they follow noise. */
void spn_train_suit_table(spn_train_plan *p, const spn_job *job)
{
    static const char *const own[] = {"steps", "sweeps", "time", "temperature", NULL};
    const uint64_t longer = 4;
    const double sites = p->listed ? (double)p->listed : (double)spn_train_weights(p);
    const double proposals = sites * (double)(longer * p->chain.sweeps * p->chain.replicas);
    bool given = beta_given(job);
    for (size_t k = 0; own[k]; k++)
        given = given || spn_job_given(job, own[k]);
    if (given || !p->options.hidden || !p->options.copies ||
        strcmp(spn_job_text(job, "preset"), "tolerant") != 0 ||
        samples_of(p) * proposals > SPN_SMALL_WORK)
        return;
    p->longer = longer;
    p->chain.sweeps *= longer;
    p->temperature = "0.5:0.05";
}

static bool read_positive(double *out, const char *text, size_t length)
{
    char number[SPN_NUMBER_TEXT];
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    return length < sizeof number && spn_number_parse(out, number) && *out > 0 && isfinite(*out);
}

/* START[:END][/sqrtD], both positive. root: the root of D, or 1. */
static bool read_temperatures(double *start, double *end, const char *text, double root)
{
    const size_t length = strcspn(text, "/"), colon = strcspn(text, ":");
    const size_t first = colon < length ? colon : length;
    const size_t second = colon < length ? colon + 1 : 0;
    const bool by_root = text[length];
    if ((by_root && strcmp(text + length, "/sqrtD") != 0) || !read_positive(start, text, first) ||
        !read_positive(end, text + second, length - second))
        return false;
    *start /= by_root ? root : 1;
    *end /= by_root ? root : 1;
    return true;
}

static double mean_weight(const spn_dataset *data)
{
    const double *weights = spn_dataset_weights(data);
    const size_t samples = spn_dataset_samples(data);
    double total = 0;
    for (size_t n = 0; weights && n < samples; n++)
        total += weights[n];
    return weights ? total / (double)samples : 1;
}

spn_status spn_train_set_temperature(spn_train_plan *p, const spn_job *job, spn_error *err)
{
    double start = 0, end = 0;
    const bool given = spn_job_given(job, "temperature") != NULL;
    if (!p->temperature || (beta_given(job) && !given))
        return SPN_OK;
    if (beta_given(job))
        return spn_setting_fail("temperature", err, "give this or `beta`, not both");
    if (!spn_schedule_has_range(p->annealing.beta))
        return given ? spn_setting_fail("temperature", err, "needs a schedule from START to END")
                     : SPN_OK;
    if (!p->hidden && strchr(p->temperature, '/'))
        return spn_setting_fail("temperature", err, "sqrtD needs hidden");
    if (!read_temperatures(&start, &end, p->temperature, sqrt((double)p->hidden)))
        return spn_setting_fail(
            "temperature", err,
            "'%.60s' is not START or START:END of positive numbers, such as 2:0.2 or 22:2.2/sqrtD",
            p->temperature);
    p->by_temperature = true;
    const double weight = samples_of(p) * mean_weight(p->sets.train);
    return spn_chain_plan_set_beta(&p->annealing, weight / start, weight / end, "temperature", err);
}

/* ---- what is proposed ---- */

/* Count the inputs that vary, once for all runs with the same inputs. */
static spn_status find_varying(size_t *out, const spn_train_plan *p, spn_inputs *inputs,
                               spn_error *err)
{
    char key[320];
    spn_shared *shared;
    bool first;
    size_t all;
    const spn_train_options *o = &p->options;
    spn_print_text(key, sizeof key, "varying %p %p %.17g %.17g %zu %llu %zu %zu %d %.17g",
                   (const void *)p->sets.train, (const void *)p->sets.test, o->test_fraction,
                   o->validation, o->subset, (unsigned long long)o->split_seed, o->shifts,
                   o->thermometer + 256 * o->copies, (int)p->preprocess.kind,
                   p->preprocess.threshold);
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "%s", key));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, spn_train_varying(&shared->count, &all, o, &p->sets, err)));
    *out = shared->count;
    return SPN_OK;
}

spn_status spn_train_count_proposed(spn_train_plan *p, spn_inputs *inputs, spn_error *err)
{
    const spn_train_options *o = &p->options;
    size_t vary = p->inputs;
    p->listed = 0;
    if (!o->hidden || (p->propose == 0 && p->output_weight == 1 && o->faults == 0))
        return SPN_OK;
    if (p->propose > 0) {
        const spn_status status = find_varying(&vary, p, inputs, err);
        if (status)
            return status;
    }
    const double outputs = (double)spn_dataset_classes(p->sets.train) *
                           (double)(o->hidden + o->bias) * (double)p->output_weight;
    const double units = (double)o->hidden * (double)(vary + spn_train_unit_bias(p));
    if (units + outputs > UINT32_MAX)
        return spn_setting_fail("output-weight", err, "%.0f sites to propose are 2^32 or more",
                                units + outputs);
    p->listed = (size_t)(units + outputs);
    return SPN_OK;
}

spn_status spn_train_make_proposed(uint32_t **out, spn_chain_options *options,
                                   const spn_train_plan *p, const spn_training *training,
                                   spn_error *err)
{
    *out = NULL;
    if (!p->listed)
        return SPN_OK;
    const spn_status status = spn_training_proposed(out, &options->proposed_count, training,
                                                    p->propose > 0, (size_t)p->output_weight, err);
    options->proposed = *out;
    return status;
}

double spn_train_memory(const spn_train_plan *p)
{
    const spn_train_options *o = &p->options;
    if (!o->hidden)
        return 0;
    const spn_network_options how = size_options(p);
    const double copies = (double)(o->shifts + 1), samples = samples_of(p) * copies;
    const double cell = spn_dataset_bytes(p->sets.train) ? 1 : sizeof(double);
    uint64_t shared, each;
    spn_network_memory(&shared, &each, (size_t)samples, p->inputs,
                       spn_dataset_classes(p->sets.train), &how);
    const double stored = (double)spn_dataset_samples(p->sets.train) *
                          (double)spn_dataset_features(p->sets.train) * cell;
    const double bits = o->copies ? SPN_TIED_LEVELS : 1;
    return stored + samples * (double)p->inputs * bits + (double)shared +
           (double)p->annealing.options.replicas * (double)each;
}

spn_status spn_train_check_memory(const spn_train_plan *p, double there_is, spn_error *err)
{
    const double needed = spn_train_memory(p), giga = 1e9;
    const spn_train_options *o = &p->options;
    if (there_is <= 0 || needed <= there_is)
        return SPN_OK;
    return spn_setting_fail("hidden", err,
                            "%zu units on %.0f samples with %zu replicas need %.3g GB of memory, "
                            "and there are %.3g GB: use fewer units, replicas or shifts, or a "
                            "subset",
                            o->hidden, samples_of(p) * (double)(o->shifts + 1),
                            p->annealing.options.replicas, needed / giga, there_is / giga);
}

void spn_train_resolve_network(spn_record *out, const spn_train_plan *p, const spn_job *job)
{
    static const char *const of_networks[] = {"hidden-bias", "propose", "output-weight", "margin",
                                              NULL};
    for (size_t k = 0; of_networks[k]; k++)
        if (!p->hidden && !spn_job_given(job, of_networks[k]))
            spn_record_remove_setting(out, of_networks[k]); /* as in records from before networks */
    if (p->faults == 0 && !spn_job_given(job, "faults"))
        spn_record_remove_setting(out, "faults");
    if (p->options.margin == 0 && !spn_job_given(job, "margin"))
        spn_record_remove_setting(out, "margin");
    if (!p->shifts && !spn_job_given(job, "shifts"))
        spn_record_remove_setting(out, "shifts");
    if (p->by_temperature)
        spn_record_remove_setting(out, "beta");
    else if (!spn_job_given(job, "temperature"))
        spn_record_remove_setting(out, "temperature");
}

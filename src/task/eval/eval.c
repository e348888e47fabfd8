/* The task `eval`: scores and robustness of a model on labelled data. */
#include "base/clock.h"
#include "base/memory.h"
#include "job/inputs.h"
#include "job/run.h"
#include "record/record.h"
#include "task/eval/scores.h"

#include <spinney/robustness.h>
#include <stdlib.h>
#include <string.h>

enum { TEST_PART, TRAIN_PART };
static const char *const part_words[] = {[TEST_PART] = "test", [TRAIN_PART] = "train", NULL};

static const char *const layer_words[] = {
    [SPN_LAYERS_ALL] = "all", [SPN_LAYERS_HIDDEN] = "hidden", [SPN_LAYERS_OUTPUT] = "output", NULL};

#define AT(member) .at = offsetof(spn_eval_plan, member)
static const spn_setting settings[] = {
    SPN_HEADING("Model and data"),
    {"model", SPN_SETTING_FILE, .argument = "FILE", AT(model),
     .help = "model file, as `train` writes it"},
    {"data", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "NAME|FILE",
     .word = spn_dataset_word, AT(data),
     .help = "labelled samples to evaluate on; a data set known by name or a file (- is the "
             "standard input)"},
    {"labels", SPN_SETTING_FILE, .argument = "FILE", AT(labels),
     .help = "labels, if the format keeps them in a second file (idx, npy)"},
    {"test", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE", AT(test),
     .help = "in place of `data`: the test file of a training"},
    {"test-labels", SPN_SETTING_FILE, .argument = "FILE", AT(test_labels),
     .help = "its labels, if the format keeps them in a second file"},
    {"part", SPN_SETTING_WORD, .argument = "WHICH", .fallback = "test", .words = part_words,
     AT(part), .help = "part of a data set known by name"},
    {.group = spn_sample_rows, AT(samples)},
    {.group = spn_flip_rows, AT(flip)},
    {"replica", SPN_SETTING_TEXT, .flags = SPN_SETTING_MEASURE | SPN_SETTING_COMMON,
     .argument = "WHICH", .fallback = "all", AT(replica),
     .help =
         "classifier of the summary, the confusion, the classes and the ROC curve, and whose "
         "weights to flip; best, centre, vote (network: all replicas at once), a number from 1, "
         "or all: the best, but flips are averaged over the replicas"},
    {"flip-layer", SPN_SETTING_WORD, .flags = SPN_SETTING_MEASURE, .argument = "WHICH",
     .fallback = "all", .words = layer_words, AT(flip_layer),
     .help =
         "layers of a network to flip; all, hidden or output. P is then a share of their weights"},
    {"certify", SPN_SETTING_FLAG, .flags = SPN_SETTING_MEASURE | SPN_SETTING_COMMON, AT(certify),
     .help = "prove for each sample how many flips of weights, the worst ones, it withstands: the "
             "share for 1, 2, 5, 10, 20 and 50, beside the accuracy with as many random flips"},
    {"fault-model", SPN_SETTING_TEXT, .flags = SPN_SETTING_MEASURE, .argument = "KIND",
     .otherwise = "flips", AT(flip.fault_model),
     .help = "what happens to the share P of `flip`; flips, stuck-0 (weights become -1), stuck-1 "
             "(+1), rows (all weights of a unit or class flip together) or asymmetric:p01,p10 (a "
             "-1 changes with probability p01, a +1 with p10)"},
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED | SPN_SETTING_COMMON, .argument = "S",
     .fallback = "1", .least = 0, .most = (double)INT64_MAX, AT(seed), .help = "seed of the flips"},
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT | SPN_SETTING_COMMON,
     .argument = "n", .fallback = "1", .least = 1, .most = 4096, AT(threads),
     .help = "number of threads; the results do not depend on it"},
    {.name = NULL}};

static const char details[] = "The best replica is the one with the lowest training loss, which "
                              "the model stores; it is never\n"
                              "chosen by the data it is evaluated on. The centre is the majority "
                              "of the replicas at each weight.\n"
                              "The replicas of a network also vote: their logits are added up.\n";

static const char examples[] =
    "  spinney eval digits.spn --data digits\n"
    "  spinney eval digits.spn --data digits --flip 0,0.01,0.02,0.05,0.1,0.2 --threads 2\n"
    "  spinney eval samples.spn --data samples.csv --json\n";

/* ---- the model ---- */

static spn_status read_file_of(spn_model **out, const char *name, spn_inputs *inputs,
                               spn_error *err)
{
    spn_error why = {0};
    char *path;
    SPN_TRY(spn_inputs_open(&path, inputs, "model", name, err));
    spn_model_read(out, path, &why);
    return spn_inputs_close(path, inputs, "model", name, &why, err);
}

static spn_status find_model(const void **out, const char *name, spn_inputs *inputs, spn_error *err)
{
    spn_shared *shared;
    bool first;
    SPN_TRY(spn_inputs_find_given(out, inputs, SPN_OBJECT_MODEL, "model", name, err));
    if (*out)
        return SPN_OK;
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "model\n%s", name));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, read_file_of(&shared->model, name, inputs, err)));
    *out = shared->model;
    return SPN_OK;
}

static spn_status read_model(spn_eval_plan *p, spn_inputs *inputs, spn_error *err)
{
    const void *object = NULL;
    if (!p->model)
        return spn_setting_fail("model", err, "is needed: the file of a model");
    SPN_TRY(find_model(&object, p->model, inputs, err));
    p->classifier = object;
    const double *losses = spn_model_train_losses(p->classifier);
    for (size_t a = 1; losses && a < spn_model_replicas(p->classifier); a++)
        if (losses[a] < losses[p->best])
            p->best = a;
    return SPN_OK;
}

/* ---- the data ---- */

static bool same_names(const spn_dataset *data, const spn_model *m)
{
    if (spn_dataset_classes(data) != spn_model_classes(m))
        return false;
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        if (strcmp(spn_dataset_class_names(data)[k], spn_model_class_names(m)[k]) != 0)
            return false;
    return true;
}

/* Files are read with the classes of the model; data sets known by name have their own. */
static bool needs_names(const spn_eval_plan *p)
{
    return !p->test && spn_data_is_known(p->data) && !same_names(p->set, p->classifier);
}

static bool needs_preparing(const spn_eval_plan *p)
{
    return spn_model_preprocess(p->classifier)->kind == SPN_PREPROCESS_BINARY ||
           spn_model_encoding(p->classifier);
}

static spn_status make_fitting(spn_dataset **out, const spn_eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    SPN_TRY(spn_dataset_first(out, p->set, spn_dataset_samples(p->set), err));
    if (needs_names(p))
        SPN_TRY(spn_dataset_relabel(*out, spn_model_class_names(m), spn_model_classes(m), p->data,
                                    err));
    return needs_preparing(p) ? spn_model_prepare(out, m, err) : SPN_OK;
}

/* Make the fitting samples once for all jobs with this model and these samples. The inputs own
   them. */
static spn_status fit_samples(spn_eval_plan *p, spn_inputs *inputs, spn_error *err)
{
    spn_shared *shared;
    bool first;
    SPN_TRY(spn_inputs_seek(&shared, &first, inputs, err, "fitting\n%p %p", (const void *)p->set,
                            (const void *)p->classifier));
    if (first)
        SPN_TRY(spn_inputs_keep(inputs, make_fitting(&shared->train, p, err)));
    p->set = shared->train;
    return SPN_OK;
}

static spn_status open_known(spn_eval_plan *p, spn_inputs *inputs, spn_error *err)
{
    const spn_model *m = p->classifier;
    const spn_data_files files = {p->data, p->labels, NULL, NULL};
    const spn_read_options how = spn_sample_settings_options(&p->samples);
    const spn_dataset *train, *test;
    SPN_TRY(spn_inputs_data(&train, &test, inputs, &files, &how, err));
    p->set = p->part == TEST_PART ? test : train;
    if (spn_dataset_features(p->set) != spn_model_features(m))
        return spn_setting_fail("data", err, "%s has %zu features, but the model %s has %zu",
                                p->data, spn_dataset_features(p->set), p->model,
                                spn_model_features(m));
    return SPN_OK;
}

static spn_status read_file(spn_eval_plan *p, const spn_job *job, spn_inputs *inputs,
                            spn_error *err)
{
    const spn_model *m = p->classifier;
    const spn_data_files files = {p->data, p->labels, p->test, p->test_labels};
    spn_read_options how = spn_sample_settings_options(&p->samples);
    how.features = spn_model_features(m);
    how.single_class = true;
    how.class_names = spn_model_class_names(m);
    how.classes = spn_model_classes(m);
    how.columns = spn_model_columns(m);
    how.part = SPN_DATA_TEST;
    if (spn_job_given(job, "part"))
        return spn_setting_fail("part", err, "needs a data set known by name, not a file");
    return spn_inputs_samples(&p->set, inputs, &files, p->test != NULL, &how, err);
}

static spn_status check_names(const spn_eval_plan *p, spn_error *err)
{
    if (p->test && p->data)
        return spn_setting_fail("test", err, "give this or `data`, not both");
    if (p->test && p->labels)
        return spn_setting_fail("labels", err, "needs `data`");
    if (!p->test && p->test_labels)
        return spn_setting_fail("test-labels", err, "needs `test`");
    if (!p->test && !p->data)
        return spn_setting_fail("data", err, "is needed: a data set or a file");
    return SPN_OK;
}

static spn_status read_data(spn_eval_plan *p, const spn_job *job, spn_inputs *inputs,
                            spn_error *err)
{
    spn_error why = {0};
    SPN_TRY(check_names(p, err));
    SPN_TRY(!p->test && spn_data_is_known(p->data) ? open_known(p, inputs, err)
                                                   : read_file(p, job, inputs, err));
    p->note = spn_dataset_note(p->set);
    if (!needs_names(p) && !needs_preparing(p))
        return SPN_OK;
    return fit_samples(p, inputs, &why) ? spn_setting_blame(p->test ? "test" : "data", &why, err)
                                        : SPN_OK;
}

/* ---- planning ---- */

static spn_status make_centre(spn_eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    p->centre = spn_alloc(spn_model_sites(m), 1);
    SPN_NEED(p->centre, err, "the centre");
    spn_model_centre(m, p->centre);
    return SPN_OK;
}

static spn_status pick_replica(spn_eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    const size_t replicas = spn_model_replicas(m);
    char *end;
    p->flipped_count = 1;
    p->chosen = p->best + 1;
    if (strcmp(p->replica, "best") == 0) {
        p->flipped = p->best;
    } else if (strcmp(p->replica, "centre") == 0) {
        p->chosen = 0;
    } else if (strcmp(p->replica, "all") == 0) {
        p->flipped_count = replicas;
    } else if (strcmp(p->replica, "vote") == 0 && spn_model_hidden(m) == 0) {
        return spn_setting_fail("replica", err, "only networks vote, and %s is a linear classifier",
                                p->model);
    } else if (strcmp(p->replica, "vote") == 0) {
        p->flipped_votes = replicas;
        p->chosen = replicas + 1;
    } else {
        const unsigned long number = strtoul(p->replica, &end, 10);
        if (strspn(p->replica, "0123456789") != strlen(p->replica) || number < 1 ||
            number > replicas)
            return spn_setting_fail("replica", err,
                                    "'%s' is not all, best, centre, %sor a number from 1 to %zu",
                                    p->replica, spn_model_hidden(m) ? "vote, " : "", replicas);
        p->flipped = number - 1;
        p->chosen = number;
    }
    return SPN_OK;
}

static spn_status pick_layer(spn_eval_plan *p, const spn_job *job, spn_error *err)
{
    const spn_model *m = p->classifier;
    const size_t outputs = spn_model_classes(m) * spn_model_row(m);
    const size_t units = spn_model_sites(m) - outputs;
    if (p->flips.count == 0 && !p->certify && spn_job_given(job, "flip-layer"))
        return spn_setting_fail("flip-layer", err, "needs `flip` or `certify`");
    if (p->flip_layer == SPN_LAYERS_ALL)
        return SPN_OK;
    if (spn_model_hidden(m) == 0)
        return spn_setting_fail("flip-layer", err,
                                "%s is a linear classifier, which has one layer: only all will do",
                                p->model);
    p->flips.options.first = p->flip_layer == SPN_LAYERS_HIDDEN ? 0 : units;
    p->flips.options.count = p->flip_layer == SPN_LAYERS_HIDDEN ? units : outputs;
    return SPN_OK;
}

static spn_status plan_eval(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_eval_plan *p = plan;
    SPN_TRY(read_model(p, inputs, err));
    SPN_TRY(make_centre(p, err));
    SPN_TRY(pick_replica(p, err));
    SPN_TRY(read_data(p, job, inputs, err));
    SPN_TRY(spn_flip_plan_make(&p->flips, &p->flip, job, p->flipped_count, err));
    if (p->flips.count == 0 && p->flip.fault_model)
        return spn_setting_fail("fault-model", err, "needs `flip`");
    SPN_TRY(pick_layer(p, job, err));
    p->flips.options.threads = (unsigned)p->threads;
    return SPN_OK;
}

static void clear(void *plan)
{
    spn_eval_plan *p = plan;
    spn_flip_plan_clear(&p->flips);
    free(p->centre);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const spn_eval_plan *p = plan;
    (void)err;
    spn_measure_resolve(out, job);
    const bool flipped = p->flips.count > 0 || p->certify;
    if (!flipped && !spn_job_given(job, "replica"))
        spn_record_remove_setting(out, "replica");
    if (!flipped || spn_model_hidden(p->classifier) == 0)
        spn_record_remove_setting(out, "flip-layer");
    if (!p->certify)
        spn_record_remove_setting(out, "certify");
    if (!p->test && spn_data_is_known(p->data))
        spn_sample_settings_leave_out(out);
    else
        spn_record_remove_setting(out, "part");
    return SPN_OK;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_eval_plan *p = plan;
    /* In units of one sample times one weight, measured on MNIST. For a linear classifier the loss
       costs four classifications; with 256 hidden units it costs 1.2. `chain` stands for the
       scores. */
    const spn_model *m = p->classifier;
    const double loss = spn_model_hidden(m) ? 1.2 : 4;
    const size_t replicas = spn_model_replicas(m), votes = spn_model_hidden(m) ? replicas : 0;
    const double once = (double)spn_dataset_samples(p->set) * (double)spn_model_sites(m);
    const double flipped = once * (double)(p->flipped_votes ? p->flipped_votes : 1);
    spn_cost work = {.chain = (double)(replicas + 1 + votes) * once * loss};
    if (!steps)
        work.flips = (double)p->flips.count * (double)p->flips.options.trials * flipped;
    if (!steps && p->certify)
        work.profile = 6.0 * SPN_CERTIFY_TRIALS * flipped;
    return spn_cost_sum(work);
}

/* ---- the run ---- */

static spn_status add_notes(spn_record *out, const spn_eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    const double *losses = spn_model_train_losses(m);
    const bool known = !p->test && spn_data_is_known(p->data);
    char units[48] = "";
    if (spn_model_hidden(m))
        snprintf(units, sizeof units, "%zu hidden units, ", spn_model_hidden(m));
    SPN_TRY(spn_record_add_note(
        out, err, "%s on %s%s%s%s: %zu samples, %u classes, %s%zu one-bit weights, %zu replica%s",
        p->model, p->test ? p->test : p->data, known ? " (" : "", known ? part_words[p->part] : "",
        known ? ")" : "", spn_dataset_samples(p->set), (unsigned)spn_model_classes(m), units,
        spn_model_sites(m), spn_model_replicas(m), spn_model_replicas(m) == 1 ? "" : "s"));
    if (p->note)
        SPN_TRY(spn_record_add_note(out, err, "%s", p->note));
    if (spn_model_replicas(m) == 1)
        return SPN_OK;
    if (!losses)
        return spn_record_add_note(out, err,
                                   "the best replica is not known: the model does not hold its "
                                   "losses in training");
    return spn_record_add_note(out, err,
                               "best: replica %zu, chosen by its loss in training (%.4f), not by "
                               "this data",
                               p->best + 1, losses[p->best]);
}

/* Errors name the setting and the file. A stop before the end is no error. */
static spn_status score(spn_eval_scores *out, spn_error *err)
{
    const spn_eval_plan *p = out->plan;
    spn_error why = {0};
    const spn_status status = spn_eval_score(out, &why);
    if (status == SPN_ERROR_ARGUMENT && spn_stop_asked(out->run->stop))
        return SPN_OK;
    if (status == SPN_ERROR_ARGUMENT)
        return spn_setting_fail(p->test ? "test" : "data", err, "%s: %s",
                                p->test ? p->test : p->data, why.text);
    return status ? spn_fail(err, status, "%s", why.text) : SPN_OK;
}

static spn_status add_results(spn_record *out, const spn_eval_scores *scores, spn_error *err)
{
    const bool whole = scores->run->details;
    SPN_TRY(spn_results_add(out, spn_eval_results, scores, scores->plan, whole, err));
    return whole ? add_notes(out, scores->plan, err) : SPN_OK;
}

/* The weights to flip, one byte each; NULL if none flip. */
static spn_status unpack_flipped(int8_t **out, const spn_eval_plan *p, spn_error *err)
{
    const size_t sites = spn_model_sites(p->classifier);
    const size_t count = p->flipped_votes ? p->flipped_votes : p->flipped_count;
    *out = NULL;
    if (p->flips.count == 0 && !p->certify)
        return SPN_OK;
    SPN_NEED(*out = spn_alloc(count, sites), err, "the weights");
    if (p->chosen == 0)
        memcpy(*out, p->centre, sites);
    else
        spn_model_unpack(*out, p->classifier, p->flipped, count);
    return SPN_OK;
}

static spn_status run_eval(spn_record *out, spn_outcome *outcome, const void *plan,
                           const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_eval_plan *p = plan;
    spn_measuring m = spn_measuring_start(job, run, p);
    int8_t *flipped;
    SPN_TRY(unpack_flipped(&flipped, p, err));
    spn_flip_classifier classifier = {.model = spn_model_classifier(p->classifier, flipped),
                                      .data = p->set};
    classifier.model.votes = p->flipped_votes;
    const spn_flip_target target = spn_flip_target_of(&classifier, p->flipped_count);
    spn_eval_scores scores = {.plan = p, .run = run};
    spn_status status;
    SPN_TRY_OR(cleanup, score(&scores, err));
    spn_meter_pass(&m.meter, m.cost.chain);
    if (run->steps == 0)
        SPN_TRY_OR(cleanup, spn_measure_flips(&scores.flips, &m, &p->flips, &target, err));
    if (run->steps == 0)
        SPN_TRY_OR(cleanup, spn_eval_certify(&scores.certified, &m, p, &target, err));
    if (scores.complete)
        status = add_results(out, &scores, err);
    outcome->complete = !m.stopped && scores.complete;
cleanup:
    spn_eval_scores_clear(&scores);
    free(flipped);
    return status;
}

const spn_task spn_eval_task = {
    .name = "eval",
    .summary = "evaluate a model: accuracy, precision, recall, confusion, flips",
    .details = details,
    .examples = examples,
    .settings = settings,
    .results = spn_eval_results,
    .plan_size = sizeof(spn_eval_plan),
    .plan = plan_eval,
    .clear = clear,
    .resolve = resolve,
    .cost = cost,
    .run = run_eval};

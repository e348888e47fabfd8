/* The task `eval`: how good a model is on labelled data, and how robust. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "job/inputs.h"
#include "task/eval/scores.h"
#include "task/measure.h"
#include "task/sample_settings.h"
#include "task/tasks.h"

#include <math.h>
#include <spinney/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings and results ---- */

typedef struct eval_plan {
    const char *model, *data, *labels, *test, *test_labels, *replica;
    int part, flip_layer;
    uint64_t seed, threads;
    spn_sample_settings samples;
    spn_flip_settings flip;
    /* What they make; the model belongs to the inputs, as do the samples that are not owned. */
    const spn_model *classifier;
    const spn_dataset *set;
    spn_dataset *owned;
    size_t best; /* the replica of the lowest loss in training; 0 where that is not known */
    const int8_t *flipped;
    size_t flipped_count; /* classifiers, one after the other */
    size_t flipped_votes; /* of each; 0: it is one replica */
    int8_t *centre;
    spn_flip_plan flips;
} eval_plan;

enum { TEST_PART, TRAIN_PART };
static const char *const part_words[] = {[TEST_PART] = "test", [TRAIN_PART] = "train", NULL};

enum { ALL_LAYERS, HIDDEN_LAYER, OUTPUT_LAYER };
static const char *const layer_words[] = {
    [ALL_LAYERS] = "all", [HIDDEN_LAYER] = "hidden", [OUTPUT_LAYER] = "output", NULL};

static const spn_setting settings[] = {
    SPN_HEADING("Model and data"),
    {"model", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(eval_plan, model),
     .help = "model file, as `train` writes it"},
    {"data", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "NAME|FILE",
     .word = spn_dataset_word, .at = offsetof(eval_plan, data),
     .help = "labelled samples to evaluate on; a data set known by name or a file (- is the "
             "standard input)"},
    {"labels", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(eval_plan, labels),
     .help = "labels, if the format keeps them in a second file (idx, npy)"},
    {"test", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE",
     .at = offsetof(eval_plan, test), .help = "in place of `data`: the test file of a training"},
    {"test-labels", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(eval_plan, test_labels),
     .help = "its labels, if the format keeps them in a second file"},
    {"part", SPN_SETTING_WORD, .argument = "WHICH", .fallback = "test", .words = part_words,
     .at = offsetof(eval_plan, part), .help = "part of a data set known by name"},
    {.group = spn_sample_rows, .at = offsetof(eval_plan, samples)},
    {.group = spn_flip_rows, .at = offsetof(eval_plan, flip)},
    {"replica", SPN_SETTING_TEXT, .flags = SPN_SETTING_MEASURE | SPN_SETTING_COMMON,
     .argument = "WHICH", .fallback = "all", .at = offsetof(eval_plan, replica),
     .help = "which weights to flip; all (averaged over the replicas), best, centre, vote "
             "(network: those of all replicas at once) or a number from 1"},
    {"flip-layer", SPN_SETTING_WORD, .flags = SPN_SETTING_MEASURE, .argument = "WHICH",
     .fallback = "all", .words = layer_words, .at = offsetof(eval_plan, flip_layer),
     .help =
         "layers of a network to flip; all, hidden or output. P is then a share of their weights"},
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED | SPN_SETTING_COMMON, .argument = "S",
     .fallback = "1", .least = 0, .most = (double)INT64_MAX, .at = offsetof(eval_plan, seed),
     .help = "seed of the flips"},
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT | SPN_SETTING_COMMON,
     .argument = "n", .fallback = "1", .least = 1, .most = 4096, .at = offsetof(eval_plan, threads),
     .help = "number of threads; the results do not depend on it"},
    {.name = NULL}};

static const spn_quantity results[] = {
    {"summary", SPN_QUANTITY_TEXT, .flags = SPN_QUANTITY_DETAIL,
     .help = "a sentence: the accuracy of the model that `predict` and `export` use, compared with "
             "guessing"},
    SPN_SECONDS_QUANTITY,
    {"loss", .label = "loss", .help = "mean cross-entropy, averaged over the replicas"},
    {"accuracy", .flags = SPN_QUANTITY_MAIN, .label = "accuracy",
     .help = "share classified correctly, averaged over the replicas"},
    {"balanced_accuracy", .label = "balanced accuracy",
     .help = "share classified correctly, averaged over the classes and the replicas"},
    {"macro_f1", .label = "macro F1",
     .help = "2 TP/(2 TP + FP + FN), averaged over the classes and the replicas"},
    {"majority_accuracy", .label = "accuracy of the majority class",
     .help = "share of the most frequent class, which guessing would get"},
    {"best_loss", .label = "loss of the best replica",
     .help = "loss of the replica of lowest training loss, if the model stores these losses"},
    {"best_accuracy", .label = "accuracy of the best replica", .help = "accuracy of that replica"},
    {"best_balanced_accuracy", .label = "balanced accuracy of the best replica",
     .help = "balanced accuracy of that replica"},
    {"best_macro_f1", .label = "macro F1 of the best replica", .help = "macro F1 of that replica"},
    {"centre_loss", .label = "loss of the centre",
     .help = "loss of the majority of the replicas for each weight"},
    {"centre_accuracy", .label = "accuracy of the centre", .help = "accuracy of that"},
    {"centre_balanced_accuracy", .label = "balanced accuracy of the centre",
     .help = "balanced accuracy of that"},
    {"centre_macro_f1", .label = "macro F1 of the centre", .help = "macro F1 of that"},
    {"vote_loss", .label = "loss of the vote",
     .help = "network: loss of the sum of the replicas' logits"},
    {"vote_accuracy", .label = "accuracy of the vote", .help = "accuracy of that"},
    {"vote_balanced_accuracy", .label = "balanced accuracy of the vote",
     .help = "balanced accuracy of that"},
    {"vote_macro_f1", .label = "macro F1 of the vote", .help = "macro F1 of that"},
    {"bits", .label = "bits of a replica",
     .help = "network: bits of a replica's weights, and of the centre's"},
    {"bytes", .label = "bytes of a replica", .help = "the same in bytes"},
    {"vote_bits", .label = "bits of the vote", .help = "bits of all replicas' weights"},
    {"vote_bytes", .label = "bytes of the vote", .help = "the same in bytes"},
    {"best_replica", .flags = SPN_QUANTITY_DETAIL, .help = "its number, from 1"},
    {"samples", .flags = SPN_QUANTITY_DETAIL, .help = "samples that were classified"},
    {.help = "Each replica"},
    {"replicas.loss", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL, .help = "its loss"},
    {"replicas.accuracy", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its accuracy"},
    {"replicas.balanced_accuracy", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its balanced accuracy"},
    {"replicas.macro_f1", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its macro F1"},
    {"replicas.train_loss", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its training loss, if the model stores it"},
    {"confusion", SPN_QUANTITY_MATRIX, .flags = SPN_QUANTITY_DETAIL,
     .help = "counts summed over the replicas: one row per label, one column per prediction"},
    {"confusions.replica", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help =
         "nonzero counts of each replica: its number, from 1; 0 for the centre, -1 for the vote"},
    {"confusions.label", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "label, as the number of a class from 0"},
    {"confusions.prediction", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "prediction, likewise"},
    {"confusions.count", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "samples of that label with that prediction"},
    SPN_FLIP_QUANTITIES("of the flipped weights"),
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

/* What a shared model is read of. */
typedef struct model_request {
    const spn_inputs *inputs;
    const char *name;
} model_request;

static spn_status model_reader(void *out, const char *path, const void *context, spn_error *err)
{
    (void)context;
    return spn_model_read(out, path, err);
}

static spn_status make_model(void **out, const void *context, spn_error *err)
{
    const model_request *r = context;
    spn_model *model = NULL;
    const spn_status status =
        spn_inputs_read(&model, r->inputs, "model", r->name, model_reader, NULL, err);
    *out = model;
    return status;
}

static void release_model(void *model)
{
    spn_model_free(model);
}

/* The caller's, or that of the file. */
static spn_status find_model(const void **out, const char *name, spn_inputs *inputs, spn_error *err)
{
    const model_request request = {inputs, name};
    char *key = NULL;
    spn_status status = spn_inputs_find_given(out, inputs, SPN_GIVEN_MODEL, "model", name, err);
    if (status || *out)
        return status;
    if (asprintf(&key, "model\n%s", name) < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
    status = spn_inputs_share(out, inputs, key, make_model, release_model, &request, err);
    free(key);
    return status;
}

static spn_status read_model(eval_plan *p, spn_inputs *inputs, spn_error *err)
{
    const void *object = NULL;
    if (!p->model)
        return spn_setting_fail("model", err, "is needed: the file of a model");
    const spn_status status = find_model(&object, p->model, inputs, err);
    if (status)
        return status;
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

/* A copy of the samples, which the plan owns, unless it has one. */
static spn_status own_samples(eval_plan *p, spn_error *err)
{
    if (p->owned)
        return SPN_OK;
    const spn_status status =
        spn_dataset_first(&p->owned, p->set, spn_dataset_samples(p->set), err);
    p->set = p->owned;
    return status;
}

/* A part of a data set known by its name, with the classes of the model. */
static spn_status open_known(eval_plan *p, spn_inputs *inputs, spn_error *err)
{
    const spn_model *m = p->classifier;
    const spn_data_files files = {p->data, p->labels, NULL, NULL};
    const spn_read_options how = spn_sample_settings_options(&p->samples);
    const spn_dataset *train, *test;
    spn_error why = {0};
    spn_status status = spn_inputs_data(&train, &test, inputs, &files, &how, err);
    if (status)
        return status;
    p->set = p->part == TEST_PART ? test : train;
    if (spn_dataset_features(p->set) != spn_model_features(m))
        return spn_setting_fail("data", err, "%s has %zu features, but the model %s has %zu",
                                p->data, spn_dataset_features(p->set), p->model,
                                spn_model_features(m));
    if (same_names(p->set, m))
        return SPN_OK;
    if (own_samples(p, &why) || spn_dataset_relabel(p->owned, spn_model_class_names(m),
                                                    spn_model_classes(m), p->data, &why))
        return spn_setting_blame("data", &why, err);
    return SPN_OK;
}

static spn_status read_file(eval_plan *p, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    const spn_model *m = p->classifier;
    const spn_sample_files data = {"data", p->data, "labels", p->labels};
    const spn_sample_files test = {"test", p->test, "test-labels", p->test_labels};
    spn_read_options how = spn_sample_settings_options(&p->samples);
    how.features = spn_model_features(m);
    how.single_class = true;
    how.class_names = spn_model_class_names(m);
    how.classes = spn_model_classes(m);
    how.columns = spn_model_columns(m);
    how.part = SPN_DATA_TEST;
    if (spn_job_given(job, "part"))
        return spn_setting_fail("part", err, "goes with a data set known by name, not a file");
    return spn_inputs_samples(&p->set, inputs, p->test ? &test : &data, &how, err);
}

static spn_status check_names(const eval_plan *p, spn_error *err)
{
    if (p->test && p->data)
        return spn_setting_fail("test", err, "give this or data, not both");
    if (p->test && p->labels)
        return spn_setting_fail("labels", err, "goes with data");
    if (!p->test && p->test_labels)
        return spn_setting_fail("test-labels", err, "goes with test");
    if (!p->test && !p->data)
        return spn_setting_fail("data", err, "is needed: a data set or a file");
    return SPN_OK;
}

/* The samples as the model expects them. */
static spn_status read_data(eval_plan *p, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    const spn_preprocess *preprocess = spn_model_preprocess(p->classifier);
    spn_error why = {0};
    spn_status status = check_names(p, err);
    if (!status)
        status = !p->test && spn_data_is_known(p->data) ? open_known(p, inputs, err)
                                                        : read_file(p, job, inputs, err);
    if (status || (preprocess->kind != SPN_PREPROCESS_BINARY && !spn_model_encoding(p->classifier)))
        return status;
    if (own_samples(p, &why) || spn_model_prepare(&p->owned, p->classifier, &why))
        return spn_setting_blame(p->test ? "test" : "data", &why, err);
    p->set = p->owned;
    return SPN_OK;
}

/* ---- planning ---- */

static spn_status make_centre(eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    p->centre = spn_alloc(spn_model_sites(m), 1);
    if (!p->centre)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centre");
    spn_model_centre(m, p->centre);
    return SPN_OK;
}

/* The weights to flip. */
static spn_status pick_replica(eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    const size_t replicas = spn_model_replicas(m);
    char *end;
    p->flipped_count = 1;
    if (strcmp(p->replica, "best") == 0) {
        p->flipped = spn_model_replica(m, p->best);
    } else if (strcmp(p->replica, "centre") == 0) {
        p->flipped = p->centre;
    } else if (strcmp(p->replica, "all") == 0) {
        p->flipped = spn_model_weights(m);
        p->flipped_count = replicas;
    } else if (strcmp(p->replica, "vote") == 0 && spn_model_hidden(m) == 0) {
        return spn_setting_fail("replica", err, "networks vote, and %s is a linear classifier",
                                p->model);
    } else if (strcmp(p->replica, "vote") == 0) {
        p->flipped = spn_model_weights(m);
        p->flipped_votes = replicas;
    } else {
        const unsigned long number = strtoul(p->replica, &end, 10);
        if (strspn(p->replica, "0123456789") != strlen(p->replica) || number < 1 ||
            number > replicas)
            return spn_setting_fail("replica", err,
                                    "'%s' is not all, best, centre, %sor a number from 1 to %zu",
                                    p->replica, spn_model_hidden(m) ? "vote, " : "", replicas);
        p->flipped = spn_model_replica(m, number - 1);
    }
    return SPN_OK;
}

/* The layer to flip, as weights of each replica. */
static spn_status pick_layer(eval_plan *p, const spn_job *job, spn_error *err)
{
    const spn_model *m = p->classifier;
    const size_t outputs = spn_model_classes(m) * spn_model_row(m);
    const size_t units = spn_model_sites(m) - outputs;
    if (p->flips.count == 0 && spn_job_given(job, "flip-layer"))
        return spn_setting_fail("flip-layer", err, "goes with flip");
    if (p->flip_layer == ALL_LAYERS)
        return SPN_OK;
    if (spn_model_hidden(m) == 0)
        return spn_setting_fail("flip-layer", err,
                                "%s is a linear classifier, which has one layer: only all will do",
                                p->model);
    p->flips.options.first = p->flip_layer == HIDDEN_LAYER ? 0 : units;
    p->flips.options.count = p->flip_layer == HIDDEN_LAYER ? units : outputs;
    return SPN_OK;
}

static spn_status plan_eval(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    eval_plan *p = plan;
    spn_status status;
    if ((status = read_model(p, inputs, err)) || (status = make_centre(p, err)) ||
        (status = pick_replica(p, err)) || (status = read_data(p, job, inputs, err)) ||
        (status = spn_flip_plan_make(&p->flips, &p->flip, job, p->flipped_count, err)))
        return status;
    if (p->flips.count == 0 && spn_job_given(job, "replica"))
        return spn_setting_fail("replica", err, "goes with flip");
    if ((status = pick_layer(p, job, err)))
        return status;
    p->flips.options.threads = (unsigned)p->threads;
    return SPN_OK;
}

static void clear(void *plan)
{
    eval_plan *p = plan;
    spn_dataset_free(p->owned);
    spn_flip_plan_clear(&p->flips);
    free(p->centre);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const eval_plan *p = plan;
    (void)err;
    spn_measure_resolve(out, job);
    if (p->flips.count == 0)
        spn_record_remove_setting(out, "replica");
    if (p->flips.count == 0 || spn_model_hidden(p->classifier) == 0)
        spn_record_remove_setting(out, "flip-layer");
    if (!p->test && spn_data_is_known(p->data))
        spn_sample_settings_leave_out(out);
    else
        spn_record_remove_setting(out, "part");
    return SPN_OK;
}

static const char *missing(const void *plan, const char *result)
{
    const eval_plan *p = plan;
    if (strncmp(result, "best_", strlen("best_")) == 0 && !spn_model_train_losses(p->classifier))
        return "a model that holds its losses in training";
    const bool of_networks = strncmp(result, "vote_", strlen("vote_")) == 0 ||
                             strcmp(result, "bits") == 0 || strcmp(result, "bytes") == 0;
    if (of_networks && spn_model_hidden(p->classifier) == 0)
        return "a network; train with hidden, such as hidden: 64";
    return spn_measure_missing(result, p->flips.count > 0, true);
}

/* ---- cost ---- */

/* The parts of the work, in units of a sample classified by a weight. */
typedef struct eval_work {
    double scores, flips;
} eval_work;

static eval_work work_of(const eval_plan *p, uint64_t steps)
{
    /* As measured on MNIST: the loss takes the time of four classifications by a linear classifier;
       with 256 hidden units a classification and its loss take 1.2 times that without. */
    const spn_model *m = p->classifier;
    const double loss = spn_model_hidden(m) ? 1.2 : 4;
    const size_t replicas = spn_model_replicas(m), votes = spn_model_hidden(m) ? replicas : 0;
    const double once = (double)spn_dataset_samples(p->set) * (double)spn_model_sites(m);
    const double flipped = once * (double)(p->flipped_votes ? p->flipped_votes : 1);
    eval_work work = {.scores = (double)(replicas + 1 + votes) * once * loss};
    if (!steps)
        work.flips = (double)p->flips.count * (double)p->flips.options.trials * flipped;
    return work;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const eval_work work = work_of(plan, steps);
    return (spn_cost){.work = work.scores + work.flips};
}

/* ---- the run ---- */

static spn_status add_notes(spn_record *out, const eval_plan *p, spn_error *err)
{
    const spn_model *m = p->classifier;
    const double *losses = spn_model_train_losses(m);
    const bool known = !p->test && spn_data_is_known(p->data);
    char units[48] = "";
    if (spn_model_hidden(m))
        snprintf(units, sizeof units, "%zu hidden units, ", spn_model_hidden(m));
    spn_status status = spn_record_add_note(
        out, err, "%s on %s%s%s%s: %zu samples, %u classes, %s%zu one-bit weights, %zu replica%s",
        p->model, p->test ? p->test : p->data, known ? " (" : "", known ? part_words[p->part] : "",
        known ? ")" : "", spn_dataset_samples(p->set), (unsigned)spn_model_classes(m), units,
        spn_model_sites(m), spn_model_replicas(m), spn_model_replicas(m) == 1 ? "" : "s");
    if (status || spn_model_replicas(m) == 1)
        return status;
    if (!losses)
        return spn_record_add_note(out, err,
                                   "the best replica is not known: the model does not hold its "
                                   "losses in training");
    return spn_record_add_note(out, err,
                               "best: replica %zu, chosen by its loss in training (%.4f), not by "
                               "this data",
                               p->best + 1, losses[p->best]);
}

/* Errors of the data name the setting and the file. */
static spn_status add_scores(spn_record *out, const eval_plan *p, const spn_run *run,
                             spn_error *err)
{
    const spn_eval_subject subject = {p->classifier, p->set, p->centre, p->best, run};
    const bool with_details = run->details;
    spn_error why = {0};
    const spn_status status = spn_eval_scores_add(out, &subject, with_details, &why);
    if (status == SPN_ERROR_ARGUMENT && spn_stop_asked(run->stop))
        return SPN_OK; /* without scores */
    if (status == SPN_ERROR_ARGUMENT)
        return spn_setting_fail(p->test ? "test" : "data", err, "%s: %s",
                                p->test ? p->test : p->data, why.text);
    if (status)
        return spn_fail(err, status, "%s", why.text);
    return with_details ? add_notes(out, p, err) : SPN_OK;
}

static spn_status run_eval(spn_record *out, spn_outcome *outcome, const void *plan,
                           const spn_job *job, const spn_run *run, spn_error *err)
{
    const eval_plan *p = plan;
    const eval_work work = work_of(p, run->steps);
    spn_meter meter = spn_meter_start(run, work.scores + work.flips);
    spn_measuring measuring = {.job = job, .meter = &meter};
    spn_flip_classifier classifier = {.model = spn_model_classifier(p->classifier, p->flipped),
                                      .data = p->set};
    classifier.model.votes = p->flipped_votes;
    const spn_flip_target target = spn_flip_target_of(&classifier, p->flipped_count);
    spn_status status = add_scores(out, p, run, err);
    spn_meter_pass(&meter, work.scores);
    if (!status && run->steps == 0)
        status = spn_measure_flips(out, &measuring, &p->flips, &target, work.flips, err);
    outcome->complete = !measuring.stopped && out->result_count > 0;
    return status;
}

const spn_task spn_eval_task = {
    .name = "eval",
    .summary = "evaluate a model: loss, accuracy, confusion, robustness to flips",
    .details = details,
    .examples = examples,
    .settings = settings,
    .results = results,
    .plan_size = sizeof(eval_plan),
    .plan = plan_eval,
    .clear = clear,
    .resolve = resolve,
    .missing = missing,
    .cost = cost,
    .run = run_eval};

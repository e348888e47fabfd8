/* The task `eval`: a model on labelled data. */
#include "old/measure.h"
#include "old/store.h"

#include <math.h>
#include <spinney/model.h>
#include <stdlib.h>
#include <string.h>

static const xpn_setting settings[] = {
    {"model", XPN_SETTING_FILE},  {"data", XPN_SETTING_FILE},         {"labels", XPN_SETTING_FILE},
    {"test", XPN_SETTING_FILE},   {"test-labels", XPN_SETTING_FILE},  {"part", XPN_SETTING_TEXT},
    {"format", XPN_SETTING_TEXT}, {"label-column", XPN_SETTING_TEXT}, {"header", XPN_SETTING_TEXT},
    {NULL, XPN_SETTING_TEXT}};

static const char *const results[] = {"loss", "accuracy", "best_accuracy", "centre_accuracy", NULL};

/* ---- the model and the data ---- */

static spn_status read_model(spn_model **out, xpn_values *values, const xpn_task_store *store,
                             spn_error *err)
{
    const char *name = xpn_values_text(values, "model");
    spn_error why = {0};
    spn_status status;
    if (!name)
        return xpn_values_fail(values, "model", err, "is needed: the file of a model");
    char *path = xpn_task_store_path(store, name);
    if (!path)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
    else if ((status = spn_model_read(out, path, &why)))
        xpn_values_blame(values, "model", &why, err);
    free(path);
    return status ? status : xpn_store_verify(store, values, "model", err);
}

/* The setting that names the data, and that of its labels. */
typedef struct data_names {
    const char *data, *labels;
} data_names;

static spn_status choose_names(data_names *out, xpn_values *values, spn_error *err)
{
    const bool test = xpn_values_given(values, "test");
    *out = test ? (data_names){"test", "test-labels"} : (data_names){"data", "labels"};
    const char *other = test ? "labels" : "test-labels";
    if (test && xpn_values_given(values, "data"))
        return xpn_values_fail(values, "test", err, "give this or data, not both");
    if (xpn_values_given(values, other))
        return xpn_values_fail(values, other, err, "goes with %s", test ? "data" : "test");
    if (!xpn_values_given(values, out->data))
        return xpn_values_fail(values, "data", err, "is needed: a data set or a file");
    return SPN_OK;
}

/* A copy of a part of a data set known by its name, with the classes of the model. */
static spn_status open_known(spn_dataset **out, const spn_model *m, xpn_values *values,
                             xpn_task_store *store, spn_error *err)
{
    static const char *const parts[] = {"test", "train", NULL};
    const spn_dataset *train, *test;
    int part = 0;
    spn_error why = {0};
    spn_status status = xpn_values_choice(&part, values, "part", parts, err);
    if (!status)
        status = xpn_task_store_data(&train, &test, store, values, err);
    if (status)
        return status;
    const spn_dataset *data = part == 0 ? test : train;
    const char *name = xpn_values_text(values, "data");
    if (data->features != m->features)
        return xpn_values_fail(values, "data", err, "%s has %zu features, but the model %s has %zu",
                               name, data->features, xpn_values_text(values, "model"), m->features);
    if (spn_dataset_first(out, data, data->samples, &why) ||
        spn_dataset_relabel(*out, (const char *const *)m->class_names, m->classes, name, &why))
        return xpn_values_blame(values, "data", &why, err);
    return SPN_OK;
}

static spn_status read_file(spn_dataset **out, const spn_model *m, const data_names *names,
                            xpn_values *values, const xpn_task_store *store, spn_error *err)
{
    spn_read_options options = {.size = sizeof options,
                                .features = m->features,
                                .single_class = true,
                                .class_names = (const char *const *)m->class_names,
                                .classes = m->classes};
    if (xpn_values_given(values, "part"))
        return xpn_values_fail(values, "part", err,
                               "goes with a data set known by name, not a file");
    spn_status status = xpn_data_settings(&options, values, err);
    if (status)
        return status;
    const char *labels_name = xpn_values_given(values, names->labels);
    char *path = xpn_task_store_path(store, xpn_values_text(values, names->data));
    char *labels = labels_name ? xpn_task_store_path(store, labels_name) : NULL;
    spn_error why = {0};
    if (!path || (labels_name && !labels))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the data");
    else if ((status = spn_dataset_read(out, path, labels, &options, &why)))
        xpn_values_blame(values, names->data, &why, err);
    free(path);
    free(labels);
    if (!status)
        status = xpn_store_verify(store, values, names->data, err);
    return status ? status : xpn_store_verify(store, values, names->labels, err);
}

/* The samples as the model expects them. */
static spn_status read_data(spn_dataset **out, const spn_model *m, xpn_values *values,
                            xpn_task_store *store, spn_error *err)
{
    data_names names;
    spn_error why = {0};
    spn_status status = choose_names(&names, values, err);
    if (status)
        return status;
    const char *name = xpn_values_text(values, names.data);
    if (strcmp(names.data, "data") == 0 && xpn_data_is_known(name))
        status = open_known(out, m, values, store, err);
    else
        status = read_file(out, m, &names, values, store, err);
    if (!status && spn_preprocess_apply(out, &m->preprocess, &why))
        status = xpn_values_blame(values, names.data, &why, err);
    return status;
}

static spn_status check(xpn_values *values, const spn_measures *measures, xpn_task_store *store,
                        spn_error *err)
{
    spn_model *model = NULL;
    spn_dataset *data = NULL;
    spn_status status = read_model(&model, values, store, err);
    if (model && !status)
        status = read_data(&data, model, values, store, err);
    if (model && !status)
        status = xpn_measures_check(values, measures, model->replicas, err);
    spn_dataset_free(data);
    spn_model_free(model);
    return status;
}

static spn_status add_defaults(spn_record *out, const xpn_values *values, spn_error *err)
{
    const bool test = xpn_values_given(values, "test");
    const char *data = xpn_values_given(values, "data");
    spn_status status = xpn_file_default_add(out, values, test ? "test" : "data", err);
    if (!status && !test && data && xpn_data_is_known(data))
        status = xpn_default_add(out, values, "part", "test", err);
    return status;
}

/* What a model says of its training is known only when it is read. */
static const char *lacks(const spn_sweep *sweep, const char *result)
{
    (void)sweep, (void)result;
    return NULL;
}

/* All points are alike as far as the settings tell. */
static xpn_work work(const xpn_job *job, uint64_t steps)
{
    const spn_measures *m = &job->sweep->measures;
    return (xpn_work){.anneal = 1,
                      .flips = steps ? 0 : (double)m->flips_count * (double)m->flips_trials};
}

/* ---- the run ---- */

static spn_status score(spn_softmax_scores *out, const spn_model *m, const int8_t *weights,
                        const spn_dataset *data, spn_error *err)
{
    const spn_softmax_model classifier = spn_model_classifier(m, weights);
    return spn_softmax_evaluate(out, &classifier, data, NULL, err);
}

static spn_status add_centre(spn_record *out, const spn_model *m, const spn_dataset *data,
                             spn_error *err)
{
    spn_softmax_scores scores;
    int8_t *centre = malloc(m->classes * m->features);
    if (!centre)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centre");
    spn_model_centre(m, centre);
    spn_status status = score(&scores, m, centre, data, err);
    free(centre);
    return status ? status : spn_record_add_result(out, "centre_accuracy", scores.accuracy, err);
}

/* The best replica is the one of the lowest loss in training, as in `spinney eval`. */
static spn_status add_results(spn_record *out, const spn_model *m, const spn_dataset *data,
                              spn_error *err)
{
    double loss = 0, accuracy = 0, best = NAN, least = INFINITY;
    const double *losses = spn_model_train_losses(m);
    spn_status status = SPN_OK;
    for (size_t a = 0; a < m->replicas && !status; a++) {
        spn_softmax_scores scores = {0};
        status = score(&scores, m, spn_model_replica(m, a), data, err);
        loss += scores.loss / (double)m->replicas;
        accuracy += scores.accuracy / (double)m->replicas;
        if (losses && losses[a] < least) {
            least = losses[a];
            best = scores.accuracy;
        }
    }
    if (!status)
        status = spn_record_add_result(out, "loss", loss, err);
    if (!status)
        status = spn_record_add_result(out, "accuracy", accuracy, err);
    if (!status && !isnan(best))
        status = spn_record_add_result(out, "best_accuracy", best, err);
    return status ? status : add_centre(out, m, data, err);
}

static spn_status evaluate(spn_record *out, bool *complete, const xpn_job *job,
                           const xpn_task_run *run, const spn_model *m, const spn_dataset *data,
                           spn_error *err)
{
    const xpn_work todo = work(job, run->steps);
    xpn_share share = xpn_share_start(run, &todo);
    xpn_measuring measuring = {.job = job, .run = run, .share = &share, .work = &todo};
    const spn_softmax_model classifier = spn_model_classifier(m, m->weights);
    const spn_flip_classifier softmax = {classifier, data};
    const spn_flip_target target = spn_flip_target_of(&softmax, m->replicas);
    spn_status status = add_results(out, m, data, err);
    xpn_share_pass(&share, todo.anneal);
    if (!status && !run->steps)
        status = xpn_measure_flips(out, &measuring, &target, err);
    *complete = !status && !measuring.stopped;
    return status;
}

static spn_status run_eval(spn_record *out, bool *complete, const xpn_job *job,
                           const xpn_task_run *run, spn_error *err)
{
    xpn_values values = xpn_job_values(job);
    spn_model *model = NULL;
    spn_dataset *data = NULL;
    spn_status status = read_model(&model, &values, run->store, err);
    if (model && !status)
        status = read_data(&data, model, &values, run->store, err);
    if (model && !status)
        status = evaluate(out, complete, job, run, model, data, err);
    spn_dataset_free(data);
    spn_model_free(model);
    return status;
}

const xpn_task xpn_task_eval = {.name = "eval",
                                .settings = settings,
                                .results = results,
                                .flips = true,
                                .check = check,
                                .defaults = add_defaults,
                                .lacks = lacks,
                                .work = work,
                                .run = run_eval};

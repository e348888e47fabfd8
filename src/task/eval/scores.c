/* The scores of a model on labelled data. */
#include "task/eval/scores.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <spinney/dataset.h>
#include <stdio.h>
#include <stdlib.h>

/* The scores of all replicas. */
typedef struct eval_scores {
    double *loss, *accuracy, *balanced, *f1; /* of each */
    spn_softmax_scores centre, vote;         /* of a linear classifier, the vote is NaN */
    /* K*K each: of the centre, of the replicas, and of the vote; NULL: not counted */
    uint64_t *confusion;
} eval_scores;

static void clear_scores(eval_scores *s)
{
    free(s->loss);
    free(s->accuracy);
    free(s->balanced);
    free(s->f1);
    free(s->confusion);
}

static size_t cells_of(const spn_model *m)
{
    return (size_t)spn_model_classes(m) * spn_model_classes(m);
}

/* One classifier, whose counts are those of number `place`. */
static spn_status score_one(spn_softmax_scores *out, const eval_scores *s,
                            const spn_eval_subject *subject, const spn_softmax_model *classifier,
                            size_t place, spn_error *err)
{
    spn_softmax_details wanted = spn_softmax_details_defaults();
    if (subject->run->pause)
        subject->run->pause(subject->run->context);
    if (spn_stop_asked(subject->run->stop))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "stopped");
    if (s->confusion)
        wanted.confusion = s->confusion + place * cells_of(subject->model);
    return spn_softmax_evaluate(out, classifier, subject->set, &wanted, err);
}

static spn_status score_replicas(eval_scores *s, const spn_eval_subject *subject, spn_error *err)
{
    const spn_model *m = subject->model;
    for (size_t a = 0; a < spn_model_replicas(m); a++) {
        const spn_softmax_model replica = spn_model_classifier(m, spn_model_replica(m, a));
        spn_softmax_scores scores = {0};
        const spn_status status = score_one(&scores, s, subject, &replica, a + 1, err);
        if (status)
            return status;
        s->loss[a] = scores.loss;
        s->accuracy[a] = scores.accuracy;
        s->balanced[a] = scores.balanced_accuracy;
        s->f1[a] = scores.macro_f1;
    }
    return SPN_OK;
}

/* with_details: count the confusion, too. */
static spn_status score_all(eval_scores *s, const spn_eval_subject *subject, bool with_details,
                            spn_error *err)
{
    const spn_model *m = subject->model;
    const size_t replicas = spn_model_replicas(m);
    const spn_softmax_model centre = spn_model_classifier(m, subject->centre);
    spn_softmax_model vote = spn_model_classifier(m, spn_model_weights(m));
    spn_status status;
    vote.votes = replicas;
    s->vote = (spn_softmax_scores){
        .loss = NAN, .accuracy = NAN, .balanced_accuracy = NAN, .macro_f1 = NAN};
    s->loss = spn_alloc(replicas, sizeof *s->loss);
    s->accuracy = spn_alloc(replicas, sizeof *s->accuracy);
    s->balanced = spn_alloc(replicas, sizeof *s->balanced);
    s->f1 = spn_alloc(replicas, sizeof *s->f1);
    if (with_details)
        s->confusion = spn_alloc((replicas + 2) * cells_of(m), sizeof *s->confusion);
    if (!s->loss || !s->accuracy || !s->balanced || !s->f1 || (with_details && !s->confusion))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the scores");
    if ((status = score_replicas(s, subject, err)) ||
        (status = score_one(&s->centre, s, subject, &centre, 0, err)) || !vote.hidden)
        return status;
    return score_one(&s->vote, s, subject, &vote, replicas + 1, err);
}

static double mean_of(const double *values, size_t count)
{
    double mean = 0;
    for (size_t a = 0; a < count; a++)
        mean += values[a] / (double)count;
    return mean;
}

static spn_status add_results(spn_record *out, const eval_scores *s,
                              const spn_eval_subject *subject, spn_error *err)
{
    const size_t replicas = spn_model_replicas(subject->model);
    const bool known = spn_model_train_losses(subject->model);
    const bool votes = spn_model_hidden(subject->model) > 0;
    const double bits = (double)spn_model_sites(subject->model);
    const struct {
        const char *name;
        double value;
    } all[] = {{"loss", mean_of(s->loss, replicas)},
               {"accuracy", mean_of(s->accuracy, replicas)},
               {"best_loss", known ? s->loss[subject->best] : NAN},
               {"best_accuracy", known ? s->accuracy[subject->best] : NAN},
               {"centre_loss", s->centre.loss},
               {"centre_accuracy", s->centre.accuracy},
               {"balanced_accuracy", mean_of(s->balanced, replicas)},
               {"macro_f1", mean_of(s->f1, replicas)},
               {"majority_accuracy", s->centre.majority_accuracy},
               {"best_balanced_accuracy", known ? s->balanced[subject->best] : NAN},
               {"best_macro_f1", known ? s->f1[subject->best] : NAN},
               {"centre_balanced_accuracy", s->centre.balanced_accuracy},
               {"centre_macro_f1", s->centre.macro_f1},
               {"vote_loss", s->vote.loss},
               {"vote_accuracy", s->vote.accuracy},
               {"vote_balanced_accuracy", s->vote.balanced_accuracy},
               {"vote_macro_f1", s->vote.macro_f1},
               {"bits", votes ? bits : NAN},
               {"bytes", votes ? ceil(bits / 8) : NAN},
               {"vote_bits", votes ? (double)replicas * bits : NAN},
               {"vote_bytes", votes ? ceil((double)replicas * bits / 8) : NAN}};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        if (!isnan(all[k].value))
            status = spn_record_add_result(out, all[k].name, all[k].value, err);
    return status;
}

static spn_status add_confusion(spn_record *out, const eval_scores *s,
                                const spn_eval_subject *subject, spn_error *err)
{
    const size_t classes = spn_model_classes(subject->model);
    double *values = spn_alloc(classes * classes, sizeof *values);
    const double **columns = spn_alloc(classes, sizeof *columns);
    spn_status status = SPN_OK;
    if (!values || !columns) {
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the confusion");
        goto cleanup;
    }
    for (size_t k = 0; k < classes; k++) {
        columns[k] = values + k * classes;
        for (size_t label = 0; label < classes; label++)
            for (size_t a = 1; a <= spn_model_replicas(subject->model); a++)
                values[k * classes + label] +=
                    (double)s->confusion[(a * classes + label) * classes + k];
    }
    status = spn_record_add_curve(out, "confusion", classes, spn_model_class_names(subject->model),
                                  classes, columns, err);
cleanup:
    free(values);
    free(columns);
    return status;
}

/* The counts that are not 0 of the centre, of each replica, and of the vote. */
static spn_status add_confusions(spn_record *out, const eval_scores *s,
                                 const spn_eval_subject *subject, spn_error *err)
{
    static const char *const names[] = {"replica", "label", "prediction", "count"};
    const size_t classes = spn_model_classes(subject->model), cells = classes * classes;
    const size_t replicas = spn_model_replicas(subject->model), all = (replicas + 2) * cells;
    double *values = spn_alloc(4 * all, sizeof *values);
    size_t rows = 0;
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the confusion");
    const double *columns[] = {values, values + all, values + 2 * all, values + 3 * all};
    for (size_t k = 0; k < all; k++) {
        if (s->confusion[k] == 0)
            continue;
        values[rows] = k / cells > replicas ? -1 : (double)(k / cells);
        values[all + rows] = (double)(k % cells / classes);
        values[2 * all + rows] = (double)(k % classes);
        values[3 * all + rows++] = (double)s->confusion[k];
    }
    const spn_status status = spn_record_add_curve(out, "confusions", 4, names, rows, columns, err);
    free(values);
    return status;
}

/* The line that is looked for first: of the replica that predict uses. */
static spn_status add_summary(spn_record *out, const eval_scores *s,
                              const spn_eval_subject *subject, spn_error *err)
{
    const size_t replicas = spn_model_replicas(subject->model), best = subject->best;
    char text[300], replica[80] = "", vote[80] = "";
    if (replicas > 1)
        snprintf(replica, sizeof replica, " (replica %zu of %zu%s: predict's)", best + 1, replicas,
                 spn_model_train_losses(subject->model) ? ", the best in training" : "");
    if (replicas > 1 && !isnan(s->vote.accuracy))
        spn_print_text(vote, sizeof vote, "; all %zu by vote: %.2f%%", replicas,
                       100 * s->vote.accuracy);
    spn_print_text(text, sizeof text,
                   "accuracy %.2f%%%s, balanced %.2f%%, macro F1 %.4f%s; always the most frequent "
                   "class: %.2f%%",
                   100 * s->accuracy[best], replica, 100 * s->balanced[best], s->f1[best], vote,
                   100 * s->centre.majority_accuracy);
    return spn_record_add_text(out, "summary", text, err);
}

static spn_status add_details(spn_record *out, const eval_scores *s,
                              const spn_eval_subject *subject, spn_error *err)
{
    static const char *const names[] = {"loss", "accuracy", "balanced_accuracy", "macro_f1",
                                        "train_loss"};
    const double *losses = spn_model_train_losses(subject->model);
    const double *columns[] = {s->loss, s->accuracy, s->balanced, s->f1, losses};
    const double samples = (double)spn_dataset_samples(subject->set);
    spn_status status = spn_record_add_curve(out, "replicas", losses ? 5 : 4, names,
                                             spn_model_replicas(subject->model), columns, err);
    if (status)
        return status;
    if (losses &&
        (status = spn_record_add_result(out, "best_replica", (double)(subject->best + 1), err)))
        return status;
    if ((status = spn_record_add_result(out, "samples", samples, err)) ||
        (status = add_summary(out, s, subject, err)) ||
        (status = add_confusion(out, s, subject, err)))
        return status;
    return add_confusions(out, s, subject, err);
}

spn_status spn_eval_scores_add(spn_record *out, const spn_eval_subject *subject, bool with_details,
                               spn_error *err)
{
    eval_scores s = {0};
    spn_status status = score_all(&s, subject, with_details, err);
    if (!status)
        status = add_results(out, &s, subject, err);
    if (!status && with_details)
        status = add_details(out, &s, subject, err);
    clear_scores(&s);
    return status;
}

/* Cross-validation: a training for each fold of the samples, tested on that fold. */
#include "base/number.h"
#include "record/record.h"
#include "task/tables.h"
#include "task/train/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLD(column, ...)                                                                          \
    SPN_COLUMN("folds", spn_fold_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
const spn_quantity spn_fold_results[] = {
    FOLD(fold, .help = "its number, from 1"),
    FOLD(samples, .help = "its samples"),
    FOLD(loss, .help = "mean cross-entropy on it, after training on the other folds"),
    FOLD(accuracy, .help = "share of it that is classified correctly"),
    FOLD(balanced_accuracy, .help = "balanced accuracy on it"),
    FOLD(macro_f1, .help = "macro F1 on it"),
    {.name = NULL}};

spn_status spn_train_check_folds(const spn_train_plan *p, spn_error *err)
{
    const size_t samples = spn_dataset_samples(p->sets.train);
    if (!p->folds)
        return SPN_OK;
    if (p->test_fraction > 0)
        return spn_setting_fail("folds", err,
                                "each fold is a test set in its turn; leave out `test-fraction`");
    if (p->annealing.options.start == SPN_START_GIVEN)
        return spn_setting_fail("folds", err,
                                "weights to start from may have seen every fold; "
                                "leave out `init`");
    if (p->folds > samples)
        return spn_setting_fail("folds", err, "%zu samples cannot be cut into %zu folds", samples,
                                (size_t)p->folds);
    return SPN_OK;
}

double spn_train_folds_work(const spn_train_plan *p, double chain)
{
    return p->folds ? chain * (double)(p->folds - 1) : 0;
}

/* What one fold needs. */
typedef struct fold {
    spn_dataset *rest, *part;
    spn_training *training;
    spn_chain_options options;
    uint32_t *proposed;
    spn_sampler *sampler;
    spn_train_result *result;
} fold;

static void clear(fold *f, const spn_train_plan *p)
{
    spn_train_result_free(f->result);
    spn_sampler_free(f->sampler);
    spn_chain_unsettle(&f->options, &p->annealing);
    free(f->proposed);
    spn_training_free(f->training);
    spn_dataset_free(f->part);
    spn_dataset_free(f->rest);
}

static spn_status make(fold *f, const spn_train_plan *p, uint64_t seed, size_t number,
                       spn_error *err)
{
    const uint64_t draw = 3; /* after those of the test, the validation set and the subset */
    spn_train_data data = spn_train_data_defaults();
    spn_beta_range range;
    SPN_TRY(spn_dataset_fold(&f->rest, &f->part, p->sets.train, (size_t)p->folds, number,
                             p->split_seed + (draw << 62), err));
    data.train = f->rest;
    data.test = f->part;
    SPN_TRY(spn_training_create(&f->training, &p->options, &data, err));
    const spn_energy *energy = spn_training_energy(f->training);
    SPN_TRY(spn_chain_settle(&f->options, &range, &p->annealing, seed, energy, err));
    SPN_TRY(spn_train_make_proposed(&f->proposed, &f->options, p, f->training, err));
    return spn_chain_create(&f->sampler, energy, &f->options, err);
}

static spn_status run(fold *f, spn_fold_row *row, spn_trained *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    spn_until until = spn_until_defaults();
    spn_snapshot snapshot;
    spn_stop stop;
    until.stop = t->run->stop;
    until.seconds = p->annealing.seconds;
    SPN_TRY(spn_sampler_run(&stop, f->sampler, &until, err));
    if ((t->measuring.stopped = stop == SPN_STOP_REQUEST))
        return SPN_OK;
    spn_chain_snapshot(&snapshot, f->sampler);
    SPN_TRY(spn_training_finish(&f->result, f->training, &snapshot, stop, err));
    const spn_train_score *s = f->result->replica[f->result->best];
    row->samples = (double)spn_dataset_samples(f->part);
    row->loss = s->test_loss;
    row->accuracy = s->test_accuracy;
    row->balanced_accuracy = s->test_balanced_accuracy;
    row->macro_f1 = s->test_macro_f1;
    return SPN_OK;
}

/* ---- the logit scale of a network ---- */

/* Remove from the data of a plan what its training will not see: the same draws. made: sets to
   free. */
static spn_status keep_training_set(spn_train_plan *p, spn_dataset *made[6], spn_error *err)
{
    const double fractions[] = {p->options.test_fraction, p->options.validation};
    for (size_t k = 0; k < 2; k++)
        if (fractions[k] > 0) {
            SPN_TRY(spn_dataset_split(&made[2 * k], &made[2 * k + 1], p->sets.train, fractions[k],
                                      p->split_seed + ((uint64_t)k << 62), true, err));
            p->sets.train = made[2 * k];
        }
    if (p->options.subset) {
        SPN_TRY(spn_dataset_sample(&made[4], p->sets.train, p->options.subset,
                                   p->split_seed + ((uint64_t)2 << 62), err));
        p->sets.train = made[4];
    }
    p->options.test_fraction = p->options.validation = 0;
    p->options.subset = 0;
    return SPN_OK;
}

/* The samples that are classified correctly by trainings on the other folds. */
static spn_status count_right(double *right, const spn_train_plan *p, spn_trained *t,
                              spn_error *err)
{
    spn_status status = SPN_OK;
    const spn_train_plan *own = t->plan;
    *right = 0;
    t->plan = p;
    for (size_t k = 0; k < p->folds && !status && !t->measuring.stopped; k++) {
        fold f = {0};
        spn_fold_row row = {0};
        status = make(&f, p, t->measuring.job->seed, k, err);
        if (!status)
            status = run(&f, &row, t, err);
        clear(&f, p);
        *right += row.accuracy * row.samples;
    }
    t->plan = own;
    return status;
}

spn_status spn_train_choose_scale(spn_train_plan *plan, spn_trained *t, spn_error *err)
{
    const double scales[] = {SPN_GENTLE_SCALE, SPN_STEEP_SCALE}; /* as good: the first */
    spn_train_plan trial = *plan;
    spn_dataset *made[6] = {NULL};
    double right, most = -1;
    spn_status status = SPN_OK;
    trial.folds = 3;
    if (plan->longer)
        trial.annealing.options.steps /= plan->longer;
    SPN_TRY_OR(cleanup, keep_training_set(&trial, made, err));
    const bool enough = spn_dataset_samples(trial.sets.train) >= 10 * trial.folds;
    for (size_t k = 0; k < 2 && enough && !t->measuring.stopped; k++) {
        trial.options.logit_scale = scales[k];
        SPN_TRY_OR(cleanup, count_right(&right, &trial, t, err));
        if (right > most)
            plan->options.logit_scale = scales[k];
        most = right > most ? right : most;
    }
cleanup:
    for (size_t k = 0; k < 6; k++)
        spn_dataset_free(made[k]);
    return status;
}

/* Means over the folds. */
static void summarise(spn_fold_scores *out, const spn_fold_row *rows, size_t folds)
{
    const double count = (double)folds;
    *out = (spn_fold_scores){0};
    for (size_t k = 0; k < folds; k++) {
        out->loss += rows[k].loss / count;
        out->accuracy += rows[k].accuracy / count;
        out->balanced_accuracy += rows[k].balanced_accuracy / count;
        out->macro_f1 += rows[k].macro_f1 / count;
    }
    for (size_t k = 0; k < folds; k++)
        out->accuracy_sd += pow(rows[k].accuracy - out->accuracy, 2) / (count - 1);
    out->accuracy_sd = sqrt(out->accuracy_sd);
}

spn_status spn_train_folds(spn_trained *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    spn_measuring *m = &t->measuring;
    spn_curve_rows found = {0};
    const size_t folds = (size_t)p->folds;
    spn_fold_row *rows = folds ? spn_curve_make(&found, folds, sizeof *rows, err) : NULL;
    spn_status status = folds && !rows ? SPN_ERROR_MEMORY : SPN_OK;
    for (size_t k = 0; k < folds && !status && !m->stopped; k++) {
        fold f = {0};
        rows[k].fold = (double)(k + 1);
        status = make(&f, p, m->job->seed, k, err);
        if (!status)
            status = run(&f, &rows[k], t, err);
        clear(&f, p);
        if (!m->stopped)
            spn_meter_pass(&m->meter, m->cost.folds / (double)folds);
    }
    if (!folds || status || m->stopped) {
        free(rows);
        return status;
    }
    t->folds = found;
    summarise(&t->cv, rows, folds);
    if (*t->summary)
        spn_print_more(t->summary, sizeof t->summary,
                       "; cross-validated in %zu folds: %.2f%% (standard deviation %.2f%%)", folds,
                       100 * t->cv.accuracy, 100 * t->cv.accuracy_sd);
    return SPN_OK;
}

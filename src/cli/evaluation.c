/* What `spinney eval` measures, as text, as JSON and as a figure. */
#include "cli/evaluation.h"

#include <inttypes.h>
#include <spinney/lab/plot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the means over the replicas ---- */

static double mean_loss(const cli_evaluation *e)
{
    double sum = 0;
    for (size_t a = 0; a < spn_model_replicas(e->model.model); a++)
        sum += e->replicas[a].scores.loss;
    return sum / (double)spn_model_replicas(e->model.model);
}

static double mean_accuracy(const cli_evaluation *e)
{
    double correct = 0;
    for (size_t a = 0; a < spn_model_replicas(e->model.model); a++)
        correct += (double)e->replicas[a].scores.correct;
    return correct /
           ((double)spn_model_replicas(e->model.model) * (double)spn_dataset_samples(e->data));
}

/* ---- JSON ---- */

/* Rows are labels, columns predictions; of replicas first .. first+count-1 together. */
static json_t *confusion_json(const cli_score *scores, size_t count, size_t classes)
{
    json_t *rows = json_array();
    for (size_t label = 0; label < classes; label++) {
        json_t *row = json_array();
        for (size_t k = 0; k < classes; k++) {
            uint64_t sum = 0;
            for (size_t a = 0; a < count; a++)
                sum += scores[a].confusion[label * classes + k];
            json_array_append_new(row, json_integer((json_int_t)sum));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *score_json(const cli_evaluation *e, const cli_score *score)
{
    json_t *object = json_object();
    json_object_set_new(object, "loss", json_real(score->scores.loss));
    json_object_set_new(object, "accuracy", json_real(score->scores.accuracy));
    json_object_set_new(object, "confusion",
                        confusion_json(score, 1, spn_model_classes(e->model.model)));
    return object;
}

static json_t *replica_json(const cli_evaluation *e, size_t replica)
{
    json_t *object = score_json(e, &e->replicas[replica]);
    json_object_set_new(object, "replica", json_integer((json_int_t)replica + 1));
    json_object_set_new(object, "train_loss",
                        e->model.train_loss ? json_real(e->model.train_loss[replica])
                                            : json_null());
    return object;
}

/* The best replica is the one that training found best: a choice made on the evaluated data would
   make its accuracy there too good. */
static json_t *best_json(const cli_evaluation *e)
{
    json_t *object = replica_json(e, e->model.best);
    json_object_set_new(object, "chosen_by",
                        e->model.train_loss ? json_string("train_loss") : json_null());
    return object;
}

static json_t *flips_json(const cli_evaluation *e)
{
    json_t *list = json_array();
    for (size_t j = 0; j < e->flip_count; j++) {
        const spn_robustness *f = &e->flips[j];
        json_t *point = json_object();
        json_object_set_new(point, "p", json_real(f->p));
        json_object_set_new(point, "mean", json_real(f->mean));
        json_object_set_new(point, "low", json_real(f->low));
        json_object_set_new(point, "high", json_real(f->high));
        json_object_set_new(point, "trials", json_integer((json_int_t)f->trials));
        json_array_append_new(list, point);
    }
    return list;
}

static json_t *settings_json(const cli_evaluation *e)
{
    json_t *settings = json_object();
    json_object_set_new(settings, "model", json_string(e->model.path));
    json_object_set_new(settings, "data", json_string(e->data_name));
    json_object_set_new(settings, "samples",
                        json_integer((json_int_t)spn_dataset_samples(e->data)));
    if (e->flip_count > 0) {
        json_object_set_new(settings, "flip_mode", json_string(cli_text(e->values, "flip-mode")));
        json_object_set_new(settings, "flip_replica", json_string(e->flipped.key));
        json_object_set_new(settings, "seed", json_integer((json_int_t)e->flip_options.seed));
        json_object_set_new(settings, "flip_seconds", json_real(e->flip_seconds));
    }
    return settings;
}

int cli_evaluation_json(const cli_evaluation *e)
{
    const spn_model *m = e->model.model;
    json_t *root = json_object(), *replicas = json_array(), *classes = json_array();
    for (size_t a = 0; a < spn_model_replicas(m); a++)
        json_array_append_new(replicas, replica_json(e, a));
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        json_array_append_new(classes, json_string(spn_model_class_names(m)[k]));
    json_object_set_new(root, "loss", json_real(mean_loss(e)));
    json_object_set_new(root, "accuracy", json_real(mean_accuracy(e)));
    json_object_set_new(root, "confusion",
                        confusion_json(e->replicas, spn_model_replicas(m), spn_model_classes(m)));
    json_object_set_new(root, "classes", classes);
    json_object_set_new(root, "replicas", replicas);
    json_object_set_new(root, "centre", score_json(e, &e->centre));
    json_object_set_new(root, "best", best_json(e));
    json_object_set_new(root, "flip", flips_json(e));
    json_object_set_new(root, "settings", settings_json(e));
    return cli_print_json(e->values, root);
}

/* ---- text ---- */

static void print_score(const char *name, double loss, double accuracy, const char *note)
{
    printf("%-22s  %8.4f  %8.2f%%%s%s\n", name, loss, 100 * accuracy, note[0] ? "  " : "", note);
}

static void print_scores(const cli_evaluation *e)
{
    const spn_model *m = e->model.model;
    const spn_softmax_scores *best = &e->replicas[e->model.best].scores;
    char name[32], note[96] = "not known: the model does not hold its losses in training";
    printf("%-22s  %8s  %9s\n", "", "loss", "accuracy");
    for (size_t a = 0; a < spn_model_replicas(m); a++) {
        snprintf(name, sizeof name, "replica %zu", a + 1);
        print_score(name, e->replicas[a].scores.loss, e->replicas[a].scores.accuracy, "");
    }
    if (spn_model_replicas(m) == 1)
        return;
    print_score("mean of the replicas", mean_loss(e), mean_accuracy(e), "");
    snprintf(name, sizeof name, "best: replica %zu", e->model.best + 1);
    if (e->model.train_loss)
        snprintf(note, sizeof note, "chosen by its loss in training (%.4f), not by this data",
                 e->model.train_loss[e->model.best]);
    if (e->model.train_loss)
        print_score(name, best->loss, best->accuracy, note);
    else
        printf("%-22s  %s\n", "best", note);
    print_score("centre", e->centre.scores.loss, e->centre.scores.accuracy,
                "the majority of the replicas");
}

static void print_confusion(const cli_evaluation *e)
{
    enum { MOST = 24, NAME = 10 };
    const spn_model *m = e->model.model;
    const uint64_t *counts = e->replicas[e->model.best].confusion;
    if (spn_model_classes(m) > MOST) {
        printf("\nThe confusion matrix of %u classes is in the output of --json.\n",
               (unsigned)spn_model_classes(m));
        return;
    }
    printf("\nConfusion of replica %zu: rows are labels, columns predictions\n%*s",
           e->model.best + 1, NAME, "");
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        printf(" %5.5s", spn_model_class_names(m)[k]);
    putchar('\n');
    for (uint32_t label = 0; label < spn_model_classes(m); label++) {
        printf("%*.*s", NAME, NAME, spn_model_class_names(m)[label]);
        for (uint32_t k = 0; k < spn_model_classes(m); k++)
            printf(" %5" PRIu64, counts[label * spn_model_classes(m) + k]);
        putchar('\n');
    }
}

/* ---- the robustness curve ---- */

/* The figure's three curves share the x values; `memory` holds 4 * flip_count doubles. */
static spn_figure curve_figure(const cli_evaluation *e, spn_curve curves[3], double *memory)
{
    const size_t n = e->flip_count;
    for (size_t j = 0; j < n; j++) {
        memory[j] = e->flips[j].p;
        memory[n + j] = e->flips[j].mean;
        memory[2 * n + j] = e->flips[j].low;
        memory[3 * n + j] = e->flips[j].high;
    }
    curves[0] = (spn_curve){"95% low", n, memory, memory + 2 * n};
    curves[1] = (spn_curve){"95% high", n, memory, memory + 3 * n};
    curves[2] = (spn_curve){"mean", n, memory, memory + n};
    return (spn_figure){.title = "accuracy under flipped weights",
                        .x_label = "share of weights flipped",
                        .count = 3,
                        .curves = curves};
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 30)
        return size.ws_col < 120 ? size.ws_col : 120;
    return 80;
}

static void print_curve(const cli_evaluation *e)
{
    double *memory = malloc(4 * e->flip_count * sizeof *memory);
    spn_curve curves[3];
    char *text = NULL;
    spn_error err = {0};
    if (!memory)
        return;
    spn_figure figure = curve_figure(e, curves, memory);
    if (spn_figure_text(&text, &figure, terminal_width(), 16, isatty(STDOUT_FILENO), &err) == 0)
        printf("\n%s", text);
    free(text);
    free(memory);
}

static void print_flips(const cli_evaluation *e)
{
    printf("\nAccuracy with %s flipped, %s: %zu trials each, 95%% intervals by Student's t\n",
           e->flip_options.mode == SPN_FLIP_EXACT ? "exactly round(p N) weights"
                                                  : "each weight independently",
           e->flipped.name, e->flip_options.trials);
    printf("%10s  %8s  %8s  %8s\n", "p", "mean", "low", "high");
    for (size_t j = 0; j < e->flip_count; j++)
        printf("%10g  %7.2f%%  %7.2f%%  %7.2f%%\n", e->flips[j].p, 100 * e->flips[j].mean,
               100 * e->flips[j].low, 100 * e->flips[j].high);
    if (e->flip_count > 1)
        print_curve(e);
}

int cli_evaluation_text(const cli_evaluation *e)
{
    const spn_model *m = e->model.model;
    printf("%s on %s: %zu samples, %u classes, %zu one-bit weights, %zu replica%s\n\n",
           e->model.path, e->data_name, spn_dataset_samples(e->data),
           (unsigned)spn_model_classes(m), spn_model_classes(m) * spn_model_features(m),
           spn_model_replicas(m), spn_model_replicas(m) == 1 ? "" : "s");
    print_scores(e);
    print_confusion(e);
    if (e->flip_count > 0)
        print_flips(e);
    return cli_flush(e->values->command);
}

int cli_evaluation_plot(const cli_evaluation *e, const char *path)
{
    double *memory = malloc(4 * e->flip_count * sizeof *memory);
    spn_curve curves[3];
    spn_error err = {.status = SPN_ERROR_MEMORY, .text = "out of memory for the figure"};
    if (!memory)
        return cli_fail(e->values, &err);
    spn_figure figure = curve_figure(e, curves, memory);
    int status = CLI_OK;
    if (spn_figure_file(&figure, path, &err))
        status = cli_fail(e->values, &err);
    free(memory);
    return status;
}

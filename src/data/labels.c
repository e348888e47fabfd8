/* Labels: texts to class numbers, the order of classes, and renaming onto another list. */
#include "data/labels.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status no_memory(const char *name, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory for labels", name);
}

spn_status spn_labels_begin(spn_labels *out, const char *name, size_t samples, spn_error *err)
{
    *out = (spn_labels){.name = name, .samples = samples};
    out->numbers = spn_alloc(samples, sizeof *out->numbers);
    return out->numbers ? SPN_OK : no_memory(name, err);
}

void spn_labels_free(spn_labels *labels)
{
    spn_texts_free(&labels->classes);
    free(labels->numbers);
    *labels = (spn_labels){0};
}

spn_status spn_labels_add(spn_labels *labels, spn_span text, const char *place, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *fault = spn_text_fault(text);
    if (fault)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: the label '%s' %s; every sample needs one",
                        labels->name, place, spn_show(shown, text), fault);
    uint32_t number = spn_texts_find(&labels->classes, text);
    if (number == SPN_NO_TEXT && labels->classes.count == SPN_MAX_CLASSES)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: the label '%s' is one class more than the %d allowed; check "
                        "which column holds the labels (--label-column)",
                        labels->name, place, spn_show(shown, text), SPN_MAX_CLASSES);
    if (number == SPN_NO_TEXT && !spn_texts_add(&number, &labels->classes, text))
        return no_memory(labels->name, err);
    labels->numbers[labels->used++] = number;
    return SPN_OK;
}

spn_status spn_labels_add_integer(spn_labels *labels, int64_t value, const char *place,
                                  spn_error *err)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRId64, value);
    return spn_labels_add(labels, (spn_span){text, (size_t)size}, place, err);
}

/* Classes are sorted. */
spn_status spn_labels_finish(spn_labels *labels, spn_dataset *dataset, spn_error *err)
{
    uint32_t *new_numbers = spn_alloc(labels->classes.count, sizeof *new_numbers);
    if (!new_numbers || !spn_texts_sort(&labels->classes, new_numbers)) {
        free(new_numbers);
        return no_memory(labels->name, err);
    }
    for (size_t n = 0; n < labels->samples; n++)
        labels->numbers[n] = new_numbers[labels->numbers[n]];
    free(new_numbers);
    dataset->labels = labels->numbers;
    dataset->class_names = labels->classes.texts;
    dataset->classes = labels->classes.count;
    labels->numbers = NULL;
    labels->classes.texts = NULL;
    spn_labels_free(labels);
    return SPN_OK;
}

/* ---- renaming ---- */

/* For every class of the dataset its number in the list, or UINT32_MAX. */
static void match_names(uint32_t *out, const spn_dataset *dataset, const char *const *class_names,
                        uint32_t classes)
{
    for (uint32_t k = 0; k < dataset->classes; k++) {
        out[k] = UINT32_MAX;
        for (uint32_t j = 0; j < classes && out[k] == UINT32_MAX; j++)
            if (strcmp(dataset->class_names[k], class_names[j]) == 0)
                out[k] = j;
    }
}

static void free_names(char **names, uint32_t classes)
{
    for (uint32_t k = 0; names && k < classes; k++)
        free(names[k]);
    free(names);
}

static char **copy_names(const char *const *names, uint32_t classes)
{
    char **copy = spn_alloc(classes, sizeof *copy);
    for (uint32_t k = 0; copy && k < classes; k++) {
        copy[k] = strdup(names[k]);
        if (!copy[k]) {
            free_names(copy, classes);
            return NULL;
        }
    }
    return copy;
}

static spn_status check_known(const spn_dataset *dataset, const uint32_t *match,
                              const char *const *class_names, uint32_t classes, const char *name,
                              spn_error *err)
{
    char unknown[SPN_SHOWN], first[SPN_SHOWN], last[SPN_SHOWN];
    for (size_t n = 0; n < dataset->samples; n++) {
        if (match[dataset->labels[n]] != UINT32_MAX)
            continue;
        const char *text = dataset->class_names[dataset->labels[n]];
        const char *final = class_names[classes - 1];
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: sample %zu: the label '%s' is none of the %u known classes ('%s' to '%s')", name,
            n + 1, spn_show(unknown, (spn_span){text, strlen(text)}), classes,
            spn_show(first, (spn_span){class_names[0], strlen(class_names[0])}),
            spn_show(last, (spn_span){final, strlen(final)}));
    }
    return SPN_OK;
}

spn_status spn_dataset_relabel(spn_dataset *dataset, const char *const *class_names,
                               uint32_t classes, const char *name, spn_error *err)
{
    if (!dataset->labels || classes == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: %s to rename", name,
                        dataset->labels ? "no class names are given" : "there are no labels");
    char **names = copy_names(class_names, classes);
    uint32_t *match = spn_alloc(dataset->classes, sizeof *match);
    spn_status status;
    if (!names || !match) {
        status = no_memory(name, err);
        goto cleanup;
    }
    match_names(match, dataset, class_names, classes);
    status = check_known(dataset, match, class_names, classes, name, err);
    if (status != SPN_OK)
        goto cleanup;
    for (size_t n = 0; n < dataset->samples; n++)
        dataset->labels[n] = match[dataset->labels[n]];
    free_names(dataset->class_names, dataset->classes);
    dataset->class_names = names;
    dataset->classes = classes;
    names = NULL;
cleanup:
    free_names(names, classes);
    free(match);
    return status;
}

/* Labels: texts to class numbers, the order of classes, and renaming onto another list. */
#include "data/labels.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Bytes of the longest label. */
enum { LONGEST = 255 };

static spn_status no_memory(const char *name, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory for labels", name);
}

spn_status spn_labels_begin(spn_labels *out, const char *name, size_t samples, spn_error *err)
{
    *out = (spn_labels){.name = name, .samples = samples, .slots = 64};
    out->numbers = spn_alloc(samples, sizeof *out->numbers);
    out->table = spn_alloc(out->slots, sizeof *out->table);
    if (out->numbers && out->table)
        return SPN_OK;
    spn_labels_free(out);
    return no_memory(name, err);
}

void spn_labels_free(spn_labels *labels)
{
    for (uint32_t k = 0; labels->texts && k < labels->classes; k++)
        free(labels->texts[k]);
    free(labels->texts);
    free(labels->numbers);
    free(labels->table);
    *labels = (spn_labels){0};
}

/* ---- the hash table ---- */

/* The slot of a text: where it is, or the free one where it belongs. */
static size_t find_slot(const spn_labels *labels, const char *text, size_t size)
{
    size_t mask = labels->slots - 1;
    size_t slot = (size_t)XXH3_64bits(text, size) & mask;
    while (labels->table[slot] != 0) {
        const char *known = labels->texts[labels->table[slot] - 1];
        if (strlen(known) == size && memcmp(known, text, size) == 0)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool enlarge_table(spn_labels *labels)
{
    uint32_t *larger = spn_alloc(labels->slots * 2, sizeof *larger);
    if (!larger)
        return false;
    free(labels->table);
    labels->table = larger;
    labels->slots *= 2;
    for (uint32_t k = 0; k < labels->classes; k++)
        labels->table[find_slot(labels, labels->texts[k], strlen(labels->texts[k]))] = k + 1;
    return true;
}

/* A new class; at most half of the slots are ever taken. */
static bool add_class(spn_labels *labels, spn_span text)
{
    if (labels->classes >= labels->slots / 2 && !enlarge_table(labels))
        return false;
    if (!spn_grow(&labels->texts, &labels->texts_capacity, labels->classes + 1,
                  sizeof *labels->texts))
        return false;
    char *copy = strndup(text.text, text.size);
    if (!copy)
        return false;
    labels->table[find_slot(labels, text.text, text.size)] = labels->classes + 1;
    labels->texts[labels->classes++] = copy;
    return true;
}

static const char *fault_of(spn_span text)
{
    if (text.size == 0)
        return "is empty";
    if (text.size > LONGEST)
        return "is longer than 255 bytes";
    for (size_t k = 0; k < text.size; k++)
        if ((unsigned char)text.text[k] < 0x20 || text.text[k] == 0x7f)
            return "holds a control character";
    return NULL;
}

spn_status spn_labels_add(spn_labels *labels, spn_span text, const char *place, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *fault = fault_of(text);
    if (fault)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: the label '%s' %s; every sample needs one",
                        labels->name, place, spn_show(shown, text), fault);
    size_t slot = find_slot(labels, text.text, text.size);
    if (labels->table[slot] == 0) {
        if (labels->classes == SPN_MAX_CLASSES)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: %s: the label '%s' is one class more than the %d allowed; check "
                            "which column holds the labels",
                            labels->name, place, spn_show(shown, text), SPN_MAX_CLASSES);
        if (!add_class(labels, text))
            return no_memory(labels->name, err);
        slot = find_slot(labels, text.text, text.size);
    }
    labels->numbers[labels->used++] = labels->table[slot] - 1;
    return SPN_OK;
}

spn_status spn_labels_add_integer(spn_labels *labels, int64_t value, const char *place,
                                  spn_error *err)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRId64, value);
    return spn_labels_add(labels, (spn_span){text, (size_t)size}, place, err);
}

/* ---- the order of classes ---- */

typedef struct ranked {
    char *text;
    long long value;
    uint32_t old;
} ranked;

static int compare_texts(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    return strcmp(left->text, right->text);
}

static int compare_values(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return strcmp(left->text, right->text);
}

/* Signs and digits that fit 64 bits; strtoll alone would also take blanks. */
static bool is_integer(const char *text, long long *out)
{
    size_t sign = *text == '-' || *text == '+';
    size_t digits = strspn(text + sign, "0123456789");
    if (digits == 0 || digits > 18 || text[sign + digits] != '\0')
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

spn_status spn_labels_finish(spn_labels *labels, spn_dataset *dataset, spn_error *err)
{
    uint32_t *new_number = spn_alloc(labels->classes, sizeof *new_number);
    ranked *order = spn_alloc(labels->classes, sizeof *order);
    if (!new_number || !order) {
        free(new_number);
        free(order);
        return no_memory(labels->name, err);
    }
    bool integers = true;
    for (uint32_t k = 0; k < labels->classes; k++) {
        order[k] = (ranked){.text = labels->texts[k], .old = k};
        integers = integers && is_integer(labels->texts[k], &order[k].value);
    }
    qsort(order, labels->classes, sizeof *order, integers ? compare_values : compare_texts);
    for (uint32_t k = 0; k < labels->classes; k++) {
        labels->texts[k] = order[k].text;
        new_number[order[k].old] = k;
    }
    for (size_t n = 0; n < labels->samples; n++)
        labels->numbers[n] = new_number[labels->numbers[n]];
    free(new_number);
    free(order);
    dataset->labels = labels->numbers;
    dataset->class_names = labels->texts;
    dataset->classes = labels->classes;
    labels->numbers = NULL;
    labels->texts = NULL;
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

/* Parts of a training set, and the positions of its samples in them. */
#include "energy/parts.h"

#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>

size_t *spn_class_counts(const spn_dataset *train)
{
    size_t *count = spn_alloc(train->classes, sizeof *count);
    for (size_t n = 0; count && n < train->samples; n++)
        count[train->labels[n]]++;
    return count;
}

spn_class_part *spn_class_parts(size_t *count, size_t *positions, const spn_dataset *train,
                                bool by_class, const double *weights)
{
    size_t *samples = spn_class_counts(train);
    spn_class_part *parts = spn_alloc(train->classes, sizeof *parts);
    *count = *positions = 0;
    for (uint32_t k = 0; parts && samples && k < (by_class ? train->classes : 1); k++) {
        const size_t some = by_class ? samples[k] : train->samples;
        if (some == 0)
            continue;
        parts[*count] =
            (spn_class_part){.label = k,
                             .first = *positions,
                             .samples = some,
                             .count = (some + SPN_PART_PAD - 1) / SPN_PART_PAD * SPN_PART_PAD,
                             .weight = by_class && weights ? weights[k] : 1};
        *positions += parts[(*count)++].count;
    }
    if (!samples) {
        free(parts);
        parts = NULL;
    }
    free(samples);
    return parts;
}

uint32_t *spn_part_positions(const spn_class_part *parts, size_t count, const spn_dataset *train)
{
    uint32_t *position = spn_alloc(train->samples, sizeof *position);
    size_t *next = spn_alloc(train->classes, sizeof *next); /* of the next sample of a class */
    for (size_t j = 0; next && j < count; j++)
        next[parts[j].label] = parts[j].first;
    for (size_t n = 0; position && next && n < train->samples; n++) {
        position[n] = (uint32_t)next[count > 1 ? train->labels[n] : parts[0].label]++;
        assert(position[n] < parts[count - 1].first + parts[count - 1].samples);
    }
    if (!next) {
        free(position);
        position = NULL;
    }
    free(next);
    return position;
}

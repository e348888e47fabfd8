/* Where the samples of a training set stand: in positions, those of a class together and padded, so
   that a position determines its label and its weight. */
#ifndef SPN_ENERGY_PARTS_H
#define SPN_ENERGY_PARTS_H

#include "data/dataset.h"

enum { SPN_PART_PAD = 64 };

/* Positions first .. first+count-1, of which the first `samples` hold samples, all of one weight.
 */
typedef struct spn_class_part {
    uint32_t label;
    size_t first, samples, count; /* first and count are multiples of SPN_PART_PAD */
    double weight;
} spn_class_part;

/* The samples of each class; NULL without memory. */
size_t *spn_class_counts(const spn_dataset *train);

/* A part for each class that occurs, or one in the order of the data; *count of them and *positions
   in all. weights: of the classes; NULL: all 1. NULL without memory. */
spn_class_part *spn_class_parts(size_t *count, size_t *positions, const spn_dataset *train,
                                bool by_class, const double *weights);

/* The position of each sample; NULL without memory. */
uint32_t *spn_part_positions(const spn_class_part *parts, size_t count, const spn_dataset *train);

#endif

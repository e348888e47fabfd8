/* What the headers of linear classifiers and of networks share. */
#ifndef SPN_MODEL_EXPORT_C_H
#define SPN_MODEL_EXPORT_C_H

#include "model/export.h"

/* What is written, and how. */
typedef struct spn_c_header {
    FILE *stream;
    const char *name; /* what every identifier starts with */
    const spn_model *model;
    const int8_t *weights;
    const spn_export_numbers *numbers; /* of a linear classifier */
    spn_export_arithmetic arithmetic;
    bool reals;        /* there are functions for features that are no whole numbers */
    const char *score; /* the type of C */
} spn_c_header;

/* Arrays NAME_what of numbers: reals in the precision of the arithmetic. */
void spn_c_reals(const spn_c_header *h, const char *what, const double *values, size_t count);
void spn_c_wholes(const spn_c_header *h, const char *type, const char *what,
                  const long long *values, size_t count);

/* The function NAME_class. */
void spn_c_classes(const spn_c_header *h);

/* A whole threshold: whole numbers are above it if and only if they are above the given one. */
long long spn_c_whole(double threshold);

/* The thresholds of the model's thermometer: NAME_start, NAME_threshold where there are reals, and
   NAME_whole for features that are whole. Errors: MEMORY. */
spn_status spn_c_thresholds(const spn_c_header *h, spn_error *err);

/* The header of a network, or of several that vote. */
spn_status spn_export_c_network(FILE *stream, const spn_model *model, const int8_t *weights,
                                size_t count, const char *name, spn_export_arithmetic wanted,
                                spn_error *err);

#endif

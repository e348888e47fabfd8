/* The settings of a run, which are texts, as values. */
#ifndef SPN_OLD_VALUES_H
#define SPN_OLD_VALUES_H

#include <spinney/lab/records.h>

/* What a setting is where it is not given. */
typedef struct xpn_default {
    const char *name, *text;
} xpn_default;

typedef struct xpn_values {
    size_t count;
    const spn_field *fields;
    const xpn_default *defaults; /* ended by one without a name; may be NULL */
    const char *fault; /* the setting that the last error is about; NULL: none in particular */
} xpn_values;

/* The text of a setting as it was given, or NULL; the same, or its default, or NULL. */
const char *xpn_values_given(const xpn_values *values, const char *name);
const char *xpn_values_text(const xpn_values *values, const char *name);

/* The first of these names, ended by NULL, that is given; the last where none is. */
const char *xpn_values_first(const xpn_values *values, const char *const *names);

/* Fail with "NAME: ..." and remember the name. */
spn_status xpn_values_fail(xpn_values *values, const char *name, spn_error *err, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));

/* Put the name of a setting before an error that a function of the library has given. */
spn_status xpn_values_blame(xpn_values *values, const char *name, const spn_error *why,
                            spn_error *err);

/* The number of a setting; *out is left alone where it has no text. Errors: ARGUMENT. */
spn_status xpn_values_whole(uint64_t *out, xpn_values *values, const char *name, uint64_t least,
                            uint64_t most, spn_error *err);
spn_status xpn_values_real(double *out, xpn_values *values, const char *name, double least,
                           double most, spn_error *err);

/* The same for a share, between 0 and 1 and neither of them. */
spn_status xpn_values_share(double *out, xpn_values *values, const char *name, spn_error *err);

/* true or false. */
spn_status xpn_values_flag(bool *out, xpn_values *values, const char *name, spn_error *err);

/* The index of a setting's text in a list of words ended by NULL. */
spn_status xpn_values_choice(int *out, xpn_values *values, const char *name,
                             const char *const *words, spn_error *err);

#endif

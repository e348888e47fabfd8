/* Defines the names of an enum that a public header declares with SPN_NAMES. */
#ifndef SPN_BASE_NAMES_H
#define SPN_BASE_NAMES_H

#include <spinney/status.h>

/* list: the array of the names, in the order of the values */
#define SPN_DEFINE_NAMES(type, what, list)                                                         \
    const spn_names type##_names = {what, sizeof(list) / sizeof *(list), list};

#endif

/* The values that a setting takes in a sweep. */
#ifndef SPN_OLD_VALUE_LIST_H
#define SPN_OLD_VALUE_LIST_H

#include <spinney/lab/records.h>

/* One, those of an axis, or none; the texts are the sweep's. */
typedef struct xpn_value_list {
    size_t count;
    const char *one;
    char *const *many;
} xpn_value_list;

/* As far as they are given; the same, or the default. */
xpn_value_list xpn_values_in(const spn_sweep *sweep, const char *setting);
xpn_value_list xpn_values_or_default(const spn_sweep *sweep, const char *setting);

static inline const char *xpn_value_at(const xpn_value_list *list, size_t i)
{
    return list->many ? list->many[i] : list->one;
}

/* As a text such as "0,0.4,0.8", the first few of many; "not given" for none. */
void xpn_value_list_print(char *out, size_t size, const xpn_value_list *list);

#endif

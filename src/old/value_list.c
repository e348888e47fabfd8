/* The values that a setting takes in a sweep. */
#include "old/value_list.h"

#include <stdio.h>
#include <string.h>

static xpn_value_list find(const spn_field *fields, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0)
            return (xpn_value_list){.count = 1, .one = fields[k].text};
    return (xpn_value_list){0};
}

xpn_value_list xpn_values_in(const spn_sweep *sweep, const char *setting)
{
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, setting) == 0)
            return (xpn_value_list){.count = sweep->axes[k].count, .many = sweep->axes[k].values};
    return find(sweep->fixed, sweep->fixed_count, setting);
}

xpn_value_list xpn_values_or_default(const spn_sweep *sweep, const char *setting)
{
    const xpn_value_list given = xpn_values_in(sweep, setting);
    return given.count ? given : find(sweep->defaults, sweep->default_count, setting);
}

void xpn_value_list_print(char *out, size_t size, const xpn_value_list *list)
{
    size_t used = 0;
    if (list->count == 0)
        snprintf(out, size, "not given");
    for (size_t i = 0; i < list->count && used < size; i++) {
        if (i == 6 && list->count > 7) {
            snprintf(out + used, size - used, ",... (%zu values)", list->count);
            break;
        }
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", xpn_value_at(list, i));
    }
}

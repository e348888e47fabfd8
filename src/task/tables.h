/* Shared by the tables of tasks: words of enums, conditions of results, and curves. */
#ifndef SPN_TASK_TABLES_H
#define SPN_TASK_TABLES_H

#include "base/memory.h"
#include "base/try.h"
#include <spinney/lab/task.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): names of functions and types have none */
/* A function for spn_setting.word: word i of an enum. */
#define SPN_WORD_OF(function, type, name_of)                                                       \
    static const char *function(size_t i)                                                          \
    {                                                                                              \
        return name_of((type)i);                                                                   \
    }

/* A function for spn_quantity.needs: returns `text` unless `has` is true for p, the plan. */
#define SPN_NEEDS(function, type, has, text)                                                       \
    static const char *function(const void *plan)                                                  \
    {                                                                                              \
        const type *p = plan;                                                                      \
        return (has) ? NULL : (text);                                                              \
    }

/* A column of a curve whose rows are of this type. */
#define SPN_COLUMN(curve, type, column, ...)                                                       \
    {                                                                                              \
        curve "." #column, SPN_QUANTITY_COLUMN, .at = offsetof(type, column), __VA_ARGS__          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Zeroed rows of a curve, to be freed; NULL and an error without memory. */
static inline void *spn_curve_make(spn_curve_rows *out, size_t count, size_t size, spn_error *err)
{
    *out = (spn_curve_rows){count, size, spn_alloc(count, size)};
    if (!out->rows)
        (void)spn_no_memory(err, "a curve of results");
    return out->rows;
}

#endif
